"""The notebook of a run: valid for Jupyter, and its cells print the recorded merges."""

import contextlib
import io
import json

import nbformat
import pytest
from hypothesis import given

from pages.shared.export.notebook import merging_notebook
from tests.call_counts import examples
from tests.pages.shared.test_script import BPE, CORPORA, WORDPIECE
from tokenizers import bpe
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

SAME = "The same merges as recorded."


def run(notebook: str, change: tuple[str, str] = ("", "")) -> list[str]:
    """Run the code cells in order, with one string replaced by another."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in json.loads(notebook)["cells"]:
            if cell["cell_type"] == "code":
                exec(cell["source"].replace(*change) if change[0] else cell["source"], names)
    return printed.getvalue().splitlines()


@examples(60)
@given(CORPORA, BPE | WORDPIECE)
def test_its_cells_print_the_recorded_merges(corpus, settings):
    trace = Trace.record(corpus, settings)
    notebook = merging_notebook(trace)
    nbformat.validate(nbformat.reads(notebook, as_version=4))
    assert len(printed := run(notebook)) == len(trace) + 1
    assert printed[-1] == SAME


def test_the_check_names_the_first_merge_that_changes():
    corpus = Corpus({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    notebook = merging_notebook(Trace.record(corpus, bpe.Settings(num_merges=10)))
    assert run(notebook)[-1] == SAME
    changed = run(notebook, ("), 5)", "), 50)"))
    assert changed[-1] == "Step 1 merges ('l', 'o'); recorded was ('e', 's')."


def test_a_large_corpus_has_no_notebook():
    long = Corpus({f"{n}".zfill(30): 1 for n in range(1_000)})
    with pytest.raises(UserError, match="choose a smaller corpus"):
        merging_notebook(Trace.record(long, bpe.Settings(num_merges=1)))
