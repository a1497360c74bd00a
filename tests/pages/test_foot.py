"""Around every page: the way back to a lesson, the page that follows, the keys."""

import pytest

from lessons import LESSONS, lesson
from tests.pages.opening import html_of, opened, rests

HAND = "bpe-by-hand"
BACK = "← Back to the lesson: BPE by hand, stop 3"


def page_links(app) -> dict[str, str]:
    return {one.proto.label: one.proto.query_string for one in app.get("page_link")}


def test_a_page_that_a_lesson_opened_leads_back_to_the_stop_while_one_steps():
    lesson_page = opened("lessons", lesson=HAND, stop="3")
    query = page_links(lesson_page)["Open this picture on its own page"]
    assert f"back={HAND}.3" in query.split("&")
    app = opened("bpe_train", **dict(part.split("=") for part in query.split("&")))
    for _ in range(2):
        assert page_links(app)[BACK] == f"lesson={HAND}&stop=3"
        app = rests(app, "train", 5)
    assert app.query_params["step"] == "5"


def test_the_links_in_a_lesson_s_text_lead_back_too():
    (slug, number) = next(
        (slug, n)
        for slug in LESSONS
        for n, stop in enumerate(lesson(slug).stops, 1)
        if any(p.kind == "link" and "?" in p.target for b in stop.prose for x in b.lines for p in x)
    )
    app = opened("lessons", lesson=slug, stop=str(number))
    assert f'&amp;back={slug}.{number}"' in html_of(app)


@pytest.mark.parametrize("back", ["", "nonsense", f"{HAND}.x", "gone.3", HAND, "..", "<b>.1"])
def test_a_direct_visit_and_nonsense_lead_nowhere(back):
    app = opened("about", **({"back": back} if back else {}))
    assert [label for label in page_links(app) if label.startswith("←")] == []
    assert not app.toast


def test_the_way_back_changes_nothing_of_the_page():
    """A bare address means other defaults than one with parameters."""
    bare, led = opened("unigram_lattice"), opened("unigram_lattice", back=f"{HAND}.3")
    assert bare.text_area(key="say").value == led.text_area(key="say").value


def test_a_lesson_ends_in_its_own_next_lesson():
    app = opened("lessons", lesson=HAND)
    assert not any(label.startswith("Next:") for label in page_links(app))
    assert 'class="pp-keys"' in html_of(app)
