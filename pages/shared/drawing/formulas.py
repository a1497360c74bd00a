"""Write a formula as three lines of LaTeX that show its symbols, its numbers and its value."""

from collections.abc import Iterable
from itertools import pairwise

from tokenizers.record.trace import Trace

TERMS = 6  # words whose numbers are listed


def count_terms(trace: Trace, k: int) -> list[tuple[str, int, int]]:
    """Return (word, its count, occurrences of the pair in it) for the words changed by step `k`.

    The words with the most occurrences of the pair come first.
    """
    step = trace.step(k)
    counts = list(trace.corpus.word_counts.values())
    before = trace.state(k - 1)
    terms = [
        (trace.words[word], counts[word], list(pairwise(before.split(word))).count(step.pair))
        for word in step.changed_words
    ]
    return sorted(terms, key=lambda term: -term[1] * term[2])


def count_formula(terms: list[tuple[str, int, int]]) -> str:
    """Return the count of a pair as LaTeX.

    >>> print(count_formula([("newest", 6, 1), ("widest", 3, 1)]))
    \\begin{aligned}
    \\text{count}(a,b) &= \\sum_w f(w)\\cdot n_{ab}(w)\\\\
    &= 6\\cdot 1 + 3\\cdot 1\\\\
    &= 9\\text{ times}
    \\end{aligned}
    """
    shown = [rf"{count}\cdot {inside}" for _, count, inside in terms[:TERMS]]
    rest = sum(count * inside for _, count, inside in terms[TERMS:])
    if rest:
        shown.append(rf"\underbrace{{{rest}}}_{{\text{{the other words}}}}")
    symbols = r"\sum_w f(w)\cdot n_{ab}(w)"
    value = sum(count * inside for _, count, inside in terms)
    return evaluation(r"\text{count}(a,b)", symbols, " + ".join(shown), rf"{value}\text{{ times}}")


def score_formula(count: int, first: int, second: int) -> str:
    """Return the score of a pair as LaTeX.

    >>> print(score_formula(3, 3, 4))
    \\begin{aligned}
    \\text{score}(a,b) &= \\frac{f(ab)}{f(a)\\cdot f(b)}\\\\
    &= \\frac{3}{3\\cdot 4}\\\\
    &= 0.25
    \\end{aligned}
    """
    symbols = r"\frac{f(ab)}{f(a)\cdot f(b)}"
    numbers, value = (
        rf"\frac{{{count}}}{{{first}\cdot {second}}}",
        f"{count / (first * second):.4g}",
    )
    return evaluation(r"\text{score}(a,b)", symbols, numbers, value)


def score_text(count: int, parts: tuple[int, int]) -> str:
    """Return the score of a pair as text, with the counts of the pair and of its parts.

    >>> score_text(3, (3, 4))
    '3 / (3 × 4) = 0.25'
    """
    first, second = parts
    return f"{count:,} / ({first:,} × {second:,}) = {count / (first * second):.4g}"


def worth_text(trace: Trace, k: int) -> str:
    """Return as text the count or score for which the pair of merge `k` was chosen."""
    count = trace.counts[k - 1]
    return score_text(count, trace.part_counts[k - 1]) if trace.settings.by_score else f"{count:,}"


def evaluation(left: str, symbols: str, numbers: str, value: str) -> str:
    """Return three lines that equate `left` to `symbols`, `numbers` and `value`."""
    return aligned_lines((rf"{left} &= {symbols}\\", rf"&= {numbers}\\", f"&= {value}"))


def aligned_lines(lines: Iterable[str]) -> str:
    """Return lines of LaTeX, aligned at the `&` of each."""
    return "\n".join((r"\begin{aligned}", *lines, r"\end{aligned}"))
