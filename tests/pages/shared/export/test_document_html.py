"""HTML files of documents: they hold the app's messages and blocks, and name the rest."""

import base64
import json
import re
import zlib
from dataclasses import replace
from functools import cache
from typing import get_args

import pytest
from markupsafe import Markup
from plotly.graph_objects import Figure
from streamlit.testing.v1 import AppTest

from lessons.texts import TEXTS
from pages.compare import blocks as compare_blocks
from pages.compare import exports as of_compare
from pages.compare.tables import costs, text_table
from pages.languages import blocks as languages_blocks
from pages.languages import exports as of_languages
from pages.languages.mix_message import message as mix_message
from pages.languages.mix_message import split_of
from pages.languages.study import PASSAGES, SHARES, MixRequest, measure_mixes
from pages.pipeline import blocks as pipeline_blocks
from pages.pipeline import exports as of_pipeline
from pages.pipeline.pipeline_view import build_view
from pages.pipeline.stage_table_message import message as rail_message
from pages.shared.aligned.aligned_view_message import AlignedView
from pages.shared.aligned.aligned_view_message import message as strip_message
from pages.shared.aligned.side_by_side import Comparison, NamedTokenizer, compare, tokenize
from pages.shared.aligned.token_links import link_tokens
from pages.shared.component import pack_message
from pages.shared.drawing.charts import Chart
from pages.shared.export.catalog import ExportCatalog
from pages.shared.export.document.blocks import (
    Document,
    Folded,
    Heading,
    Html,
    Note,
    StaticBlock,
    TokenRow,
)
from pages.shared.export.document.document_html import build_document_html
from pages.shared.export.tables import ExportTable, as_csv
from pages.shared.recording.frame_types import plain_text
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import train_kind
from pages.sizes import blocks as sizes_blocks
from pages.sizes import exports as of_sizes
from pages.sizes.size_message import SizeComparison, compare_sizes, pack_by_size
from pages.sizes.size_message import message as scrubber_message
from pages.what_if import exports as of_what_if
from pages.what_if.changes import describe_result, train_again, train_changed
from pages.what_if.counts import try_counts
from pages.what_if.two_runs import CountChange, CountEdit
from tests.pages.opening import checked, html_of, unpacked
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
def compared(text: str = TEXT) -> tuple[list[NamedTokenizer], Comparison, AlignedView]:
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
    return selected, found, drawn


def comparison_export() -> of_compare.ComparisonExport:
    selected, found, _ = compared()
    return of_compare.ComparisonExport(TEXT, selected, found, *MODEL)


def comparison_file(title: str = "Side by side", link: str = HERE, text: str = TEXT) -> str:
    _, found, drawn = compared(text)
    below = Note("All on **prose**."), *compare_blocks.became(found)
    below += compare_blocks.costs(found, *MODEL)
    return file_of(compare_blocks.document(text, found, drawn, below), title, link)


def file_of(document: Document, title: str = "", link: str = HERE) -> str:
    return build_document_html(replace(document, title=title, link=link))


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


def held(file: str) -> tuple[dict, list[bytes]]:
    """The message of the file's picture, and its blobs."""
    found = re.search(r'<script type="text/plain" id="message-0">([^<]*)</script>', file)
    assert found
    return unpacked(zlib.decompress(base64.b64decode(found[1])))


def how(file: str) -> dict:
    found = re.search(r'<script type="application/json" id="config">([^<]*)</script>', file)
    assert found
    (config,) = json.loads(found[1])
    return config


def as_sent(message: dict) -> dict:
    """The message as it arrives in the browser."""
    return unpacked(pack_message(message))[0]


def without_additions(message: dict) -> dict:
    return {name: value for name, value in message.items() if name not in ("payloads", "app")}


def test_the_strip_is_what_the_app_sends():
    found, _ = held(comparison_file())
    assert without_additions(found) == as_sent(strip_message(compared()[2]))
    assert found["app"] == "https://learn.example/tokens/"
    assert held(comparison_file(link=""))[0]["app"] == ""


def test_the_tables_of_the_comparison_come_along_as_they_are():
    file = comparison_file()
    figures = compared()[1].figures
    for table in (text_table(figures), costs(figures, *MODEL)):
        assert table in file
    (who_agrees, note) = compare_blocks.agreement(compared()[1])
    assert isinstance(who_agrees, Html)
    assert who_agrees.html in file
    assert isinstance(note, Note)
    assert note.text.split(":")[0] in file
    assert "All on <strong>prose</strong>." in file
    assert "It leaves out what the app’s page has besides: “Seen and unseen words”" in file
    assert f'<a href="{HERE}" rel="noreferrer">The same screen there</a>' in file
    assert "MIT License" in file


def test_the_scrubber_is_what_the_app_sends():
    shown = scrubbed()
    at = shown.sizes[5]
    below = sizes_blocks.newest_pieces(shown, at, lambda _, pieces: list(pieces))
    file = file_of(sizes_blocks.document(shown, TEXT, at, MODEL, below))
    found, blobs = held(file)
    assert without_additions(found) == as_sent(scrubber_message(shown, MODEL)) | {
        "sizes": [len(one.packed) for one in shown.tokenizers]
    }
    assert blobs == [one.packed for one in shown.tokenizers]
    assert f"The newest pieces, up to size {at}" in file
    (part,) = how(file)["parts"]
    assert (part["initial"], part["values"]) == (at, list(shown.sizes))


def test_both_rules_are_in_the_file_and_who_chose_each_merge():
    request = MixRequest("bytes", 20, rule="parity")
    found, usual = (measure_mixes(ignore_progress, one) for one in (request, request.by_frequency))
    file = file_of(languages_blocks.document(found, "tokens", 1, "hi", usual, 7))
    assert "Who chooses the pair: the language worst off." in file
    shown, _ = held(file)
    assert without_additions(shown) == as_sent(mix_message(found, "tokens", "hi", usual))
    assert [part["initial"] for part in how(file)["parts"]] == [1, "hi", 7]
    turns = of_languages.turns(found)
    assert turns.columns[:5] == (
        *("percent that is not English", "merge", "chosen by", "pair", "count there"),
    )
    assert turns.rows[20][:5] == (10, 1, "Hindi", "⟨E0⟩ + ⟨A4⟩", 666)
    assert turns.rows[20][5:] == (286, 786)
    bars = of_languages.bars(found, "tokens", usual)
    (hindi,) = (row for row in bars.rows if row[0] == "Hindi" and row[2] == 10)
    assert (hindi[3], hindi[-1]) == (found.mixes[1].tokens("hi"), usual.mixes[1].tokens("hi"))
    assert len(of_languages.of_study(found, "tokens", 1, usual).all_items()) > len(
        of_languages.of_study(usual, "tokens", 1).all_items()
    )


def test_the_mix_is_what_the_app_sends_for_every_language():
    file = file_of(languages_blocks.document(study(), "tokens", 3, "ru"))
    assert f"Rows are sorted by their mean over all {len(SHARES)} mixes." in file
    assert "<summary>The sentences</summary>" in file
    found, _ = held(file)
    assert without_additions(found) == as_sent(mix_message(study(), "tokens", "ru"))
    payloads = found["payloads"]["code"]
    assert list(payloads) == list(PASSAGES)
    for code in PASSAGES:
        app = as_sent(mix_message(study(), "tokens", code))
        assert {name: app[name] for name in payloads[code]} == payloads[code]
        assert payloads[code] | {"sizes": []} == as_sent(split_of(study(), code))


def test_the_stages_are_what_the_app_sends():
    file = file_of(pipeline_blocks.document(journey(), TEXT, "WordPiece", 2))
    assert without_additions(held(file)[0]) == as_sent(rail_message(journey().table))
    (part,) = how(file)["parts"]
    assert part["words"] == [str(n + 1) for n in part["values"]]


def test_no_text_escapes_its_element():
    nasty = "</script><script>x</script> <img src=x> {{message}} a\u202eb"
    files = [
        comparison_file("<b>\ud800", "javascript:x", nasty),
        file_of(
            pipeline_blocks.document(journey(nasty), nasty, "<b>", 0), "</title>\ud800", "data:x"
        ),
    ]
    for file in files:
        file.encode()
        assert file.count("<script") == file.count("</script>") == 3
        assert "<img" not in file
        assert "\u202e" not in file
        assert "{{message}} a⟨U+202E⟩b" in file
        assert "javascript:" not in file
        assert "data:x" not in file


SAMPLES: dict[type, tuple[StaticBlock, str]] = {
    Heading: (Heading("A heading"), "A heading"),
    Note: (Note("A **note** on a nat < b"), "<strong>note</strong> on a "),
    TokenRow: (TokenRow(["low", "er"], "two tokens"), 'aria-label="two tokens"'),
    Html: (Html(Markup("<p>trusted</p>")), "<p>trusted</p>"),
    Folded: (Folded("More", (Note("inside it"),)), "inside it"),
    Chart: (Chart("Bars", Figure({"data": [{"type": "bar", "x": ["a"], "y": [1]}]}), "One"), ""),
    ExportTable: (ExportTable("Numbers", ("n",), [(1,)]), "Numbers (1)"),
}
"""A block of each kind, and a part of its HTML."""


def page_of_blocks():
    from pages.shared.export.document.show_blocks import show_blocks
    from tests.pages.shared.export.test_document_html import SAMPLES

    show_blocks([block for block, _ in SAMPLES.values()])


def test_every_kind_of_block_is_drawn_in_both_hosts():
    assert set(SAMPLES) == set(get_args(StaticBlock))
    file = file_of(Document(blocks=tuple(block for block, _ in SAMPLES.values())), "Blocks")
    app = checked(AppTest.from_function(page_of_blocks).run())
    for host in (file, html_of(app)):
        assert [part for _, part in SAMPLES.values() if part not in host] == []
        assert "on a <span" in host, "the terms of a note are marked"
        assert "&lt; b" in host
    assert "<figcaption>One</figcaption>" in file
    assert "<summary>More</summary>" in file
    assert [fold.label for fold in app.expander] == ["More"]
    assert len(app.get("plotly_chart")) == 1


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
