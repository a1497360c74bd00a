"""Export a merge run as a Jupyter notebook with the plain code, the words, the steps and a task.

The cells are cut from the run's script (pages/shared/training/script.py), so they need only Python.
A check compares the merges with the recorded ones; if a student edits the words, it names the first
difference. replay_notebook.py exports the other kinds of runs.
"""

import ast
import json
from pprint import pformat

from pages.shared.training.script import NoScriptError, merging_script
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace

_INTRODUCTION = """# {what}, step by step

Every pair of neighbors is counted again at every step. The functions are those of `plain.py` in
Piece by Piece. Run the cells from top to bottom; nothing needs to be installed."""
_WORDS = """## The words

Each word in its base symbols, and how often it occurs."""
_CHECK = """RECORDED = {recorded}

for step, (now, before) in enumerate(zip(merges, RECORDED), start=1):
    if now != before:
        print(f"Step {{step}} merges {{now}}; recorded was {{before}}.")
        break
else:
    same = len(merges) == len(RECORDED)
    print("The same merges as recorded." if same else "The number of merges is another one.")"""
_TASK = """## Your turn

Change in `WORDS` how often a word occurs, or add a word whose symbols are in `ALPHABET`. Run that
cell and the cells below it again. Which merge is the first to change? Can you guess it before?"""


def merging_notebook(trace: Trace) -> str:
    """Return the notebook of a BPE or WordPiece run as JSON (nbformat 4.5).

    Raises UserError if the corpus is too large for the plain code.
    """
    try:
        script = merging_script(trace)
    except NoScriptError as error:
        raise UserError(str(error)) from None
    what, functions, words, run = _parts(script)
    recorded = pformat(list(trace.pairs), width=88, compact=True)
    return notebook(
        markdown_cell(_INTRODUCTION.format(what=what)),
        code_cell(functions),
        markdown_cell(_WORDS),
        code_cell(words),
        markdown_cell("## The steps"),
        code_cell(run),
        markdown_cell("## Are they the recorded ones?"),
        code_cell(_CHECK.format(recorded=recorded)),
        markdown_cell(_TASK),
    )


def notebook(*cells: dict[str, object]) -> str:
    """Return a notebook with these cells as JSON (nbformat 4.5)."""
    return json.dumps(
        {
            "cells": [cell | {"id": f"cell-{n}"} for n, cell in enumerate(cells, start=1)],
            "metadata": {"language_info": {"name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        },
        indent=1,
    )


def _parts(script: str) -> tuple[str, str, str, str]:
    """Return the script's title, its functions, its data, and its loop."""
    tree, lines = ast.parse(script), script.splitlines()
    named = {ast.unparse(one.targets[0]): one for one in tree.body if isinstance(one, ast.Assign)}
    first, data = tree.body[1].lineno - 1, named["WORDS"].lineno - 1
    after = named["MARK"].end_lineno
    parts = lines[first:data], lines[data:after], lines[after:]
    functions, words, run = ("\n".join(part).strip() for part in parts)
    return (ast.get_docstring(tree) or "").partition(",")[0], functions, words, run


def markdown_cell(source: str) -> dict[str, object]:
    """Return a Markdown cell that contains `source`."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code_cell(source: str) -> dict[str, object]:
    """Return a Python cell that contains `source`."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": source,
    }
