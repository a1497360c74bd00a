"""A path of one's own on the page of lessons: its list, its lessons, its editor and its files."""

import io
import zipfile
from xml.etree import ElementTree

import pytest

from lessons.custom_path import CustomPath, LessonPart, find_lesson, read_path
from pages.lesson.export.path_files import SITE, make_path
from pages.lesson.export.scorm import EDITIONS
from tests.pages.lesson.lesson_browser import opened_lesson, sent
from tests.pages.opening import HOSTILE, checked, html_of, opened, texts_of

LESSONS_OF = "why-not-words bpe-by-hand what-a-prompt-costs~1-2.7"
PATH = {"path": "own", "lessons": LESSONS_OF, "title": "Until Friday"}


def names(app) -> list[str]:
    labels = [one.label for one in app.button if one.key and one.key.startswith("open ")]
    return [label.replace("\\", "") for label in labels]


def written(app) -> str:
    return app.query_params.get("lessons", "")


def test_the_address_is_the_path():
    app = opened("lessons", **PATH)
    assert [name.partition(". ")[2] for name in names(app)] == [
        "Why not words?",
        "BPE by hand",
        "What a prompt costs in your language, stops 1–2, 7",
    ]
    assert "Until Friday" in html_of(app)
    assert "0 of 3 lessons done" in html_of(app)
    assert app.button(key="continue").label.startswith("Start here: **Why not words")


def test_next_lesson_follows_the_path_and_the_way_out_leads_back_to_it():
    last = len(find_lesson("bpe-by-hand").stops)
    app = opened("lessons", **PATH, lesson="bpe-by-hand", stop=f"{last + 1}")
    assert app.button(key="next_lesson").label.startswith("Next lesson: What a prompt costs")
    app = checked(app.button(key="next_lesson").click().run())
    assert app.query_params["lesson"] == "what-a-prompt-costs~1-2.7"
    assert written(app) == LESSONS_OF
    assert len(sent(app)["nav"]["headings"]) == 3
    assert app.button(key="all_lessons").label == "The whole path"
    app = checked(app.button(key="all_lessons").click().run())
    assert len(names(app)) == 3
    assert "lesson" not in app.query_params


def test_the_last_lesson_of_a_path_has_no_next_one():
    app = opened("lessons", **PATH, lesson="what-a-prompt-costs~1-2.7", stop="4")
    assert not [one for one in app.button if one.key == "next_lesson"]


def test_a_part_asks_the_questions_of_its_stops_and_keeps_its_own_progress():
    app = opened_lesson(lesson="what-a-prompt-costs~7", stop="1")
    (stop,) = find_lesson("what-a-prompt-costs~7").stops
    assert stop.heading in html_of(app)
    assert sent(app)["question"]["question"]["prompt"]
    assert set(app.session_state["lesson.marks"]) == {"what-a-prompt-costs~7"}


def test_lessons_are_added_moved_shortened_and_removed():
    app = opened("lessons", path="own")
    app = checked(app.selectbox(key="path_add").set_value("bpe-by-hand").run())
    app = checked(app.selectbox(key="path_add").set_value("research").run())
    assert written(app).split()[:2] == ["bpe-by-hand", "greedy-and-optimal"]
    app = checked(app.button(key="path_down 0").click().run())
    assert written(app).split()[:2] == ["greedy-and-optimal", "bpe-by-hand"]
    app = checked(app.text_input(key="path_stops 1 bpe-by-hand").set_value("2-4, 7").run())
    assert written(app).split()[1] == "bpe-by-hand~2-4.7"
    app = checked(app.button(key="path_remove 0").click().run())
    assert written(app).split()[0] == "bpe-by-hand~2-4.7"
    app = checked(app.text_input(key="path_title").set_value("Week 3").run())
    assert app.query_params["title"] == "Week 3"
    app = checked(app.button(key="path_done").click().run())
    assert names(app)[0] == "1. BPE by hand, stops 2–4, 7"
    app = checked(app.button(key="close_path").click().run())
    assert "lessons" not in app.query_params
    assert app.button(key="new_path")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [("x", "is not a list of stops"), ("99", "there is no stop 99"), ("5-2", "no stop 5-2")],
)
def test_wrong_stops_get_a_sentence_and_stay_as_typed(typed, sentence):
    app = opened("lessons", path="own", lessons="bpe-by-hand", edit="1")
    app = checked(app.text_input(key="path_stops 0 bpe-by-hand").set_value(typed).run())
    assert sentence in texts_of(app.error)[0]
    assert app.text_input(key="path_stops 0 bpe-by-hand").value == typed
    assert written(app) == "bpe-by-hand"


def test_a_lesson_twice_gets_a_sentence():
    app = opened("lessons", path="own", lessons="bpe-by-hand", edit="1")
    app = checked(app.selectbox(key="path_add").set_value("bpe-by-hand").run())
    assert "in the path already" in texts_of(app.error)[0]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_paths_are_shown_as_text(text):
    app = opened("lessons", path="own", lessons=f"bpe-by-hand {text}", title=text)
    assert texts_of(app.warning) or not text.split()
    assert "<script>alert" not in html_of(app)
    opened("lessons", lesson=f"bpe-by-hand~{text}")


def test_other_paths_close_it():
    app = opened("lessons", **PATH)
    app.query_params.update({"path": "algorithms"})
    app = checked(app.run())
    assert app.button(key="new_path")


# ---- its files ----


def files_of(kind: str) -> dict[str, str]:
    path, _ = read_path(LESSONS_OF, "A < B")
    made = make_path(lambda done, total: False, path, kind, "https://pieces.example")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_the_files_of_a_path_lead_from_one_to_the_next():
    files = files_of(SITE)
    index, *lessons = files
    assert index == "index.html"
    assert lessons == [
        "01-why-not-words.html",
        "02-bpe-by-hand.html",
        "03-what-a-prompt-costs.html",
    ]
    for name in lessons:
        assert f'href="{name}"' in files[index]
    assert "A &lt; B" in files[index]
    assert 'href="02-bpe-by-hand.html"' in files[lessons[0]]
    assert 'href="03-what-a-prompt-costs.html"' in files[lessons[1]]
    assert "Next lesson" not in files[lessons[2]].partition("<script")[0]
    assert files[lessons[2]].count('<section class="stop"') == 3


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_package_lists_all_lessons_of_a_path(edition):
    files = files_of(edition)
    manifest = ElementTree.fromstring(files["imsmanifest.xml"])
    items = [one for one in manifest.iter() if one.tag.endswith("}item")]
    resources = {one.get("identifier"): one for one in manifest.iter("*") if one.get("href")}
    assert [resources[one.get("identifierref")].get("href") for one in items] == [
        name for name in files if name.endswith(".html")
    ]
    titles = [one.text for one in manifest.iter() if one.tag.endswith("}title")]
    assert titles[0] == "A < B"
    assert titles[3] == "What a prompt costs in your language (stops 1–2, 7)"


def test_a_hostile_title_stays_a_title():
    title = "{{items}}</title>&"
    made = make_path(lambda *_: False, CustomPath(title, (LessonPart("why-not-words"),)), "1.2", "")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        manifest = ElementTree.fromstring(archive.read("imsmanifest.xml"))
    assert title in [one.text for one in manifest.iter() if one.tag.endswith("}title")]
