"""The formulas of Unigram training with numbers inserted, in nats."""

import math

from pages.shared.drawing.formulas import evaluation
from pages.shared.drawing.phrasing import format_quotients, format_sum, read_formatted
from pages.unigram.comparison import AlternativeTerms
from tokenizers.unigram.steps import Expectation

FEW = 4  # parts of a split that are written out
NATS = r"\text{ nats}"


def likelihood_formula(step: Expectation) -> str:
    r"""Return L = Q + H as LaTeX for KaTeX, in three lines."""
    (q, entropy), whole = format_sum([step.q, step.entropy])
    numbers = f"{_latex(q)} + {_latex(entropy)}"
    return evaluation(r"\mathcal{L}", "Q + H", numbers, _latex(whole) + NATS)


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
    numbers = _quotient(count, total)
    if by_digamma:
        counts, numbers = (
            tuple(rf"e^{{\psi({part})}}" for part in parts) for parts in (counts, numbers)
        )
    return evaluation("P(x)", _fraction(*counts), _fraction(*numbers), _p(value))


def start_formula(weight: float, total: float) -> str:
    r"""Return a candidate's starting probability as LaTeX for KaTeX, in three lines."""
    symbols = _fraction("w(x)", r"\sum_y w(y)")
    numbers = _fraction(*_quotient(weight, total))
    return evaluation("P(x)", symbols, numbers, _p(weight / total))


def count_loss_formula(count: float, log_prob: float) -> str:
    r"""Return a piece's loss by its expected count as LaTeX for KaTeX, in three lines."""
    numbers = rf"-{_number(count)}\cdot({_number(log_prob)})"
    return _loss(r"-\hat{c}(x)\cdot \log P(x)", numbers, _rounded(-count * log_prob))


def removal_formula(whole: float, loss: float, symbol: str) -> str:
    r"""Return a piece's loss, the decrease of the quantity `symbol`, as LaTeX in three lines.

    >>> print(removal_formula(-54.5, 2.5, "Q"))
    \begin{aligned}
    \text{loss}(x) &= Q(V) - Q(V \setminus x)\\
    &= -54.50 - (-57.00)\\
    &= 2.50\text{ nats}
    \end{aligned}
    """
    digits = 2 - min(math.floor(math.log10(max(abs(loss), 1e-4))), 0)
    (rest, fall), before = format_sum([whole - loss, loss], digits)
    numbers = f"{_latex(before)} - ({_latex(rest)})"
    return _loss(rf"{symbol}(V) - {symbol}(V \setminus x)", numbers, _latex(fall))


def alternative_formula(terms: AlternativeTerms, loss: float) -> str:
    r"""Return a piece's loss by its best alternative as LaTeX for KaTeX, in three lines."""
    used, total = _number(terms.used), _number(terms.total)
    whole = rf"{total} + {used}\cdot {terms.more}"
    parts = [rf"\log{_fraction(f'{_number(part)} + {used}', whole)}" for part in terms.parts[:FEW]]
    if len(terms.parts) > FEW:
        parts.append(r"\cdots")
    share, first = _fraction(used, _number(terms.words)), rf"\log{_fraction(used, total)}"
    symbols = (
        r"\frac{f_x}{N}\left(\log\frac{f_x}{S} - "
        r"\sum_a \log\frac{f_a + f_x}{S + f_x\cdot m}\right)"
    )
    numbers = rf"{share}\left({first} - {' - '.join(parts)}\right)"
    return _loss(symbols, numbers, _rounded(loss))


def _loss(symbols: str, numbers: str, value: str) -> str:
    return evaluation(r"\text{loss}(x)", symbols, numbers, value + NATS)


def _fraction(above: str, below: str) -> str:
    return rf"\frac{{{above}}}{{{below}}}"


def _latex(written: str) -> str:
    """Return a formatted number with its minus sign and commas written for KaTeX."""
    return written.replace("−", "-").replace(",", "{,}")


def _quotient(part: float, whole: float) -> tuple[str, str]:
    """Return a part and the whole so that, divided as they are written, they give `_p`."""
    (above,), below = format_quotients([part], whole, _p)
    return _number(read_formatted(above)), _number(read_formatted(below))


def _p(value: float) -> str:
    """Return a probability with three significant digits."""
    return _rounded(value, 3)


def _rounded(value: float, digits: int = 4) -> str:
    """Return a result with fewer digits than what it is computed from, which is rounded, too."""
    return _number(float(f"{value:.{digits}g}"))


def _number(value: float) -> str:
    if value == 0 or 1e-4 <= abs(value) < 1e7:
        return f"{value:.6g}"
    mantissa, exponent = f"{value:.3e}".split("e")
    return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
