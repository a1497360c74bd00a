"""Worksheet of a Unigram run, for one round of EM by hand and one piece to remove.

Students list the ways to split a word with products and shares, add up expected counts, divide, and
find the piece that is needed least. The plain code computes all numbers from the rounded
probabilities on the sheet. A worksheet set's other sheets have different words and are equally hard
(pages/shared/export/worksheets/tasks/unigram_tasks.py). M steps and losses of other conventions are
not covered.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from lessons.format.words import percent
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.worksheets import lattices
from pages.shared.export.worksheets.content import (
    AnswerCell,
    Block,
    Columns,
    Paragraph,
    Task,
    VisibleWord,
    Worksheet,
    WorksheetSet,
    answer_line,
    fill_template,
    grid,
    instruction,
    joined,
    piece,
    pieces,
    sheets_of,
    task,
)
from pages.shared.export.worksheets.rounding import decimals, significant
from pages.shared.export.worksheets.tasks import unigram_tasks
from pages.shared.export.worksheets.tasks.unigram_tasks import EmTask
from tokenizers import plain
from tokenizers.lattice import Lattice
from tokenizers.record.unigram_trace import UnigramTrace

_SHARES = (
    "Multiply the probabilities of the pieces. The share of a way is its product, divided by the "
    "sum of all products of the word. The first way is done."
)
_EXPECTED = (
    "A way counts as often as its word occurs, times its share. Add up for each piece the ways "
    "that it is in. Two decimals will do; rounding may change the last one of a sum."
)
_NEW = (
    "The new probability of a piece is its expected count, divided by the sum of all expected "
    "counts. Three decimals will do."
)
_PRUNING = (
    "Which piece can go? Single characters stay. Without a piece, a word has only the ways that "
    "it is not in. The loss of a piece is a sum over the words: how often the word occurs, times "
    "−ln of the share of those ways, by the shares of task 1. The piece with the smallest loss is "
    "removed."
)


def worksheet(trace: UnigramTrace, number: int, seed: int) -> WorksheetSet:
    """Return `number` different sheets of a run, with their answers.

    The first sheet has words of the run. Raises UserError if no word is short enough for paper, or
    if `number` sheets cannot be made from the words.
    """
    return WorksheetSet("Unigram by hand", _sheets(trace, number, seed), seed)


@lru_cache(maxsize=16)  # the menu calls it at every step of the player
def _sheets(trace: UnigramTrace, number: int, seed: int) -> tuple[Worksheet, ...]:
    step, first = unigram_tasks.em_task(trace)
    note = f"as step {step:,} of the run begins"
    return sheets_of(unigram_tasks.em_tasks(first, number, seed), _tasks, note)


def _tasks(one: EmTask, is_filled: bool) -> Iterable[Block]:
    yield _given_task(one)
    yield from _segmentation_tasks(one, is_filled)
    expected = plain.expected_counts(one.word_counts, one.probs)
    yield task(
        "2. E step: the expected counts",
        instruction(_EXPECTED),
        _expected_count_table(one, is_filled),
    )
    total = decimals(sum(expected.values()))
    yield task(
        "3. M step: the new probabilities",
        instruction(_NEW),
        answer_line("The sum of all expected counts:", total, is_filled),
        _probability_table(one, is_filled),
    )
    yield task("4. Remove one piece", instruction(_PRUNING), *_pruning_blocks(one, is_filled))


# ---- the given words and pieces ----


def _given_task(one: EmTask) -> Task:
    counted = joined(
        (fill_template("{} × {:,}", VisibleWord(word), n) for word, n in one.words), ", "
    )
    words = fill_template("The whole text: {}.", counted)
    rounded = "The probabilities of the pieces are scaled to these words, and rounded."
    rows = [(piece(p), decimals(prob)) for p, prob in one.pieces]
    table = grid({"Piece": 50, "Probability": 50}, rows, is_filled=False, tables=3)
    return task(
        "The words and the pieces", Paragraph(fill_template("{} {}", words, rounded)), table
    )


# ---- the ways to split each word ----


def _segmentation_tasks(one: EmTask, is_filled: bool) -> Iterable[Block]:
    for n, (word, _) in enumerate(one.words):
        lattice = Lattice.build(word, dict.fromkeys(one.probs, 0.0))
        picture = lattices.labelled_picture(lattice, lambda edge: decimals(one.probs[edge.piece]))
        count_text = count_of(len(unigram_tasks.segmentation_shares(one, word)), "way")
        title = "1. The ways to split each word" if not n else "The next word"
        blocks: list[Block] = [] if n else [instruction(_SHARES)]
        blocks.append(
            Paragraph(fill_template("{} can be split in {}:", VisibleWord(word), count_text))
        )
        if not is_filled:
            blocks.append(picture)
        yield task(title, *blocks, _segmentation_table(one, word, is_filled))


def _segmentation_table(one: EmTask, word: str, is_filled: bool) -> Block:
    products = plain.segmentations(word, one.probs)
    shares = unigram_tasks.segmentation_shares(one, word)
    rows: list[Sequence[object]] = [
        (f"{n}", *map(AnswerCell, (pieces(way), _product(one, way), percent(shares[way]))))
        for n, way in enumerate(products, start=1)
    ]
    first = next(iter(products))
    rows[0] = ("1", pieces(first), _product(one, first), AnswerCell(percent(shares[first])))
    rows.append(("Sum", "", AnswerCell(significant(sum(products.values()))), "100%"))
    columns = {"": 8, "Pieces": 34, "Product": 43, "Share": 15}
    return grid(columns, rows, is_filled)


def _product(one: EmTask, way: plain.Split) -> str:
    factors = " × ".join(decimals(one.probs[p]) for p in way)
    product = significant(plain.segmentations("".join(way), one.probs)[way])
    return product if len(way) == 1 else f"{factors} = {product}"


# ---- the E step, the M step, and pruning ----


def _expected_count_table(one: EmTask, is_filled: bool) -> Block:
    counts = [plain.expected_counts({word: count}, one.probs) for word, count in one.words]
    total = plain.expected_counts(one.word_counts, one.probs)
    rows = []
    for p in one.probs:
        each = zip(one.word_counts, counts, strict=True)
        in_words = [AnswerCell(decimals(n[p]) if p in word else "–") for word, n in each]
        rows.append((piece(p), *in_words, AnswerCell(decimals(total[p]))))
    names = [f"In {word}" for word, _ in one.words]
    return grid(_columns("Piece", names, "Together"), rows, is_filled, tables=2)


def _columns(first: str, names: Sequence[str], last: str) -> Columns:
    return dict.fromkeys([first, *names, last], 100 // (len(names) + 2))


def _probability_table(one: EmTask, is_filled: bool) -> Block:
    new = plain.maximize(plain.expected_counts(one.word_counts, one.probs))
    rows = [(piece(p), decimals(one.probs[p]), AnswerCell(decimals(new[p], 3))) for p in one.probs]
    return grid({"Piece": 36, "Before": 32, "After": 32}, rows, is_filled, tables=2)


def _pruning_blocks(one: EmTask, is_filled: bool) -> Iterable[Block]:
    rows = [
        (
            piece(p),
            *(
                AnswerCell(percent(unigram_tasks.share_without(one, word, p)))
                for word, _ in one.words
            ),
            AnswerCell(decimals(unigram_tasks.loss(one, p))),
        )
        for p in one.multiple
    ]
    names = [f"Share without it, {word}" for word, _ in one.words]
    yield grid(_columns("Piece", names, "Loss (nats)"), rows, is_filled)
    yield answer_line(
        "Remove:", joined(map(piece, unigram_tasks.least_needed(one)), " or "), is_filled
    )
