"""Questions about the morphemes of words, and how well the cuts of tokenizers match them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from lessons.format.trouble import NotThere, unknown
from lessons.format.words import Text, Tokens, count_of, in_row, listed, percent
from lessons.questions.asking import (
    MOST_OPTIONS,
    Asked,
    choose_from,
    cut_question,
    text_argument,
)
from lessons.questions.judging import Option, Question
from lessons.records.morphemes import MorphemesRecord, is_exact
from tokenizers.measures.boundaries import Cut, Scores, parts

MEASURES: Mapping[str, tuple[str, Callable[[Scores], float]]] = {
    "precision": ("precision", lambda found: found.precision),
    "recall": ("recall", lambda found: found.recall),
    "f1": ("F1", lambda found: found.f1),
}
"""By name: what the screen calls it, and the measure itself."""


def morphemes(asked: Asked[MorphemesRecord]) -> Question:
    """What are the morphemes of a word? They are to be written."""
    word = text_argument(asked, "word")
    right = asked.record.parts(word)
    others: dict[Tokens, Text] = {(word,): ("There is more than one part in it.",)}
    for row in asked.record.rows.values():
        cut = row.words[word].boundaries.drawn
        others.setdefault(parts(word, cut), (f"That is how {row.title} cuts it.",))
    others.pop(right, None)
    why: Text = (("word", word), " is made of ", *in_row(right), ".")
    question = cut_question(asked, word, (right,), others, why)
    prompt: Text = ("What are the morphemes of ", ("word", word), "? Write them with spaces ")
    return replace(question, prompt=(*prompt, "between them."))


def choose_segmentation(asked: Asked[MorphemesRecord]) -> Question:
    """How does one of the tokenizers cut a word? The marks would tell which one it is."""
    word, name = text_argument(asked, "word"), asked.values.get("of")
    right = parts(word, asked.record.cut(name, word).boundaries.drawn)
    others: dict[Tokens, Text] = {asked.record.parts(word): ("Those are the morphemes.",)}
    for row in asked.record.rows.values():
        cut = row.words[word].boundaries.drawn
        others.setdefault(parts(word, cut), (f"That is how {row.title} cuts it.",))
    others.setdefault((word,), ("It has no piece for all of it.",))
    others.pop(right, None)
    question = cut_question(asked, word, (right,), others)
    title = asked.record.row(name).title
    return replace(question, prompt=(f"How does {title} cut ", ("word", word), "?"))


def highest(asked: Asked[MorphemesRecord]) -> Question:
    """Which row has the highest precision, recall or F1?"""
    name, rows = asked.values.get("measure", "f1"), list(asked.record.rows.values())
    if not isinstance(name, str) or name not in MEASURES:
        raise NotThere(unknown(name, tuple(MEASURES), "there is no measure"))
    if not 1 < len(rows) <= MOST_OPTIONS:
        raise NotThere(f"This question is about 2 to {MOST_OPTIONS} rows. Give as many.")
    called, measure = MEASURES[name]
    values = {row.title: measure(row.scores) for row in rows}
    best = max(values.values())
    top = f" The highest is {percent(best)}."
    options = [
        Option((title,), value == best, (f"{title}: {percent(value)}.", top * (value < best)))
        for title, value in values.items()
    ]
    right = listed([option.said for option in options if option.is_right])
    why: Text = (*right, f": {percent(best)}.")
    return choose_from(asked, f"Which one has the highest {called}?", options, right, why)


def exact(asked: Asked[MorphemesRecord]) -> Question:
    """Which words does one of the tokenizers cut into just their morphemes?"""
    row, words = asked.record.row(asked.values.get("of")), asked.record.morphemes
    if not 1 < len(words) <= MOST_OPTIONS:
        raise NotThere(f"This question is about 2 to {MOST_OPTIONS} words. Give as many.")
    options = [
        Option((("word", word),), is_exact(cut.boundaries), _against(word, cut))
        for word, cut in row.words.items()
    ]
    right = listed([option.said for option in options if option.is_right])
    exactly = [cut for cut in row.words.values() if is_exact(cut.boundaries)]
    why: Text = ("The cuts are ", *listed([in_row(cut.tokens) for cut in exactly]), ".")
    prompt = f"Which words does {row.title} cut into just their morphemes?"
    return choose_from(asked, prompt, options, right, why, form="several")


def _against(word: str, found: Cut) -> Text:
    """Say what is wrong with the cuts of a word, if anything is."""
    tokens, wrong, missed = found.tokens, len(found.boundaries.wrong), len(found.boundaries.missed)
    if not wrong and not missed:
        return (("word", word), " becomes ", *in_row(tokens), ", and that is right.")
    faults = [f"{count_of(wrong, 'cut')} too many"] if wrong else []
    faults += [f"{count_of(missed, 'cut')} missing"] if missed else []
    return (("word", word), " becomes ", *in_row(tokens), f": {' and '.join(faults)}.")


MORPHEMES_QUESTIONS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "morphemes": (morphemes, ("word",)),
    "choose_segmentation": (choose_segmentation, ("of", "word")),
    "highest": (highest, ("measure",)),
    "exact": (exact, ("of",)),
}
"""By kind: what makes the question, and which keys it may have."""
