"""Files compressed with gzip, as CLIP's list of merges is published."""

import zlib
from collections.abc import Mapping

from tokenizers.errors import UserError

GZIP = b"\x1f\x8b"
MAX_BYTES = 64_000_000
"""The maximum size of a file when it is decompressed."""
_WITH_HEADER = 31  # zlib's number for gzip's header and check


def decompress_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files, those in gzip decompressed and without the `.gz` of their name.

    Raises UserError if one is damaged or too large.
    """
    return {
        name.removesuffix(".gz") if data.startswith(GZIP) else name: _decompressed(name, data)
        for name, data in files.items()
    }


def _decompressed(name: str, data: bytes) -> bytes:
    if not data.startswith(GZIP):
        return data
    reader = zlib.decompressobj(_WITH_HEADER)
    try:
        found = reader.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise UserError(
            f"{name} is compressed, but damaged. Download it again, or unpack it first."
        ) from error
    if not reader.eof:
        is_large = len(found) >= MAX_BYTES
        what = f"takes more than {MAX_BYTES // 10**6} MB unpacked" if is_large else "was cut off"
        raise UserError(f"{name} is compressed and {what}. Download it again, or another file.")
    return found
