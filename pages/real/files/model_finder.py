"""Find the tokenizer that a model uses, by the model's name, and open it if the pack has it."""

import streamlit as st

from lessons.models import MODELS
from lessons.models.uses import DATE, USE_OF, USES, ModelUse
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.markup import html, table

_KEY = "model_found"


def find_by_model() -> None:
    """Show a list of models to search; choosing one opens its tokenizer, or says what to open."""
    model = st.selectbox(
        "Which tokenizer does a model use?",
        list(USE_OF),
        index=None,
        placeholder="GPT-5, Qwen 3, Llama 3 …",
        format_func=_label,
        key=_KEY,
        on_change=_open,
    )
    if model:
        st.markdown(f"{escape_markdown(describe(model))} [Source]({USE_OF[model].source})")
    with st.expander(f"All models, as of {DATE:%B} {DATE.day}, {DATE.year}"):
        rows = [[_names(use), use.tokenizer, _where(use), _link(use)] for use in USES]
        st.html(table(("models", "tokenizer", "here", "source"), rows, kind="pp-table"))


def describe(model: str) -> str:
    """Return a sentence that says which tokenizer a model uses, and what that is here.

    >>> describe("GPT-5")
    'GPT-5 uses o200k_base. Here it is GPT-4o (o200k).'
    """
    use = USE_OF[model]
    if use.pack:
        return f"{model} uses {use.tokenizer}. Here it is {MODELS[use.pack].title}."
    if not use.file:
        return f"The tokenizer of {model} is {use.tokenizer}."
    return f"{model} uses {use.tokenizer}. It is not in the pack: open {use.file}."


def _open() -> None:
    model = st.session_state[_KEY]
    if model and (name := USE_OF[model].pack):
        url_state.preset_widget("model", name)


def _label(model: str) -> str:
    return f"{model} · {USE_OF[model].tokenizer}"


def _names(use: ModelUse) -> str:
    return ", ".join(use.models)


def _where(use: ModelUse) -> str:
    return MODELS[use.pack].title if use.pack else "–"


def _link(use: ModelUse) -> object:
    site = use.source.split("/")[2].removeprefix("www.")
    return html('<a href="{}" target="_blank" rel="noopener">{}</a>', use.source, site)
