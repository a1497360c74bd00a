"""Zip files that are the same whenever their contents are."""

import io
import zipfile
from collections.abc import Iterable

_BEGINNING = (1980, 1, 1, 0, 0, 0)  # a fixed time, for reproducible archives


def zip_files(files: Iterable[tuple[str, str]]) -> bytes:
    """Return a zip of (name, text) files."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(zipfile.ZipInfo(name, _BEGINNING), text, zipfile.ZIP_DEFLATED)
    return zipped.getvalue()
