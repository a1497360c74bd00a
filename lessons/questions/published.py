"""Questions about published tokenizers' splits of texts, merges of one word, and vocabularies."""

from collections.abc import Mapping
from dataclasses import replace
from operator import itemgetter
from typing import Any

from lessons.facts.published import MergedWordFacts, PublishedFacts, PublishedRow
from lessons.facts.vocabularies import VocabulariesFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row, tokens_text
from lessons.questions.builders import (
    MOST_OPTIONS,
    QuestionContext,
    QuestionKinds,
    rank_text,
    tokens_hint,
)
from lessons.questions.grading import AnswerOption, Question

# --- Texts side by side ---------------------------------------------------------------------------


def _row(context: QuestionContext[PublishedFacts]) -> PublishedRow:
    return context.facts.row(context.text("of", ""))


def _rows(context: QuestionContext[PublishedFacts]) -> list[PublishedRow]:
    """Return the rows named by `of`, or all. Raises LessonLookupError if too few or too many."""
    rows = context.facts.found(context.text("of", ""))
    if not 1 < len(rows) <= 2 * MOST_OPTIONS:
        raise LessonLookupError(
            f"This question is about 2 to {2 * MOST_OPTIONS} rows. Name fewer in: of"
        )
    return rows


def _counts(context: QuestionContext[PublishedFacts]) -> list[tuple[str, int]]:
    return [(row.title, len(row.tokens)) for row in _rows(context)]


def token_count(context: QuestionContext[PublishedFacts]) -> Question:
    """How many tokens does a row have?"""
    row = _row(context)
    mistakes: dict[str, RichText] = {
        f"{len(row.text)}": ("That is the number of characters in the text.",),
        f"{len(row.text.encode())}": ("That is the number of bytes.",),
        f"{len(row.text.split())}": ("That is the number of words between spaces.",),
    }
    for other in context.facts.rows:
        mistakes.setdefault(f"{len(other.tokens)}", (f"That is the number for {other.title}.",))
    prompt: RichText = (f"{row.title}: how many tokens does ", ("word", row.text), " become?")
    count = len(row.tokens)
    why: RichText = (f"{tokens_text(count)}: ", *in_row(row.tokens[:40]), ".")
    return context.number_question(prompt, count, why, mistakes, hint=tokens_hint(row.tokens))


def segmentation(context: QuestionContext[PublishedFacts]) -> Question:
    """How is the text of a row split? The answer is typed, or chosen among other rows' splits."""
    row = _row(context)
    others: dict[Tokens, RichText] = {
        other.tokens: (f"That is what the row “{other.title}” has.",)
        for other in context.facts.rows
        if other.text == row.text
    }
    if len(row.words) > 1:
        found = "Those are the words that the pattern finds. Some are split on."
        others.setdefault(row.words, (found,))
    others.setdefault((row.text,), ("It is not one token as a whole.",))
    others.setdefault(tuple(row.text), ("It is not split into single characters here.",))
    return _cut(context, row.text, row.tokens, others)


def _cut(
    context: QuestionContext[Any],
    text: str,
    right: Tokens,
    others: Mapping[Tokens, RichText],
    shown_at: int | None = None,
) -> Question:
    """Return a question for a split; typed answers write a space as a dot or leave it out."""
    if context.kind == "choose_segmentation":
        return context.split_question(text, (right,), others, (), shown_at)
    dotted = tuple([token.replace(" ", "·") for token in right])
    mistakes = {
        _bare(cut): sentence for cut, sentence in others.items() if _bare(cut) != _bare(right)
    }
    question = context.split_question(text, (_bare(right), dotted), mistakes, (), shown_at)
    why: RichText = (("word", text), " becomes ", *in_row(right), ".")
    return replace(question, answer=in_row(right), why=why)


def _bare(cut: Tokens) -> Tokens:
    """Return tokens as typed, i.e. without spaces; a token that is only a space becomes a dot."""
    return tuple([token.strip() or "·" for token in cut])


def fewest(context: QuestionContext[PublishedFacts]) -> Question:
    """Which row has the fewest tokens? Every one that ties is right."""
    prompt = "Which one needs the fewest tokens?"
    return context.choose_best(prompt, _counts(context), min, tokens_text)


def most(context: QuestionContext[PublishedFacts]) -> Question:
    """Which row has the most tokens? Every one that ties is right."""
    return context.choose_best(
        "Which one needs the most tokens?", _counts(context), max, tokens_text
    )


def by_length(context: QuestionContext[PublishedFacts]) -> Question:
    """In which order are the rows by their number of tokens?"""
    rows = sorted(_counts(context), key=itemgetter(0))
    if len(rows) > MOST_OPTIONS or len({count for _, count in rows}) < 2:
        raise LessonLookupError(
            f"Put 2 to {MOST_OPTIONS} rows in order, not all of the same length."
        )
    prompt = "Put these in order, the fewest tokens first."
    return context.order_question(prompt, rows, tokens_text, "{:,}".format)


def whole(context: QuestionContext[PublishedFacts]) -> Question:
    """Which of the texts are one token?"""
    rows = _rows(context)
    options = [
        AnswerOption(
            (("word", row.text),),
            len(row.tokens) == 1,
            (("word", row.text), " becomes ", *in_row(row.tokens), "."),
        )
        for row in rows
    ]
    why = ("The others become several tokens.",)
    return context.choose_from("Which of these are a single token?", options, why, form="several")


# --- One word -------------------------------------------------------------------------------------


def next_pair(context: QuestionContext[MergedWordFacts]) -> Question:
    """Which pair is merged next?"""
    facts, at = context.facts, context.at
    if at >= len(facts.merges):
        raise LessonLookupError("No pair is merged next here. Set at to the moment before a merge.")
    ranks = dict(reversed(facts.waiting[at]))  # a repeated pair keeps its first entry
    split, right, best = facts.split(at), facts.merges[at].pair, facts.merges[at].rank
    others = [pair for n in range(len(split) - 1) if (pair := split[n : n + 2]) not in ranks]
    offered = [right, *(pair for pair in ranks if pair != right), *dict.fromkeys(others)]
    never = " spells no piece of this vocabulary."
    options = [
        AnswerOption(in_row(pair), pair == right, rank_text(pair, ranks, best, never))
        for pair in offered[:MOST_OPTIONS]
    ]
    prompt = f"Which pair is merged next in “{facts.word}”?"
    return context.choose_from(prompt, options, options[0].why, shown_at=at + 1)


def word_segmentation(context: QuestionContext[MergedWordFacts]) -> Question:
    """What does the word become in the end?"""
    facts = context.facts
    others: dict[Tokens, RichText] = {
        facts.longest: ("That takes the longest piece first. BPE applies its merges in order.",),
        facts.symbols: ("That is how it starts. Merges apply.",),
    }
    for merge in reversed(facts.merges[:-1]):
        others.setdefault(merge.split, ("One more merge applies.",))
    return _cut(context, facts.word, facts.final, others, facts.last)


def word_token_count(context: QuestionContext[MergedWordFacts]) -> Question:
    """How many tokens does the word become?"""
    facts = context.facts
    mistakes: dict[str, RichText] = {
        f"{len(facts.symbols)}": ("That is the number of its bytes: some are merged.",),
        f"{len(facts.merges)}": ("That is the number of merges.",),
        f"{len(facts.longest)}": ("That is what the longest match would make.",),
    }
    prompt: RichText = ("How many tokens does ", ("word", facts.word), " become?")
    why: RichText = (("word", facts.word), " becomes ", *in_row(facts.final), ".")
    count, hint = len(facts.final), tokens_hint(facts.final)
    return context.number_question(prompt, count, why, mistakes, shown_at=facts.last, hint=hint)


# --- Vocabularies ---------------------------------------------------------------------------------


def most_unreached(context: QuestionContext[VocabulariesFacts]) -> Question:
    """Which vocabulary has the most tokens that no trial made?"""
    rows = [(one.title, len(one.unreached)) for one in context.facts.summaries.values()]
    prompt = "Which vocabulary has the most tokens that no text made?"
    return context.choose_best(prompt, rows, max, "{:,} such tokens".format)


PUBLISHED_QUESTIONS: QuestionKinds = {
    "token_count": (token_count, ("of",)),
    "segmentation": (segmentation, ("of",)),
    "choose_segmentation": (segmentation, ("of",)),
    "fewest": (fewest, ("of",)),
    "most": (most, ("of",)),
    "by_length": (by_length, ("of",)),
    "whole": (whole, ("of",)),
}
WORD_QUESTIONS: QuestionKinds = {
    "next_pair": (next_pair, ()),
    "token_count": (word_token_count, ()),
    "segmentation": (word_segmentation, ()),
    "choose_segmentation": (word_segmentation, ()),
}
VOCABULARIES_QUESTIONS: QuestionKinds = {"most_unreached": (most_unreached, ())}
