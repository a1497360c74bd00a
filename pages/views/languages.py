"""Compare · Languages: what each language pays, as the mix of the training text moves."""

import streamlit as st

from pages.widgets import languages_panels as panels
from pages.widgets import settings
from pages.widgets.heading import heading
from pages.widgets.languages_stage import stage

heading("Compare · Languages", "who pays how many tokens depends on what was learned from")
asked, pays = panels.asked()
large = settings.presenter()
study = panels.study_of(asked)


@st.fragment
def comparison() -> None:
    """The mix with its bars and tiles; below, panels for the share at which it rests."""
    at, code = stage(study, pays, large)
    panels.caveats(asked)
    panels.below(study, at, code, pays)


comparison()
