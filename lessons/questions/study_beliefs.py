"""Beliefs about the pictures of research questions: see `beliefs.py`."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from lessons.facts.best_merges import BestMergesFacts
from lessons.facts.efficiency import EfficiencyFacts
from lessons.facts.morphemes import MorphemesFacts
from lessons.facts.not_text import NotTextFacts
from lessons.facts.patches import PatchesFacts
from lessons.facts.superwords import USUAL, SuperwordsFacts
from lessons.facts.transplant import TransplantFacts
from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonLookupError
from lessons.format.vectors import number_text
from lessons.format.words import RichText, count_of, in_row, percent, tokens_text
from lessons.questions.builders import QuestionContext

BeliefResult = tuple[bool, RichText]
"""Whether it holds, and why or why not."""


def _greedy_is_best(context: QuestionContext[BestMergesFacts]) -> BeliefResult:
    """BPE's merges leave the fewest tokens."""
    greedy, best = (context.facts.by_name[name].tokens[-1] for name in ("greedy", "best"))
    if greedy == best:
        return True, (f"No order of merges leaves fewer than {best:,} tokens.",)
    return False, (f"They leave {greedy:,} tokens. The best order of merges leaves {best:,}.",)


def _even_is_short(context: QuestionContext[EfficiencyFacts]) -> BeliefResult:
    """The row with the highest efficiency has the fewest tokens."""
    rows = context.facts.rows.values()
    even, short = max(rows, key=lambda row: row.efficiency), min(rows, key=lambda row: row.tokens)
    if even.tokens == short.tokens:
        return True, (f"{even.title} has {tokens_text(even.tokens)}. No row has fewer.",)
    sentence = f"{even.title}: {percent(even.efficiency)}, and {tokens_text(even.tokens)}. "
    return False, (f"{sentence}{short.title} has only {short.tokens:,}.",)


def _byte_by_byte(context: QuestionContext[NotTextFacts]) -> BeliefResult:
    """Every byte is a token of its own."""
    tokens, data = context.facts.split(), context.facts.data
    if len(tokens) == len(data):
        return True, (f"The {count_of(len(data), 'byte')} are as many tokens.",)
    longest = max(tokens, key=len)
    return False, (("token", longest), f" holds {len(longest)} bytes.")


def _words_are_patches(context: QuestionContext[PatchesFacts]) -> BeliefResult:
    """Every patch is a word."""
    cut, words = context.facts.cut(), context.facts.text.split()
    strange = next((patch for patch in cut if patch.strip() not in words), None)
    if strange is None:
        return True, ("The patches are ", *in_row(cut), ".")
    return False, ("The patches are ", *in_row(cut), ". ", ("token", strange), " is not a word.")


def _short_is_right(context: QuestionContext[MorphemesFacts]) -> BeliefResult:
    """The tokenizer with the fewest tokens matches morphemes best, by F1."""
    rows = context.facts.rows.values()
    short = min(rows, key=lambda row: row.tokens)
    best = max(rows, key=lambda row: row.scores.f1)
    sentence = f"{short.title}: {tokens_text(short.tokens)}, and an F1 of "
    if short.scores.f1 == best.scores.f1:
        return True, (f"{sentence}{percent(short.scores.f1)}. No row has a higher one.",)
    more = f"{best.title} has {best.tokens:,} tokens, and {percent(best.scores.f1)}."
    return False, (f"{sentence}{percent(short.scores.f1)}. {more}",)


def _crossing_helps(context: QuestionContext[SuperwordsFacts]) -> BeliefResult:
    """Merges that may cross spaces leave fewer tokens than merges inside words."""
    usual = context.facts.row(USUAL)
    others = [row for row in context.facts.rows.values() if row is not usual]
    if not others:
        raise LessonLookupError("No merge crosses spaces in this picture. Write: until = [200]")
    worst = max(others, key=lambda row: row.tokens)
    sentence = f"{worst.title}: {tokens_text(worst.tokens)}. {usual.title}: {usual.tokens:,}."
    return worst.tokens < usual.tokens, (sentence,)


def _old_ids_hold(context: QuestionContext[VocabularyEditFacts]) -> BeliefResult:
    """The new vocabulary reads the old ids of this text as before."""
    facts = context.facts
    if facts.reread is None:
        return False, ("One of the old ids belongs to no piece any more.",)
    return facts.reread == facts.rows["old"].tokens, ("They say ", *in_row(facts.reread), ".")


def _weights_stay(context: QuestionContext[TransplantFacts]) -> BeliefResult:
    """A weight that was found once stays as it is."""
    steps = context.facts.steps
    for before, after in pairwise(steps):
        for token, weight in before.weights.items():
            if after.weights[token] != weight:
                old, new = number_text(weight), number_text(after.weights[token])
                chosen = ("token", after.token)
                return False, (("token", token), f" has {old}, and {new} once ", chosen, " joins.")
    return True, (f"In {count_of(len(steps), 'step')}, no weight changes.",)


STUDY_CHECKS: Mapping[type, Mapping[str, Callable[[Any], BeliefResult]]] = {
    BestMergesFacts: {"greedy_is_best": _greedy_is_best},
    MorphemesFacts: {"short_is_right": _short_is_right},
    SuperwordsFacts: {"crossing_helps": _crossing_helps},
    VocabularyEditFacts: {"old_ids_hold": _old_ids_hold},
    NotTextFacts: {"byte_by_byte": _byte_by_byte},
    PatchesFacts: {"words_are_patches": _words_are_patches},
    EfficiencyFacts: {"even_is_short": _even_is_short},
    TransplantFacts: {"weights_stay": _weights_stay},
}
"""The beliefs by type of facts."""
