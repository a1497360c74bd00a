"""The export menu's worksheet tab, where users choose the number of sheets and the seed.

../worksheets/ has the contents and their rendering.
"""

from typing import Literal

import streamlit as st

from lessons.texts import TEXTS
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.export.catalog import MakeFile, WorksheetExport
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.shared.routes import page_file
from tokenizers.errors import user_message

EXAMPLE = "b2"  # a text of which every page makes sheets
MOST_SHEETS = 40
MOST_ASKED = 9_999  # more than is made: a field that refuses a number does not say why
_TOO_MANY = (
    "At most {} different sheets are made at a time. For a larger class, take {} of them, then the "
    "rest with another seed."
)


def worksheet_controls(worksheet: WorksheetExport) -> None:
    """Show the controls for worksheets and the download button."""
    left, right = st.columns(2)
    with left:
        number = url_state.whole_number("Different sheets", 1, MOST_ASKED, 1, key="sheets")
    with right:
        seed = url_state.whole_number("Seed", 1, 9_999, 1, key="sheets_seed")
    if number > MOST_SHEETS:
        st.error(_TOO_MANY.format(MOST_SHEETS, MOST_SHEETS))
        return
    try:
        worksheets = worksheet.make(number, seed)
    except ValueError as error:
        st.info(escape_markdown(user_message(error)))
        if "corpus" in st.query_params:
            query = {"corpus": EXAMPLE, "take": "worksheet"}
            label = f"Make sheets of “{TEXTS[EXAMPLE].title}” instead"
            st.page_link(page_file(url_state.page()), label=label, query_params=query, help="")
    else:
        whose = "its" if number == 1 else "their"
        label = f"{worksheets.count_text} and {whose} answers"
        name, make = f"{worksheet.name}.html", lambda: worksheet_html(worksheets)
        download_button(label, make, name, "text/html", "export_worksheets")
    st.caption(worksheet.note)


def download_button(
    label: str,
    made: bytes | MakeFile,
    name: str,
    kind: str,
    key: str,
    look: Literal["primary", "secondary"] = "primary",
) -> None:
    """Show a download button as wide as the menu; a click does not rerun the page."""
    st.download_button(
        label, made, name, kind, key=key, on_click="ignore", type=look, width="stretch"
    )
