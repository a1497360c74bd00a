"""Counting in bounded memory gives the counts of the whole text, however often it spills."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.errors import UserError
from tokenizers.text import count
from tokenizers.text.corpus import Corpus, Pipeline

ROOT = Path(__file__).resolve().parents[3]
WITH_DASK = ROOT / "docs" / "counting" / "count_with_dask.py"
LINES = st.lists(st.text("abäÄ 　😀.", max_size=12), max_size=30)


def by_hand(lines: Iterable[str], pipeline: Pipeline) -> list[tuple[str, int]]:
    """The table: every line cut by itself, the most frequent words first."""
    counts = Counter(word for line in lines for word in pipeline.words(line))
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count in this process: starting others takes a second for every example."""

    class Here:
        def __enter__(self) -> "Here":
            return self

        def __exit__(self, *_: object) -> None: ...

        map = staticmethod(map)

    monkeypatch.setattr(count, "ProcessPoolExecutor", Here)


@pytest.mark.usefixtures("here")
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(LINES, min_size=1, max_size=3),
    st.sampled_from([Pipeline(), Pipeline(("lower",), "gpt2"), Pipeline((), "metaspace")]),
    st.integers(1, 3),
    st.integers(1, 20),
    st.integers(0, 5),
)
def test_the_table_is_that_of_counting_line_by_line(
    tmp_path: Path, texts, pipeline, at_least, chunk, most_kinds
):
    files = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for file, lines in zip(files, texts, strict=True):
        file.write_text("\n".join(lines), encoding="utf-8")
    rows = count.count(files, tmp_path / "out", pipeline, at_least, chunk, most_kinds)
    wanted = [row for row in by_hand(chain(*texts), pipeline) if row[1] >= at_least]
    assert list(count.read_table(tmp_path / "out")) == wanted
    assert rows == len(wanted)
    assert not [path for path in tmp_path.iterdir() if path.is_dir()], "nothing is left behind"


@pytest.mark.usefixtures("here")
def test_what_cannot_be_counted_is_named(tmp_path: Path, monkeypatch):
    file = tmp_path / "latin.txt"
    file.write_bytes("süß".encode("latin-1"))
    with pytest.raises(UserError, match=r"“latin.txt” is not UTF-8"):
        count.count([file], tmp_path / "out")
    monkeypatch.setattr(count, "MAX_LINE_LENGTH", 10)
    file.write_text("low\n" + "x" * 30, encoding="utf-8")
    with pytest.raises(UserError, match="a line of more than 10 characters"):
        count.count([file], tmp_path / "out", chunk=5)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_encoding(tmp_path: Path, encoding: str):
    file, out = tmp_path / "a.txt", tmp_path / "counts.parquet"
    file.write_text("naïve low\nlow", encoding=encoding)
    count.count([file], out)
    assert list(count.read_table(out)) == [("low", 2), ("naïve", 1)]


def test_a_database_makes_the_same_table(tmp_path: Path):
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()
    lines = ["a first line, with a comma", '"quotes', "", r"back\slash", *lines]
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "all.txt").write_text("\n".join(lines), encoding="utf-8")
    told_how = (ROOT / "docs" / "counting" / "README.md").read_text(encoding="utf-8")
    sql = told_how.partition("```sql\n")[2].partition("```")[0]
    told("-c", f"import os, duckdb; os.chdir({str(tmp_path)!r}); duckdb.sql({sql!r})")
    assert list(count.read_table(tmp_path / "counts.parquet")) == by_hand(lines, Pipeline())


def told(*command: str | Path) -> str:
    """What a command prints."""
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=here, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_make_one_table_which_a_corpus_takes(tmp_path: Path):
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    text, out, with_dask = tmp_path / "text.txt", tmp_path / "counts", tmp_path / "with_dask"
    text.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")
    wanted = by_hand(lines, Pipeline())
    output = told("-m", "tokenizers.text.count", text, "-o", out)
    assert output == f"{out}: {len(wanted):,} different words\n"
    assert list(Corpus.from_counts(count.read_table(out)).word_counts.items()) == wanted
    text.write_text("\r\n".join(lines), encoding="utf-8")
    told(WITH_DASK, with_dask, text)
    assert list(count.read_table(with_dask)) == wanted
