"""A class that answers: students predict and copy a code, the teacher pastes the codes of all."""

import re
from pathlib import Path

import pytest
import segno

pytest.importorskip("playwright", reason="Playwright is not installed: pip install playwright")
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.class_codes import Code, CodedAnswer, decode, encode, run_of
from pages.lattice.filling import record_filling
from pages.lesson.export.lesson_html import build_lesson_html
from pages.shared.export.document.blocks import Document, PlayerBlock
from pages.shared.export.document.document_html import build_document_html
from pages.shared.recording.frame_types import Recording
from tests.browser.conftest import until
from tests.browser.test_run_html import serious_dark_and_light, trained
from tokenizers.lattice import Lattice

SURENESS = {0: "", 1: "n", 2: "s"}


@pytest.fixture(scope="module")
def recording() -> Recording:
    return trained({"low": 5, "lower": 2, "newest": 6, "widest": 3})[1]


@pytest.fixture(scope="module")
def file(recording: Recording, tmp_path_factory) -> str:
    """The address of a file on the disk."""
    return saved(
        build_document_html(Document("BPE · Train", blocks=(PlayerBlock(recording),))),
        tmp_path_factory.mktemp("file"),
    )


def saved(text: str, folder: Path) -> str:
    path = folder / "run.html"
    path.write_text(text, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def person(browser):
    """Somebody with a browser of their own, without a network."""
    contexts = []

    def open_file(address: str) -> Page:
        context = browser.new_context(offline=True, viewport={"width": 1366, "height": 768})
        contexts.append(context)
        page = context.new_page()
        page.goto(address)
        expect(page.locator(".player")).to_have_attribute("data-step", re.compile(r"\d"))
        return page

    yield open_file
    for context in contexts:
        context.close()


def handed_in(page: Page, *answers: tuple[int, int]) -> str:
    """A student answers from the first question on, each with an option and how sure: the code."""
    page.get_by_role("button", name="Predict").click()
    for choice, sureness in answers:
        expect(page.locator(".option").first).to_be_visible()
        if SURENESS[sureness]:
            page.keyboard.press(SURENESS[sureness])
        page.keyboard.press(str(choice + 1))
        expect(page.locator(".question")).to_be_hidden()
        page.keyboard.press("ArrowRight")
    code = page.locator(".my-code").inner_text()
    expect(page.locator(".my-count")).to_have_text(re.compile(rf"^{len(answers)} answers?$"))
    return code


def paste(page: Page, text: str) -> None:
    page.get_by_role("button", name="Class", exact=True).click()
    box = page.get_by_role("textbox", name="The students’ codes")
    expect(box).to_be_focused()
    box.fill(text)


def histogram(page: Page) -> list[str]:
    expect(page.locator(".vote-words").first).to_be_visible()
    return page.locator(".vote-words").all_inner_texts()


def damaged(code: str) -> str:
    return code[:5] + ("Y" if code[5] == "Z" else "Z") + code[6:]


def of_student(recording: Recording, student: int, *answers: CodedAnswer) -> str:
    """The code of somebody who answered a run: it needs no browser."""
    return encode(Code(run_of(recording.key), student, answers))


def hand_in_all(person, address: str) -> list[str]:
    answer_sets = [((1, 2), (0, 1)), ((1, 1), (0, 2)), ((0, 0),)]
    return [handed_in(person(address), *answers) for answers in answer_sets]


def test_three_students_and_a_teacher_with_the_file_alone(person, file, recording):
    codes = hand_in_all(person, file)
    assert [decode(code).run for code in codes] == [run_of(recording.key)] * 3
    assert decode(codes[0]).answers == (CodedAnswer(1, 1, 2), CodedAnswer(2, 0, 1))
    assert len({decode(code).student for code in codes}) == 3
    other = encode(Code(run_of("fffff"), 1, (CodedAnswer(1, 1),)))
    page = person(file)
    paste(page, "\n".join([*codes, damaged(codes[0]), other, "A. Nobody, 10:32"]))
    expect(page.locator(".codes-read")).to_have_text(
        "3 codes count. 1 line without a code left out. 2 codes don’t count:"
    )
    wrong = page.locator(".codes-wrong li")
    expect(wrong.nth(0)).to_contain_text(f"Line 4: {damaged(codes[0])} is damaged")
    expect(wrong.nth(1)).to_contain_text(f"Line 5: {other} is of another run")

    page.get_by_role("button", name="step 1", exact=True).click()
    expect(page.locator(".option").first).to_be_visible()
    expect(page.locator(".vote")).to_have_count(0)
    page.get_by_role("button", name="The class’s 3 answers").click()
    options = page.locator(".option").count()
    words = ["1: 1 didn’t say", "2: 1 sure, 1 not sure"]
    assert histogram(page) == [*words, *["0"] * (options - 2)]
    expect(page.locator(".sum")).to_have_text("3 answers, 1 sure.")
    expect(page.locator(".announcement")).to_contain_text("2: 1 sure, 1 not sure; ")
    bars = page.locator(".vote-bar").nth(1)
    wide = "(node) => node.getBoundingClientRect().width"
    shares = [part.evaluate(wide) / bars.evaluate(wide) for part in bars.locator("i").all()]
    assert shares == pytest.approx([1 / 3, 1 / 3, 0], abs=0.02)  # sure, not sure, not stated

    page.keyboard.press("ArrowRight")  # the answer is shown: who was right
    expect(page.locator(".question")).to_be_hidden()
    right = page.locator(".vote:has(.vote-right)")
    asked = page.locator(".votes li").filter(has=right)
    expect(asked.first).to_contain_text("right")
    expect(page.locator(".sum")).to_contain_text(
        re.compile(r"^Right: \d of 3; of those who were sure, \d of 1\.$")
    )
    page.keyboard.press("ArrowRight")  # at another step they are hidden again
    expect(page.locator(".vote")).to_have_count(0)
    page.keyboard.press("a")
    assert histogram(page)[0].startswith("2: 1 sure, 1 not sure")
    page.keyboard.press("a")
    expect(page.locator(".vote")).to_have_count(0)


def test_presenter_view_shows_the_answers_by_a_key_and_no_code(person, file, recording):
    page = person(file)
    paste(page, of_student(recording, 1, CodedAnswer(1, 0, 2)))
    page.keyboard.press("Escape")
    page.locator(".scrubber").focus()
    page.keyboard.press("p")
    expect(page.locator(".codes-in")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".option").first).to_be_visible()
    expect(page.locator(".vote")).to_have_count(0)
    page.get_by_role("button", name="the class’s answers").click()
    assert histogram(page)[0] == "1: 1 sure"
    type_size = "n => parseFloat(getComputedStyle(n).fontSize)"
    assert page.locator(".vote-words").first.evaluate(type_size) > 20
    tile = page.locator(".strip .tile").first
    alone = tile.evaluate(type_size)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".sum")).to_contain_text("of those who were sure, ")
    assert tile.evaluate(type_size) == alone  # the table keeps fewer rows instead
    expect(page.locator("tbody tr").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".option").first).to_be_visible()
    assert tile.evaluate(type_size) == alone


def test_a_code_is_copied_selected_or_scanned_its_first_answers_stay_and_a_reload_forgets_nothing(
    person, file
):
    page = person(file)
    code = handed_in(page, (0, 1), (1, 2))
    its_qr_code_is_shown(page, code)
    it_is_copied_or_selected(page, code)

    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".option").first).to_be_visible()
    page.keyboard.press("s")
    page.keyboard.press("2")
    expect(page.locator(".question")).to_be_hidden()
    expect(page.locator(".my-code")).to_have_text(code)
    assert decode(code).answers == (CodedAnswer(1, 0, 1), CodedAnswer(2, 1, 2))
    paste(page, code)
    page.reload()
    expect(page.locator(".my-code")).to_have_text(code)
    page.get_by_text("Answers of a class").click()
    expect(page.locator(".codes-read")).to_have_text("1 code counts.")
    page.get_by_role("button", name="Clear the codes").click()
    expect(page.locator(".codes-read")).to_have_text("")
    expect(page.get_by_role("button", name="step 1", exact=True)).to_have_count(0)


def it_is_copied_or_selected(page: Page, code: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == code
    page.evaluate("navigator.clipboard.writeText('nothing')")
    page.evaluate("void (navigator.clipboard.writeText = () => Promise.reject())")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator(".copied")).to_contain_text("It is selected")
    page.keyboard.press("Control+c")
    assert page.evaluate("navigator.clipboard.readText()") == code


def its_qr_code_is_shown(page: Page, code: str) -> None:
    page.get_by_text("As a QR code", exact=True).click()
    expect(page.get_by_role("img", name="QR code of your code")).to_be_visible()
    drawn = page.locator(".qr path").get_attribute("d") or ""
    cells = {(int(x) - 4, int(y) - 4) for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", drawn)}
    size = int((page.locator(".qr svg").get_attribute("viewBox") or "").split()[2]) - 8
    version = (size - 17) // 4
    asked = {"error": "m", "version": version, "boost_error": False}
    made = [segno.make(code, mask=mask, **asked).matrix for mask in range(8)]
    assert cells in [
        {(x, y) for y, row in enumerate(matrix) for x, cell in enumerate(row) if cell}
        for matrix in made
    ]


def test_by_each_rule_of_a_lattice_there_is_a_question(person, tmp_path):
    pieces = {"a": -2.0, "b": -2.0, "ab": -3.0, "ba": -3.5, "aba": -5.0}
    recording = record_filling(Lattice.build("ababa", pieces))
    address = saved(
        build_document_html(Document("Unigram · Lattice", blocks=(PlayerBlock(recording, 1),))),
        tmp_path,
    )
    page = person(address)
    page.get_by_role("button", name="Predict").click()
    for _ in range(2):
        expect(page.locator(".option").first).to_be_visible()
        page.keyboard.press("1")
        expect(page.locator(".question")).to_be_hidden()
        page.keyboard.press("m")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
    code = page.locator(".my-code").inner_text()
    gates = [answer.gate for answer in decode(code).answers]
    assert len(gates) == 2
    assert gates[0] % 2 == 0
    assert gates[1] == gates[0] + 1
    paste(page, code)
    buttons = page.locator(".gates button")
    expect(buttons).to_have_count(2)
    buttons.nth(1).click()
    expect(page.locator(".player")).to_have_attribute("data-rule", "1")
    page.keyboard.press("a")
    assert histogram(page)[0] == "1"


def test_students_with_the_file_and_the_teacher_in_the_app(laptop, serve, person, tmp_path):
    page = laptop
    page.goto(f"{serve('app.py')}/bpe_train?merges=8")
    page.locator(".player:not([hidden])").wait_for()
    page.get_by_role("button", name="Take it with you").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="This run as one HTML file").click()
    address = saved(found.value.path().read_text("utf-8"), tmp_path)
    codes = hand_in_all(person, address)
    page.keyboard.press("Escape")
    paste(page, "\n".join([*codes, damaged(codes[1])]))
    expect(page.locator(".codes-read")).to_have_text("3 codes count. 1 code doesn’t count:")
    page.get_by_role("button", name="step 2", exact=True).click()
    page.get_by_role("button", name="The class’s 2 answers").click()
    assert histogram(page)[0] == "2: 1 sure, 1 not sure"
    # a student in the app, too
    page.get_by_role("button", name="not sure").click()
    page.keyboard.press("1")
    mine = decode(page.locator(".my-code").inner_text())
    assert mine.answers == (CodedAnswer(2, 0, 1),)
    assert mine.run == decode(codes[0]).run


# ---- a lesson ----


@pytest.fixture(scope="module")
def lesson(tmp_path_factory) -> str:
    """The address of a lesson's file: a number is asked at stop 3, a pair at stop 4."""
    written = LESSONS["bpe-by-hand"].read_text("utf-8")
    text = build_lesson_html(lambda done, total: False, written, "bpe-by-hand")
    return saved(text, tmp_path_factory.mktemp("lesson"))


def answered(page: Page, number: str, pair: int, sure: str) -> str:
    """A student answers at the stops 3 and 4: the code."""
    page.goto(f"{page.url.split('#')[0]}#stop=3")
    page.locator("#question input").fill(number)
    page.locator("#question .submit").click()
    page.goto(f"{page.url.split('#')[0]}#stop=4")
    page.get_by_role("button", name=sure, exact=True).click()
    page.locator("#question input").nth(pair).check()
    page.locator("#question .submit").click()
    expect(page.locator("#class .my-count")).to_have_text("2 answers")
    return page.locator("#class .my-code").inner_text()


def test_a_lesson_is_answered_by_a_class_from_its_file(person, lesson, recording):
    answers = [("20", 0, "sure"), ("7", 5, "not sure"), ("8", 5, "sure")]
    codes = [answered(person(lesson), *one) for one in answers]
    assert decode(codes[1]).answers[1] == CodedAnswer(3, 5, 1)
    other = encode(Code(run_of(recording.key), 1, (CodedAnswer(1, 1),)))
    page = person(lesson)
    page.locator("#class .of-class summary").click()
    page.locator("#class .codes-in").fill("\n".join([*codes, damaged(codes[0]), other]))
    expect(page.locator("#class .codes-read")).to_have_text("3 codes count. 2 codes don’t count:")
    wrong = page.locator("#class .codes-wrong li")
    expect(wrong.nth(0)).to_contain_text("is damaged")
    expect(wrong.nth(1)).to_contain_text("is of another lesson")

    page.get_by_role("button", name="stop 4", exact=True).click()
    expect(page.locator("#question legend")).to_have_text("Which pair is merged next?")
    expect(page.locator("#question .vote")).to_have_count(0)
    page.get_by_role("button", name="The class’s 3 first answers").click()
    assert histogram(page) == ["1: 1 sure", "0", "0", "0", "0", "2: 1 sure, 1 not sure"]
    expect(page.locator("#question .sum")).to_have_text("3 answers, 2 sure.")
    page.locator("#question input").nth(5).check()
    page.locator("#question .submit").click()
    expect(page.locator("#question .vote-right")).to_have_count(1)
    expect(page.locator("#question .sum")).to_have_text(
        "Right: 2 of 3; of those who were sure, 1 of 2."
    )
    page.get_by_role("button", name="stop 3", exact=True).click()  # a number: right or not
    page.keyboard.press("a")
    rows = page.locator("#question .voted")
    expect(rows).to_have_text(["right at the first try", "not right at the first try"])
    right = [code for code in codes if decode(code).answers[0].choice == 0]
    assert histogram(page) == [str(len(right)), str(3 - len(right))]


def answered_there(page: Page, number: str, pair: int, sure: str) -> str:
    """A student answers at the stops 3 and 4 of the lesson in the app: the code."""
    page.get_by_role("textbox", name="Your number").fill(number)
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator("#class .my-count")).to_have_text("1 answer")
    page.get_by_role("button", name=re.compile("^Stop 4:")).click()
    expect(page.locator("legend")).to_have_text("Which pair is merged next?")
    page.get_by_role("button", name=sure, exact=True).click()
    page.locator(".question input").nth(pair).check()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator("#class .my-count")).to_have_text("2 answers")
    return page.locator("#class .my-code").inner_text()


def test_a_class_answers_a_lesson_in_the_app_and_in_its_file(
    laptop, serve, browser, person, lesson
):
    address = f"{serve('app.py')}/lessons?lesson=bpe-by-hand&stop=3"
    codes = [answered(person(lesson), "7", 5, "not sure")]
    student = browser.new_context().new_page()
    student.goto(address)
    codes.append(answered_there(student, "20", 0, "sure"))
    assert decode(codes[1]).run == decode(codes[0]).run
    assert decode(codes[1]).answers[1] == CodedAnswer(3, 0, 2)
    student.locator(".question input").nth(5).check()  # a second try changes nothing
    student.get_by_role("button", name="Answer again").click()
    expect(student.get_by_role("button", name="Go on →")).to_be_visible()
    assert student.locator("#class .my-code").inner_text() == codes[1]
    student.get_by_role("button", name=re.compile("^Stop 11:")).click()
    student.get_by_role("button", name="Finish").click()
    expect(student.get_by_role("heading", name="The end of the lesson")).to_be_visible()
    expect(student.locator("#class .my-code")).to_have_text(codes[1])
    student.context.close()

    page = laptop
    page.goto(f"{address.partition('&')[0]}&stop=1")
    page.locator("#class .of-class summary").click()
    page.locator("#class .codes-in").fill("\n".join([*codes, "X" * 12 + "1"]))
    expect(page.locator("#class .codes-read")).to_have_text("2 codes count. 1 code doesn’t count:")
    page.get_by_role("button", name="stop 4", exact=True).click()
    expect(page.locator("legend")).to_have_text("Which pair is merged next?")
    expect(page.locator(".class-answers .vote")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("2 first answers"))).to_be_visible()
    page.keyboard.press("a")
    assert histogram(page) == ["1: 1 sure", "0", "0", "0", "0", "1: 1 not sure"]
    expect(page.locator(".class-answers .vote-right")).to_have_count(0)
    page.locator(".question input").nth(5).check()
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator(".class-answers .vote-right")).to_have_count(1)
    expect(page.locator(".class-answers .sum")).to_have_text(
        "Right: 1 of 2; of those who were sure, 0 of 1."
    )


def test_axe_finds_nothing_serious(browser, file, recording):
    context = browser.new_context(offline=True, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    page.goto(file)
    handed_in(page, (1, 2))
    code = page.locator(".my-code").inner_text()
    paste(page, f"{code}\n{damaged(code)}")
    page.get_by_role("button", name="step 1", exact=True).click()
    page.keyboard.press("a")
    histogram(page)
    assert serious_dark_and_light(page) == []
    context.close()


# ---- QR codes ----

NO_READER = "delete window.BarcodeDetector"
READER = """
  window.BarcodeDetector = class {
    detect = async () => (window.seen ?? []).map((rawValue) => ({ rawValue }));
  };
  const getUserMedia = async () => {
    if (window.refuses) throw new DOMException("", window.refuses);
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 9, 9);
    window.stream = canvas.captureStream(10);
    return window.stream;
  };
  Object.defineProperty(navigator, "mediaDevices", { value: { getUserMedia } });
"""


def with_script(browser, script: str, address: str) -> Page:
    page = browser.new_context(offline=True).new_page()
    page.add_init_script(script)
    page.goto(address)
    expect(page.locator(".player")).to_have_attribute("data-step", re.compile(r"\d"))
    page.get_by_text("Answers of a class").click()
    return page


def test_without_a_reader_of_qr_codes_there_is_no_camera(browser, file):
    page = with_script(browser, NO_READER, file)
    expect(page.locator(".codes-in")).to_be_visible()
    expect(page.get_by_role("button", name="Scan QR codes")).to_have_count(0)
    page.context.close()


def test_codes_are_scanned_in_addition_to_pasted_ones_and_a_camera_that_does_not_open_is_reported(
    browser, file, recording
):
    codes = [
        of_student(recording, 1, CodedAnswer(1, 0, 2)),
        of_student(recording, 2, CodedAnswer(1, 1, 0), CodedAnswer(2, 0, 1)),
    ]
    page = with_script(browser, READER, file)
    page.locator(".codes-in").fill(codes[0])
    page.get_by_role("button", name="Scan QR codes with the camera").click()
    expect(page.locator(".scan-view")).to_be_visible()
    page.evaluate("window.seen = ['https://example.org/']")
    expect(page.locator(".scanned")).to_have_text("That QR code holds no code of a class.")
    page.evaluate("codes => window.seen = codes", codes)
    expect(page.locator(".scanned")).to_have_text("2 codes scanned.")
    expect(page.locator(".codes-read")).to_have_text("2 codes count.")
    assert page.locator(".codes-in").input_value().splitlines() == codes
    page.get_by_role("button", name="Stop scanning").click()
    expect(page.locator(".scan-view")).to_be_hidden()
    until(page, "window.stream.getTracks().every(({ readyState }) => readyState === 'ended')")

    refusals = {
        "NotAllowedError": "The camera may not be used here.",
        "NotFoundError": "No camera",
    }
    for error, text in refusals.items():
        page.evaluate("(error) => (window.refuses = error)", error)
        page.get_by_role("button", name="Scan QR codes with the camera").click()
        expect(page.locator(".scanned")).to_contain_text(text)
        expect(page.locator(".scan-view")).to_be_hidden()
    page.context.close()
