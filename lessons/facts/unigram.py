"""Facts about a Unigram training run.

Position k shows the state after step k. The steps are the seed, then rounds of E steps, M steps and
pruning. Some fields describe the model after step k, others the last E step or pruning up to k. Log
probabilities and likelihoods are in nats, losses in the run's unit, which may be base 10.
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from lessons.facts.base import RunFacts, require, text_of
from lessons.format.errors import LessonLookupError, among, entry, unknown
from lessons.format.words import (
    MarkedText,
    Tokens,
    decimal,
    estimated,
    in_row,
    join_list,
    name_list,
)
from tokenizers.lattice import Lattice, best_path, entropy, expected_counts, forward_values
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.unigram import UNKNOWN_PENALTY
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed, Step

PHASES: dict[str, type] = {
    "seed": Seed,
    "expectation": Expectation,
    "maximization": Maximization,
    "prune": Prune,
    "finalize": Finalize,
}
MOST_NAMED = 12
FELL = 1e-9  # relative decrease of the log-likelihood that counts as a fall
S = TypeVar("S", Expectation, Prune)


@dataclass(frozen=True, slots=True)
class UnigramFacts(RunFacts[UnigramTrace]):
    """A run of Unigram training."""

    def tokens(self) -> Tokens:
        """Return the seed pieces."""
        return tuple(self.trace.seed.pieces) if self.trace.steps else ()

    def step(self, at: int) -> Step:
        """Return the step that leads to a position. Raises LessonLookupError at the start."""
        if not at:
            raise LessonLookupError("At the start there is no model yet. Set at to a later moment.")
        return self.trace.steps[at - 1]

    def newest(self, at: int, kind: type[S]) -> S:
        """Return the newest step of a kind up to a position. Raises LessonLookupError if none."""
        found = [step for step in self.trace.steps[:at] if isinstance(step, kind)]
        if not found:
            message = f"There is no {kind.__name__} step up to here. Set at to a later moment."
            raise LessonLookupError(message)
        return found[-1]

    def probability(self, at: int, piece: str) -> float:
        """Return a piece's probability after a step. Raises LessonLookupError if it has none."""
        logs = self.step(at).log_probs
        return math.exp(logs[among(piece, logs, "is not in the vocabulary at this step")])

    def split(self, at: int, word: str) -> Tokens:
        """Return the most probable pieces of a word after a step."""
        self.step(at)
        lattice = self.lattice(at, word)
        return lattice.pieces(best_path(lattice) or ())

    def lattice(self, at: int, word: str) -> Lattice:
        """Return the lattice of a word under the model after a step."""
        logs = self.trace.state(at)
        return Lattice.build(word, logs, min(logs.values(), default=0.0) - UNKNOWN_PENALTY)

    def loss(self, step: Prune, piece: str) -> float:
        """Return the loss of a piece in the run's unit. Raises LessonLookupError if it has none."""
        if piece not in step.losses:
            message = f"“{piece}” has no loss at this step. There are: {name_list(step.order, 12)}."
            raise LessonLookupError(message)
        nats = step.losses[piece]
        return nats / math.log(10) if self.trace.settings.log_base == "base10" else nats

    def falls(self) -> list[int]:
        """Return the numbers of the E steps with a lower log-likelihood than the one before."""
        steps = enumerate(self.trace.steps, start=1)
        found = [(k, step.log_likelihood) for k, step in steps if isinstance(step, Expectation)]
        return [k for (_, before), (k, now) in pairwise(found) if now < before - FELL * abs(before)]

    def find_phase(self, value: Any) -> int:
        """The first step of a phase."""
        return self.find_round({"phase": value})

    def find_round(self, value: Any) -> int:
        """The step given by round, phase, and pass (the sub-iteration of E or M steps)."""
        wanted = dict(value) if isinstance(value, dict) else {"round": value}
        for key in wanted:
            if key not in ("round", "phase", "pass"):
                raise LessonLookupError(unknown(key, ("round", "phase", "pass"), "a round has no"))
        phase = wanted.get("phase", "prune" if "round" in wanted else "seed")
        kind = entry(PHASES, phase, "there is no phase")
        for k, step in enumerate(self.trace.steps, start=1):
            fits = isinstance(step, kind) and step.round == wanted.get("round", step.round)
            if fits and getattr(step, "sub_iteration", 1) == wanted.get("pass", 1):
                return k
        rounds = max((step.round for step in self.trace.steps), default=0)
        raise LessonLookupError(
            f"There is no such step: this run has {rounds} rounds. Look at its picture."
        )

    def find_pruned(self, value: Any) -> int:
        """The pruning that removes a piece."""
        piece = text_of(value, 'pruned = "un"')
        prunes = [(k, s) for k, s in enumerate(self.trace.steps, 1) if isinstance(s, Prune)]
        found = next((k for k, step in prunes if piece in step.removed), None)
        if found is None:
            gone = name_list([piece for _, step in prunes for piece in step.removed], 12)
            raise LessonLookupError(f"“{piece}” is never pruned in this run. Pruned are: {gone}.")
        return found

    def find_falls(self, value: Any) -> int:
        """The first E step with a lower log-likelihood than the previous E step."""
        if not self.falls():
            raise LessonLookupError(
                "The log-likelihood never falls in this run. Choose another moment."
            )
        return self.falls()[0]

    def field_round(self, at: int, argument: str) -> MarkedText:
        """The number of this round."""
        return (f"{self.step(at).round:,}",)

    def field_pieces(self, at: int, argument: str) -> MarkedText:
        """The number of pieces after this step."""
        return (f"{len(self.step(at).log_probs):,}",)

    def field_vocabulary(self, at: int, argument: str) -> MarkedText:
        """The pieces after this step, truncated to the first few."""
        pieces = list(self.step(at).log_probs)
        more = [] if len(pieces) <= MOST_NAMED else [(f"{len(pieces) - MOST_NAMED:,} more",)]
        return join_list([*[(("token", piece),) for piece in pieces[:MOST_NAMED]], *more])

    def field_log_likelihood(self, at: int, argument: str) -> MarkedText:
        """The log-likelihood in nats at the newest E step, or at the 2nd: `{log_likelihood:2}`."""
        steps = [step for step in self.trace.steps if isinstance(step, Expectation)]
        if not argument:
            return (decimal(self.newest(at, Expectation).log_likelihood, 3),)
        if not argument.isdecimal() or not 0 < int(argument) <= len(steps):
            raise LessonLookupError(
                f"This run has E steps 1 to {len(steps)}. Write: {{log_likelihood:1}}"
            )
        return (decimal(steps[int(argument) - 1].log_likelihood, 3),)

    def field_likelihood_base10(self, at: int, argument: str) -> MarkedText:
        """The log-likelihood in base 10, as in some sources."""
        return (decimal(self.newest(at, Expectation).log_likelihood / math.log(10), 3),)

    def field_best_likelihood(self, at: int, argument: str) -> MarkedText:
        """The log probability of the best segmentations alone, in nats, at the newest E step."""
        return (decimal(self.newest(at, Expectation).best_log_prob, 3),)

    def field_best_base10(self, at: int, argument: str) -> MarkedText:
        """The log probability of the best segmentations in base 10."""
        return (decimal(self.newest(at, Expectation).best_log_prob / math.log(10), 3),)

    def field_q(self, at: int, argument: str) -> MarkedText:
        """Q, the expected log probability, at the newest E step, in nats."""
        return (decimal(self.newest(at, Expectation).q, 3),)

    def field_entropy(self, at: int, argument: str) -> MarkedText:
        """The entropy of the segmentations at the newest E step, in nats."""
        return (decimal(self.newest(at, Expectation).entropy, 3),)

    def field_likelihood_after(self, at: int, argument: str) -> MarkedText:
        """The log-likelihood under the probabilities after this step, in nats."""
        return (decimal(self._after(at)[0], 3),)

    def field_q_after(self, at: int, argument: str) -> MarkedText:
        """Q under the probabilities after this step, in nats."""
        likelihood, undecided = self._after(at)
        return (decimal(likelihood - undecided, 3),)

    def field_entropy_after(self, at: int, argument: str) -> MarkedText:
        """The entropy of the segmentations under the probabilities after this step, in nats."""
        return (decimal(self._after(at)[1], 3),)

    def _after(self, at: int) -> tuple[float, float]:
        """Return the log-likelihood of the words and the entropy of their segmentations."""
        self.step(at)
        counts = self.trace.word_counts
        lattices = [(count, self.lattice(at, word)) for word, count in counts.items()]
        likelihood = sum(count * forward_values(one)[-1] for count, one in lattices)
        return likelihood, sum(count * entropy(one) for count, one in lattices)

    def field_tokens(self, at: int, argument: str) -> MarkedText:
        """The number of tokens of the best segmentations at the newest E step."""
        return (f"{self.newest(at, Expectation).num_tokens:,}",)

    def field_expected(self, at: int, argument: str) -> MarkedText:
        """`{expected:un}`: the expected count of a piece (default: all) at the newest E step."""
        counts = self.newest(at, Expectation).expected_counts
        if not argument:
            return (estimated(float(counts.array.sum())),)
        return (estimated(counts.get(argument, 0.0)),)

    def field_where(self, at: int, argument: str) -> MarkedText:
        """`{where:un}`: the words with a piece, their counts and the piece's expected counts."""
        piece, step = require(argument, "where:un"), self.newest(at, Expectation)
        logs = step.log_probs.dict()
        held: list[MarkedText] = []
        for word, count in self.trace.word_counts.items():
            lattice = Lattice.build(word, logs, min(logs.values()) - UNKNOWN_PENALTY)
            each = self._uses(lattice, piece)
            if each:
                share = f"{each:,.0f}" if each.is_integer() else decimal(each, 4)
                held.append((f"{count:,} · {share} for ", ("word", word)))
        return join_list(held[:MOST_NAMED]) or ("none",)

    def _uses(self, lattice: Lattice, piece: str) -> float:
        """Return how often this run's E step finds a piece in a word."""
        if self.trace.settings.e_step == "max":
            return float(lattice.pieces(best_path(lattice) or ()).count(piece))
        return expected_counts(lattice).get(piece, 0.0)

    def field_counted(self, at: int, argument: str) -> MarkedText:
        """`{counted:un}`: the number of occurrences of a seed piece in the text."""
        counts = self.trace.seed.counts
        piece = among(require(argument, "counted:un"), counts, "was not a candidate")
        return (f"{counts[piece]:,.10g}",)

    def field_probability(self, at: int, argument: str) -> MarkedText:
        """`{probability:un}`: the probability of a piece after this step."""
        return (estimated(self.probability(at, require(argument, "probability:un"))),)

    def field_before(self, at: int, argument: str) -> MarkedText:
        """`{before:un}`: the probability of a piece before this step."""
        return (estimated(self.probability(at - 1, require(argument, "before:un"))),)

    def field_split(self, at: int, argument: str) -> MarkedText:
        """`{split:bug}`: the most probable pieces of a word after this step."""
        return in_row(self.split(at, require(argument, "split:bug")))

    def field_loss(self, at: int, argument: str) -> MarkedText:
        """`{loss:un}`: the loss of removing a piece at the newest pruning, in the run's unit."""
        return (decimal(self.loss(self.newest(at, Prune), require(argument, "loss:un")), 3),)

    def field_alternative(self, at: int, argument: str) -> MarkedText:
        """`{alternative:un}`: the split that replaces a piece, at the newest pruning."""
        splits, piece = self.newest(at, Prune).alternatives, require(argument, "alternative:un")
        if piece not in splits:
            raise LessonLookupError(
                f"This run computes no other split of “{piece}”. Ask for another piece."
            )
        return in_row(splits[piece])

    def field_removed(self, at: int, argument: str) -> MarkedText:
        """The pieces removed by the newest pruning."""
        removed = self.newest(at, Prune).removed
        return join_list([(("token", piece),) for piece in removed]) or ("none",)
