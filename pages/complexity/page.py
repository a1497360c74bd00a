"""Compare · Complexity: operations counted as the input grows, beside what O(·) says of them."""

import streamlit as st

from pages.complexity import exports, panels
from pages.shared.controls.heading import heading
from pages.shared.export.menu import files_export_menu

heading("Compare · Complexity", "how much work a longer text makes: counted, not timed")
asked = panels.asked()
growth = panels.counted(asked)
panels.growth(growth)
menu = st.container()
panels.below(growth, asked)
with menu:  # at the end: while all operations are counted, nothing else is missing
    files_export_menu(lambda: exports.of_growth(growth, panels.all_counted(asked)))
