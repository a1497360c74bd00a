"""The top of a page, its title and one plain sentence of purpose; and the styles of the page."""

from html import escape

import streamlit as st

_STYLE = """<style>
.stMainBlockContainer { padding-top: 4.5rem; padding-bottom: 3rem; }
.pp-heading h1 { display: inline; font-size: 1.9rem; font-weight: 600; padding: 0; margin: 0; }
.pp-heading p { display: inline; margin: 0 0 0 .75rem; opacity: .8; font-size: 1.05rem; }
.stMarkdown table { display: block; overflow-x: auto; } /* wider than a phone */
:is(.st-key-well_formed, .st-key-back, .st-key-live) { /* they draw nothing */
  position: absolute; width: 0 !important; }
.stTooltipIcon .stTooltipHoverTarget { /* a finger must hit it */
  min-width: 1.5rem; min-height: 1.5rem; align-items: center; justify-content: center; }
.stTextInput [data-testid="InputInstructions"] { inset: -3.9rem 0 auto auto; } /* by the label */
.pp-line { margin: 0; opacity: .85; }
.pp-line b { opacity: 1; }
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
@media print {
  .stAppHeader, [data-testid="stHeader"], .stSidebar { display: none !important; }
  .stApp :is(button, [role="radiogroup"]), .stPageLink { display: none; }
  .stPlotlyChart, .pp-line, tr { break-inside: avoid; }
  .stMainBlockContainer { padding: 0; }
  .stApp, .stMain, [data-testid="stAppViewContainer"] { position: static; overflow: visible; }
}
</style>"""


def heading(title: str, purpose: str) -> None:
    """Show the title of a page and what it is for."""
    st.html(
        f"{_STYLE}<div class='pp-heading'><h1>{escape(title)}</h1><p>{escape(purpose)}</p></div>"
    )


def scrolling(html: str, label: str) -> str:
    """Return HTML in a box of its own to scroll; the keyboard reaches it, and it has a name."""
    name = escape(label, quote=True)
    return f'<div class="pp-scroll" role="region" aria-label="{name}" tabindex="0">{html}</div>'
