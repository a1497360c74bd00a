"""A page with a part inside a part: the outer one runs twice before the server sends anything.

The inner one stands lower each time, behind more lines.
"""

import streamlit as st

from pages import streamlit_patches
from tests.browser.busy_server import keep_server_busy

st.cache_resource(streamlit_patches.apply)()


@st.fragment
def outer() -> None:
    if st.button("Go on"):
        keep_server_busy()
        st.session_state["lines"] = 3
    lines = st.session_state.get("lines", 0)
    for line in range(lines):
        st.write(f"Line {line + 1}")
    inner(lines)
    if 0 < lines < 6:
        st.session_state["lines"] += 3
        st.rerun(scope="fragment")


@st.fragment
def inner(lines: int) -> None:
    st.write(f"Behind {lines} lines")


outer()
