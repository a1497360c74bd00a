"""The record of one lattice, being filled in from the left or listed, as lessons ask of it.

While it is filled, position p of the picture is position p of the text, and the last position, one
more, is the result. While it is listed, position k is after hypothesis k has been taken. Log
probabilities are in nats. A path is written with spaces between its pieces: `{path:hell o}`.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from lessons.facts.base import PictureFacts, needs, text_of, whole_number
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import Text, Tokens, decimal, estimated, in_row, listed, named, percent
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

MOST_LISTED = 20  # segmentations: as many as the film of them lists
MOST_STEPS = 400
MOST_RANKED = 1_000


@dataclass(frozen=True, slots=True)
class LatticeFacts(PictureFacts):
    """What both pictures of a lattice know."""

    lattice: Lattice
    prior: Mapping[int, float]

    def tokens(self) -> Tokens:
        """Return the pieces that fit somewhere."""
        return tuple(dict.fromkeys(edge.piece for edge in self.lattice.edges))

    def best(self) -> Path:
        """Return the best path. Raises LessonLookupError if there is none."""
        path = best_path(self.lattice)
        if path is None:
            raise LessonLookupError("These pieces cannot spell the text. Add the ones it lacks.")
        return path

    def path(self, written: str) -> Path:
        """Return the path that is written so. Raises LessonLookupError, in a sentence, if there is none."""
        try:
            return self.lattice.path(written.split(" ") if written else ())
        except (ValueError, IndexError):
            there = named((" ".join(one) for one in self.ranked(6)), 6)
            said = f"“{written}” is not a way to split {self.lattice.text}. There are: {there}."
            raise LessonLookupError(said) from None

    def ranked(self, most: int = MOST_RANKED) -> list[Tokens]:
        """Return the segmentations, the most probable first."""
        return [self.lattice.pieces(path) for path in segmentations(self.lattice, most)]

    def is_tied(self, path: Path) -> bool:
        """Tell whether a path is as good as the best, but for rounding."""
        return self.lattice.log_prob(path) > self.lattice.log_prob(self.best()) - TIE_EPS

    def field_text(self, at: int, argument: str) -> Text:
        """The text that is cut."""
        return (("word", self.lattice.text),)

    def field_ways(self, at: int, argument: str) -> Text:
        """In how many ways the text can be cut."""
        return (f"{num_segmentations(self.lattice):,}",)

    def field_pieces(self, at: int, argument: str) -> Text:
        """The pieces that fit somewhere."""
        return in_row(self.tokens())

    def field_best(self, at: int, argument: str) -> Text:
        """The most probable segmentation."""
        return in_row(self.lattice.pieces(self.best()))

    def field_path(self, at: int, argument: str) -> Text:
        """`{path:hell o}`: the log probability of a segmentation; of the best without a colon."""
        path = self.path(argument) if argument else self.best()
        return (decimal(self.lattice.log_prob(path)),)

    def field_product(self, at: int, argument: str) -> Text:
        """`{product:hell o}`: the probability of a segmentation; of the best without a colon."""
        path = self.path(argument) if argument else self.best()
        return (estimated(math.exp(self.lattice.log_prob(path))),)

    def field_behind(self, at: int, argument: str) -> Text:
        """`{behind:h e ll o}`: by how many nats a segmentation is behind the best."""
        gaps = score_gaps(self.lattice, self.path(needs(argument, "behind:h e ll o")))
        return (decimal(gaps[-1].nats if gaps else 0.0),)

    def field_rank(self, at: int, argument: str) -> Text:
        """`{rank:h e ll o}`: the place of a segmentation in the list of all, the best being 1."""
        self.path(needs(argument, "rank:h e ll o"))
        ranked = self.ranked()
        wanted = tuple(argument.split(" "))
        return (f"{ranked.index(wanted) + 1:,}" if wanted in ranked else f"over {MOST_RANKED:,}",)

    def field_probability(self, at: int, argument: str) -> Text:
        """`{probability:hell}`: the probability of a piece."""
        return (estimated(math.exp(self._log(needs(argument, "probability:hell")))),)

    def field_log_prob(self, at: int, argument: str) -> Text:
        """`{log_prob:hell}`: the log probability of a piece."""
        return (decimal(self._log(needs(argument, "log_prob:hell"))),)

    def _log(self, piece: str) -> float:
        logs = {edge.piece: edge.log_prob for edge in self.lattice.edges}
        return logs[among(piece, logs, "does not occur in the text")]

    def field_expected(self, at: int, argument: str) -> Text:
        """`{expected:hell}`: how often a piece is expected, over all segmentations."""
        self._log(needs(argument, "expected:hell"))
        return (decimal(expected_counts(self.lattice)[argument], 3),)

    def field_states(self, at: int, argument: str) -> Text:
        """`{states:3}`: in how many states of a hidden Markov model the third character may be."""
        return (f"{len(self._states(argument, 'states')):,}",)

    def field_finished(self, at: int, argument: str) -> Text:
        """`{finished:3}`: in how many of them a piece ends."""
        states = self._states(argument, "finished")
        return (f"{sum(done == len(piece) for piece, done in states):,}",)

    def field_so_far(self, at: int, argument: str) -> Text:
        """`{so_far:3}`: how many states there are if the text behind the third is not known."""
        place = self._place(argument, "so_far")
        return (f"{len(forward_by_state(self.lattice)[place - 1]):,}",)

    def _states(self, argument: str, field: str) -> set[State]:
        """Return the states of a character, in which a path crosses the whole text."""
        place, shares = self._place(argument, field), posteriors(self.lattice)
        return {
            (edge.piece, place - edge.start)
            for edge, share in zip(self.lattice.edges, shares, strict=True)
            if edge.start < place <= edge.end and share > 0
        }

    def _place(self, argument: str, field: str) -> int:
        place = whole_number(needs(argument, f"{field}:3"), f"{field}:3")
        if not 0 < place <= len(self.lattice.text):
            raise LessonLookupError(
                f"The characters have the numbers 1 to {len(self.lattice.text)}."
            )
        if any(not edge.known for edge in self.lattice.edges):
            raise LessonLookupError(
                "A character of the text is no piece, so there are no states for it."
            )
        return place

    def field_total(self, at: int, argument: str) -> Text:
        """The log probability of the text: the sum over all segmentations."""
        return (decimal(forward_values(self.lattice)[-1]),)

    def field_share(self, at: int, argument: str) -> Text:
        """`{share:hell o}`: the share of a segmentation in all of them, in percent."""
        path = self.path(argument) if argument else self.best()
        return (percent(math.exp(self.lattice.log_prob(path) - forward_values(self.lattice)[-1])),)

    def field_drawn(self, at: int, argument: str) -> Text:
        """`{drawn:0.2 hell o}`: how often a segmentation is drawn with α = 0.2, in percent."""
        alpha, _, cut = needs(argument, "drawn:0.2 hell o").partition(" ")
        if not re.fullmatch(r"[0-9]{1,2}(\.[0-9]{1,6})?", alpha):
            raise LessonLookupError(
                "The power α is a number from 0 to 99. Write: {drawn:0.2 hell o}"
            )
        path = self.path(cut)
        return (percent(Sampler(self.lattice, float(alpha)).probability(path)),)

    def field_edges(self, at: int, argument: str) -> Text:
        """How many pieces fit, each at every place where it does: the arcs of the lattice."""
        return (f"{len(self.lattice.edges):,}",)

    def field_entropy(self, at: int, argument: str) -> Text:
        """The entropy of the segmentations, in nats."""
        return (decimal(entropy(self.lattice)),)

    def field_with_prior(self, at: int, argument: str) -> Text:
        """The best segmentation under the prior on the number of pieces."""
        found = best_by_length(by_length(self.lattice), self.prior)
        if found is None:
            said = "The picture has no prior that fits. Write: prior = { 1 = 0.9, 3 = 0.1 }"
            raise LessonLookupError(said)
        return in_row(self.lattice.pieces(found.best))


@dataclass(frozen=True, slots=True)
class LatticeSearchFacts(LatticeFacts):
    """A lattice that is filled in from the left, by the maximum and by the sum."""

    HAS_RULES: ClassVar[bool] = True

    @property
    def last(self) -> int:
        """One more than the characters of the text: the result."""
        return len(self.lattice.text) + 1

    def arrival(self, at: int) -> NodeScore:
        """Return what arrives at a position, by the maximum. Raises LessonLookupError where nothing does."""
        if not 0 < at < self.last:
            raise LessonLookupError("Nothing arrives at this position. Set at to one from 1 on.")
        return list(viterbi_steps(self.lattice))[at - 1]

    def winners(self, at: int) -> list[str]:
        """Return the pieces that bring most to a position: several where they tie."""
        step = self.arrival(at)
        most = max(step.totals, default=-math.inf)
        return [
            self.lattice.edges[edge].piece
            for edge, total in zip(step.edges, step.totals, strict=True)
            if total > most - TIE_EPS and total > -math.inf
        ]

    def find_position(self, value: Any) -> int:
        """A position of the text, from 0 before its first character."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self.last:
            raise LessonLookupError(f"The positions of this text go from 0 to {self.last - 1}.")
        return value

    def find_piece(self, value: Any) -> int:
        """The first position at which a piece ends."""
        piece = text_of(value, 'piece = "hell"')
        self._log(piece)
        return next(edge.end for edge in self.lattice.edges if edge.piece == piece)

    def find_choice(self, value: Any) -> int:
        """The first position at which several pieces arrive."""
        return self._first(lambda step: len(step.edges) > 1, "several pieces arrive")

    def find_tie(self, value: Any) -> int:
        """The first position at which the best of what arrives ties."""
        return self._first(lambda step: len(self.winners(step.position)) > 1, "the best tie")

    def _first(self, fits: Any, what: str) -> int:
        found = next((s.position for s in viterbi_steps(self.lattice) if fits(s)), None)
        if found is None:
            raise LessonLookupError(f"There is no position at which {what}. Choose another moment.")
        return found

    def field_position(self, at: int, argument: str) -> Text:
        """The number of this position."""
        return (f"{min(at, self.last - 1):,}",)

    def field_arriving(self, at: int, argument: str) -> Text:
        """The pieces that end at this position."""
        edges = self.arrival(at).edges
        return listed([(("token", self.lattice.edges[edge].piece),) for edge in edges])

    def field_winner(self, at: int, argument: str) -> Text:
        """The piece that brings most to this position; all of them where they tie."""
        return listed([(("token", piece),) for piece in self.winners(at)])

    def field_value(self, at: int, argument: str) -> Text:
        """The log probability of the best way to this position; `{value:2}`: to position 2."""
        return (decimal(viterbi_values(self.lattice)[self._position(at, argument)]),)

    def field_alpha(self, at: int, argument: str) -> Text:
        """The log of the sum over all ways to this position; `{alpha:2}`: to position 2."""
        return (decimal(forward_values(self.lattice)[self._position(at, argument)]),)

    def _position(self, at: int, argument: str) -> int:
        if not argument:
            return min(at, self.last - 1)
        return self.find_position(whole_number(argument, "value:2"))


@dataclass(frozen=True, slots=True)
class SegmentationListFacts(LatticeFacts):
    """A lattice whose segmentations are listed, the most probable first."""

    def taken(self) -> list[NBestStep]:
        """Return the hypotheses that are taken, until as many are complete as are listed."""
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
        """The number of hypotheses that are taken."""
        return len(self.taken())

    def complete(self) -> list[int]:
        """Return the steps at which a segmentation is complete."""
        return [k for k, step in enumerate(self.taken(), 1) if not step.hypothesis.position]

    def find_rank(self, value: Any) -> int:
        """The step at which the segmentation of that rank is complete."""
        steps = self.complete()
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= len(steps):
            raise LessonLookupError(
                f"The list has {len(steps)} segmentations. Write: at = {{ rank = 1 }}"
            )
        return steps[value - 1]

    def find_segmentation(self, value: Any) -> int:
        """The step at which a segmentation is complete."""
        listing = self.ranked(len(self.complete()))
        if not isinstance(value, list) or tuple(value) not in listing:
            there = named((" ".join(one) for one in listing), 6)
            raise LessonLookupError(f"That is not in the list: {value}. There are: {there}.")
        return self.complete()[listing.index(tuple(value))]

    def field_listed(self, at: int, argument: str) -> Text:
        """How many segmentations are in the list after this step."""
        return (f"{sum(step <= at for step in self.complete()):,}",)

    def field_taken(self, at: int, argument: str) -> Text:
        """The end of a path that is taken at this step."""
        if not at:
            raise LessonLookupError(
                "At the start nothing has been taken yet. Set at to a later moment."
            )
        return in_row(self.lattice.pieces(self.taken()[at - 1].hypothesis.path))
