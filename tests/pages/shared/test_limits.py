"""The table of the server's limits on the page About is complete and correct."""

from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import limits
from pages.shared.training.source import CorpusSource, bounded_corpus
from pages.shared.work import worker
from pages.shared.work.pool import Pool
from tokenizers.text.corpus import Pipeline

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_about_lists_the_limits():
    app = AppTest.from_file(str(ROOT / "pages" / "about" / "page.py"), default_timeout=60).run()
    assert not app.exception
    shown = unescape(" ".join(element.proto.body for element in app.get("html")))
    for row in limits.table(20):
        assert all(cell in shown for cell in row), row
    assert "20 MB" in shown
    assert "1,000,000 characters" in shown


def test_the_listed_limits_are_enforced():
    source = CorpusSource(text="x " * limits.MAX_TEXT_CHARS)
    corpus, notes = bounded_corpus(source, Pipeline())
    assert corpus.num_words == limits.MAX_TEXT_CHARS / 2
    assert f"the first {limits.MAX_TEXT_CHARS:,} are used" in notes[0]
    cut, notes = bounded_corpus(CorpusSource(text="x" * (limits.MAX_WORD_CHARS + 5)), Pipeline())
    assert cut.word_counts == {"x" * limits.MAX_WORD_CHARS: 1, "xxxxx": 1}
    assert f"1 word longer than {limits.MAX_WORD_CHARS:,} characters is cut off there." in notes[0]
    assert worker.MAX_WORKER_BYTES == limits.MAX_WORKER_BYTES
    pool = Pool()
    kept = (pool._workers, pool._most_running, pool._most_kept, pool._stop_timeout)
    assert kept == (
        limits.WORKERS,
        limits.MAX_RUNNING,
        limits.MAX_CACHED_BYTES,
        limits.GRACE_SECONDS,
    )
    assert pytest.approx(1.5) == limits.MAX_WORKER_BYTES / 2**30
