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


def run_held(key: str, function: Any, *args: Any, watcher: str) -> jobs.Job:
    if len(pickle.dumps(args)) > LONG:
        return run(key, until_told, function, *args, watcher=watcher)
    return run(key, function, *args, watcher=watcher)


jobs._POOL.run = run_held  # pyright: ignore[reportAttributeAccessIssue]
app = st.App(
    ROOT / "pages/frame.py",
    lifespan=serving.lifespan,
    middleware=serving.MIDDLEWARE,
    routes=serving.ROUTES,
)
