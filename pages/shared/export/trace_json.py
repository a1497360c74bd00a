"""Write traces as JSON with everything that replay.py needs to check each step.

The format is documented in docs/trace.md and docs/trace.schema.json. Log probabilities are in nats;
null means minus infinity. Texts are exact, with non-ASCII characters escaped.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from tokenizers import wordpiece
from tokenizers.bpe import MergeStep
from tokenizers.bpe.superwords import SuperwordSettings, num_inside
from tokenizers.lattice import (
    Lattice,
    backward_values,
    best_path,
    forward_values,
    posteriors,
    viterbi_values,
)
from tokenizers.merging.state import Pair, merged_token
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import Split
from tokenizers.unigram.em import MIN_COUNTS
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step
from tokenizers.wordpiece import top_down
from tokenizers.wordpiece.matching import match_steps

FORMAT = "piece-by-piece trace"
VERSION = 1
DIGITS = 12  # significant digits of a number

TraceJson = dict[str, Any]


def as_json(content: TraceJson) -> str:
    """Return a trace as JSON text with its format and version."""
    return json.dumps({"format": FORMAT, "version": VERSION, **content}, separators=(",", ":"))


# --- Training by merging --------------------------------------------------------------------------


def of_merging(trace: Trace) -> TraceJson:
    """Return the trace of a BPE or WordPiece run."""
    settings, corpus = trace.settings, trace.corpus
    is_wordpiece = isinstance(settings, wordpiece.Settings)
    return {
        "kind": "merging",
        "algorithm": "wordpiece" if is_wordpiece else "bpe",
        "worth": "score" if is_wordpiece and settings.by_score else "count",
        "ties": settings.ties,
        "mark": settings.mark if is_wordpiece else "",
        "min_count": settings.min_count,
        "longest": None if is_wordpiece else settings.max_token_length,
        "end_mark": settings.end_mark if settings.base == "end_of_word" else "",
        "pipeline": asdict(corpus.pipeline),
        "alphabet": trace.alphabet,
        "words": [
            {"word": word, "count": count, "symbols": settings.symbols(word)}
            for word, count in corpus.word_counts.items()
        ],
        "steps": [_merge(trace, k) for k in range(1, len(trace) + 1)],
        "stopped": trace.stop_reason,
        **_crossing(trace),
    }


def _crossing(trace: Trace) -> TraceJson:
    """Return when merges may cross spaces; nothing if they never may."""
    settings = trace.settings
    if not isinstance(settings, SuperwordSettings):
        return {}
    inside = num_inside(trace.pairs, settings)
    return {"crossing": {"rule": settings.crossing, "inside": inside}}


def _merge(trace: Trace, k: int) -> TraceJson:
    return {
        "pair": trace.pairs[k - 1],
        "token": trace.tokens[k - 1],
        "count": trace.counts[k - 1],
        "part_counts": trace.part_counts[k - 1],
        "tied": trace.num_tied[k - 1],
        "merged": trace.num_applied[k - 1],
        "vocab_size": trace.vocab_sizes[k],
        "num_tokens": trace.num_tokens[k],
    }


# --- Training from the top down -------------------------------------------------------------------


def of_top_down(
    corpus: Corpus,
    settings: top_down.TopDownSettings,
    steps: Iterable[top_down.ThresholdRound | top_down.ThresholdTrial],
) -> TraceJson:
    """Return the trace of a top-down WordPiece run, as in TensorFlow Text's trainer."""
    counts = corpus.word_counts.values()
    return {
        "kind": "top down",
        "settings": asdict(settings),
        "pipeline": asdict(corpus.pipeline),
        "words": top_down.training_words(corpus, settings),
        "counts_between": [min(counts, default=0), max(counts, default=0)],
        "steps": [
            _round(one)
            if isinstance(one, top_down.ThresholdRound)
            else {"step": "threshold", **asdict(one)}
            for one in steps
        ],
    }


def _round(step: top_down.ThresholdRound) -> TraceJson:
    return {
        "step": "round",
        "threshold": step.threshold,
        "number": step.number,
        "num_candidates": step.num_candidates,
        "candidates": [(one.piece, one.count, one.left, one.kept) for one in step.candidates],
        "size": len(step.vocab),
    }


# --- Encoding -------------------------------------------------------------------------------------

MergedWord = tuple[str, Split, Sequence[MergeStep]]
"""A word, its base symbols, and the merges applied to them."""


def of_merged_words(
    words: Iterable[MergedWord], rank_of: Callable[[Pair], int | None], mark: str = ""
) -> TraceJson:
    """Return the trace of encoding words by merge ranks, with every candidate pair's rank."""
    ranks: dict[Pair, int] = {}
    rows_of_words = []
    for word, symbols, steps in words:
        splits = _splits(symbols, steps, mark)
        for split in splits:
            for pair in pairwise(split):
                if (rank := rank_of(pair)) is not None:
                    ranks[pair] = rank
        applied = [
            {"rank": step.rank, "pair": step.pair, "start": step.start, "dropped": step.dropped}
            for step in steps
        ]
        rows_of_words.append(
            {"word": word, "symbols": symbols, "steps": applied, "pieces": splits[-1]}
        )
    rows = [(*pair, rank) for pair, rank in sorted(ranks.items(), key=lambda item: item[1])]
    return {"kind": "merging a text", "mark": mark, "ranks": rows, "words": rows_of_words}


def _splits(symbols: Split, steps: Sequence[MergeStep], mark: str) -> list[Split]:
    """Return the split before the first merge and after each one."""
    texts, splits = dict(enumerate(symbols)), [symbols]
    for step in steps:
        texts[step.start] = merged_token(step.pair, mark)
        del texts[step.middle]
        splits.append(tuple(texts.values()))
    return splits


def of_matched_words(words: Iterable[str], vocab: Mapping[str, int], mark: str) -> TraceJson:
    """Return the trace of encoding words by the longest match."""
    rows = [
        {"word": word, "steps": [asdict(step) for step in match_steps(word, vocab, mark)]}
        for word in dict.fromkeys(words)
    ]
    found = {piece for row in rows for piece in _candidates(row["word"], mark) if piece in vocab}
    return {"kind": "matching a text", "mark": mark, "pieces": sorted(found), "words": rows}


def _candidates(word: str, mark: str) -> Iterable[str]:
    for start in range(len(word)):
        for end in range(start + 1, len(word) + 1):
            yield (mark if start else "") + word[start:end]


# --- A lattice ------------------------------------------------------------------------------------


def of_lattice(lattice: Lattice) -> TraceJson:
    """Return a lattice's trace, with its edges, the values at its positions and its best path."""
    return {
        "kind": "lattice",
        "text": lattice.text,
        "edges": [
            {**asdict(edge), "log_prob": _number(edge.log_prob), "posterior": _number(share)}
            for edge, share in zip(lattice.edges, posteriors(lattice), strict=True)
        ],
        "viterbi": list(map(_number, viterbi_values(lattice))),
        "forward": list(map(_number, forward_values(lattice))),
        "backward": list(map(_number, backward_values(lattice))),
        "best": best_path(lattice),
    }


def _number(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


# --- Training by EM and pruning -------------------------------------------------------------------


def of_unigram(trace: UnigramTrace) -> TraceJson:
    """Return the trace of a Unigram run, with the complete tables of every step."""
    return {
        "kind": "unigram",
        "settings": asdict(trace.settings),
        "rarest": MIN_COUNTS.get(trace.settings.m_step, 0.0),
        "pipeline": asdict(trace.corpus.pipeline),
        "words": dict(trace.word_counts),
        "steps": [{**_step(step), "log_probs": as_table(step.log_probs)} for step in trace.steps],
        "stopped": trace.stop_reason,
    }


def _step(step: Step) -> TraceJson:
    match step:
        case Seed():
            return {"step": "seed", "counts": as_table(step.counts)}
        case Expectation():
            names = ("log_likelihood", "q", "entropy", "best_log_prob", "unknown")
            figures = {name: _number(getattr(step, name)) for name in names}
            return {"step": "expectation", "expected": as_table(step.expected_counts), **figures}
        case Maximization():
            return {"step": "maximization", "dropped": list(step.dropped)}
        case Prune():
            losses = as_table(step.losses)
            return {
                "step": "pruning",
                "order": [(piece, losses[piece]) for piece in step.order],
                "removed": step.removed,
            }
        case Finalize():
            return {"step": "final", "added": list(step.added), "cut": list(step.cut)}


def as_table(rows: Mapping[str, float]) -> dict[str, float | None]:
    """Return each piece's number, rounded as in a trace."""
    return {piece: _number(value) for piece, value in rows.items()}
