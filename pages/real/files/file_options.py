"""The controls for what a visitor's file leaves open: how words are cut, and upper case."""

import streamlit as st

from pages.real.files.parse_upload import FileOptions
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import shorten_filename
from tokenizers.formats.opening import LeftOpen
from tokenizers.formats.schemes import CUSTOM, SCHEMES

_LONGEST_NAME = 24  # characters of a file's name above its controls
_SCHEMES = {
    "": "Recognized by its name or length",
    **{name: f"{scheme.used_by} ({name})" for name, scheme in SCHEMES.items()},
    CUSTOM: "A pattern of my own",
}
_CASES = {"": "As its files suggest", "lower": "To lower case", "keep": "Kept"}
_FIRST_PATTERN = SCHEMES["cl100k_base"].pattern


def file_options(left_open: LeftOpen | None, name: str, key: str) -> FileOptions:
    """Show the controls for a file, if it leaves anything open, and return what was chosen.

    `name` is shown above them unless it is "". `key` is unique for the file.
    """
    if left_open is None:
        return FileOptions()
    if name:
        st.caption(escape_markdown(shorten_filename(name, _LONGEST_NAME)))
    if left_open == "case":
        case = st.segmented_control(
            "Capital letters",
            list(_CASES),
            default="",
            format_func=_CASES.__getitem__,
            key=f"case.{key}",
            required=True,
        )
        return FileOptions(case=case)
    scheme = st.selectbox(
        "How it cuts a text into words",
        list(_SCHEMES),
        format_func=_SCHEMES.__getitem__,
        key=f"scheme.{key}",
        help="The file has pieces only. How a text is cut into words before they are applied, and "
        "which special tokens there are, depends on the model: choose the one it belongs to.",
    )
    if scheme != CUSTOM:
        return FileOptions(scheme)
    pattern = st.text_area(
        "Pattern of a word, written as for tiktoken",
        _FIRST_PATTERN,
        height=120,
        key=f"pattern.{key}",
    )
    if left_open == "pattern":
        return FileOptions(scheme, pattern)
    specials = st.text_area(
        "Special tokens, each on a line with its id",
        placeholder="<|endoftext|> 100257",
        height=80,
        key=f"specials.{key}",
    )
    return FileOptions(scheme, pattern, specials)
