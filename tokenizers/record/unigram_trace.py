"""Traces of Unigram training runs. Each step holds whole tables, so no steps are replayed."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from tokenizers import unigram
from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import Settings
from tokenizers.unigram.steps import Finalize, PieceTable, Seed, Step
from tokenizers.unigram.training import train

_TOTAL = 1000


class _StopTraining(Exception):
    """Ends a run in the middle of a step."""


def _stopped_text(k: int) -> str:
    return f"you stopped it after {k:,} {'step' if k == 1 else 'steps'}"


@dataclass(slots=True, eq=False, weakref_slot=True)
class UnigramTrace:
    """A recorded run: the corpus, the settings, every step, and why it stopped.

    Steps are numbered from 1; step k is `steps[k - 1]`, and the first is always the `Seed`.
    """

    corpus: Corpus
    settings: Settings
    steps: list[Step] = field(default_factory=list[Step])
    stop_reason: str = ""

    @classmethod
    def record(
        cls, corpus: Corpus, settings: Settings, progress: ProgressCallback = ignore_progress
    ) -> "UnigramTrace":
        """Train on `corpus` and record it; `progress` is called several times a second.

        A run that is stopped keeps its finished steps.
        """
        trace = cls(corpus, settings)

        def check_cancelled(share: float) -> None:
            if progress(int(_TOTAL * trace.progress(share)), _TOTAL):
                raise _StopTraining

        run = train(corpus, settings, check_cancelled)
        while not trace.stop_reason:
            try:
                trace.steps.append(next(run))
                check_cancelled(0.0)
            except StopIteration as end:
                trace.stop_reason = end.value
            except _StopTraining:
                trace.stop_reason = _stopped_text(len(trace))
        return trace

    def __len__(self) -> int:
        return len(self.steps)

    def progress(self, share: float = 0.0) -> float:
        """Estimate how much of the run is done, from 0 to 1, by the number of pieces.

        `share` is the fraction of the current step that is done, from 0 to 1.
        """
        if not self.steps or isinstance(self.steps[-1], Finalize):
            return float(bool(self.steps))
        sizes = [max(len(step.log_probs), 2) for step in (self.steps[0], self.steps[-1])]
        goal = max(self.settings.desired, 2)
        total = math.log(max(sizes[0] / goal, 2.0))
        done = math.log(max(sizes[0] / sizes[1], 1.0))
        return min((done + 0.2 * share) / total, 0.99)

    @property
    def seed(self) -> Seed:
        """The first step. Raises IndexError if the run was stopped before it."""
        first = self.steps[0]
        assert isinstance(first, Seed)
        return first

    @property
    def word_counts(self) -> Mapping[str, int]:
        """The words that EM runs over, with their counts."""
        return self.seed.word_counts

    @property
    def num_characters(self) -> int:
        """The number of different characters that the run keeps as pieces."""
        return sum(len(piece) == 1 for piece in self.seed.pieces)

    def step(self, k: int) -> Step:
        """Return step `k`, counted from 1. Raises IndexError outside the run."""
        if not 1 <= k <= len(self):
            raise IndexError(f"there is no step {k}; the run has {len(self)}")
        return self.steps[k - 1]

    def model(self, k: int | None = None) -> unigram.Model:
        """Return the tokenizer after the first `k` steps, or after all of them."""
        log_probs = self.state(len(self) if k is None else k)
        vocab = unigram.vocabulary(log_probs)
        return unigram.Model(vocab, log_probs, pipeline=self.corpus.pipeline)

    def state(self, k: int) -> dict[str, float]:
        """Return the pieces after step `k` with their log probabilities, in the order of ids.

        Raises IndexError outside the run.
        """
        log_probs = self.step(k).log_probs
        return log_probs.dict() if isinstance(log_probs, PieceTable) else dict(log_probs)
