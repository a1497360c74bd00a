"""Questions about a lattice's winner at a position, best segmentation and expected counts."""

import math
from collections.abc import Mapping

from lessons.facts.base import are_texts
from lessons.facts.lattices import LatticeFacts, LatticeSearchFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, decimal, in_row, join_list
from lessons.questions.builders import QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question
from tokenizers.lattice import TIE_EPS, expected_counts, forward_values, num_segmentations

LIKELY_CUTS = 6
MOST_SHOWN = 12  # segmentations in the reason for an expected count
MOST_FOR_PRIOR = 200  # segmentations ranked anew under a prior
TWO_PLACES = " Two decimals are enough."


def winner(context: QuestionContext[LatticeSearchFacts]) -> Question:
    """Which piece ends the best path to the next position? Any that ties is right."""
    facts, at = context.facts, context.at
    if "position" in context.values:
        at = facts.find_position(context.values["position"]) - 1
    if not 0 <= at < facts.last - 1:
        raise LessonLookupError("No piece arrives next here. Set at to an earlier position.")
    step, right = facts.arrival(at + 1), facts.winners(at + 1)
    if len(step.edges) < 2:
        raise LessonLookupError(
            f"Only one piece ends at position {at + 1}. Set at to just before a choice."
        )
    pieces = [facts.lattice.edges[n].piece for n in step.edges]
    totals = dict(zip(pieces, step.totals, strict=True))
    options = [
        AnswerOption((("token", piece),), piece in right, _arrives(piece, total, step.value))
        for piece, total in totals.items()
    ]
    tie = "; where pieces tie, the longest is kept." if len(right) > 1 else ", the highest value."
    why: RichText = (("token", right[0]), f" arrives at {decimal(step.value)}{tie}")
    prompt = f"Which piece ends the best path to position {at + 1}?"
    return context.choose_from(prompt, options, why, (("token", right[0]),), at + 1)


def _arrives(piece: str, total: float, best: float) -> RichText:
    if total == -math.inf:
        return (("token", piece), ": no path leads to where it begins.")
    behind = best - total
    if behind < TIE_EPS:
        return (("token", piece), f" arrives at {decimal(total)}: no piece does better.")
    return (
        ("token", piece),
        f" arrives at {decimal(total)}, which is {decimal(behind)} nats less than the best.",
    )


def segmentation(context: QuestionContext[LatticeFacts]) -> Question:
    """Which segmentation is the most probable? Every one that ties is right."""
    facts = context.facts
    prior = facts.prior if context.values.get("prior") else {}
    logs = {
        cut: facts.lattice.log_prob(facts.lattice.path(cut)) + _log_prior(prior, len(cut))
        for cut in facts.ranked(MOST_FOR_PRIOR if prior else LIKELY_CUTS)
    }
    best = max(logs.values(), default=-math.inf)
    right = [cut for cut, log in logs.items() if log > best - TIE_EPS]
    others: dict[Tokens, RichText] = {
        cut: (*in_row(cut), f" is {decimal(best - log)} nats behind the best.")
        for cut, log in sorted(logs.items(), key=lambda item: -item[1])[:LIKELY_CUTS]
    }
    whole, by = facts.lattice.text, " with the prior" if prior else ""
    why: RichText = (
        *in_row(right[0]),
        f" has log probability {decimal(best)}{by}: no other segmentation has a higher one.",
    )
    return context.split_question(whole, right, others, why, facts.last, frozenset(facts.tokens()))


def _log_prior(prior: Mapping[int, float], pieces: int) -> float:
    """Return the log prior of a number of pieces; 0 without a prior."""
    share = prior.get(pieces, 0.0) if prior else 1.0
    return math.log(share) if share else -math.inf


def expected_count(context: QuestionContext[LatticeFacts]) -> Question:
    """What is a piece's expected count, over all segmentations and their posterior shares?"""
    facts, piece = context.facts, context.text("piece")
    counts = expected_counts(facts.lattice)
    if piece not in counts:
        raise LessonLookupError(
            f"“{piece}” fits nowhere here. Ask for one of: {', '.join(counts)}."
        )
    best = facts.lattice.pieces(facts.best()).count(piece)
    total = forward_values(facts.lattice)[-1]
    mistakes: dict[str, RichText] = {f"{best}": ("That counts only the best segmentation.",)}
    value = counts[piece]
    users: list[RichText] = []
    for cut in facts.ranked(MOST_SHOWN):
        if piece in cut:
            share = math.exp(facts.lattice.log_prob(facts.path(" ".join(cut))) - total)
            mistakes.setdefault(
                decimal(share, 3), ("That is the share of ", *in_row(cut), " alone.")
            )
            mistakes.setdefault(
                decimal(1 - share, 3), ("That is everything but ", *in_row(cut), ".")
            )
            times = f", {cut.count(piece)} times" if cut.count(piece) > 1 else ""
            users.append((*in_row(cut), f" (share {decimal(share, 3)}{times})"))
    uses: RichText = (("token", piece), " is used by ", *join_list(users))
    why: RichText = (*uses, f". Together: {decimal(value, 3)}.")
    hint: RichText = ("Add the shares of all segmentations that use it. One is ", *users[0], ".")
    prompt: RichText = (
        "What is the expected count of ",
        ("token", piece),
        ", over all segmentations?",
    )
    prompt = (*prompt, TWO_PLACES)
    return context.number_question(
        prompt, value, why, mistakes, decimal(value, 3), tolerance=0.005, hint=hint
    )


def ways(context: QuestionContext[LatticeFacts]) -> Question:
    """In how many ways can the text be cut?"""
    number = num_segmentations(context.facts.lattice)
    letters = len(context.facts.lattice.text)
    mistakes: dict[str, RichText] = {
        f"{len(context.facts.lattice.edges)}": (
            "That is the number of arcs. Count the paths from end to end.",
        ),
        f"{2 ** (letters - 1)}": ("That would be right if every part of the text were a piece.",),
    }
    listing = context.facts.ranked(4)
    shown = "; ".join(" ".join(cut) for cut in listing)
    more = f" and {number - len(listing):,} more" if number > len(listing) else ""
    why: RichText = (f"There are {number:,}: {shown}{more}.",)
    prompt: RichText = (
        "How many ways are there to split ",
        ("word", context.facts.lattice.text),
        "?",
    )
    hint: RichText = ("One of them is ", *in_row(listing[-1]), ".")
    return context.number_question(
        prompt, number, why, mistakes, masked_parts=("sentence", "tables"), hint=hint
    )


def log_prob(context: QuestionContext[LatticeFacts]) -> Question:
    """What is the log probability of a segmentation, in nats?"""
    facts, cut = context.facts, context.values.get("path")
    if not are_texts(cut):
        raise LessonLookupError('This question needs a path. Write: path = ["hell", "o"]')
    path = facts.path(" ".join(cut))
    value = facts.lattice.log_prob(path)
    terms = " + ".join(decimal(facts.lattice.edges[n].log_prob) for n in path)
    mistakes: dict[str, RichText] = {
        decimal(math.exp(value), 4): ("That is the probability. Take its logarithm.",),
        decimal(value / math.log(10)): (
            "That is the logarithm to base 10. Take the natural logarithm.",
        ),
    }
    for other in facts.ranked(LIKELY_CUTS):
        if other != tuple(cut):
            log = facts.lattice.log_prob(facts.path(" ".join(other)))
            mistakes.setdefault(
                decimal(log), ("That is the log probability of ", *in_row(other), ".")
            )
    why: RichText = (*in_row(cut), f": {terms} = {decimal(value)} nats.")
    prompt: RichText = ("What is the log probability of ", *in_row(cut), ", in nats?", TWO_PLACES)
    shown, masked_parts = decimal(value), ("sentence", "tables")
    return context.number_question(
        prompt, value, why, mistakes, shown, tolerance=0.02, masked_parts=masked_parts
    )


LATTICE_QUESTIONS: QuestionKinds = {
    "winner": (winner, ("position",)),
    "segmentation": (segmentation, ("prior",)),
    "choose_segmentation": (segmentation, ("prior",)),
    "expected_count": (expected_count, ("piece",)),
    "ways": (ways, ()),
    "log_prob": (log_prob, ("path",)),
}
LISTING_QUESTIONS = {kind: made for kind, made in LATTICE_QUESTIONS.items() if kind != "winner"}
