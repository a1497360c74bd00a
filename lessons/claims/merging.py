"""Computations for the claims about BPE and WordPiece; each runs the core once.

A corpus is named by its id in `lessons.texts`. `settings` are passed to `wordpiece.Settings`; BPE
uses the base and the end mark of the corpus.
"""

import math
import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from lessons.claims.values import Computed, Value, format_value, list_values, yes_or_no
from lessons.texts import TEXTS
from tokenizers import bpe, wordpiece
from tokenizers.experiments.complexity.operations import kept_in_training
from tokenizers.merging.state import Pair, State
from tokenizers.record.trace import Snapshot, Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.likelihood import gains


def _bpe(corpus: str, num_merges: int | None = None) -> Trace[bpe.Settings]:
    sample = TEXTS[corpus]
    return Trace.record(sample.corpus(), sample.bpe_settings(num_merges))


def _wordpiece(corpus: str, **settings: Any) -> Trace[wordpiece.Settings]:
    return Trace.record(TEXTS[corpus].corpus(), wordpiece.Settings(**settings))


def _pair(label: str) -> Pair:
    first, second = label.split(" ")
    return first, second


# --- BPE ------------------------------------------------------------------------------------------


def pair_counts(corpus: str, step: int = 0, held: Sequence[Sequence[str]] = ()) -> Computed:
    """The count of each pair after `step` merges, and the most frequent one.

    Each item of `held` is a pair and a word that, the source claims, contains the pair.
    """
    trace = _bpe(corpus, step)
    state = trace.state(step)
    counts = state.pair_counts
    best = max(counts, key=counts.__getitem__)
    values: dict[str, Value] = {" ".join(pair): count for pair, count in counts.items()}
    tied = [pair for pair in counts if counts[pair] == counts[best]]
    values["most frequent"] = best
    splits = {word: state.split(n) for n, word in enumerate(trace.words)}
    for label, word in held:
        values[f"{label} is in {word}"] = yes_or_no(_pair(label) in pairwise(splits.get(word, ())))
    return Computed(values, {"tied": _listed(tied), "count": counts[best]})


def symbol_counts(corpus: str) -> Computed:
    """The count of each symbol before the first merge, and the numbers of symbols and words."""
    trace = _bpe(corpus, 0)
    counts = trace.state(0).token_counts
    words = counts.get("</w>", 0)
    values = {**counts, "symbols": len(counts), "words": words}
    return Computed(values, {"distinct": len(trace.words), "words": words})


def merges(steps: int, corpus: str = "", counts: Mapping[str, int] | None = None) -> Computed:
    """The first `steps` merges of a corpus, or of words with given `counts`, and their counts."""
    trace = Trace.record(Corpus.from_counts(counts), bpe.Settings()) if counts else _bpe(corpus)
    values: dict[str, Value] = {}
    for k in range(steps):
        values |= {f"merge {k + 1}": trace.pairs[k], f"count {k + 1}": trace.counts[k]}
    run = {"+".join(pair): n for pair, n in zip(trace.pairs, trace.counts, strict=True)}
    facts: dict[str, Value] = {
        "run": list_values(dict(list(run.items())[:steps])),
        "whole_run": list_values(run),
        "stopped": trace.stop_reason,
    }
    return Computed(values, facts)


ORDERS = 100  # number of random tie-breaking orders to try, with fixed seeds


@cache
def _complete_after(corpus: str, pieces: frozenset[str]) -> int:
    """Return the fewest merges after which all the pieces exist, over `ORDERS` random runs."""
    words, settings = TEXTS[corpus].corpus(), TEXTS[corpus].bpe_settings()
    earliest = len(_bpe(corpus))
    for seed in range(ORDERS):
        rng, state, wanted, done = random.Random(seed), bpe.start(words, settings), set(pieces), 0
        wanted -= state.vocab.keys()
        while wanted and done < earliest and state.pair_counts:
            most = max(state.pair_counts.values())
            tied = [pair for pair, count in state.pair_counts.items() if count == most]
            merge = state.merge(rng.choice(tied))
            state.apply(merge)
            wanted.discard(merge.token)
            done += 1
        earliest = earliest if wanted else min(earliest, done)
    return earliest


def splits(
    corpus: str,
    step: int,
    words: Sequence[str],
    pieces: Sequence[str] = (),
    at_some_ties: Sequence[str] = (),
) -> Computed:
    """The splits of words of the corpus after `step` merges, and whether the pieces exist.

    A piece in `at_some_ties` counts as existing if any random choice between ties makes it.
    """
    trace = _bpe(corpus, step)
    state = trace.state(step)
    split = {word: state.split(trace.words.index(word)) for word in words}
    there = {f"{piece} is a piece": yes_or_no(piece in state.vocab) for piece in pieces}
    facts: dict[str, Value] = {
        f"split_{n}": tokens for n, tokens in enumerate(split.values(), start=1)
    }
    facts |= {"merges": len(trace)}
    if pieces:
        ever = frozenset(pieces) & set(_bpe(corpus).tokens)
        facts |= {"orders": ORDERS, "complete": _complete_after(corpus, ever)}
    for piece in at_some_ties:
        earliest = _complete_after(corpus, frozenset([piece]))
        there[f"{piece} is a piece with some choice at ties"] = yes_or_no(earliest <= step)
        facts["earliest"] = earliest
    return Computed(split | there, facts)


def encoded(
    words: Sequence[str], corpus: str = "", step: int = 0, rules: Sequence[Sequence[str]] = ()
) -> Computed:
    """The tokens of words under a corpus's first `step` merges, or under the merges `rules`."""
    model = _bpe(corpus, step).model() if corpus else _of_rules(rules, "".join(words))
    tokens = {word: bpe.encode(word, model).tokens for word in words}
    rows = ", ".join("+".join(pair) for pair in model.ranks)
    return Computed(dict(tokens), {"merges": rows, "tokens": len(tokens[words[0]])})


def _of_rules(rules: Sequence[Sequence[str]], letters: str) -> bpe.Model:
    """Return a model with these merges and letters."""
    pairs: list[Pair] = [(first, second) for first, second in rules]
    pieces = dict.fromkeys([UNK, *letters, *(first + second for first, second in pairs)])
    vocab = {piece: n for n, piece in enumerate(pieces)}
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    return bpe.Model(vocab, ranks, bpe.Settings(), Pipeline((), "none"))


def training_space(corpus: str, merges: int) -> Computed:
    """How much state training holds before the first merge, for half a text and for all of it.

    Both make the same number of merges, so V differs only by characters that the half lacks.
    """
    text, pipeline = TEXTS[corpus].text or "", TEXTS[corpus].pipeline
    kept, sizes, facts = [], [], {}
    for name, part in (("half", text[: len(text) // 2]), ("whole", text)):
        trace = Trace.record(Corpus.from_text(part, pipeline), bpe.Settings(num_merges=merges))
        symbols, pairs, size = kept_in_training(trace)
        kept.append(symbols + pairs)
        sizes.append(size)
        facts |= {f"{name}_symbols": symbols, f"{name}_pairs": pairs, f"{name}_pieces": size}
    values = {"no more for twice the text": yes_or_no(kept[1] <= kept[0] + sizes[1] - sizes[0])}
    return Computed(values, facts)


# --- WordPiece ------------------------------------------------------------------------------------


def scores(corpus: str, step: int = 0, **settings: Any) -> Computed:
    """The score of each pair after `step` merges, the best pair, and how many pairs tie for it."""
    trace = _wordpiece(corpus, num_merges=step, **settings)
    state = trace.state(step)
    counts = state.pair_counts
    found = {pair: wordpiece.score(state, pair) for pair in counts}
    best, often = max(found, key=found.__getitem__), max(counts, key=counts.__getitem__)
    tied = wordpiece.tied_pairs(state, best, trace.settings)
    values: dict[str, Value] = {" ".join(pair): score for pair, score in found.items()}
    values |= {"best pair": best, "count of the best pair": counts[best]}
    values |= {"highest score": found[best], "pairs that have it": len(tied)}
    values |= {"symbols": len(state.token_counts)}
    facts = {"best": "+".join(best), "tied": _listed(tied), "often": "+".join(often)}
    facts |= {"most": f"{counts[often]}", "sum": _score_text(state, best)}
    facts |= {f"sum {' '.join(pair)}": _score_text(state, pair) for pair in counts}
    return Computed(values, facts)


def _listed(pairs: Sequence[Pair]) -> str:
    return ", ".join(sorted(map("+".join, pairs)))


def _score_text(state: Snapshot, pair: Pair) -> str:
    """Return the formula and value of a pair's score."""
    first, second = (state.token_counts[symbol] for symbol in pair)
    score = format_value(wordpiece.score(state, pair))
    return f"{state.pair_counts[pair]} / ({first} · {second}) = {score}"


def scores_after(corpus: str, take: Sequence[str], pairs: Sequence[str]) -> Computed:
    """The scores of `pairs` after merging the pairs in `take`, in that order."""
    state = _merged(corpus, take)
    return Computed({label: wordpiece.score(state, _pair(label)) for label in pairs})


def _merged(corpus: str, take: Sequence[str]) -> State:
    """Return the state of a corpus after merging the pairs in `take`."""
    state = wordpiece.start(TEXTS[corpus].corpus(), wordpiece.Settings())
    for label in take:
        state.apply(state.merge(_pair(label)))
    return state


def matched(
    words: Sequence[str], pieces: Sequence[str] = (), corpus: str = "", take: Sequence[str] = ()
) -> Computed:
    """The longest-match splits of words, with given pieces or with a corpus's vocabulary.

    `take` lists the pairs merged in the corpus. The facts contain the unmatched rest of each word.
    """
    vocab = _merged(corpus, take).vocab if corpus else pieces
    model = wordpiece.Model(wordpiece.vocabulary(vocab))
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {}
    for n, word in enumerate(words, start=1):
        *_, last = wordpiece.word_steps(word, model)
        values[word] = wordpiece.split_word(word, model) or (UNK,)
        facts[f"failed_{n}"] = word[last.start :] if last.piece is None else "nothing"
    return Computed(values, facts)


def likelihood(corpus: str) -> Computed:
    """Whether the pair with the highest WordPiece score also has the greatest likelihood gain."""
    state = _merged(corpus, ())
    found = gains(state)
    best = max(found, key=lambda pair: wordpiece.score(state, pair))
    likeliest = max(found, key=found.__getitem__)
    values: dict[str, Value] = {
        "the pair of the highest score gains most": yes_or_no(found[best] >= found[likeliest])
    }
    facts: dict[str, Value] = {"best": "+".join(best), "likeliest": "+".join(likeliest)}
    return Computed(values, facts | {"gained": found[best], "most": found[likeliest]})


def most_likely(corpus: str, merges: int, example: str) -> Computed:
    """The number of words for which the longest match differs from the most likely split.

    All words of the corpus are tried; the probability of a piece is its share of the tokens at the
    end of training, as in a unigram language model.
    """
    trace = _wordpiece(corpus, num_merges=merges, convention="hugging_face")
    counts, mark = trace.state(len(trace)).token_counts, trace.settings.mark
    total = sum(counts.values())
    log_probs = {piece: math.log(count / total) for piece, count in counts.items()}
    model = wordpiece.Model(wordpiece.vocabulary(log_probs))
    off: dict[str, tuple[Split, Split]] = {}
    for word in trace.words:
        longest, likeliest = wordpiece.split_word(word, model), _likeliest(word, log_probs, mark)
        if longest and likeliest and _sum(longest, log_probs) < _sum(likeliest, log_probs) - 1e-9:
            off[word] = longest, likeliest
    matched, likely = off[example]
    facts: dict[str, Value] = {"words": len(trace.words), "matched": matched, "likely": likely}
    facts |= {"example": example, "matched_log": _sum(matched, log_probs)}
    values: dict[str, Value] = {
        "words split otherwise": len(off),
        "most words are split so": yes_or_no(2 * len(off) < len(trace.words)),
    }
    return Computed(values, facts | {"log": _sum(likely, log_probs)})


def _sum(pieces: Split, log_probs: Mapping[str, float]) -> float:
    return math.fsum(log_probs[piece] for piece in pieces)


def _likeliest(word: str, log_probs: Mapping[str, float], mark: str) -> Split | None:
    """Return the most likely split of a word; pieces after the first begin with `mark`."""
    best: list[tuple[float, Split] | None] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        offers: list[tuple[float, Split]] = []
        for start in range(end):
            piece = word[start:end] if start == 0 else mark + word[start:end]
            before = best[start]
            if before and piece in log_probs:
                offers.append((before[0] + log_probs[piece], (*before[1], piece)))
        best.append(max(offers, key=lambda way: way[0], default=None))
    whole = best[-1]
    return whole[1] if whole else None
