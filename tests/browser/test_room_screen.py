"""A live room in the teacher's browser, with phones in it: from the code to join to the answer."""

import re
from collections.abc import Callable

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from pages.shared.export.document.blocks import Document, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from tests.browser.conftest import PATIENCE, PATIENCE_FOR_WORK, until
from tests.browser.test_app import settled
from tests.browser.test_run_html import trained

LAPTOP, PROJECTOR, PHONE = (1366, 768), (1920, 1080), (390, 844)
STAGE = "bpe_train?corpus=b2&step=2"
ASKED = "2 here · 0 answered"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def url(browser, serve):
    """The app, with a browser at hand."""
    return serve("app.py")


@pytest.fixture
def person(browser):
    """Somebody with a browser of their own."""
    contexts = []

    def open_page(address: str, size: tuple[int, int] = LAPTOP, **more) -> Page:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def ready(page: Page) -> Page:
    expect(page.locator(".player")).to_have_attribute(
        "data-step", re.compile(r"\d"), timeout=PATIENCE_FOR_WORK
    )
    return page


def code_of(page: Page) -> str:
    """The code of the room, once it is open. A lesson's player has a panel, too, but hidden."""
    letters = page.locator(".room:visible .room-letters")
    expect(letters).to_have_text(re.compile(r"^[0-9A-Z]{5,6}$"))
    return letters.inner_text()


def open_room(page: Page) -> str:
    """Open a room by its button, and return its code."""
    page.get_by_role("button", name="Room", exact=True).click()
    return code_of(page)


def counts(page: Page, text: str) -> None:
    expect(page.locator(".room:visible .room-counts")).to_have_text(text)


def join(person: Open, url: str, code: str, number: int = 2) -> list[Page]:
    return [person(f"{url}/room/{code}", PHONE) for _ in range(number)]


def vote(phone: Page, option: int, sureness: str = "") -> None:
    """Choose the option at an index, say how sure, and answer."""
    phone.locator("fieldset label").nth(option).click()
    if sureness:
        phone.get_by_role("button", name=sureness, exact=True).click()
    phone.get_by_role("button", name="Answer", exact=True).click()


def bars(page: Page) -> list[str]:
    return page.locator(".vote-words").all_inner_texts()


@pytest.fixture
def teacher(person, url) -> Page:
    return ready(person(f"{url}/{STAGE}"))


# ---- the whole of a vote ----


def it_is_opened_with_a_code_and_its_qr_code(teacher: Page, url: str) -> str:
    code = open_room(teacher)
    expect(teacher.get_by_role("img", name="QR code of the room’s address")).to_be_visible()
    expect(teacher.locator(".room-address")).to_have_text(f"{url.removeprefix('http://')}/room")
    expect(teacher.locator(".room-note")).to_contain_text("this computer only")
    expect(teacher.locator(".room-command")).to_have_text(
        "streamlit run app.py --server.address 0.0.0.0"
    )
    # It asks from now on, and the code stays in sight above the first question.
    expect(teacher.locator(".option").first).to_be_visible()
    counts(teacher, "0 here · 0 answered")
    expect(teacher.locator(".room-joining")).to_be_in_viewport(ratio=0.9)
    return code


def the_phones_see_the_question(teacher: Page, phones: list[Page]) -> None:
    counts(teacher, ASKED)
    for phone in phones:
        expect(phone.locator("fieldset label")).to_have_count(teacher.locator(".option").count())
    teacher.get_by_role("button", name="Begin").click()
    expect(teacher.locator(".room-joining")).to_be_hidden()


def the_bars_are_hidden_until_they_are_shown(teacher: Page, phones: list[Page]) -> None:
    vote(phones[0], 1, "sure")
    vote(phones[1], 2, "not sure")
    counts(teacher, "2 here · 2 answered")
    expect(teacher.locator(".announcement").first).to_have_text(re.compile("All 2 have voted."))
    expect(teacher.locator(".vote")).to_have_count(0)
    teacher.get_by_role("button", name="Show the votes").click()
    expect(teacher.locator(".vote")).to_have_count(6)
    assert bars(teacher) == ["0", "1: 1 sure", "1: 1 not sure", "0", "0", "0"]
    expect(teacher.locator(".sum")).to_have_text("2 answers, 1 sure.")
    expect(teacher.locator(".announcement").first).to_contain_text("1: 1 not sure; ")
    expect(teacher.locator(".vote-right")).to_have_count(0)


def a_second_vote_is_shown_beside_the_first(teacher: Page, phones: list[Page]) -> None:
    teacher.keyboard.press("v")
    counts(teacher, "2 here · 0 in the second vote")
    expect(teacher.locator(".vote")).to_have_count(0)  # hidden again
    expect(teacher.get_by_role("button", name="Vote again")).to_be_hidden()
    for phone in phones:
        vote(phone, 1, "sure")
    counts(teacher, "2 here · 2 in the second vote")
    teacher.keyboard.press("a")
    expect(teacher.locator(".round-names")).to_have_text("First voteSecond vote")
    first = teacher.locator(".options li:has(.option)").nth(1).locator(".vote")
    expect(first).to_have_text(["1: 1 sure", "2: 2 sure"])
    until(
        first.first,
        """(one) => {
          const votes = [one, one.nextElementSibling];
          const [left, right] = votes.map((vote) => vote.getBoundingClientRect());
          return left.top === right.top && left.right <= right.left;
        }""",
    )


def the_answer_is_revealed_to_all(teacher: Page, phones: list[Page]) -> None:
    teacher.keyboard.press("ArrowRight")
    expect(teacher.locator(".player")).to_have_attribute("data-step", "3")
    expect(teacher.locator(".vote-right")).to_have_count(2)  # the same option, in both votes
    expect(teacher.locator(".sum")).to_have_text(
        "First vote: Right: 1 of 2; of those who were sure, 1 of 1. "
        "Second vote: Right: 2 of 2; of those who were sure, 2 of 2."
    )
    expect(teacher.get_by_role("button", name="Reveal the answer")).to_be_hidden()
    for phone in phones:
        expect(phone.locator("body")).to_contain_text("✓ right")


def stepping_on_moves_every_phone_on(teacher: Page, phones: list[Page]) -> None:
    teacher.keyboard.press("ArrowRight")
    counts(teacher, ASKED)
    expect(teacher.locator(".vote")).to_have_count(0)
    for phone in phones:
        expect(phone.locator("body")).to_contain_text("step 4 of 10")
        expect(phone.get_by_role("button", name="Answer", exact=True)).to_be_visible()


def test_a_class_votes_twice_on_a_step(teacher, person, url):
    phones = join(person, url, it_is_opened_with_a_code_and_its_qr_code(teacher, url))
    the_phones_see_the_question(teacher, phones)
    the_bars_are_hidden_until_they_are_shown(teacher, phones)
    a_second_vote_is_shown_beside_the_first(teacher, phones)
    the_answer_is_revealed_to_all(teacher, phones)
    stepping_on_moves_every_phone_on(teacher, phones)


# ---- the room follows the teacher ----


def a_reload_goes_on(teacher: Page, phone: Page) -> None:
    teacher.reload()
    ready(teacher)
    counts(teacher, "1 here · 1 answered")
    expect(teacher.locator(".room-joining")).to_be_hidden()
    teacher.keyboard.press("ArrowLeft")
    expect(phone.locator("body")).to_contain_text("step 2 of 10")
    teacher.keyboard.press("ArrowRight")
    counts(teacher, "1 here · 1 answered")  # a step back loses no vote


def another_stage_offers_to_continue_it(teacher: Page, phone: Page, url: str) -> None:
    teacher.goto(f"{url}/wordpiece_train")
    ready(teacher)
    expect(teacher.locator(".room-name")).to_have_text(
        re.compile(r"^Room \w+ is open; it shows BPE")
    )
    expect(phone.locator("body")).to_contain_text("step 3 of 10")  # nothing is taken unasked
    teacher.get_by_role("button", name="Continue it here").click()
    counts(teacher, "1 here · 0 answered")
    expect(phone.locator("body")).to_contain_text("WordPiece")


def another_tab_takes_it_over(teacher: Page, phone: Page, url: str) -> None:
    other = teacher.context.new_page()
    other.goto(f"{url}/unigram_lattice?say=hello")
    ready(other)
    other.get_by_role("button", name="Continue it here").click()
    expect(phone.locator("body")).to_contain_text("lattice: step ")
    expect(phone.locator("fieldset label").first).to_be_visible()
    expect(teacher.get_by_role("button", name="Continue it here")).to_be_visible()
    before = phone.locator("body").inner_text()
    teacher.keyboard.press("ArrowRight")
    expect(teacher.locator(".player")).not_to_have_attribute("data-step", "0")
    assert phone.locator("body").inner_text() == before
    other.close()


def it_is_ended_by_two_clicks(teacher: Page, phone: Page) -> None:
    teacher.get_by_role("button", name="End the room").click()
    teacher.get_by_role("button", name="End it for everybody?").click()
    expect(teacher.locator(".room")).to_be_hidden()
    expect(phone.locator("body")).to_contain_text(re.compile("over|ended"))


def test_a_room_follows_its_teacher_and_ends(teacher, person, url):
    (phone,) = join(person, url, open_room(teacher), 1)
    expect(phone.locator("fieldset label").first).to_be_visible()
    vote(phone, 0)
    counts(teacher, "1 here · 1 answered")
    a_reload_goes_on(teacher, phone)
    another_stage_offers_to_continue_it(teacher, phone, url)
    another_tab_takes_it_over(teacher, phone, url)
    it_is_ended_by_two_clicks(teacher, phone)


# ---- presenter view ----

LARGE = """(root) => [...root.querySelectorAll(
    ".room-name, .room-counts, .vote-words, .round-names span, .sum")]
  .filter((one) => one.checkVisibility() && one.textContent)
  .map((one) => parseFloat(getComputedStyle(one).fontSize)).filter((size) => size < 24)"""
WITHIN = """(root) => [...root.querySelectorAll(".room, .option, .vote, .podium button")]
  .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
  .filter(({ bottom, right }) => bottom > innerHeight + 1 || right > innerWidth + 1).length"""


def the_code_covers_the_picture_until_a_key(page: Page) -> None:
    page.keyboard.press("o")
    code = page.get_by_role("img", name="QR code of the room’s address")
    expect(code).to_be_visible()
    box = code.bounding_box()
    assert box is not None
    assert box["height"] >= 0.6 * PROJECTOR[1]
    step = page.locator(".player").get_attribute("data-step")
    page.keyboard.press("ArrowRight")
    expect(code).to_be_hidden()
    expect(page.locator(".option").first).to_be_visible()
    assert page.locator(".player").get_attribute("data-step") == step


def test_presenter_view_shows_the_votes_from_the_last_row(person, url):
    page = ready(person(f"{url}/{STAGE}&present=1", PROJECTOR, color_scheme="dark"))
    expect(page.locator(".option").first).to_be_visible()
    the_code_covers_the_picture_until_a_key(page)
    page.keyboard.press("o")
    code = code_of(page)
    page.keyboard.press("Escape")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    phones = join(person, url, code)
    counts(page, ASKED)
    for phone, option in zip(phones, (0, 3), strict=True):
        vote(phone, option, "sure")
    counts(page, "2 here · 2 answered")
    page.keyboard.press("a")
    expect(page.locator(".vote")).to_have_count(6)
    page.keyboard.press("v")
    expect(page.locator(".vote")).to_have_count(0)
    for phone in phones:
        vote(phone, 0)
    counts(page, "2 here · 2 in the second vote")
    page.keyboard.press("a")
    expect(page.locator(".vote")).to_have_count(12)
    until(page.locator(".player"), LARGE, lambda small: small == [])
    until(page.locator(".player"), WITHIN, lambda outside: outside == 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".vote-right").first).to_be_visible()
    until(page.locator(".player"), LARGE, lambda small: small == [])
    until(page.locator(".player"), WITHIN, lambda outside: outside == 0)


JOINING_OUTSIDE = """(root) => [...root.querySelectorAll(".room-joining :is(p, b, svg, button)")]
  .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
  .filter(({ bottom, right }) => bottom > innerHeight + 1 || right > innerWidth + 1).length"""


@pytest.mark.parametrize("size", [(1024, 768), (1280, 800), LAPTOP], ids=str)
def test_the_code_to_join_is_whole_on_smaller_projectors(person, url, size):
    page = ready(person(f"{url}/{STAGE}&present=1", size))
    page.keyboard.press("o")
    code_of(page)
    expect(page.get_by_role("img", name="QR code of the room’s address")).to_be_visible()
    until(page.locator(".player"), JOINING_OUTSIDE, lambda outside: outside == 0)


# ---- lessons ----


def test_a_lesson_asks_for_a_number(person, url):
    page = person(f"{url}/lessons?lesson=bpe-by-hand&stop=3")
    expect(page.locator("fieldset")).to_contain_text("Your number", timeout=PATIENCE_FOR_WORK)
    phones = join(person, url, open_room(page), 3)
    counts(page, "3 here · 0 answered")
    page.get_by_role("button", name="Begin").click()
    for phone, number in zip(phones, ("15", "15.0", "20"), strict=True):
        phone.get_by_role("textbox").fill(number)
        phone.get_by_role("button", name="Answer", exact=True).click()
    counts(page, "3 here · 3 answered")
    page.get_by_role("button", name="Show the votes").click()
    rows = page.locator(".votes:visible li")
    expect(rows).to_have_text([re.compile(r"^152"), re.compile(r"^201")])
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.locator(".reply")).to_contain_text("The answer: 15")  # the lesson shows it, too
    expect(rows.nth(0)).to_contain_text("✓ right")
    expect(rows.nth(1)).not_to_contain_text("right")
    expect(page.locator(".sum:visible")).to_have_text("The answer: 15")  # perhaps nobody gave it
    for phone in phones[:2]:  # in digits or with a point
        expect(phone.locator(".reply")).to_contain_text("✓ You were right. The answer: 15")
    expect(phones[2].locator(".reply")).to_have_text("The answer: 15")
    page.get_by_role("button", name="Next →").click()
    expect(phones[0].locator("body")).to_contain_text("stop 4 of 11")


def test_a_lesson_s_question_makes_room_for_its_votes_in_presenter_view(person, url):
    page = person(f"{url}/lessons?lesson=bpe-by-hand&stop=2&present=1", PROJECTOR)
    form = page.locator(".lesson-question fieldset")
    expect(form).to_be_visible(timeout=PATIENCE_FOR_WORK)
    page.keyboard.press("o")
    (phone,) = join(person, url, code_of(page), 1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".room-joining:visible")).to_have_count(0)
    expect(phone.locator("fieldset label").first).to_be_visible()
    vote(phone, 2)
    counts(page, "1 here · 1 answered")
    page.keyboard.press("a")
    rows = page.locator(".presented-votes .votes li")
    expect(rows).to_have_count(4)
    expect(form).to_be_hidden()
    expect(page.locator(".asked")).to_contain_text("What decided")
    page.keyboard.press("a")
    expect(form).to_be_visible()


# ---- where there is no server ----


def test_a_server_that_refuses_leaves_a_sentence_and_the_page(teacher):
    refusal = {"status": 429, "json": {"error": "You opened many rooms in a short time."}}
    teacher.route("**/rooms", lambda route: route.fulfill(**refusal))
    settled(teacher)  # a key is for whoever is there by then
    teacher.keyboard.press("o")
    expect(teacher.locator(".room-problem")).to_have_text("You opened many rooms in a short time.")
    teacher.unroute("**/rooms")
    open_room(teacher)
    expect(teacher.locator(".room-problem")).to_have_text("")


def test_a_file_has_no_room_and_keeps_its_codes(person, tmp_path):
    file = tmp_path / "run.html"
    text = build_document_html(
        Document("BPE · Train", blocks=(PlayerBlock(trained({"low": 5, "lower": 2})[1]),))
    )
    file.write_text(text, encoding="utf-8")
    page = ready(person(file.as_uri()))
    expect(page.get_by_role("button", name="Class", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Room", exact=True)).to_be_hidden()
    page.keyboard.press("o")
    page.keyboard.press("p")
    expect(page.locator(".player")).to_have_class(re.compile("presenting"))
    expect(page.locator(".room, .room-too")).to_have_count(2)
    for hidden in page.locator(".room, .room-too").all():
        expect(hidden).to_be_hidden()
