"""A lesson as a package for a learning platform: its file, and a manifest that names it.

The platform is told the score, what has been seen, and where to go on (lms.js). SCORM 1.2 and
2004 differ in the manifest and in the names of what is told; the file is the same.
Left out: the schemas that the manifest is written by, which platforms have.
"""

import io
import zipfile
from html import escape
from pathlib import Path

EDITIONS = ("1.2", "2004")
_HERE = Path(__file__).parent
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # the same lesson is the same package, whenever it is made


def package(file: str, title: str, slug: str, edition: str) -> bytes:
    """Return the zip of a lesson's file; `edition` is one of EDITIONS."""
    manifest = (_HERE / f"scorm-{edition}.xml").read_text("utf-8")
    for name, value in (("title", title), ("name", f"piece-by-piece-{slug}")):
        manifest = manifest.replace(f"{{{{{name}}}}}", escape(value))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (("imsmanifest.xml", manifest), ("index.html", file)):
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), text, zipfile.ZIP_DEFLATED)
    return zipped.getvalue()
