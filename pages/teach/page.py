"""The page for teachers: what a class needs, each one click away."""

import streamlit as st

from pages.shared.controls.heading import heading
from pages.teach import exams, panels


def all_groups() -> None:
    """Show what a class needs, in groups of links."""
    heading("Teaching", "what you need for a class, each one click away")
    words = panels.own_words()
    left, right = st.columns(2, gap="large")
    with left:
        panels.slides(words)
        panels.plans()
        exams.links()
    with right:
        panels.worksheets(words)
        panels.the_class()
        panels.lessons_elsewhere()


if sheet := exams.open_sheet():
    exams.show(sheet)
else:
    all_groups()
