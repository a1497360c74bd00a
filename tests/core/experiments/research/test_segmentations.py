"""Counting, drawing and choosing segmentations, against the enumeration of all of them."""

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenizers.errors import UserError
from tokenizers.experiments.research.segmentations import (
    PlacedToken,
    Segmentation,
    SegmentationGraph,
    count_segmentations,
    draw_segmentation,
    longest_segmentation,
    shared_boundaries,
    split_highest,
)

CASES = 1_000


def enumerate_all(text: bytes, vocab: frozenset[bytes]) -> list[tuple[bytes, ...]]:
    """All segmentations, by trying every set of boundaries."""
    found: list[tuple[bytes, ...]] = []
    for boundaries in range(2 ** max(len(text) - 1, 0)):
        cuts = [n + 1 for n in range(len(text) - 1) if boundaries >> n & 1]
        edges = [0, *cuts, len(text)]
        tokens = tuple(text[a:b] for a, b in pairwise(edges) if b > a)
        if all(token in vocab for token in tokens):
            found.append(tokens)
    return found


def drawn_cases() -> Iterator[tuple[bytes, frozenset[bytes]]]:
    """Texts of up to nine bytes, with vocabularies of which some cannot spell them."""
    rng = random.Random(43)
    for _ in range(CASES):
        text = bytes(rng.choices(b"abc", k=rng.randrange(10)))
        parts = {text[a:b] for a in range(len(text)) for b in range(a + 1, len(text) + 1)}
        vocab = {part for part in parts if rng.random() < 0.5}
        yield text, frozenset(vocab | {b"a", b"b"} | ({b"c"} if rng.random() < 0.8 else set()))


def graph_of_vocab(text: bytes, vocab: frozenset[bytes]) -> SegmentationGraph:
    ids = {token: n for n, token in enumerate(sorted(vocab))}
    return SegmentationGraph(
        len(text),
        tuple(
            tuple(
                PlacedToken(start, end, ids[text[start:end]])
                for end in range(start + 1, len(text) + 1)
                if text[start:end] in ids
            )
            for start in range(len(text))
        ),
    )


def written(text: bytes, path: Segmentation) -> tuple[bytes, ...]:
    return tuple(text[token.start : token.end] for token in path)


def paths_of(graph: SegmentationGraph, start: int = 0) -> list[Segmentation]:
    if start == graph.size:
        return [()]
    return [(t, *rest) for t in graph.leaving[start] for rest in paths_of(graph, t.end)]


def test_counts_are_those_of_the_enumeration_in_a_thousand_cases():
    for text, vocab in drawn_cases():
        every = enumerate_all(text, vocab)
        graph = graph_of_vocab(text, vocab)
        assert count_segmentations(text, vocab)[0] == graph.number == len(every)
        assert sorted(written(text, path) for path in paths_of(graph)) == sorted(every)


def test_each_segmentation_is_drawn_with_exactly_the_same_probability():
    for text, vocab in drawn_cases():
        graph = graph_of_vocab(text, vocab)
        paths = paths_of(graph)
        assert {graph.probability(path) for path in paths} <= {Fraction(1, max(len(paths), 1))}
        assert sum(map(graph.probability, paths)) == (1 if paths else 0)


def test_what_is_drawn_spells_the_text_and_both_versions_draw_the_same():
    for seed, (text, vocab) in enumerate(drawn_cases()):
        graph = graph_of_vocab(text, vocab)
        if not graph.number:
            with pytest.raises(UserError, match="No tokens"):
                graph.draw(random.Random(seed))
            continue
        path = graph.draw(random.Random(seed))
        plain = draw_segmentation(text, vocab, random.Random(seed))
        assert written(text, path) == tuple(plain)
        assert b"".join(plain) == text


def test_the_draws_follow_the_law():
    text, vocab = b"abcab", frozenset({b"a", b"b", b"c", b"ab", b"bc", b"abc", b"cab"})
    graph, rng = graph_of_vocab(text, vocab), random.Random(0)
    seen = Counter(written(text, graph.draw(rng)) for _ in range(100 * graph.number))
    assert len(seen) == graph.number == len(enumerate_all(text, vocab))
    assert all(60 <= count <= 140 for count in seen.values())  # 100 each, give or take 4 sigma


def test_the_longest_is_longest_in_a_thousand_cases():
    for text, vocab in drawn_cases():
        graph, every = graph_of_vocab(text, vocab), enumerate_all(text, vocab)
        if not every:
            assert longest_segmentation(text, vocab) == []
            continue
        most = max(map(len, every))
        plain = longest_segmentation(text, vocab)
        assert len(plain) == len(graph.longest()) == most
        assert tuple(plain) == written(text, graph.longest())
        assert tuple(plain) in every


def test_the_farthest_shares_fewest_boundaries_in_a_thousand_cases():
    for seed, (text, vocab) in enumerate(drawn_cases()):
        graph = graph_of_vocab(text, vocab)
        if not graph.number:
            continue
        own, paths = graph.draw(random.Random(seed)), paths_of(graph)
        found = graph.farthest(own)
        best = min((shared_boundaries(path, own), len(path)) for path in paths)
        assert (shared_boundaries(found, own), len(found)) == best


def test_finer_ones_have_all_boundaries():
    for seed, (text, vocab) in enumerate(drawn_cases()):
        graph = graph_of_vocab(text, vocab)
        if not graph.number:
            continue
        own, paths = graph.draw(random.Random(seed)), paths_of(graph)
        ends = {token.end for token in own}
        finer = [path for path in paths if ends <= {token.end for token in path}]
        assert sorted(paths_of(graph.finer(own))) == sorted(finer)


@given(st.text("ab", max_size=30), st.sets(st.text("ab", min_size=1, max_size=4)))
def test_plain_and_graph_agree(text: str, vocab: set[str]):
    raw, known = text.encode(), frozenset(token.encode() for token in vocab)
    graph = graph_of_vocab(raw, known)
    assert graph.counts == count_segmentations(text, vocab) == count_segmentations(raw, known)


def test_numbers_beyond_floats_are_exact():
    graph = graph_of_vocab(b"a" * 2_000, frozenset({b"a", b"aa"}))
    one, two = 1, 1  # with these two tokens, the numbers are Fibonacci's
    for _ in range(1_999):
        one, two = two, one + two
    assert graph.number == two > 10**400
    assert graph.probability(graph.draw(random.Random(1))) == Fraction(1, two)


def split_plainly(ids: list[int], parts: dict[int, list[tuple[int, int]]], splits: int):
    for _ in range(splits):
        highest = max((id_ for id_ in ids if id_ in parts), default=None)
        if highest is None or not parts[highest]:
            return ids
        best = max(min(pair) for pair in parts[highest])
        pair = next(pair for pair in parts[highest] if min(pair) == best)
        at = ids.index(highest)
        ids = [*ids[:at], *pair, *ids[at + 1 :]]
    return ids


@given(st.randoms(use_true_random=False))
def test_the_highest_id_is_split_first(rng: random.Random):
    parts = {
        id_: [(rng.randrange(id_), rng.randrange(id_)) for _ in range(rng.randrange(4))]
        for id_ in range(1, 20)
        if rng.random() < 0.7
    }
    ids = [rng.randrange(20) for _ in range(rng.randrange(6))]
    for splits in range(6):
        assert split_highest(ids, parts, splits) == split_plainly(ids, parts, splits)


def test_the_heuristic_splits_as_the_authors_say():
    # 50 and 40 can be cut; of the ways to cut 50, (20, 30) has the larger smaller id
    assert split_highest([40, 50], {50: [(1, 49), (20, 30)], 40: [(2, 3)]}, 1) == [40, 20, 30]
