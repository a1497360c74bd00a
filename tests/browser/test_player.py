"""The player in a real browser: buttons, keys, scrubber, jumps, predictions, reruns, windows."""

import re

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from tests.browser.conftest import until

APP = "tests/browser/player_app.py"
PAINTED = """() => {
  const root = document.querySelector('[data-testid=stBidiComponentIsolated]')
    .shadowRoot.querySelector('.player');
  let pressed = 0;
  window.painted = [];
  document.addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
  new MutationObserver(() => {
    const start = pressed;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => window.painted.push(performance.now() - start);
      channel.port2.postMessage(0);
    });
  }).observe(root, { attributes: true, attributeFilter: ['data-step'] });
}"""


@pytest.fixture(scope="module")
def url(browser, serve):
    """The harness, with a browser at hand."""
    return serve(APP)


def at(page: Page, step: int) -> None:
    expect(page.locator(".player")).to_have_attribute("data-step", str(step))


def rests(page: Page, step: int) -> None:
    expect(page.get_by_text(re.compile(rf"rests at {step},"))).to_be_visible()


def show(page: Page, url: str, film: str = "classic", step: int = 0, more: str = "") -> Page:
    page.goto(f"{url}/?film={film}&step={step}{more}")
    at(page, step)
    rests(page, step)
    return page


def say(page: Page) -> str:
    return page.locator(".say").inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# ---- moving ----


def test_every_button_moves(laptop, url):
    page = show(laptop, url)
    for name, step in (
        ("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", 15), ("Forward", 15), ("First", 0),
        ("Back", 0),
    ):  # fmt: skip
        page.get_by_role("button", name=name, exact=True).click()
        at(page, step)
    expect(page.locator(".position")).to_have_text("step 0 of 15")
    expect(page.locator(".say")).to_have_text("Every word is split into characters.")


LATE = {
    "fetching": """const { json } = Response.prototype;
        Response.prototype.json = async function () {
          await new Promise((done) => setTimeout(done, 500));
          return json.call(this);
        };""",
    "painting": """const soon = window.requestAnimationFrame;
        window.requestAnimationFrame = (paint) => setTimeout(() => soon(paint), 500);""",
}


@pytest.mark.parametrize("what", LATE)
def test_what_comes_late_is_heard_all_the_same(laptop, url, what):
    laptop.add_init_script(LATE[what])
    page = show(laptop, url, step=4)
    expect(page.locator(".heard")).to_have_text(f"Step 4. {say(page)}", use_inner_text=True)


def test_the_frame_is_what_the_run_recorded(laptop, url):
    page = show(laptop, url, step=3)
    expect(page.locator(".say")).to_have_text(
        "Merge est and </w> into est</w>: seen 9 times, the most often in newest."
    )
    table = page.get_by_role("table", name="Pairs before this merge")
    expect(table.get_by_role("columnheader").first).to_have_text("pair")
    expect(table.locator("tr.now")).to_have_text(re.compile("est</w>chosen9"))
    expect(page.locator(".strip .new")).to_have_text(["est</w>", "est</w>"])
    expect(page.locator(".strip.same")).to_have_count(2)


def test_the_sentence_is_announced_once_at_rest(laptop, url):
    page = show(laptop, url)
    press(page, *["ArrowRight"] * 4)
    expect(page.locator("[aria-live=polite]")).to_have_text(re.compile("^Step 4. +Merge l and o"))


def test_play_runs_to_the_end_and_stops(laptop, url):
    page = show(laptop, url, step=11)
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".doing")).to_have_text("Pause")
    at(page, 15)
    expect(page.locator(".doing")).to_have_text("Play")


def test_space_plays_and_pauses(laptop, url):
    page = show(laptop, url)
    press(page, " ")
    at(page, 1)
    press(page, " ")
    expect(page.locator(".doing")).to_have_text("Play")
    rests(page, 1)
    page.wait_for_timeout(1500)
    at(page, 1)


def test_keys_go_everywhere(laptop, url):
    page = show(laptop, url)
    press(page, "End")
    at(page, 15)
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 13)
    press(page, "Home", "ArrowRight")
    at(page, 1)


def test_keys_are_left_alone_while_typing_and_with_modifiers(laptop, url):
    page = show(laptop, url, step=3)
    box = page.get_by_label("A text box")
    box.fill("abc")
    press(page, "ArrowLeft", "Home", "End", " ", "ArrowRight")
    assert box.input_value() == "abc "
    page.locator(".say").click()
    press(page, "Control+ArrowRight", "Alt+ArrowRight", "Shift+End")
    page.get_by_label("Speed").focus()
    press(page, "ArrowLeft")
    page.wait_for_timeout(200)
    at(page, 3)


def test_space_on_a_button_is_the_buttons(laptop, url):
    page = show(laptop, url)
    page.get_by_role("button", name="Forward", exact=True).focus()
    press(page, " ")
    rests(page, 1)
    expect(page.locator(".doing")).to_have_text("Play")


def test_a_held_key_paints_on_the_way_and_ends_on_the_right_step(laptop, url):
    """How many steps a second is measured in benchmarks/stepping.py."""
    page = show(laptop, url, "long", 100)
    page.evaluate(PAINTED)
    for _ in range(60):  # without letting go: the later ones are repeats
        page.keyboard.down("ArrowRight")
        page.wait_for_timeout(28)
    page.keyboard.up("ArrowRight")
    at(page, 160)
    rests(page, 160)
    assert page.evaluate("painted.length") >= 20


def test_every_press_is_painted(laptop, url):
    """How soon is measured in benchmarks/stepping.py."""
    page = show(laptop, url, "long", 100)
    page.evaluate(PAINTED)
    for step in range(101, 131):
        press(page, "ArrowRight")
        at(page, step)
    until(page, "painted.length === 30")


def test_dragging_the_scrubber_paints_on_the_way(laptop, url):
    page = show(laptop, url, "long")
    page.evaluate(PAINTED)
    box = page.locator(".scrubber").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, middle)
    page.mouse.down()
    for k in range(1, 21):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * k / 20, middle)
        page.wait_for_timeout(30)
    assert page.evaluate("painted.length") >= 15  # while the button is still down
    page.mouse.up()
    rests(page, 2000)
    assert "Step number 2000" in say(page)


def test_the_scrubber_with_the_focus_takes_keys_once(laptop, url):
    page = show(laptop, url)
    page.locator(".scrubber").focus()
    press(page, "ArrowRight", "ArrowRight")
    at(page, 2)
    press(page, "End")
    at(page, 15)


# ---- jumping ----


def test_jump_to_marks(laptop, url):
    page = show(laptop, url)
    go = page.get_by_role("button", name="Go")
    page.get_by_label("Next step where").select_option(label="there is a tie (9)")
    stops = []
    while go.is_enabled():
        go.click()
        page.wait_for_timeout(100)
        stops.append(page.locator(".player").get_attribute("data-step"))
        assert "tied" in say(page)
    assert len(stops) == len(set(stops)) == 9


def test_jump_to_a_token(laptop, url):
    page = show(laptop, url, step=5)
    page.get_by_label("Next step where").select_option(label="a token appears")
    field = page.get_by_label("Token")
    expect(field).to_be_focused()
    field.fill("est")
    field.press("Enter")  # it was made before: the search starts again from the beginning
    rests(page, 2)
    expect(page.locator(".say .new")).to_have_text("est")
    field.fill("nowhere")
    field.press("Enter")
    expect(field).to_have_class(re.compile("missed"))
    at(page, 2)


# ---- why, and predict ----


def test_a_row_says_why(laptop, url):
    page = show(laptop, url, step=3)
    page.locator("tbody tr").nth(1).click()
    expect(page.locator(".why")).to_have_text("It was seen 7 times, 2 fewer.")
    page.locator("tbody tr .reason").nth(0).focus()
    press(page, "Enter")
    expect(page.locator(".why")).to_have_text("It was seen most often: 9")
    press(page, "ArrowRight")
    at(page, 4)
    expect(page.locator(".why")).to_have_text(re.compile("^Choose a row"))


def predicting(page: Page) -> None:
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".say")).to_have_text("Which pair is merged next?")


def options(page: Page) -> list[str]:
    return [text[1:].replace("\n", "") for text in page.locator(".option").all_inner_texts()]


def test_a_right_prediction(laptop, url):
    page = show(laptop, url, step=2)
    predicting(page)
    expect(page.locator("table")).to_be_hidden()
    expect(page.locator(".strip .new")).to_have_count(0)
    at(page, 2)
    press(page, str(options(page).index("est</w>") + 1))
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text(
        "✓ Right. est</w> is seen 9 times, none more often."
    )
    expect(page.locator(".score")).to_have_text("1 of 1 right")
    expect(page.locator("table")).to_be_visible()


def test_a_wrong_prediction_then_the_next_question(laptop, url):
    page = show(laptop, url, step=2)
    predicting(page)
    page.locator(".option").nth(options(page).index("lo")).click()
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text(
        "✗ Not this one. You chose lo. It was seen 7 times, 2 fewer. "
        "est</w> is seen 9 times, none more often."
    )
    assert page.locator(".verdict").evaluate("(said) => said.getRootNode().activeElement === said")
    expect(page.locator(".score")).to_have_text("0 of 1 right")
    press(page, "ArrowRight")
    expect(page.locator(".say")).to_have_text("Which pair is merged next?")
    expect(page.locator(".verdict")).to_be_hidden()


def test_every_tied_answer_is_right(laptop, url):
    page = show(laptop, url, step=3)
    predicting(page)
    press(page, str(options(page).index("ow") + 1))  # the run took l o
    at(page, 4)
    expect(page.locator(".verdict")).to_have_text(
        re.compile("^✓ Right. 2 answers tie here: any of them is right.")
    )


def test_the_score_is_kept_and_only_the_first_answer_counts(laptop, url):
    page = show(laptop, url, step=2)
    predicting(page)
    press(page, str(options(page).index("lo") + 1), "ArrowLeft", "ArrowRight")
    expect(page.locator(".option", has_text="est")).not_to_have_count(0)
    press(page, str(options(page).index("est</w>") + 1))
    expect(page.locator(".verdict")).to_have_text(re.compile("Right"))
    expect(page.locator(".score")).to_have_text("0 of 1 right")
    rests(page, 3)
    page.reload()  # the address says that it asks
    expect(page.get_by_role("button", name="Predict")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".score")).to_have_text("0 of 1 right")


def test_back_cancels_a_question_and_the_answer_can_be_shown(laptop, url):
    page = show(laptop, url, step=2)
    predicting(page)
    press(page, "ArrowLeft")
    expect(page.locator("table")).to_be_visible()
    at(page, 2)
    press(page, "ArrowRight")
    page.get_by_role("button", name="Show the answer").click()
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text("est</w> is seen 9 times, none more often.")
    expect(page.locator(".score")).to_have_text("")


def test_play_waits_at_a_question_and_a_held_key_does_not_answer_it(laptop, url):
    page = show(laptop, url, step=2)
    page.get_by_role("button", name="Predict").click()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".say")).to_have_text("Which pair is merged next?")
    expect(page.locator(".doing")).to_have_text("Play")
    press(page, "Home")
    at(page, 0)
    for _ in range(10):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect(page.locator(".say")).to_have_text("Which pair is merged next?")
    at(page, 0)


# ---- reruns, addresses, windows ----


def test_a_rerun_of_the_page_changes_nothing(laptop, url):
    page = show(laptop, url)
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    rests(page, 3)
    page.locator(".say").evaluate("(node) => { node.firstChild.kept = true; }")
    before = page.get_by_text(re.compile(r"run \d+")).inner_text()
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_text(before)).to_have_count(0)
    at(page, 3)
    assert page.locator(".say").evaluate("(node) => node.firstChild.kept")  # not painted again


def test_a_change_of_the_view_keeps_the_position(laptop, url):
    page = show(laptop, url)
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    rests(page, 3)
    page.get_by_text("Large type").click()
    expect(page.locator(".player")).to_have_class(re.compile("presenter"))
    page.wait_for_timeout(300)
    at(page, 3)


def test_the_page_moves_the_player(laptop, url):
    page = show(laptop, url, step=9)
    page.get_by_role("button", name="To step 3").click()
    at(page, 3)
    rests(page, 3)
    press(page, "ArrowRight")
    rests(page, 4)
    assert "step=4" in page.url
    page.get_by_role("button", name="To step 3").click()
    at(page, 3)
    rests(page, 3)
    press(page, "ArrowRight")
    rests(page, 4)
    page.get_by_role("button", name="To address 5").click()
    at(page, 5)
    rests(page, 5)


def test_stepping_while_the_page_reruns_never_jumps_back(laptop, url):
    page = show(laptop, url, "long")
    for _ in range(8):
        press(page, "ArrowRight")
        page.wait_for_timeout(190)  # long enough to be reported, too short for the page to settle
    rests(page, 8)
    page.wait_for_timeout(500)
    at(page, 8)


def test_the_windows_of_a_long_film_are_fetched(laptop, url):
    page = show(laptop, url, "longer")
    press(page, "End")
    expect(page.locator(".say")).to_have_text("Step number 6000 makes t6000.")
    rests(page, 6000)
    page.get_by_role("button", name="To step 3").click()
    expect(page.locator(".say")).to_have_text("Step number 3 makes t3.")
    page.locator(".scrubber").fill("3333")
    expect(page.locator(".say")).to_have_text("Step number 3333 makes t3333.")


def test_only_the_player_in_sight_takes_keys(laptop, url):
    page = show(laptop, url)
    press(page, "ArrowRight")
    rests(page, 1)
    page.get_by_role("link", name="second").click()
    expect(page.locator(".position")).to_have_text(re.compile("of 2,000"))
    press(page, "End")
    at(page, 2000)
    rests(page, 2000)
    page.get_by_role("link", name="first").click()
    expect(page.locator(".position")).to_have_text(re.compile("of 15"))
    press(page, "ArrowRight")
    at(page, 2)


# ---- looks ----


def test_markup_in_tokens_is_text(laptop, url):
    page = laptop
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    show(page, url, "rich", 140)
    texts = page.locator(".strip .tokens").all_inner_texts()
    for word in ("<b>bold</b></w>", "**stars**</w>", "<script>alert(1)</script></w>"):
        assert word in texts
    assert page.locator(".player script, .player b:not(.at)").count() <= 1  # the verdict's own
    assert "⟨U+202E⟩" in page.locator(".strips").inner_text()


@pytest.mark.parametrize("film", ["classic", "rich", "long", "hello", "sixty", "hostile"])
def test_a_phone_never_scrolls_sideways(phone, url, film):
    page = show(phone, url, film, 6)
    widths = "[document.documentElement.scrollWidth, document.querySelector('.stMain').scrollWidth]"
    assert max(page.evaluate(widths)) <= 390
    box = page.locator(".player").evaluate("(node) => [node.scrollWidth, node.clientWidth]")
    assert box[0] <= box[1]


@pytest.mark.parametrize(("film", "growths"), [("classic", 0), ("long", 0), ("rich", 1)])
def test_nothing_below_jumps_while_stepping(laptop, url, film, growths):
    """Where strips wrap, a merge may need a line more; the room for it then stays."""
    page = show(laptop, url, film, 0)
    boxes = "(root) => [root, root.querySelector('.stage')].map((node) => node.offsetHeight)"
    seen = [page.locator(".player").evaluate(boxes)]
    for k in range(1, 15):
        press(page, "ArrowRight")
        at(page, k)
        seen.append(page.locator(".player").evaluate(boxes))
    assert seen == sorted(seen)
    assert len(set(map(tuple, seen))) <= 1 + growths


@pytest.mark.parametrize(("film", "step"), [("rich", 14), ("twelve", 6)])
def test_no_type_is_smaller_than_four_fifths(laptop, url, film, step):
    page = show(laptop, url, film, step)
    smallest = page.locator(".player").evaluate(
        """(root) => Math.min(...[...root.querySelectorAll('*')]
        .filter((node) => node.checkVisibility() && node.textContent.trim())
        .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""
    )
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert smallest >= 0.8 * rem


def test_presenter_view_is_larger(projector, url):
    page = show(projector, url, step=3, more="&presenter=1")
    size = "(node) => parseFloat(getComputedStyle(node).fontSize)"
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert page.locator(".say").evaluate(size) >= 2.3 * rem
    assert page.locator(".strip .tile").first.evaluate(size) >= 1.5 * rem
    expect(page.get_by_label("Speed")).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tiles_can_be_read_in_both_themes(browser, url, scheme):
    page = browser.new_page(color_scheme=scheme)
    show(page, url, step=3)
    ink, ground = page.locator(".strip .tile").first.evaluate(
        "(node) => [getComputedStyle(node).color, getComputedStyle(node).backgroundColor]"
    )
    lights = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, ground)]
    assert (lights[0] < lights[1]) == (scheme == "light")
    assert abs(lights[0] - lights[1]) > 300
    page.close()
