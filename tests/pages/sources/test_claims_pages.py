"""Check the sources, as a page: the claims, their links, and the beliefs put to the test."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from lessons.claims import CLAIMS
from pages.beliefs import counterexample
from tests.pages.opening import HOSTILE, checked, html_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in
from tokenizers.experiments.beliefs.counterexamples import BELIEFS, search

PAGE, BELIEFS_PAGE = "sources", "beliefs"
ADDRESSES = sorted(
    {claim.address for claim in CLAIMS.values() if claim.page not in (PAGE, BELIEFS_PAGE)}
)
OF_BELIEFS = sorted(
    {
        address
        for name in BELIEFS
        for address in counterexample.step_urls(search(name, "xyzw")).values()
    }
)


def claims_shown(app) -> list[str]:
    return re.findall(r'<tr id="([^"]+)"', html_of(app))


def followed(address: str):
    """The page that a link leads to."""
    parts = urlsplit(address)
    return opened(parts.path, **dict(parse_qsl(parts.query, keep_blank_values=True)))


def text_of(app) -> str:
    html = re.sub(r"<style>.*?</style>|<[^>]+>", " ", html_of(app))
    return re.sub(r"\s+", " ", unescape(html))


def test_the_page_opens_with_all_claims():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert claims_shown(app) == list(CLAIMS)
    assert "45 of 80 claims agree" in markdown_of(app)


@pytest.mark.parametrize(
    ("verdict", "number"), [("agrees", 45), ("agrees in part", 16), ("differs", 19)]
)
def test_one_verdict_alone(verdict, number):
    app = opened(PAGE, verdict=verdict, group="source")
    assert len(claims_shown(app)) == number
    assert not app.toast
    assert app.query_params["verdict"] == verdict
    assert app.query_params["group"] == "source"


@pytest.mark.parametrize("address", [*ADDRESSES, *OF_BELIEFS])
def test_a_link_opens_its_example(address):
    app = followed(address)
    assert not app.error
    assert not app.toast
    params = dict(parse_qsl(urlsplit(address).query, keep_blank_values=True))
    assert params.get("step", "") == app.query_params.get("step", "")


def tokens_of(address: str) -> list[str]:
    """The tokens on the page that a link leads to."""
    return re.findall(r'<bdi class="t\d">([^<]+)</bdi>', html_of(followed(address)))


def test_what_the_links_show():
    see = counterexample.step_urls(search("longest_match"))
    assert tokens_of(see["Step through BPE"]) == ["ab", "ab"]
    assert tokens_of(see["Step through the longest match"]) == ["aba", "##b"]
    see = counterexample.step_urls(search("same_vocabulary"))
    assert tokens_of(see["Step with the first corpus"]) == ["ab", "a"]
    assert tokens_of(see["Step with the second"]) == ["a", "ba"]
    see = counterexample.step_urls(search("last_token"))
    assert tokens_of(see["Step through both"]) == ["ab", "a", "abab"]


# ---- beliefs ----


@pytest.mark.parametrize("belief", BELIEFS)
@pytest.mark.parametrize("said", ["True", "False"])
def test_a_belief_is_put_to_the_test(belief, said):
    app = opened(BELIEFS_PAGE, belief=belief, said=said, letters="Zoë")
    assert not app.toast
    is_right = (said == "True") == (belief == "more_merges")
    assert f"**{'Right' if is_right else 'No'}: it is " in markdown_of(app)
    assert BELIEFS[belief].why in markdown_of(app)
    example = search(belief, "Zoë").example
    for side in example.outcomes if example else ():
        assert side.name in text_of(app)
        assert " ".join(side.tokens) in text_of(app)


def test_nothing_is_shown_before_the_guess():
    app = opened(BELIEFS_PAGE)
    assert "Make your guess first" in markdown_of(app)
    assert all(belief.why not in markdown_of(app) for belief in BELIEFS.values())
    app.segmented_control(key="said").set_value("False").run()
    assert "Right: it is false." in markdown_of(checked(app))
    app.radio(key="belief").set_value("more_merges").run()
    assert "Make your guess first" in markdown_of(checked(app))
    assert app.query_params["belief"] == "more_merges"


@pytest.mark.parametrize(
    "letters", [*(text[:40] for text in HOSTILE), "", " ", "مرحبا", "日本語", "😀😀"]
)
def test_any_letters_are_accepted(letters):
    app = opened(BELIEFS_PAGE, said="True", letters=letters)
    assert not app.error
    assert "<script" not in html_of(app).lower()
    assert "<img" not in html_of(app).lower()


@pytest.mark.parametrize(
    "query",
    [
        {"belief": "nothing"},
        {"said": "maybe"},
        {"letters": "a" * 500},
    ],
)
def test_nonsense_in_the_address_of_a_belief(query):
    assert not opened(BELIEFS_PAGE, **query).error


@pytest.mark.parametrize("query", [{"part": "x"}, {"verdict": "no"}, {"group": ""}])
def test_nonsense_in_the_address(query):
    assert not opened(PAGE, **query).error


def test_the_guess_has_a_label():
    assert said_in(opened(BELIEFS_PAGE).caption) == [
        "Make your guess first; then we search for the smallest counterexample."
    ]
