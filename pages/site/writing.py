"""Writes the site, page by page. Left out: what is on a page (gallery.py, index_pages.py, lessons)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from lessons import LESSONS, lesson
from lessons.paths import IN_ORDER
from pages.lessons.export.lesson_html import Around, lesson_file
from pages.site import index_pages
from pages.site.gallery import GALLERY, Exhibit, exhibit_file
from tokenizers.protocols import never

CONTENTS = "../index.html"  # the index, as seen from a lesson or a run
Page = tuple[str, Callable[[], str]]


def write(
    out: Path,
    tell: Callable[[str], object],
    slugs: Sequence[str] = tuple(LESSONS),
    exhibits: Mapping[str, Exhibit] = GALLERY,
) -> None:
    """Write the site into the folder `out`, and `tell` of each page that is written.

    Raises OSError where that cannot be written, and ValueError for a page that cannot be made.
    """
    pages = list(_pages(slugs, exhibits))
    for number, (name, make) in enumerate(pages, start=1):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = make().encode()
        path.write_bytes(data)
        tell(f"{number:>3} of {len(pages)}  {len(data) // 1000:>4} kB  {name}")


def _pages(slugs: Sequence[str], exhibits: Mapping[str, Exhibit]) -> Iterator[Page]:
    """Yield the pages by their names; the index comes last, when all that it leads to is there."""
    following = dict(pairwise([slug for slug in IN_ORDER if slug in slugs]))
    for slug in slugs:
        yield f"lessons/{slug}.html", partial(_lesson, slug, following.get(slug))
    for name, one in exhibits.items():
        yield f"runs/{name}.html", partial(exhibit_file, one, CONTENTS)
    yield "sources.html", index_pages.sources
    yield "index.html", partial(index_pages.index, slugs, exhibits)


def _lesson(slug: str, after: str | None) -> str:
    following = (lesson(after).title, f"{after}.html") if after else None
    written = LESSONS[slug].read_text(encoding="utf-8")
    around = Around(contents=CONTENTS, after=following)
    return lesson_file(never, written, slug, around)
