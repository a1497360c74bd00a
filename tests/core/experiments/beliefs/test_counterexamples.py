"""The search for counterexamples, against independent plain code that enumerates all corpora."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import chain, combinations_with_replacement, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizers import bpe, plain, wordpiece
from tokenizers.experiments.beliefs.counterexamples import BELIEFS, search
from tokenizers.experiments.beliefs.failing import ALPHABET, Counterexample, first_probabilities
from tokenizers.experiments.beliefs.small_corpora import corpora, size_of, train_until_tie, words
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings


def found_for(name, letters=ALPHABET) -> Counterexample:
    """The example of a belief that fails."""
    example = search(name, letters).example
    assert example
    return example


FALSE = [name for name in BELIEFS if name != "more_merges"]


# ---- all corpora, written down plainly ----


def spelled(length, letters):
    return [
        "".join(word)
        for word in product(letters, repeat=length)
        if all(one != other for one, other in pairwise(word))
    ]


def lengths(size, shortest):
    """The ways to write `size` as a sum, the largest first."""
    if not size:
        return [()]
    return [
        (first, *rest)
        for first in range(size, shortest - 1, -1)
        for rest in lengths(size - first, shortest)
        if not rest or rest[0] <= first
    ]


@cache
def all_corpora(size, letters, shortest=2):
    """Every corpus of that size once, as the sorted pairs of word and count."""
    found = set()
    for parts in lengths(size, shortest):
        kinds = [
            combinations_with_replacement(spelled(length, letters), times)
            for length, times in Counter(parts).items()
        ]
        for chosen in product(*kinds):
            found.add(tuple(sorted(Counter(chain.from_iterable(chosen)).items())))
    return sorted(found)


@cache
def merges_of(rows):
    """The merges of a corpus up to the first tie."""
    splits, counts = [tuple(word) for word, _ in rows], [count for _, count in rows]
    merges = []
    for pair, _, tied, _ in plain.train_merges(splits, counts):
        if len(tied) > 1:
            break
        merges.append(pair)
    return tuple(merges)


def encoded(word, merges):
    return tuple(plain.encode_bpe(tuple(word), {pair: rank for rank, pair in enumerate(merges)}))


def encodings(size, letters):
    """Every corpus with any number of merges and any word over its letters, of that size in all."""
    for of_corpus in range(2, size):
        for rows in all_corpora(of_corpus, letters):
            known = set("".join(word for word, _ in rows))
            for n in range(1, len(merges_of(rows)) + 1):
                for word in spelled(size - of_corpus, letters):
                    if known.issuperset(word):
                        yield known, merges_of(rows)[:n], word


# ---- the beliefs, decided plainly ----


def longest_match(size, letters):
    for known, merges, word in encodings(size, letters):
        vocab = known | {"".join(pair) for pair in merges}
        yield encoded(word, merges) != tuple(plain.longest_match(word, vocab, "") or ())


def last_token(size, letters):
    for _, merges, word in encodings(size, letters):
        before, after = encoded(word[:-1], merges), encoded(word, merges)
        yield any(a != b for a, b in zip(before[:-1], after, strict=False))


def more_merges(size, letters):
    for _, merges, word in encodings(size, letters):
        yield len(encoded(word, merges)) > len(encoded(word, merges[:-1]))


def most_frequent_first(size, letters):
    for rows in all_corpora(size, letters):
        merges, counts = merges_of(rows), dict(rows)
        most = [word for word in counts if counts[word] == max(counts.values())]
        whole = {
            n: [word for word in counts if len(encoded(word, merges[:n])) == 1]
            for n in range(1, len(merges) + 1)
        }
        first = next(filter(None, whole.values()), [])
        became = any(most[0] in found for found in whole.values())
        yield len(most) == 1 and became and most[0] not in first


def score_is_tie_breaker(size, letters):
    for rows in all_corpora(size, letters):
        splits, counts = [tuple(word) for word, _ in rows], [count for _, count in rows]
        pairs, scores = plain.count_pairs(splits, counts), plain.scores(splits, counts)
        is_tied = len(set(pairs.values())) < len(pairs) or len(set(scores.values())) < len(scores)
        yield not is_tied and _best(pairs) != _best(scores)


def _best(values):
    return max(values, key=values.__getitem__, default=None)


def fewest_is_likeliest(size, letters):
    for rows in all_corpora(size, letters, 1):
        parts = Counter()
        for word, count in rows:
            for a in range(len(word)):
                for b in range(a + 1, len(word) + 1):
                    parts[word[a:b]] += count
        chances = {part: Fraction(count, parts.total()) for part, count in parts.items()}
        for word, _ in rows:
            paths = plain.segmentations(word, chances)
            best = [path for path in paths if paths[path] == max(paths.values())]
            fewest = [path for path in paths if len(path) == min(map(len, paths))]
            yield len(best) == len(fewest) == 1 and best != fewest


def same_vocabulary(size, letters):
    for of_word in range(1, size - 3):
        for of_first in range(2, (size - of_word) // 2 + 1):
            for one in all_corpora(of_first, letters):
                for other in all_corpora(size - of_word - of_first, letters):
                    yield from _cut_alike(one, other, of_word, letters)


def _cut_alike(one, other, of_word, letters):
    vocabs = [
        set("".join(word for word, _ in rows)) | {"".join(pair) for pair in merges_of(rows)}
        for rows in (one, other)
    ]
    if vocabs[0] == vocabs[1] and merges_of(one) != merges_of(other):
        for word in spelled(of_word, letters):
            if vocabs[0].issuperset(word):
                yield encoded(word, merges_of(one)) != encoded(word, merges_of(other))


PLAIN = {
    function.__name__: function
    for function in (
        longest_match,
        score_is_tie_breaker,
        fewest_is_likeliest,
        same_vocabulary,
        last_token,
        most_frequent_first,
        more_merges,
    )
}
CHECKED_TO = {"more_merges": 8, "same_vocabulary": 15}
"""How far the plain code goes, where it would be slow to go all the way."""


@pytest.mark.parametrize("name", BELIEFS)
def test_no_smaller_example_is_found_by_plain_code(name):
    found, letters = search(name), ALPHABET[: BELIEFS[name].num_letters]
    for size in range(1, min(found.size, CHECKED_TO.get(name, 99))):
        assert not any(PLAIN[name](size, letters)), size
    if found.example:
        assert any(PLAIN[name](found.size, letters))


@pytest.mark.parametrize("size", range(1, 7))
@pytest.mark.parametrize("shortest", [1, 2])
def test_all_corpora_are_looked_at(size, shortest):
    """Each one, or one that differs in the names of the letters alone."""
    listed = [tuple(sorted(counts.items())) for counts in corpora(size, "abc", shortest)]
    renamed = {
        tuple(sorted((word.translate(str.maketrans("abc", "".join(names))), n) for word, n in rows))
        for rows in listed
        for names in permutations("abc")
    }
    assert renamed == set(all_corpora(size, "abc", shortest))
    assert len(set(listed)) == len(listed)
    assert [len(rows) for rows in listed] == sorted(map(len, listed))
    assert all(size_of(dict(rows)) == size for rows in listed)


# ---- what is found ----


def test_what_is_found():
    found = {name: found_for(name) for name in FALSE}
    assert {name: (example.word_counts, example.word) for name, example in found.items()} == {
        "longest_match": ({"ab": 1, "aba": 1}, "abab"),
        "score_is_tie_breaker": ({"ab": 2, "cd": 1}, ""),
        "fewest_is_likeliest": ({"a": 3, "b": 1, "ab": 1}, "ab"),
        "same_vocabulary": ({"ab": 2, "ba": 1}, "aba"),
        "last_token": ({"abab": 1}, "abab"),
        "most_frequent_first": ({"ab": 1, "aba": 2}, ""),
    }
    assert found["same_vocabulary"].others == {"ab": 1, "ba": 2}
    assert search("more_merges").example is None
    assert search("more_merges").size == BELIEFS["more_merges"].max_size


names = st.text(st.characters(categories=["L"]), max_size=8)


@given(names, st.sampled_from(sorted(BELIEFS)))
def test_any_letters_do(letters, name):
    found, plain = search(name, letters), search(name)
    assert (found.size, found.num_cases) == (plain.size, plain.num_cases)
    chosen = list(dict.fromkeys(filter(str.isalpha, letters)))[: len(ALPHABET)]
    if found.example:
        used = set("".join([*found.example.word_counts, *(found.example.others or ())]))
        assert used <= {*chosen, *ALPHABET}
        assert used >= set(chosen[: len(used)])
        assert found == search(name, letters)


@given(names)
def test_bpe_fails_to_match_the_longest_in_any_letters(letters):
    example = found_for("longest_match", letters)
    learned = train_until_tie(example.word_counts)
    assert example.outcomes[0].tokens == learned.tokens(example.word, example.num_merges)
    assert example.outcomes[0].merges == learned.merges[: example.num_merges]
    vocab = learned.vocab(example.num_merges)
    assert example.outcomes[1].tokens == tuple(plain.longest_match(example.word, vocab, "") or ())
    assert example.outcomes[0].tokens != example.outcomes[1].tokens


@given(names)
def test_score_and_count_differ_in_any_letters(letters):
    example = found_for("score_is_tie_breaker", letters)
    corpus = Corpus(example.word_counts)
    by_count = next(bpe.train(corpus, bpe.Settings()))
    by_score = next(wordpiece.train(corpus, wordpiece.Settings(mark="")))
    assert (by_count.pair, by_score.pair) == tuple(side.tokens for side in example.outcomes)
    assert by_count.num_tied == by_score.num_tied == 1
    assert by_count.pair != by_score.pair


@given(names)
def test_two_pieces_are_likelier_than_one_in_any_letters(letters):
    example = found_for("fewest_is_likeliest", letters)
    few, likely = example.outcomes
    assert len(few.tokens) < len(likely.tokens)
    assert few.numbers["probability"] < likely.numbers["probability"]


def test_the_probabilities_are_those_that_training_begins_with():
    counts = found_for("fewest_is_likeliest").word_counts
    trace = UnigramTrace.record(Corpus(counts), convention_settings("textbook", 3))
    assert trace.seed.counts.dict() == {
        piece: share * 7 for piece, share in first_probabilities(counts).items()
    }


def test_a_belief_that_is_not_there():
    with pytest.raises(ValueError, match=r"no belief 'x'\. Choose from: longest_match, "):
        search("x")


@pytest.mark.parametrize("letters", ["", "   ", "1 2 3", "!?", "a", "aaaa", "é́"])
def test_too_few_letters_are_made_up_for(letters):
    assert search("score_is_tie_breaker", letters).example


def test_words_have_no_letter_beside_itself():
    assert list(words(2, "ab")) == ["ab", "ba"]
    assert len(list(words(4, "abc"))) == 3 * 2**3
