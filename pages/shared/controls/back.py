"""The Back and Forward buttons, told apart from addresses that arrive late: see back.js."""

from pathlib import Path

from streamlit.components.v2 import component

from pages.shared.controls import address

KEY = "back"
_watch = component(KEY, js=Path(__file__).with_name("back.js").read_text(encoding="utf-8"))


def watch(page: str) -> None:
    """Watch for them on `page`, its name in the address; called once in every run, before it."""
    _watch(key=KEY, data={"page": page}, on_went_change=address.hear_back)
