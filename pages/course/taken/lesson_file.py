"""A lesson as one HTML file that plays by itself: opened from a disk, it asks nobody for anything.

It holds what the page of lessons shows at every stop: the text, the picture, the question with what
every answer gets. The film of a picture is held once, whatever number of stops show it; a picture
that no stop shows is not held.
Left out: links to the app's own pages, where the file does not know the address of an app.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from lessons.claims import CLAIMS, check
from lessons.format.trouble import LessonError
from lessons.format.words import count_of
from lessons.playing import Scene
from lessons.progress import STANDINGS
from pages.course.before import before
from pages.course.classroom.key import class_key
from pages.course.making import Opened, Shown, open_lesson
from pages.course.taken.judged import judged
from pages.course.text import html_prose, parts
from pages.pipeline.rail_message import message
from pages.shared.drawing import terms
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.mathml import STYLE, html_formula
from pages.shared.drawing.tiles import palette_css, printable, visible
from pages.shared.film.film import Film
from pages.shared.learning.source import Report
from pages.shared.player import assets
from pages.shared.player.message import packed
from pages.shared.taking import one_file
from pages.shared.taking.one_file import module, text
from pages.sources import beliefs
from pages.sources.claims import html_claim
from tokenizers.experiments.counterexamples import search
from tokenizers.refusal import Refusal

_HERE = Path(__file__).parent
_PAGES = _HERE.parents[1]
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)

_OF_FILMS = (
    "← → Home End Space step and play; P presents, T turns light or dark there, M changes the rule "
    "where there are two, Q shows the address as a QR code."
)
_HOW = (
    "Students answer the questions of this lesson, in this file or in the app, and send you the "
    "code that appears here. Below each question, a button, or A, then shows what they answered "
    "first."
)
_OF_RAILS = "In a row of tokens, ← → Home End go from one to the next."


@dataclass(frozen=True, slots=True)
class Around:
    """What is around a lesson: where an app runs ("https://…"), and, in a site, the other files.

    `contents` is the file that lists all lessons, `after` the next lesson: its title and its file.
    """

    app: str = ""
    contents: str = ""
    after: tuple[str, str] | None = None


ALONE = Around()


def lesson_file(
    report: Report, written: str, slug: str, names: Mapping[str, str], around: Around = ALONE
) -> str:
    """Make the pictures of a lesson, and return its file: for programs without a screen.

    Raises ValueError, in a sentence, for a lesson that cannot be played.
    """
    opened = open_lesson(report, written, slug, names, tuple(CLAIMS))
    if isinstance(opened, LessonError):
        raise Refusal(str(opened))
    return as_file(opened, names, around)


def as_file(opened: Opened, names: Mapping[str, str], around: Around = ALONE) -> str:
    """Return the file of a lesson that was played through; `names` are those of normalizers."""
    lesson, scenes = opened.lesson, opened.scenes
    shown = {scene.stop.picture: opened.shown[scene.stop.picture] for scene in scenes}
    body = {
        "stops": joined(_text(n, scene) for n, scene in enumerate(scenes)),
        "behind": joined(_behind(n, scene) for n, scene in enumerate(scenes)),
        "pictures": joined(_rows(name, one, names) for name, one in shown.items()),
    }
    styles = dict.fromkeys(style for part in body.values() for style in _STYLE.findall(part))
    body = {name: one_file.linked(_STYLE.sub("", part), around.app) for name, part in body.items()}
    films = {one.film.key: one.film for one in shown.values() if one.film}
    rails = [name for name, one in shown.items() if one.laid]
    stops = [_stop(scene, shown[scene.stop.picture], rails) for scene in scenes]
    return one_file.written(
        _HERE / "lesson.html",
        _script(),
        body
        | _components()
        | {
            "title": text(lesson.title),
            "purpose": text(lesson.purpose),
            "style": _style(),
            "styles": joined([*map(Markup, styles), terms.STYLE, STYLE]),
            "way_out": one_file.way_out(around.contents),
            "after": _after(around),
            "keys": _keys(films, rails),
            "holds": _holds(films, rails, around),
            "link": _home(around, lesson.slug),
            "classroom": assets.classroom(_HOW),
            "films": joined(map(_film, films.values())),
            "lesson": one_file.data_as_text(
                {
                    "place": f"piece-by-piece:lesson:{lesson.slug}",
                    "signs": STANDINGS,
                    "rails": [_rail(shown[name]) for name in rails],
                    "stops": stops,
                    "key": class_key(lesson),
                }
            ),
        },
    )


# ---- what is read: texts, claims, rows of tokens ----


def _text(n: int, scene: Scene) -> Markup:
    tell = terms.first_times(f"stop{n + 1}")
    inside = joined(
        html_formula(blocks[0].source)
        if kind == "formula"
        else html_prose(blocks, scene.stop.mark, tell)
        for kind, blocks in parts(scene.prose)
    )
    return html(
        '<section class="stop" data-stop="{}"{}><h2>{}</h2>{}</section>',
        *(n, Markup(" hidden" if n else ""), printable(scene.stop.heading), inside),
    )


def _behind(n: int, scene: Scene) -> Markup:
    """Return what is shown once the question is settled, for it would give the answer away."""
    found: list[Markup] = []
    if ids := scene.stop.claims:
        said = f"{count_of(len(ids), 'claim')} of other people, checked"
        cards = joined(html_claim(check(CLAIMS[id_])) for id_ in ids)
        found.append(html("<details><summary>{}</summary>{}</details>", said, cards))
    if scene.question and scene.question.counterexample:
        found.append(_counterexample(scene.question.counterexample))
    inside = joined(found)
    return (
        html('<div class="behind" data-stop="{}" hidden>{}</div>', n, inside) if found else inside
    )


def _counterexample(belief: str) -> Markup:
    found = search(belief)
    if found.example is None:
        return Markup()
    letters = count_of(found.size, "letter")
    return html(
        "<p><strong>The smallest case in which it fails</strong>, {} in all:</p>{}<p>{}</p>{}",
        *(letters, beliefs.html_corpora(found.example), beliefs.setting_in_words(found.example)),
        beliefs.html_sides(found.example),
    )


def _rows(name: str, shown: Shown, names: Mapping[str, str]) -> Markup:
    """Return a picture without steps: before its question is answered, and after."""
    if shown.film:
        return Markup()
    inside, said = before(shown, names)
    rows = joined(
        html('<p class="caption">{}</p>{}', printable(caption), Markup(tiles))
        for caption, tiles in shown.rows
    )
    return html(
        '<div class="before" data-picture="{0}" hidden>{1}<p class="caption">{2}</p></div>'
        '<div class="after" data-picture="{0}" hidden>{3}</div>',
        *(name, Markup(inside), said, rows),
    )


# ---- what is played ----


def _stop(scene: Scene, shown: Shown, rails: list[str]) -> dict[str, object]:
    stop, question = scene.stop, scene.question
    played: dict[str, object] = {"film": shown.film.key} if shown.film else {}
    if shown.laid:
        played["rail"] = rails.index(stop.picture)
    return played | {
        "heading": printable(stop.heading),
        "picture": stop.picture,
        "at": scene.at,
        "rule": stop.rule,
        "spot": [visible(token) for token in stop.mark],
        "question": question
        and judged(question)
        | {"hides": question.hides, "veil": question.veil, "shownAt": question.shown_at},
    }


def _rail(shown: Shown) -> dict[str, object]:
    assert shown.laid
    return message(shown.laid.rail, "", 0, large=False)


def _film(film: Film) -> Markup:
    data = packed(film, range(len(film.windows)), "lesson", step=(0, 0))
    return html(
        '<script type="text/plain" id="film-{}">{}</script>\n',
        *(film.key, one_file.bytes_as_text(data)),
    )


# ---- what is around it ----


def _after(around: Around) -> Markup:
    if around.after is None:
        return Markup()
    title, file = around.after
    return html('<a href="{}">Next lesson: {}</a>', file, printable(title))


def _keys(films: Collection[str], rails: Collection[str]) -> Markup:
    found = [said for said, has in ((_OF_FILMS, films), (_OF_RAILS, rails)) if has]
    return html("<p>{}</p>", " ".join(found)) if found else Markup()


def _holds(films: Collection[str], rails: Collection[str], around: Around) -> Markup:
    parts = ["the text", "the questions", "all pictures"]
    said = f"This file holds the whole lesson: {', '.join(parts[:-1])} and {parts[-1]}. "
    if films or rails:
        said += "Each picture also has a page of its own in the program, with more numbers. "
    if not around.app:
        said += "Links to the program's pages are left out, because the file runs without it. "
    said += "Your progress stays in this browser."
    return html("{}", said)


def _home(around: Around, slug: str) -> Markup:
    if not around.app:
        return Markup()
    address = f"{around.app}/lessons?lesson={slug}"
    return html('<a href="{}" rel="noreferrer">The same lesson there</a>.', address)


# ---- the app's components ----


def _style() -> str:
    files = _read("shared/taking/file.css", "course/taken/lesson.css", "course/classroom/class.css")
    return f"#class {{{palette_css()}}}\n{assets.CLASSROOM_CSS}\n{files}"


def _components() -> dict[str, str]:
    return {
        "player": assets.HTML,
        "player_style": assets.CSS,
        "box_style": f":host {{{palette_css()}}}\n{_read('shared/base.css')}",
        "nav_style": _read("course/nav.css"),
        "question_style": "\n".join(
            (
                _read("course/question.css"),
                assets.CLASSROOM_CSS,
                _read("course/classroom/class.css"),
            )
        ),
        "rail_style": _read("pipeline/rail.css"),
    }


def _script() -> str:
    dom, written, staged = "shared/dom.js", "shared/drawing/written.js", "course/staged.js"
    components = {
        "mountNav": _read(dom, staged, "course/nav.js"),
        "mountQuestion": _read(dom, staged, "course/sureness.js", "course/question.js"),
        "mountRail": _read(dom, written, "pipeline/rail.js"),
        "mountPlayer": assets.JS,
        "answerTerms": _read("shared/controls/listening/terms.js"),
        "watchForScan": assets.SCAN_JS,
    }
    own = ("taken/judging", "taken/progress", "taken/school", "sureness")
    own += ("classroom/answers", "taken/class", "taken/lesson")
    files = _read("shared/taking/around.js", *(f"course/{name}.js" for name in own))
    modules = "".join(module(name, script) for name, script in components.items())
    return f"{modules}{assets.CLASSROOM_JS}\n{files}"


def _read(*names: str) -> str:
    return "\n".join((_PAGES / name).read_text("utf-8") for name in names)
