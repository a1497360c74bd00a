"""Facts about a lattice, either filled in from the left or with its segmentations listed.

While filling, the picture's position p is position p of the text, and its last position shows the
result. While listing, position k shows the state after the k-th hypothesis is popped from the
queue. Log probabilities are in nats. A path is written as in `{path:hell o}`: pieces and spaces.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from lessons.facts.base import PictureFacts, require, text_of, whole_number
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import (
    RichText,
    Tokens,
    decimal,
    estimated,
    in_row,
    join_list,
    name_list,
    percent,
)
from tokenizers.lattice import (
    TIE_EPS,
    Lattice,
    NodeScore,
    Path,
    best_by_length,
    best_path,
    by_length,
    entropy,
    expected_counts,
    forward_values,
    num_segmentations,
    posteriors,
    score_gaps,
    viterbi_steps,
    viterbi_values,
)
from tokenizers.lattice.hidden_markov import State, forward_by_state
from tokenizers.lattice.n_best import NBestStep, n_best_steps, segmentations
from tokenizers.lattice.sampling import Sampler

MOST_LISTED = 20  # segmentations, as in the recording
MOST_STEPS = 400
MOST_RANKED = 1_000


@dataclass(frozen=True, slots=True)
class LatticeFacts(PictureFacts):
    """Facts common to both pictures of a lattice."""

    lattice: Lattice
    prior: Mapping[int, float]

    def tokens(self) -> Tokens:
        """Return the pieces on the edges of the lattice."""
        return tuple(dict.fromkeys(edge.piece for edge in self.lattice.edges))

    def best(self) -> Path:
        """Return the best path. Raises LessonLookupError if there is none."""
        path = best_path(self.lattice)
        if path is None:
            raise LessonLookupError("These pieces cannot spell the text. Add the ones it lacks.")
        return path

    def path(self, written: str) -> Path:
        """Parse a path, such as "hell o". Raises LessonLookupError if there is no such path."""
        try:
            return self.lattice.path(written.split(" ") if written else ())
        except (ValueError, IndexError):
            there = name_list((" ".join(one) for one in self.ranked(6)), 6)
            message = f"“{written}” is not a way to split {self.lattice.text}. There are: {there}."
            raise LessonLookupError(message) from None

    def ranked(self, most: int = MOST_RANKED) -> list[Tokens]:
        """Return the segmentations, the most probable first."""
        return [self.lattice.pieces(path) for path in segmentations(self.lattice, most)]

    def is_tied(self, path: Path) -> bool:
        """Return whether a path is as probable as the best, up to rounding."""
        return self.lattice.log_prob(path) > self.lattice.log_prob(self.best()) - TIE_EPS

    def field_text(self, at: int, argument: str) -> RichText:
        """The text to split."""
        return (("word", self.lattice.text),)

    def field_ways(self, at: int, argument: str) -> RichText:
        """The number of segmentations of the text."""
        return (f"{num_segmentations(self.lattice):,}",)

    def field_pieces(self, at: int, argument: str) -> RichText:
        """The pieces on the edges of the lattice."""
        return in_row(self.tokens())

    def field_best(self, at: int, argument: str) -> RichText:
        """The most probable segmentation."""
        return in_row(self.lattice.pieces(self.best()))

    def field_path(self, at: int, argument: str) -> RichText:
        """`{path:hell o}`: the log probability of a segmentation, by default of the best."""
        path = self.path(argument) if argument else self.best()
        return (decimal(self.lattice.log_prob(path)),)

    def field_product(self, at: int, argument: str) -> RichText:
        """`{product:hell o}`: the probability of a segmentation, by default of the best."""
        path = self.path(argument) if argument else self.best()
        return (estimated(math.exp(self.lattice.log_prob(path))),)

    def field_behind(self, at: int, argument: str) -> RichText:
        """`{behind:h e ll o}`: by how many nats a segmentation is less probable than the best."""
        gaps = score_gaps(self.lattice, self.path(require(argument, "behind:h e ll o")))
        return (decimal(gaps[-1].nats if gaps else 0.0),)

    def field_rank(self, at: int, argument: str) -> RichText:
        """`{rank:h e ll o}`: the rank of a segmentation among all, 1 for the best."""
        self.path(require(argument, "rank:h e ll o"))
        ranked = self.ranked()
        wanted = tuple(argument.split(" "))
        return (f"{ranked.index(wanted) + 1:,}" if wanted in ranked else f"over {MOST_RANKED:,}",)

    def field_probability(self, at: int, argument: str) -> RichText:
        """`{probability:hell}`: the probability of a piece."""
        return (estimated(math.exp(self._log(require(argument, "probability:hell")))),)

    def field_log_prob(self, at: int, argument: str) -> RichText:
        """`{log_prob:hell}`: the log probability of a piece."""
        return (decimal(self._log(require(argument, "log_prob:hell"))),)

    def _log(self, piece: str) -> float:
        logs = {edge.piece: edge.log_prob for edge in self.lattice.edges}
        return logs[among(piece, logs, "does not occur in the text")]

    def field_expected(self, at: int, argument: str) -> RichText:
        """`{expected:hell}`: the expected count of a piece over all segmentations."""
        self._log(require(argument, "expected:hell"))
        return (decimal(expected_counts(self.lattice)[argument], 3),)

    def field_states(self, at: int, argument: str) -> RichText:
        """`{states:3}`: the number of hidden Markov model states at the third character."""
        return (f"{len(self._states(argument, 'states')):,}",)

    def field_finished(self, at: int, argument: str) -> RichText:
        """`{finished:3}`: the number of states at the third character in which a piece ends."""
        states = self._states(argument, "finished")
        return (f"{sum(done == len(piece) for piece, done in states):,}",)

    def field_so_far(self, at: int, argument: str) -> RichText:
        """`{so_far:3}`: the number of states given only the text up to the third character."""
        place = self._character(argument, "so_far")
        return (f"{len(forward_by_state(self.lattice)[place - 1]):,}",)

    def _states(self, argument: str, field: str) -> set[State]:
        """Return the states of a character that lie on a path through the whole text."""
        place, shares = self._character(argument, field), posteriors(self.lattice)
        return {
            (edge.piece, place - edge.start)
            for edge, share in zip(self.lattice.edges, shares, strict=True)
            if edge.start < place <= edge.end and share > 0
        }

    def _character(self, argument: str, field: str) -> int:
        place = whole_number(require(argument, f"{field}:3"), f"{field}:3")
        if not 0 < place <= len(self.lattice.text):
            raise LessonLookupError(
                f"The characters have the numbers 1 to {len(self.lattice.text)}."
            )
        if any(not edge.known for edge in self.lattice.edges):
            raise LessonLookupError(
                "A character of the text is no piece, so there are no states for it."
            )
        return place

    def field_total(self, at: int, argument: str) -> RichText:
        """The log probability of the text, summed over all segmentations."""
        return (decimal(forward_values(self.lattice)[-1]),)

    def field_share(self, at: int, argument: str) -> RichText:
        """`{share:hell o}`: the posterior share of a segmentation, in percent."""
        path = self.path(argument) if argument else self.best()
        return (percent(math.exp(self.lattice.log_prob(path) - forward_values(self.lattice)[-1])),)

    def field_drawn(self, at: int, argument: str) -> RichText:
        """`{drawn:0.2 hell o}`: how often a segmentation is drawn with α = 0.2, in percent."""
        alpha, _, cut = require(argument, "drawn:0.2 hell o").partition(" ")
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", alpha):
            raise LessonLookupError(
                "The power α is a number from 0 to 99. Write: {drawn:0.2 hell o}"
            )
        path = self.path(cut)
        return (percent(Sampler(self.lattice, float(alpha)).probability(path)),)

    def field_edges(self, at: int, argument: str) -> RichText:
        """The number of edges of the lattice."""
        return (f"{len(self.lattice.edges):,}",)

    def field_entropy(self, at: int, argument: str) -> RichText:
        """The entropy of the segmentations, in nats."""
        return (decimal(entropy(self.lattice)),)

    def field_with_prior(self, at: int, argument: str) -> RichText:
        """The best segmentation under the prior on the number of pieces."""
        found = best_by_length(by_length(self.lattice), self.prior)
        if found is None:
            message = "The picture has no prior that fits. Write: prior = { 1 = 0.9, 3 = 0.1 }"
            raise LessonLookupError(message)
        return in_row(self.lattice.pieces(found.best))


@dataclass(frozen=True, slots=True)
class LatticeSearchFacts(LatticeFacts):
    """A lattice filled in from the left, under the rules max and sum."""

    HAS_RULES: ClassVar[bool] = True

    @property
    def last(self) -> int:
        """The number of characters plus one, for the result."""
        return len(self.lattice.text) + 1

    def arrival(self, at: int) -> NodeScore:
        """Return the edges into a position, scored by max. Raises LessonLookupError if none."""
        if not 0 < at < self.last:
            raise LessonLookupError("Nothing arrives at this position. Set at to one from 1 on.")
        return list(viterbi_steps(self.lattice))[at - 1]

    def winners(self, at: int) -> list[str]:
        """Return the pieces that end the best path to a position; several if tied."""
        step = self.arrival(at)
        most = max(step.totals, default=-math.inf)
        return [
            self.lattice.edges[edge].piece
            for edge, total in zip(step.edges, step.totals, strict=True)
            if total > most - TIE_EPS and total > -math.inf
        ]

    def find_position(self, value: Any) -> int:
        """A position of the text; position 0 is before its first character."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.last:
            raise LessonLookupError(f"The positions of this text go from 0 to {self.last - 1}.")
        return value

    def find_piece(self, value: Any) -> int:
        """The first position at which a piece ends."""
        piece = text_of(value, 'piece = "hell"')
        self._log(piece)
        return next(edge.end for edge in self.lattice.edges if edge.piece == piece)

    def find_choice(self, value: Any) -> int:
        """The first position at which several pieces end."""
        return self._first(lambda step: len(step.edges) > 1, "several pieces arrive")

    def find_tie(self, value: Any) -> int:
        """The first position at which the best paths tie."""
        return self._first(lambda step: len(self.winners(step.position)) > 1, "the best tie")

    def _first(self, fits: Any, what: str) -> int:
        found = next((s.position for s in viterbi_steps(self.lattice) if fits(s)), None)
        if found is None:
            raise LessonLookupError(f"There is no position at which {what}. Choose another moment.")
        return found

    def field_position(self, at: int, argument: str) -> RichText:
        """The number of this position."""
        return (f"{min(at, self.last - 1):,}",)

    def field_arriving(self, at: int, argument: str) -> RichText:
        """The pieces that end at this position."""
        edges = self.arrival(at).edges
        return join_list([(("token", self.lattice.edges[edge].piece),) for edge in edges])

    def field_winner(self, at: int, argument: str) -> RichText:
        """The piece that ends the best path to this position; several if paths tie."""
        return join_list([(("token", piece),) for piece in self.winners(at)])

    def field_value(self, at: int, argument: str) -> RichText:
        """The best path's log probability at this position, or with `{value:2}` at position 2."""
        return (decimal(viterbi_values(self.lattice)[self._position(at, argument)]),)

    def field_alpha(self, at: int, argument: str) -> RichText:
        """The log of the sum over all paths to this position, or with `{alpha:2}` to position 2."""
        return (decimal(forward_values(self.lattice)[self._position(at, argument)]),)

    def _position(self, at: int, argument: str) -> int:
        if not argument:
            return min(at, self.last - 1)
        return self.find_position(whole_number(argument, "value:2"))


@dataclass(frozen=True, slots=True)
class SegmentationListFacts(LatticeFacts):
    """A lattice whose segmentations are listed by n-best search, most probable first."""

    def popped(self) -> list[NBestStep]:
        """Return the hypotheses popped from the queue, until MOST_LISTED are complete."""
        steps: list[NBestStep] = []
        complete = 0
        for step in islice(n_best_steps(self.lattice), MOST_STEPS):
            steps.append(step)
            complete += not step.hypothesis.position
            if complete == MOST_LISTED:
                break
        return steps

    @property
    def last(self) -> int:
        """The number of hypotheses popped."""
        return len(self.popped())

    def complete(self) -> list[int]:
        """Return the steps that complete a segmentation."""
        return [k for k, step in enumerate(self.popped(), 1) if not step.hypothesis.position]

    def find_rank(self, value: Any) -> int:
        """The step that completes the segmentation with a given rank."""
        steps = self.complete()
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= len(steps):
            raise LessonLookupError(
                f"The list has {len(steps)} segmentations. Write: at = {{ rank = 1 }}"
            )
        return steps[value - 1]

    def find_segmentation(self, value: Any) -> int:
        """The step that completes a segmentation."""
        listing = self.ranked(len(self.complete()))
        if not isinstance(value, list) or tuple(value) not in listing:
            there = name_list((" ".join(one) for one in listing), 6)
            raise LessonLookupError(f"That is not in the list: {value}. There are: {there}.")
        return self.complete()[listing.index(tuple(value))]

    def field_listed(self, at: int, argument: str) -> RichText:
        """The number of segmentations listed after this step."""
        return (f"{sum(step <= at for step in self.complete()):,}",)

    def field_taken(self, at: int, argument: str) -> RichText:
        """The partial path, from the end of the text, popped at this step."""
        if not at:
            raise LessonLookupError(
                "At the start nothing has been taken yet. Set at to a later moment."
            )
        return in_row(self.lattice.pieces(self.popped()[at - 1].hypothesis.path))
