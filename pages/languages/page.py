"""Compare · Languages: the tokens that each language needs, as the training mix moves."""

from functools import partial

import streamlit as st

from pages.languages import blocks, exports, panels
from pages.languages.mix_component import language_mix
from pages.shared.controls.heading import heading
from pages.shared.export.menu import document_export_menu

actions = heading(
    "Compare · Languages", "how many tokens a language pays depends on the training text"
)
own = panels.own_language(actions)
request, pays = panels.choose_request()
study, usual = panels.study_of(request), panels.usual_study(request)


@st.fragment
def comparison() -> None:
    """Show the mix with its bars and tiles, and below them panels for the chosen share."""
    at, code, turn = language_mix(study, pays, usual)
    document = partial(blocks.document, study, pays, at, code, usual, turn)
    document_export_menu(document, partial(exports.of_study, study, pays, at, usual))
    panels.caveats(request)
    panels.below(study, at, code, pays, own)


comparison()
