"""The page for teachers: what a class needs, each one click away, and the sheets to prepare it."""

import streamlit as st

from pages.shared.controls.heading import heading
from pages.teach import exams, panels


def all_groups() -> None:
    """Show what a class needs, in groups of links."""
    words = panels.own_words(heading("Teaching", "what a class needs, each one click away"))
    with st.container(key="teach_groups"):
        prepare, show, hand_out = st.columns([5, 4, 4], gap="large")
    with prepare:
        panels.plans(words)
        exams.links()
    with show:
        panels.slides(words)
        panels.the_class()
    with hand_out:
        panels.worksheets(words)
        panels.lessons_elsewhere()


if sheet := exams.open_sheet():
    exams.show(sheet)
elif not panels.show_sheet():
    all_groups()
