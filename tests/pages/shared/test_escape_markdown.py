"""A user's text in Markdown: shown literally."""

import re

import pytest

from pages.shared.controls.markdown import escape_markdown

# What Streamlit's Markdown takes for links in plain text (mdast-util-gfm-autolink-literal 2.0),
# which runs after backslash escapes are resolved.
LINKS = (
    re.compile(r"(https?://|www(?=\.))([-.\w]+)([^ \t\r\n]*)", re.IGNORECASE),
    re.compile(r"([-.\w+]+)@([-\w]+(?:\.[-\w]+)+)"),
)


def shown(markdown: str) -> str:
    """Return the text after backslash escapes are resolved."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


@pytest.mark.parametrize(
    "text", ["http://a.example", "HTTPS://a.example/b?c", "www.a.example", "me@a.example", "x://y"]
)
def test_a_url_is_not_a_link(text):
    assert not any(link.search(shown(escape_markdown(f"“{text}” is no word."))) for link in LINKS)
    assert shown(escape_markdown(text)).replace("\u2060", "") == text


def test_other_text_is_unchanged():
    assert (
        shown(escape_markdown("10:30, a/b // c, awww, *b* <i>")) == "10:30, a/b // c, awww, *b* <i>"
    )
