"""Saved URLs, one of each page with its settings, still open the same.

They were shared when the pages had other paths. A parameter that is ignored would vanish from the
URL, with a message.
"""

import json
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.pages.opening import PAGES, opened

SAVED = json.loads(Path(__file__).with_name("saved_urls.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("address", SAVED)
def test_a_saved_url_opens_with_all_its_parameters(address: str):
    page, params = urlsplit(address).path, dict(parse_qsl(urlsplit(address).query))
    app = opened(page, **params)
    assert not app.error
    assert [toast.value for toast in app.toast] == []
    assert {name: app.query_params.get(name) for name in params} == params


def test_every_page_has_a_saved_url():
    assert {urlsplit(address).path for address in SAVED} == set(PAGES)


@pytest.mark.parametrize(("page", "value", "present"), [
    ("bpe_train", "true", "1"), ("start", "true", "1"), ("lessons", "false", None),
])  # fmt: skip
def test_an_old_link_in_large_type_opens_presenter_view_and_nothing_else(page, value, present):
    app = opened(page, presenter=value)
    assert not app.toast
    assert "presenter" not in app.query_params
    assert app.query_params.get("present") == present
    assert not [box for box in app.toggle if box.label == "Large type"]
