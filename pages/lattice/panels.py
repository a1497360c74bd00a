"""Panels of Unigram · Lattice that show segmentations, a step's numbers, draws and pieces."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from lessons.format.words import percent
from pages.lattice import inputs
from pages.lattice.formulas import arrival_formula, backward_formula
from pages.lattice.frame_helpers import LONGEST_DRAWN, describe_count, describe_counts, nats
from pages.lattice.runs import SamplingSettings
from pages.lattice.samples import DRAWS, describe_draws, distance, draw, draws_chart
from pages.shared.controls import terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.panels import TABLE_HEIGHT
from pages.shared.controls.url_state import IN_URL, choice, whole_number
from pages.shared.drawing.display_text import html_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from tokenizers import lattice as core
from tokenizers.errors import user_message
from tokenizers.lattice import LOG_ZERO, TIE_EPS, Lattice, LengthGroup, Path
from tokenizers.lattice.sampling import CONVENTIONS, Sampler

LONGEST_BY_LENGTH = 100  # characters
MOST_PIECES = 200  # rows of pieces to edit


def num_unknown(lattice: Lattice) -> int:
    """Return how many characters of the text are unknown on the best path."""
    best = core.best_path(lattice) or ()
    return sum(not lattice.edges[number].known for number in best)


def summary(lattice: Lattice) -> None:
    """Summarize the whole lattice in one line."""
    total = core.forward_values(lattice)[-1]
    if not lattice.text:
        st.markdown("There is no text to split. Type one in the box above.")
        return
    if total == LOG_ZERO:
        st.markdown("**No path** crosses this lattice.")
        return
    text = f"**{describe_counts(lattice)}** · log Z = {nats(total)} nats, the sum over all of them"
    text += f" · entropy {nats(core.entropy(lattice))} nats"
    if len(lattice.text) > LONGEST_DRAWN:
        text += f" · the picture above shows and counts only the first {LONGEST_DRAWN:,} characters"
    st.markdown(text)


# --- All segmentations ----------------------------------------------------------------------------


def listing(lattice: Lattice, paths: Sequence[Path]) -> None:
    """List the segmentations, the best first; a selected row becomes the user's path."""
    total, number = core.forward_values(lattice)[-1], core.num_segmentations(lattice)
    logs = [lattice.log_prob(path) for path in paths]
    table = pd.DataFrame(
        {
            "rank": range(1, len(paths) + 1),
            "segmentation": ["|".join(map(show_spaces, lattice.pieces(path))) for path in paths],
            "log p": logs,
            "share": [100 * math.exp(log - total) for log in logs],
        }
    )
    share = sum(math.exp(log - total) for log in logs)
    shown = "all of them" if number == len(paths) else f"the first {len(paths):,}"
    st.caption(
        f"{describe_count(lattice)}, {shown} listed: {percent(min(share, 1.0))} of the sum. "
        "Choose a row to draw it."
    )
    st.dataframe(
        table,
        hide_index=True,
        height=TABLE_HEIGHT,
        key="segmentations",
        on_select=lambda: _choose_row(lattice, paths),
        selection_mode="single-row",
        column_config={
            "log p": st.column_config.NumberColumn(format="%.4f"),
            "share": st.column_config.NumberColumn("share in %", format="%.4g"),
        },
        alt="All segmentations with their probabilities",
    )


def _choose_row(lattice: Lattice, paths: Sequence[Path]) -> None:
    rows = st.session_state["segmentations"].selection.rows
    if rows and rows[0] < len(paths):
        inputs.set_user_path(lattice, paths[rows[0]])


# --- The numbers of a step ------------------------------------------------------------------------


def numbers(lattice: Lattice, mode: str, k: int, is_sum: bool) -> None:
    """Show, as a formula with numbers inserted, the value computed at step `k`."""
    if mode not in ("filling", "backward"):
        st.caption("“Fill it in” and “From the right” compute a value at every step, shown here.")
        return
    if not k or not lattice.text:
        st.caption("Take a step to see how we compute the value of its position.")
        return
    is_backward = mode == "backward"
    from_the_left = core.forward_steps if is_sum else core.viterbi_steps
    steps = list(core.backward_steps(lattice) if is_backward else from_the_left(lattice))
    step = steps[min(k, len(steps)) - 1]
    values = [0.0, *(one.value for one in steps)]
    if is_backward:
        st.latex(backward_formula(lattice, values[::-1], step))
        role = "begin at this position; p ends at j_p, and β[j_p] is the log of the sum from there"
    else:
        st.latex(arrival_formula(lattice, values, step, is_sum))
        value = "log of the sum of all paths" if is_sum else "log probability of the best path"
        role = f"end at this position; p begins at i_p, whose value is the {value} there"
    st.caption(f"p runs over the pieces that {role}. Everything else is the same for max and sum.")


# --- The number of pieces -------------------------------------------------------------------------


def lengths(lattice: Lattice, suggested: Mapping[int, float]) -> None:
    """Show segmentations grouped by number of pieces, and the effect of a prior on this number."""
    if len(lattice.text) > LONGEST_BY_LENGTH:
        st.caption(f"This works for up to {LONGEST_BY_LENGTH:,} characters.")
        return
    prior = _prior(suggested)
    found = core.by_length(lattice)
    if not found:
        st.caption("No path crosses the lattice.")
        return
    total = core.forward_values(lattice)[-1]
    columns = ["M", "ways", "the best of them", "log p", "share of Z"]
    rows: list[list[str | int]] = []
    for group in found:
        pieces = "|".join(lattice.pieces(group.best))
        share = percent(min(math.exp(group.log_sum - total), 1.0)).replace(" ", "")
        rows.append([group.length, f"{group.count:,}", pieces, nats(group.log_best), share])
    if prior:
        columns += ["log P(M)", "together"]
        for row, group in zip(rows, found, strict=True):
            log = math.log(prior[group.length]) if prior.get(group.length) else LOG_ZERO
            row += [nats(log), nats(log + group.log_best)]
    st.html(html_table("Segmentations by their number of pieces", columns, rows))
    st.markdown(_describe_winners(lattice, found, prior))


def _prior(suggested: Mapping[int, float]) -> dict[int, float]:
    """Ask for the prior; if the input is invalid, show an error and return an empty prior."""
    text = st.text_input(
        "P(M), the prior probability of M pieces",
        inputs.format_prior(suggested),
        200,
        key="prior",
        placeholder="for example: 1 0.9 3 0.1. Numbers you leave out have probability 0.",
        **IN_URL,
    )
    try:
        return inputs.parse_prior(text)
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        return {}


def _describe_winners(
    lattice: Lattice, found: Sequence[LengthGroup], prior: Mapping[int, float]
) -> str:
    most = max(group.log_best for group in found)
    plain = [group for group in found if group.log_best > most - TIE_EPS]
    named = " and ".join(
        escape_markdown(show_spaces("|".join(lattice.pieces(group.best)))) for group in plain
    )
    text = f"Without a prior, {named} {'tie' if len(plain) > 1 else 'is best'}."
    if prior:
        best = core.best_by_length(found, prior)
        if best is None:
            return f"{text} With this prior, nothing is possible."
        winner = escape_markdown(show_spaces("|".join(lattice.pieces(best.best))))
        text += f" With it, **{winner}** wins."
    return f"{text} SentencePiece and Hugging Face use none."


# --- Draws ----------------------------------------------------------------------------------------

CONVENTION_NAMES = {
    "sentencepiece": "p to the power of α (SentencePiece)",
    "hugging_face": "Hugging Face's library",
}


def sampling_settings() -> SamplingSettings:
    """Ask for alpha, the seed and the rule by which segmentations are drawn."""
    left, middle, right = st.columns([2, 1, 2])
    with left:
        label = "α: at 0 all are equally likely; large values favor the best"
        alpha = st.slider(label, 0.0, 5.0, 1.0, 0.1, key="alpha", **IN_URL)
    with middle:
        seed = whole_number("Seed", 0, 999_999, 1, key="seed")
    with right:
        convention = choice("Sampling rule", CONVENTION_NAMES, CONVENTIONS[0], key="drawn_by")
    return SamplingSettings(alpha, seed, convention)


def sampling_result(lattice: Lattice, paths: Sequence[Path], settings: SamplingSettings) -> None:
    """Draw a thousand segmentations; compare their frequencies with the exact probabilities."""
    if not paths or not lattice.text:
        st.caption("No path crosses the lattice, so none can be drawn.")
        return
    sampler = Sampler(lattice, settings.alpha, settings.convention)
    drawn = draw(sampler, settings.seed)
    shares = [drawn[path] / DRAWS for path in paths]
    exact = [sampler.probability(path) for path in paths]
    off = distance([*shares, 1 - math.fsum(shares)], [*exact, 1 - math.fsum(exact)])
    st.markdown(
        f"**{DRAWS:,} draws gave {count_of(len(drawn), 'distinct split')}**. Shares are "
        f"{off:.3f} away from the exact probabilities (total variation: 0 means equal, 1 "
        "means nothing in common)."
    )
    st.plotly_chart(
        draws_chart(sampler, paths, drawn),
        key="draws",
        config={"displayModeBar": False},
        alt=describe_draws(len(paths)),
    )
    st.caption(_describe_rules(lattice, paths, settings.alpha))


def _describe_rules(lattice: Lattice, paths: Sequence[Path], alpha: float) -> str:
    """Describe how Hugging Face's rule differs from p^α, and by how much for this text."""
    samplers = [Sampler(lattice, alpha, convention) for convention in CONVENTIONS]
    off = distance(*([one.probability(path) for path in paths] for one in samplers))
    return (
        "SentencePiece draws each segmentation with probability p^α / Σ p^α. Hugging Face's "
        "library raises the forward value to the power of α again at every position, so what is "
        "further left is raised again and again. Unless α is 1, it draws something else. For this "
        f"text and α = {alpha:g} the two are {off:.3f} apart."
    )


# --- The pieces -----------------------------------------------------------------------------------


def pieces(lattice: Lattice, log_probs: Mapping[str, float]) -> None:
    """List the lattice's pieces in a table whose edits become changed probabilities."""
    counts = core.expected_counts(lattice)
    known = [piece for piece in counts if piece in log_probs]
    known = sorted(known, key=lambda piece: -counts[piece])[:MOST_PIECES]
    table = pd.DataFrame(
        {
            "piece": [show_spaces(piece) for piece in known],
            "probability": [math.exp(log_probs[piece]) for piece in known],
            "log p": [log_probs[piece] for piece in known],
            "expected here": [counts[piece] for piece in known],
        }
    )
    terms.caption(
        "The pieces that fit this text. Change a probability to see what happens. The "
        "expected count is what EM would count here: the shares of a piece, added up."
    )
    st.data_editor(
        table,
        hide_index=True,
        height=TABLE_HEIGHT,
        key="edited",
        disabled=["piece", "log p", "expected here"],
        on_change=_apply_edits,
        args=(known,),
        column_config={
            "probability": st.column_config.NumberColumn(
                format="%.6g", min_value=0.0, max_value=1.0
            ),
            "log p": st.column_config.NumberColumn(format="%.4f"),
            "expected here": st.column_config.NumberColumn(format="%.4f"),
        },
    )


def _apply_edits(known: Sequence[str]) -> None:
    """Copy the table's edits to the text box of changed probabilities."""
    try:
        changes = inputs.parse_changes(st.session_state.get("odds", ""))
    except ValueError:  # invalid input is replaced
        changes = {}
    for row, cells in st.session_state["edited"]["edited_rows"].items():
        if cells.get("probability") is not None:
            changes[known[int(row)]] = cells["probability"]
    st.session_state["odds"] = inputs.format_changes(changes)
