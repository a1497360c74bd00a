"""Questions about a Unigram training run's expected counts, probabilities and pruning."""

import math
from dataclasses import replace
from typing import TypeVar

from lessons.facts.base import are_texts
from lessons.facts.unigram import UnigramFacts
from lessons.format.errors import LessonLookupError, among
from lessons.format.words import RichText, Tokens, decimal, estimated, in_row, join_list, small
from lessons.questions.builders import (
    MOST_OPTIONS,
    TWO_DIGITS,
    QuestionContext,
    QuestionKinds,
    two_digits,
)
from lessons.questions.grading import AnswerOption, Question
from tokenizers.lattice.n_best import segmentations
from tokenizers.unigram.steps import Expectation, Maximization, Prune

LIKELY_CUTS = 6
S = TypeVar("S", Expectation, Maximization, Prune)


def _next(context: QuestionContext[UnigramFacts], kind: type[S]) -> tuple[int, S]:
    """Return the number of the next step of a kind after the lesson's stop, and the step."""
    for k, step in enumerate(context.facts.trace.steps[context.at :], context.at + 1):
        if isinstance(step, kind):
            return k, step
    raise LessonLookupError(
        f"No {kind.__name__} step comes after this stop. Set at to an earlier moment."
    )


def expected_count(context: QuestionContext[UnigramFacts]) -> Question:
    """How often is a piece expected at the next E step?"""
    k, step = _next(context, Expectation)
    counts = step.expected_counts
    piece = among(context.text("piece"), counts, "is not in the vocabulary at that step")
    value, best = counts[piece], step.viterbi_counts.get(piece, 0.0)
    mistakes: dict[str, RichText] = {
        decimal(best): ("That counts only the best segmentations.",),
        decimal(context.facts.trace.seed.counts.get(piece, 0.0)): (
            "That is how often its letters occur, but not every segmentation uses it there.",
        ),
    }
    alone = "" if best == value else f"; the best segmentations alone would give {estimated(best)}"
    where = context.facts.field_where(k, piece)
    times = f" is expected {estimated(value)} times: "
    why: RichText = (("token", piece), times, *where, f"{alone}.")
    hint = ("Add its shares in each of the words that contain it, as often as they occur.",)
    prompt: RichText = (
        "What will the expected count of ",
        ("token", piece),
        " be at the next E step?",
    )
    prompt = (*prompt, " One decimal is enough.")
    return context.number_question(
        prompt, value, why, mistakes, estimated(value), k, tolerance=0.05, hint=hint
    )


def probability(context: QuestionContext[UnigramFacts]) -> Question:
    """What is the probability of a piece after the next M step?"""
    k, step = _next(context, Maximization)
    piece = context.text("piece")
    among(piece, step.after, "is not in the vocabulary at that step")
    value, before = math.exp(step.after[piece]), math.exp(step.before[piece])
    counts = context.facts.newest(k, Expectation).expected_counts
    total = float(counts.array.sum())
    mistakes: dict[str, RichText] = {
        small(before): ("That is its probability before this step.",),
        decimal(counts[piece]): ("That is its expected count. Divide it by the sum of them all.",),
        small(counts[piece] / len(counts)): ("Divide by the sum of the counts, not by how many.",),
    }
    why: RichText = (("token", piece), f" goes from {estimated(before)} to {estimated(value)}.")
    if context.facts.trace.settings.m_step == "maximum_likelihood":
        share = f" {estimated(counts[piece])} / {estimated(total)} = {estimated(value)}."
        why = (("token", piece), f" had {estimated(before)}. Now", share)
    prompt: RichText = (
        "What will the probability of ",
        ("token", piece),
        " be after the M step?",
    )
    prompt = (*prompt, TWO_DIGITS)
    near = two_digits(value)
    return context.number_question(
        prompt, value, why, mistakes, estimated(value), k, tolerance=near
    )


def pruned(context: QuestionContext[UnigramFacts]) -> Question:
    """Which of these pieces does the next pruning remove?"""
    k, step = _next(context, Prune)
    gone = sorted(step.removed, key=lambda piece: step.losses.get(piece, -math.inf))
    weighed = [piece for piece in reversed(step.order) if piece not in step.removed]
    spared = [piece for piece in step.after if step.kept_reasons.get(piece) == "single character"]
    half = MOST_OPTIONS // 2
    offered = [*gone[-half:], *weighed[:half], *spared[:1]]
    if "of" in context.values:
        offered = context.values["of"]
        if not are_texts(offered):
            raise LessonLookupError(
                'The pieces to choose from are a list. Write: of = ["un", "able"]'
            )
        for piece in offered:
            among(piece, step.before, "is not a piece then")
    tied = _tied(step)
    options = [
        AnswerOption((("token", piece),), piece in step.removed, _why(context.facts, step, piece))
        for piece in sorted(dict.fromkeys(offered))
        if piece not in tied or "of" in context.values
    ]
    right = [option.text for option in options if option.is_right]
    why = tuple([part for one in right for part in _why(context.facts, step, str(one[0][1]))])
    prompt = "Which of these pieces does the next pruning remove?"
    form = "choice" if len(right) == 1 else "several"  # radio buttons for a single answer
    return context.choose_from(prompt, options, why, shown_at=k, form=form)


def _tied(step: Prune) -> set[str]:
    """Return the pieces with a loss that a removed and a kept piece share; only order decides."""
    gone = {step.losses[piece] for piece in step.removed if piece in step.losses}
    kept = {loss for piece, loss in step.losses.items() if piece not in step.removed}
    both = {loss for loss in gone if any(abs(loss - other) < 1e-9 for other in kept)}
    return {p for p, loss in step.losses.items() if any(abs(loss - one) < 1e-9 for one in both)}


def _why(facts: UnigramFacts, step: Prune, piece: str) -> RichText:
    goes = piece in step.removed
    because = (step.removed_reasons if goes else step.kept_reasons).get(piece, "rank")
    sentence = {
        "rank": f" {'goes' if goes else 'stays'}",
        "never used": " goes: no best segmentation uses it",
        "better split": f" {'goes' if goes else 'stays'}: it is better split than whole",
        "single character": " stays: single characters are kept, so that any text can be split",
        "no alternative": " stays: nothing can replace it",
    }[because]
    if piece not in step.losses or because == "never used":
        return (("token", piece), f"{sentence}. ")
    unit = "in base 10" if facts.trace.settings.log_base == "base10" else "nats"
    loss = decimal(facts.loss(step, piece), 3)
    return (("token", piece), f"{sentence}: its loss is {loss} {unit}. ")


def segmentation(context: QuestionContext[UnigramFacts]) -> Question:
    """How does the model after this step split a word? Any that ties for the best is right."""
    facts, at = context.facts, context.at
    word = context.text("word")
    facts.step(at)
    lattice = facts.lattice(at, word)
    paths = segmentations(lattice, LIKELY_CUTS)
    logs = {lattice.pieces(path): lattice.log_prob(path) for path in paths}
    if not logs:
        raise LessonLookupError(
            f"“{word}” cannot be split into these pieces. Ask for another word."
        )
    best = next(iter(logs.values()))
    right = [cut for cut, log in logs.items() if log > best - 1e-9]
    others: dict[Tokens, RichText] = {
        cut: (*in_row(cut), f" is {decimal(best - log)} nats behind the best.")
        for cut, log in logs.items()
    }
    why: RichText = (("word", word), " becomes ", *in_row(right[0]), f": {decimal(best)} nats.")
    if len(right) > 1:
        why = (*why, " ", *in_row(right[1]), " is equally probable.")
    return context.split_question(word, right, others, why, pieces=frozenset(facts.trace.state(at)))


def first_difference(context: QuestionContext[UnigramFacts]) -> Question:
    """In which round do two runs first remove different pieces?"""
    runs = [
        {s.round: set(s.removed) for s in facts.trace.steps if isinstance(s, Prune)}
        for facts in (context.facts, context.other(UnigramFacts))
    ]
    rounds = sorted(runs[0] | runs[1])
    found = next((n for n in rounds if runs[0].get(n, set()) != runs[1].get(n, set())), None)
    if found is None:
        raise LessonLookupError(
            "The two runs remove the same pieces. Choose a picture with other settings."
        )
    ours, theirs = (
        join_list([(("token", p),) for p in sorted(run.get(found, ()))]) for run in runs
    )
    removes = f"In round {found:,} this run removes "
    why: RichText = (
        removes,
        *(ours or ("nothing",)),
        ", the other ",
        *(theirs or ("nothing",)),
        ".",
    )
    prompt: RichText = (
        f"In which round do this run and “{context.values['against']}” first differ in what they "
        "remove?",
    )
    return replace(context.number_question(prompt, found, why, {}), hides_answer=False)


UNIGRAM_QUESTIONS: QuestionKinds = {
    "expected_count": (expected_count, ("piece",)),
    "probability": (probability, ("piece",)),
    "pruned": (pruned, ("of",)),
    "segmentation": (segmentation, ("word",)),
    "choose_segmentation": (segmentation, ("word",)),
    "first_difference": (first_difference, ("against",)),
}
