"""Export any recorded run as a Jupyter notebook with the trace, its replay, and a task.

The cells need only Python. The replay is the part of replay.py that checks this kind of trace. The
task computes with the trace, which students can edit.
"""

from pages.shared.export import replay
from pages.shared.export.notebook import code_cell, markdown_cell, notebook
from pages.shared.export.replay.running import REPLAYS
from pages.shared.export.trace_json import TraceJson, as_json
from pages.shared.training.script import excerpt
from tokenizers.errors import UserError

MOST_BYTES = 4_000_000  # limit of a trace in a notebook, because editors are slow with more
LONGEST_LISTED = 12  # letters of the longest word whose segmentations are listed

_TITLES = {
    "merging": "Training by merging",
    "merging a text": "Encoding by merges",
    "matching a text": "Encoding by the longest match",
    "lattice": "A lattice",
    "unigram": "Training by EM and pruning",
    "top down": "WordPiece from the top down",
    "race": "A race of three",
}
_INTRODUCTION = """# {title}, replayed step by step

A run that was recorded with Piece by Piece. The first cell is the record; the next ones count
everything again. Run the cells from top to bottom; nothing needs to be installed."""
_RECORD = """import json

TRACE = json.loads(r'''{trace}''')
print(f"A trace of the kind “{{TRACE['kind']}}”.")"""
_REPLAY = """{functions}


steps = {name}(TRACE)
print(f"{{steps:,}} steps replayed, each as it was recorded.")"""
_REPLAYED = """## The replay

A step that does not follow from the one before stops it with a sentence that says which."""

_MERGES = """{plain}

RANKS = {{(first, second): rank for first, second, rank in TRACE["ranks"]}}
for word in TRACE["words"]:
    print(word["word"], "→", *encode_bpe(tuple(word["symbols"]), RANKS))"""
_LONGEST = """{plain}

VOCABULARY = set(TRACE["pieces"])
for word in TRACE["words"]:
    pieces = longest_match(word["word"], VOCABULARY, TRACE["mark"])
    print(word["word"], "→", *(pieces or ["[UNK]"]))"""
_BEST = """import math


def best_way(text, log_probs):
    \"\"\"Return the best segmentation: its log probability and its pieces; None if none fits.\"\"\"
    best = {{0: (0.0, ())}}
    for end in range(1, len(text) + 1):
        ways = [
            (best[start][0] + log_probs[text[start:end]], (*best[start][1], text[start:end]))
            for start in range(end)
            if start in best and text[start:end] in log_probs
        ]
        if ways:
            best[end] = max(ways)
    return best.get(len(text))


LOG_PROBS = {{
    edge["piece"]: edge["log_prob"] for edge in TRACE["edges"] if edge["log_prob"] is not None
}}
print(best_way(TRACE["text"], LOG_PROBS))"""
_EM = """{plain}

WORDS = {{word: n for word, n in TRACE["words"].items() if len(word) <= {longest}}}
before = {{
    piece: math.exp(log_prob)
    for piece, log_prob in TRACE["steps"][0]["log_probs"].items()
    if log_prob is not None
}}
expected = expected_counts(WORDS, before, unknown=1e-9)
after = maximize(expected)
for piece in sorted(after, key=after.get, reverse=True)[:20]:
    print(f"{{piece}}: {{before.get(piece, 0):.4f}} → {{after[piece]:.4f}}")"""
_TASKS = {
    "merging a text": (
        "Take a merge away with `del RANKS[…]` before the loop, or change the symbols of a word. "
        "Can you say the pieces before you run the cell?",
        _MERGES,
        ("encode_bpe",),
    ),
    "matching a text": (
        "Take the first piece of a word out of `VOCABULARY`. What is the longest match then, and "
        "when does the whole word become `[UNK]`?",
        _LONGEST,
        ("longest_match",),
    ),
    "lattice": (
        "Make the first piece of the best way half as probable: "
        "`LOG_PROBS[…] -= math.log(2)`. Is it still the best? How often can you halve it?",
        _BEST,
        (),
    ),
    "unigram": (
        "The cell does one E step and one M step, by listing every segmentation of the words of up "
        f"to {LONGEST_LISTED} letters. Change how often a word occurs. Which pieces gain?",
        _EM,
        ("expected_counts", "maximize"),
    ),
}


def replay_notebook(content: TraceJson) -> str:
    """Return a trace's notebook as JSON. Raises UserError if the trace is too large."""
    trace = as_json(content)
    if len(trace) > MOST_BYTES:
        raise UserError(
            f"The trace has {len(trace) / 1e6:.0f} MB, too many for a notebook. Take the trace and "
            "the script instead, or a smaller text."
        )
    kind = content["kind"]
    name = REPLAYS[kind].__name__
    cells = [
        markdown_cell(_INTRODUCTION.format(title=_TITLES[kind])),
        code_cell(_RECORD.format(trace=trace.replace("'", "\\u0027"))),
        markdown_cell(_REPLAYED),
        code_cell(_REPLAY.format(functions=excerpt(name, source=replay.script()), name=name)),
    ]
    # The plain code for merging a text does not support a mark.
    if kind in _TASKS and not (kind == "merging a text" and content["mark"]):
        task, cell, names = _TASKS[kind]
        cells += [
            markdown_cell(f"## Your turn\n\n{task}"),
            code_cell(cell.format(plain=excerpt(*names), longest=LONGEST_LISTED)),
        ]
    return notebook(*cells)
