"""Export a lesson as one standalone HTML file, which makes no network requests.

It has the text, picture and question of every stop, with the replies to all answers. A recording is
included once, however many stops show it; unused pictures are omitted. Links to the app's pages are
included only if the app's URL is known.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from lessons.claims import CLAIMS, check_claim
from lessons.facts.base import PictureFacts
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.progress import STANDINGS
from lessons.questions.grading import Question
from lessons.stops import ResolvedStop
from lessons.variants import variants
from pages.beliefs import counterexample
from pages.lesson.browser.components import END, ENGINE_JS, NAV, QUESTION
from pages.lesson.browser.question_json import question_json
from pages.lesson.classroom.key import class_key
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from pages.lesson.pictures.lesson_picture import LessonPicture
from pages.lesson.teacher_note_html import html_folded_note
from pages.lesson.text import AGAIN_HEADING, OPEN_TEXT, PROSE_LABEL, html_facts, html_prose, parts
from pages.pipeline.stage_table_message import STAGE_TABLE, message
from pages.shared.drawing import terms
from pages.shared.drawing.display_text import escape_invisible, show_spaces
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.mathml import html_formula
from pages.shared.export import standalone_html
from pages.shared.player import assets
from pages.shared.player.message import pack_player_message
from pages.shared.recording.frame_types import Recording
from pages.sources.claims import html_claim
from tokenizers.errors import UserError
from tokenizers.experiments.beliefs.counterexamples import search
from tokenizers.progress import ProgressCallback

_HERE = Path(__file__).parent
_CLASS_CSS = "../classroom/class.css"
_SCRIPTS = (
    "../../shared/export/file_shell.js",
    "lms.js",
    "../classroom/answers.js",
    "lesson.js",
)

_PLAYER_KEYS = (
    "← → Home End Space step and play; P presents, T turns light or dark there, M changes the rule "
    "where there are two, Q shows the address as a QR code."
)
_INSTRUCTIONS = (
    "Students answer the questions of this lesson, in this file or in the app, and send you the "
    "code that appears here. Below each question, a button, or A, then shows what they answered "
    "first."
)
_ROW_KEYS = "In a row of tokens, ← → Home End go from one to the next."


@dataclass(frozen=True, slots=True)
class SiteContext:
    """The targets of an exported lesson's links; `app` is the app's URL ("https://…").

    `contents` is the file that lists all lessons, `after` the next lesson's (title, file). The note
    for teachers is added only `for_teachers`, since it has all answers.
    """

    app: str = ""
    contents: str = ""
    after: tuple[str, str] | None = None
    for_teachers: bool = False


NO_SITE = SiteContext()


def build_lesson_html(
    report: ProgressCallback, written: str, slug: str, site: SiteContext = NO_SITE
) -> str:
    """Build a lesson's pictures in this process and return the lesson's HTML file.

    Raises UserError if the lesson is invalid.
    """
    opened = prepare_lesson(report, written, slug)
    if isinstance(opened, LessonError):
        raise UserError(str(opened))
    return lesson_html(opened, site)


def lesson_html(opened: PreparedLesson, site: SiteContext = NO_SITE) -> str:
    """Return a prepared lesson's HTML file."""
    lesson, stops = opened.lesson, opened.resolved_stops
    all_facts = {name: one.facts for name, one in opened.pictures.items()}
    again = [one for resolved in stops for one in variants(lesson, resolved, all_facts)]
    shown = [resolved.stop.picture for resolved in (*stops, *again)]
    pictures = {name: opened.pictures[name] for name in shown}
    recordings = {one.recording.key: one.recording for one in pictures.values() if one.recording}
    tables = [name for name, one in pictures.items() if one.stages]
    return standalone_html.render_file(
        _HERE / "lesson.html",
        _script(),
        _body(stops, pictures, site.app)
        | _components()
        | {
            "title": standalone_html.html_text(lesson.title),
            "purpose": standalone_html.html_text(lesson.purpose),
            "style": _style(),
            "way_out": standalone_html.contents_link(site.contents),
            "after": _next_link(site),
            "keys": _keys(recordings, tables),
            "holds": _contents_note(recordings, tables, site),
            "link": _app_link(site, lesson.slug),
            "teachers": html_folded_note(opened) if site.for_teachers else "",
            "classroom": assets.classroom_html(_INSTRUCTIONS),
            "recordings": joined(map(_recording_script, recordings.values())),
            "lesson": standalone_html.encode_json(
                _lesson_data(lesson, stops, pictures, tables, all_facts)
            ),
        },
    )


# ---- static parts: texts, claims, rows of tokens ----


def _body(
    stops: Sequence[ResolvedStop], pictures: Mapping[str, LessonPicture], app: str
) -> dict[str, Markup]:
    """Return the file's static parts by name."""
    body = {
        "stops": joined(_stop_html(n, resolved) for n, resolved in enumerate(stops)),
        "revealed": joined(_revealed(n, resolved) for n, resolved in enumerate(stops)),
        "pictures": joined(_picture_html(name, one) for name, one in pictures.items()),
    }
    return {name: standalone_html.resolve_app_links(part, app) for name, part in body.items()}


def _stop_html(n: int, resolved: ResolvedStop) -> Markup:
    mark_terms = terms.first_occurrence_marker(f"stop{n + 1}")
    inside = joined(
        html_formula(blocks[0].source)
        if kind == "formula"
        else html_prose(blocks, resolved.stop.mark, mark_terms)
        for kind, blocks in parts(resolved.prose)
    )
    section = (
        '<section class="stop" data-stop="{}"{}><h2>{}</h2>'
        "<details open><summary>{}</summary>{}</details></section>"
    )
    hidden = Markup(" hidden" if n else "")
    heading = escape_invisible(resolved.stop.heading)
    return html(section, n, hidden, heading, f"{PROSE_LABEL}: {heading}", inside)


def _revealed(n: int, resolved: ResolvedStop) -> Markup:
    """Return the part of a stop that would give the answer away; it is shown afterwards."""
    inside = Markup()
    if ids := resolved.stop.claims:
        text = f"{count_of(len(ids), 'claim')} of other people, checked"
        cards = joined(html_claim(check_claim(CLAIMS[id_])) for id_ in ids)
        inside += html("<details><summary>{}</summary>{}</details>", text, cards)
    if resolved.question and resolved.question.counterexample:
        inside += _counterexample(resolved.question.counterexample)
    return inside and html('<div class="revealed" data-stop="{}" hidden>{}</div>', n, inside)


def _counterexample(belief: str) -> Markup:
    found = search(belief)
    assert found.example
    return html(
        "<p><strong>The smallest case in which it fails</strong>, {} in all:</p>{}<p>{}</p>{}",
        count_of(found.size, "letter"),
        counterexample.html_corpora(found.example),
        counterexample.describe_setting(found.example),
        counterexample.html_sides(found.example),
    )


def _picture_html(name: str, picture: LessonPicture) -> Markup:
    """Return a picture without steps, as shown before the answer and as shown after it."""
    if picture.recording:
        return Markup()
    rows = joined(
        html('<p class="caption">{}</p>{}', escape_invisible(caption), Markup(tiles))
        for caption, tiles in picture.rows
    )
    both = (
        '<div class="before" data-picture="{0}" hidden>{1}<p class="caption">{2}</p></div>'
        '<div class="after" data-picture="{0}" hidden>{3}</div>'
    )
    return html(both, name, html_facts(picture.preview), picture.hidden_note, rows)


# ---- data for lesson.js ----


def _lesson_data(
    lesson: Lesson,
    stops: Sequence[ResolvedStop],
    pictures: Mapping[str, LessonPicture],
    tables: list[str],
    all_facts: Mapping[str, PictureFacts],
) -> dict[str, object]:
    return {
        "storageKey": f"piece-by-piece:lesson:{lesson.slug}",
        "signs": STANDINGS,
        "againHeading": AGAIN_HEADING,
        "openText": OPEN_TEXT,
        "stageTables": [message(one.stages.table) for one in pictures.values() if one.stages],
        "stops": [_stop_data(lesson, resolved, pictures, tables, all_facts) for resolved in stops],
        "key": class_key(lesson),
    }


def _stop_data(
    lesson: Lesson,
    resolved: ResolvedStop,
    pictures: Mapping[str, LessonPicture],
    tables: list[str],
    all_facts: Mapping[str, PictureFacts],
) -> dict[str, object]:
    return _asked_data(resolved, pictures, tables) | {
        "heading": escape_invisible(resolved.stop.heading),
        "rule": resolved.stop.rule,
        "variants": [
            _asked_data(one, pictures, tables) for one in variants(lesson, resolved, all_facts)
        ],
    }


def _asked_data(
    resolved: ResolvedStop, pictures: Mapping[str, LessonPicture], tables: list[str]
) -> dict[str, object]:
    """Return the picture and the question of a stop or of a variant."""
    stop, question = resolved.stop, resolved.question
    picture = pictures[stop.picture]
    return {
        "picture": stop.picture,
        "recording": picture.recording and picture.recording.key,
        "stageTable": tables.index(stop.picture) if picture.stages else None,
        "at": resolved.at,
        "highlights": [show_spaces(token) for token in stop.mark],
        "question": question and _question_data(question),
    }


def _question_data(question: Question) -> dict[str, object]:
    return question_json(question) | {
        "hidesAnswer": question.hides_answer,
        "masked": question.masked_parts,
        "shownAt": question.shown_at,
    }


def _recording_script(recording: Recording) -> Markup:
    data = pack_player_message(recording, range(len(recording.windows)), "lesson", step=(0, 0))
    held = standalone_html.encode_bytes(data)
    return html('<script type="text/plain" id="recording-{}">{}</script>\n', recording.key, held)


# ---- what is around it ----


def _next_link(site: SiteContext) -> Markup:
    if site.after is None:
        return Markup()
    title, file = site.after
    return html('<a href="{}">Next lesson: {}</a>', file, escape_invisible(title))


def _keys(recordings: Collection[str], tables: Collection[str]) -> Markup:
    found = [text for text, has in ((_PLAYER_KEYS, recordings), (_ROW_KEYS, tables)) if has]
    return html("<p>{}</p>", " ".join(found)) if found else Markup()


def _contents_note(
    recordings: Collection[str], tables: Collection[str], site: SiteContext
) -> Markup:
    text = "This file holds the whole lesson: the text, the questions and all pictures. "
    if recordings or tables:
        text += "Each picture also has a page of its own in the program, with more numbers. "
    if not site.app:
        text += "Links to the program's pages are left out, because the file runs without it. "
    text += "Your progress stays in this browser."
    return html("{}", text)


def _app_link(site: SiteContext, slug: str) -> Markup:
    if not site.app:
        return Markup()
    address = f"{site.app}/lessons?lesson={slug}"
    return html('<a href="{}" rel="noreferrer">The same lesson there</a>.', address)


# ---- the app's components ----


def _style() -> str:
    own = _read("lesson.css", _CLASS_CSS)
    return f"{assets.CLASSROOM_CSS}\n{standalone_html.FILE_CSS}\n{own}"


def _components() -> dict[str, str]:
    return {
        "player": assets.HTML,
        "player_style": assets.CSS,
        "nav": NAV.html,
        "nav_style": NAV.css,
        "question": QUESTION.html,
        "end": END.html,
        "end_style": END.css,
        "question_style": f"{QUESTION.css}\n{assets.CLASSROOM_CSS}\n{_read(_CLASS_CSS)}",
        "stages": STAGE_TABLE.html,
        "stages_style": STAGE_TABLE.css,
    }


def _script() -> str:
    components = {
        "mountNav": NAV.js,
        "mountQuestion": QUESTION.js,
        "mountEnd": END.js,
        "mountStages": STAGE_TABLE.js,
        "mountPlayer": assets.JS,
        "mountTerms": assets.TERMS_JS,
        "mountOverlays": assets.OVERLAYS_JS,
    }
    modules = "".join(
        standalone_html.js_module(name, script) for name, script in components.items()
    )
    return f"{ENGINE_JS}\n{modules}{assets.CLASSROOM_JS}\n{_read(*_SCRIPTS)}"


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text("utf-8") for name in names)
