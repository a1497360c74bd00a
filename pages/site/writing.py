"""Write the site page by page; gallery.py, index_pages.py and pages/lesson make the pages."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from lessons import LESSONS, lesson
from lessons.paths import IN_ORDER
from pages.lesson.export.lesson_html import SiteContext, build_lesson_html
from pages.site import index_pages
from pages.site.gallery import GALLERY, RunPage, run_file
from tokenizers.progress import ignore_progress

CONTENTS = "../index.html"  # the index, as seen from a lesson or a run
Page = tuple[str, Callable[[], str]]


def write(
    out: Path,
    report: Callable[[str], object],
    slugs: Sequence[str] = tuple(LESSONS),
    runs: Mapping[str, RunPage] = GALLERY,
) -> None:
    """Write the site into the folder `out`, and call `report` with a line for each page.

    Raises OSError if a file cannot be written, and ValueError if a page cannot be made.
    """
    pages = list(_pages(slugs, runs))
    for number, (name, make) in enumerate(pages, start=1):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = make().encode()
        path.write_bytes(data)
        report(f"{number:>3} of {len(pages)}  {len(data) // 1000:>4} kB  {name}")


def _pages(slugs: Sequence[str], runs: Mapping[str, RunPage]) -> Iterator[Page]:
    """Yield the pages with their names; the index comes last, after all pages that it links to."""
    following = dict(pairwise([slug for slug in IN_ORDER if slug in slugs]))
    for slug in slugs:
        yield f"lessons/{slug}.html", partial(_lesson, slug, following.get(slug))
    for name, one in runs.items():
        yield f"runs/{name}.html", partial(run_file, one, CONTENTS)
    yield "sources.html", index_pages.sources
    yield "index.html", partial(index_pages.index, slugs, runs)


def _lesson(slug: str, after: str | None) -> str:
    following = (lesson(after).title, f"{after}.html") if after else None
    written = LESSONS[slug].read_text(encoding="utf-8")
    around = SiteContext(contents=CONTENTS, after=following)
    return build_lesson_html(ignore_progress, written, slug, around)
