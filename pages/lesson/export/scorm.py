"""Package a lesson's HTML file with a manifest, for learning platforms that support SCORM.

lms.js reports the score, the progress and the position to the platform. SCORM 1.2 and 2004 differ
in the manifest and in the names of the reported values; the HTML file is the same. The manifest's
schemas are not included because platforms have them.
"""

import io
import zipfile
from html import escape
from pathlib import Path

EDITIONS = ("1.2", "2004")
_HERE = Path(__file__).parent
_BEGINNING = (1980, 1, 1, 0, 0, 0)  # a fixed time, for reproducible packages


def package(file: str, title: str, slug: str, edition: str) -> bytes:
    """Return the zip package for a lesson's HTML file; `edition` is one of EDITIONS."""
    manifest = (_HERE / f"scorm-{edition}.xml").read_text("utf-8")
    for name, value in (("title", title), ("name", f"piece-by-piece-{slug}")):
        manifest = manifest.replace(f"{{{{{name}}}}}", escape(value))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (("imsmanifest.xml", manifest), ("index.html", file)):
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), text, zipfile.ZIP_DEFLATED)
    return zipped.getvalue()
