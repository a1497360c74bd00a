"""Files of components other than the player: they hold the app's message, and name the rest."""

import base64
import json
import re
import zlib
from functools import cache

import pytest

from lessons.texts import TEXTS
from pages.compare import exports as of_compare
from pages.compare.tables import costs, text_table
from pages.languages import exports as of_languages
from pages.languages.mix_message import message as mix_message
from pages.languages.mix_message import split_of
from pages.languages.study import PASSAGES, SHARES, MixRequest, measure_mixes
from pages.pipeline import exports as of_pipeline
from pages.pipeline.pipeline_view import build_view
from pages.pipeline.stage_table_message import message as rail_message
from pages.shared.aligned.aligned_view_message import AlignedView
from pages.shared.aligned.aligned_view_message import message as strip_message
from pages.shared.aligned.side_by_side import NamedTokenizer, compare, tokenize
from pages.shared.aligned.token_links import link_tokens
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.tables import as_csv
from pages.shared.recording.frame_types import plain_text
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import train_kind
from pages.sizes import exports as of_sizes
from pages.sizes.size_message import SizeComparison, compare_sizes, pack_by_size
from pages.sizes.size_message import build_message as scrubber_message
from pages.what_if import exports as of_what_if
from pages.what_if.changes import describe_result, train_again, train_changed
from pages.what_if.counts import try_counts
from pages.what_if.two_runs import CountChange, CountEdit
from tests.pages.shared.export.test_catalog import made_or_failed
from tokenizers import bpe, wordpiece
from tokenizers.progress import ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

HERE = "https://learn.example/tokens/compare?text=x"
PROSE = TEXTS["prose"].text or ""
MODEL = (768, "float32")
TEXT = "The lower the tide, the wider the shore."


@cache
def comparison_export(text: str = TEXT) -> of_compare.ComparisonExport:
    learned = train_kind(ignore_progress, CorpusSource(text=PROSE), "bpe", 300).model(300)
    published = PublishedTokenizer("gpt2")
    selected = [
        NamedTokenizer("BPE", "bpe", learned),
        NamedTokenizer("GPT-2", "real.gpt2", published),
    ]
    found = compare(ignore_progress, text, selected, 0)
    rows = [(None, None), (published, tokenize(text, selected[1]).encoding)]
    descriptions = [{}, published.describe_ids(found.ids(1))]
    names = [(one.name, "") for one in selected]
    drawn = AlignedView(
        names, found.chunks, False, descriptions, link_tokens(text, (0, len(text)), rows)
    )
    return of_compare.ComparisonExport(
        text, selected, found, drawn, *MODEL, training_note="All on **prose**."
    )


@cache
def scrubbed() -> SizeComparison:
    return compare_sizes(
        [
            pack_by_size(ignore_progress, CorpusSource(text=TEXT * 3), kind, TEXT)
            for kind in ("bpe",)
        ],
        TEXT,
    )


@cache
def study():
    return measure_mixes(ignore_progress, MixRequest("bpe", 20))


@cache
def journey(text: str = TEXT):
    model = train_kind(ignore_progress, CorpusSource(text=PROSE), "wordpiece", 300).model(300)
    return build_view(ignore_progress, text, model, (), 0, {})


def held(file: str, what: str = "message") -> bytes:
    found = re.search(rf'<script type="text/plain" id="{what}">([^<]*)</script>', file)
    assert found
    return zlib.decompress(base64.b64decode(found[1]))


def how(file: str) -> dict:
    found = re.search(r'<script type="application/json" id="config">([^<]*)</script>', file)
    assert found
    return json.loads(found[1])


def as_sent(message: dict) -> dict:
    """The message as it arrives in the browser."""
    return json.loads(json.dumps(message))


def test_the_strip_is_what_the_app_sends():
    file = of_compare.html_file(comparison_export(), "Side by side", HERE)
    app = strip_message(comparison_export().view, app="https://learn.example/tokens/")
    assert held(file) == app
    assert json.loads(app)["links"][-1] == "https://learn.example/tokens/"
    without = json.loads(held(of_compare.html_file(comparison_export(), "Side by side", "")))
    assert without["links"] is None
    assert without["chunks"] == json.loads(app)["chunks"]


def test_the_tables_of_the_comparison_come_along_as_they_are():
    file = of_compare.html_file(comparison_export(), "Side by side", HERE)
    for table in (
        text_table(comparison_export().comparison.figures),
        costs(comparison_export().comparison.figures, *MODEL),
    ):
        assert table in file
    assert "All on <strong>prose</strong>." in file
    assert "It leaves out what the page has besides: “Seen and unseen words”" in file
    assert f'<a href="{HERE}" rel="noreferrer">The same screen there</a>' in file
    assert "MIT License" in file


def test_the_scrubber_is_what_the_app_sends():
    shown = scrubbed()
    at = shown.sizes[5]
    file = of_sizes.html_file(shown, TEXT, at, MODEL, "Sizes", HERE)
    assert held(file) == scrubber_message(shown, MODEL, {})
    (part,) = how(file)["parts"]
    assert (part["initial"], part["values"]) == (at, list(shown.sizes))


def test_the_mix_is_what_the_app_sends_for_every_language():
    file = of_languages.html_file(study(), "tokens", 3, "ru", "Languages", HERE)
    assert json.loads(held(file)) == as_sent(mix_message(study(), "tokens", "ru"))
    payloads = json.loads(held(file, "payloads"))["code"]
    assert list(payloads) == list(PASSAGES)
    for code in PASSAGES:
        app = as_sent(mix_message(study(), "tokens", code))
        assert {name: app[name] for name in payloads[code]} == payloads[code]
        assert payloads[code] == as_sent(split_of(study(), code))


def test_the_stages_are_what_the_app_sends():
    file = of_pipeline.html_file(journey(), TEXT, "WordPiece", 2, "Pipeline", HERE)
    assert json.loads(held(file)) == as_sent(rail_message(journey().table))
    (part,) = how(file)["parts"]
    assert part["words"] == [str(n + 1) for n in part["values"]]


def test_no_text_escapes_its_element():
    nasty = "</script><script>x</script> <img src=x> {{message}} a\u202eb"
    files = [
        of_compare.html_file(comparison_export(nasty), "<b>\ud800", "javascript:x"),
        of_pipeline.html_file(journey(nasty), nasty, "<b>", 0, "</title>\ud800", "data:x"),
    ]
    for file in files:
        file.encode()
        assert file.count("<script") == file.count("</script>") == 4
        assert "<img" not in file
        assert "\u202e" not in file
        assert "{{message}} a⟨U+202E⟩b" in file
        assert "javascript:" not in file
        assert "data:x" not in file


def operation() -> CountEdit:
    whole = Trace.record(Corpus.from_counts({"low": 5, "lower": 2, "=1+1": 3}), bpe.Settings())
    edit = train_again(ignore_progress, whole, CountChange("low", 1))
    assert isinstance(edit, CountEdit)
    return edit


def what_if_catalog() -> ExportCatalog:
    found = operation()
    return of_what_if.count_exports(found, try_counts(ignore_progress, found.whole, found.word))


OFFERS = {
    "surgery": what_if_catalog,
    "compare": lambda: of_compare.of_comparison(comparison_export()),
    "sizes": lambda: of_sizes.size_exports(scrubbed(), lambda _, pieces: list(pieces)),
    "languages": lambda: of_languages.of_study(study(), "words", 1),
    "pipeline": lambda: of_pipeline.of_trace(journey(" <b>x</b> \u202e é")),
}


@pytest.mark.parametrize("name", OFFERS)
def test_every_table_can_be_made(name: str):
    offer: ExportCatalog = OFFERS[name]()
    items = offer.all_items()
    assert len({item.label for item in items}) == len({item.name for item in items}) == len(items)
    for item in items:
        lines = made_or_failed(item).decode("utf-8-sig").splitlines()
        assert len(lines) > 1
        assert not any(line.startswith(("=", "+", "-", "@")) for line in lines)


def test_the_tables_have_what_is_on_the_screen():
    found = of_compare.tokens(comparison_export())
    counts = [row.metrics.tokens for row in comparison_export().comparison.figures]
    assert [sum(row[0] == name for row in found.rows) for name in ("BPE", "GPT-2")] == counts
    sizes = of_sizes.tokens_by_size(scrubbed())
    assert [row[0] for row in sizes.rows] == list(scrubbed().sizes)
    assert [row[1] for row in sizes.rows] == list(scrubbed().tokenizers[0].tokens)
    bars = of_languages.bars(study(), "tokens")
    assert len(bars.rows) == len(PASSAGES) * len(SHARES)
    hindi = [row[3] for row in bars.rows if row[0] == "Hindi"]
    assert {row[1] for row in bars.rows if row[0] == "Hindi"} == {"Devanagari"}
    assert hindi == [mix.tokens("hi") for mix in study().mixes]
    assert len(of_pipeline.tokens(journey()).rows) == journey().metrics.tokens
    found = operation()
    merges = of_what_if.merges(found).rows
    assert [row[1:4] for row in merges[: len(found.whole)]] == [
        (*pair, count) for pair, count in zip(found.whole.pairs, found.whole.counts, strict=True)
    ]
    assert as_csv(bars).startswith(b"\xef\xbb\xbflanguage,script")


@pytest.mark.parametrize("settings", [bpe.Settings(), wordpiece.Settings(num_merges=5)])
def test_both_runs_are_recorded_as_trained(settings):
    words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    whole = Trace.record(Corpus.from_counts(words), settings)
    found, recording = train_changed(ignore_progress, whole, CountChange("hug", 2))
    assert recording.last == max(len(found.whole), len(found.changed))
    name, first, _ = json.loads(zlib.decompress(recording.head))["jumpTargets"][0]
    assert name == "the runs first differ"
    assert first == [one for one in [found.first] if one]
    assert plain_text(describe_result(found)).startswith("With hug seen twice instead")
    differ = {row[0] for row in of_what_if.pieces(found).rows}
    assert differ == {*found.lost, *found.gained}
