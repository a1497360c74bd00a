"""Laws of the pipeline page: every token's place, every stage's changes, what comes back.

Over generated texts, every model, and every combination of normalizers and ways of splitting.
"""

from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pages.pipeline.rows import NEW, REMOVED, TOKENS_SHOWN, build_table, token_range
from pages.pipeline.stage_trace import (
    DECODING,
    MODEL,
    WORDS,
    Edit,
    StageTrace,
    edits,
    find_losses,
    stage_span,
    token_boundary,
    trace_stages,
)
from tests.call_counts import examples
from tokenizers import baselines, bpe, unigram, wordpiece
from tokenizers.record.trace import Trace
from tokenizers.text.alignment import AlignedText
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.text.normalizers import NORMALIZERS, normalize
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS

many = examples(200)
SEEN = "The lowest tides, don't you know? <b>résumé</b> ﬁn 東京 naïve 123 नमस्ते"
PARTS = [*"abTheé ▁.,'#\t\n\0\u0301\u200d👩🚀ﬁ東ि्न½Ⅷİﾊﾞ한", "<b>", "</b>", "  ", "don't", "tide"]
LETTERS = st.one_of(st.characters(exclude_categories=("Cs",)), st.sampled_from(PARTS))
TEXTS = st.lists(LETTERS, max_size=20).map("".join)
KINDS = ("words", "characters", "bpe", "bytes", "metaspace", "wordpiece", "unigram")


def model_of(kind: str):
    """A small model of every kind that trained on the same words."""
    corpus = Corpus.from_text(SEEN)
    if kind in baselines.UNITS:
        return baselines.train(SEEN, kind)
    if kind == "wordpiece":
        corpus = Corpus.from_text(SEEN, Pipeline((), "bert"))
        return Trace.record(corpus, wordpiece.Settings(num_merges=15)).model()
    if kind == "unigram":
        logs = {piece: -1.0 - n / 9 for n, piece in enumerate(["▁", *SEEN, "▁tide", "low", "on"])}
        return unigram.Model(unigram.vocabulary(logs), logs)
    base = "end_of_word" if kind == "bpe" else kind
    return Trace.record(corpus, bpe.Settings(base=base, num_merges=20)).model()


LEARNED = {kind: model_of(kind) for kind in KINDS}
ENCODE = {
    baselines.Model: baselines.encode,
    bpe.Model: bpe.encode,
    wordpiece.Model: wordpiece.encode,
    unigram.Model: unigram.encode,
}


@st.composite
def models(draw, splits=tuple(PRE_TOKENIZERS)):
    names = draw(st.lists(st.sampled_from(list(NORMALIZERS)), unique=True, max_size=4))
    pipeline = Pipeline(tuple(names), draw(st.sampled_from(splits)))
    return replace(LEARNED[draw(st.sampled_from(KINDS))], pipeline=pipeline)


def restored(trace: StageTrace, lost) -> str:
    """The raw text with every loss put in place of what was there."""
    made, done = "", 0
    for loss in lost:
        assert done <= loss.start <= loss.end
        made, done = made + trace.raw[done : loss.start] + loss.decoded, loss.end
    return made + trace.raw[done:]


# --- Places ---------------------------------------------------------------------------------------


# Spaces come around the character, and then a mark between two signs that are from it.
BETWEEN_PARTS = replace(LEARNED["characters"], pipeline=Pipeline(("bert",), "metaspace_lines"))


@many
@given(TEXTS, models())
@example("東", BETWEEN_PARTS)
def test_token_spans_in_the_raw_text_match_the_encoding(text, model):
    trace = trace_stages(text, model)
    expected = ENCODE[type(model)](text, model)
    assert trace.encoding.tokens == expected.tokens
    assert trace.encoding.ids == expected.ids
    assert trace.encoding.words == expected.words
    for ours, theirs in zip(trace.encoding.offsets, expected.offsets, strict=True):
        assert ours == theirs or (ours[0] == ours[1] and theirs[0] == theirs[1])


@many
@given(TEXTS, models())
def test_every_stage_is_what_the_normalizers_up_to_it_make(text, model):
    trace = trace_stages(text, model)
    names = [stage.name for stage in trace.stages]
    assert names == ["raw", *(n for n in NORMALIZERS if n in model.pipeline.normalizers), WORDS]
    for n, stage in enumerate(trace.stages[1:-1], start=1):
        assert stage.text == normalize(text, names[1 : n + 1]).text
    words = model.pipeline(text)
    assert trace.stages[-1].text == words.aligned.text
    assert trace.words == words.spans


@many
@given(TEXTS, models())
def test_token_spans_lie_in_every_stage_in_order(text, model):
    for stage in trace_stages(text, model).stages:
        held = [(start, end) for start, end in stage.spans if start < end]
        starts, ends = [[place[side] for place in held] for side in (0, 1)]
        assert starts == sorted(starts)
        assert ends == sorted(ends)
        assert all(0 <= a <= b <= len(stage.text) for a, b in stage.spans)


@many
@given(TEXTS, models(("spaces", "punctuation", "bert", "gpt2", "none")))
def test_in_the_last_stage_a_token_is_the_text_of_its_span(text, model):
    assume(model.settings.base != "bytes" if isinstance(model, bpe.Model) else True)
    trace = trace_stages(text, model)
    for piece, (start, end) in zip(trace.encoding.pieces, trace.stages[-1].spans, strict=True):
        here = trace.stages[-1].text[start:end]
        assert piece.removesuffix("</w>").removeprefix("##").removeprefix("▁") == here.removeprefix(
            "##"
        ).removeprefix("▁") or piece in (here, f"##{here}", f"{here}</w>", f"▁{here}")


@many
@given(TEXTS, st.sampled_from(list(NORMALIZERS)))
def test_edits_make_the_new_text_and_nothing_else_is_changed(text, name):
    after = NORMALIZERS[name](AlignedText.raw(text))
    made, done, place = "", 0, 0
    for edit in edits(text, after):
        assert done <= edit.start <= edit.end
        assert text[done : edit.start] == after.text[place : edit.new_start]
        assert text[edit.start : edit.end] != after.text[edit.new_start : edit.new_end]
        made += text[done : edit.start] + after.text[edit.new_start : edit.new_end]
        done, place = edit.end, edit.new_end
    assert made + text[done:] == after.text


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lower", "aBCd", [Edit(1, 3, 1, 3)]),
        ("html", "a<b>c</b>", [Edit(1, 4, 1, 1), Edit(5, 9, 2, 2)]),
        ("nfkc", "xﬁ", [Edit(1, 2, 1, 3)]),
        ("spaces", "a  b", [Edit(1, 3, 1, 2)]),
        ("lower", "plain", []),
    ],
)
def test_edits(name, text, expected):
    assert list(edits(text, NORMALIZERS[name](AlignedText.raw(text)))) == expected


# --- What comes back ------------------------------------------------------------------------------


@many
@given(TEXTS, models(), st.sets(st.sampled_from([*NORMALIZERS, WORDS, MODEL])))
def test_the_losses_make_the_decoded_text_of_the_raw_one(text, model, off):
    trace = trace_stages(text, model, tuple(off))
    lost = find_losses(trace, model, 0, len(trace.encoding.tokens))
    assert restored(trace, lost) == trace.decoded
    assert trace.is_lossless == (not lost)
    known = {*(stage.name for stage in trace.stages[1:]), MODEL, DECODING}
    assert {loss.stage for loss in lost} <= known


@many
@given(TEXTS, st.sampled_from(["gpt2", "none"]))
def test_bytes_lose_nothing(text, split):
    model = replace(LEARNED["bytes"], pipeline=Pipeline((), split))
    trace = trace_stages(text, model)
    assert trace.is_lossless
    assert find_losses(trace, model, 0, len(trace.encoding.tokens)) == []


@many
@example("0\r  0", replace(LEARNED["bpe"], pipeline=Pipeline((), "spaces")), 0, 2)
@given(TEXTS, models(), st.integers(0, 30), st.integers(0, 30))
def test_a_part_of_the_tokens_loses_what_the_whole_text_loses_there(text, model, first, last):
    trace = trace_stages(text, model)
    count = len(trace.encoding.tokens)
    first, last = sorted((first % (count + 1), last % (count + 1)))
    first, last = token_boundary(trace, first), token_boundary(trace, last)
    starts = [*(start for start, _ in trace.encoding.offsets), len(text)]
    if starts[first] == starts[last]:  # nothing, or marks that were put in
        return
    whole = [(loss.start, loss.end, loss.decoded) for loss in find_losses(trace, model, 0, count)]
    part = [(loss.start, loss.end, loss.decoded) for loss in find_losses(trace, model, first, last)]
    start, end = stage_span(trace, first, last)
    assert [loss for loss in part if start < loss[0] and loss[1] < end] == [
        loss for loss in whole if start < loss[0] and loss[1] < end
    ]


def lost_of(kind, text, normalizers=(), split="spaces", off=()):
    model = replace(LEARNED[kind], pipeline=Pipeline(normalizers, split))
    trace = trace_stages(text, model, off)
    rows = find_losses(trace, model, 0, len(trace.encoding.tokens))
    return [(text[loss.start : loss.end], loss.decoded, loss.stage) for loss in rows]


@pytest.mark.parametrize(
    ("kind", "text", "normalizers", "split", "off", "expected"),
    [
        ("bytes", "<b>ﬁ</b>", ("html", "nfkc"), "gpt2", (),
         [("<b>", "", "html"), ("ﬁ", "fi", "nfkc"), ("</b>", "", "html")]),
        ("bytes", "a<b> low", ("html",), "gpt2", (), [("<b>", "", "html")]),
        ("words", "The tides", (), "spaces", (), [(" ", "", WORDS), ("tides", UNK, MODEL)]),
        ("bpe", "don't  you", (), "punctuation", (),
         [("", " ", DECODING), ("", " ", DECODING), (" ", "", WORDS)]),
        ("wordpiece", "don't", (), "bert", (), [("", " ", DECODING), ("", " ", DECODING)]),
        ("bytes", "tidy", (), "gpt2", (MODEL,), [("tidy", UNK, MODEL)]),
        ("bytes", "É low", ("lower",), "gpt2", (), [("É", "é", "lower")]),
        ("bytes", "É low", ("lower",), "gpt2", ("lower",), []),
        ("unigram", "low ъ", (), "metaspace", (), [("ъ", " ⁇ ", MODEL)]),
    ],
)  # fmt: skip
def test_every_loss_is_named(kind, text, normalizers, split, off, expected):
    assert lost_of(kind, text, normalizers, split, off) == expected


# --- Stages switched off --------------------------------------------------------------------------


def test_a_stage_that_is_off_is_not_gone_through():
    model = replace(LEARNED["words"], pipeline=Pipeline(("lower", "spaces"), "spaces"))
    trace = trace_stages("The  tides,", model, ("lower", WORDS))
    assert [stage.name for stage in trace.stages] == ["raw", "spaces", WORDS]
    assert trace.encoding.pieces == ("The tides,",)
    assert trace.encoding.tokens == (UNK,)


@many
@given(TEXTS, models())
def test_without_the_model_every_word_is_one_token(text, model):
    trace = trace_stages(text, model, (MODEL,))
    assert trace.encoding.words == tuple(range(len(trace.words)))
    assert len(trace.encoding.tokens) == len(trace.words)


# --- The rows -------------------------------------------------------------------------------------


@many
@given(TEXTS, models())
def test_a_row_shows_its_stage_and_what_was_there_before(text, model):
    trace = trace_stages(text, model)
    shown = token_range(trace, 0)
    lost = find_losses(trace, model, *shown)
    assume(len(trace.encoding.tokens) <= TOKENS_SHOWN)
    names = {name: name for name in NORMALIZERS if name in model.pipeline.normalizers}
    rows = build_table(trace, lost, shown, names).rows
    assert len(rows) == len(trace.stages)
    for row, stage in zip(rows, trace.stages, strict=True):
        new = [part for part in row.parts if part.kind == NEW]
        changed = [edit for edit in stage.edits if edit.new_start < edit.new_end]
        if stage.name != WORDS:
            assert bool(new) == bool(changed)
        for n in range(*shown):
            if stage.spans[n][0] < stage.spans[n][1]:
                assert any(part.low <= n <= part.high for part in row.parts)


def test_a_cluster_is_shown_whole_however_it_is_cut():
    trace = trace_stages("ने 👩🏽‍🚀", replace(LEARNED["bytes"], pipeline=Pipeline((), "gpt2")))
    shown = token_range(trace, 0)
    row = build_table(trace, [], shown, {}).rows[0]
    assert [part.text for part in row.parts] == ["ने", "·", "👩🏽‍🚀"]
    assert row.parts[0].low == 0 < row.parts[0].high < row.parts[2].low < row.parts[2].high
    assert {part.kind for part in row.parts} <= {"", REMOVED}


@pytest.mark.parametrize("first", [0, 1, 149, 150, 151, 4000, 10**9])
def test_a_long_text_is_shown_in_part(first):
    model = replace(LEARNED["bytes"], pipeline=Pipeline((), "gpt2"))
    trace = trace_stages("é👩🏽 tide " * 200, model)
    low, high = token_range(trace, first)
    count = len(trace.encoding.tokens)
    assert low <= min(first, count - 1) < high <= count
    assert TOKENS_SHOWN - 20 <= high - low <= TOKENS_SHOWN + 20 or high == count
    for place in (low, high):
        assert token_boundary(trace, place) == place
