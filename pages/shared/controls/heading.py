"""The top of a page, its title and one plain sentence of purpose; and the styles of the page."""

import streamlit as st
from markupsafe import Markup, escape

from pages.shared.drawing.markup import html
from pages.shared.drawing.terms import STYLE, first_times

_STYLE = """<style>
.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }
.pp-heading h1 { display: inline; font-size: 1.9rem; font-weight: 600; padding: 0; margin: 0; }
.pp-heading p { display: inline; margin: 0 0 0 .75rem; opacity: .8; font-size: 1.05rem; }
.stMarkdown table { display: block; overflow-x: auto; } /* wider than a phone */
:is(.st-key-well_formed, .st-key-back, .st-key-live, .st-key-terms) { /* they draw nothing */
  position: absolute; width: 0 !important; }
.stTooltipIcon .stTooltipHoverTarget { /* a finger must hit it */
  min-width: 1.5rem; min-height: 1.5rem; align-items: center; justify-content: center; }
.stTextInput [data-testid="InputInstructions"] { inset: -3.9rem 0 auto auto; } /* by the label */
.pp-line { margin: 0; opacity: .85; }
.pp-line b { opacity: 1; }
.pp-caption { margin: 0; font-size: .875rem; opacity: .7; }
.pp-scroll { max-height: 16rem; overflow: auto; }
[data-testid="stExpandSidebarButton"]::after {
  content: "Settings"; margin-left: .3rem; font: 1rem "Source Sans", sans-serif; }
[data-testid="stExpandSidebarButton"] { width: auto; padding: 0 .4rem; }
[data-testid="stSidebar"][aria-expanded="false"] { visibility: hidden; } /* no stops for Tab */
.stMain:focus-visible { outline: none; box-shadow: inset 0 .2rem 0 #b3450f; } /* no grey frame */
.stApp a:focus-visible { outline: .125rem solid; outline-offset: .125rem; }
.stApp :is(input[type="text"], textarea) { unicode-bidi: plaintext; text-align: start; }
@media (max-height: 30rem) { /* a phone that lies on its side */
  .stMainBlockContainer { padding-top: 3.6rem; }
  .pp-heading h1 { font-size: 1.25rem; }
  .pp-heading p { font-size: .9rem; }
}
@media (forced-colors: active) { /* Streamlit draws its slider in backgrounds alone */
  .stSlider [data-orientation] > div:first-child { outline: .0625rem solid; }
  .stSlider [data-rac]:has(> div > input[type="range"]) { outline: .25rem solid; }
}
@media print {
  .stAppHeader, [data-testid="stHeader"], .stSidebar { display: none !important; }
  .stApp :is(button, [role="radiogroup"]), .stPageLink { display: none; }
  .stApp [class*="st-key-open-"] button { /* the names of lessons */
    display: flex; justify-content: start; padding: 0; border: 0; text-align: start; }
  .stApp :is(.stTextInput, .stTextArea, .stNumberInput, .stSelectbox, .stMultiSelect, .stSlider,
    .stSelectSlider, .stCheckbox, .stRadio, .stButtonGroup, .stFileUploader, .stPopover),
  .stExpander:has(details:not([open])) { display: none; }
  .stPlotlyChart, .pp-line, tr, .stCaptionContainer { break-inside: avoid; }
  .stElementContainer:has(h1, h2, h3, h4, .stHtml > b:only-child) { break-after: avoid; }
  .stHorizontalBlock { flex-wrap: wrap; }
  .stHorizontalBlock:not(:has(> .stColumn [class*="st-key-open-"])) > .stColumn {
    flex: 1 1 100% !important; width: 100% !important; min-width: 0 !important; }
  :is(.stVerticalBlock, .stLayoutWrapper, .stCode pre, .pp-scroll, .pp-across) {
    height: auto !important; max-height: none !important; overflow: visible !important; }
  .stCode :is(pre, code) { white-space: pre-wrap !important; }
  .stDataFrame::after { content: "A table to scroll: on paper, what was in view of it.";
    display: block; font-size: .875rem; }
  .stMainBlockContainer { padding: 0; }
  .stApp, .stMain, [data-testid="stAppViewContainer"] { position: static; overflow: visible; }
}
</style>"""


def heading(title: str, purpose: str, *, is_told: bool = True) -> None:
    """Show the title of a page and what it is for; the terms in that are marked.

    Unless `is_told` is False, for a page on which a text explains them.
    """
    tell = first_times("heading") if is_told else escape
    page = html('<div class="pp-heading"><h1>{}</h1><p>{}</p></div>', title, tell(purpose))
    st.html(STYLE + Markup(_STYLE) + page)


def scrolling(inside: str, label: str) -> str:
    """Return HTML in a box of its own to scroll; the keyboard reaches it, and it has a name."""
    box = '<div class="pp-scroll" role="region" aria-label="{}" tabindex="0">{}</div>'
    return html(box, label, Markup(inside))
