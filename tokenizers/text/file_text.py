"""The text of a file: its encoding, told from the byte order mark, and its bytes as plain UTF-8.

A file without a mark is UTF-8. The mark is no part of the text, so it is removed.
"""

import codecs

from tokenizers.errors import UserError

_MARKS = (  # UTF-32's first mark begins with UTF-16's
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def detect_encoding(start: bytes) -> str:
    """Return the encoding of a text file, given its first four bytes or more.

    >>> detect_encoding("a".encode("utf-16")), detect_encoding("é".encode())
    ('UTF-16', 'UTF-8')
    """
    return next((name for mark, name in _MARKS if start.startswith(mark)), "UTF-8")


def to_utf8(data: bytes) -> bytes:
    """Return a text file's bytes as UTF-8 without a byte order mark; others stay as they are.

    Only files that begin with the mark of UTF-16 or UTF-32 are decoded, so a binary file or invalid
    UTF-8 is returned unchanged. Raises UserError if a marked file is not in its encoding.

    >>> to_utf8("[PAD]".encode("utf-16")), to_utf8("[PAD]".encode("utf-8-sig"))
    (b'[PAD]', b'[PAD]')
    """
    encoding = detect_encoding(data)
    if encoding == "UTF-8":
        return data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode(encoding).encode()
    except UnicodeError as error:
        at = getattr(error, "start", 0)
        raise UserError(
            f"The file is not UTF-8: it begins with the byte order mark of {encoding}, but byte "
            f"{at:,} is wrong. Save it as UTF-8."
        ) from error
