"""The page for teachers: what a class needs, each one click away, and the sheets to prepare it."""

import streamlit as st

from lessons.teaching.plans import PLANS
from pages.shared.controls.heading import heading
from pages.teach import exams, panels


def all_groups() -> None:
    """Show what a class needs, in groups of links."""
    words = panels.own_words(heading("Teaching", "what a class needs, each one click away"))
    with st.container(key="teach_groups"):
        prepare, show, hand_out = st.columns([5, 4, 4], gap="large")
    with prepare:
        panels.plans(words)
        panels.own_path()
    with show:
        panels.slides(words)
        panels.the_class()
        panels.programming()
    with hand_out:
        panels.worksheets(words)
        panels.exams_and_tickets()
        panels.lessons_elsewhere()


plan = panels.open_view("plan", PLANS)
sheet = panels.open_view("sheet", [*exams.SHEETS, panels.LADDER, *panels.SHEET_VIEWS])
if plan:
    panels.plan_sheet(PLANS[plan])
elif sheet in exams.SHEETS:
    exams.show(sheet)
elif sheet == panels.LADDER:
    panels.ladder_sheet()
elif sheet:
    panels.sheet_view(sheet)
else:
    all_groups()
