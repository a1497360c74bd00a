"""Worksheet of a merging run of BPE or WordPiece, for pencil and paper.

Students count the pairs, merge, count again, and split a new word. All numbers come from the run's
trace. A worksheet set's other sheets have different words and are equally hard
(pages/shared/export/worksheets/tasks/variants.py). Runs too long for paper raise UserError.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from lessons.facts.merging import MergeFacts
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.worksheets.content import (
    AnswerCell,
    Block,
    Grid,
    Paragraph,
    Parts,
    Strong,
    Tokens,
    VisibleWord,
    Worksheet,
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
from pages.shared.export.worksheets.tasks.variants import (
    best_cross,
    changed_pair_counts,
    cross_words,
    variants,
)
from tokenizers import bpe, wordpiece
from tokenizers.bpe import merge_steps, split_after
from tokenizers.bpe.superwords import SuperwordSettings
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace
from tokenizers.text.symbols import GLYPH_OF_BYTE, METASPACE
from tokenizers.wordpiece.matching import match_steps

MOST_WORDS = 12
MOST_PAIRS = 30
LONGEST_WORD = 16
MOST_STEPS = {False: 5, True: 4}
"""The number of merges to do by hand; scores (True) take longer than counts (False)."""
MOST_TIED = 3  # pairs that are named in one cell of the answers
TIES_BY_HAND = {
    "first_seen": "take the pair that comes first in the words, read from the top",
    "smallest_ids": "take the pair whose left piece is the oldest, then the one whose right piece "
    "is (single symbols come first, in alphabetical order)",
    "smallest_string": "take the pair that comes first in alphabetical order",
    "largest_string": "take the pair that comes last in alphabetical order",
}
RULES = {
    False: "Count every pair of neighbors inside the words: a pair counts as often as its word "
    "occurs. Merge the pair with the highest count into one piece, in all words. Then count again.",
    True: "A pair counts as often as its word occurs, and so does a symbol. The score of a pair is "
    "its count, divided by the count of its left symbol times the count of its right one. Merge "
    "the pair with the highest score into one piece, in all words. Then count again.",
}


def worksheet(trace: Trace[Any], number: int, seed: int) -> WorksheetSet:
    """Return `number` different sheets of a run, with their answers.

    The first sheet has the words of the run. Raises UserError if the run is too long for paper, or
    if `number` sheets cannot be made from its words.
    """
    _check_length(trace)
    name = "WordPiece" if isinstance(trace.settings, wordpiece.Settings) else "BPE"
    return WorksheetSet(f"{name} by hand", _sheets(trace, number, seed), seed)


def _check_length(trace: Trace[Any]) -> None:
    if isinstance(trace.settings, SuperwordSettings):
        raise UserError(
            "A worksheet counts pairs inside words. "
            "To get one, set Merges may cross spaces to Never."
        )
    words, pairs = len(trace.words), len(trace.state(0).pair_counts)
    longest = max(map(len, trace.words), default=0)
    if words > MOST_WORDS or pairs > MOST_PAIRS or longest > LONGEST_WORD:
        raise UserError(
            f"A worksheet is for pencil and paper: it has room for {MOST_WORDS} distinct words of "
            f"at most {LONGEST_WORD} letters, with {MOST_PAIRS} distinct pairs. This run has "
            f"{count_of(words, 'distinct word')} with {count_of(pairs, 'pair')}. Choose a smaller "
            "training text to get one."
        )
    if not len(trace):
        raise UserError("This run merges nothing, so there is nothing to do by hand.")


@lru_cache(maxsize=16)  # the menu calls it at every step of the player
def _sheets(trace: Trace[Any], number: int, seed: int) -> tuple[Worksheet, ...]:
    first = trace.truncated(MOST_STEPS[trace.settings.by_score])
    cross = best_cross(first)

    def tasks(run: Trace[Any], is_filled: bool) -> Iterable[Block]:
        return _tasks(run, cross_words(run, cross) if cross else "", is_filled)

    return sheets_of(variants(first, number, seed), tasks)


def _tasks(trace: Trace[Any], new: str, is_filled: bool) -> Iterable[Block]:
    by_score = trace.settings.by_score
    yield task("The words", _word_table(trace), *([] if is_filled else [_rule_paragraph(trace)]))
    yield task(
        "1. Count the pairs", *(_score_blocks if by_score else _count_blocks)(trace, is_filled)
    )
    yield task("2. Merge the best pair, and count again", *_recount_blocks(trace, is_filled))
    yield task(f"3. Go on, up to step {len(trace)}", *_step_blocks(trace, is_filled))
    yield task(
        f"4. Write the words as they are after step {len(trace)}", _final_splits(trace, is_filled)
    )
    if new:
        yield task("5. Split a new word", *_new_word_blocks(trace, new, is_filled))
    if not is_filled:
        yield instruction("Room for counting:")


# ---- the given words and rules ----


def _word_table(trace: Trace[Any]) -> Grid:
    rows = [
        (VisibleWord(one), f"{count:,}", pieces(trace.split(n, 0)))
        for n, (one, count) in enumerate(trace.corpus.word_counts.items())
    ]
    return grid({"Word": 22, "How often": 14, "Its symbols": 64}, rows, is_filled=False)


def _rule_paragraph(trace: Trace[Any]) -> Paragraph:
    settings = trace.settings
    rule, ties = RULES[settings.by_score], TIES_BY_HAND[settings.ties]
    rules = [fill_template("{} {} If pairs tie, {}.", Strong(("The rule.",)), rule, ties)]
    rules += explain_marks(settings)
    if settings.min_count > 1:
        rules.append(
            fill_template("A pair that occurs less than {:,} times is left.", settings.min_count)
        )
    if isinstance(settings, bpe.Settings) and settings.max_token_length is not None:
        longest = count_of(settings.max_token_length, "symbol")
        rules.append(fill_template("No piece gets longer than {}.", longest))
    return Paragraph(joined(rules, " "))


def explain_marks(settings: bpe.Settings | wordpiece.Settings) -> Iterable[Parts]:
    """Explain the marks in symbols, such as an end-of-word mark, that are not letters."""
    if settings.base == "end_of_word":
        end = pieces([settings.mark + settings.end_mark])
        yield fill_template("{} marks the end of a word. It is a symbol like the others.", end)
    if settings.base == "bytes":
        yield fill_template(
            "Each symbol is one byte of the text; {} is a space.", pieces([GLYPH_OF_BYTE[32]])
        )
    if settings.base == "metaspace":
        yield fill_template("{} stands for the space in front of a word.", pieces([METASPACE]))
    if settings.mark:
        yield fill_template(
            "{} in front of a piece says that it goes on inside a word; the piece that a merge "
            "makes has it only if the left one has.",
            VisibleWord(settings.mark),
        )


# ---- the questions and their answers ----


def _count_blocks(trace: Trace[Any], is_filled: bool) -> Iterable[Block]:
    """Yield the table of all pairs with the first one filled in; students find the others."""
    rows = [(pair(one), f"{count:,}") for one, count in trace.state(0).pair_counts.items()]
    table_rows = [rows[0], *(tuple(map(AnswerCell, row)) for row in rows[1:])]
    yield instruction("There are {}. The first one is done.", count_of(len(rows), "different pair"))
    yield grid({"Pair": 60, "Count": 40}, table_rows, is_filled, tables=3)


def _score_blocks(trace: Trace[Any], is_filled: bool) -> Iterable[Block]:
    """Yield the table of all pairs; students find the counts from which scores are computed."""
    state = trace.state(0)
    rows = [
        (
            pair(one),
            f"{count:,}",
            *(f"{state.token_counts[part]:,}" for part in one),
            _worth_text(trace, 0, one),
        )
        for one, count in state.pair_counts.items()
    ]
    table_rows = [rows[0], *((row[0], *map(AnswerCell, row[1:])) for row in rows[1:])]
    yield instruction(
        "How often does each pair occur, how often its left and its right symbol, and what is its "
        "score? The first one is done. Fractions will do."
    )
    columns = {"Pair": 36, "Count": 16, "Left": 14, "Right": 14, "Score": 20}
    yield grid(columns, table_rows, is_filled, tables=2)


def _worth_text(trace: Trace[Any], at: int, one: Pair) -> str:
    """Return the count of a pair, or its score as a fraction, as students work it out."""
    state = trace.state(at)
    if trace.settings.by_score:
        return f"{wordpiece.score(state, one)}"
    return f"{state.pair_counts[one]:,}"


def _recount_blocks(trace: Trace[Any], is_filled: bool) -> Iterable[Block]:
    rows = [
        tuple(map(AnswerCell, (pair(one), f"{was:,}", f"{now:,}")))
        for one, (was, now) in changed_pair_counts(trace, 1).items()
    ]
    yield instruction(
        "The first merge changes the counts of {}. Which ones? A pair that is gone counts 0 after "
        "it, and a new one 0 before it.",
        count_of(len(rows), "pair"),
    )
    yield grid({"Pair": 50, "Before": 25, "After": 25}, rows, is_filled, tables=2)


def _step_blocks(trace: Trace[Any], is_filled: bool) -> Iterable[Block]:
    worth = "score" if trace.settings.by_score else "count"
    yield instruction(
        "At the start the words have {:,} tokens, each word counted as often as it occurs.",
        trace.num_tokens[0],
    )
    columns = {
        "Step": 8,
        "Pair merged": 22,
        worth.capitalize(): 11,
        f"All pairs with this {worth}": 45,
        "Tokens after": 14,
    }
    rows = [
        (
            f"{k:,}",
            *map(AnswerCell, _step_answers(trace, k)),
            AnswerCell(f"{trace.num_tokens[k]:,}"),
        )
        for k in range(1, len(trace) + 1)
    ]
    yield grid(columns, rows, is_filled)


def _step_answers(trace: Trace[Any], k: int) -> tuple[Tokens, str, Parts]:
    merged = trace.pairs[k - 1]
    others = [one for one in MergeFacts(trace).best(k - 1) if one != merged]
    named = joined(map(pair, (merged, *others[: MOST_TIED - 1])), " or ")
    more = f" and {len(others) + 1 - MOST_TIED:,} more" if len(others) >= MOST_TIED else ""
    all_best = (
        fill_template("{:,}: {}{}", len(others) + 1, named, more) if others else ("only this one",)
    )
    return pair(merged), _worth_text(trace, k - 1, merged), all_best


def _final_splits(trace: Trace[Any], is_filled: bool) -> Grid:
    rows = [
        (VisibleWord(one), AnswerCell(pieces(trace.split(n, len(trace)))))
        for n, one in enumerate(trace.words)
    ]
    return grid({"Word": 32, "Its pieces": 68}, rows, is_filled, tables=2)


def _new_word_blocks(trace: Trace[Any], new: str, is_filled: bool) -> Iterable[Block]:
    yield Paragraph(
        fill_template("The word is {}: {}.", VisibleWord(new), pieces(trace.settings.symbols(new)))
    )
    if isinstance(trace.settings, wordpiece.Settings):
        yield instruction(
            "Begin at the left, and take the longest piece that fits: a symbol, or a piece that "
            "you made. Go on behind it in the same way."
        )
        columns = {"": 8, "The piece": 26, "Longer ones that are not in the vocabulary": 66}
        yield grid(columns, _match_rows(trace, new), is_filled)
    else:
        yield instruction(
            "Nothing is counted now. Apply your merges in the order in which you made them."
        )
        yield grid(
            {"": 8, "Merge": 32, "The word after it": 60}, _merge_rows(trace, new), is_filled
        )
    yield answer_line("Its tokens:", pieces(trace.model().encode(new).tokens), is_filled)


def _merge_rows(trace: Trace[Any], new: str) -> list[tuple[object, ...]]:
    symbols = trace.settings.symbols(new)
    steps = list(merge_steps(symbols, trace.model().ranks))
    return [
        (f"{n}", AnswerCell(pair(step.pair)), AnswerCell(pieces(split_after(symbols, steps[:n]))))
        for n, step in enumerate(steps, start=1)
    ]


def _match_rows(trace: Trace[Any], new: str) -> list[tuple[object, ...]]:
    steps = match_steps(new, trace.model().vocab, trace.settings.mark)
    return [
        (f"{number}", AnswerCell(pieces([step.piece])), AnswerCell(pieces(step.rejected)))
        for number, step in enumerate(steps, start=1)
        if step.piece is not None
    ]
