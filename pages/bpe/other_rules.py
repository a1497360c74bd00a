"""The text of a BPE run under other rules: merges across spaces, and longer pieces at once.

Jobs for the worker pool; this module does not import Streamlit.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from pages.shared.training.run_and_record import stop_check
from tokenizers.bpe import split_word
from tokenizers.bpe.settings import Settings
from tokenizers.bpe.superwords import LINES, Model, SuperwordSettings, is_superword, num_inside
from tokenizers.experiments.research.length_max import LearnedPiece, train, vocabulary
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.measures.efficiency import renyi_efficiency
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import match_ends

MAX_CHARS = 200_000  # characters of the text that the rules are compared on
MAX_WORDS = 20_000  # distinct words
MAX_PIECES = 2_000
MAX_DIFFERENT = 8  # words that are shown
MAX_SAMPLE = 72  # characters of the sentence that is shown
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_MARK = "\ue000"
"""Takes the place of an end-of-word mark, so that it is one character."""


# --- Merges across spaces -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CrossingRun:
    """A run under one rule: what is left of the text, and its tokenizer."""

    crossing: str
    tokens: int
    superwords: int
    longest: str
    efficiency: float
    model: Model


@dataclass(frozen=True, slots=True)
class Crossings:
    """The runs that never cross spaces, cross them later, and join whole words; and a sentence.

    `inside` is the number of merges inside words of the second; each has made `merges` merges.
    """

    merges: int
    inside: int
    characters: int
    runs: tuple[CrossingRun, ...]
    sample: str


def compare_crossings(
    report: ProgressCallback,
    text: str,
    normalizers: tuple[str, ...],
    settings: Settings,
    merges: int,
    inside: int,
) -> Crossings:
    """Train by all three rules on the lines of a text, with the limits and ties of `settings`."""
    merges = min(merges, MAX_PIECES)
    inside = min(inside, merges)
    pipeline = Pipeline(normalizers, LINES.pre_tokenizer)
    corpus = Corpus.from_text(text[:MAX_CHARS], pipeline, stop_check(report))
    usual = SuperwordSettings(
        num_merges=merges,
        min_count=settings.min_count,
        max_token_length=settings.max_token_length,
        ties=settings.ties,
        crossing="after",
    )
    kinds = {
        "never": replace(usual, inside=merges),
        "after": replace(usual, inside=inside),
        "whole_words": replace(usual, crossing="whole_words"),
    }
    runs = []
    for n, (name, chosen) in enumerate(kinds.items()):
        progress: ProgressCallback = partial(_part_of, report, n, merges)
        trace = Trace.record(corpus, chosen, progress)
        if name == "never":  # where nothing is left inside words, the trainer would cross spaces
            trace = trace.truncated(num_inside(trace.pairs, chosen) or 0)
        runs.append(_crossing_run(name, trace))
    characters = sum((len(line) - 1) * count for line, count in corpus.word_counts.items())
    models = [run.model for run in runs]
    return Crossings(merges, inside, characters, tuple(runs), _sample(text[:MAX_CHARS], models))


def _part_of(report: ProgressCallback, n: int, merges: int, done: int, _: int) -> bool:
    return bool(report(n * merges + done, 3 * merges))


def _crossing_run(name: str, trace: Trace[SuperwordSettings]) -> CrossingRun:
    across = [token for token in trace.tokens if is_superword(token)]
    counts = trace.state(len(trace)).token_counts
    efficiency = renyi_efficiency(counts) if counts else 1.0
    longest = max(across, key=len, default="")
    model = trace.model()
    assert isinstance(model, Model)
    return CrossingRun(name, trace.num_tokens[-1], len(across), longest, efficiency, model)


def _sample(text: str, models: Sequence[Model]) -> str:
    """Return a short sentence that all models split differently, the last two most of all."""
    sentences = [one.strip() for one in _SENTENCE.findall(text)]
    short = [one for one in sentences if 0 < len(one) <= MAX_SAMPLE and "'" not in one][:200]
    if not short:
        return text.strip()[:MAX_SAMPLE]

    def difference(sentence: str) -> tuple[int, int]:
        ends = [frozenset(_ends(model.encode(sentence).pieces)) for model in models]
        return len(set(ends)), len(ends[-1] ^ ends[-2])

    return max(short, key=difference)


def _ends(pieces: Split) -> Iterator[int]:
    end = 0
    for piece in pieces:
        end += len(piece)
        yield end


# --- Longer pieces at once ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lengths:
    """As many pieces of BPE and of Length-MAX, and what they leave of the words.

    `tokens` has the number of tokens of the corpus for each way to split, `mean` the average
    characters of the learned pieces of BPE and of Length-MAX, and `different` words with their
    splits: by merges, BPE's pieces in the fewest, and Length-MAX's in the fewest.
    """

    pieces: int
    characters: int
    tokens: dict[str, int]
    mean: tuple[float, float]
    merged: tuple[str, ...]
    learned: tuple[LearnedPiece, ...]
    different: tuple[tuple[str, Split, Split, Split], ...]


def compare_lengths(report: ProgressCallback, trace: Trace[Settings], worth: str) -> Lengths:
    """Learn as many pieces by Length-MAX as the run has, and split its words in several ways."""
    check_cancelled = stop_check(report)
    settings, ranked = trace.settings, Counter(dict(trace.corpus.word_counts))
    counts = dict(ranked.most_common(MAX_WORDS))
    single = {word: _to_single(settings.symbols(word), settings) for word in counts}
    times: Counter[str] = Counter()
    for word, count in counts.items():
        times[single[word]] += count
    wanted = min(len(trace), MAX_PIECES)
    learned, _ = train(times, wanted, worth, check_cancelled)
    number = min(wanted, len(learned))  # Length-MAX may stop sooner
    learned = learned[:number]
    model = trace.model(number)
    of_bpe = {_to_single([piece], settings) for piece in model.vocab}
    of_length_max = set(vocabulary(times, learned))
    ways: dict[str, Callable[[str], Sequence[str]]] = {
        "merges": lambda word: split_word(word, model),
        "fewest": lambda word: fewest_pieces(single[word], of_bpe) or (),
        "longest": lambda word: _longest(single[word], of_length_max),
        "length_max": lambda word: fewest_pieces(single[word], of_length_max) or (),
    }
    splits = {
        name: {word: _from_single(way(word), settings) for word in counts}
        for name, way in ways.items()
    }
    tokens = {
        name: sum(len(split) * counts[word] for word, split in found.items())
        for name, found in splits.items()
    }
    different = [
        (word, splits["merges"][word], splits["fewest"][word], splits["length_max"][word])
        for word in counts
        if len({splits[name][word] for name in ("merges", "fewest", "length_max")}) > 1
    ]
    merged = trace.tokens[:number]
    shown = [replace(one, run=_from_single(one.run, settings)) for one in learned]
    return Lengths(
        number,
        sum(len(word) * count for word, count in counts.items()),
        tokens,
        (_mean_length(merged, settings), _mean_length([one.token for one in shown], settings)),
        tuple(merged),
        tuple(shown),
        tuple(different[:MAX_DIFFERENT]),
    )


def _mean_length(pieces: Sequence[str], settings: Settings) -> float:
    return sum(map(settings.length, pieces)) / len(pieces) if pieces else 0.0


def _to_single(symbols: Iterable[str], settings: Settings) -> str:
    """Join symbols to a string in which an end-of-word mark is one character."""
    text = "".join(symbols)
    if settings.base != "end_of_word" or not text.endswith(settings.end_mark):
        return text
    return text.removesuffix(settings.end_mark) + _MARK


def _from_single(pieces: Iterable[str], settings: Settings) -> Split:
    """Undo `_to_single` in each piece."""
    return tuple([piece.replace(_MARK, settings.end_mark) for piece in pieces])


def _longest(word: str, known: set[str]) -> list[str]:
    """Split a word by the longest piece that fits, then the longest after it, and so on."""
    return [word[start:end] for start, end in pairwise([0, *match_ends(word, known, "")])]
