"""What is fast equals what is plain: parts, columns, few parts, linear patterns, the clock."""

import random
from dataclasses import replace
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import open_model
from tests.call_counts import examples
from tokenizers import limits
from tokenizers.bpe.by_rank import merge_by_rank, merge_few
from tokenizers.formats.schemes import PUBLISHED_PATTERNS
from tokenizers.runtime.models.byte_bpe import ByteBPE, _merge, _merge_part, glyphs_of
from tokenizers.runtime.normalizers import to_glyphs
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.precompiled import Precompiled
from tokenizers.runtime.sentencepiece.model_file import BYTE, NORMAL, UNKNOWN, ModelFile
from tokenizers.runtime.sentencepiece.pieces import NO_PIECE, PieceVocabulary
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.text.alignment import AlignedText
from tokenizers.text.symbols import GLYPH_OF_BYTE
from tokenizers.unigram import BYTES, many_words

LETTERS = "ab éñ日本語のは🦊é\0"


def byte_bpe(seed: int) -> ByteBPE:
    """Return a BPE of pieces drawn from a text, which may begin or end inside of a character."""
    rng, text = random.Random(seed), "".join(random.Random(seed).choices(LETTERS, k=60))
    raw = glyphs_of(text.encode())
    vocab = {glyph: id_ for id_, glyph in enumerate(GLYPH_OF_BYTE.values())}
    for _ in range(rng.randint(0, 60)):
        start = rng.randrange(len(raw))
        vocab.setdefault(raw[start : start + rng.randint(2, 6)], len(vocab))
    return ByteBPE(vocab)


@given(
    st.integers(0, 10**6),
    st.lists(st.text(st.sampled_from(LETTERS), min_size=1, max_size=40), max_size=9),
)
@examples(300)
def test_words_in_parts_have_the_pieces_of_whole_words(seed: int, words: list[str]):
    model = byte_bpe(seed)
    cut_many = model.batch_cutter()
    for batch in (words, [*words, *words]):
        assert cut_many(batch).cuts() == [list(model.cut(word)) for word in batch]


@pytest.mark.parametrize("name", ["o200k", "cl100k", "mistral-tekken"])
@given(words=st.lists(st.text(min_size=1, max_size=60), max_size=9))
@examples(60)
def test_any_words_in_parts(name: str, words: list[str]):
    model = open_model(name).model
    assert isinstance(model, ByteBPE)
    assert model.batch_cutter()(words).cuts() == [list(model.cut(word)) for word in words]


JOINED = ["o200k", "gpt2", "bert-uncased", "mistral-v1", "unigram-japanese"]
WORDS = st.lists(
    st.sampled_from(["low", "lower", "は", "日本語", "☃☃", " ", "\n", "<s>", "[SEP]", "é"])
)


@pytest.mark.parametrize("name", JOINED)
@given(words=WORDS, apart=st.sampled_from(["", " "]))
@examples(60)
def test_many_words_are_joined_as_few_are(name: str, words: list[str], apart: str):
    text, loaded = apart.join([*words, *words]), open_model(name)
    few = loaded.encode(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenizers.runtime.segments.WORTH_BATCH", 0)
        assert loaded.encode(text) == few
        patch.setattr("tokenizers.runtime.segments.MANY_WORDS", 0)
        assert loaded.encode(text) == few


@pytest.mark.parametrize("convention", ["sentencepiece", "sentencepiece_classic"])
@pytest.mark.parametrize("name", ["unigram-japanese", "unigram-english"])
@given(words=WORDS, times=st.integers(1, 50))
@examples(40)
def test_a_long_text_has_the_pieces_of_a_short_one(
    name: str, convention: str, words: list[str], times: int
):
    model = open_model(name).model
    assert isinstance(model, SentencePieceUnigram)
    model, text = replace(model, convention=convention), "▁".join(["", *words * times])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_words, "MANY_LETTERS", 10**9)
        short = model.cut(text)
        patch.setattr(many_words, "MANY_LETTERS", 0)
        assert model.cut(text) == short


@given(
    st.text("abc", max_size=5),
    st.dictionaries(st.text("abc", min_size=2, max_size=5), st.integers(0, 9)),
)
@examples(300)
def test_a_part_of_three_bytes_merges_as_any_does(part: str, ranks: dict[str, int]):
    for vocab in (ranks, ranks | {part: 5}):
        assert _merge_part(part, vocab) == _merge(part, vocab)


@given(st.text(st.sampled_from(LETTERS), min_size=1), st.integers(0, 2), st.booleans())
@examples(100)
def test_each_glyph_has_the_span_of_its_character(text: str, first: int, is_raw: bool):
    aligned = AlignedText.raw(text)
    aligned = aligned.part(first, len(text)) if is_raw else aligned.replace([(0, 1, "é日")])
    bytes_ = [(place, byte) for place, c in enumerate(aligned.text) for byte in c.encode()]
    found = to_glyphs(aligned)
    assert found.text == "".join([GLYPH_OF_BYTE[byte] for _, byte in bytes_])
    spans = list(zip(found.starts, found.ends, strict=True))
    assert spans == [aligned.span(place, place + 1) for place, _ in bytes_]


@pytest.mark.parametrize("falls_back", [False, True])
@given(parts=st.lists(st.sampled_from(["ab", "b", "☃", "é日"]), min_size=1))
@examples(60)
def test_columns_have_the_pieces_of_a_loop(falls_back: bool, parts: list[str]):
    pieces = ("<unk>", "ab", "b", *(BYTES if falls_back else ()))
    kinds = bytes([UNKNOWN, NORMAL, NORMAL] + [BYTE] * (len(pieces) - 3))
    file = ModelFile(pieces, [0.0] * len(pieces), kinds, byte_fallback=falls_back)
    vocabulary, text = PieceVocabulary(file), "".join(parts)
    ids = [vocabulary.usable.get(part, NO_PIECE) for part in parts]
    bounds = list(accumulate(map(len, parts), initial=0))
    (found,) = vocabulary.columns(text, np.array(ids), np.array(bounds[1:])).cuts()
    assert found == vocabulary.pieces(text, zip(bounds, bounds[1:], ids, strict=False))


@given(
    st.text("abc", max_size=12),
    st.dictionaries(st.text("abc", min_size=2, max_size=4), st.integers(0, 9)),
)
@examples(300)
def test_few_parts_merge_as_many_do(word: str, ranks: dict[str, int]):
    few, many = [*word], [*word, "\n"]
    merge_few(few, ranks.get)
    merge_by_rank(many, many, ranks.get)
    assert few == [part for part in many if part != "\n"]
    below = 5
    few, many = [*word], [*word, "\n"]
    rank_below = {pair: rank for pair, rank in ranks.items() if rank < below}.get
    merge_few(few, rank_below, below)
    merge_by_rank(many, many, rank_below, below)
    assert few == [part for part in many if part != "\n"]


@pytest.mark.parametrize("source", sorted(PUBLISHED_PATTERNS))
@given(text=st.text(st.sampled_from("aAé日1 \n\r'sǅ\u0301/!")) | st.text())
@examples(60)
def test_a_linear_pattern_finds_what_a_timed_one_finds(source: str, text: str):
    assert Pattern(source, is_linear=True).spans(text) == Pattern(source).spans(text)


def spans_by(source: str, text: str, lists: bool) -> list[tuple[int, int]]:
    """Return the spans of a published pattern's matches, found by `re` or by `regex`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokenizers.runtime.patterns.WORTH_LISTS", 0 if lists else 10**9)
        return Pattern(source, is_linear=True).spans(text)


@pytest.mark.parametrize("source", sorted(PUBLISHED_PATTERNS))
@given(text=st.text(st.sampled_from("aAé日1 \n\r'sǅ\u0301/!\u1c89")) | st.text())
@examples(60)
def test_listed_classes_find_what_properties_find(source: str, text: str):
    assert spans_by(source, text, lists=True) == spans_by(source, text, lists=False)


@pytest.mark.parametrize("source", sorted(PUBLISHED_PATTERNS))
def test_every_character_is_listed(source: str):
    """Each stands beside letters, numbers, spaces and itself, and for any part of a contraction."""
    every = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    text = "".join([f"'{c} {c}l'l{c}'v{c} a{c}1{c}{c} \n{c}" for c in every])
    assert spans_by(source, text, lists=True) == spans_by(source, text, lists=False)


def test_single_characters_are_rewritten_as_clusters_are():
    normalizer = open_model("unigram-japanese").normalizer
    charsmap = getattr(normalizer, "charsmap")  # noqa: B009
    precompiled = Precompiled(charsmap)
    for character in [*charsmap.singles, *map(chr, range(0x3100))]:
        assert precompiled._rewrite_whole(character) == precompiled._rewrite(character)


def test_the_clock_is_read_only_when_the_wall_clock_leaves_it_open(monkeypatch):
    """Processor time passes at a third of the wall clock's, and the limit holds to the tick."""
    wall, reads = [0.0], list[float]()
    monkeypatch.setattr(limits, "perf_counter", lambda: wall[0])
    monkeypatch.setattr(limits, "thread_time", lambda: reads.append(wall[0]) or wall[0] / 3)
    with limits.time_limit("") as _:
        limit = limits._limit.get()
        assert limit
        while (left := limit.left()) > 0:
            assert left <= limits.SECONDS - wall[0] / 3 + 1e-9
            wall[0] += limits.SECONDS / 100
        assert limits.SECONDS - wall[0] / 3 <= 1e-9
    assert len(reads) < 60, "of three hundred checks"
