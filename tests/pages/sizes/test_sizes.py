"""One text at every size: the stored changes give the splits of plain encoding."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, SIZE, open_trained
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import train_kind
from pages.sizes.by_size import (
    TRAINABLE,
    SegmentationsBySize,
    WordBySize,
    segment_by_size,
    train_and_segment,
)
from pages.sizes.size_message import (
    MAX_DRAWN,
    NEWEST,
    clipped,
    compare_sizes,
    describe_sizes,
    finding,
    newest,
    pack_by_size,
    size_table,
    some_sizes,
)
from pages.sizes.sized_runs import pretrained_run, sized_run_of
from tests.call_counts import examples

PROSE = TEXTS["prose"].text or ""
LANGUAGES = TEXTS["languages"].text or ""


def never(done: int, total: int) -> bool:
    return False


def learned_to_the_end(text: str, kind: str):
    return train_kind(never, CorpusSource(text=text), kind, 1 if kind == "unigram" else 5_000)


def split(cut: SegmentationsBySize, index: int) -> list[str]:
    return [token for n in cut.text for token in cut.words[n].split(index, cut.mark)]


def equals_plain_encoding(kind: str, corpus: str, text: str, every: int = 1) -> SegmentationsBySize:
    """Check at every size the pieces and the number of tokens of its model."""
    learned = learned_to_the_end(corpus, kind)
    cut = segment_by_size(never, sized_run_of(learned), text)
    for index in sorted({*range(0, len(cut.sizes), every), len(cut.sizes) - 1}):
        plain = learned.model(cut.sizes[index]).encode(text)
        assert split(cut, index) == list(plain.pieces)
        assert cut.tokens[index] == len(plain.tokens)
        fresh = set(cut.new[index]) if index else set()
        assert cut.occurrences[index] == sum(token in fresh for token in plain.tokens)
    return cut


texts = st.text(st.sampled_from("aaabbc ▁#é<"), max_size=40)


@pytest.mark.parametrize("kind", TRAINABLE)
@examples(60)
@given(corpus=texts.filter(lambda text: text.strip()), text=texts)
def test_every_size_is_what_plain_encoding_gives(kind, corpus, text):
    equals_plain_encoding(kind, corpus, text)
    equals_plain_encoding(kind, corpus, corpus)


@pytest.mark.parametrize("kind", TRAINABLE)
@pytest.mark.parametrize(
    ("corpus", "text"),
    [
        (PROSE, PROSE),
        (PROSE, LANGUAGES[:2_000]),
        (LANGUAGES[:2_000], LANGUAGES[:2_000]),
        (PROSE, "printing " + "low" * 60 + " 👩🏽‍🚀"),
        ("ab " * 3 + "ab" * 300, "ab" * 300),
    ],
)
def test_prose_and_unseen_text_at_some_sizes(kind, corpus, text):
    equals_plain_encoding(kind, corpus, text, every=199 if kind != "unigram" else 6)


def test_wordpiece_can_need_more_pieces_at_a_larger_size():
    """A longer first piece can leave a rest that is harder to split: matching is greedy."""
    cut = equals_plain_encoding("wordpiece", PROSE, PROSE, every=500)
    assert any(after > before for before, after in zip(cut.tokens, cut.tokens[1:], strict=False))


@pytest.mark.parametrize("kind", TRAINABLE)
def test_the_sizes_count_the_pieces(kind):
    cut = train_and_segment(never, CorpusSource(text=PROSE), kind, PROSE)
    total = 0
    for size, new in zip(cut.sizes, cut.new, strict=True):
        total += len(new)
        assert total == size


@pytest.mark.parametrize("kind", TRAINABLE)
def test_what_is_formed_is_what_was_not_there_before(kind):
    cut = train_and_segment(never, CorpusSource(text=PROSE), kind, PROSE[:600])
    for word in cut.words:
        for index, spans in word.formed():
            now = word.split(index, cut.mark)
            formed = [word.token(span, cut.mark) for span in spans]
            assert set(formed) <= set(now)
            if index:
                assert set(now) - set(word.split(index - 1, cut.mark)) <= set(formed)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "no words to train on"), ("a\ud800", "surrogate")],
)
@pytest.mark.parametrize("kind", TRAINABLE)
def test_bad_input_is_a_sentence(kind, text, message):
    with pytest.raises(ValueError, match=message):
        train_and_segment(never, CorpusSource(text=text), kind, text)


def test_a_stopped_run_is_a_sentence():
    with pytest.raises(ValueError, match="stopped it before"):
        train_and_segment(
            lambda done, total: done > total / 2, CorpusSource(text=PROSE), "bpe", PROSE
        )


def test_progress_only_rises():
    reported: list[float] = []
    train_and_segment(
        lambda done, total: bool(reported.append(done / total)),
        CorpusSource(text=PROSE),
        "bpe",
        PROSE,
    )
    assert reported == sorted(reported)
    assert reported[-1] == 1


# ---- the film ----


def drawn(kind: str, corpus: str, text: str) -> dict:
    return json.loads(
        zlib.decompress(pack_by_size(never, CorpusSource(text=corpus), kind, text).packed)
    )


def tokens_of(shown: dict, index: int) -> list[str]:
    """What the browser draws at a size, computed as it does."""
    known = {token: text for token, text, *_ in shown["pieces"]}
    words = [
        WordBySize(tuple(w[0]), 1, tuple(w[1]), tuple(map(tuple, w[2]))) for w in shown["words"]
    ]
    return [known[token] for n in shown["text"] for token in words[n].split(index, shown["mark"])]


@pytest.mark.parametrize("kind", TRAINABLE)
def test_the_browser_can_draw_every_token_of_every_size(kind):
    shown = drawn(kind, PROSE, PROSE[:500] + " <zz> عين")
    for index in range(len(shown["sizes"])):
        tokens = tokens_of(shown, index)
        assert len(tokens) == shown["tokens"][index]
        assert not any(space in token for token in tokens for space in " \n")


def test_what_is_unknown_is_marked():
    shown = drawn("bpe", "low lower", "low zz")
    assert [token for token, *_, first_index in shown["pieces"] if first_index < 0] == ["z"]
    shown = drawn("wordpiece", "low lower", "low zz")
    assert [word[0] for word in shown["words"] if word[3]] == [["z", "z"]]


def test_only_a_part_of_a_long_text_is_drawn_and_all_is_counted():
    shown = drawn("bpe", PROSE, "tide " * 2_000)
    assert sum(len(shown["words"][n][0]) for n in shown["text"]) <= MAX_DRAWN + 5
    assert shown["more"]
    assert shown["tokens"][0] == 5 * 2_000
    assert not drawn("bpe", PROSE, "tide " * 20)["more"]


@pytest.mark.parametrize("kind", ["bpe", "bytes", "unigram"])
def test_only_a_part_of_a_long_word_is_drawn(kind):
    shown = drawn(kind, "ab " * 3, "ab" * 5_000)
    assert [len(word[0]) for word in shown["words"]] == [MAX_DRAWN]
    assert shown["more"]
    assert not [token for token, *_, first_index in shown["pieces"] if first_index < 0]
    assert tokens_of(shown, len(shown["sizes"]) - 1)


def test_a_short_word_is_not_clipped():
    word = WordBySize(("a", "b"), 1, (1,), ())
    assert clipped(word, 2) is word


# ---- what stands below ----


def two(corpus: str = PROSE, text: str = PROSE[:300]):
    return compare_sizes(
        [pack_by_size(never, CorpusSource(text=corpus), kind, text) for kind in ("bpe", "unigram")],
        text,
    )


def test_the_sizes_of_all_and_the_nearest():
    shown = two()
    assert list(shown.sizes) == sorted({*shown.tokenizers[0].sizes, *shown.tokenizers[1].sizes})
    assert shown.nearest(0) == shown.sizes[0]
    assert shown.nearest(10**8) == shown.sizes[-1]
    assert shown.nearest(100) == 100
    assert shown.words == len(PROSE[:300].split())


def test_the_newest_pieces_are_in_the_vocabulary_of_that_size():
    shown = two()
    for one in shown.tokenizers:
        assert newest(one, one.sizes[0]) == ()
        assert newest(one, one.sizes[1])[-1] == one.new[1][0] or len(one.new[1]) > NEWEST
        assert len(newest(one, one.sizes[-1])) == NEWEST
    assert newest(shown.tokenizers[0], 61) == tuple(
        one for (one,) in reversed(shown.tokenizers[0].new[1:3])
    )


def test_the_table_has_the_selected_size_and_the_ends():
    shown = two()
    columns, rows = size_table(shown, 10, 101)
    assert columns[1:] == [
        "tokens, BPE on characters",
        "tokens, Unigram",
        "(V + 1) · 10 parameters",
    ]
    assert [row[0] for row in rows] == sorted({*some_sizes(shown), 101})
    assert all(row[-1] == (int(row[0]) + 1) * 10 for row in rows)
    assert rows[0][2] == "–", "Unigram has no vocabulary as small as the smallest of BPE"
    assert rows[-1][1] == shown.tokenizers[0].tokens[-1]


def test_a_text_of_one_size_has_a_table_too():
    shown = two("a", "a")
    assert size_table(shown, 1, shown.sizes[0])[1]


def test_the_sentences_are_computed():
    shown = two()
    bpe, unigram = shown.tokenizers
    assert f"BPE on characters: {bpe.tokens[0]} tokens with 59 pieces" in finding(shown)
    assert describe_sizes(bpe).endswith(
        "from 59 to 845 pieces: every word is a single piece, so no pair is left."
    )
    assert f"shrinks from {unigram.sizes[-1]} pieces to {unigram.sizes[0]}." in describe_sizes(
        unigram
    )


# ---- trained ahead ----

LARGE = CorpusSource(text=TEXTS[LEARNED_FROM].text or "")
READ = "Untrained tokenizers misunderstand 漢 and é; the lower the tide, the wider the shore."


@pytest.mark.parametrize("kind", ["bpe", "bytes", "wordpiece"])
def test_a_pretrained_tokenizer_splits_like_one_trained_now(kind):
    now = sized_run_of(train_kind(never, LARGE, kind, SIZE))
    assert segment_by_size(never, pretrained_run(kind), READ) == segment_by_size(never, now, READ)


@pytest.mark.parametrize("kind", TRAINABLE)
def test_at_its_largest_it_cuts_as_the_other_pages_do(kind):
    record = pretrained_run(kind)
    assert record.sizes[-1] == sum(map(len, record.new)) == SIZE
    cut = segment_by_size(never, record, READ)
    assert cut.tokens[-1] == len(open_trained(kind).encode(READ).tokens)


def test_pretrained_unigram_splits_by_each_of_its_models():
    record = pretrained_run("unigram")
    cut = segment_by_size(never, record, READ)
    for n in range(len(record.sizes)):
        found = record.model(n).encode(READ)
        words = (cut.words[number].split(n) for number in cut.text)
        assert [token for word in words for token in word] == list(found.pieces)
