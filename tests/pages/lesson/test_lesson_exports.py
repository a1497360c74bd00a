"""Every lesson as one file: what it says, shows and answers is what the app says and shows."""

import json
import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest

from lessons import LESSONS, lesson
from lessons.questions.grading import Given, Question
from pages.lesson.browser.question_json import question_json
from pages.lesson.export.lesson_html import SiteContext, build_lesson_html, lesson_html
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.lesson.text import PROSE_LABEL
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from tests.judge import call, grade
from tests.lessons.test_lessons import made, resolved_stops_of
from tests.lessons.test_lessons_reading import FRONT, GOOD
from tests.lessons.transcript import plain_prose, tried
from tokenizers.errors import UserError

ROOT = Path(__file__).parents[3]
VOID = {"meta", "input", "br", "path", "link", "hr"}
LARGEST = 1_000_000


@cache
def opened(slug: str) -> PreparedLesson:
    one = lesson(slug)
    shown = {name: made(picture) for name, picture in one.pictures.items()}
    return PreparedLesson(one, shown, resolved_stops_of(slug))


@cache
def file_of(slug: str) -> str:
    return lesson_html(opened(slug))


class Page(HTMLParser):
    """The elements of a file, each with its attributes and all text in it."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.open: list[dict] = []
        self.all: list[dict] = []
        self.feed(file)

    def handle_starttag(self, tag, attrs):
        one = {"tag": tag, "text": "", **dict(attrs)}
        self.all.append(one)
        if tag not in VOID:
            self.open.append(one)

    def handle_endtag(self, tag):
        while self.open and self.open.pop()["tag"] != tag:
            pass

    def handle_data(self, data):
        if any(one.get("class") == "pp-definition" or one["tag"] == "math" for one in self.open):
            return
        for one in self.open:
            one["text"] += data

    def some(self, **wanted) -> list[dict]:
        return [one for one in self.all if all(one.get(key) == wanted[key] for key in wanted)]


@cache
def page_of(slug: str) -> Page:
    return Page(file_of(slug))


def data_of(slug: str) -> dict:
    return json.loads(page_of(slug).some(id="lesson")[0]["text"])


def letters(text: str) -> str:
    """The letters and digits of a text, without what marks tokens and spaces."""
    shown = "".join(map(escape_invisible, text.split("\n")))
    return "".join(re.findall(r"[^\W_]", shown))


# ---- all lessons ----


@pytest.mark.parametrize("slug", LESSONS)
def test_a_lesson_is_a_small_file_that_fetches_nothing(slug: str):
    file = file_of(slug)
    assert len(file.encode()) <= LARGEST
    assert "{{" not in file.split("<script", 1)[0]
    for one in page_of(slug).all:
        assert "src" not in one
        assert one["tag"] not in ("link", "iframe", "img", "base", "object")
        assert not one.get("href") or one["href"].startswith(("https://", "http://"))


@pytest.mark.parametrize("slug", LESSONS)
def test_each_stop_says_what_the_app_says(slug: str):
    sections = page_of(slug).some(**{"class": "stop"})
    resolved_stops, data = resolved_stops_of(slug), data_of(slug)
    assert len(sections) == len(resolved_stops) == len(data["stops"])
    for resolved, section, result in zip(resolved_stops, sections, data["stops"], strict=True):
        blocks = [block for block in resolved.prose if block.kind != "formula"]
        numbers = re.compile(r"^\d+\. ", re.MULTILINE)
        heading = resolved.stop.heading
        expected = f"{heading}{PROSE_LABEL}{heading}" + numbers.sub("", plain_prose(blocks))
        assert letters(numbers.sub("", section["text"])) == letters(expected)
        assert result["heading"] == resolved.stop.heading
        assert (result["at"], result["rule"]) == (resolved.at, resolved.stop.rule)
        assert result["highlights"] == list(map(show_spaces, resolved.stop.mark))
        assert not any(variant["highlights"] for variant in result["variants"])
        assert (result["question"] is None) == (resolved.question is None)


@pytest.mark.parametrize("slug", LESSONS)
def test_each_stop_shows_what_the_app_shows(slug: str):
    one, page, data = opened(slug), page_of(slug), data_of(slug)
    recordings = page.some(tag="script", type="text/plain")
    assert len({recording["id"] for recording in recordings}) == len(recordings)
    for resolved, result in zip(one.resolved_stops, data["stops"], strict=True):
        shown = one.pictures[resolved.stop.picture]
        if shown.recording:
            (recording,) = page.some(id=f"recording-{shown.recording.key}")
            blobs = b"".join((shown.recording.head, *shown.recording.windows))
            assert b64decode(recording["text"]).endswith(blobs)
        elif shown.stages:
            rail = data["stageTables"][result["stageTable"]]
            assert [tile[0] for tile in rail["tiles"]] == [t.text for t in shown.stages.table.tiles]
        else:
            (after,) = page.some(**{"class": "after", "data-picture": resolved.stop.picture})
            for caption, _ in shown.rows:
                assert letters(caption) in letters(after["text"])


def test_every_formula_is_drawn():
    formulas = sum(
        block.kind == "formula"
        for slug in LESSONS
        for resolved in resolved_stops_of(slug)
        for block in resolved.prose
    )
    drawn = sum(len(page_of(slug).some(tag="math")) for slug in LESSONS)
    assert drawn == formulas > 5


# ---- judged in the browser ----


def answers(question: Question, rng: Random) -> Sequence[Given]:
    """Answers to try: all choices; of the rest those of the transcripts, and damaged ones."""
    size = len(question.options)
    match question.form:
        case "choice":
            return list(range(size))
        case "several":
            every = product((False, True), repeat=min(size, 6))
            return [[n for n, is_on in enumerate(one) if is_on] for one in every]
        case "order":
            return [list(one) for one in permutations(range(size))][:120]
        case "number":
            value, off = question.value, question.tolerance
            written = [f"{value + part * off:.9g}" for part in (-1.1, -0.9, 0.9, 1.1)]
            written += [
                f"{-value:.9g}",
                f"{value:,.4f}",
                f"{value:.2f}%",
                f"{100 * value:.9g} %",
                f"{value:.9g}/1",
                "",
                "1/0",
            ]
            return [
                *tried(question),
                *written,
                "a",
                "1e3",
                ".5",
                "3,5",
                "1,200",
                " − 7 ",
                "1//2",
            ]
    right = question.splits[0]
    pieces = sorted(question.pieces) or ["a", "xy"]
    damaged = [" ".join(rng.choices([*right, *pieces], k=rng.randint(1, 5))) for _ in range(12)]
    damaged += [" ".join(right[:n]) for n in range(len(right))]
    damaged += [" ".join(token.lstrip("#▁Ġ") for token in right), " ".join(right).replace("▁", "_")]
    damaged += ["|".join(right), " ".join(f"##{token}" for token in right), "é 日本 </script>"]
    damaged += [" ".join([*right[:-1], *right[-1]])]
    return [*tried(question), *damaged]


def test_every_answer_gets_the_state_and_the_reply_of_its_try():
    """Right, still open with a hint, or shown with the answer: by what is graded of the answer."""
    rng = Random(18)
    forms, count = set(), 0
    for slug in LESSONS:
        for question in (one.question for one in resolved_stops_of(slug) if one.question):
            data = json.loads(json.dumps(question_json(question)))
            for given in answers(question, rng):
                for tries in range(question.tries):
                    count += 1
                    after = call("attemptAfter", data, {"tries": tries, "state": "open"}, given)
                    assert after["given"] == given
                    try:
                        is_right = grade(question, given).is_right
                    except UserError:
                        assert (after["tries"], after["state"]) == (tries, "open")
                        continue
                    is_last = tries + 1 == question.tries
                    state = "right" if is_right else "shown" if is_last else "open"
                    assert (after["tries"], after["state"]) == (tries + 1, state)
                    end = {"right": [], "open": data["again"], "shown": data["answer"]}[state]
                    assert after["reply"][len(after["reply"]) - len(end) :] == end
            forms.add(question.form)
    assert forms == {"choice", "several", "order", "number", "text"}
    assert count > 2_000


# ---- texts of strangers, links ----

NASTY = "</script><script>window.ran=1</script>"


def own(title: str, more: str = "") -> str:
    text = GOOD.replace("## ", f"## {title} ", 1)
    return f"{text}\n{more}\n"


def test_a_text_is_shown_as_text_whatever_it_holds():
    more = f"{NASTY} <img src=x onerror=y> {{{{stops}}}} a\u202eb"
    written = own(NASTY, more.replace("{", r"\{").replace("}", r"\}"))
    page = Page(build_lesson_html(lambda done, total: False, written, "own"))
    assert len(page.some(tag="script", type="module")) == 1
    assert page.some(tag="img") == []
    assert {one.get("type") for one in page.some(tag="script")} <= {
        "module", "text/plain", "application/json",
    }  # fmt: skip
    assert any(NASTY in one["text"] for one in page.some(tag="h2"))
    assert any("a⟨U+202E⟩b" in one["text"] for one in page.some(tag="section"))


def test_a_lesson_with_a_mistake_is_refused():
    with pytest.raises(UserError, match="Line 16"):
        build_lesson_html(lambda done, total: False, f"{FRONT}\n## A stop\n", "own")


def test_links_lead_to_the_app_where_there_is_one():
    one = opened("bpe-by-hand")
    alone, there = file_of("bpe-by-hand"), lesson_html(one, SiteContext("http://x.test/y"))
    links = [a["href"] for a in Page(there).some(tag="a")]
    assert "http://x.test/y/lessons?lesson=bpe-by-hand" in links
    assert any(link.startswith("http://x.test/y/bpe_train?") for link in links)
    assert all(link.startswith("http") for link in links)
    assert "x.test" not in alone
    assert "pages are left out, because" in alone
    assert "pages are left out, because" not in there


def test_a_picture_that_no_stop_shows_is_left_out():
    one = opened("bpe-by-hand")
    first = one.resolved_stops[:1]
    assert len(lesson_html(replace(one, resolved_stops=first))) < len(file_of("bpe-by-hand"))
