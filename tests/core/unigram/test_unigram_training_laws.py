"""Laws of Unigram training, tried on thousands of drawn corpora and models.

The sums over segmentations are held to a list of all segmentations, made without a line of the
core; what removing a piece costs, to the corpus segmented anew from scratch without it.
"""

import math
import pickle
from fractions import Fraction
from itertools import combinations, pairwise
from operator import itemgetter
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests import naive
from tests.call_counts import examples
from tests.parity.corpora import english_prose
from tokenizers import lattice, plain
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram import array_trie, groups, renormalised, seeds, threads
from tokenizers.unigram import losses as unigram_losses
from tokenizers.unigram.batch import Lattices
from tokenizers.unigram.em import digamma
from tokenizers.unigram.pieces import TrainingModel
from tokenizers.unigram.sentencepiece_parity import arithmetic
from tokenizers.unigram.sentencepiece_parity import text as sentencepiece_text
from tokenizers.unigram.sentencepiece_parity.summation import Summation
from tokenizers.unigram.settings import CHOICES, CONVENTIONS, convention_settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Names, Prune, Seed

many = examples(1_000)
hundreds = examples(200)
tens = examples(60)

WORDS = st.one_of(st.text("ab", min_size=1, max_size=6), st.text("aé▁漢", min_size=1, max_size=5))
COUNTS = st.dictionaries(WORDS, st.integers(1, 5), min_size=1, max_size=5)
approx = pytest.approx


@st.composite
def models(draw):
    """Draw words with counts, and a model of pieces of theirs; characters may be missing."""
    words = draw(COUNTS)
    parts = sorted({w[i:j] for w in words for i in range(len(w)) for j in range(i + 1, len(w) + 1)})
    pieces = draw(st.lists(st.sampled_from(parts), min_size=1, unique=True))
    chances = draw(st.lists(st.integers(1, 1000), min_size=len(pieces), max_size=len(pieces)))
    log_probs = np.log(np.array(chances) / 1000)
    return words, TrainingModel(Names(pieces), np.arange(len(pieces)), log_probs)


def lattices_of(words, model):
    return Lattices.build(list(words), list(words.values()), model.names)


def fractions_of(model, left_out=()):
    """Return the model as exact numbers, and that of an unknown character."""
    chances = {
        piece: Fraction(math.exp(log))
        for piece, log in zip(model.names, model.log_probs, strict=True)
        if piece not in left_out
    }
    return chances, Fraction(math.exp(model.unknown))


# --- Sums over segmentations ----------------------------------------------------------------------


@many
@given(models())
def test_the_e_step_equals_enumeration(drawn):
    words, model = drawn
    lattices, (chances, unknown) = lattices_of(words, model), fractions_of(model)
    weights = model.weights(lattices)
    shares, sums = lattices.shares(weights), lattices.sums(weights)
    for number, word in enumerate(words):
        paths = plain.segmentations(word, chances, unknown)
        total = sum(paths.values())
        own = lattices.words == number
        counts = {}
        for piece, share in zip(lattices.pieces[own], shares[own], strict=True):
            name = model.names[piece] if piece >= 0 else "unknown"
            counts[name] = counts.get(name, 0.0) + share
        listed = plain.expected_counts({word: 1}, chances, unknown)
        missing = sum(listed.pop(piece) for piece in set(listed) - set(model.names))
        listed = {piece: float(count) for piece, count in listed.items() if count}
        if missing:
            listed["unknown"] = float(missing)
        assert counts == approx(listed, rel=1e-9, abs=1e-12)
        assert sums.log_z[number] == approx(naive.log(total), rel=1e-9, abs=1e-9)
        assert sums.entropy[number] == approx(naive.entropy(paths), rel=1e-9, abs=1e-9)
        assert sums.expected[number] + sums.entropy[number] == approx(sums.log_z[number], rel=1e-9)


@hundreds
@given(models(), st.integers(0, 60))
def test_the_trie_finds_the_same_with_and_without_tables(drawn, cells):
    with pytest.MonkeyPatch.context() as patch:
        found = lattices_of(*drawn)
        patch.setattr(array_trie, "MAX_CELLS", cells)
        searched = lattices_of(*drawn)
    for name in ("starts", "ends", "pieces"):
        assert getattr(found, name).tolist() == getattr(searched, name).tolist()


@hundreds
@given(COUNTS)
def test_nodes_share_a_prefix_exactly_if_words_do(words):
    alike = array_trie.shared_prefixes(list(words))
    before = [word[:place] for word in words for place in range(len(word) + 1)]
    assert [before[node] for node in alike] == before
    assert len(set(alike.tolist())) == len(set(before))


@hundreds
@given(models(), st.booleans())
def test_sharing_prefixes_gives_the_same_bits(drawn, rounded):
    words, model = drawn
    shared = lattices_of(words, model)
    apart = shared.drop_edges(
        np.zeros(len(shared.ends), bool)
    )  # which knows of no node that is alike
    weights = model.weights(shared).astype(np.float32 if rounded else float)
    found = []
    for lattices in (shared, apart):
        sums, summation = lattices.sums(weights), Summation(lattices, len(model.names), None)
        found.append(
            [
                lattices.forward(weights), lattices.backward(weights),
                lattices.best_values(weights), sums.log_z, sums.expected,
                *summation.expected_counts(weights.astype(np.float32)),
            ]
        )  # fmt: skip
    for ours, theirs in zip(*found, strict=True):
        assert np.array_equal(ours, theirs)


@hundreds
@given(models())
def test_all_words_at_once_equal_one_word_at_a_time(drawn):
    words, model = drawn
    lattices = lattices_of(words, model)
    weights = model.weights(lattices)
    pieces = dict(zip(model.names, model.log_probs.tolist(), strict=True))
    path = lattices.paths(lattices.viterbi(weights)[1])
    values, log_z = lattices.viterbi(weights)[0], lattices.sums(weights).log_z
    for number, word in enumerate(words):
        one = lattice.Lattice.build(word, pieces, model.unknown)
        assert log_z[number] == approx(lattice.forward_values(one)[-1], rel=1e-12)
        assert values[lattices.last_nodes[number]] == lattice.viterbi_values(one)[-1]
        edges = path[lattices.words[path] == number]
        starts = (lattices.starts[edges] - lattices.first_nodes[number]).tolist()
        assert starts == [one.edges[edge].start for edge in lattice.best_path(one) or ()]


@hundreds
@given(models())
def test_single_precision_differs_by_rounding_only(drawn):
    words, model = drawn
    lattices = lattices_of(words, model)
    weights = model.weights(lattices)
    times = lattices.shares(weights) * lattices.counts[lattices.words]
    exact = np.bincount(lattices.pieces + 1, times, minlength=len(model.names) + 1)
    rounded, unknown = Summation(lattices, len(model.names), None).expected_counts(
        weights.astype(np.float32)
    )
    assert rounded == approx(exact[1:], rel=1e-4, abs=1e-4)
    assert unknown == approx(exact[0], rel=1e-4, abs=1e-4)


@hundreds
@given(st.lists(st.text("ab", min_size=4, max_size=7), min_size=1, max_size=3), st.randoms())
@pytest.mark.parametrize("whole", [False, True])
def test_tied_best_paths_prefer_the_longest_last_piece(whole, words, rng):
    pieces = sorted({word[i:j] for word in words for i, j in combinations(range(len(word) + 1), 2)})
    lattices = Lattices.build(words, [1] * len(words), pieces)
    # By length, so that all paths tie, but for rounding and for a little more here and there.
    log_probs = -np.array(list(map(len, pieces))) / rng.choice([1, 3, 10])
    log_probs += [rng.choice([0, 0, 1e-7, 1e-6]) for _ in pieces]
    weights = log_probs.astype(np.float32)[lattices.pieces]
    values = lattices.best_values(weights)
    expected = []
    for word in range(len(words)):
        node, behind, path = lattices.last_nodes[word], np.float32(0), []
        while node != lattices.first_nodes[word]:
            edges = np.flatnonzero(lattices.ends == node).tolist()  # the longest first
            last = max(edges, key=lambda n: (values[lattices.starts[n]] + weights[n]) + behind)
            path.append((word, lattices.pieces[last]))
            node = lattices.starts[last]
            behind = weights[last] + behind if whole else weights[last]
        expected += reversed(path)
    same_values, owners, found = arithmetic.best_paths(lattices, weights, from_the_end=whole)
    assert same_values.tolist() == values.tolist()
    assert sorted(zip(owners, found, strict=True), key=itemgetter(0)) == expected  # stable


@hundreds
@given(models())
def test_single_precision_losses_differ_by_rounding_only(drawn):
    words, model = drawn
    counts, unknown = unigram_losses.viterbi_counts(model, lattices_of(words, model))
    counts = np.append(counts, unknown)
    split = unigram_losses.best_splits(model, model.ids)
    split = split.select(split.sizes > 0)
    exact = unigram_losses.alternative_losses(split, counts, counts.sum(), split.sizes - 1, 7)
    rounded = arithmetic.alternative_losses(split, counts, counts.sum(), 7)
    assert rounded == approx(exact, rel=1e-4, abs=1e-4)
    assert not rounded[counts[split.ids] == 0].any()


@hundreds
@given(models(), st.data())
def test_lattices_without_a_piece_are_those_built_without_it(drawn, data):
    words, model = drawn
    kept = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(model.names), max_size=len(model.names)))
    )
    smaller = lattices_of(words, model).filter_pieces(kept)
    fewer = [name for name, keep in zip(model.names, kept, strict=True) if keep]
    built = Lattices.build(list(words), list(words.values()), fewer)
    assert smaller.starts.tolist() == built.starts.tolist()
    assert smaller.ends.tolist() == built.ends.tolist()
    spelled = [model.names[n] if n >= 0 else None for n in smaller.pieces]
    assert spelled == [fewer[n] if n >= 0 else None for n in built.pieces]


@hundreds
@given(models(), st.data())
def test_selecting_words_equals_building_them(drawn, data):
    words, model = drawn
    wanted = data.draw(st.lists(st.integers(0, len(words) - 1), min_size=1, max_size=6))
    selected = lattices_of(words, model).select(np.array(wanted))
    chosen = [list(words)[n] for n in wanted]
    built = Lattices.build(chosen, [words[word] for word in chosen], model.names)
    for name in ("starts", "ends", "pieces", "counts", "lengths"):
        assert getattr(selected, name).tolist() == getattr(built, name).tolist()


# --- What removing a piece costs ------------------------------------------------------------------


def from_scratch(words, before, model, loss, left_out=None, renormalise=False):
    """Return what the corpus is worth by a loss, one piece left out, from lists alone."""
    tables = []
    for some in (before, model):
        chances, unknown = fractions_of(some, {left_out})
        if left_out is not None and renormalise:
            whole, rest = sum(fractions_of(some)[0].values()), sum(chances.values())
            chances = {piece: chance * whole / rest for piece, chance in chances.items()}
            unknown = unknown * whole / rest
        tables.append((chances, unknown))
    (old, old_unknown), (new, new_unknown) = tables
    worth = 0.0
    for word, count in words.items():
        if loss == "exact":
            listed = plain.expected_counts({word: 1}, old, old_unknown)
            worth += count * math.fsum(
                float(times) * naive.log(new.get(piece, new_unknown))
                for piece, times in listed.items()
            )
        else:
            paths = plain.segmentations(word, new, new_unknown).values()
            worth += count * naive.log(sum(paths) if loss == "likelihood" else max(paths))
    return worth


@examples(100)
@given(models(), st.sampled_from(["exact", "likelihood", "viterbi"]), st.booleans(), st.data())
def test_the_loss_equals_segmenting_the_corpus_again(drawn, loss, renormalise, data):
    words, model = drawn
    assume(len(model.names) > 1)
    others = data.draw(
        st.lists(st.integers(1, 1000), min_size=len(model.names), max_size=len(model.names))
    )
    before = TrainingModel(model.names, model.ids, np.log(np.array(others) / 1000))
    settings = convention_settings("textbook", 1, loss=loss, renormalise=renormalise)
    progress = []
    losses = unigram_losses.removal_losses(
        model, before, lattices_of(words, model), model.ids, settings, progress.append
    )
    whole = from_scratch(words, before, model, loss)
    for piece, cost in zip(model.names, losses, strict=True):
        without = from_scratch(words, before, model, loss, piece, renormalise)
        assert cost == approx(whole - without, rel=1e-7, abs=1e-7)
    assert progress == sorted(progress)
    assert all(0 <= share <= 1 for share in progress)


SCORES = {
    "exact": unigram_losses._q,
    "likelihood": unigram_losses._log_z,
    "viterbi": unigram_losses._best,
}


# Many pieces end at each character: the order in which they are added up shows in the last bits.
WORD = "dunegrass"
MANY = Names(sorted({WORD[a:b] for a in range(9) for b in range(a + 1, 10)}))
MANY_MODEL = TrainingModel(
    MANY, np.arange(len(MANY)), np.log(np.random.default_rng(1).random(len(MANY)) / 9)
)


MANY_WORDS = {WORD[a:] + WORD[:b]: 1 + a * b for a in range(9) for b in range(9)}

# Without the first, the word is so improbable that no float holds how much rarer it is.
ALMOST_ALONE = TrainingModel(Names(["ab", "a", "b"]), np.arange(3), np.array([0.0, -900.0, -901.0]))


@examples(100)
@given(models(), st.sampled_from(list(SCORES)), st.integers(1, 300), st.integers(0, 99))
@example(({WORD: 3, WORD[2:]: 1}, MANY_MODEL), "exact", 300, 2)
@example(({"ab": 1}, ALMOST_ALONE), "exact", 300, 2)
@example((MANY_WORDS, MANY_MODEL), "exact", 1, 2)  # in columns of their own
def test_many_removals_at_once_are_those_from_lattices_without_each_piece_to_the_last_bit(
    drawn, loss, at_once, seed
):
    words, model = drawn
    others = np.log(np.random.default_rng(seed).random(len(model.names)))
    before = TrainingModel(model.names, model.ids, model.log_probs + others)
    lattices, score = lattices_of(words, model), SCORES[loss]
    whole = score(lattices, before.weights(lattices), model.weights(lattices))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(renormalised, "VALUES_AT_ONCE", at_once)
        patch.setattr(groups, "WORTH_RANKS", 40 * at_once)
        losses = renormalised.renormalised_losses(
            model, before, lattices, model.ids, loss, whole, lambda share: None
        )
    old_rest, new_rest = renormalised.log_rest(before), renormalised.log_rest(model)
    for number, cost in zip(model.ids, losses, strict=True):
        without = lattices.drop_edges(lattices.pieces == number)
        old = before.weights(without) - old_rest[number]
        new = model.weights(without) - new_rest[number]
        falls = lattices.counts * (whole - score(without, old, new))
        assert cost == sum(falls.tolist())


@pytest.mark.parametrize("rare", [-1.0, -14.0, -36.0, -40.0, -900.0])
def test_renormalisation_of_tiny_remainders(rare):
    """1 - p has no digits of what they sum to, where p is nearly one."""
    names = Names(["ab", "a", "b"])
    model = TrainingModel(names, np.arange(3), np.array([0.0, rare, rare - 1]))
    whole = math.log(1 + math.exp(rare) + math.exp(rare - 1))
    rest = renormalised.log_rest(model)
    assert rest[0] == approx(rare + math.log1p(math.exp(-1)) - whole, rel=1e-12)
    assert rest[2] == approx(math.log1p(math.exp(rare)) - whole, rel=1e-12, abs=1e-15)


def test_the_loss_of_the_only_piece_is_finite():
    words = {"ab": 3}
    model = TrainingModel(Names(["ab"]), np.arange(1), np.array([0.0]))
    settings = convention_settings("textbook", 1, loss="likelihood")
    (cost,) = unigram_losses.removal_losses(
        model, model, lattices_of(words, model), model.ids, settings, lambda share: None
    )
    assert cost == approx(-3 * 2 * model.unknown)  # two characters that are no pieces


@many
@given(models())
def test_the_best_split_is_the_best_of_all_others(drawn):
    _, model = drawn
    chances, unknown = fractions_of(model)
    split = unigram_losses.best_splits(model, model.ids)
    for number, piece in enumerate(model.names):
        paths = plain.segmentations(piece, chances, unknown)
        paths.pop((piece,))
        if len(piece) == 1:
            assert split.log_probs[number] == -math.inf
            assert split.sizes[number] == 0
        else:
            assert split.log_probs[number] == approx(naive.log(max(paths.values())), rel=1e-9)
            assert 1 < split.sizes[number] <= len(piece)


# --- The M step, by the definition of digamma -----------------------------------------------------


def digamma_by_definition(x, terms=5_000):
    """ψ(x) is the limit of log n less the sum of 1 / (x + k) for k up to n."""
    k = np.arange(terms)
    return math.log(x + terms - 0.5) - float((1 / (x + k)).sum())


@many
@given(st.floats(0.01, 300))
def test_digamma_equals_its_definition(x):
    assert float(digamma(np.array(x))) == approx(digamma_by_definition(x), abs=1e-7)


@many
@given(COUNTS)
def test_the_damped_m_step_equals_a_direct_computation(words):
    """Digamma of each expected count, less that of their sum; what is hardly expected goes."""
    settings = convention_settings("textbook", 3, m_step="digamma", min_expected=0.5)
    trace: Any = UnigramTrace.record(Corpus.from_counts(words), settings)
    expectation = next(step for step in trace.steps if isinstance(step, Expectation))
    step = next(step for step in trace.steps if isinstance(step, Maximization))
    counts = {
        piece: max(count, 0.01) for piece, count in expectation.expected_counts.dict().items()
    }
    gone = set(step.dropped.dict())
    assert all(counts[piece] < 0.5 for piece in gone)
    left = {piece: count for piece, count in counts.items() if piece not in gone}
    whole = digamma_by_definition(sum(left.values()))
    found = step.after.dict()
    assert found == {
        piece: approx(digamma_by_definition(count) - whole, abs=1e-6)
        for piece, count in left.items()
    }


# --- How many go ----------------------------------------------------------------------------------


@pytest.mark.parametrize("schedule", CHOICES["schedule"])
@hundreds
@given(
    COUNTS,
    st.sampled_from(["0.9", "0.75", "0.5", "0.35"]),
    st.integers(2, 7),
    st.integers(1, 12),
    st.booleans(),
)
def test_each_schedule_removes_the_number_that_it_says(
    schedule, words, factor, prunings, size, counts_unknown
):
    """By exact fractions: a part of a piece is dropped, but `k_n` rounds up (equation 16)."""
    settings = convention_settings(
        "textbook",
        size,
        schedule=schedule,
        shrinking_factor=float(factor),
        prunings=prunings,
        counts_unknown=counts_unknown,
    )
    trace: Any = UnigramTrace.record(Corpus.from_counts(words), settings)
    for step in trace.steps:
        if isinstance(step, Prune):
            now = step.size_before + counts_unknown
            above = max(now - settings.desired, 0)
            number = {
                "fraction": now - max(settings.desired, math.floor(now * Fraction(factor))),
                "share": math.floor(now * (1 - Fraction(factor))),
                "k_n": min(above, math.ceil(Fraction(len(trace.seed.pieces) - size, prunings))),
                "one": min(above, 1),
            }[schedule]
            if schedule == "fraction" and number > len(step.order):
                number = 0  # the target is below what is kept anyway: the libraries never stop
            assert len(step.removed) == min(max(number, 0), len(step.order))


# --- Every step, by the plain version -------------------------------------------------------------


@tens
@given(COUNTS, st.sampled_from(["frequency", "uniform"]), st.integers(1, 3), st.integers(3, 9))
def test_every_step_equals_the_textbook(words, first, sub_iterations, size):
    """Each step begins from the recorded probabilities, so that rounding decides no tie."""
    settings = convention_settings(
        "textbook",
        size,
        start=first,
        sub_iterations=sub_iterations,
        loss="likelihood",
        schedule="one",
    )
    trace: Any = UnigramTrace.record(Corpus.from_counts(words), settings)
    for before, step in pairwise(trace.steps):
        probs = probs_of(before.log_probs)
        if isinstance(step, Expectation):
            assert step.expected_counts.dict() == close_to(plain.expected_counts(words, probs))
            assert step.log_likelihood == approx(plain.log_likelihood(words, probs), rel=1e-9)
        elif isinstance(step, Maximization):
            expected = before.expected_counts.dict()
            assert probs_of(step.after) == close_to(plain.maximize(expected))
        elif isinstance(step, Prune):
            losses = plain.losses(plain.log_likelihood, words, probs)
            assert step.losses.dict() == approx(losses, rel=1e-7, abs=1e-7)
            for removed in step.removed:  # one, or none
                assert losses[removed] == approx(min(losses.values()), rel=1e-7, abs=1e-7)
                assert probs_of(step.after) == close_to(plain.without(probs, removed))


def probs_of(log_probs):
    return {piece: math.exp(log_prob) for piece, log_prob in log_probs.dict().items()}


def close_to(numbers):
    return approx(dict(numbers), rel=1e-7, abs=1e-12)


NUMBERS = {Seed: "pieces", Expectation: "expected_counts", Maximization: "after", Prune: "after"}
NAMES = {Seed: "seed", Expectation: "E step", Maximization: "M step", Prune: "prune"}


@pytest.mark.parametrize("size", [9, 12])
@pytest.mark.parametrize(("prunings", "em"), [(8, 2), (3, 1)])
def test_a_whole_run_equals_the_textbook(size, prunings, em):
    """Every step of it. Where two losses differ by their rounding alone, other pieces might go."""
    words = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
    settings = convention_settings("textbook", size, prunings=prunings, sub_iterations=em)
    trace: Any = UnigramTrace.record(Corpus.from_counts(words), settings)
    *steps, _ = trace.steps  # the last puts the pieces in the order of their ids
    expected = list(plain.train_unigram(words, size, prunings, em))
    assert [NAMES[type(step)] for step in steps] == [name for name, _ in expected]
    for step, (_, numbers) in zip(steps, expected, strict=True):
        table = getattr(step, NUMBERS[type(step)])
        found = table.dict() if isinstance(step, Expectation) else probs_of(table)
        assert found == close_to(numbers)
        assert list(found) == list(numbers)


# --- Seeds ----------------------------------------------------------------------------------------


@hundreds
@given(st.lists(st.text("ab▁é", max_size=8), max_size=6), st.integers(2, 6))
def test_repeats_equal_a_plain_search(texts, longest):
    following = {}
    for text in texts:
        for start in range(len(text)):
            for end in range(start + 2, min(start + longest, len(text)) + 1):
                following.setdefault(text[start:end], []).append(text[end : end + 1])
    listed = {part: len(ends) for part, ends in following.items() if len(set(ends)) > 1}
    assert seeds.repeats(texts, longest) == listed


@hundreds
@given(
    st.one_of(
        st.lists(st.text("ab é中", max_size=12), min_size=1, max_size=6).map("\n".join),
        st.dictionaries(st.text("ab é中", min_size=1, max_size=8), st.integers(1, 3), min_size=1),
    ),
    st.booleans(),
)
def test_words_in_context_give_the_repeats_of_all_lines(source, by_bytes):
    from_text = isinstance(source, str)
    corpus = Corpus.from_text(source) if from_text else Corpus.from_counts(source)
    loaded = sentencepiece_text.load(corpus, 1.0, [])
    copies = loaded.line_counts if by_bytes or from_text else [2] * len(loaded.lines)
    lines = [
        "".join(words)
        for words, count in zip(loaded.lines, copies, strict=True)
        for _ in range(count)
    ]
    times = seeds.count_in_context(loaded, by_bytes)
    found = seeds.repeats(list(times), 5, True, by_bytes, list(times.values()))
    assert found == seeds.repeats(lines, 5, True, by_bytes)


# --- Whole runs -----------------------------------------------------------------------------------

RUNS = st.builds(
    lambda words, name, size, loss, e_step: (
        Corpus.from_counts(words),
        convention_settings(name, size, loss=loss, e_step=e_step),
    ),
    COUNTS,
    st.sampled_from(list(CONVENTIONS)),
    st.integers(3, 20),
    st.sampled_from(CHOICES["loss"]),
    st.sampled_from(["sum", "sum", "max"]),
)


@tens
@given(COUNTS, st.sampled_from(CHOICES["start"]), st.integers(2, 25))
def test_the_log_likelihood_never_falls_in_plain_em(words, start, rounds):
    settings = convention_settings("textbook", 1000, start=start, sub_iterations=rounds)
    trace: Any = UnigramTrace.record(Corpus.from_counts(words), settings)
    values = [step.log_likelihood for step in trace.steps if isinstance(step, Expectation)]
    assert len(values) == rounds
    assert all(later >= earlier - 1e-9 * abs(earlier) for earlier, later in pairwise(values))


@tens
@given(RUNS)
def test_everything_recorded_is_consistent(run):
    trace: Any = UnigramTrace.record(*run)
    for before, step in pairwise(trace.steps):
        if isinstance(step, Expectation):
            check_expectation(step, trace, before)
        elif isinstance(step, Maximization):
            assert step.before.dict() == before.log_probs.dict()
            assert set(step.after) | set(step.dropped) == set(step.before)
            assert not set(step.after) & set(step.dropped)
            assert set(step.spared) <= set(step.after)
        elif isinstance(step, Prune):
            assert step.before.dict() == before.log_probs.dict()
            assert set(step.after) | set(step.removed) == set(step.before)
            assert set(step.kept_reasons) == set(step.after)
            assert set(step.removed_reasons) == set(step.removed)
            assert set(step.order) == set(step.losses)
        elif isinstance(step, Finalize):
            gone = set(step.cut) | set(step.shadowed)
            there = set(before.log_probs) - gone
            assert set(step.pieces) == there | set(step.added)
        assert (
            all(math.isfinite(log) for log in step.log_probs.dict().values())
            if not isinstance(step, Finalize)
            else all(map(math.isfinite, step.pieces.values()))
        )


def check_expectation(step, trace, before):
    assert step.log_probs.dict() == before.log_probs.dict()
    assert step.log_likelihood == approx(step.q + step.entropy, rel=1e-9, abs=1e-9)
    assert step.best_log_prob <= step.log_likelihood + 1e-4 * abs(step.log_likelihood)
    num_words = sum(trace.word_counts.values())
    assert step.objective == approx(-step.log_likelihood / num_words)
    letters = sum(len(word) * count for word, count in trace.word_counts.items())
    spelled = sum(len(piece) * count for piece, count in step.expected_counts.items())
    if trace.settings.unknown == "apart":
        assert spelled + step.unknown == approx(letters, rel=1e-4)
    assert step.viterbi_counts.array.sum() <= step.num_tokens + step.unknown + 1e-9


@tens
@given(RUNS, st.integers(1, 4))
def test_a_shorter_run_is_a_prefix_of_a_longer_one(run, rounds):
    corpus, settings = run
    longer: Any = UnigramTrace.record(corpus, settings)
    shorter: Any = UnigramTrace.record(
        corpus,
        convention_settings(
            settings.convention,
            settings.vocab_size,
            loss=settings.loss,
            e_step=settings.e_step,
            max_rounds=rounds,
        ),
    )
    for one, other in zip(shorter.steps[:-1], longer.steps, strict=False):
        assert type(one) is type(other)
        if not isinstance(other, Finalize):
            assert one.log_probs.dict() == other.log_probs.dict()


@pytest.mark.parametrize("convention", ["sentencepiece_classic", "sentencepiece"])
def test_a_second_thread_changes_no_step(convention, monkeypatch):
    corpus = Corpus.from_text(english_prose()[:20_000], Pipeline((), "metaspace_lines"))
    settings = convention_settings(convention, 400)

    def steps() -> bytes:
        return pickle.dumps(UnigramTrace.record(corpus, settings).steps)

    monkeypatch.setattr(threads, "LEAST_VALUES", 10**9)
    alone = steps()
    monkeypatch.setattr(threads, "LEAST_VALUES", 0)
    assert steps() == alone
    refusing = Mock(submit=Mock(side_effect=RuntimeError("can't start new thread")))
    monkeypatch.setattr(threads, "_THREAD", refusing)
    assert steps() == alone
    assert refusing.submit.called
