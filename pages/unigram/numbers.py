"""Format a Unigram run's counts, probabilities, likelihoods and losses as text."""

import math

from pages.shared.drawing.phrasing import times
from tokenizers.unigram.settings import Settings

PRACTICALLY_0 = 1e-6  # smaller values are shown as 0
MOST_TIMES = 10_000  # larger ratios are not distinguished
NOTHING = 1e-9  # nats: a smaller loss, or difference of losses, may be rounding
UNSEEN = 1e-3  # nats, or occurrences: a smaller change would be a riddle, not a number to compare
OBJECTIVES = {"exact": "Q", "likelihood": "L", "viterbi": "log p"}
"""What the removal of a piece changes, by loss, where the loss is its fall."""


def amount(value: float) -> str:
    """Return an expected count, or its change, as text.

    >>> amount(14.23), amount(0.0714), amount(12345.6), amount(3.0), amount(3.1e-93)
    ('14.2', '0.0714', '12,346', '3', 'practically 0')
    """
    if 0 < abs(value) < PRACTICALLY_0:
        return "practically 0"
    if value == round(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.1e}"
    return digits.replace("-", "−")


def times_of(value: float) -> str:
    """Return an expected number of occurrences as text.

    >>> times_of(14.23), times_of(1.0), times_of(0.9996)
    ('14.2 times', 'once', 'once')
    """
    text = amount(value)
    return times(int(text)) if text.isdigit() else f"{text} times"


def probability(value: float) -> str:
    """Return a probability as text; below one in a million it is practically 0.

    >>> probability(0.03125), probability(0.0000123), probability(9.9e-7)
    ('0.0312', '1.23e−05', 'practically 0')
    """
    if 0 < value < PRACTICALLY_0:
        return "practically 0"
    return f"{value:.3g}".replace("-", "−")


def log_of(value: float) -> str:
    """Return a log-likelihood or one of its parts as text, in nats.

    >>> log_of(-1204.6)
    '−1,204.60'
    """
    return f"{value:,.2f}".replace("-", "−")


def unit(settings: Settings) -> str:
    """Return the unit in which losses are shown."""
    return "base 10" if settings.log_base == "base10" else "nats"


def in_unit(loss: float, settings: Settings) -> float:
    """Return a loss, given in nats, in the unit in which it is shown."""
    return loss / math.log(10) if settings.log_base == "base10" else loss


def loss_of(loss: float, settings: Settings) -> str:
    """Return a loss with its unit.

    >>> loss_of(2.302585, Settings(log_base="base10")), loss_of(0.0, Settings())
    ('1 (base 10)', '0 nats')
    >>> loss_of(-2.374e-06, Settings())
    'practically 0 nats'
    """
    digits = digits_of(loss, settings)
    return f"{digits} (base 10)" if settings.log_base == "base10" else f"{digits} nats"


def digits_of(loss: float, settings: Settings) -> str:
    """Return a loss, given in nats, as a number in the unit in which it is shown.

    >>> digits_of(-1.5, Settings()), digits_of(0.0031209, Settings()), digits_of(3e-4, Settings())
    ('−1.5', '0.00312', 'practically 0')
    """
    if abs(loss) < UNSEEN:
        return "0" if abs(loss) < NOTHING else "practically 0"
    value = in_unit(loss, settings)
    digits = f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.3g}"
    return digits.replace("-", "−")


def change_by(loss: float, settings: Settings) -> str:
    """Return what a removal adds to or takes from Q, or whatever its loss is the fall of.

    >>> change_by(-0.109, Settings()), change_by(28.47, Settings()), change_by(-3e-4, Settings())
    ('+0.109', '−28.5', 'practically 0')
    """
    digits = digits_of(-loss, settings)
    return f"+{digits}" if digits[0].isdigit() and digits != "0" else digits


def effect_of(loss: float, settings: Settings, rises: str = "rises", falls: str = "falls") -> str:
    """Say what a removal does to Q, or to whatever its loss is the fall of.

    >>> effect_of(-0.109, Settings()), effect_of(2.374e-06, Settings())
    ('Q rises by 0.109 nats', 'Q practically stays the same')
    """
    what = OBJECTIVES[settings.loss]
    if abs(loss) < UNSEEN:
        return f"{what} {'' if abs(loss) < NOTHING else 'practically '}stays the same"
    return f"{what} {falls if loss > 0 else rises} by {loss_of(abs(loss), settings)}"


def change_of(before: float | None, now: float) -> str:
    """Return the change of a count, with its sign.

    >>> change_of(16.3, 14.2), change_of(None, 2.0), change_of(1.0, 1.5)
    ('− 2.1', '', '+ 0.5')
    """
    if before is None:
        return ""
    difference = float(f"{now - before:.12g}")
    if abs(difference) < PRACTICALLY_0:
        return ""
    return f"{'−' if difference < 0 else '+'} {amount(abs(difference))}"


def how_many_more(before: float, now: float) -> str:
    """Say how much a count has grown or shrunk, without a number that nobody could picture.

    >>> how_many_more(16.3, 14.2), how_many_more(1.0, 1.5), how_many_more(1.0, 0.9995)
    ('2.1 fewer', '0.5 more', 'hardly fewer')
    """
    difference = float(f"{abs(now - before):.12g}")
    number = "hardly" if difference < UNSEEN else amount(difference)
    return f"{number} {'more' if now > before else 'fewer'}"


def ratio_of(before: float | None, now: float) -> str:
    """Return the factor by which a probability changed.

    >>> ratio_of(0.02, 0.03), ratio_of(1e-30, 0.03)
    ('× 1.5', 'over × 10,000')
    """
    if not before:
        return ""
    ratio = now / before
    if ratio > MOST_TIMES:
        return f"over × {MOST_TIMES:,}"
    return f"× {ratio:.3g}" if ratio * MOST_TIMES > 1 else f"under × 1 / {MOST_TIMES:,}"


def number_of(text: str) -> float:
    """Return the number that a text of this module shows.

    >>> number_of("−1,204.60"), number_of("practically 0")
    (-1204.6, 0.0)
    """
    return float(text.replace("practically 0", "0").replace(",", "").replace("−", "-"))
