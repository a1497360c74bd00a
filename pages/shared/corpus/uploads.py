"""Read uploaded files, which are texts or tables of counts; tables are converted to CSV.

The functions raise UserError if a file cannot be used; the app then keeps the previous text or
table. Tables are read in a worker (`read_table`) because a small Parquet file can hold a very large
table and a damaged one can crash the process. Words must be strings and counts numbers; nested and
binary columns are rejected. The worker bounds the memory in case the file's metadata is wrong.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pages.shared.limits import MAX_TABLE_BYTES, MAX_TABLE_ROWS
from pages.shared.training.source import most_used
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback
from tokenizers.text.counts import read_counts, write_counts
from tokenizers.text.file_text import detect_encoding

TEXT_TYPES = ("txt", "md", "csv", "tsv", "json", "html", "py", "log")
TABLE_TYPES = ("csv", "tsv", "parquet")
AT_ONCE = 200_000  # rows of a table in memory


def content_of(file: Any) -> bytes | None:
    """Return an uploaded file's content; None if there is no file or the user has removed it."""
    return file.getvalue() if isinstance(file, io.BytesIO) else None


def text_of_file(content: bytes, name: str) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 or UTF-32 with a byte order mark."""
    encoding = detect_encoding(content)
    if encoding == "UTF-8" and b"\0" in content:
        raise UserError(f"“{name}” is not a text file. Choose a file of plain text.")
    try:
        return content.decode("utf-8-sig" if encoding == "UTF-8" else encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UserError(
            f"Line {line} of “{name}” is not {encoding} text. "
            "Save the file as UTF-8 and choose it again."
        ) from None


@dataclass(frozen=True, slots=True)
class CountTable:
    """A table of words and counts as CSV; `left_out` is a note on omitted rows, or ""."""

    text: str
    left_out: str = ""


def read_table(report: ProgressCallback, content: bytes, name: str) -> CountTable:
    """Call `table_of_file` in a worker and return its table."""
    report(0, 1)
    return table_of_file(content, name)


def table_of_file(content: bytes, name: str) -> CountTable:
    """Return the table in a CSV or Parquet file; of a large table, only the most frequent words."""
    if name.lower().endswith(".parquet"):
        table = _from_parquet(content, name)
        read_counts(table.text)
        return table
    text = text_of_file(content, name)
    kept, left_out = most_used(f"“{name}”", read_counts(text).items())
    return CountTable(write_counts(kept), left_out) if left_out else CountTable(text)


def _from_parquet(content: bytes, name: str) -> CountTable:
    import pyarrow as pa  # only the worker needs it, and only here
    from pyarrow import parquet

    try:
        # Repeated words stay dictionary-encoded: they take no memory until their size is checked.
        columns = _columns(parquet.ParquetFile(io.BytesIO(content)), name)
        file = parquet.ParquetFile(io.BytesIO(content), read_dictionary=[columns[0]])
        kept, left_out = most_used(f"“{name}”", _rows(file, columns, name))
        return CountTable(write_counts(kept), left_out)
    except (UserError, MemoryError):
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        raise UserError(
            f"“{name}” is not a readable Parquet file. Save it again, or use CSV."
        ) from error


def _columns(file: Any, name: str) -> list[str]:
    """Return the two columns' names in the file. Raises UserError if the file can't be used."""
    called = {str(field.name).strip().lower(): field for field in file.schema_arrow}
    if not {"word", "count"} <= called.keys():
        found = ", ".join(file.schema_arrow.names[:8]) or "none"
        raise UserError(f"“{name}” needs the columns word and count; it has: {found}.")
    for column in ("word", "count"):
        _check_type(called[column], column, name)
    _check_size(file.metadata, name)
    return [called[column].name for column in ("word", "count")]


def _check_type(field: Any, column: str, name: str) -> None:
    from pyarrow import types

    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    if types.is_nested(kind) or "binary" in str(kind):
        what = "texts" if column == "word" else "numbers"
        raise UserError(
            f"The column {column} of “{name}” holds {kind}. Write a table in which it holds {what}."
        )


def _check_size(metadata: Any, name: str) -> None:
    """Raise UserError if the metadata says that the file is too large to be unpacked."""
    if metadata.num_rows > MAX_TABLE_ROWS:
        raise UserError(
            f"“{name}” has {metadata.num_rows:,} rows; at most {MAX_TABLE_ROWS:,} are read. "
            "Keep the most frequent words."
        )
    groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
    parts = [group.column(n) for group in groups for n in range(group.num_columns)]
    wanted = ("word", "count")
    used = [part for part in parts if part.path_in_schema.strip().lower() in wanted]
    _check_bytes(sum(part.total_uncompressed_size for part in used), name)


def _check_bytes(size: int, name: str) -> None:
    if size > MAX_TABLE_BYTES:
        raise UserError(
            f"The words and counts of “{name}” take {size / 1e6:,.0f} MB unpacked; at most "
            f"{MAX_TABLE_BYTES / 1e6:,.0f} MB are read. Keep the most frequent words."
        )


def _rows(file: Any, columns: list[str], name: str) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of a word and its count; missing values become empty strings."""
    size = 0
    for batch in file.iter_batches(AT_ONCE, columns=columns):
        words, counts = (batch.column(column) for column in columns)
        found = _decoded(words) if hasattr(words, "dictionary") else words.to_pylist()
        size += sum(len(word) for word in found if isinstance(word, str))
        _check_bytes(size, name)
        for word, count in zip(found, counts.to_pylist(), strict=True):
            yield "" if word is None else word, "" if count is None else count


def _decoded(words: Any) -> list[str | None]:
    """Decode a dictionary-encoded column without copying each word."""
    known = words.dictionary.to_pylist()
    return [None if n is None else known[n] for n in words.indices.to_pylist()]
