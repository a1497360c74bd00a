"""The files of a path of one's own: HTML files with a page that lists them, or a SCORM package."""

from pathlib import Path

from markupsafe import Markup

from lessons.custom_path import CustomPath, LessonPart, describe_stops, find_lesson, lesson_text
from lessons.format.errors import LessonError
from lessons.format.reading import Lesson
from lessons.format.words import count_of
from lessons.paths import minutes
from pages.lesson.export.lesson_html import SiteContext, lesson_html
from pages.lesson.export.scorm import package_all
from pages.lesson.pictures.build_pictures import PreparedLesson, part_of, prepare_lesson
from pages.shared.drawing.markup import html, joined
from pages.shared.export import standalone_html
from pages.shared.export.zipped import zip_files
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback

SITE = "site"
"""A kind of file besides the editions of SCORM."""
INDEX = "index.html"
_SITE_FOLDER = Path(__file__).parents[2] / "site"
_SHARED = Path(__file__).parents[2] / "shared"


def make_path(report: ProgressCallback, path: CustomPath, kind: str, app: str) -> bytes:
    """Return a path's zip: HTML files if `kind` is SITE, else a package of that SCORM edition.

    `app` is the app's URL, for links to its pages; "" for none. Raises UserError if a lesson can't
    be played.
    """
    files: list[tuple[str, str, str]] = []
    names = [file_name(n, part) for n, part in enumerate(path.parts, start=1)]
    titles = [part_title(part) for part in path.parts]
    following = [*zip(titles[1:], names[1:], strict=True), None]
    for n, part in enumerate(path.parts):
        site = SiteContext(app, INDEX, following[n]) if kind == SITE else SiteContext(app)
        files.append((names[n], titles[n], lesson_html(_prepared(report, part), site)))
        report(n + 1, len(path.parts))
    if kind != SITE:
        return package_all(files, path.title, "path", kind)
    return zip_files([(INDEX, index_html(path)), *((name, file) for name, _, file in files)])


def _prepared(report: ProgressCallback, part: LessonPart) -> PreparedLesson:
    opened = prepare_lesson(
        lambda done, total: report(0, 1), lesson_text(part.written), part.written
    )
    if isinstance(opened, LessonError):
        raise UserError(f"The lesson “{part.slug}” can't be played: {opened}")
    return part_of(opened, find_lesson(part.written))


def file_name(n: int, part: LessonPart) -> str:
    """Return the file of a path's part number `n`.

    >>> file_name(2, LessonPart("what-a-prompt-costs", (1, 2, 7)))
    '02-what-a-prompt-costs.html'
    """
    return f"{n:02}-{part.slug}.html"


def part_title(part: LessonPart) -> str:
    """Return the title of a lesson, with its stops if it is only a part of it."""
    title, stops = find_lesson(part.written).title, describe_stops(part)
    return f"{title} ({stops})" if stops else title


def index_html(path: CustomPath) -> str:
    """Return the page that lists a path's lessons, with the progress in that browser."""
    rows = joined(
        lesson_row(find_lesson(part.written), part_title(part), file_name(n, part))
        for n, part in enumerate(path.parts, start=1)
    )
    total = sum(minutes(find_lesson(slug)) for slug in path.slugs)
    count = count_of(len(path.parts), "lesson")
    purpose = f"{count}, about {count_of(total, 'minute')}."
    scripts = ("export/file_shell.js", "storage.js")
    return standalone_html.render_file(
        _SITE_FOLDER / "index_page.html",
        "\n".join(
            [
                *((_SHARED / name).read_text("utf-8") for name in scripts),
                (_SITE_FOLDER / "index_page.js").read_text("utf-8"),
            ]
        ),
        {
            "title": standalone_html.html_text(path.title),
            "purpose": standalone_html.html_text(purpose),
            "style": standalone_html.FILE_CSS
            + (_SITE_FOLDER / "index_page.css").read_text("utf-8"),
            "way_out": standalone_html.contents_link(""),
            "body": html("<section><ol>{}</ol></section>", rows),
        },
    )


def lesson_row(one: Lesson, title: str, file: str) -> Markup:
    """Return a lesson in a list of lessons, which a script completes with the progress."""
    return html(
        '<li><a href="{}">{}</a><span>{} <small>{} minutes</small>'
        '<b data-slug="{}" data-stops="{}" data-questions="{}"></b></span></li>',
        file,
        title,
        one.purpose,
        minutes(one),
        one.slug,
        len(one.stops),
        sum(stop.ask is not None for stop in one.stops),
    )
