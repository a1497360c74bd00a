"""Questions about an edited vocabulary."""

from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question


def choose_segmentation(context: QuestionContext[VocabularyEditFacts]) -> Question:
    """How is the text cut by one of the two vocabularies?"""
    facts, name = context.facts, context.values.get("of", "new")
    right = facts.row(name).tokens
    others = {side.tokens: (f"That is “{side.title}”.",) for side in facts.rows.values()}
    others.setdefault(_undone(facts, right), ("Those merges are still there.",))
    single = right
    while (parts := _undone(facts, single)) != single:
        single = parts
    others.setdefault(single, ("Most merges are still there.",))
    return context.split_question(facts.text, (right,), others)


def _undone(facts: VocabularyEditFacts, tokens: Tokens) -> Tokens:
    """Return the tokens with the last merge of each undone."""
    return tuple([part for token in tokens for part in facts.made.get(token, (token,))])


def gone_too(context: QuestionContext[VocabularyEditFacts]) -> Question:
    """Which pieces go besides the named ones? Pieces that were merged from the named ones do."""
    facts = context.facts
    also = [piece for piece in facts.gone if piece not in facts.removed]
    stays = [piece for piece in facts.made if piece not in facts.gone]
    if not also or not stays:
        raise LessonLookupError(
            "No other piece goes, or all do. Take away a piece that others are made of."
        )
    half = MOST_OPTIONS // 2
    offered = [*also[:half], *stays[::-1][:half]]
    options = [
        AnswerOption(
            in_row([piece]),
            piece in also,
            (*in_row([piece]), " was merged from ", *in_row(facts.made[piece]), "."),
        )
        for piece in offered
    ]
    why = ("Each of them was merged from one that is gone.",)
    return context.choose_from("Which of these pieces go, too?", options, why, form="several")


def read_back(context: QuestionContext[VocabularyEditFacts]) -> Question:
    """What do the old ids say, read by the new vocabulary?"""
    facts = context.facts
    old, new = facts.rows["old"], facts.rows["new"]
    if facts.reread is None:
        raise LessonLookupError(
            "The new vocabulary has no piece for one of the old ids. Close the gaps."
        )
    by_id = {id_: piece for piece, id_ in new.vocab.items()}
    others: dict[Tokens, RichText] = {
        old.tokens: ("Only the old vocabulary reads them like this.",),
        new.tokens: (
            "That is how the new vocabulary splits the same text. The old ids differ from it.",
        ),
    }
    before = tuple([by_id[id_ - 1] for id_ in old.ids if id_ - 1 in by_id])
    others.setdefault(before, ("That is one place too early.",))
    others.pop(facts.reread, None)
    options = [AnswerOption(in_row(facts.reread), True)]
    options += [AnswerOption(in_row(cut), why=sentence) for cut, sentence in others.items()]
    ids = ", ".join(map(str, old.ids))
    why: RichText = (f"Read by the new vocabulary, {ids} is ", *in_row(facts.reread), ".")
    prompt = f"What does the new vocabulary make of the old ids {ids}?"
    return context.choose_from(prompt, options, why)


VOCABULARY_EDIT_QUESTIONS: QuestionKinds = {
    "choose_segmentation": (choose_segmentation, ("of",)),
    "gone_too": (gone_too, ()),
    "read_back": (read_back, ()),
}
