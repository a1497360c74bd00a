"""BPE · Train as compression, and its laws of words: what is shown is computed from the run."""

import re

import pytest

from lessons.texts import TEXTS
from pages.bpe import compression, origin_panels, word_laws
from pages.shared.training.source import CorpusSource
from tests.pages.opening import html_of, markdown_of, opened, trace
from tokenizers import bpe
from tokenizers.experiments.research.compression import compress, expand, lzw_size, with_table
from tokenizers.progress import ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

PROSE = TEXTS["prose"].text or ""
GAGE = {"base": "bytes", "split": "none", "least": "3"}


def run(text, merges=200, least=1):
    settings = bpe.Settings("bytes", num_merges=merges, min_count=least)
    return Trace.record(Corpus.from_text(text, Pipeline((), "none")), settings)


def test_the_sizes_are_those_of_the_plain_compression():
    text = PROSE
    packed = compression.compression_of(run(text, least=3))
    steps = list(compress(text.encode()))
    assert packed.last == len(steps)
    assert list(packed.codes[: packed.last]) == [step.code for step in steps]
    assert packed.sizes[-1] == with_table(len(steps[-1].data), len(steps))
    assert packed.sizes[packed.shortest] == min(packed.sizes)
    table = {step.code: step.pair for step in steps}
    assert expand(steps[-1].data, table).decode() == text


def test_no_more_is_replaced_than_there_are_unused_bytes():
    every = "".join(map(chr, range(128))) * 3
    packed = compression.compression_of(run(every, merges=300))
    assert packed.last == 128
    assert "128 bytes unused" in compression.verdict(packed, run(every, merges=300))


def test_the_example_gains_by_the_first_replacement_alone():
    app = opened("bpe_train", corpus="gage", panel=origin_panels.COMPRESSION, step="2")
    assert "shortest after 1 replacement: 8 bytes" in markdown_of(app)
    assert "no replacement saves more than its entry costs" in markdown_of(app)
    packed = compression.compression_of(trace(app))
    assert packed.sizes == [9, 8, 8]
    assert compression.finding(packed, 2) == (
        "After 2 replacements: 4 + 4 = 8 bytes, 88.9% of the 9"
    )
    rows = compression.rows(packed, trace(app), 2)
    assert rows == [("2", "FE", "ABC", 2, 2, "+0"), ("1", "FF", "AB", 3, 3, "+1")]
    assert "FE" in html_of(app)


def test_a_button_compresses_the_text_as_gage_did():
    app = opened("bpe_train", corpus="prose", panel=origin_panels.COMPRESSION)
    assert "Philip Gage" in markdown_of(app)
    next(one for one in app.button if one.label.startswith("Compress this text")).click()
    app.run()
    assert not app.error
    settings = trace(app).settings
    assert (settings.base, settings.min_count, settings.num_merges) == ("bytes", 3, 195)
    assert trace(app).corpus.pipeline.pre_tokenizer == "none"
    raw = PROSE.encode()
    assert f"needs {lzw_size(raw):,} bytes" in markdown_of(app)
    assert {app.query_params[key] for key in GAGE} == set(GAGE.values())


def test_what_cannot_be_compressed_says_what_to_do():
    table = opened("bpe_train", corpus="b2", panel=origin_panels.COMPRESSION)
    assert any("table of words" in one.value for one in table.caption)
    large = opened("bpe_train", corpus="python", merges="5", panel=origin_panels.COMPRESSION)
    assert any("choose a shorter one" in one.value for one in large.caption)
    assert not [one for one in large.button if one.label.startswith("Compress this")]


@pytest.mark.parametrize("text", ["a", "ab", "<b>é</b>", "aaa aaa aaa", "🙂" * 20])
@pytest.mark.parametrize("panel", [origin_panels.COMPRESSION, origin_panels.LAWS])
def test_short_and_strange_texts_are_shown(text, panel):
    for step in ("0", "3"):
        app = opened("bpe_train", corpus="own", text=text, panel=panel, step=step, **GAGE)
        assert not app.error
        assert not app.exception


def test_the_laws_name_their_exponents_ranks_and_words():
    app = opened("bpe_train", corpus="prose", panel=origin_panels.LAWS, step="100")
    text = markdown_of(app)
    assert re.search(r"for words 0\.\d\d \(ranks 1 to \d+, R² 0\.\d{3}\); for pieces 0\.\d\d", text)
    sample = TEXTS["prose"]
    words = list(sample.pipeline.words(PROSE))
    assert f"{len(words):,} words read, {len(set(words)):,} of them distinct" in text
    saved = trace(app).num_tokens
    first, total = saved[0] - saved[20], saved[0] - saved[200]
    assert f"the first 20 merges save {first / total:.1%}" in text


def test_words_are_split_at_spaces_where_the_run_has_no_words():
    text = PROSE
    curve = word_laws.heaps(ignore_progress, CorpusSource(text=text), Pipeline((), "none"))
    assert (curve.words, curve.distinct) == (len(text.split()), len(set(text.split())))
    assert "for words 0." in word_laws.zipf_finding(run(text, merges=20), 20)


def test_a_table_of_words_has_no_order_to_read():
    app = opened("bpe_train", corpus="b2", panel=origin_panels.LAWS)
    assert any("order of words" in one.value for one in app.caption)
    assert "Zipf" in markdown_of(app)
