"""The HTML of the sheets for teachers: a plan for a class, the notes, and the curriculum map."""

import re
from collections.abc import Callable, Mapping, Sequence
from urllib.parse import urlencode

from markupsafe import Markup

from lessons import lesson
from lessons.custom_path import OWN, CustomPath
from lessons.format.words import count_of
from lessons.ladder import Task, record, tasks
from lessons.paths import PATHS, WITHOUT_PATH, minutes
from lessons.teaching.curriculum import COURSES, Service
from lessons.teaching.notes import NOTES
from lessons.teaching.plans import ClassPlan, LessonStops, PageLink, Slot
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.rich_text_html import html_inline

WithWords = Callable[[str, str], Mapping[str, str]]
"""Maps a page and the class's own words to the parameters by which the page takes them."""
WordsFor = Callable[[str], Mapping[str, str]]
"""The same for the words at hand."""
PLAN_HEADS = ("Minute", "Open", "Ask the room", "Say", "Goes wrong", "When late")


def address(page: str, query: Mapping[str, str]) -> str:
    """Return the relative URL of a page of the app.

    >>> address("lessons", {"lesson": "twins", "stop": "2"}), address("start", {})
    ('./lessons?lesson=twins&stop=2', './start')
    """
    path = "" if page == "start" and not query else page
    return f"./{path or page}{'?' if query else ''}{urlencode(query)}"


def html_plan(plan: ClassPlan, words: str, with_words: WithWords) -> Markup:
    """Return the table of a plan, a row a slot; its links open in another tab."""
    rows = [
        _slot_row(start, slot, plan.path, lambda page: with_words(page, words))
        for start, slot in zip(plan.starts, plan.slots, strict=True)
    ]
    return html(
        '<section class="pp-plan p{}"><p class="purpose">{}</p><table><thead><tr>{}</tr></thead>'
        '<tbody>{}</tbody></table><p class="homework"><b>Homework.</b> {}</p></section>',
        *(plan.minutes, plan.purpose, _heads(PLAN_HEADS), joined(rows), plan.homework),
    )


def html_ladder() -> Markup:
    """Return the ladder of programming tasks: the function of each, and how it is checked."""
    checked = record()
    rows = joined(
        html(
            '<tr><th scope="row">{}</th><td><b>{}</b>{}</td>'
            "<td><code>{}</code></td><td>{}</td></tr>",
            *(
                number,
                task.title,
                _part(task),
                task.name,
                count_of(len(checked[task.name]), "call"),
            ),
        )
        for number, task in enumerate(tasks(), start=1)
    )
    heads = _heads(("Task", "What to write", "Function", "Checked by"))
    return html(
        '<section class="pp-plan ladder"><table><thead><tr>{}</tr></thead><tbody>{}</tbody>'
        "</table></section>",
        *(heads, rows),
    )


def _part(task: Task) -> Markup:
    return html(' <span class="pp-caption">({})</span>', task.part) if task.part else Markup("")


def _heads(names: Sequence[str]) -> Markup:
    return joined(html('<th scope="col">{}</th>', name) for name in names)


def _slot_row(start: int, slot: Slot, path: CustomPath, words_for: WordsFor) -> Markup:
    links = joined((_link(one, path, words_for) for one in slot.opens), " · ")
    cells = (slot.ask, slot.say, slot.wrong, slot.late)
    texts = joined(
        html('<td data-head="{}">{}</td>', head, html_text(cell))
        for head, cell in zip(PLAN_HEADS[2:], cells, strict=True)
    )
    return html(
        '<tr><th scope="row">{}–{}</th><td class="what"><b>{}</b><br>{}</td>{}</tr>',
        *(start, start + slot.minutes, slot.title, links, texts),
    )


def _link(one: LessonStops | PageLink, path: CustomPath, words_for: WordsFor) -> Markup:
    if isinstance(one, PageLink):
        query = {**one.query, **(words_for(one.page) if one.words else {})}
        if "sheet" in query:  # an exit ticket asks about what the class has had
            query |= {"from": OWN, "lessons": path.written, "title": path.title}
        return _anchor(one.page, query, one.label)
    numbers = joined(
        (
            _anchor("lessons", {"lesson": one.lesson, "stop": str(n)}, str(n), heading)
            for n, heading in zip(one.numbers, one.stops, strict=True)
        ),
        " ",
    )
    return html('{}: <span class="stops">stop {}</span>', lesson(one.lesson).title, numbers)


def _anchor(page: str, query: Mapping[str, str], label: str, heading: str = "") -> Markup:
    name = html(' title="{0}" aria-label="Stop {1}: {0}"', heading, label) if heading else ""
    return html(
        '<a href="{}" target="_blank"{}>{}</a>', address(page, query), name, html_text(label)
    )


def html_text(text: str) -> Markup:
    """Return a written sentence with its tokens, in backticks, as tiles."""
    parts = enumerate(re.split("`([^`]+)`", text))
    return html_inline(tuple([("token", part) if n % 2 else part for n, part in parts]))


def html_notes() -> Markup:
    """Return the list of all notes by paths, with the minutes and the aim of each lesson."""
    groups = [(path.title, path.slugs) for path in PATHS.values()]
    groups.append(("For those who write lessons", tuple(sorted(WITHOUT_PATH))))
    return html(
        '<section class="pp-map">{}</section>',
        joined(_notes_of(title, slugs) for title, slugs in groups),
    )


def _notes_of(title: str, slugs: Sequence[str]) -> Markup:
    rows = joined(
        html(
            '<tr><th scope="row">{}</th><td class="n">{}</td><td>{}</td></tr>',
            *(_note_link(slug), count_of(minutes(lesson(slug)), "minute"), NOTES[slug].aim),
        )
        for slug in slugs
    )
    head = _heads(("Lesson", "Time", "Aim"))
    return _table(title, head, rows)


def _table(title: str, head: Markup, rows: Markup) -> Markup:
    return html(
        "<table><caption>{}</caption><thead><tr>{}</tr></thead><tbody>{}</tbody></table>",
        *(title, head, rows),
    )


def _note_link(slug: str) -> Markup:
    there = address("lessons", {"lesson": slug, "stop": "1", "teacher": "1"})
    return html('<a href="{}" target="_self">{}</a>', there, lesson(slug).title)


def html_map() -> Markup:
    """Return the curriculum map, a table a course: its aims, and what serves each of them."""
    head = _heads(("Students can …", "Lessons and stops"))
    tables = [
        _table(
            course.title,
            head,
            joined(
                html(
                    '<tr><th scope="row">{}</th><td>{}</td></tr>',
                    *(aim.aim, joined(map(_service, aim.by), " · ")),
                )
                for aim in course.aims
            ),
        )
        for course in COURSES.values()
    ]
    return html('<section class="pp-map">{}</section>', joined(tables))


def _service(one: Service) -> Markup:
    """Return the link to a lesson, or to a stop by its heading, with its lesson beside it."""
    title = lesson(one.lesson).title
    there = address("lessons", {"lesson": one.lesson, "stop": str(one.number or 1)})
    link = html('<a href="{}" target="_self">{}</a>', there, one.stop or title)
    return html("{} <small>({}, stop {})</small>", link, title, one.number) if one.stop else link
