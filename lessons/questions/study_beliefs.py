"""Beliefs about the pictures of research questions: see `beliefs.py`."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from lessons.facts.best_merges import BestMergesFacts
from lessons.facts.chunks import ChunksFacts
from lessons.facts.compression import CompressionFacts
from lessons.facts.efficiency import EfficiencyFacts
from lessons.facts.morphemes import MorphemesFacts
from lessons.facts.not_text import NotTextFacts
from lessons.facts.parity import ParityFacts
from lessons.facts.patches import PatchesFacts
from lessons.facts.signals import SignalsFacts
from lessons.facts.superwords import USUAL, SuperwordsFacts
from lessons.facts.units import UnitsFacts
from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, count_of, in_row, percent, tokens_text
from lessons.questions.builders import QuestionContext
from tokenizers.experiments.research.codebooks import grid

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


def _parity_costs(context: QuestionContext[ParityFacts]) -> BeliefResult:
    """If the language worst off chooses, all languages together need more tokens."""
    now, before = (sum(context.facts.burden(rule).costs.values()) for rule in ("parity", "usual"))
    sentence = f"By parity {tokens_text(now)} in all, by frequency {before:,}."
    return now > before, (sentence,)


def _old_ids_hold(context: QuestionContext[VocabularyEditFacts]) -> BeliefResult:
    """The new vocabulary reads the old ids of this text as before."""
    facts = context.facts
    if facts.reread is None:
        return False, ("One of the old ids belongs to no piece any more.",)
    return facts.reread == facts.rows["old"].tokens, ("They say ", *in_row(facts.reread), ".")


def _every_step_pays(context: QuestionContext[CompressionFacts]) -> BeliefResult:
    """Each replacement makes data and table together shorter."""
    facts = context.facts
    sizes = [facts.total(k) for k in range(len(facts.steps) + 1)]
    idle = next((k for k in range(1, len(sizes)) if sizes[k] >= sizes[k - 1]), None)
    listed = ", ".join(f"{size:,}" for size in sizes[:10])
    if idle is None:
        return True, (f"The bytes with the table are {listed}.",)
    return False, (
        f"After replacement {idle:,} they have {sizes[idle]:,} bytes, as before or more.",
    )


def _words_are_shortest(context: QuestionContext[UnitsFacts]) -> BeliefResult:
    """No kind of unit makes a text shorter than words do."""
    rows = context.facts.rows
    short, words = min(rows.values(), key=lambda row: len(row.tokens)), rows["words"]
    if len(short.tokens) == len(words.tokens):
        return True, (f"{count_of(len(words.tokens), 'word')}, and no row has fewer.",)
    sentence = f"{short.title}: {len(short.tokens):,}. {words.title}: {len(words.tokens):,}."
    return False, (sentence,)


def _chunks_are_words(context: QuestionContext[ChunksFacts]) -> BeliefResult:
    """A chunk begins after each space, and only there."""
    cut, text = context.facts.cut(), context.facts.text
    words = tuple(part for part in re.split(r"(?<= )", text) if part)
    return cut == words, ("The chunks are ", *in_row(cut), ".")


def _half_is_twice(context: QuestionContext[SignalsFacts]) -> BeliefResult:
    """Patches half as wide and half as high make twice as many tokens."""
    image = context.facts.image
    size = max(image.patch // 2, 1)
    before, after = (math.prod(grid(image.width, image.height, one)) for one in (image.patch, size))
    return after == 2 * before, (f"{before:,} become {after:,}.",)


STUDY_CHECKS: Mapping[type, Mapping[str, Callable[[Any], BeliefResult]]] = {
    BestMergesFacts: {"greedy_is_best": _greedy_is_best},
    MorphemesFacts: {"short_is_right": _short_is_right},
    ParityFacts: {"parity_costs": _parity_costs},
    SuperwordsFacts: {"crossing_helps": _crossing_helps},
    VocabularyEditFacts: {"old_ids_hold": _old_ids_hold},
    NotTextFacts: {"byte_by_byte": _byte_by_byte},
    PatchesFacts: {"words_are_patches": _words_are_patches},
    EfficiencyFacts: {"even_is_short": _even_is_short},
    CompressionFacts: {"every_step_pays": _every_step_pays},
    UnitsFacts: {"words_are_shortest": _words_are_shortest},
    ChunksFacts: {"chunks_are_words": _chunks_are_words},
    SignalsFacts: {"half_is_twice": _half_is_twice},
}
"""The beliefs by type of facts."""
