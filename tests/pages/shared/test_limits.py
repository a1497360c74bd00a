"""Every limit of the server stands in one table, on the page About, as it is kept."""

from html import unescape
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import limits
from pages.shared.training.source import Source, bounded
from pages.shared.work import worker
from pages.shared.work.pool import Pool
from tokenizers.text.corpus import Pipeline

ROOT = Path(__file__).resolve().parents[3]


def test_the_page_about_lists_what_the_server_takes():
    app = AppTest.from_file(str(ROOT / "pages" / "about" / "page.py"), default_timeout=60).run()
    assert not app.exception
    shown = unescape(" ".join(element.proto.body for element in app.get("html")))
    for row in limits.table(20):
        assert all(cell in shown for cell in row), row
    assert "20 MB" in shown
    assert "1,000,000 characters" in shown


def test_what_is_listed_is_what_is_kept():
    source = Source(text="x " * limits.LONGEST_TEXT)
    corpus, notes = bounded(source, Pipeline())
    assert corpus.num_words == limits.LONGEST_TEXT / 2
    assert f"the first {limits.LONGEST_TEXT:,} are used" in notes[0]
    cut, notes = bounded(Source(text="x" * (limits.LONGEST_WORD + 5)), Pipeline())
    assert cut.word_counts == {"x" * limits.LONGEST_WORD: 1, "xxxxx": 1}
    assert f"1 word longer than {limits.LONGEST_WORD:,} characters is cut off there." in notes[0]
    assert worker.MOST_MEMORY == limits.MOST_MEMORY
    pool = Pool()
    kept = (pool._workers, pool._most_running, pool._most_kept, pool._patience)
    assert kept == (limits.WORKERS, limits.MOST_RUNNING, limits.MOST_KEPT, limits.UNHEEDED)
    assert pytest.approx(1.5) == limits.MOST_MEMORY / 2**30
