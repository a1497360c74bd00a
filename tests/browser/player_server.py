"""The app around the player, with the scripts, styles and patches that the pages have."""

import streamlit as st

from pages import serving
from tests.browser.conftest import ROOT

app = st.App(
    ROOT / "tests/browser/player_app.py",
    lifespan=serving.lifespan,
    middleware=serving.MIDDLEWARE,
)
