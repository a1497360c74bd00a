"""Panels that interpret a lattice by Jensen's lower bound on its sum, for given shares of the
segmentations, and as a hidden Markov model over characters.
"""

import math
from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from lessons.format.words import percent
from pages.lattice.frame_helpers import nats
from pages.shared.controls import terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.panels import show_chart
from pages.shared.controls.url_state import segments
from pages.shared.drawing.charts import FIXED, Chart
from pages.shared.drawing.display_text import plain_table, show_spaces
from tokenizers.lattice import Lattice, Path, forward_values, num_segmentations
from tokenizers.lattice.hidden_markov import State, finished_sum, forward_by_state
from tokenizers.lattice.jensen import Bound, lower_bound

MAX_SEGMENTATIONS = 200
MOST_CHARACTERS, MOST_STATES = 12, 40
SHARES = {
    "alike": "Every way alike",
    "best": "The best way alone",
    "posterior": "The model's own shares",
}
HEIGHT = 340
SAME = 1e-6
"""Smaller gaps, in nats, are treated as none."""


def shares_of(name: str, logs: Sequence[float], total: float) -> list[float]:
    """Return the shares q of the segmentations, whose log probabilities come best first."""
    if name == "alike":
        return [1 / len(logs)] * len(logs)
    if name == "best":
        return [1.0] + [0.0] * (len(logs) - 1)
    return [math.exp(log - total) for log in logs]


def render_bound(lattice: Lattice, paths: Sequence[Path]) -> None:
    """Draw Jensen's inequality for the segmentations of a text."""
    if not paths or not lattice.text:
        st.caption("No path crosses the lattice.")
        return
    if num_segmentations(lattice) > min(len(paths), MAX_SEGMENTATIONS):
        st.caption(
            f"This is drawn for texts with up to {MAX_SEGMENTATIONS} ways. Choose a shorter one."
        )
        return
    logs = [lattice.log_prob(path) for path in paths]
    total = forward_values(lattice)[-1]
    name = segments("Shares q of the ways", SHARES, "alike", key="shares")
    shares = shares_of(name, logs, total)
    left, right = st.columns([3, 2])
    with left:
        text = describe_bound(name, lower_bound(logs, shares), total)
        show_chart(
            Chart("The chart of the bound", jensen_chart(logs, shares, total), text), "jensen"
        )
    with right:
        st.html(bounds_table(logs, total))
    st.markdown(escape_markdown(text))
    terms.caption(
        "Each dot is a way with its p / q, on the curve of the logarithm. The average of the dots, "
        "weighted by q, lies at Z but below the curve, because the curve bends down: the log of an "
        "average is at least the average of the logs. That is Jensen's inequality. EM starts from "
        "the model's own shares, where the two points meet, and raises the lower one."
    )


def jensen_chart(logs: Sequence[float], shares: Sequence[float], total: float) -> go.Figure:
    """Draw the logarithm, a dot for each segmentation, the bound and log Z; x is relative to Z."""
    both = zip(logs, shares, strict=True)
    dots = [(math.exp(log - total) / share, share) for log, share in both if share]
    dots = [(x, share) for x, share in dots if x]  # too far below the best to be drawn
    most = 1.15 * max([x for x, _ in dots] + [1.0])
    low = max(min([x for x, _ in dots] + [1.0]), most / 1_000) / 1.6
    curve = [low + (most - low) * n / 200 for n in range(201)]
    below = lower_bound(logs, shares).value
    # No colours are set, so the three traces take the first ones of the light or dark theme.
    named = ["", "log Z, the bound"] if total - below < SAME else ["the bound", "log Z"]
    data = [
        _line(curve, [total + math.log(x) for x in curve], "log"),
        _line([1.0, 1.0], [below, total], "gap", "dot")
        | {"mode": "lines+markers+text", "marker": {"size": 10, "symbol": "diamond"}}
        | {"text": named, "textposition": ["middle right", "top left"]},
        {
            "type": "scatter",
            "mode": "markers",
            "name": "the ways",
            "x": [x for x, _ in dots],
            "y": [total + math.log(x) for x, _ in dots],
            "marker": {"size": [8 + 14 * share for _, share in dots]},
            "hovertemplate": "p / q = %{x:.4g} Z, log %{y:.3f}<extra></extra>",
        },
    ]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 10, "r": 10, "b": 50, "l": 70},
        "showlegend": False,
        "xaxis": {"title": "p / q (Z is 1)", "range": [0, most], **FIXED},
        "yaxis": {"title": "nats", **FIXED},
    }
    return go.Figure({"data": data, "layout": layout})


def _line(x: list[float], y: list[float], name: str, dash: str = "solid") -> dict:
    look = {"mode": "lines", "line": {"width": 2, "dash": dash}}
    texts = {"name": name, "hovertemplate": "%{x:.4g}: %{y:.3f}<extra></extra>"}
    return {"type": "scatter", "x": x, "y": y} | look | texts


def bounds_table(logs: Sequence[float], total: float) -> str:
    """Return a table with the bound for each choice of shares."""
    rows = []
    for name, title in SHARES.items():
        found = lower_bound(logs, shares_of(name, logs, total))
        parts = found.expected, found.entropy, found.value, max(total - found.value, 0.0)
        rows.append([title, *map(nats, parts)])
    columns = ["shares q", "average of log p", "entropy of q", "bound", "below log Z by"]
    return plain_table(f"log Z = {nats(total)} nats, and bounds of it", columns, rows)


def describe_bound(name: str, found: Bound, total: float) -> str:
    """Describe the bound for the shares called `name`; `total` is log Z."""
    gap = max(total - found.value, 0.0)
    if name == "best":
        return (
            f"The best way alone gives {nats(found.value)} nats, {percent(math.exp(-gap))} of the "
            "sum. A language model that is asked only about the usual tokens of a text sees that "
            "much of the text's probability; all ways together have the rest."
        )
    if name == "posterior":
        return f"With the model's own shares, the bound is log Z itself: {nats(found.value)} nats."
    return f"With every way alike, the bound is {nats(found.value)} nats, {nats(gap)} below log Z."


# --- A hidden Markov model ------------------------------------------------------------------------


def render_markov(lattice: Lattice) -> None:
    """Show a lattice's forward sums for each state of a hidden Markov model."""
    if not lattice.text or any(not edge.known for edge in lattice.edges):
        st.caption("This works for a text whose characters are all pieces.")
        return
    columns = forward_by_state(lattice) if len(lattice.text) <= MOST_CHARACTERS else []
    states = list(dict.fromkeys(state for column in columns for state in column))
    if not 0 < len(states) <= MOST_STATES:
        st.caption(
            f"This is shown for up to {MOST_CHARACTERS} characters and {MOST_STATES} states. "
            "Choose a shorter text."
        )
        return
    heads = ["state", *(show_spaces(character) for character in lattice.text)]
    rows = [[state_text(s), *(nats(c[s]) if s in c else "" for c in columns)] for s in states]
    rows.append(["all finished: α", *(nats(finished_sum(column)) for column in columns)])
    st.html(plain_table("Log sums of the states in which each character is written", heads, rows))
    terms.caption(
        "A hidden state is a piece and how far we are in it: the character between | and | was "
        "written last. Inside a piece, the next state is certain; from a finished one, any piece "
        "may begin, with its own probability, whatever came before. Each state writes its "
        "character with certainty. What is finished adds up to the forward values α of the "
        f"lattice, the last of them log Z = {nats(forward_values(lattice)[-1])}: Viterbi and "
        "forward–backward are the algorithms of hidden Markov models."
    )


def state_text(state: State) -> str:
    """Return a state as text, which is its piece with the last written character between bars.

    >>> state_text(("hat", 2)), state_text(("a", 1))
    ('h|a|t', '|a|')
    """
    piece, done = state
    parts = piece[: done - 1], piece[done - 1], piece[done:]
    return "|".join(show_spaces(part) if part else "" for part in parts)
