"""Top-down training of TensorFlow Text, against an independent implementation."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from tests.call_counts import examples
from tokenizers import plain
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.wordpiece import Model, encode, vocabulary
from tokenizers.wordpiece.top_down import (
    Candidate,
    ThresholdRound,
    ThresholdTrial,
    TopDownSettings,
    count_parts,
    next_round,
    train,
)

PROSE = TEXTS["prose"].text or ""
LOW = Corpus.from_counts({"low": 5, "lower": 2, "newest": 6, "widest": 3})
many = examples(300)


def run(corpus, settings):
    """Return all steps and why the search stopped."""
    steps, search = [], train(corpus, settings)
    while True:
        try:
            steps.append(next(search))
        except StopIteration as end:
            return steps, end.value


def round_of(words, vocab, number, threshold):
    """Return a round over `words`; the first has no vocabulary yet."""
    return next_round(words, count_parts(words, vocab, "##"), number, threshold, "##")


# --- Another writing of the rules -----------------------------------------------------------------
# It follows the published code in what it counts and when, not in how that is written here: parts
# are kept by length, each takes what is left of it from its beginnings one by one.


def naive_rounds(words, threshold, mark, rounds):
    characters = {character for word in words for character in word}
    put_back = {piece for char in characters for piece in (char, mark + char)}
    vocab = dict.fromkeys(put_back, 1)
    for number in range(rounds):
        by_length = {}
        for word, count in words.items():
            ends = range(1, len(word) + 1) if number == 0 else ends_of_pieces(word, vocab, mark)
            start = 0
            for next_start in ends:
                for end in range(start + 1, len(word) + 1):
                    table = by_length.setdefault(end - start, Counter())
                    table[(mark if start else "") + word[start:end], start > 0] += count
                start = next_start
        kept = {}
        for length in sorted(by_length, reverse=True):
            for (part, inside), left in by_length[length].items():
                if left >= threshold:
                    kept[part] = left
                for shorter in range(1, length):
                    beginning = part[: shorter + len(mark) * inside]
                    by_length[shorter][beginning, inside] -= left
        vocab = {piece: kept.get(piece, 1) for piece in put_back | kept.keys()}
    return vocab


def ends_of_pieces(word, vocab, mark):
    end, ends = 0, []
    for n, piece in enumerate(plain.longest_match(word, vocab, mark) or ()):
        end += len(piece) - (len(mark) if n else 0)
        ends.append(end)
    return ends


def naive_vocabulary(word_counts, size, mark="##", least=10, most=10**7, **filters):
    words = naive_words(word_counts, **filters)
    counts = word_counts.values()

    def search(low, high):
        threshold = (low + high) // 2
        vocab = naive_rounds(words, threshold, mark, 4)
        characters = sorted({character for word in words for character in word})
        in_order = sorted(sorted(vocab), key=vocab.__getitem__, reverse=True)
        pieces = list(dict.fromkeys(["[UNK]", *characters, *in_order]))
        fits = len(pieces) <= size and size - len(pieces) <= 0.05 * size
        if fits or low >= high or threshold <= 1:
            return pieces
        return search(threshold + 1, high) if len(pieces) > size else search(low, threshold - 1)

    return search(max(min(counts), least), min(max(counts), most))


def naive_words(word_counts, longest=50, num_characters=1000):
    words = {w: n for w, n in word_counts.items() if len(w) <= longest and w != "[UNK]"}
    seen = Counter()
    for word, count in words.items():
        seen.update({character: count * word.count(character) for character in set(word)})
    order = sorted(sorted(seen), key=seen.__getitem__, reverse=True)[:num_characters]
    return {word: count for word, count in words.items() if set(word) <= set(order)}


# --- By hand --------------------------------------------------------------------------------------


def test_a_round_by_hand():
    step = round_of({"aab": 3, "ab": 2}, None, 1, 2)
    assert step.candidates == (
        Candidate("aab", 3, 3, True),
        Candidate("aa", 3, 0, False),
        Candidate("##ab", 3, 3, True),
        Candidate("ab", 2, 2, True),
        Candidate("a", 5, 0, False),
        Candidate("##a", 3, 0, False),
        Candidate("##b", 5, 5, True),
    )
    assert step.num_candidates == 7
    assert step.vocab == {
        **{"aab": 3, "##ab": 3, "ab": 2, "##b": 5},
        **{"a": 1, "b": 1, "##a": 1},  # put back
    }


def test_later_rounds_begin_only_where_pieces_do():
    step = round_of({"aab": 3}, {"aa", "##b"}, 2, 1)
    assert {candidate.piece for candidate in step.candidates} == {"aab", "aa", "a", "##b"}
    assert (step.number, step.threshold, step.num_candidates) == (2, 1, 4)


def test_candidates_seen_too_rarely_are_only_counted():
    step = round_of({"aab": 3, "c": 1}, None, 1, 2)
    assert step.num_candidates == 7
    assert {candidate.piece for candidate in step.candidates} == {
        "aab", "aa", "a", "##ab", "##a", "##b",
    }  # fmt: skip


def test_a_search_by_hand():
    steps, why = run(LOW, TopDownSettings(24, min_threshold=1))
    tried = [step for step in steps if isinstance(step, ThresholdTrial)]
    assert [type(step) for step in steps] == [*[ThresholdRound] * 4, ThresholdTrial] * len(tried)
    assert [(step.low, step.threshold, step.high, step.verdict) for step in tried] == [
        (2, 4, 6, "taken")
    ]
    assert why == "the vocabulary has 23 pieces, and the target was 24"
    letters = "deilnorstw"
    assert tried[-1].vocab == (
        "[UNK]", *letters, "newest", "low",
        *(f"##{letter}" for letter in letters),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("size", "verdicts", "why"),
    [
        (
            100,
            ["too small"] * 2 + ["taken"],
            "there is no other threshold to try; 25 pieces is too small",
        ),
        (
            5,
            ["too large"] * 2 + ["taken"],
            "there is no other threshold to try; 22 pieces is too large",
        ),
    ],
)
def test_where_no_threshold_gives_the_size(size, verdicts, why):
    steps, reason = run(LOW, TopDownSettings(size, min_threshold=1))
    assert [step.verdict for step in steps if isinstance(step, ThresholdTrial)] == verdicts
    assert why in reason


@pytest.mark.parametrize("counts", [{}, {"[UNK]": 3}, {"a" * 51: 3}])
def test_nothing_to_learn_from(counts):
    assert run(Corpus.from_counts(counts), TopDownSettings(9)) == (
        [],
        "there are no words to train on",
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"vocab_size": -1}, "vocab_size is -1"),
        ({"vocab_size": 1, "slack": -0.1}, "slack is -0.1"),
        ({"vocab_size": 1, "rounds": -1}, "rounds is -1"),
        ({"vocab_size": 1, "mark": ""}, "the mark is empty"),
    ],
)
def test_settings_that_mean_nothing(wrong, message):
    with pytest.raises(ValueError, match=message):
        TopDownSettings(**wrong)


def test_its_vocabulary_encodes():
    steps, _ = run(LOW, TopDownSettings(24, min_threshold=1))
    assert isinstance(steps[-1], ThresholdTrial)
    model = Model(vocabulary(steps[-1].vocab))
    assert encode("lower newest", model).tokens == ("low", "##e", "##r", "newest")


# --- Against the other writing --------------------------------------------------------------------

WORDS = st.one_of(st.text("ab", min_size=1, max_size=7), st.text("abc#", min_size=1, max_size=6))
COUNTS = st.dictionaries(WORDS, st.integers(1, 30), min_size=1, max_size=8)


@many
@given(COUNTS, st.integers(1, 40), st.sampled_from([1, 3, 10]), st.integers(2, 60))
def test_small_vocabularies(counts, size, least, most):
    settings = TopDownSettings(size, min_threshold=least, max_threshold=most, max_word_length=6)
    steps, _ = run(Corpus.from_counts(counts), settings)
    if steps:
        assert isinstance(steps[-1], ThresholdTrial)
        expected = naive_vocabulary(counts, size, least=least, most=most, longest=6)
        assert list(steps[-1].vocab) == expected


@many
@given(COUNTS, st.integers(1, 3))
def test_rare_characters(counts, num_characters):
    steps, _ = run(Corpus.from_counts(counts), TopDownSettings(20, max_characters=num_characters))
    if steps:
        assert isinstance(steps[-1], ThresholdTrial)
        expected = naive_vocabulary(counts, 20, num_characters=num_characters)
        assert list(steps[-1].vocab) == expected


@pytest.mark.parametrize(("size", "least"), [(400, 2), (150, 10), (5000, 10), (1000, 1)])
def test_vocabularies_of_prose(size, least):
    corpus = Corpus.from_text(PROSE, Pipeline(("bert",), "bert"))
    steps, _ = run(corpus, TopDownSettings(size, min_threshold=least))
    assert isinstance(steps[-1], ThresholdTrial)
    assert list(steps[-1].vocab) == naive_vocabulary(corpus.word_counts, size, least=least)


@many
@given(COUNTS, st.integers(1, 9))
def test_what_is_left_of_a_part_is_how_often_it_ends_a_word(counts, threshold):
    step = round_of(counts, None, 1, threshold)
    for candidate in step.candidates:
        if not any("#" in word for word in counts):
            inside = candidate.piece.startswith("##")
            letters = candidate.piece.removeprefix("##")
            ends = {w: n for w, n in counts.items() if w.endswith(letters)}
            here = [n for w, n in ends.items() if (len(w) > len(letters)) == inside]
            assert candidate.left == sum(here) <= candidate.count
