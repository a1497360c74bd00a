"""Uploaded files as text: a text file as it is, a table of counts as CSV.

Raises ValueError with a sentence for the person who chose the file; what was there before stays.
"""

import io
from typing import Any

import pandas as pd

from tokenizers.text.counts import read_counts, write_counts

TEXT_TYPES = ("txt", "md", "csv", "tsv", "json", "html", "py", "log")
TABLE_TYPES = ("csv", "parquet")


def text_of_file(content: bytes, name: str) -> str:
    """Return the text of a UTF-8 (or, with a byte order mark, UTF-16) file."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding, label = "utf-16", "UTF-16"
    else:
        encoding, label = "utf-8-sig", "UTF-8"
        if b"\0" in content:
            raise ValueError(f"“{name}” is not a text file. Choose a file of plain text.")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"Line {line} of “{name}” is not {label} text. "
            "Save the file as UTF-8 and choose it again."
        ) from None


def table_of_file(content: bytes, name: str) -> str:
    """Return a table of words and counts as CSV, from CSV or Parquet."""
    if name.lower().endswith(".parquet"):
        return _from_parquet(content, name)
    text = text_of_file(content, name)
    read_counts(text)
    return text


def _from_parquet(content: bytes, name: str) -> str:
    try:
        table = pd.read_parquet(io.BytesIO(content))
    except (OSError, ValueError) as error:  # pyarrow's errors are kinds of these two
        raise ValueError(
            f"“{name}” is not a Parquet file that can be read. Write it again, or use CSV."
        ) from error
    columns = {str(column).strip().lower(): column for column in table.columns}
    if not {"word", "count"} <= columns.keys():
        found = ", ".join(map(str, table.columns[:8])) or "none"
        raise ValueError(f"“{name}” needs the columns word and count; it has: {found}.")
    words, counts = (_cells(table[columns[name]]) for name in ("word", "count"))
    text = write_counts(zip(words, counts, strict=True))
    read_counts(text)
    return text


def _cells(column: Any) -> list:
    """Return the values of a column; what is missing is empty, and not the word "nan"."""
    return column.astype(object).where(column.notna(), "").tolist()
