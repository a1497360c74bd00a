"""The page of lessons: every stop of every lesson opens, answers are judged, progress is kept.

The pages run in Streamlit's AppTest, as in test_pages.py; what the browser does is in
tests/browser/test_lessons_app.py.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from markupsafe import escape

from lessons import LESSONS, TEMPLATE, lesson
from lessons.facts.texts import PipelineFacts
from lessons.paths import IN_ORDER, PATHS, WITHOUT_PATH, minutes
from lessons.pictures.planning import KEYS, plan
from lessons.variants import variants
from pages.lesson import picture as course_picture
from pages.lesson import state
from pages.lesson.browser import progress_store
from pages.lesson.classroom.key import class_key
from pages.lesson.pictures.build_pictures import prepare_lesson
from pages.lesson.pictures.links import link_to
from pages.lesson.text import segments
from pages.shared.routes import CONTINUE, page_file
from tests.lessons.test_lessons import FORMAT, TEXT, facts_of, made, resolved_stops_of
from tests.lessons.test_lessons_reading import FRONT, GOOD
from tests.lessons.transcript import plain_prose
from tests.pages.lesson.lesson_browser import (
    answered,
    at,
    attempt,
    first_answers,
    is_first,
    navigate,
    opened_lesson,
    press,
    report,
    score,
    sent,
    settled,
)
from tests.pages.opening import HOSTILE, POOL, checked, html_of, opened, unpacked
from tests.pages.opening import texts_of as said_in

PAGE = "lessons"
HAND = "bpe-by-hand"
STOPS = [
    (slug, number)
    for slug in LESSONS
    for number in sorted({1, len(lesson(slug).stops) // 2, len(lesson(slug).stops)})
]


def with_stored_progress(app, **result):
    app.session_state[progress_store.KEY] = {"stored": result}
    return settled(app.run())


def plain(segments) -> str:
    return "".join(part[1] for part in segments)


def option(app, expected: str) -> int:
    """The index of the option that says this."""
    return [plain(one) for one in sent(app)["question"]["question"]["options"]].index(expected)


def veiled(app) -> list[str]:
    """What is hidden in the player."""
    for part in app.get("bidi_component"):
        if data := part.proto.bytes:
            return unpacked(data)[0]["masked"]
    raise AssertionError("there is no player")


@contextmanager
def late_server(app) -> Iterator[None]:
    """What the browser reports meanwhile is heard in the next run only, and all at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(app), "run", lambda app: app)
        patch.setattr("tests.pages.lesson.lesson_browser.settled", lambda app: app)
        yield


def marks(app) -> str:
    return app.query_params["marks"]


def player_at(app) -> int:
    return app.session_state["lesson.player.free.step"].current


# ---- the list, and every stop ----


def test_the_list_names_every_lesson():
    app = opened(PAGE)
    assert dict(app.query_params) == {}
    assert not app.error
    expected = html_of(app)
    for slug in LESSONS:
        apart = [one for one in LESSONS if one in WITHOUT_PATH]
        path = next((path.slugs for path in PATHS.values() if slug in path.slugs), apart)
        number = path.index(slug) + 1
        label = app.button(key=f"open {slug}").label.replace("\\", "")
        assert label == f"{number}. {lesson(slug).title}"
        assert escape(lesson(slug).purpose) in expected


def test_a_lesson_is_opened_from_the_list():
    app = opened(PAGE)
    app.button(key=f"open {HAND}").click().run()
    assert checked(app).query_params["lesson"] == HAND
    assert "Words come apart" in html_of(app)


@pytest.mark.parametrize(("slug", "number"), STOPS)
def test_a_stop_opens_from_a_cold_link(slug, number):
    app = opened_lesson(PAGE, lesson=slug, stop=str(number))
    assert not app.error
    assert not app.toast
    stop = lesson(slug).stops[number - 1]
    assert at(app) == number - 1
    assert ("question" in sent(app)) == (stop.ask is not None)
    assert "pp-lesson" in html_of(app)


@pytest.mark.parametrize(
    ("name", "value"),
    [("stop", "0"), ("stop", "-1"), ("stop", "x"), ("stop", ""), ("stop", "٣"), ("marks", "???"),
     ("marks", "x" * 999), ("presenter", "maybe"), ("step", "99")],
)  # fmt: skip
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened_lesson(PAGE, lesson=HAND, **{name: value})
    assert at(app) == 0
    assert not app.error


def test_a_lesson_that_does_not_exist():
    app = opened_lesson(PAGE, lesson="<b>nonsense")
    assert "There is no lesson of that name." in said_in(app.info)[0]
    assert "<b>" not in html_of(app)


# ---- a question ----


def test_two_tries_then_the_answer_with_its_reason():
    app = opened_lesson(PAGE, lesson=HAND, stop="3")
    assert plain(sent(app)["question"]["question"]["prompt"]) == "How often does c at occur now?"
    app = answered(app, "2")
    assert attempt(app)["state"] == "open"
    reply = plain(attempt(app)["reply"])
    assert "as often as it occurs. It is in cat and cats. One more try." in reply
    app = answered(app, "16")
    result = attempt(app)
    assert result["state"] == "shown"
    assert "15. c at occurs 15 times: 10 in cat and 5 in cats." in plain(result["reply"])
    assert marks(app) == "--x--------"


def test_a_right_answer_moves_the_picture_on():
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    assert player_at(app) == 1
    app = answered(app, option(app, "a g"))
    assert attempt(app)["state"] == "right"
    assert player_at(app) == 2
    assert marks(app)[3] == "1"
    assert [button.key for button in app.button if button.key == "back_to_stop"]
    app.button(key="back_to_stop").click().run()
    assert player_at(checked(app)) == 1
    assert player_at(checked(app.run())) == 1


def test_every_tied_answer_is_right():
    for choice in ("b at", "cat s"):
        app = opened_lesson(PAGE, lesson=HAND, stop="9")
        app = answered(app, option(app, choice))
        assert attempt(app)["state"] == "right"
    app = opened_lesson(PAGE, lesson=HAND, stop="9")
    app = answered(app, option(app, "t ag"))
    assert "its count is 4; the highest is 5" in plain(attempt(app)["reply"])


@pytest.mark.parametrize("value", ["", "many", "1e999", "<img src=x>"])
def test_what_is_no_answer_costs_no_try(value):
    app = answered(opened_lesson(PAGE, lesson=HAND, stop="3"), value)
    assert attempt(app)["tries"] == 0
    assert "That is not a number" in plain(attempt(app)["reply"])
    assert marks(app) == "--o--------"


GOOD_REPORT = [3, "o-1o-------", 0, [0] * 11, [2], [[2, 0, 1, True]]]


@pytest.mark.parametrize(
    "changes",
    [{0: -1}, {0: 99}, {0: "x"}, {1: "o1"}, {1: 3}, {2: -1}, {2: 1e9}, {3: [0]}, {3: [-1] * 11},
     {3: ["x"] * 11}, {3: [10**9] * 11}, {4: [99]}, {4: ["<b>"]}, {4: 2}, {5: 3}, {5: {}}],
)  # fmt: skip
def test_a_report_that_no_browser_makes_changes_nothing(changes):
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    report(app, [changes.get(n, part) for n, part in enumerate(GOOD_REPORT)])
    assert (at(checked(app)), marks(app)) == (3, "---o-------")


@pytest.mark.parametrize(
    "first", [[99, 0, 0, True], [2, -1, 0, True], [2, 0, 3, True], [2, 0, 0, 1], 3]
)
def test_a_first_answer_that_no_browser_reports_is_left_out(first):
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    report(app, [*GOOD_REPORT[:5], [[3, 2, 1, False], first]])
    assert first_answers(checked(app)) == [[3, 2, 1, False]]
    assert marks(app) == GOOD_REPORT[1]


def test_a_report_from_before_a_link_is_stale():
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    report(app, GOOD_REPORT)
    stale = app.session_state[state.BAR_KEY]
    app.query_params["stop"] = "6"
    app = settled(app.run())
    assert at(app) == 5
    app.session_state[state.BAR_KEY] = stale
    assert at(checked(app.run())) == 5


def test_what_the_sources_say_is_shown_when_it_gives_nothing_away():
    app = opened_lesson(PAGE, lesson=HAND, stop="7")
    assert "Check the source" not in html_of(app)
    assert "Check the source: B1e-1" in html_of(answered(app, "b ag s"))
    assert "Check the source: B1-1" in html_of(opened_lesson(PAGE, lesson=HAND))


def test_true_or_false_has_one_try():
    app = answered(opened_lesson(PAGE, lesson="unigram-sampling", stop="11"), 0)
    result = attempt(app)
    assert result["state"] == "shown"
    assert "One more try" not in plain(result["reply"])
    assert marks(app)[10] == "x"


def test_what_tells_the_answer_is_hidden_until_then():
    app = opened_lesson(PAGE, lesson="bpe-ends-of-words", stop="2")
    assert veiled(app) == ["tables"]
    assert veiled(answered(app, "9")) == []


def test_a_refuted_belief_offers_its_smallest_counterexample():
    app = opened_lesson(PAGE, lesson="bpe-order-and-ties", stop="11")
    assert "bpe_encode?" not in html_of(app)
    app = answered(app, option(app, "No: the merge with the lower rank comes first here."))
    assert "The smallest case in which it fails" in " ".join(said_in(app.markdown))
    assert "bpe_encode?" in html_of(app)


@pytest.mark.parametrize(
    ("slug", "after"),
    [
        (HAND, "bpe-bytes"),
        ("what-a-prompt-costs", "why-not-characters"),
        ("who-chooses-the-pair", None),
        (FORMAT, None),
    ],
)
def test_the_end_leads_on_along_the_path_and_then_to_the_next_path(slug, after):
    app = opened_lesson(PAGE, lesson=slug, stop=str(len(lesson(slug).stops) + 1))
    next_links = [one for one in app.button if one.key == "next_lesson"]
    assert [one.label.replace("\\", "") for one in next_links] == (
        [f"Next lesson: {lesson(after).title}"] if after else []
    )
    if after:
        assert checked(next_links[0].click().run()).query_params["lesson"] == after


# ---- what goes wrong ----


def broken(monkeypatch, tmp_path, slug: str) -> None:
    path = tmp_path / "01-broken.md"
    path.write_text("# <b>no front matter</b>", encoding="utf-8")
    monkeypatch.setitem(LESSONS, slug, path)
    lesson.cache_clear()


def test_a_wrong_file_is_named_and_the_others_are_shown(monkeypatch, tmp_path):
    broken(monkeypatch, tmp_path, HAND)
    app = opened(PAGE)
    assert "01-broken.md: Line 1: A lesson begins with" in said_in(app.error)[0].replace("\\", "")
    assert len([one for one in app.button if str(one.key).startswith("open ")]) == len(LESSONS) - 1
    app = opened_lesson(PAGE, lesson=HAND)
    assert "01-broken.md: Line 1" in said_in(app.error)[0].replace("\\", "")
    assert app.button(key="all_lessons")


def test_lessons_are_numbered_within_their_path():
    app = opened(PAGE)
    for path in PATHS.values():
        labels = [app.button(key=f"open {slug}").label for slug in path.slugs]
        numbers = [label.partition(".")[0] for label in labels]
        assert numbers == [str(n) for n in range(1, len(labels) + 1)]


# ---- from stop to stop ----


def test_on_and_back_and_to_a_stop():
    app = navigate(opened_lesson(PAGE, lesson=HAND), "on")
    assert app.query_params["stop"] == "2"
    assert player_at(app) == 1
    app = navigate(navigate(app, "on"), 6)
    assert at(app) == 6
    app = navigate(app, "back")
    assert at(app) == 5
    assert player_at(app) == 3


def test_a_wish_is_heard_once():
    app = navigate(opened_lesson(PAGE, lesson=HAND), "on")
    assert at(settled(app.run())) == 1


def html_texts(app) -> tuple[str, str]:
    """The text of a page's HTML: what is on the page, and what is folded away in expanders."""
    folded = [part for one in app.expander for part in one.get("html")]
    hidden = set(map(id, folded))
    seen = [part for part in app.get("html") if id(part) not in hidden]
    bodies = (" ".join(part.proto.body for part in parts) for parts in (seen, folded))
    on_page, inside = (re.sub("<[^>]+>", "", body) for body in bodies)
    return on_page, inside


def first_words(resolved) -> str:
    """How the text of a stop begins, as it is shown."""
    return str(escape(re.split("[`“{*]", plain_prose(resolved.prose))[0][:30]))


def test_missed_questions_come_back_at_the_end(monkeypatch):
    searched: list[int] = []
    monkeypatch.setattr(
        "lessons.variants.variants", lambda *args: searched.append(1) or variants(*args)
    )
    app = opened_lesson(PAGE, lesson=HAND, stop="12", marks="o11xx111x1o")
    assert "The end of the lesson" in html_of(app)
    assert score(app) == {"right": "6 of 9 questions", "more": ""}
    app = press(app, "review")
    assert at(app) == 3
    resolved = resolved_stops_of(HAND)[3]
    again = variants(lesson(HAND), resolved, facts_of(lesson(HAND)))[0].question
    assert again
    assert sent(app)["question"]["question"]["options"] == [
        segments(one.text) for one in again.options
    ]
    on_page, folded_away = html_texts(app)
    assert "Asked again, about another case" in on_page
    assert first_words(resolved) not in on_page
    assert first_words(resolved) in folded_away
    (folded,) = [one for one in app.expander if "about the first case" in one.label]
    assert not folded.proto.expanded
    app = navigate(app, 3)  # where it is already: the review goes on
    app = answered(app, [one.is_right for one in again.options].index(True))
    assert marks(app) == "o11yx111x1o"
    assert searched == [1]  # at the first of several runs
    app = navigate(app, "on")
    assert at(app) == 4
    app = navigate(app, "on")
    assert at(app) == 8
    assert "The end of the lesson" in html_of(navigate(app, "on"))


def test_a_lesson_can_be_begun_again():
    app = opened_lesson(PAGE, lesson=HAND, stop="12", marks="o1111y1111o")
    assert score(app)["right"] == "8 of 9 questions"
    assert score(app)["more"].startswith("You got 1 more right when it was asked again")
    app = press(app, "restart")
    assert at(app) == 0
    assert marks(app) == "o----x-----"
    app = navigate(app, 5)
    assert sent(app)["question"]["question"]["form"] != "order"  # the order was shown


LINKED = {
    "bpe_train": "train",
    "bpe_encode": "encode",
    "wordpiece_train": "train_wordpiece",
    "wordpiece_encode": "match",
    "unigram_train": "train_unigram",
    "unigram_lattice": "lattice",
    "real": "real",
}
"""The keys of the players on the pages that a picture links to."""


@pytest.mark.parametrize("slug", [HAND, FORMAT])
def test_a_picture_is_the_same_on_its_own_page(slug):
    linked = set()
    for picture in lesson(slug).pictures.values():
        link = link_to(plan(picture), 1)
        if link:
            name = next(page for page in (*LINKED, "pipeline") if page_file(page) == link[0])
            app = opened(name, **link[1])
            assert not app.toast
            linked.add(picture.shows)
            if picture.shows == "pipeline":
                shown = [tile[0] for tile in sent(app)["rail"]["tiles"]]
                facts = made(picture).facts
                assert isinstance(facts, PipelineFacts)
                assert shown == list(facts.unit_tokens)
                continue
            state = app.session_state[f"{LINKED[name]}.step"]
            recording = made(picture).recording
            assert recording
            assert app.session_state[f"{LINKED[name]}.rule"].content == recording.key
            assert state.current == 1
    assert linked >= ({"bpe_train", "bpe_encode"} if slug == HAND else set(KEYS) - UNLINKED)


UNLINKED = {
    "wordpiece_encode",
    "segmentations",
    "published",
    "vocabularies",
    "best_merges",
    "efficiency",
    "patches",
    "not_text",
    "morphemes",
    "parity",
    "superwords",
    "compression",
    "units",
    "chunks",
    "signals",
    "surgery",
}


# ---- what the browser keeps ----


def test_the_browser_is_asked_before_it_is_told():
    app = opened_lesson(PAGE, lesson=HAND)
    assert sent(app)["memory"]["progress"] is None
    app = with_stored_progress(app, marks={HAND: "o12--------", "gone": "oo"}, own="")
    kept = sent(app)["memory"]["progress"]["marks"]
    assert kept == {HAND: "o12--------", "gone": "oo"}


@pytest.mark.parametrize(
    "result", [{}, {"marks": 3}, {"marks": {HAND: 3}}, {"marks": {HAND: "?"}}, {"own": 3}]
)
def test_what_the_browser_tells_may_be_anything(result):
    app = with_stored_progress(opened_lesson(PAGE, lesson=HAND), **result)
    assert not app.error


def test_the_list_says_how_far_one_has_come():
    app = with_stored_progress(opened(PAGE), marks={HAND: "oo1x-------"})
    expected = f"{minutes(lesson(HAND))} minutes · 4 of 11 stops, 1 of 9 questions right"
    assert expected in html_of(app)
    essentials, *others = app.expander
    assert "\u2003○◐○○○○○○○\u2003" in essentials.label
    assert essentials.proto.expanded
    assert not any(one.proto.expanded for one in others)


def done(slug: str) -> str:
    return "".join("1" if stop.ask else "o" for stop in lesson(slug).stops)


FIRST, SECOND, THIRD = IN_ORDER[:3]


@pytest.mark.parametrize(
    ("marks", "slug", "stop"),
    [
        ({}, FIRST, "1"),  # nothing yet: the first
        ({FIRST: "oo--------"}, FIRST, "1"),  # whose question is open
        ({FIRST: "12x-------"}, FIRST, "4"),
        ({FIRST: done(FIRST)[:3] + "x" + done(FIRST)[4:]}, FIRST, "4"),
        ({FIRST: done(FIRST)}, SECOND, "1"),
        ({THIRD: "o---------", FIRST: "1---------"}, FIRST, "2"),  # the one begun last
        ({SECOND: done(SECOND)}, THIRD, "1"),  # not back to one that was passed over
        ({IN_ORDER[-1]: done(IN_ORDER[-1])}, FIRST, "1"),
        ({one: done(one) for one in IN_ORDER}, FIRST, "1"),
        ({"gone": "oo", SECOND: "-----------"}, FIRST, "1"),
    ],
)
def test_one_goes_on_where_one_left_off(marks, slug, stop):
    app = with_stored_progress(opened_lesson(PAGE, lesson=CONTINUE), marks=marks)
    assert (app.query_params["lesson"], app.query_params["stop"]) == (slug, stop)
    assert not app.toast
    app = with_stored_progress(opened(PAGE), marks=marks)
    app = checked(app.button(key="continue").click().run())
    assert (app.query_params["lesson"], app.query_params["stop"]) == (slug, stop)


@pytest.mark.parametrize("path", [*PATHS, "nonsense"])
def test_a_link_unfolds_a_path(path):
    unfolded = [one.label for one in opened(PAGE, path=path).expander if one.proto.expanded]
    (label,) = unfolded
    assert PATHS.get(path, PATHS["essentials"]).title in label


# ---- a lesson of one's own ----


def brought(text: str):
    app = opened(PAGE)
    app.text_area(key="lesson_text").set_value(text).run()
    app.button(key="run_lesson").click().run()
    return settled(app)


def test_a_pasted_lesson_runs_like_the_others():
    app = brought(GOOD)
    assert app.query_params["lesson"] == "own"
    assert "The third ending" in html_of(app)
    assert sent(app)["question"]["question"]["form"] == "choice"
    app = with_stored_progress(app)
    assert sent(app)["memory"]["progress"]["own"] == GOOD


def test_a_dropped_lesson_runs_too():
    app = opened(PAGE)
    app.file_uploader(key="lesson_file").upload("mine.md", TEXT.encode()).run()
    assert at(settled(app)) == 0
    assert "One file" in html_of(app)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "There is nothing yet."),
        ("hello", "Line 1: A lesson begins with a line of +++"),
        (GOOD.replace("{pair}", "{par}"), "Line 24: There is no field called “par”."),
        (GOOD.replace('"est" }', '"xyz" }'), "Line 19: No step of this run makes “xyz”."),
        (GOOD.replace("b2", "b99"), "Line 6: There is no corpus “b99”."),
    ],
)
def test_a_mistake_is_refused_with_its_line(text, expected):
    app = brought(text)
    assert expected in " ".join(said_in(app.error))
    assert "nav" not in sent(app)
    if text:
        assert app.text_area(key="lesson_text").value == text  # nothing typed is lost


def test_a_wrong_lesson_that_was_dropped_can_be_mended_kept_and_left():
    text = GOOD.replace("{pair}", "{par}")
    app = opened(PAGE)
    app.file_uploader(key="lesson_file").upload("mine.md", text.encode()).run()
    assert "There is no field called “par”." in " ".join(said_in(app.error))
    assert app.text_area(key="lesson_text").value == text
    assert sent(with_stored_progress(app))["memory"]["progress"]["own"] == text
    app.button(key="all_lessons").click().run()
    assert checked(app).button(key=f"open {HAND}")


def test_another_lesson_of_ones_own_asks_anew():
    options = range(len(sent(brought(GOOD))["question"]["question"]["options"]))
    tried = [answered(brought(GOOD), choice) for choice in options]
    app = next(one for one in tried if attempt(one)["state"] == "open")  # it was wrong
    assert attempt(app)["tries"] == 1
    app.session_state["lesson.open"] = ""
    app.run().text_area(key="lesson_text").set_value(GOOD.replace("third", "last")).run()
    app.button(key="run_lesson").click().run()
    app = settled(app)
    assert (attempt(app)["tries"], attempt(app)["reply"], marks(app)) == (0, [], "o")


def test_a_lesson_is_read_once_for_each_text_and_by_a_worker(monkeypatch):
    requests = []
    run = POOL.run

    def noted(key, function, *args, **more):
        requests.append(key)
        made = key not in POOL.known
        job = run(key, function, *args, **more)
        assert not made or function is prepare_lesson  # nothing else is made for it
        return job

    monkeypatch.setattr(POOL, "run", noted)
    monkeypatch.setattr(course_picture, "plan_for", lambda *picture: pytest.fail("in the page"))
    app = brought(GOOD.replace("Endings", "Endings, read once"))
    navigate(app, "on")
    assert len(set(requests)) == 1


def test_many_stacked_marks_are_refused_where_their_number_matters():
    text = "a" + "\u0301" * 25_000
    lines = "\\\n".join(text[n : n + 1_200] for n in range(0, len(text), 1_200))
    mine = FRONT.replace('corpus = "b2"', f'text = """{lines}"""\nnormalizers = ["nfc"]')
    app = brought(mine + "\n## Stop\n\nText.\n")
    assert "text is a text of at most 20,000 characters" in " ".join(said_in(app.error))


@pytest.mark.parametrize("text", [*HOSTILE, "\x00", "\u202e"])
def test_a_hostile_lesson_stays_text(text):
    words = json.dumps({f"{text}a"[:40]: 3, "low": 2}, ensure_ascii=True)
    counts = words.replace('": ', '" = ').replace("\\u0000", "")
    mine = FRONT.replace('corpus = "b2"', f"counts = {counts}").replace("num_merges = 10", "")
    prose = re.sub(r"[{}\[\]`*\\]", "", text)
    app = brought(mine + f"\n## {prose} stop\n\n{prose} text {{symbols}}\n")
    ours = r"<style>.*?</style>|<bdi[^>]*>[^<]*</bdi>"
    inside = re.sub(ours, "", html_of(app), flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|iframe)\b", inside)
    assert "\u202e" not in inside


def test_a_link_to_a_lesson_in_another_browser():
    app = with_stored_progress(opened_lesson(PAGE, lesson="own"))
    assert "There is no lesson of your own in this browser." in said_in(app.info)[0]


def test_the_format_lesson_can_be_taken_home():
    assert opened(PAGE).get("download_button")
    assert LESSONS[FORMAT].name == "99-write-your-own.md"


# ---- a class that answers ----


def test_the_first_answer_goes_into_the_code_with_how_sure_one_was():
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    assert first_answers(app) == []
    assert sent(app)["class"]["lesson"] == class_key(lesson(HAND))
    assert is_first(app)
    wrong, right = option(app, "at s"), option(app, "a g")
    app = answered(app, wrong, 2)
    assert first_answers(app) == [[3, wrong, 2, False]]
    assert not is_first(app)
    app = answered(app, right, 1)
    assert first_answers(app) == [[3, wrong, 2, False]]
    assert [n for n, one in enumerate(sent(app)["class"]["question"]["right"]) if one] == [right]


def test_two_answers_that_arrive_together_are_both_known():
    """The server was slow: it hears only of the second answer, and of the stop after it."""
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    wrong, right = option(app, "at s"), option(app, "a g")
    with late_server(app):
        answered(app, wrong, 2)
        answered(app, right)
        navigate(app, "on")
    app = settled(app.run())
    assert first_answers(app) == [[3, wrong, 2, False]]
    assert (at(app), marks(app)) == (4, "---2o------")


def test_an_answer_given_while_stored_progress_arrives_is_kept():
    app = opened_lesson(PAGE, lesson=HAND, stop="4")
    with late_server(app):
        answered(app, option(app, "a g"))
    app = with_stored_progress(app, marks={HAND: "o1x--------"})
    assert marks(app) == "o1x1-------"


def test_of_a_number_the_code_says_whether_it_was_right():
    app = answered(opened_lesson(PAGE, lesson=HAND, stop="3"), "20")
    assert first_answers(app) == [[2, 1, 0, False]]
    app = answered(opened_lesson(PAGE, lesson=HAND, stop="3"), "15")
    assert first_answers(app) == [[2, 0, 0, True]]


def test_the_code_is_there_at_the_end_and_no_panel_without_questions():
    last = len(lesson(HAND).stops)
    assert sent(opened_lesson(PAGE, lesson=HAND, stop=str(last + 1)))["class"]["question"] is None


def test_every_lesson_has_a_key_of_its_own_the_same_in_every_process():
    keys = {slug: class_key(lesson(slug)) for slug in LESSONS}
    assert len(set(keys.values())) == len(keys)
    script = (
        "from lessons import lesson; from pages.lesson.classroom.key import class_key; "
        f"print(class_key(lesson({HAND!r})))"
    )
    command = [sys.executable, "-c", script]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == keys[HAND]


# ---- the template of a lesson of one's own ----


def test_the_template_runs_as_it_is():
    app = opened(PAGE)
    app = checked(app.button(key="lesson_template").click().run())
    assert app.text_area(key="lesson_text").value == TEMPLATE.read_text("utf-8")
    app = checked(app.button(key="run_lesson").click().run())
    assert sent(app)["question"]["question"]["prompt"]
    assert not app.error


def test_the_template_replaces_no_text():
    app = opened(PAGE)
    app = checked(app.text_area(key="lesson_text").set_value("mine").run())
    app = checked(app.button(key="lesson_template").click().run())
    assert app.text_area(key="lesson_text").value == "mine"
    assert "has a text already" in said_in(app.error)[0]
