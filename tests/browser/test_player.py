"""The player in a real browser: buttons, keys, scrubber, jumps, predictions, reruns, windows."""

import re
from collections.abc import Sequence
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import until

APP = "tests/browser/player_server.py"
Then = Sequence[tuple[str, int]]
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


def wait_until_idle(page: Page, step: int) -> None:
    expect(page.get_by_text(re.compile(rf"rests at {step},"))).to_be_visible()


def show(
    page: Page, url: str, recording: str = "classic", step: int = 0, more: str = "", then: Then = ()
) -> Page:
    """Open a recording at a step; `then` are the recordings and steps that `on_to` shows later."""
    onward = "".join(f"&then={quote(query_of(*one))}" for one in then)
    page.goto(f"{url}/?recording={recording}&step={step}{more}{onward}")
    at(page, step)
    wait_until_idle(page, step)
    return page


def query_of(recording: str, step: int) -> str:
    return f"recording={recording}&step={step}"


def on_to(page: Page, recording: str, step: int) -> None:
    """Have the page hand another recording to its player, as a change of a setting does."""
    elsewhere = 0 if step else 1  # so that the step tells when the recording is there
    press(page, "Home", *["ArrowRight"] * elsewhere)
    at(page, elsewhere)
    wait_until_idle(
        page, elsewhere
    )  # what the page hears meanwhile would bring back the old address
    change = page.get_by_role("button", name=f"Then {query_of(recording, step)}", exact=True)
    change.evaluate("(button) => button.click()")  # presenter view may lie on it
    at(page, step)
    wait_until_idle(page, step)


def sentence(page: Page) -> str:
    return page.locator(".sentence").inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


# ---- moving ----


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def scrub(page: Page, step: int) -> None:
    """Move by the scrubber, which then has the focus no longer."""
    page.locator(".scrubber").fill(str(step))
    at(page, step)
    page.locator(".sentence").click()
    wait_until_idle(page, step)


def test_keys_buttons_and_the_scrubber_move_and_the_sentence_is_announced_when_idle(laptop, url):
    page = show(laptop, url)
    press(page, *["ArrowRight"] * 4)
    expect(page.locator("[aria-live=polite]")).to_have_text(re.compile("^Step 4. +Merge l and o"))
    press(page, "End")
    at(page, 15)
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 13)
    press(page, "Home", "ArrowRight")
    at(page, 1)
    press(page, "Home")
    at(page, 0)
    for name, step in (
        ("Forward", 1), ("Forward", 2), ("Back", 1), ("Last", 15), ("Forward", 15), ("First", 0),
        ("Back", 0),
    ):  # fmt: skip
        button(page, name).click()
        at(page, step)
    expect(page.locator(".position")).to_have_text("step 0 of 15")
    expect(page.locator(".sentence")).to_have_text("Every word is split into characters.")
    wait_until_idle(page, 0)
    button(page, "Forward").focus()
    press(page, " ")  # on a button, it is the button's
    wait_until_idle(page, 1)
    expect(page.locator(".doing")).to_have_text("Play")
    press(page, "Home")
    at(page, 0)
    page.locator(".scrubber").focus()
    press(page, "ArrowRight", "ArrowRight")  # the player's and the scrubber's, but taken once
    at(page, 2)
    press(page, "End")
    at(page, 15)


def test_play_runs_to_the_end_space_pauses_and_keys_are_left_alone_while_typing(laptop, url):
    page = show(laptop, url)
    press(page, " ")
    at(page, 1)
    press(page, " ")
    expect(page.locator(".doing")).to_have_text("Play")
    wait_until_idle(page, 1)
    page.wait_for_timeout(1500)
    at(page, 1)
    scrub(page, 11)
    page.get_by_label("Speed").select_option("4")
    button(page, "Play").click()
    expect(page.locator(".doing")).to_have_text("Pause")
    at(page, 15)
    expect(page.locator(".doing")).to_have_text("Play")
    scrub(page, 3)
    box = page.get_by_label("A text box")
    box.fill("abc")
    press(page, "ArrowLeft", "Home", "End", " ", "ArrowRight")
    assert box.input_value() == "abc "
    page.locator(".sentence").click()
    press(page, "Control+ArrowRight", "Alt+ArrowRight", "Shift+End")
    page.get_by_label("Speed").focus()
    press(page, "ArrowLeft")
    page.wait_for_timeout(200)
    at(page, 3)


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
def test_late_content_is_announced_too(laptop, url, what):
    laptop.add_init_script(LATE[what])
    page = show(laptop, url, step=4)
    expect(page.locator(".announcement")).to_have_text(
        f"Step 4. {sentence(page)}", use_inner_text=True
    )


def a_held_key_paints_on_the_way_and_ends_on_the_right_step(page: Page) -> None:
    for _ in range(60):  # without letting go: the later ones are repeats
        page.keyboard.down("ArrowRight")
        page.wait_for_timeout(28)
    page.keyboard.up("ArrowRight")
    at(page, 160)
    wait_until_idle(page, 160)
    assert page.evaluate("painted.length") >= 20


def every_press_is_painted(page: Page) -> None:
    for step in range(101, 131):
        press(page, "ArrowRight")
        at(page, step)
    until(page, "painted.length === 30")


def dragging_the_scrubber_paints_on_the_way(page: Page) -> None:
    box = page.locator(".scrubber").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8, middle)
    page.mouse.down()
    for k in range(1, 21):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * k / 20, middle)
        until(page, f"painted.length >= {k}")  # while the button is still down
    page.mouse.up()
    wait_until_idle(page, 2000)
    expect(page.locator(".sentence")).to_contain_text("Step number 2000")


def stepping_while_the_page_reruns_never_jumps_back(page: Page) -> None:
    for _ in range(8):
        press(page, "ArrowRight")
        page.wait_for_timeout(190)  # long enough to be reported, too short for the page to settle
    wait_until_idle(page, 8)
    page.wait_for_timeout(500)
    at(page, 8)


def test_a_long_recording_is_painted_on_the_way_and_no_step_is_lost(laptop, url):
    """How soon it is painted, and how often, is measured in benchmarks/stepping.py."""
    page = show(laptop, url, "long", 100)
    page.evaluate(PAINTED)
    a_held_key_paints_on_the_way_and_ends_on_the_right_step(page)
    scrub(page, 100)
    page.evaluate("painted.length = 0")
    every_press_is_painted(page)
    press(page, "Home")
    wait_until_idle(page, 0)
    page.evaluate("painted.length = 0")
    dragging_the_scrubber_paints_on_the_way(page)
    scrub(page, 0)
    stepping_while_the_page_reruns_never_jumps_back(page)


# ---- jumping ----


def test_jump_to_marks_and_to_a_token_and_a_jump_without_target_shows_a_message(laptop, url):
    page = show(laptop, url)
    go = page.get_by_role("button", name="Go")
    page.get_by_label("Next step where").select_option(label="there is a tie (9)")
    player, stops = page.locator(".player"), [0]
    while go.is_enabled():
        go.click()
        expect(player).not_to_have_attribute("data-step", str(stops[-1]))
        stops.append(int(player.get_attribute("data-step") or 0))
        assert "tied" in sentence(page)
    assert stops == sorted(stops)
    assert len(set(stops)) == 1 + 9
    scrub(page, 5)
    page.get_by_label("Next step where").select_option(label="a token appears")
    field = page.get_by_label("Token", exact=True)
    expect(field).to_be_focused()
    field.fill("est")
    field.press("Enter")  # it was made before: the search starts again from the beginning
    wait_until_idle(page, 2)
    expect(page.locator(".sentence .new")).to_have_text("est")
    field.fill("nowhere")
    field.press("Enter")
    expect(field).to_have_class(re.compile("missed"))
    at(page, 2)
    field.fill("zebra")
    press(page, "Enter")
    expect(page.locator(".none")).to_have_text("No step makes a token with “zebra” in it.")
    field.fill("low")
    press(page, "Enter")
    expect(page.locator(".none")).to_be_empty()


# ---- motion ----

RECORD_MOVES = """() => {
  const animate = Element.prototype.animate;
  window.moves = [];
  Element.prototype.animate = function (frames, options) {
    window.moves.push([this.textContent, options.duration, frames.flatMap(Object.keys)]);
    return animate.call(this, frames, options);
  };
}"""


def moves(page: Page) -> set[str]:
    """Return the texts of what has moved since the last call: briefly, and without a new layout."""
    found = page.evaluate("() => window.moves.splice(0)")
    assert all(milliseconds <= 300 for _, milliseconds, _ in found)
    assert {name for *_, names in found for name in names} <= {"transform", "opacity", "offset"}
    return {text for text, *_ in found}


def test_a_single_step_moves_and_nothing_moves_in_a_jump_a_held_key_or_on_request(laptop, url):
    page = show(laptop, url, step=2)
    page.evaluate(RECORD_MOVES)
    press(page, "ArrowRight")
    at(page, 3)
    expect(page.locator(".strip .new")).to_have_text(["est</w>", "est</w>"])
    assert moves(page) == {"est", "</w>", "est</w>"}
    expect(page.locator(".ghost")).to_have_count(0)
    press(page, "ArrowLeft")
    at(page, 2)
    assert moves(page) == {"</w>"}  # out of the merged tile, whose left end est keeps
    page.wait_for_timeout(300)

    page.keyboard.down("ArrowRight")
    at(page, 3)
    assert moves(page)
    page.wait_for_timeout(300)
    page.keyboard.down("ArrowRight")  # once more without a release, as a held key does
    at(page, 4)
    page.keyboard.up("ArrowRight")
    press(page, "End", "Home")
    at(page, 0)
    scrub(page, 6)
    assert moves(page) == set()
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_timeout(300)
    press(page, "ArrowRight")
    at(page, 7)
    assert moves(page) == set()
    page.emulate_media(reduced_motion="no-preference")


# ---- why, and predict ----


BESIDE = """(bubble) => {
  const box = bubble.getBoundingClientRect();
  const asked = [...bubble.getRootNode().querySelectorAll("[data-asked]")]
    .map((one) => one.getBoundingClientRect());
  const isOn = (one) => box.left < one.right && one.left < box.right
    && box.top < one.bottom && one.top < box.bottom;
  const isInside = box.left >= 0 && box.top >= 0
    && box.right <= innerWidth && box.bottom <= innerHeight;
  return asked.length > 0 && isInside && !asked.some(isOn);
}"""


def is_explained(page: Page, reason: str | re.Pattern[str]) -> None:
    """Expect the reason in a bubble beside what it explains, in the window, and announced."""
    why = page.locator(".why:popover-open")
    expect(why).to_have_text(reason)
    until(why, BESIDE)
    expect(page.locator(".announcement")).to_have_text(reason)


def test_a_step_shows_what_the_run_recorded_and_its_rows_and_tokens_have_reasons(laptop, url):
    page = show(laptop, url, step=3)
    expect(page.locator(".sentence")).to_have_text(
        "Merge est and </w> into est</w>: seen 9 times, the most often in newest."
    )
    table = page.get_by_role("table", name="Pairs before this merge")
    expect(table.get_by_role("columnheader").first).to_have_text("pair")
    expect(table.locator("tr.now")).to_have_text(re.compile("est</w>chosen9"))
    expect(page.locator(".strip .new")).to_have_text(["est</w>", "est</w>"])
    expect(page.locator(".strip.same")).to_have_count(2)
    reasons_open_beside_rows_and_tokens_and_close(page)
    the_keyboard_opens_and_closes_a_reason(page)


def reasons_open_beside_rows_and_tokens_and_close(page: Page) -> None:
    """At a second click, at a click elsewhere, and with the step."""
    why, second = page.locator(".why"), page.locator("tbody tr").nth(1)
    height = page.locator(".player").bounding_box()
    second.hover()
    cue = "(button) => getComputedStyle(button, '::after').content"
    assert "why?" in second.locator(".reason").evaluate(cue)
    assert page.locator("tbody tr .reason").first.evaluate(cue) == "none"
    second.click()
    is_explained(page, "It was seen 7 times, 2 fewer.")
    assert page.locator(".player").bounding_box() == height  # nothing jumps
    second.click()
    expect(why).to_be_hidden()
    second.click()
    page.locator(".sentence").click()
    expect(why).to_be_hidden()
    expect(page.locator("[data-asked]")).to_have_count(0)

    newest = page.locator(".strip").nth(2).locator(".tile")
    newest.filter(has_text="n").first.click()
    is_explained(page, "ne: It was seen 6 times, 3 fewer.")
    newest.filter(has_text="w").first.click()
    is_explained(page, "west</w>: a pair only from the next step on.")
    expect(page.locator("[data-asked]")).to_have_text(["w", "est</w>"])
    page.emulate_media(color_scheme="dark")  # paints the player anew, with the same picture
    page.wait_for_timeout(500)
    expect(why).to_be_visible()
    page.emulate_media(color_scheme="light")
    press(page, "ArrowRight")
    at(page, 4)
    expect(why).to_be_hidden()


def the_keyboard_opens_and_closes_a_reason(page: Page) -> None:
    """The row's button says whether it is open, and keeps the focus."""
    press(page, "ArrowLeft")
    at(page, 3)
    row, why = page.locator("tbody tr .reason").nth(1), page.locator(".why")
    has_focus = "(button) => button.getRootNode().activeElement === button"
    expect(row).to_have_attribute("aria-expanded", "false")
    row.focus()
    press(page, "Enter")
    is_explained(page, "It was seen 7 times, 2 fewer.")
    expect(row).to_have_attribute("aria-expanded", "true")
    press(page, "Escape")
    expect(why).to_be_hidden()
    expect(row).to_have_attribute("aria-expanded", "false")
    assert row.evaluate(has_focus)
    press(page, "Enter", "Tab")  # to the next row
    expect(why).to_be_hidden()
    row.focus()
    press(page, "Enter", "ArrowRight")
    at(page, 4)
    expect(why).to_be_hidden()
    assert row.evaluate(has_focus)


def predicting(page: Page) -> None:
    page.get_by_role("button", name="Predict").click()
    expect(page.locator(".sentence")).to_have_text("Which pair is merged next?")


def options(page: Page) -> list[str]:
    return [text[1:].replace("\n", "") for text in page.locator(".option").all_inner_texts()]


def choose(page: Page, option: str) -> None:
    expect(page.locator(".option", has_text=option)).not_to_have_count(0)
    press(page, str(options(page).index(option) + 1))


def back_cancels_a_question_and_the_answer_can_be_shown(page: Page) -> None:
    predicting(page)
    press(page, "ArrowLeft")
    expect(page.locator("table")).to_be_visible()
    at(page, 2)
    press(page, "ArrowRight")
    page.get_by_role("button", name="Show the answer").click()
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text("est</w> is seen 9 times, none more often.")
    expect(page.locator(".score")).to_have_text("")


def play_waits_at_a_question_and_a_held_key_does_not_answer_it(page: Page) -> None:
    page.get_by_role("button", name="Predict").click()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".sentence")).to_have_text("Which pair is merged next?")
    expect(page.locator(".doing")).to_have_text("Play")
    press(page, "Home")
    at(page, 0)
    expect(page.locator("table")).to_be_hidden()  # it would answer the first question
    for _ in range(10):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect(page.locator(".sentence")).to_have_text("Which pair is merged next?")
    at(page, 0)


def predicting_no_longer(page: Page) -> None:
    predict = page.get_by_role("button", name="Predict")
    predict.click()
    expect(predict).to_have_attribute("aria-pressed", "false")
    scrub(page, 2)


def test_a_question_waits_and_a_right_answer_is_shown_and_counted(laptop, url):
    page = show(laptop, url, step=2)
    back_cancels_a_question_and_the_answer_can_be_shown(page)
    predicting_no_longer(page)
    play_waits_at_a_question_and_a_held_key_does_not_answer_it(page)
    predicting_no_longer(page)
    expect(page.locator(".strip .new")).not_to_have_count(0)
    predicting(page)
    expect(page.locator("table")).to_be_hidden()
    expect(page.locator(".strip .new")).to_have_count(0)
    at(page, 2)
    choose(page, "est</w>")
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text(
        "✓ Right. est</w> is seen 9 times, none more often."
    )
    expect(page.locator(".score")).to_have_text("1 of 1 right")
    expect(page.locator("table")).to_be_visible()
    expect(page.locator(".strip .new")).not_to_have_count(0)
    press(page, "ArrowRight")
    choose(page, "ow")  # the run took l o: every tied answer is right
    at(page, 4)
    expect(page.locator(".verdict")).to_have_text(
        re.compile("^✓ Right. 2 answers tie here: any of them is right.")
    )
    expect(page.locator(".score")).to_have_text("2 of 2 right")


def test_a_wrong_prediction_is_shown_and_the_first_answer_counts_and_is_stored(laptop, url):
    page = show(laptop, url, step=2)
    predicting(page)
    page.locator(".option").nth(options(page).index("lo")).click()
    at(page, 3)
    expect(page.locator(".verdict")).to_have_text(
        "✗ Not this one. You chose lo. It was seen 7 times, 2 fewer. "
        "est</w> is seen 9 times, none more often."
    )
    assert page.locator(".verdict").evaluate("(node) => node.getRootNode().activeElement === node")
    expect(page.locator(".score")).to_have_text("0 of 1 right")
    press(page, "ArrowRight")
    expect(page.locator(".sentence")).to_have_text("Which pair is merged next?")
    expect(page.locator(".verdict")).to_be_hidden()
    press(page, "ArrowLeft", "ArrowLeft")
    at(page, 2)
    expect(page.locator(".option")).to_have_count(0)
    press(page, "ArrowRight")
    choose(page, "est</w>")
    expect(page.locator(".verdict")).to_have_text(re.compile("Right"))
    expect(page.locator(".score")).to_have_text("0 of 1 right")
    wait_until_idle(page, 3)
    page.reload()  # the address says that it asks
    expect(page.get_by_role("button", name="Predict")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".score")).to_have_text("0 of 1 right")


OPTIONS_PAINTED = """(options) => {
  window.optionsPainted = [];
  new MutationObserver(() => optionsPainted.push(options.innerText))
    .observe(options, { childList: true });
}"""


def test_predict_asks_about_the_next_step_at_once_and_not_about_this_one_before(laptop, url):
    page = show(laptop, url, step=2)
    page.locator(".options").evaluate(OPTIONS_PAINTED)
    predicting(page)
    until(page, "optionsPainted.length")
    wait_until_idle(page, 2)
    assert len(set(page.evaluate("optionsPainted")) - {""}) == 1


# ---- reruns, addresses, windows ----


def a_rerun_of_the_page_changes_nothing(page: Page) -> None:
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    wait_until_idle(page, 3)
    page.locator(".sentence").evaluate("(node) => { node.firstChild.kept = true; }")
    before = page.get_by_text(re.compile(r"run \d+")).inner_text()
    page.get_by_role("button", name="Run again").click()
    expect(page.get_by_text(before)).to_have_count(0)
    at(page, 3)
    assert page.locator(".sentence").evaluate("(node) => node.firstChild.kept")  # not painted again


def the_page_moves_the_player(page: Page) -> None:
    scrub(page, 9)
    page.get_by_role("button", name="To step 3").click()
    at(page, 3)
    wait_until_idle(page, 3)
    press(page, "ArrowRight")
    wait_until_idle(page, 4)
    assert "step=4" in page.url
    page.get_by_role("button", name="To step 3").click()
    at(page, 3)
    wait_until_idle(page, 3)
    press(page, "ArrowRight")
    wait_until_idle(page, 4)
    page.get_by_role("button", name="To address 5").click()
    at(page, 5)
    wait_until_idle(page, 5)


def test_a_rerun_moves_the_player_only_if_the_page_does(laptop, url):
    page = show(laptop, url)
    a_rerun_of_the_page_changes_nothing(page)
    the_page_moves_the_player(page)


def test_the_windows_of_a_long_recording_are_fetched(laptop, url):
    page = show(laptop, url, "longer")
    press(page, "End")
    expect(page.locator(".sentence")).to_have_text("Step number 6000 makes t6000.")
    wait_until_idle(page, 6000)
    page.get_by_role("button", name="To step 3").click()
    expect(page.locator(".sentence")).to_have_text("Step number 3 makes t3.")
    page.locator(".scrubber").fill("3333")
    expect(page.locator(".sentence")).to_have_text("Step number 3333 makes t3333.")


# ---- looks ----


def no_type_is_smaller_than_four_fifths(page: Page) -> None:
    smallest = page.locator(".player").evaluate(
        """(root) => Math.min(...[...root.querySelectorAll('*')]
        .filter((node) => node.checkVisibility() && node.textContent.trim())
        .map((node) => parseFloat(getComputedStyle(node).fontSize)))"""
    )
    rem = page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
    assert smallest >= 0.8 * rem


def test_markup_in_tokens_is_text_runs_as_its_letters_do_and_is_large_enough(laptop, url):
    page = laptop
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    show(page, url, "rich", 140, then=[("twelve", 6)])
    texts = page.locator(".strip .tokens").all_inner_texts()
    for word in ("<b>bold</b></w>", "**stars**</w>", "<script>alert(1)</script></w>"):
        assert word in texts
    assert page.locator(".player script, .player b:not(.at)").count() <= 1  # the verdict's own
    assert "⟨U+202E⟩" in page.locator(".strips").inner_text()
    scrub(page, 14)
    no_type_is_smaller_than_four_fifths(page)
    scrub(page, 1)
    word = page.locator(".strip .tokens[dir=rtl]").first
    expect(word).to_be_visible()
    expect(word.locator("bdi bdi").first).to_have_text("</w>")  # an end mark stands apart
    expect(page.locator("td .tokens[dir=ltr]").first).to_be_visible()
    on_to(page, "twelve", 6)
    no_type_is_smaller_than_four_fifths(page)


def test_a_phone_never_scrolls_sideways(phone, url):
    recordings = ("classic", "rich", "long", "hello", "sixty", "hostile")
    page = show(phone, url, "twelve", 6, then=[(recording, 6) for recording in recordings])
    widths = "[document.documentElement.scrollWidth, document.querySelector('.stMain').scrollWidth]"
    for recording in recordings:
        on_to(page, recording, 6)
        until(page, widths, lambda it: max(it) <= 390, of=recording)
        box = page.locator(".player").evaluate("(node) => [node.scrollWidth, node.clientWidth]")
        assert box[0] <= box[1], recording


def test_nothing_below_jumps_while_stepping(laptop, url):
    """Where strips wrap, a merge may need a line more; the room for it then stays."""
    growths = {"classic": 0, "long": 0, "rich": 1}
    page = show(laptop, url, "hello", then=[(recording, 0) for recording in growths])
    boxes = "(root) => [root, root.querySelector('.stage')].map((node) => node.offsetHeight)"
    for recording, most in growths.items():
        on_to(page, recording, 0)
        seen = [page.locator(".player").evaluate(boxes)]
        for k in range(1, 15):
            press(page, "ArrowRight")
            at(page, k)
            seen.append(page.locator(".player").evaluate(boxes))
        assert seen == sorted(seen), recording
        assert len(set(map(tuple, seen))) <= 1 + most, recording
