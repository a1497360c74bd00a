"""Questions about the morphemes of words, and how well the cuts of tokenizers match them."""

from collections.abc import Callable, Mapping

from lessons.facts.morphemes import MorphemesFacts, is_exact
from lessons.format.errors import LessonLookupError, entry
from lessons.format.words import RichText, Tokens, count_of, in_row, join_list, percent
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question
from tokenizers.measures.boundaries import BoundaryScores, EvaluatedWord, parts

MEASURES: Mapping[str, tuple[str, Callable[[BoundaryScores], float]]] = {
    "precision": ("precision", lambda found: found.precision),
    "recall": ("recall", lambda found: found.recall),
    "f1": ("F1", lambda found: found.f1),
}
"""Maps a measure's name to its label on the screen and its function."""


def morphemes(context: QuestionContext[MorphemesFacts]) -> Question:
    """What are the morphemes of a word? The answer is typed."""
    word = context.text("word")
    right = context.facts.parts(word)
    others: dict[Tokens, RichText] = {(word,): ("There is more than one part in it.",)}
    _add_rows(others, context.facts, word)
    why: RichText = (("word", word), " is made of ", *in_row(right), ".")
    prompt: RichText = ("What are the morphemes of ", ("word", word), "? Write them with spaces ")
    prompt = (*prompt, "between them.")
    return context.split_question(word, (right,), others, why, prompt=prompt)


def _add_rows(others: dict[Tokens, RichText], facts: MorphemesFacts, word: str) -> None:
    """Add each tokenizer's split of a word."""
    for row in facts.rows.values():
        cut = parts(word, row.words[word].boundaries.predicted)
        others.setdefault(cut, (f"That is how {row.title} cuts it.",))


def choose_segmentation(context: QuestionContext[MorphemesFacts]) -> Question:
    """How does one of the tokenizers cut a word? Marks are left out, as they would identify it."""
    word, name = context.text("word"), context.values.get("of")
    right = parts(word, context.facts.cut(name, word).boundaries.predicted)
    others: dict[Tokens, RichText] = {context.facts.parts(word): ("Those are the morphemes.",)}
    _add_rows(others, context.facts, word)
    others.setdefault((word,), ("It has no piece for all of it.",))
    prompt: RichText = (f"How does {context.facts.row(name).title} cut ", ("word", word), "?")
    return context.split_question(word, (right,), others, prompt=prompt)


def highest(context: QuestionContext[MorphemesFacts]) -> Question:
    """Which row has the highest precision, recall or F1?"""
    label, measure = entry(MEASURES, context.values.get("measure", "f1"), "there is no measure")
    rows = [(row.title, measure(row.scores)) for row in context.facts.rows.values()]
    if not 1 < len(rows) <= MOST_OPTIONS:
        raise LessonLookupError(f"This question is about 2 to {MOST_OPTIONS} rows. Give as many.")

    def end(value: float, best: float) -> str:
        return "." if value == best else f". The highest is {percent(best)}."

    return context.choose_best(f"Which one has the highest {label}?", rows, max, percent, end)


def exact(context: QuestionContext[MorphemesFacts]) -> Question:
    """Which words does one of the tokenizers cut into just their morphemes?"""
    row, words = context.facts.row(context.values.get("of")), context.facts.morphemes
    if not 1 < len(words) <= MOST_OPTIONS:
        raise LessonLookupError(f"This question is about 2 to {MOST_OPTIONS} words. Give as many.")
    options = [
        AnswerOption((("word", word),), is_exact(cut.boundaries), _against(word, cut))
        for word, cut in row.words.items()
    ]
    exactly = [cut for cut in row.words.values() if is_exact(cut.boundaries)]
    why: RichText = ("The cuts are ", *join_list([in_row(cut.tokens) for cut in exactly]), ".")
    prompt = f"Which words does {row.title} cut into just their morphemes?"
    return context.choose_from(prompt, options, why, form="several")


def _against(word: str, found: EvaluatedWord) -> RichText:
    """Return a sentence about the errors in a tokenizer's cuts of a word."""
    tokens, wrong, missed = found.tokens, len(found.boundaries.wrong), len(found.boundaries.missed)
    if not wrong and not missed:
        return (("word", word), " becomes ", *in_row(tokens), ", and that is right.")
    faults = [f"{count_of(wrong, 'cut')} too many"] if wrong else []
    faults += [f"{count_of(missed, 'cut')} missing"] if missed else []
    return (("word", word), " becomes ", *in_row(tokens), f": {' and '.join(faults)}.")


MORPHEMES_QUESTIONS: QuestionKinds = {
    "morphemes": (morphemes, ("word",)),
    "choose_segmentation": (choose_segmentation, ("of", "word")),
    "highest": (highest, ("measure",)),
    "exact": (exact, ("of",)),
}
