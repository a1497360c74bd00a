"""The formulas for a lattice with numbers inserted, in nats."""

import math
from collections.abc import Sequence

from pages.lattice.frame_helpers import reachable_edges
from pages.shared.drawing.formulas import TERMS, aligned_lines
from pages.shared.drawing.phrasing import format_sum, format_sums
from tokenizers.lattice import LOG_ZERO, Lattice, NodeScore, Path

DOTS = r"\cdots"


def arrival_formula(
    lattice: Lattice, values: Sequence[float], step: NodeScore, is_sum: bool
) -> str:
    r"""Return the value of a position as LaTeX for KaTeX, in three lines.

    `values` has the best scores or, if `is_sum`, the forward values of all positions.

    >>> from tokenizers.lattice import viterbi_steps, viterbi_values
    >>> lattice = Lattice.build("at", {"a": -1, "t": -2, "at": -2.5})
    >>> *_, last = viterbi_steps(lattice)
    >>> print(arrival_formula(lattice, viterbi_values(lattice), last, is_sum=False))
    \begin{aligned}
    \text{best}[2] &= \max_{p}\,(\text{best}[i_p] + \log P(p))\\
    &= \max(0 - 2.5,\ -1 - 2)\\
    &= -2.5\text{ nats}
    \end{aligned}
    """
    name = r"\alpha" if is_sum else r"\text{best}"
    each = rf"{name}[i_p] + \log P(p)"
    edges = [lattice.edges[n] for n in reachable_edges(step)]
    sums = [(values[edge.start], edge.log_prob) for edge in edges]
    return _value(rf"{name}[{step.position}]", each, sums, step, is_sum)


def backward_formula(lattice: Lattice, values: Sequence[float], step: NodeScore) -> str:
    r"""Return a position's backward value as LaTeX; `values` has all positions' backward values.

    >>> from tokenizers.lattice import backward_steps, backward_values
    >>> lattice = Lattice.build("at", {"a": -1, "t": -2, "at": -2.5})
    >>> *_, last = backward_steps(lattice)
    >>> print(backward_formula(lattice, backward_values(lattice), last))
    \begin{aligned}
    \beta[0] &= \log \sum_{p} e^{\log P(p) + \beta[j_p]}\\
    &= \log\left(e^{-1 - 2} + e^{-2.5 + 0}\right)\\
    &= -2.026\text{ nats}
    \end{aligned}
    """
    each = r"\log P(p) + \beta[j_p]"
    edges = [lattice.edges[n] for n in reachable_edges(step)]
    sums = [(edge.log_prob, values[edge.end]) for edge in edges]
    return _value(rf"\beta[{step.position}]", each, sums, step, is_sum=True)


def _value(
    name: str, each: str, sums: Sequence[tuple[float, float]], step: NodeScore, is_sum: bool
) -> str:
    largest = max(sums, key=sum, default=())
    *added, (_, most) = _sums([*sums[:TERMS], largest])
    rounded = [[format_sum([value], 3)[1] for value in pair] for pair in sums[:TERMS]]
    shown = [_joined(pair, "0")[0] for pair in rounded] if is_sum else [one for one, _ in added]
    if len(sums) > TERMS:
        shown.append(DOTS)
    if is_sum:
        rule = rf"\log \sum_{{p}} e^{{{each}}}"
        powers = " + ".join(f"e^{{{term}}}" for term in shown)
        put_in = rf"\log\left({powers}\right)"
    else:
        sums_text = r",\ ".join(shown)
        rule, put_in = rf"\max_{{p}}\,({each})", rf"\max({sums_text})"
    value = _nats(step.value) if is_sum or not sums else most
    lines = [rf"{name} &= {rule}\\", rf"&= {put_in}\\", rf"&= {value}\text{{ nats}}"]
    return aligned_lines(lines if sums else [lines[0], lines[2]])


def path_formula(lattice: Lattice, path: Path, log_z: float) -> str:
    r"""Return a segmentation's log probability and posterior share as LaTeX.

    >>> lattice = Lattice.build("at", {"a": -1, "t": -2, "at": -2.5})
    >>> print(path_formula(lattice, (0, 2), -2.03))
    \begin{aligned}
    \log P(\mathbf{v}) &= \sum_t \log P(v_t)\\
    &= -1 - 2 = -3\text{ nats}\\
    P(\mathbf{v} \mid \text{text}) &= e^{\log P(\mathbf{v}) - \log Z}\\
    &= e^{-3 + 2.03} = 0.379
    \end{aligned}
    """
    logs = [lattice.edges[number].log_prob for number in path]
    ((summed, whole),) = _sums([logs])
    terms = summed.split(" ")[: 2 * TERMS - 1]
    if len(logs) > TERMS:
        terms.append(f"+ {DOTS}")
    total = math.fsum(logs)
    lines = (
        r"\log P(\mathbf{v}) &= \sum_t \log P(v_t)\\",
        rf"&= {' '.join(terms) or '0'} = {whole}\text{{ nats}}\\",
        r"P(\mathbf{v} \mid \text{text}) &= e^{\log P(\mathbf{v}) - \log Z}\\",
        rf"&= e^{{{_nats(total)} {_signed(-log_z)}}} = {math.exp(total - log_z):.3g}",
    )
    return aligned_lines(lines)


def _sums(sums: Sequence[Sequence[float]]) -> list[tuple[str, str]]:
    """Return each sum's terms, joined by signs, and its value.

    All numbers have the same number of digits, and the rounded terms add up to the value.

    >>> _sums([[-2.5, -1.25], []])
    [('-2.5 - 1.25', '-3.75'), ('', '0')]
    """
    return [_joined(terms, total) for terms, total in format_sums(sums, 3)]


def _joined(terms: Sequence[str], total: str) -> tuple[str, str]:
    longest = max((len(term.partition(".")[2]) for term in terms), default=0)
    first, *others = [_short(term, longest) for term in terms] or [""]
    signs = [f" - {term[1:]}" if term.startswith("-") else f" + {term}" for term in others]
    return "".join((first, *signs)), _short(total, longest)


def _short(written: str, digits: int) -> str:
    """Return a formatted number with an ASCII minus and without trailing zeros, for KaTeX."""
    plain = written.replace("−", "-").replace(",", "")
    return plain.rstrip("0").rstrip(".") if digits and "." in plain else plain


def _nats(value: float) -> str:
    return r"-\infty" if value == LOG_ZERO else f"{value:.4g}"


def _signed(value: float) -> str:
    return f"- {-value:.4g}" if value < 0 else f"+ {value:.4g}"
