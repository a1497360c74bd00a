"""Package lessons' HTML files with a manifest, for learning platforms that support SCORM.

lms.js reports the score, the progress and the position to the platform. SCORM 1.2 and 2004 differ
in the manifest and in the names of the reported values; the HTML files are the same. The manifest's
schemas are not included because platforms have them.
"""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path

from pages.shared.export.zipped import zip_files

EDITIONS = ("1.2", "2004")
_HERE = Path(__file__).parent
_ITEM = '<item identifier="lesson{n}" identifierref="file{n}"><title>{title}</title></item>'
_RESOURCE = (
    '<resource identifier="file{n}" type="webcontent" adlcp:{kind}="sco" href="{file}">'
    '<file href="{file}"/></resource>'
)
_FIELD = re.compile(r"\{\{(\w+)\}\}")
_KINDS = {"1.2": "scormtype", "2004": "scormType"}


def package(file: str, title: str, slug: str, edition: str) -> bytes:
    """Return the zip package for a lesson's HTML file; `edition` is one of EDITIONS."""
    return package_all([("index.html", title, file)], title, slug, edition)


def package_all(
    files: Sequence[tuple[str, str, str]], title: str, slug: str, edition: str
) -> bytes:
    """Return the zip package for several lessons, each a (file name, title, HTML) of its own.

    The platform lists them in this order and keeps a score for each.
    """
    parts = [
        {"n": f"{n}" if n else "", "title": escape(name), "file": escape(file)}
        for n, (file, name, _) in enumerate(files)
    ]
    manifest = (_HERE / f"scorm-{edition}.xml").read_text("utf-8")
    filled = {
        "title": escape(title),
        "name": escape(f"piece-by-piece-{slug}"),
        "items": "\n      ".join(_ITEM.format(**part) for part in parts),
        "resources": "\n    ".join(
            _RESOURCE.format(**part, kind=_KINDS[edition]) for part in parts
        ),
    }
    manifest = _FIELD.sub(lambda field: filled[field[1]], manifest)
    return zip_files([("imsmanifest.xml", manifest), *((name, html) for name, _, html in files)])
