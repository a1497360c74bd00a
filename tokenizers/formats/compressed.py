"""Files compressed with gzip, as CLIP's list of merges is published."""

import zlib
from collections.abc import Mapping

from tokenizers.errors import UserError
from tokenizers.limits import MAX_FILE_BYTES

GZIP = b"\x1f\x8b"
_WITH_HEADER = 31  # zlib's number for gzip's header and check


def decompress_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files, those in gzip decompressed and without the `.gz` of their name.

    Raises UserError if one is damaged, or if they take more than MAX_FILE_BYTES together.
    """
    found: dict[str, bytes] = {}
    room = MAX_FILE_BYTES
    for name, data in files.items():
        if not data.startswith(GZIP):
            found[name] = data
            continue
        unpacked = _decompressed(name, data, room)
        room -= len(unpacked)
        found[name.removesuffix(".gz")] = unpacked
    return found


def _decompressed(name: str, data: bytes, room: int) -> bytes:
    reader = zlib.decompressobj(_WITH_HEADER)
    try:
        found = reader.decompress(data, room + 1)
    except zlib.error as error:
        raise UserError(
            f"{name} is compressed, but damaged. Download it again, or unpack it first."
        ) from error
    if not reader.eof or len(found) > room:
        is_large = len(found) > room
        what = f"takes more than {MAX_FILE_BYTES >> 20} MB unpacked" if is_large else "was cut off"
        raise UserError(f"{name} is compressed and {what}. Download it again, or another file.")
    return found
