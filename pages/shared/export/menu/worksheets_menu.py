"""The export menu's worksheet tab, where users choose the number of sheets, seed and file format.

A worker makes a PDF on demand; an HTML file is made at once. ../worksheets/ has the contents and
their rendering.
"""

from typing import Literal

import streamlit as st

from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.export.catalog import MakeFile, WorksheetExport
from pages.shared.export.worksheets import pdf
from pages.shared.export.worksheets.content import WorksheetSet
from pages.shared.export.worksheets.render_html import worksheet_html
from pages.shared.export.worksheets.render_typst import PAPERS, worksheet_typst
from pages.shared.work import jobs, results
from tokenizers.errors import user_message

MOST_SHEETS = 40
MOST_ASKED = 9_999  # more than is made: a field that refuses a number does not say why
_TOO_MANY = (
    "At most {} different sheets are made at a time. For a larger class, take {} of them, then the "
    "rest with another seed."
)
FORMATS = {"html": "HTML", "pdf": "PDF"}


def worksheet_controls(worksheet: WorksheetExport) -> None:
    """Show the controls for worksheets and the download button."""
    left, right = st.columns(2)
    with left:
        number = url_state.whole_number("Different sheets", 1, MOST_ASKED, 1, key="sheets")
    with right:
        seed = url_state.whole_number("Seed", 1, 9_999, 1, key="sheets_seed")
    left, right = st.columns(2)
    with left:
        kind = url_state.segments("File", FORMATS, "html", key="sheets_as")
    with right:
        paper = url_state.segments("Paper", PAPERS, "a4", key="paper") if kind == "pdf" else ""
    if number > MOST_SHEETS:
        st.error(_TOO_MANY.format(MOST_SHEETS, MOST_SHEETS))
        return
    try:
        worksheets = worksheet.make(number, seed)
    except ValueError as error:
        st.info(escape_markdown(user_message(error)))
    else:
        if kind == "html":
            _download_button(
                worksheets,
                lambda: worksheet_html(worksheets),
                f"{worksheet.name}.html",
                "text/html",
            )
        else:
            _pdf_button(worksheets, f"{worksheet.name}.pdf", paper)
    st.caption(worksheet.note)


def _pdf_button(worksheets: WorksheetSet, name: str, paper: str) -> None:
    """Make the PDF in a worker; show its download button, or the error message."""
    if not pdf.is_installed():
        st.info(pdf.HOW_TO_GET_IT)
        return
    source = worksheet_typst(worksheets, paper)
    job = jobs.run(results.key_of("pdf", source), pdf.typeset, source)
    if jobs.wait_for(job, "Setting the pages …"):
        if isinstance(job.result, bytes):
            _download_button(worksheets, job.result, name, "application/pdf")
        else:
            st.info(escape_markdown(job.result))


def _download_button(
    worksheets: WorksheetSet, made: bytes | MakeFile, name: str, kind: str
) -> None:
    whose = "its" if len(worksheets.sheets) == 1 else "their"
    label = f"{worksheets.count_text} and {whose} answers"
    download_button(label, made, name, kind, "export_worksheets")


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
