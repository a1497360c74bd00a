"""What is shown of a picture without steps while a question about it is open."""

from collections.abc import Mapping

from lessons.records.published import PublishedRecord
from lessons.records.texts import PipelineRecord, SegmentationsRecord
from lessons.records.vocabularies import VocabulariesRecord
from pages.course.making import Shown
from pages.course.text import html_facts, html_stages
from pages.pipeline.journey import WORDS
from pages.pipeline.rows import NAMES

BECOMES = "What becomes of it is shown when you have answered."
INSIDE = "What is inside is shown when you have answered."


def before(shown: Shown, names: Mapping[str, str]) -> tuple[str, str]:
    """Return what does not give the answer away, as HTML, and what is said under it.

    `names` are those of the normalizers.
    """
    record = shown.record
    if shown.before:
        return html_facts(shown.before), BECOMES
    if isinstance(record, PipelineRecord):
        called = {name: name for name in record.stages} | {**NAMES, **names}
        rows = [(called[name], text) for name, text in record.stages.items() if name != WORDS]
        return html_stages(rows), BECOMES
    if isinstance(record, SegmentationsRecord):
        return html_stages([("The text", record.text)]), BECOMES
    if isinstance(record, PublishedRecord):
        titles = [name.replace("_", " ").capitalize() for name in record.texts()]
        return html_stages(list(zip(titles, record.texts().values(), strict=True))), BECOMES
    if isinstance(record, VocabulariesRecord):
        rows = [(one.title, f"{one.size:,} pieces") for one in record.inside.values()]
        return html_facts(rows), INSIDE
    return "", BECOMES
