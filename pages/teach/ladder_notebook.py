"""The ladder of programming tasks as a Jupyter notebook: an empty function per task, and checks.

What the functions should return was computed by the core (`lessons/ladder/`). The notebook needs
Python, for two tasks the package `regex`, and no network.
"""

from collections.abc import Iterable

from lessons.ladder import Task, checking_code, record_code, tasks
from pages.shared.export.notebook import code_cell, markdown_cell, notebook

NAME = "ladder.ipynb"
_INTRODUCTION = """# Build a tokenizer, step by step

{number} functions, from counting pairs to one step of EM. Each task has an empty function and a
check. Write the function, run its cell, then the check: it compares with what Piece by Piece
recorded for small texts, and in task {real} with GPT-2. A check that fails says which call, what it
gave, and where to look. Later tasks may use the functions of earlier ones.

You need Python 3.10 or newer. Tasks {regex} use the package `regex` (`pip install regex`)."""
_SETUP = """## Before you begin

Run these two cells: the first compares, the second has the record."""
_END = "## How far are you?\n\nRun all cells again, then this one."
_EMPTY = '    raise NotImplementedError("write me")'
USES_REGEX = ("split_words", "encode_gpt2", "encode_special")


def ladder_notebook() -> str:
    """Return the notebook as JSON (nbformat 4.5)."""
    numbers = {task.name: number for number, task in enumerate(tasks(), start=1)}
    regex = [numbers[name] for name in USES_REGEX]
    introduction = _INTRODUCTION.format(
        number=len(numbers), real=numbers["encode_gpt2"], regex=f"{regex[0]} to {regex[-1]}"
    )
    cells = [
        markdown_cell(introduction),
        markdown_cell(_SETUP),
        code_cell(checking_code()),
        code_cell(record_code()),
    ]
    for task in tasks():
        cells += _cells(task, numbers[task.name])
    return notebook(*cells, markdown_cell(_END), code_cell("check.summary()"))


def _cells(task: Task, number: int) -> Iterable[dict[str, object]]:
    heading = f"# {task.part}\n\n" if task.part else ""
    yield markdown_cell(f"{heading}## {number}. {task.title}\n\n{task.text}")
    stub = f"{task.stub}\n{_EMPTY}"
    yield code_cell(f"import regex\n\n{stub}" if task.name == USES_REGEX[0] else stub)
    yield code_cell(f"check({task.name})")
