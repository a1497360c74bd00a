"""The panel “Train one yourself”: the lines that train a page's run with a library, and open it."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.terms import caption
from pages.shared.export.catalog import ExportItem
from pages.shared.export.corpus_file import corpus_item
from pages.shared.training.library_code import training_code
from pages.shared.training.library_code.code import LibraryCode, example_text, is_in_code
from pages.shared.training.library_code.opening import OpeningCode, opening_code
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace

TITLE = "Train one yourself"
_KEPT = "code of a library"
_ASIDE = (
    "A library’s own trainer, with this run’s settings: it learns the same pieces and splits texts "
    "the same. The tests of this site run these very lines."
)


def train_one_yourself(key: str, trace: Trace[Any] | UnigramTrace) -> None:
    """Show the code of each library; `key` identifies the run."""
    codes, openings = _codes(key, trace)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Train it in a library**")
        _training(codes, trace)
    with right:
        st.markdown("**Or take this run’s tokenizer along**")
        _opening(openings)


def say_not_trained(why: str) -> None:
    """Say why no code is shown for a run."""
    st.markdown(why)


def _codes(
    key: str, trace: Trace[Any] | UnigramTrace
) -> tuple[tuple[LibraryCode, ...], tuple[OpeningCode, ...]]:
    """Return the code for a run, made once: another tie rule may have to train again."""
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != key:
        found = training_code(trace), opening_code(trace.model(), example_text(trace.corpus))
        kept = st.session_state[_KEPT] = key, found
    return kept[1]


def _training(codes: tuple[LibraryCode, ...], trace: Trace[Any] | UnigramTrace) -> None:
    names = {one.library: one.library for one in codes}
    first = next((one for one in codes if one.code), codes[0])
    chosen = st.segmented_control(
        "Library", list(names), default=first.library, key=f"library.{first.library}.{len(codes)}",
        label_visibility="collapsed", required=True,
    )  # fmt: skip
    one = next((one for one in codes if one.library == chosen), first)
    if one.code:
        caption(_ASIDE)
        st.code(one.install, language="shell", wrap_lines=True)
        st.code(one.code, language="python", wrap_lines=True)
        for note in one.notes:
            caption(note)
        if not is_in_code(trace.corpus):
            _save(corpus_item(trace.corpus))
        return
    st.markdown(f"{one.library} can’t train exactly this:")
    st.markdown("\n".join(f"- {escape_markdown(reason)}" for reason in one.reasons))
    if one.changes:
        caption("With its choices in the sidebar, the page shows that run, and the code for it.")
        label = f"Train as {one.library.removesuffix(' tokenizers')} does"
        args = (one.changes,)
        if st.button(label, key=f"as_{one.library}", on_click=_change, args=args):
            st.rerun()  # the whole page: the button is in a fragment


def _change(changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        url_state.preset_widget(key, value)


def _save(item: ExportItem) -> None:
    st.download_button(f"Save {item.name} beside the code", item.make, item.name, on_click="ignore")


def _opening(openings: tuple[OpeningCode, ...]) -> None:
    caption("The files are in “Take it with you”. Opened in their libraries, they split alike.")
    for one in openings:
        where = f"`{one.file}` in {one.library}"
        if one.code:
            st.markdown(where)
            st.code(f"# {one.install}\n{one.code}", language="python", wrap_lines=True)
        else:
            st.markdown(f"{where}: {escape_markdown(one.reason)}")
