"""CSV tables of words and counts: the exchange format for corpora of any size.

Cells are separated by commas, or else by tabs or semicolons, as the first row shows. If the first
line contains the column names `word` and `count`, those two columns are used; otherwise the first
two columns are used. Parquet tables are read in `count.py`.
"""

import csv
import heapq
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from tokenizers.errors import UserError
from tokenizers.text.corpus import Corpus

_NEEDS_QUOTES = re.compile(r'[,"\r\n]')


def read_counts(text: str) -> dict[str, int]:
    """Return the words of a CSV table with their counts; a repeated word's counts are added up.

    >>> read_counts("word,count\\nlow,5\\nlower,2\\n"), read_counts("low;5\\na,b;2\\n")
    ({'low': 5, 'lower': 2}, {'low': 5, 'a,b': 2})

    Raises UserError, naming the row or the word, for an invalid word or count.
    """
    text = text.removeprefix("\ufeff")
    try:
        rows = [row for row in _rows(text, _separator(text)) if any(row)]
    except csv.Error as error:
        raise UserError(f"The table cannot be read as CSV: {error}.") from error
    if not rows:
        return {}
    names = [name.strip().lower() for name in rows[0]]
    if "word" in names and "count" in names:
        word, count, first = names.index("word"), names.index("count"), 1
    else:
        word, count, first = 0, 1, 0
    pairs = [_pair(row, word, count, n) for n, row in enumerate(rows[first:], start=1)]
    return dict(Corpus.from_counts(pairs).word_counts)


_SEPARATORS = (",", "\t", ";")
_BEGINNING = 100_000
"""The first row is looked for within this many characters."""


def _rows(text: str, separator: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=separator)


def _separator(text: str) -> str:
    """Return what separates the cells: with it, the first row has a count or both names."""
    beginning = text[:_BEGINNING].lstrip("\r\n")
    for separator in _SEPARATORS:
        row = next(_rows(beginning, separator), list[str]())
        names = {name.strip().lower() for name in row}
        if {"word", "count"} <= names or (len(row) > 1 and not isinstance(_number(row[1]), str)):
            return separator
    return _SEPARATORS[0]


def _pair(row: list[str], word: int, count: int, number: int) -> tuple[str, Any]:
    if len(row) <= max(word, count):
        raise UserError(
            f"Row {number} of the table has {len(row)} of the columns word and count. "
            "Write each row as word,count."
        )
    return row[word], _number(row[count].strip())


def _number(text: str) -> Any:
    """Return `text` as a number, or unchanged if it isn't one (`Corpus.from_counts` rejects it)."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def write_counts(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """Return a CSV table that `read_counts` can read.

    >>> write_counts({"low": 5, "a,b": 2})
    'word,count\\nlow,5\\n"a,b",2\\n'
    """
    rows = cast(Mapping[str, int], counts).items() if isinstance(counts, Mapping) else counts
    return "".join(f"{_cell(word)},{_cell(count)}\n" for word, count in [("word", "count"), *rows])


def most_frequent(
    counts: Iterable[tuple[str, Any]], most: int
) -> tuple[list[tuple[str, Any]], int, float]:
    """Return the `most` rows with the largest counts, in their original order.

    Among tied rows, the first are kept. Also returns the number of all rows, and the fraction of
    the total count that the kept rows have (NaN if there are no rows). Invalid rows are kept before
    all others, so that the reader reports them. Memory holds at most `most` rows.

    >>> most_frequent([("a", 1), ("low", 6), ("b", 1)], 2)
    ([('a', 1), ('low', 6)], 3, 0.875)
    """
    number, total = 0, 0.0
    kept: list[tuple[float, int, str, Any]] = []
    for number, (word, count) in enumerate(counts, start=1):
        total += (size := _size(word, count))
        row = (size, -number, word, count)
        if len(kept) < most:
            heapq.heappush(kept, row)
        elif kept[0] < row:
            heapq.heapreplace(kept, row)
    kept.sort(key=lambda row: -row[1])
    part = sum(row[0] for row in kept) / total if total else math.nan
    return [(word, count) for _, _, word, count in kept], number, part


def _size(word: str, count: Any) -> float:
    """Return the count as a sort key; infinity for an invalid row."""
    try:
        size = float(count)
    except (TypeError, ValueError, OverflowError):
        return math.inf
    return size if word and size >= 1 and size.is_integer() else math.inf


def _cell(value: object) -> str:
    """Return a cell, quoted where necessary; `csv` itself would not quote a lone \\r."""
    text = str(value)
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text
