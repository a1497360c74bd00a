"""Worksheet of a BPE encoding, on which students apply merges by hand, lowest rank first.

The sheet lists the learned merges that can apply to its words, so the words split as they do with
the whole tokenizer. A worksheet set's other sheets have different words and are equally hard
(pages/shared/export/worksheets/tasks/encoding_tasks.py). Dropout is not covered.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pages.bpe.worksheet import explain_marks
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.worksheets.content import (
    AnswerCell,
    Block,
    Paragraph,
    Strong,
    Task,
    WorksheetSet,
    answer_line,
    fill_template,
    grid,
    instruction,
    joined,
    pair,
    pieces,
    sheets_of,
    task,
)
from pages.shared.export.worksheets.tasks.encoding_tasks import MergingTask, merging, merging_tasks
from tokenizers import bpe
from tokenizers.bpe import merge_steps
from tokenizers.bpe.encoding import candidates, split_after
from tokenizers.errors import UserError
from tokenizers.text.symbols import BYTE_OF_GLYPH, METASPACE, Split

MOST_WORDS = 3
MOST_SYMBOLS = 14
MOST_MERGES = 24
_RULE = (
    "{} Among all pairs of neighbors in the word, look for the one with the lowest rank in the "
    "table, and merge it. If it is there twice, merge the left one first. Then look again. Stop "
    "when no pair of neighbors is in the table."
)


def worksheet(words: Sequence[str], model: bpe.Model, number: int, seed: int) -> WorksheetSet:
    """Return `number` different sheets on which words are to be split, with answers.

    The first sheet has the first of `words` that are known and take a merge. Raises UserError if
    the words are too long for paper, or if `number` sheets cannot be made from them.
    """
    split = tuple(dict.fromkeys(map(model.settings.symbols, words)))
    return printout(_task(split, model), model.settings, number, seed)


def printout(first: MergingTask, settings: bpe.Settings, number: int, seed: int) -> WorksheetSet:
    """Return `number` sheets that begin with `first`; `settings` say which marks to explain."""
    sheets = sheets_of(
        _cached(first, number, seed),
        lambda one, is_filled: (_given_task(one), *_question_blocks(one, settings, is_filled)),
    )
    return WorksheetSet("BPE: splitting by hand", sheets, seed)


_cached = lru_cache(maxsize=16)(merging_tasks)  # the menu calls it at every step of the player


def _task(words: Sequence[Split], model: bpe.Model) -> MergingTask:
    """Return a task with the first words that are short, known and take a merge, if they fit."""
    if model.settings.base == "bytes":
        fixed = [glyph for glyph in BYTE_OF_GLYPH if not glyph.isascii()]
    else:
        fixed = [METASPACE, model.settings.end_mark]
    known = [
        word
        for word in words
        if len(word) <= MOST_SYMBOLS
        and candidates(word, model.ranks)
        and all(symbol in model.vocab for symbol in word)
    ]
    for count in range(min(MOST_WORDS, len(known)), 0, -1):
        merging_task = merging(known[:count], model.ranks, fixed)
        if len(merging_task.pairs) <= MOST_MERGES:
            return merging_task
    raise UserError(
        "A worksheet is for pencil and paper: it needs a word of at most "
        f"{MOST_SYMBOLS} symbols, all of them in the vocabulary, in which a merge applies, but no "
        f"more than {MOST_MERGES} can. There is none in this text. Type another word to get one."
    )


def _given_task(one: MergingTask) -> Task:
    rows = [(f"{rank}", pair(merge)) for rank, merge in enumerate(one.pairs, start=1)]
    columns = {"Rank": 25, "Merge": 75}
    text = "The merges that can apply here, in the order in which they were learned."
    return task("The merges", Paragraph((text,)), grid(columns, rows, False, tables=3))


def _question_blocks(one: MergingTask, settings: bpe.Settings, is_filled: bool) -> Iterable[Block]:
    if not is_filled:
        rule = fill_template(_RULE, Strong(("The rule.",)))
        yield Paragraph(joined([rule, *explain_marks(settings)], " "))
    for number, word in enumerate(one.words, start=1):
        yield task(f"{number}. Split a word", *_word_blocks(one, word, is_filled))


def _word_blocks(one: MergingTask, word: Split, is_filled: bool) -> Iterable[Block]:
    steps = list(merge_steps(word, one.ranks))
    yield Paragraph(fill_template("The word is {}.", pieces(word)))
    yield instruction("It takes {}.", count_of(len(steps), "merge"))
    rows, split = [], word
    for n, step in enumerate(steps, start=1):
        ranks = sorted({rank + 1 for rank, _ in candidates(split, one.ranks)})
        split = split_after(word, steps[:n])
        answers = ", ".join(map(str, ranks)), pair(step.pair), pieces(split)
        rows.append((f"{n}", *map(AnswerCell, answers)))
    columns = {"": 6, "Ranks of all pairs in the table": 22, "Merge": 24, "The word after it": 48}
    yield grid(columns, rows, is_filled)
    yield answer_line("Its tokens:", pieces(split), is_filled)
