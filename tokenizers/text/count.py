"""Count the words of local files that are too large to upload, in bounded memory.

    python -m tokenizers.text.count FILES… -o counts.parquet

Each line is a separate text, as for the libraries' trainers, and a pipeline splits it into words.
Whenever memory holds too many distinct words, the counts are written to disk, partitioned by the
word's hash; at the end each partition is aggregated by itself. The resulting table has the most
frequent words first. The training pages and `Corpus.from_counts` read it. To count on several
machines, see docs/counting. Files are UTF-8, or UTF-16 with a byte order mark.
"""

# pyarrow has no types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

import argparse
import heapq
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa
from pyarrow import compute, ipc, parquet

from tokenizers.errors import UserError
from tokenizers.text.corpus import Pipeline
from tokenizers.text.file_text import detect_encoding
from tokenizers.text.normalizers import NORMALIZERS
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS

CHUNK = 2_000_000  # characters counted at a time
MAX_LINE_LENGTH = 16_000_000  # characters
MAX_DISTINCT_WORDS = 500_000  # in memory
NUM_PARTITIONS = 64
ROWS_PER_BATCH = 50_000  # of a table
TABLE = pa.schema([("word", pa.string()), ("count", pa.int64())])
WordCount = tuple[str, int]


def count(
    files: Sequence[Path],
    out: Path,
    pipeline: Pipeline = Pipeline(),
    at_least: int = 1,
    chunk: int = CHUNK,
    max_distinct_words: int = MAX_DISTINCT_WORDS,
) -> int:
    """Write the words of the files with their counts to `out`; return the number of rows.

    Words that occur fewer than `at_least` times are left out. Raises UserError, naming the file, if
    a file is not UTF-8 or has a line of more than `MAX_LINE_LENGTH` characters.
    """
    with tempfile.TemporaryDirectory(dir=out.absolute().parent) as folder:
        partitions = [Path(folder) / str(number) for number in range(NUM_PARTITIONS)]
        _spill(_count_chunks(files, pipeline, chunk), partitions, max_distinct_words)
        for partition in partitions:
            _aggregate_partition(partition, at_least)
        rows = heapq.merge(*map(_rows, partitions), key=lambda row: (-row[1], row[0]))
        return write_table(rows, out)


def write_table(rows: Iterable[WordCount], out: Path) -> int:
    """Write words and counts to `out` as a Parquet table; return the number of rows."""
    left, written = iter(rows), 0
    with parquet.ParquetWriter(out, TABLE) as writer:
        while some := list(islice(left, ROWS_PER_BATCH)):
            writer.write_batch(_batch(some))
            written += len(some)
    return written


def read_table(path: Path) -> Iterator[WordCount]:
    """Yield the words and counts of a Parquet table, for `Corpus.from_counts`."""
    for batch in parquet.ParquetFile(path).iter_batches(ROWS_PER_BATCH, columns=TABLE.names):
        yield from _rows_of(batch)


def count_words(text: str, pipeline: Pipeline) -> Counter[str]:
    """Count the words of a text, line by line.

    >>> count_words("Low lower\\nlow", Pipeline(("lower",)))
    Counter({'low': 2, 'lower': 1})
    """
    return Counter(word for line in text.split("\n") for word in pipeline.words(line))


def _count_chunks(files: Sequence[Path], pipeline: Pipeline, chunk: int) -> Iterator[Counter[str]]:
    """Yield the word counts of each chunk of text, and print the progress."""
    size, done = sum(file.stat().st_size for file in files), 0
    chunks = (text for file in files for text in _chunks(file, chunk))
    at_once = 2 * (os.cpu_count() or 1)  # chunks in memory
    with ProcessPoolExecutor() as workers:
        while some := list(islice(chunks, at_once)):
            yield from workers.map(partial(count_words, pipeline=pipeline), some)
            done += sum(len(text.encode()) for text in some)
            print(f"\r{done / 1e6:,.0f} of {size / 1e6:,.0f} MB", end="", file=sys.stderr)
    print(file=sys.stderr)


def _chunks(path: Path, size: int) -> Iterator[str]:
    """Yield the text of a file in chunks of whole lines."""
    with path.open("rb") as start:
        encoding = detect_encoding(start.read(4))
    with path.open(encoding="utf-8-sig" if encoding == "UTF-8" else encoding) as file:
        try:
            while text := file.read(size):
                rest = file.readline(MAX_LINE_LENGTH)
                if len(rest) == MAX_LINE_LENGTH:
                    raise UserError(
                        f"“{path.name}” has a line of more than {MAX_LINE_LENGTH:,} characters. "
                        "Break it into lines."
                    )
                yield text + rest
        except UnicodeDecodeError as error:
            raise UserError(f"“{path.name}” is not {encoding} text. Save it as UTF-8.") from error


def _spill(
    counted: Iterable[Counter[str]], partitions: list[Path], max_distinct_words: int
) -> None:
    """Write the counts to the partitions, each time that memory holds too many words."""
    held: Counter[str] = Counter()
    with ExitStack() as stack:
        writers = [stack.enter_context(ipc.new_file(path, TABLE)) for path in partitions]
        for counts in counted:
            held.update(counts)
            if len(held) > max_distinct_words:
                _write_partitions(writers, held)
                held.clear()
        _write_partitions(writers, held)


def _write_partitions(writers: Sequence[ipc.RecordBatchFileWriter], counts: Counter[str]) -> None:
    parts: list[list[WordCount]] = [[] for _ in writers]
    for row in counts.items():
        parts[crc32(row[0].encode()) % len(parts)].append(row)
    for writer, rows in zip(writers, parts, strict=True):
        if rows:
            writer.write_batch(_batch(rows))


def _aggregate_partition(partition: Path, at_least: int) -> None:
    """Add up the counts of each word of a partition, the most frequent word first."""
    with ipc.open_file(partition) as file:
        table = file.read_all().group_by("word").aggregate([("count", "sum")])
    table = table.rename_columns(TABLE.names).select(TABLE.names)
    table = table.filter(compute.field("count") >= at_least)
    table = table.sort_by([("count", "descending"), ("word", "ascending")])
    with ipc.new_file(partition, TABLE) as writer:
        writer.write_table(table, max_chunksize=ROWS_PER_BATCH // NUM_PARTITIONS)


def _rows(partition: Path) -> Iterator[WordCount]:
    with ipc.open_file(partition) as file:
        for number in range(file.num_record_batches):
            yield from _rows_of(file.get_batch(number))


def _rows_of(batch: Any) -> Iterator[WordCount]:
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _batch(rows: list[WordCount]) -> Any:
    words, counts = zip(*rows, strict=True)
    return pa.record_batch([pa.array(words), pa.array(counts, pa.int64())], schema=TABLE)


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("-o", "--out", type=Path, required=True, help="the table, as Parquet")
    parser.add_argument("--normalize", nargs="*", default=(), choices=NORMALIZERS, metavar="NAME")
    parser.add_argument("--split", default="spaces", choices=PRE_TOKENIZERS)
    parser.add_argument("--at-least", type=int, default=1, help="leave out words seen less often")
    args = parser.parse_args()
    try:
        pipeline = Pipeline(tuple(args.normalize), args.split)
        rows = count(args.files, args.out, pipeline, args.at_least)
    except (UserError, OSError) as error:
        sys.exit(str(error))
    print(f"{args.out}: {rows:,} different words")


if __name__ == "__main__":
    main()
