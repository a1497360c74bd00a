"""The HTML of a lesson's note for teachers, for the app and for an exported file."""

from collections.abc import Callable

from markupsafe import Markup, escape

from lessons.format.words import count_of, plain
from lessons.teaching.expected import Mistake
from lessons.teaching.notes import NOTES, Asked, ResolvedHardStop, ResolvedNote, resolve_note
from pages.lesson.pictures.build_pictures import PreparedLesson
from pages.lesson.text import html_prose
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.rich_text_html import html_inline

StopLink = Callable[[int, str], Markup]
"""Maps a stop's index and heading to the link to it, or to its name alone."""


def html_folded_note(prepared: PreparedLesson) -> Markup:
    """Return the note as a folded part of an exported file; empty if the lesson has none."""
    if prepared.lesson.slug not in NOTES:
        return Markup()
    note = html_note_of(prepared, lambda stop, heading: escape(heading))
    return html('<details class="pp-note-fold"><summary>For teachers</summary>{}</details>', note)


def html_note_of(prepared: PreparedLesson, link: StopLink) -> Markup:
    """Return the HTML of a prepared lesson's note."""
    facts = {name: one.facts for name, one in prepared.pictures.items()}
    note = resolve_note(prepared.lesson, prepared.resolved_stops, facts)
    return html_note(prepared.lesson.title, note, link)


def html_note(title: str, note: ResolvedNote, link: StopLink) -> Markup:
    """Return the HTML of a note; `link` makes the links to the stops that it names."""
    parts = [
        _part("Aim", html_prose(note.aim)),
        _part("Know before", _before(note)),
        _part("The two hardest stops", joined(_hard(one, link) for one in note.hardest)),
        _part("To discuss", html_prose(note.discuss)),
        _part("On the board", html_prose(note.board)),
        _part("Short of time", _skip(note, link)),
    ]
    heading = html(
        "<h2>For teachers: {} <small>about {} minutes</small></h2>",
        escape_invisible(title),
        note.minutes,
    )
    inside = html('{}<div class="parts">{}</div>', heading, joined(parts))
    return html(
        '<section class="pp-note" aria-label="For teachers">{}{}</section>',
        *(inside, _all_mistakes(note, link)),
    )


def _part(title: str, inside: Markup) -> Markup:
    return html("<section><h3>{}</h3>{}</section>", title, inside)


def _before(note: ResolvedNote) -> Markup:
    if not note.before:
        return Markup("<p>Nothing: a class can begin here.</p>")
    rows = []
    for one in note.before:
        terms = html(" <small>({})</small>", ", ".join(one.terms)) if one.terms else ""
        rows.append(html("<li>{}{}</li>", escape_invisible(one.title), terms))
    return html("<ul>{}</ul>", joined(rows))


def _hard(one: ResolvedHardStop, link: StopLink) -> Markup:
    mistakes = _mistakes(one.asked) if one.asked and one.asked.mistakes else Markup()
    return html(
        '<div class="hard"><h4>{}. {}</h4>{}{}</div>',
        *(one.stop + 1, link(one.stop, escape_invisible(one.heading))),
        *(html_prose(one.why), mistakes),
    )


def _mistakes(asked: Asked) -> Markup:
    answer = html('<p class="answer">Right: {}</p>', html_inline(asked.answer))
    return html("{}<ul class='wrong'>{}</ul>", answer, joined(map(_mistake, asked.mistakes)))


def _mistake(mistake: Mistake) -> Markup:
    answer, reply = html_inline(mistake.answer), html_inline(mistake.reply)
    if plain(mistake.reply).startswith(plain(mistake.answer)):
        return html("<li>{}</li>", reply)
    return html("<li><b>{}</b>{}</li>", answer, html(" <span>{}</span>", reply) if reply else "")


def _skip(note: ResolvedNote, link: StopLink) -> Markup:
    stops = [
        html("{} ({})", link(n, escape_invisible(heading)), n + 1) for n, heading in note.skipped
    ]
    saved = max(note.minutes_saved, 1)
    lead = html(
        "<p>Leave out {}: {}.</p>", joined(stops, ", "), count_of(saved, "minute") + " less"
    )
    return lead + html_prose(note.skip)


def _all_mistakes(note: ResolvedNote, link: StopLink) -> Markup:
    """Return the questions of the other stops with their expected mistakes, folded."""
    hard = {one.stop for one in note.hardest}
    others = [one for one in note.asked if one.stop not in hard and one.mistakes]
    if not others:
        return Markup()
    rows = joined(
        html(
            '<div class="hard"><h4>{}. {}</h4>{}</div>',
            *(one.stop + 1, link(one.stop, escape_invisible(one.heading)), _mistakes(one)),
        )
        for one in others
    )
    summary = f"Expected wrong answers at {count_of(len(others), 'other stop')}"
    return html(
        '<details><summary>{}</summary><div class="parts">{}</div></details>', summary, rows
    )
