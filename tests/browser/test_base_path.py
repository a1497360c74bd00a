"""Behind a proxy the app may live under a path: every link that we write stays under it.

All links of the lessons, the claims and the page about the app are followed over HTTP; no browser
is needed. Streamlit's own links, in the navigation, are left out.
"""

import re
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from lessons import LESSONS, lesson
from lessons.claims import CLAIMS, check_claim
from pages.lesson.text import html_prose
from pages.shared.routes import NAVIGATION
from pages.sources.claims import html_claim

BASE = "pieces"
ADDRESSES = {path for rows in NAVIGATION.values() for path in rows} | {""}
ABOUT = Path(__file__).parents[2] / "pages/about/about.md"


def links(html: str) -> set[str]:
    return {unescape(target) for target in re.findall(r'href="([^"]*)"', html)}


def written() -> dict[str, set[str]]:
    """Every link within the app, by the page that it stands on."""
    prose = [html_prose(stop.prose) for slug in LESSONS for stop in lesson(slug).stops]
    found = {
        "lessons": links("".join(prose)),
        "sources": links("".join(html_claim(check_claim(claim)) for claim in CLAIMS.values())),
        "about": set(re.findall(r"\]\(([^)\s]+)\)", ABOUT.read_text(encoding="utf-8"))),
    }
    return {page: {one for one in all_ if not urlsplit(one).netloc} for page, all_ in found.items()}


def status(connection: HTTPConnection, path: str) -> int:
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def test_every_link_stays_under_the_base_path(new_server):
    with new_server("app.py", base=BASE) as url:
        connection = HTTPConnection(urlsplit(url).netloc)
        known: dict[str, int] = {}
        wrong = []
        for page, targets in written().items():
            for target in sorted(targets):
                path = urlsplit(urljoin(f"{url}/{page}", target)).path
                if path not in known:
                    known[path] = status(connection, path)
                if known[path] != 200 or path.removeprefix(f"/{BASE}/") not in ADDRESSES:
                    wrong.append((page, target, path, known[path]))
        connection.request("GET", f"/{BASE}/start?text=low")
        answer = connection.getresponse()
        led = urlsplit(urljoin(f"{url}/start", answer.headers["location"]))
        connection.close()
    assert (answer.status, led.path, led.query) == (307, f"/{BASE}/", "text=low")
    assert wrong == []
    assert len(known) > 10
