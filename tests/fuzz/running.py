"""Runs drawn inputs, limits the time, and reports failures.

Input `n` of a seed is the same wherever it is drawn: to see a failure again, run it alone.
"""

import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import FrameType

from tests.fuzz.areas import AREAS
from tokenizers.errors import UserError

PATIENCE = (0.005, 0.02, 0.1)
"""Seconds of work after one of which a run is asked to stop, as a visitor would."""
SECONDS = 10.0
"""How long one input may keep the processor; others may keep it too, so no clock on the wall."""


class TooSlow(Exception):
    """An input took longer than it may."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an input: "done", or "refused" with a sentence, or "failed" with the trace."""

    area: str
    kind: str
    said: str
    seconds: float


def outcome(seed: int, n: int, only: str = "") -> Outcome:
    """Draw input `n` of a seed, of `only` one area if it is named, and do what there is to do."""
    rng = Random(f"{seed}:{n}")
    weights = [weight for _, weight in AREAS.values()]
    (drawn,) = rng.choices(list(AREAS), weights)
    area = only or drawn
    patience, begun = rng.choice(PATIENCE), time.process_time()

    def report(done: int, total: int) -> bool:
        return time.process_time() - begun > patience

    kind, said = "done", ""
    try:
        with _at_most(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)  # a number that is not finite, say
            AREAS[area][0](rng, report)
    except Exception as error:
        is_told = isinstance(error, UserError) and bool(str(error).strip())
        kind = "refused" if is_told else "failed"
        said = str(error) if is_told else traceback.format_exc()
    return Outcome(area, kind, said, time.process_time() - begun)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Raise TooSlow after so many seconds, where the system has a timer."""

    def ring(signum: int, frame: FrameType | None) -> None:
        raise TooSlow(f"longer than {seconds:g} seconds")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@dataclass(slots=True)
class Tally:
    """How many inputs there were, what came of them by area, and which failed."""

    counts: Counter[tuple[str, str]]
    failures: list[tuple[int, str]]
    slowest: tuple[float, int] = (0.0, -1)

    @property
    def inputs(self) -> int:
        """How many inputs were tried."""
        return sum(self.counts.values())

    def take(self, n: int, out: Outcome) -> None:
        """Count an outcome."""
        self.counts[out.area, out.kind] += 1
        self.slowest = max(self.slowest, (out.seconds, n))
        if out.kind == "failed":
            self.failures.append((n, f"input {n}, {out.area}:\n{out.said}"))


def run(seed: int, first: int, inputs: int | None, seconds: float | None, only: str = "") -> Tally:
    """Try inputs from number `first` on, so many or for so long."""
    tally, begun, n = Tally(Counter(), []), time.monotonic(), first
    while (inputs is None or n < first + inputs) and (
        seconds is None or time.monotonic() - begun < seconds
    ):
        tally.take(n, outcome(seed, n, only))
        n += 1
    return tally
