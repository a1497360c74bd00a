"""Worksheet of a lattice, which students draw and fill in to find the best path and the sums.

All numbers are computed from the rounded probabilities on the sheet. A worksheet set's other sheets
have different texts and are equally hard (pages/shared/export/worksheets/tasks/unigram_tasks.py).
Length priors are not covered.
"""

import math
from collections.abc import Iterable
from functools import lru_cache

from lessons.format.words import percent
from pages.lattice.frame_helpers import winners
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.worksheets import lattices
from pages.shared.export.worksheets.content import (
    AnswerCell,
    Block,
    NoBreak,
    Paragraph,
    Parts,
    Strong,
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
from pages.shared.export.worksheets.tasks.unigram_tasks import (
    LatticeTask,
    lattice_task,
    lattice_tasks,
)
from tokenizers import lattice as core
from tokenizers.errors import UserError
from tokenizers.lattice import Edge, Lattice, NodeScore

MOST_CHARACTERS = 12
MOST_PIECES = 30
_RULE = (
    "Go from left to right. At a position, add to the log probability of each piece that ends "
    "there the best score of the position where it begins. The largest sum is the best score here. "
    "We start with 0 at position 0."
)
_SUMS = (
    "Now with the probabilities, and a calculator. Going to the right, α of a position is a sum "
    "over the pieces that end there: α where the piece begins, times its probability. α is 1 at "
    "the start. Going back from the end, β is the same sum over the pieces that begin there: the "
    "probability, times β where the piece ends. β is 1 at the end. Three significant digits will "
    "do."
)


def worksheet(lattice: Lattice, number: int, seed: int) -> WorksheetSet:
    """Return `number` different sheets of a lattice, with their answers.

    The first sheet has this lattice. Raises UserError if the lattice is too large for paper or has
    a single path, or if `number` sheets cannot be made from it.
    """
    first = lattice_task(lattice)
    _check_size(lattice, first)
    return WorksheetSet("A lattice by hand", _sheets(first, number, seed), seed)


@lru_cache(maxsize=16)  # the menu calls it at every step of the player
def _sheets(first: LatticeTask, number: int, seed: int) -> tuple[Worksheet, ...]:
    return sheets_of(lattice_tasks(first, number, seed), _tasks)


def _check_size(lattice: Lattice, task: LatticeTask) -> None:
    length, arcs = len(lattice.text), len(lattice.edges)
    if length > MOST_CHARACTERS or arcs > MOST_PIECES:
        raise UserError(
            f"A worksheet is for pencil and paper: it has room for {MOST_CHARACTERS} characters, "
            f"with {MOST_PIECES} pieces in the lattice. This text has "
            f"{count_of(length, 'character')} and {count_of(arcs, 'piece')}. Choose a shorter text "
            "to get one."
        )
    if core.num_segmentations(task.lattice()) < 2:
        raise UserError("There is no choice in splitting this text, so there is nothing to do.")


def _tasks(one: LatticeTask, is_filled: bool) -> Iterable[Block]:
    lattice, sums = one.lattice(), one.sums()
    yield _given_task(one)
    arcs = count_of(len(lattice.edges), "arc")
    yield task(
        "1. Draw the lattice",
        instruction(
            "Draw an arc for each piece, wherever it fits between two positions: {}.", arcs
        ),
        lattices.best_path_picture(lattice) if is_filled else lattices.blank_picture(lattice),
    )
    yield task(
        "2. The best scores, from left to right",
        instruction(_RULE),
        _score_table(lattice, is_filled),
    )
    yield task(
        "3. The best segmentation",
        instruction(
            "Go back from the end: at each position, by the piece that brought the best score."
        ),
        answer_line("Its pieces, and its log probability:", _best_answer(lattice), is_filled),
    )
    yield task("4. All segmentations together", instruction(_SUMS), *_sum_blocks(sums, is_filled))


def _given_task(one: LatticeTask) -> Task:
    """Return the task that gives the text, and each piece's log probability and probability."""
    probs = one.probs()
    rows = [(piece(p), decimals(log), significant(probs[p])) for p, log in one.log_probs]
    texts = [
        fill_template("The text is {}.", VisibleWord(one.text)),
        fill_template("Log probabilities are in nats."),
    ]
    if one.unknown:
        shown = joined((piece(p) for p in sorted(one.unknown)), ", ")
        texts.append(fill_template("Not in the vocabulary, and counted as unknown: {}.", shown))
    columns = {"Piece": 34, "Log probability": 33, "Probability": 33}
    table = grid(columns, rows, is_filled=False, tables=2)
    return task("The pieces", Paragraph(joined(texts, " ")), table)


# ---- the best path ----


def _score_table(lattice: Lattice, is_filled: bool) -> Block:
    columns = {
        "Position": 11,
        "Each piece that ends here, with its sum": 59,
        "Best score": 13,
        "Its piece": 17,
    }
    rows = [
        (
            f"{step.position}",
            AnswerCell(sums, len(step.edges)),
            AnswerCell(best),
            AnswerCell(brought_by),
        )
        for step in core.viterbi_steps(lattice)
        for sums, best, brought_by in [_position_answers(lattice, step)]
    ]
    return grid(columns, rows, is_filled)


def _position_answers(lattice: Lattice, step: NodeScore) -> tuple[Parts, str, Parts]:
    """Return the sums at a position, the best of them, and the pieces with the best sum."""
    if step.best is None:
        return ("nothing",), "none", ()
    edges = [lattice.edges[n] for n in step.edges]
    each = (
        NoBreak(fill_template("{} {} = {}", piece(edge.piece), _sum(edge, total), decimals(total)))
        for edge, total in zip(edges, step.totals, strict=True)
        if total > -math.inf
    )
    tied = [lattice.edges[n].piece for n in winners(step)]
    return joined(each, ", "), decimals(step.value), joined(map(piece, tied), " or ")


def _sum(edge: Edge, total: float) -> str:
    """Return, as text, the best score where the piece begins plus its log probability."""
    sign = "−" if edge.log_prob < 0 else "+"
    return f"{decimals(total - edge.log_prob)} {sign} {decimals(abs(edge.log_prob))}"


def _best_answer(lattice: Lattice) -> Parts:
    path = core.best_path(lattice) or ()
    tied = any(len(winners(step)) > 1 for step in core.viterbi_steps(lattice))
    more = " (where scores tie, either piece will do)" if tied else ""
    shown, log = pieces(lattice.pieces(path)), decimals(lattice.log_prob(path))
    return fill_template("{}  {}{}", shown, log, more)


# ---- the sums ----


def _sum_blocks(lattice: Lattice, is_filled: bool) -> Iterable[Block]:
    forward = [math.exp(value) for value in core.forward_values(lattice)]
    backward = [math.exp(value) for value in core.backward_values(lattice)]
    rows = [
        (f"{n}", *(AnswerCell(significant(value)) for value in both))
        for n, both in enumerate(zip(forward, backward, strict=True))
    ]
    yield grid({"Position": 24, "α": 38, "β": 38}, rows, is_filled, tables=2)
    shares = core.posteriors(lattice)
    n = min(range(len(shares)), key=lambda n: abs(shares[n] - 0.5))  # neither near 0 nor near 1
    edge = lattice.edges[n]
    yield Paragraph(
        fill_template(
            "{} The share of a piece in all segmentations is α where it begins, times its "
            "probability, times β where it ends, divided by α at the end.",
            Strong(("The share of a piece.",)),
        )
    )
    prompt = f"The share of the piece from position {edge.start} to {edge.end}:"
    yield answer_line(
        prompt, fill_template("{}  {}", piece(edge.piece), percent(shares[n])), is_filled
    )
