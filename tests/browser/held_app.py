"""The app, in which a training on a long text lasts until a visitor stops it, and no less."""

import pickle
from typing import Any

import streamlit as st

from pages import serving
from pages.shared.work import jobs
from tests.browser.conftest import ROOT
from tests.subprocesses import until_told

LONG = 20_000  # bytes of what a worker is sent
run = jobs._POOL.run


def run_held(key: str, function: Any, *args: Any, **who: Any) -> jobs.Job:
    if len(pickle.dumps(args)) > LONG:
        return run(key, until_told, function, *args, **who)
    return run(key, function, *args, **who)


jobs._POOL.run = run_held  # pyright: ignore[reportAttributeAccessIssue]
app = st.App(
    ROOT / "pages/frame.py",
    lifespan=serving.lifespan,
    middleware=serving.MIDDLEWARE,
    routes=serving.ROUTES,
)
