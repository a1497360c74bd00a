"""The player in a real browser: the picture of a lattice, two rules, the learner's own path."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import until
from tests.browser.test_app import in_address
from tests.browser.test_player import (
    APP,
    BESIDE,
    at,
    choose,
    is_explained,
    on_to,
    press,
    scrub,
    show,
    wait_until_idle,
)


@pytest.fixture(scope="module")
def url(browser, serve):
    """The harness, with a browser at hand."""
    return serve(APP)


def arc(page: Page, piece: str) -> Locator:
    """The label of an arc: "hell 0 4", or "hell" for the first."""
    name, *where = piece.split()
    place = f" from {where[0]} to {where[1]}," if where else ""
    return page.locator(f'.label[aria-label^="{name},{place}"]').first


def kinds(page: Page, *pieces: str) -> list[str]:
    return [(arc(page, piece).get_attribute("class") or "").split()[1] for piece in pieces]


def the_arcs_of_a_step_are_drawn_as_they_stand(page: Page) -> None:
    assert kinds(page, "hell", "ll", "l 3 4", "he", "el", "lo", "o") == [
        "wins", "arrives", "arrives", "kept", "lost", "ahead", "ahead"
    ]  # fmt: skip
    expect(page.locator(".arc.wins:not(.sample *)")).to_have_count(1)
    expect(arc(page, "hell")).to_have_text("hell−2.10")
    expect(page.locator(".node.here")).to_have_text("4−2.10")
    assert page.locator(".value").all_inner_texts() == [
        "0.00", "−2.90", "−1.60", "−3.20", "−2.10", ""
    ]  # fmt: skip
    expect(page.locator(".node.open")).to_have_text("5")
    press(page, "ArrowRight")
    at(page, 5)
    assert kinds(page, "hell", "ll", "lo", "o") == ["kept", "lost", "arrives", "wins"]
    press(page, "ArrowRight")
    at(page, 6)
    assert kinds(page, "hell", "o", "lo") == ["best", "best", "lost"]
    expect(page.locator(".node.here")).to_have_count(0)


def the_winner_is_thicker_than_unreached_arcs_which_are_dashed(page: Page) -> None:
    look = """(line) => ['strokeWidth', 'strokeDasharray', 'stroke']
      .map((name) => getComputedStyle(line)[name])"""
    lines = [page.locator(f"g .arc.{kind}").first for kind in ("wins", "arrives", "ahead")]
    wins, arrives, ahead = (line.evaluate(look) for line in lines)
    assert float(wins[0][:-2]) > 2 * float(ahead[0][:-2])
    assert wins[1] == arrives[1] == "none" != ahead[1]
    assert len({wins[2], arrives[2], ahead[2]}) == 3


def the_same_step_is_shown_by_the_other_rule(page: Page) -> None:
    by_max, by_sum = (page.get_by_role("button", name=name) for name in ("max", "sum"))
    expect(by_max).to_have_attribute("aria-pressed", "true")
    press(page, "m")
    expect(by_sum).to_have_attribute("aria-pressed", "true")
    at(page, 4)
    assert kinds(page, "hell", "ll") == ["arrives", "arrives"]
    expect(page.locator(".node.here")).to_have_text("4−1.87")
    expect(page.get_by_text(re.compile("rule 1,"))).to_be_visible()
    expect(page).to_have_url(re.compile("sum=1"))
    press(page, "ArrowRight")
    expect(page.locator(".node.here")).to_have_text("5−3.65")
    by_max.click()
    expect(page.locator(".node.here")).to_have_text("5−4.10")
    expect(page.get_by_text(re.compile("rule 0,"))).to_be_visible()
    assert "sum" not in page.url
    wait_until_idle(page, 5)


def test_the_arcs_of_a_step_are_drawn_as_they_stand_by_each_rule(laptop, url):
    page = show(laptop, url, "hello", 4)
    the_winner_is_thicker_than_unreached_arcs_which_are_dashed(page)
    the_arcs_of_a_step_are_drawn_as_they_stand(page)
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 4)
    the_same_step_is_shown_by_the_other_rule(page)


def test_a_run_that_began_before_does_not_undo_the_rule_and_the_step_in_the_address(laptop, url):
    page = show(laptop, url, "hello", 4, "&busy=5")
    press(page, "ArrowRight")
    in_address(page, "step=5")  # and on its way to the server
    press(page, "ArrowLeft", "m")
    expect(page.get_by_text(re.compile("rule 1,"))).to_be_visible()
    wait_until_idle(page, 4)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    for part in ("step=4", "sum=1", "was=busy"):
        in_address(page, part)


def a_question_does_not_give_its_answer_away(page: Page) -> None:
    arc(page, "ll").click()
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".sentence")).to_have_text("Which piece wins at position 4?")
    arc(page, "ll").click()
    expect(page.locator(".why")).to_be_hidden()
    assert kinds(page, "hell", "ll", "l 3 4") == ["arrives"] * 3
    expect(page.locator("g .arc.wins")).to_have_count(0)
    width = "(lines) => lines.map((line) => getComputedStyle(line).strokeWidth)"
    assert len(set(page.locator("g .arc.arrives").evaluate_all(width))) == 1
    expect(page.locator(".node.here")).to_have_text("4?")
    expect(page.locator("table")).to_be_hidden()
    choose(page, "hell")
    expect(page.locator(".verdict")).to_have_text("✓ Right. It costs least.")
    assert kinds(page, "hell", "ll") == ["wins", "arrives"]
    expect(page.locator(".score")).to_have_text("1 of 1 right")


def a_question_is_answered_by_the_rule_that_asks_it(page: Page) -> None:
    press(page, "m")
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    expect(page.locator(".node.here")).to_have_text("4?")
    choose(page, "hell")
    expect(page.locator(".verdict")).to_have_text("✓ Right. It costs least.")
    expect(page.locator(".node.here")).to_have_text("4−1.87")
    press(page, "m")
    expect(page.locator(".verdict")).to_be_hidden()
    expect(page.locator(".score")).to_have_text("2 of 2 right")


def test_a_question_about_a_lattice_hides_its_answer_and_each_rule_has_a_question(laptop, url):
    page = show(laptop, url, "hello", 3)
    a_question_does_not_give_its_answer_away(page)
    press(page, "ArrowLeft", "ArrowRight")
    expect(page.locator(".sentence")).to_have_text("Which piece wins at position 4?")
    a_question_is_answered_by_the_rule_that_asks_it(page)


def a_recording_of_one_rule_has_no_switch_and_leaves_the_choice_for_the_next(page: Page) -> None:
    expect(page.locator(".rules")).to_be_hidden()
    expect(page.locator(".sentence")).to_have_text(re.compile("^Merge est and </w>"))
    press(page, "m")
    page.wait_for_timeout(200)
    expect(page.locator(".player")).to_have_attribute("data-rule", "0")
    press(page, "ArrowRight")
    wait_until_idle(page, 4)
    expect(page.get_by_text(re.compile("rule 1,"))).to_be_visible()
    expect(page).to_have_url(re.compile("sum=1"))


def test_the_url_keeps_the_rule_for_a_recording_of_one_rule_too(laptop, url):
    page = show(laptop, url, "hello", 2, "&sum=1", [("classic", 3)])
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    page.get_by_role("button", name="max").click()
    expect(page.get_by_text(re.compile("rule 0,"))).to_be_visible()
    press(page, "m")
    expect(page.get_by_text(re.compile("rule 1,"))).to_be_visible()
    page.reload()
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    page.get_by_role("button", name="Run again").click()
    page.wait_for_timeout(400)
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    expect(page.locator(".player")).to_have_attribute("data-step", "2")
    expect(page.locator(".jump")).to_be_hidden()  # no tokens are made
    on_to(page, "classic", 3)
    expect(page.locator(".mark option").last).to_have_text("a token appears")
    a_recording_of_one_rule_has_no_switch_and_leaves_the_choice_for_the_next(page)


def path_is(page: Page, *arcs: int) -> None:
    shown = f"({arcs[0]},)" if len(arcs) == 1 else str(arcs)
    expect(page.get_by_text(re.compile(rf"path {re.escape(shown)}$"))).to_be_visible()
    expect(page.locator("g .arc.user-path")).to_have_count(len(arcs))
    expect(page.locator(".label.user-path")).to_have_count(len(arcs))


def a_click_on_a_line_chooses_its_arc(page: Page) -> None:
    along = """(line, share) => {
      const point = line.getPointAtLength(share * line.getTotalLength());
      const { x, y } = point.matrixTransform(line.getScreenCTM());
      return [x, y];
    }"""
    x, y = page.locator("g .arc.wins").evaluate(along, 0.3)  # of hell, from 0 to 4
    page.mouse.click(x, y - 4)
    path_is(page, 2)
    box = page.locator(".picture").bounding_box()
    assert box
    press(page, "Escape")  # the reason, which may lie there
    page.mouse.click(box["x"] + box["width"] - 8, box["y"] + 8)  # on nothing
    page.wait_for_timeout(300)
    path_is(page, 2)


def pieces_can_be_chosen_with_the_keyboard(page: Page) -> None:
    page.locator(".view").focus()
    press(page, "Tab", "Enter")
    path_is(page, 2)  # of the three that arrive, hell begins first
    press(page, "Tab", "Tab", " ")  # first to the term in the reason
    path_is(page, 6)
    at(page, 4)
    press(page, "Escape")  # closes the reason, and leaves the path
    path_is(page, 6)


def the_page_sets_a_path_and_the_learner_changes_it(page: Page) -> None:
    page.get_by_role("button", name="Give a path").click()
    path_is(page, 0, 3)
    arc(page, "he").click()
    path_is(page, 1)
    page.get_by_role("button", name="Run again").click()
    page.wait_for_timeout(400)
    path_is(page, 1)
    page.get_by_role("button", name="Give another").click()
    path_is(page, 0)
    page.get_by_role("button", name="Give another").click()
    page.wait_for_timeout(400)
    path_is(page, 0)


def the_learner_builds_a_path(page: Page) -> None:
    for piece in ("o", "he", "ll"):
        arc(page, piece).click()
    path_is(page, 1, 6, 9)  # h, he, e, el, l 2–3 … in the order of their beginnings
    arc(page, "el").click()  # it overlaps two of them
    path_is(page, 4, 9)
    arc(page, "el").click()
    path_is(page, 9)
    press(page, "ArrowLeft", "m")
    at(page, 3)
    wait_until_idle(page, 3)
    path_is(page, 9)
    press(page, "Escape")
    path_is(page)
    arc(page, "lo").click()
    path_is(page, 8)
    arc(page, "o").dblclick()
    path_is(page)


def test_the_learner_and_the_page_set_a_path(laptop, url):
    page = show(laptop, url, "hello", 4)
    path_is(page)
    for part in (
        a_click_on_a_line_chooses_its_arc,
        pieces_can_be_chosen_with_the_keyboard,
        the_page_sets_a_path_and_the_learner_changes_it,
    ):
        part(page)
        press(page, "Escape")
        path_is(page)
    the_learner_builds_a_path(page)


def test_a_change_of_page_keeps_step_rule_and_path_and_the_player_in_sight_takes_the_keys(
    laptop, url
):
    page = show(laptop, url)
    press(page, "ArrowRight")
    wait_until_idle(page, 1)
    page.get_by_role("link", name="second").click()
    expect(page.locator(".position")).to_have_text(re.compile("of 2,000"))
    press(page, "End")
    at(page, 2000)
    wait_until_idle(page, 2000)
    page.get_by_role("link", name="first").click()
    expect(page.locator(".position")).to_have_text(re.compile("of 15"))
    press(page, "ArrowRight")
    at(page, 2)
    wait_until_idle(page, 2)
    page.get_by_role("link", name="third").click()
    expect(page.locator(".rules")).to_be_visible()
    press(page, "m")
    arc(page, "he").click()
    path_is(page, 1)
    page.get_by_role("link", name="first").click()
    expect(page.locator(".rules")).to_be_hidden()
    page.get_by_role("link", name="third").click()
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    path_is(page, 1)
    expect(page.get_by_text(re.compile("rule 1,"))).to_be_visible()


OVERLAPS = """(view) => {
  const boxes = [...view.querySelectorAll('.label:not([hidden])')].map((label) =>
    [label.textContent, label.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom
    && b.top < a.bottom;
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => meet(a, b)).map(([other]) => `${one} on ${other}`));
}"""


def the_position_of_the_step_is_brought_into_view(page: Page) -> None:
    inside = """(view) => {
      const [box, here] = [view, view.querySelector('.node.here')].map((node) =>
        node.getBoundingClientRect());
      return here.left > box.left && here.right < box.right;
    }"""
    for keys, step in ((["ArrowRight"] * 25, 25), (["End", "ArrowLeft"], 60), (["Home"], 0)):
        press(page, *keys)
        wait_until_idle(page, step)
        page.wait_for_timeout(1000)  # the picture glides
        until(page.locator(".view"), inside, of=step)
        expect(page.locator(".label.wins, .label.ahead").first).to_be_attached()
    until(page.locator(".view"), "(view) => view.scrollWidth > 2 * view.clientWidth")


def no_press_is_lost(page: Page) -> None:
    press(page, *["ArrowRight"] * 58)
    at(page, 58)
    wait_until_idle(page, 58)
    expect(page.locator(".node.here > b")).to_have_text("58")


def zoom_makes_the_picture_larger_and_smaller(page: Page) -> None:
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    before = page.locator(".label").first.evaluate(size)
    page.get_by_role("button", name="Larger").click()
    assert page.locator(".label").first.evaluate(size) > 1.2 * before
    for _ in range(4):
        page.get_by_role("button", name="Smaller").click()
    expect(page.get_by_role("button", name="Smaller")).to_be_disabled()
    assert page.locator(".label").first.evaluate(size) < 0.6 * before
    page.wait_for_timeout(300)
    until(page.locator(".view"), OVERLAPS, lambda it: it == [])


def a_reason_follows_its_arc(page: Page) -> None:
    label, why = page.locator(".label.wins"), page.locator(".why")
    label.focus()
    is_explained(page, re.compile("behind at position 30"))
    left = "(why) => why.getBoundingClientRect().left"
    before = why.evaluate(left)
    page.locator(".view").evaluate("(view) => view.scrollBy(40, 0)")
    page.wait_for_timeout(200)
    assert before - why.evaluate(left) == pytest.approx(40, abs=1)
    until(why, BESIDE)
    press(page, "Escape")


def test_a_lattice_of_sixty_characters_glides_along_loses_no_press_and_can_be_zoomed(laptop, url):
    """How soon a press is painted is measured in benchmarks/stepping.py."""
    page = show(laptop, url, "sixty")
    the_position_of_the_step_is_brought_into_view(page)
    no_press_is_lost(page)
    scrub(page, 30)
    a_reason_follows_its_arc(page)
    zoom_makes_the_picture_larger_and_smaller(page)


SHORT = ["hello", "twelve", "hindi", "emoji", "arabic", "marks"]


def test_no_label_lies_on_another_and_a_short_lattice_fits_without_scrolling(laptop, url):
    recordings = [*SHORT, "sixty", "hostile"]
    page = show(
        laptop, url, recordings[0], 3, then=[(recording, 3) for recording in recordings[1:]]
    )
    for recording in recordings:
        if recording != recordings[0]:
            on_to(page, recording, 3)
        if recording in SHORT:
            fits = "(view) => view.scrollWidth <= view.clientWidth"
            until(page.locator(".view"), fits, of=recording)
        press(page, "ArrowRight", "ArrowRight")
        wait_until_idle(page, 5)
        expect(page.locator(".label").first).to_be_visible()
        until(page.locator(".view"), OVERLAPS, lambda it: it == [], of=recording)


def a_lattice_never_moves_while_stepping(page: Page) -> None:
    places = """(root) => ['.across', '.view', '.label', '.node', '.letter'].map((name) =>
      [...root.querySelectorAll(name)].map((node) => {
        const { left, top, width } = node.getBoundingClientRect();
        return [left + width / 2, top].map(Math.round).join();
      }).join(' ')).join(' ') + root.querySelector('.across').offsetHeight"""
    seen = {page.locator(".player").evaluate(places)}
    for k in range(1, 14):
        press(page, "ArrowRight")
        at(page, k)
        seen.add(page.locator(".player").evaluate(places))
    assert len(seen) == 1


def markup_in_pieces_is_text(page: Page) -> None:
    texts = page.locator(".label .tile").all_inner_texts()
    assert {"<", "b", "⟨U+202E⟩", "*"} <= set(texts)
    assert any("</b>" in text for text in texts)
    assert "\u202e" not in page.locator(".across").inner_text()
    assert page.locator(".across :is(script, img, b:not(.node > b))").count() == 0


def an_unknown_character_is_no_piece_on_screen_and_to_screen_readers(page: Page) -> None:
    label = page.locator(".label.unknown")
    expect(label).to_have_attribute("aria-label", re.compile("^ß, an unknown character, from 1"))
    dashes = "(line) => getComputedStyle(line).strokeDasharray"
    until(page.locator("g .arc.unknown"), dashes, lambda it: it != "none")
    expect(page.locator(".legend")).to_contain_text("a character that is no piece")


def test_a_lattice_never_moves_and_any_character_in_it_is_text_or_marked_as_unknown(laptop, url):
    page = laptop
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    show(page, url, "twelve", 0, then=[("hostile", 9), ("unknown", 2)])
    a_lattice_never_moves_while_stepping(page)
    on_to(page, "hostile", 9)
    markup_in_pieces_is_text(page)
    on_to(page, "unknown", 2)
    an_unknown_character_is_no_piece_on_screen_and_to_screen_readers(page)
