"""Unigram: encoding and decoding on small cases, and laws for every model and text.

What the lattice of a text says is proved in test_lattice_laws.py; here a text is held to it.
"""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.lattice import LOG_ZERO, Lattice, best_path
from tokenizers.lattice.n_best import Agenda, Hypothesis, n_best_steps, segmentations
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import (
    BYTES,
    CONVENTIONS,
    MAX_NATS,
    UNK,
    UNKNOWN_TEXT,
    Model,
    best_starts,
    decode,
    encode,
    many_words,
    split_word,
    viterbi,
    vocabulary,
)
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.sentencepiece_parity.n_best import (
    MAX_CLEARANCES,
    MAX_WAITING,
    BinaryHeapAgenda,
    SearchAbandoned,
    sentencepiece_n_best,
)

many = examples(300)

HAT = {"▁": -4.0, "h": -2.0, "a": -2.0, "t": -2.0, "▁h": -3.0, "ha": -3.5, "at": -3.0}


def make_model(log_probs, byte_fallback=False, **more):
    vocab = vocabulary(log_probs, byte_fallback)
    return Model(vocab, log_probs, byte_fallback=byte_fallback, **more)


def table(encoding):
    return [(*row,) for row in zip(encoding.tokens, encoding.offsets, strict=True)]


# --- One word -------------------------------------------------------------------------------------


def test_the_most_probable_split_wins():
    assert split_word("▁hat", make_model(HAT)) == ("▁h", "at")


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_ties_prefer_the_longest_last_piece(convention):
    logs = {"a": -1.0, "b": -1.0, "c": -1.0, "ab": -1.5, "bc": -1.5}
    assert split_word("abc", make_model(logs, convention=convention)) == ("a", "bc")
    logs = {"a": -1.0, "bcd": -2.0, "ab": -1.0, "cd": -2.0}
    assert split_word("abcd", make_model(logs, convention=convention)) == ("a", "bcd")


def test_empty_word_has_no_pieces():
    assert split_word("", make_model(HAT)) == ()
    assert best_starts("", make_model(HAT)) == [0]


def test_an_unknown_character_is_ten_nats_below_the_rarest_piece():
    model = make_model({"a": -3.0, "b": -7.5, "c": LOG_ZERO})
    assert model.unknown == -17.5
    assert make_model({}).unknown == -10.0
    edges = model.lattice("ax").edges
    assert [(edge.piece, edge.log_prob, edge.known) for edge in edges] == [
        ("a", -3.0, True),
        ("x", -17.5, False),
    ]


def test_a_longer_piece_is_better_than_an_unknown_character():
    assert split_word("ax", make_model({"a": -1.0, "ax": -50.0})) == ("ax",)


def test_an_unknown_character_may_be_better_than_a_longer_piece():
    logs = {"a": -100.0, "bc": -100.0, "ab": -1.0, "d": -1.0}
    assert split_word("abcd", make_model(logs)) == ("ab", "c", "d")


def test_adjacent_unknown_characters_are_one_piece():
    assert split_word("xyhxzzat", make_model(HAT)) == ("xy", "h", "xzz", "at")


def test_a_piece_that_is_the_unknown_token_is_as_unknown_as_its_neighbours():
    model = Model({UNK: 0, "a": 1}, {UNK: 0.0, "a": -1.0}, convention="hugging_face")
    assert split_word("a<unk>éa", model) == ("a", "<unk>é", "a")
    assert encode_one("a<unk>éa", model).pieces == ("a", "<unk>é", "a")


def test_a_piece_of_probability_zero_is_never_used():
    assert split_word("ab", make_model({"a": -9.0, "b": -9.0, "ab": LOG_ZERO})) == ("a", "b")
    assert encode("a", make_model({"a": LOG_ZERO, "▁": -1.0})).tokens == ("▁", UNK)


# --- How the libraries add up ---------------------------------------------------------------------


@pytest.mark.parametrize("part", ["*", "ab"])
def test_the_conventions_differ_on_a_run(part):
    logs = {part * times: as_float32(log) for times, log in [(1, -1.1), (2, -2.1), (3, -3.1)]}
    ways = [
        [
            len(piece) // len(part)
            for piece in split_word(part * 10, make_model(logs, convention=name))
        ]
        for name in CONVENTIONS
    ]
    assert ways == [[2, 2, 3, 3], [2, 2, 3, 3], [1, 3, 3, 3], [3, 3, 3, 1]]


def test_float32_keeps_24_binary_digits():
    assert as_float32(0.5) == 0.5
    assert as_float32(2.0**24 + 1) == 2.0**24
    assert make_model({"a": -0.1}, convention="sentencepiece").unknown == as_float32(-10.1)
    assert make_model({"a": -0.1}).unknown == -10.1


def test_only_the_newer_version_resets_a_large_sum():
    """Near -150,000 a float32 has steps of 1/64: there, `a b` seems better than `ab`."""
    logs = {"-": -MAX_NATS / 4.0, "ab": -2.009, "a": -1.007, "b": -1.003}
    text = "-" * 6 + "ab"
    assert split_word(text, make_model(logs, convention="sentencepiece"))[-1] == "ab"
    assert split_word(text, make_model(logs, convention="sentencepiece_classic"))[-2:] == ("a", "b")


# --- A text ---------------------------------------------------------------------------------------


def test_tokens_ids_and_offsets():
    encoding = encode("hat at", make_model(HAT))
    assert table(encoding) == [("▁h", (0, 1)), ("at", (1, 3)), ("▁", (3, 4)), ("at", (4, 6))]
    assert encoding.ids == (5, 7, 1, 7)
    assert encoding.words == (0, 0, 1, 1)


def test_an_empty_text_has_no_tokens():
    encoding = encode("", make_model(HAT))
    assert encoding.tokens == encoding.ids == encoding.offsets == encoding.words == ()


def test_unknown_characters_become_one_token():
    encoding = encode("éñat", make_model(HAT))
    assert table(encoding) == [("▁", (0, 0)), (UNK, (0, 2)), ("at", (2, 4))]
    assert encoding.pieces == ("▁", "éñ", "at")


def test_byte_fallback_maps_bytes_to_their_character():
    encoding = encode("é字", make_model(HAT, byte_fallback=True))
    assert encoding.tokens == ("▁", "<0xC3>", "<0xA9>", "<0xE5>", "<0xAD>", "<0x97>")
    assert encoding.pieces == encoding.tokens
    assert encoding.offsets == ((0, 0), (0, 1), (0, 1), (1, 2), (1, 2), (1, 2))


def test_byte_fallback_needs_a_piece_for_each_byte():
    vocab = {piece: id_ for piece, id_ in vocabulary(HAT, True).items() if piece != "<0xA9>"}
    model = Model(vocab, HAT, byte_fallback=True)
    assert encode("é", model).tokens == ("▁", UNK)
    assert encode("è", model).tokens == ("▁", "<0xC3>", "<0xA8>")


def test_a_text_kept_whole_is_one_word():
    model = make_model(HAT, pipeline=Pipeline((), "metaspace_whole"))
    encoding = encode("hat at", model)
    assert encoding.pieces == encode("hat at", make_model(HAT)).pieces
    assert encoding.words == (0, 0, 0, 0)
    assert encode("", model).tokens == ()


def test_a_leading_mark_is_added_even_before_a_mark():
    whole = Pipeline((), "metaspace_whole")
    assert whole("▁a b").words == ("▁▁a▁b",)
    assert Pipeline((), "metaspace")("▁a b").words == ("▁a", "▁b")


def test_lone_surrogates_are_rejected():
    with pytest.raises(ValueError, match="half a character"):
        encode("a\ud800", make_model(HAT))


def test_invalid_models_are_rejected():
    with pytest.raises(ValueError, match="must be one of textbook"):
        make_model(HAT, convention="wordpiece")
    with pytest.raises(ValueError, match="no id for “x”"):
        Model(vocabulary(["y"]), {"x": -1.0})
    with pytest.raises(ValueError, match="no id for “<unk>”"):
        Model({"x": 0}, {"x": -1.0})


# --- Back to the text -----------------------------------------------------------------------------


def test_decoding():
    model = make_model({**HAT, "<s>": -1.0}, byte_fallback=True)
    model = replace(model, log_probs=HAT)  # so that <s> is a mark, found in no text
    ids = [model.vocab[piece] for piece in ("<s>", "▁h", "at", "▁", UNK, "<0xC3>", "<0xA9>")]
    assert decode(ids, model) == f"hat {UNKNOWN_TEXT}é"
    assert decode([], model) == ""


def test_each_byte_that_is_not_utf8_becomes_a_replacement_character():
    model = make_model(HAT, byte_fallback=True)
    ids = [model.vocab[piece] for piece in ("<0xE5>", "<0xAD>", "a", "<0xFF>")]
    assert decode(ids, model) == "��a�"


def test_without_byte_fallback_a_piece_that_looks_like_a_byte_is_text():
    model = make_model({"<0x41>": -1.0})
    assert decode([model.vocab["<0x41>"]], model) == "<0x41>"


def test_unknown_ids_are_rejected():
    with pytest.raises(ValueError, match="no id 99"):
        decode([99], make_model(HAT))


# --- Laws -----------------------------------------------------------------------------------------

EIGHTHS = st.integers(-40, 0).map(lambda n: n / 8)  # sums of such are exact, so that ties are ties
SMALL = st.dictionaries(st.text("ab▁", min_size=1, max_size=5), EIGHTHS, max_size=9)
REAL = st.dictionaries(st.text(min_size=1, max_size=3), EIGHTHS, max_size=5)
TEXTS = st.one_of(st.text("ab ▁x", max_size=14), st.text(max_size=10))
MODELS = st.builds(
    make_model, st.one_of(SMALL, REAL), st.booleans(), convention=st.sampled_from(CONVENTIONS)
)


@many
@given(MODELS, TEXTS)
def test_the_split_is_the_best_path_of_the_lattice(model, word):
    lattice = model.lattice(word)
    path = best_path(lattice)
    assert path is not None
    starts, ends, end = best_starts(word, model), [], len(word)
    while end:
        ends.append((starts[end], end))
        end = starts[end]
    assert [(lattice.edges[n].start, lattice.edges[n].end) for n in path] == ends[::-1]
    assert "".join(split_word(word, model)) == word


@many
@given(SMALL, st.text("ab", max_size=30))
def test_float32_split_is_the_best_up_to_rounding(logs, word):
    logs = {piece: log / 3 for piece, log in logs.items()}
    best = make_model(logs).lattice(word)
    most = best.log_prob(best_path(best) or ())
    for convention in CONVENTIONS[2:]:
        model = make_model(logs, convention=convention)
        starts, total, end = best_starts(word, model), 0.0, len(word)
        while end:
            total += logs.get(word[starts[end] : end], model.unknown)
            end = starts[end]
        assert total == pytest.approx(most, abs=1e-4)


@pytest.mark.parametrize("convention", CONVENTIONS[2:])
@pytest.mark.parametrize(("worth", "times"), [(-2.000001, 600), (-2.0001, 3_000)])
def test_after_a_large_sum_rounding_changes_the_split(convention, worth, times):
    logs = {"▁": -1.0, "a": -1.0, "b": -1.0, "ab": as_float32(worth)}
    model, text = make_model(logs, convention=convention), "▁ab" * times
    assert model.has_float32_scores
    pieces, starts, end = many_words.split_text(text, model), best_starts(text, model), len(text)
    assert pieces[:3] == ["▁", "a", "b"]
    assert "ab" in pieces
    for piece in reversed(pieces):
        assert piece == text[starts[end] : end]
        end = starts[end]


WORD_PIECES = st.builds("".join, st.tuples(st.sampled_from(["", "▁"]), st.text("ab", max_size=3)))
ANY_PIECES = st.text("ab▁", max_size=4)
"""Some go on into the next word, so that a text falls into parts that are no words."""
NEAR_TIES = st.builds(
    lambda n, apart: as_float32(-n - apart / 1e6), st.integers(1, 3), st.integers(0, 40)
)
"""Behind a sum in the hundreds, float32 takes the smallest of such differences away."""


@many
@given(
    st.one_of(
        st.dictionaries(WORD_PIECES.filter(len), NEAR_TIES, min_size=3, max_size=12),
        st.dictionaries(ANY_PIECES.filter(len), NEAR_TIES, min_size=3, max_size=12),
    ),
    st.lists(st.text("aabbbx", max_size=4), min_size=1, max_size=20),
    st.sampled_from(CONVENTIONS),
    st.sampled_from([3, many_words.MAX_WORD_LENGTH]),
    st.sampled_from([30, MAX_NATS]),
    st.sampled_from([1, 3, many_words.PARTS_AT_ONCE]),
    st.sampled_from([4, 9, many_words.LETTERS_AT_ONCE]),
)
def test_splitting_many_words_at_once_equals_one_by_one(
    logs, words, convention, longest, most, at_once, letters
):
    """Words that come again, long ones, and sums so large that rounding tells, or starts over."""
    model = make_model(logs, convention=convention)
    text = "▁".join(["", *words * 20])
    with pytest.MonkeyPatch.context() as patch:
        for module in (viterbi, many_words):
            patch.setattr(module, "MAX_NATS", most)
        patch.setattr(many_words, "MANY_LETTERS", 10**9)
        plain = [many_words.split_text(part, model) for part in (text, *words)]
        patch.setattr(many_words, "MANY_LETTERS", 0)
        patch.setattr(many_words, "MAX_WORD_LENGTH", longest)
        patch.setattr(many_words, "PARTS_AT_ONCE", at_once)
        patch.setattr(many_words, "LETTERS_AT_ONCE", letters)
        assert [many_words.split_text(part, model) for part in (text, *words)] == plain
        assert many_words.split_words([text, *words], model) == plain


@pytest.mark.parametrize("convention", CONVENTIONS[2:])
def test_scores_not_exact_in_float32_are_summed_one_by_one(convention):
    logs = {"▁": -1.0, "a": -0.3, "b": -0.7, "ab": -1.000001}
    model, text = make_model(logs, convention=convention), "▁ab" * 600
    assert not model.has_float32_scores
    found = many_words.split_text(text, model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_words, "MANY_LETTERS", 10**9)
        assert found == many_words.split_text(text, model)


@many
@given(MODELS, st.lists(TEXTS, max_size=9))
def test_a_text_is_encoded_as_its_words(model, texts):
    text = " ".join(texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_words, "MANY_LETTERS", 0)
        at_once = encode(text, model)
        patch.setattr(many_words, "MANY_LETTERS", 10**9)
        assert encode(text, model) == at_once
    words = model.pipeline(text).words
    assert at_once.pieces == sum((encode_one(word, model).pieces for word in words), ())
    assert all(text[start:end] for start, end in at_once.offsets if end > start)


def encode_one(word, model):
    return encode(word, replace(model, pipeline=Pipeline((), "none")))


@many
@given(MODELS, TEXTS)
def test_decoding_gives_back_the_text(model, text):
    encoding = encode(text, model)
    if UNK not in encoding.tokens:
        assert decode(encoding.ids, model) == text.replace("▁", " ").removeprefix(" ")
    assert UNK not in encoding.tokens or not model.byte_fallback


@many
@given(MODELS, TEXTS)
def test_offsets_cover_the_text_in_order(model, text):
    encoding = encode(text, model)
    places = dict.fromkeys(encoding.offsets)  # bytes of one character share its place
    assert "".join(text[start:end] for start, end in places) == text
    assert sorted(places) == list(places)
    for token, piece, (start, end) in zip(
        encoding.tokens, encoding.pieces, encoding.offsets, strict=True
    ):
        if not (model.byte_fallback and token in BYTES):
            assert piece.removeprefix("▁") == text[start:end].replace(" ", "▁").removeprefix("▁")


@many
@given(MODELS, TEXTS)
def test_unknown_tokens_are_never_adjacent_in_a_word(model, text):
    encoding = encode(text, model)
    rows = list(zip(encoding.tokens, encoding.words, strict=True))
    assert all(row != (UNK, before[1]) or row != before for before, row in pairwise(rows))


@many
@given(MODELS, st.text("abx", min_size=1, max_size=8), st.text("abx", min_size=1, max_size=8))
def test_words_are_encoded_independently_of_context(model, one, other):
    joined = encode(f"{one} {other} {one}", model).pieces
    first, second = encode(one, model).pieces, encode(other, model).pieces
    assert joined == first + second + first


# --- SentencePiece's n best -----------------------------------------------------------------------


@many
@given(SMALL, st.text("ab", min_size=1, max_size=9), st.integers(2, 30), st.booleans())
def test_the_n_best_equal_the_exact_search_up_to_the_order_of_ties(logs, word, n, is_classic):
    lattice = make_model(logs).lattice(word)
    paths = sentencepiece_n_best(lattice, n, is_classic)
    exact = list(segmentations(lattice, n))
    assert len(set(paths)) == len(paths) == len(exact)
    assert list(map(lattice.log_prob, paths)) == list(map(lattice.log_prob, exact))


def hypotheses(bounds):
    """Return hypotheses with these bounds and distinct paths."""
    return [Hypothesis(1, (n,), 0.0, bound) for n, bound in enumerate(bounds)]


@many
@given(st.lists(st.integers(0, 4), max_size=40))
def test_both_agendas_give_the_best_first(bounds):
    for agenda in (Agenda(), BinaryHeapAgenda(9)):
        agenda.add(hypotheses(bounds))
        popped = [agenda.pop() for _ in range(len(agenda))]
        assert [hypothesis.bound for hypothesis in popped] == sorted(bounds, reverse=True)
        assert len({hypothesis.path for hypothesis in popped}) == len(bounds)


def test_the_heap_does_not_return_ties_in_insertion_order():
    popped = {}
    for agenda in (Agenda(), BinaryHeapAgenda(9)):
        agenda.add(hypotheses([1.0] * 5))
        popped[type(agenda)] = [agenda.pop().path[0] for _ in range(5)]
    assert popped == {Agenda: [0, 1, 2, 3, 4], BinaryHeapAgenda: [0, 2, 4, 1, 3]}


def test_the_heap_discards_hypotheses_beyond_its_limit():
    heap = BinaryHeapAgenda(3)
    heap.add(hypotheses(range(MAX_WAITING - 1)))
    assert len(heap) == MAX_WAITING - 1
    heap.add(hypotheses([0.5]))
    assert [heap.pop().bound for _ in range(len(heap))] == [
        float(MAX_WAITING - 2 - n) for n in range(30)
    ]


def test_only_the_newer_version_abandons_the_search():
    newer, classic = BinaryHeapAgenda(3), BinaryHeapAgenda(3, is_classic=True)
    for _ in range(MAX_CLEARANCES):
        for heap in (newer, classic):
            heap.add(hypotheses([1.0] * MAX_WAITING))
            assert len(heap) == 30
    classic.add(hypotheses([1.0] * MAX_WAITING))
    with pytest.raises(SearchAbandoned):
        newer.add(hypotheses([1.0] * MAX_WAITING))


def test_a_heap_works_for_the_steps_too():
    lattice = Lattice.build("hat", {"h": -1, "a": -1, "t": -1, "ha": -1.5, "at": -1.25})
    steps = list(n_best_steps(lattice, BinaryHeapAgenda(9)))
    assert [step.hypothesis.path for step in steps] == [
        step.hypothesis.path for step in n_best_steps(lattice)
    ]
    assert math.isclose(steps[0].hypothesis.bound, -2.25)
