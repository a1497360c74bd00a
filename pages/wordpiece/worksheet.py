"""Worksheet of a WordPiece encoding, on which students split words by longest match.

The sheet lists the pieces that occur in its words, so the words split as they do with the whole
tokenizer. A worksheet set's other sheets have different words and are equally hard
(pages/shared/export/worksheets/tasks/encoding_tasks.py). Training shares BPE's worksheet
(pages/bpe/worksheet.py); training from the top down weighs too many substrings for paper.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pages.shared.export.worksheets.content import (
    AnswerCell,
    Block,
    Paragraph,
    Strong,
    Task,
    VisibleWord,
    WorksheetSet,
    answer_line,
    fill_template,
    grid,
    instruction,
    piece,
    pieces,
    sheets_of,
    task,
)
from pages.shared.export.worksheets.tasks.encoding_tasks import (
    MatchingTask,
    matching,
    matching_tasks,
)
from tokenizers import wordpiece
from tokenizers.errors import UserError
from tokenizers.wordpiece.matching import match_steps, pieces_of_matches

MOST_WORDS = 3
LONGEST_WORD = 12
MOST_PIECES = 40
_RULE = (
    "{} Begin at the left. Try the whole rest of the word, then one character less, and so on: "
    "take the longest piece that is in the vocabulary. Go on behind it in the same way. If nothing "
    "fits, not even a single character, the whole word becomes {}."
)
_MARK = "Inside a word a piece has {} in front; it is no part of the word."


def worksheet(words: Sequence[str], model: wordpiece.Model, number: int, seed: int) -> WorksheetSet:
    """Return `number` different sheets on which words are to be split, with answers.

    The first sheet has the first of `words` that fit. Raises UserError if the words are too long
    for paper, or if `number` sheets cannot be made from them.
    """
    first = _task(tuple(dict.fromkeys(words)), model)
    sheets = sheets_of(
        _cached(first, number, seed),
        lambda one, is_filled: (_given_task(one), *_question_blocks(one, model.unk, is_filled)),
    )
    return WorksheetSet("WordPiece: splitting by hand", sheets, seed)


_cached = lru_cache(maxsize=16)(matching_tasks)  # the menu calls it at every step of the player


def _task(words: Sequence[str], model: wordpiece.Model) -> MatchingTask:
    """Return a task with as many of the first words as fit on a sheet."""
    short = [word for word in words if 1 < len(word) <= LONGEST_WORD]
    for count in range(min(MOST_WORDS, len(short)), 0, -1):
        matching_task = matching(short[:count], model.vocab, model.settings.mark)
        if 0 < len(matching_task.pieces) <= MOST_PIECES:
            return matching_task
    raise UserError(
        f"A worksheet is for pencil and paper: it needs a word of 2 to {LONGEST_WORD} characters, "
        f"in which no more than {MOST_PIECES} pieces of the vocabulary occur. There is none in "
        "this text. Type a shorter word to get one."
    )


def _given_task(one: MatchingTask) -> Task:
    text = "The vocabulary, or the part of it that matters here:"
    return task("The pieces", Paragraph((text,)), Paragraph((pieces(sorted(one.pieces)),)))


def _question_blocks(one: MatchingTask, unknown: str, is_filled: bool) -> Iterable[Block]:
    if not is_filled:
        yield Paragraph(fill_template(_RULE, Strong(("The rule.",)), piece(unknown)))
        if one.mark:
            yield Paragraph(fill_template(_MARK, VisibleWord(one.mark)))
    for number, word in enumerate(one.words, start=1):
        yield task(f"{number}. Split a word", *_word_blocks(one, word, unknown, is_filled))


def _word_blocks(one: MatchingTask, word: str, unknown: str, is_filled: bool) -> Iterable[Block]:
    steps = list(match_steps(word, one.pieces, one.mark))
    yield Paragraph(fill_template("The word is {}.", VisibleWord(word)))
    yield instruction("Write down what you try in vain, too: that is most of the work.")
    rows = [
        (
            f"{number}",
            AnswerCell(pieces(step.rejected), 1 + len(step.rejected) // 6),
            AnswerCell("nothing fits" if step.piece is None else piece(step.piece)),
        )
        for number, step in enumerate(steps, start=1)
    ]
    columns = {"": 6, "Longer ones that are not in the vocabulary": 70, "The piece": 24}
    yield grid(columns, rows, is_filled)
    yield answer_line("Its tokens:", pieces(pieces_of_matches(steps) or (unknown,)), is_filled)
