"""Piece by Piece: `streamlit run app.py`. What is shown is in pages/, from pages/frame.py on."""

import streamlit as st

from pages import serving
from pages.start import prerender

prerender.prepare()
app = st.App(
    "pages/frame.py",
    lifespan=serving.lifespan,
    middleware=serving.MIDDLEWARE,
    routes=serving.ROUTES,
)
