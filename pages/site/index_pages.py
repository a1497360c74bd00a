"""The site's index and its page of sources."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from markupsafe import Markup

from lessons import lesson
from lessons.paths import PATHS, WITHOUT_PATH, minutes
from pages.beliefs import counterexample
from pages.lesson.export.path_files import lesson_row
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.phrasing import count_of
from pages.shared.export import standalone_html
from pages.site.gallery import RunPage
from pages.sources import claims
from tokenizers.experiments.beliefs.counterexamples import BELIEFS, SearchResult, search

_HERE = Path(__file__).parent
PURPOSE = (
    "See how BPE, WordPiece and Unigram tokenizers learn their pieces and split text, step by "
    "step, with every number recomputed."
)


def index(slugs: Iterable[str], runs: Mapping[str, RunPage]) -> str:
    """Return the index, which links to all other pages."""
    known = set(slugs)
    parts = [
        _path(path.title, path.purpose, [slug for slug in path.slugs if slug in known])
        for path in PATHS.values()
    ]
    parts.append(_path("For those who write lessons", "", sorted(WITHOUT_PATH & known)))
    run_list = joined(
        html('<li><a href="runs/{}.html">{}</a><span>{}</span></li>', name, one.title, one.about)
        for name, one in runs.items()
    )
    parts.append(html("<section><h2>Runs to step through</h2><ul>{}</ul></section>", run_list))
    sources = (
        '<section><h2>The sources</h2><ul><li><a href="sources.html">Check the sources</a>'
        "<span>{}</span></li></ul></section>"
    )
    parts.append(html(sources, claims.describe_counts(claims.check_all())))
    return _page("Piece by Piece", PURPOSE, joined(parts), "")


def _path(title: str, purpose: str, slugs: list[str]) -> Markup:
    """Return a learning path's section, which lists the lessons `slugs`; "" if there are none."""
    if not slugs:
        return Markup()
    whole = sum(minutes(lesson(slug)) for slug in slugs)
    count = count_of(len(slugs), "lesson")
    summary = f"{purpose} {count}, about {count_of(whole, 'minute')}.".strip()
    rows = joined(map(_row, slugs))
    return html("<section><h2>{}</h2><p>{}</p><ol>{}</ol></section>", title, summary, rows)


def _row(slug: str) -> Markup:
    return lesson_row(lesson(slug), lesson(slug).title, f"lessons/{slug}.html")


def sources() -> str:
    """Return the page that recomputes claims and tests true-or-false beliefs."""
    rows = claims.check_all()
    tables = joined(
        claims.html_claims(caption, group) for caption, group in claims.by_example(rows).items()
    )
    tested = joined(_belief(search(name)) for name in BELIEFS)
    body = html(
        "<p><strong>{}</strong> {}</p>{}<section><h2>Beliefs put to the test</h2>{}</section>",
        claims.describe_counts(rows),
        claims.VERDICT_NOTE,
        standalone_html.resolve_app_links(tables, ""),
        tested,
    )
    purpose = "What is written about tokenizers, next to what we compute."
    return _page("Check the sources", purpose, body, "index.html")


def _belief(found: SearchResult) -> Markup:
    """Return a tested belief; unfolded, it shows whether it is true, and any counterexample."""
    example = found.example
    shown = Markup()
    if example is not None:
        shown = counterexample.html_corpora(example)
        if setting := counterexample.describe_setting(example):
            shown += html("<p>{}</p>", escape_invisible(setting))
        shown += counterexample.html_sides(example)
    verdict = "It is true." if example is None else "It is false. Here is where it fails."
    return html(
        "<details><summary>{}</summary><p><strong>{}</strong></p>{}<p>{}</p><p>{}</p></details>",
        found.belief.statement,
        verdict,
        shown,
        found.belief.why,
        counterexample.describe_search(found),
    )


def _page(title: str, purpose: str, body: Markup, contents: str) -> str:
    return standalone_html.render_file(
        _HERE / "index_page.html",
        _read("../shared/export/file_shell.js", "../shared/storage.js", "index_page.js"),
        {
            "title": standalone_html.html_text(title),
            "purpose": standalone_html.html_text(purpose),
            "style": standalone_html.FILE_CSS + _read("index_page.css"),
            "way_out": standalone_html.contents_link(contents),
            "body": body,
        },
    )


def _read(*names: str) -> str:
    return "\n".join((_HERE / name).read_text("utf-8") for name in names)
