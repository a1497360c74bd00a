"""The page that asks whether a belief about tokenizers is true, and shows where it fails."""

import streamlit as st

from pages.beliefs import panels
from pages.shared.controls.heading import heading
from pages.shared.export.menu import fill_files_menu, open_menu

actions = heading(
    "Beliefs put to the test",
    "true or false? You say, then a search for the smallest counterexample",
)
fill_files_menu(open_menu(actions))
left, right = st.columns([2, 3], gap="large")
with left:
    belief, letters = panels.choose_belief()
with right:
    panels.belief_check(belief, letters)
