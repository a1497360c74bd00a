"""The picture of merges chosen by the most frequent pair, and by the language worst off."""

from collections.abc import Iterator

from lessons.facts.parity import ParityFacts
from lessons.pictures.plan import Plan
from lessons.pictures.studies import ParitySettings
from lessons.texts.parallel import PASSAGES, byte_premium, compare_rules
from pages.lesson.pictures.lesson_picture import HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles, plain_table
from tokenizers.progress import ProgressCallback

MOST_TURNS = 120  # merges whose language is shown


def both_rules(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Train on a mix of languages by both rules; it takes only a moment and cannot be stopped."""
    wanted: ParitySettings = plan.settings
    compared = compare_rules(wanted.languages, wanted.share, wanted.merges, wanted.together)
    facts = ParityFacts({code: PASSAGES[code] for code in wanted.languages}, compared)
    names = [PASSAGES[code].name for code in wanted.languages]
    mix = f"{100 - wanted.share}% {names[0]}, {wanted.share}% {', '.join(names[1:])}"
    sizes = [
        f"{passage.name} {len(passage.text.encode()):,}" for passage in facts.passages.values()
    ]
    before = (
        ("The training text", escape_invisible(mix)),
        ("Bytes of the passage", escape_invisible(", ".join(sizes))),
    )
    return LessonPicture(plan, facts, rows=tuple(_html_rules(facts)), preview=before)


def _html_rules(facts: ParityFacts) -> Iterator[HtmlRow]:
    """Yield the languages with what they pay, and the language that chose each merge."""
    compared = facts.compared
    columns = ("language", "bytes", "for each English byte", "most frequent pair", "worst off")
    rows: list[list[str | int]] = [
        [
            passage.name,
            f"{len(passage.text.encode()):,}",
            f"{byte_premium(passage):.2f}",
            f"{compared.usual.costs[code]:,}",
            f"{compared.parity.costs[code]:,}",
        ]
        for code, passage in facts.passages.items()
    ]
    ginis = f"{compared.usual.gini:.3f} and {compared.parity.gini:.3f}"
    caption = "Bytes of the passage, and tokens of its unseen sentences if this chooses the pair"
    yield f"{caption} (Gini coefficient {ginis})", plain_table("", columns, rows)
    turns = compared.run.turns[:MOST_TURNS]
    shown = f"the first {MOST_TURNS} of " if len(compared.run.turns) > MOST_TURNS else ""
    caption = f"Which language chose each merge: {shown}{len(compared.run.turns)}"
    yield caption, html_tiles([turn.language or "all" for turn in turns])
