"""The formulas of Unigram training with their numbers in them; all in nats."""

import math

from pages.shared.drawing.formulas import aligned
from pages.shared.drawing.phrases import adding_up
from pages.unigram.comparison import Terms
from tokenizers.unigram.steps import Expectation

FEW = 4  # parts of a split that are written out


def likelihood_formula(step: Expectation) -> str:
    r"""Return L = Q + H as LaTeX for KaTeX, in three lines."""
    (q, entropy), whole = adding_up([step.q, step.entropy])
    lines = (
        r"\mathcal{L} &= Q + H\\",
        rf"&= {_latex(q)} + {_latex(entropy)}\\",
        rf"&= {_latex(whole)}\text{{ nats}}",
    )
    return aligned(lines)


def maximization_formula(count: float, total: float, value: float, by_digamma: bool) -> str:
    r"""Return the new probability of a piece as LaTeX for KaTeX, in three lines.

    >>> print(maximization_formula(14.2, 512, 14.2 / 512, False))
    \begin{aligned}
    P(x) &= \frac{\hat{c}(x)}{\sum_y \hat{c}(y)}\\
    &= \frac{14.2}{512}\\
    &= 0.0277
    \end{aligned}
    """
    counts = (r"\hat{c}(x)", r"\sum_y \hat{c}(y)")
    numbers = (_number(count), _number(total))
    if by_digamma:
        counts, numbers = (
            tuple(rf"e^{{\psi({part})}}" for part in parts) for parts in (counts, numbers)
        )
    lines = (
        rf"P(x) &= \frac{{{counts[0]}}}{{{counts[1]}}}\\",
        rf"&= \frac{{{numbers[0]}}}{{{numbers[1]}}}\\",
        f"&= {_p(value)}",
    )
    return aligned(lines)


def start_formula(weight: float, total: float) -> str:
    r"""Return the first probability of a candidate as LaTeX for KaTeX, in three lines."""
    lines = (
        r"P(x) &= \frac{w(x)}{\sum_y w(y)}\\",
        rf"&= \frac{{{_number(weight)}}}{{{_number(total)}}}\\",
        f"&= {_p(weight / total)}",
    )
    return aligned(lines)


def count_loss_formula(count: float, log_prob: float) -> str:
    r"""Return the loss of a piece by its expected count as LaTeX for KaTeX, in three lines."""
    lines = (
        r"\text{loss}(x) &= -\hat{c}(x)\cdot \log P(x)\\",
        rf"&= -{_number(count)}\cdot({_number(log_prob)})\\",
        rf"&= {_number(-count * log_prob)}\text{{ nats}}",
    )
    return aligned(lines)


def removal_formula(whole: float, loss: float, what: str) -> str:
    r"""Return the loss of a piece as the fall of `what`, a symbol, in three lines.

    >>> print(removal_formula(-54.5, 2.5, "Q"))
    \begin{aligned}
    \text{loss}(x) &= Q(V) - Q(V \setminus x)\\
    &= -54.50 - (-57.00)\\
    &= 2.50\text{ nats}
    \end{aligned}
    """
    digits = 2 - min(math.floor(math.log10(max(abs(loss), 1e-4))), 0)
    (rest, fall), before = adding_up([whole - loss, loss], digits)
    lines = (
        rf"\text{{loss}}(x) &= {what}(V) - {what}(V \setminus x)\\",
        rf"&= {_latex(before)} - ({_latex(rest)})\\",
        rf"&= {_latex(fall)}\text{{ nats}}",
    )
    return aligned(lines)


def alternative_formula(terms: Terms, loss: float) -> str:
    r"""Return the loss of a piece by its best alternative as LaTeX for KaTeX, in three lines."""
    used, total = _number(terms.used), _number(terms.total)
    whole = rf"{total} + {used}\cdot {terms.more}"
    parts = [rf"\log\frac{{{_number(part)} + {used}}}{{{whole}}}" for part in terms.parts[:FEW]] + [
        r"\cdots"
    ] * (len(terms.parts) > FEW)
    share = rf"\frac{{{used}}}{{{_number(terms.words)}}}"
    lines = (
        r"\text{loss}(x) &= \frac{f_x}{N}\left(\log\frac{f_x}{S} - "
        r"\sum_a \log\frac{f_a + f_x}{S + f_x\cdot m}\right)\\",
        rf"&= {share}\left(\log\frac{{{used}}}{{{total}}} - {' - '.join(parts)}\right)\\",
        rf"&= {_number(loss)}\text{{ nats}}",
    )
    return aligned(lines)


def _latex(written: str) -> str:
    """Return a number of a sentence as KaTeX takes it."""
    return written.replace("−", "-").replace(",", "{,}")


def _p(value: float) -> str:
    """Return a probability with the three digits that it has everywhere."""
    return _number(float(f"{value:.3g}"))


def _number(value: float) -> str:
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        return f"{value:.6g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
