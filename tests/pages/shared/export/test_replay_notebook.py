"""A trace as a notebook: valid for Jupyter, its cells replay it, and its task computes."""

import json
import math

import nbformat
import pytest

from pages.shared.export.replay_notebook import MOST_BYTES, replay_notebook
from tests.pages.shared.export.test_export import (
    RECORDS,
    changed,
    of_lattice,
    of_matching,
    of_unigram,
)
from tests.pages.shared.export.test_notebook import run
from tokenizers.errors import UserError
from tokenizers.unigram.settings import CONVENTIONS


@pytest.mark.parametrize("name", RECORDS)
def test_its_cells_replay_every_step(name: str):
    notebook = replay_notebook(RECORDS[name]())
    nbformat.validate(nbformat.reads(notebook, as_version=4))
    assert notebook.isascii()
    printed = run(notebook)
    assert any("steps replayed, each as it was recorded" in line for line in printed)


@pytest.mark.parametrize("name", CONVENTIONS)
def test_its_cells_replay_unigram_by_every_convention(name: str):
    printed = run(replay_notebook(of_unigram(name)))
    assert any("steps replayed, each as it was recorded" in line for line in printed)


@pytest.mark.parametrize("name", [name for name in RECORDS if "encoding" in name])
def test_the_task_prints_the_recorded_pieces(name: str):
    record = RECORDS[name]()
    if record.get("dropout"):
        return
    printed = run(replay_notebook(record))[-len(record["words"]) :]
    assert [line.partition(" → ")[2].split(" ") for line in printed] == [
        list(word["pieces"]) for word in record["words"]
    ]


def test_the_longest_match_is_the_recorded_one():
    record = of_matching()
    printed = run(replay_notebook(record))[-len(record["words"]) :]
    for line, word in zip(printed, record["words"], strict=True):
        pieces = [step["piece"] for step in word["steps"]]
        whole = ["[UNK]"] if None in pieces else pieces
        assert line == f"{word['word']} → {' '.join(whole)}"


def test_the_best_segmentation_is_the_recorded_one():
    record = of_lattice()
    log_prob, pieces = eval(run(replay_notebook(record))[-1])
    assert math.isclose(log_prob, record["viterbi"][-1])
    assert list(pieces) == [record["edges"][number]["piece"] for number in record["best"]]


def test_the_probabilities_after_one_round_are_those_of_the_trace():
    record = of_unigram("textbook")
    printed = run(replay_notebook(record))
    after = next(one["log_probs"] for one in record["steps"] if one["step"] == "maximization")
    printed_values = dict(line.split(": ") for line in printed if " → " in line)
    assert printed_values
    for piece, values in printed_values.items():
        assert values.endswith(f"{math.exp(after[piece]):.4f}")


def test_what_is_changed_in_the_record_is_named():
    record = changed(of_matching(), "words", 0, "steps", 0, "piece", value="x")
    with pytest.raises(AssertionError, match="fits, not 'x'"):
        run(replay_notebook(record))


def test_a_word_that_ends_the_text_of_the_cell_is_only_text():
    hostile = "'''); print('x' * 3); ('''\u202e\\"
    record = json.loads(json.dumps(of_matching()))
    record["words"] = [
        {
            "word": hostile,
            "steps": [
                {
                    "start": 0,
                    "end": 0,
                    "piece": None,
                    "rejected": [hostile[:end] for end in range(len(hostile), 0, -1)],
                }
            ],
        }
    ]
    assert run(replay_notebook(record))[-1] == f"{hostile} → [UNK]"


def test_a_large_trace_has_no_notebook():
    record = of_matching() | {"pieces": ["x" * MOST_BYTES]}
    with pytest.raises(UserError, match="too many for a notebook"):
        replay_notebook(record)
