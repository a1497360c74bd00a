"""The export catalog of each page: every file can be made, and every trace replayed."""

from pathlib import Path

import pytest

from pages.bpe import exports as of_bpe
from pages.lattice import exports as of_lattice
from pages.race import exports as of_race
from pages.race.frames import run_race
from pages.real import exports as of_real
from pages.shared.export.catalog import ExportCatalog, ExportItem
from pages.shared.export.replay.running import main
from pages.shared.export.tables import as_csv, as_html
from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.words import words_of
from pages.shared.work import results
from pages.unigram import exports as of_unigram
from pages.wordpiece import exports as of_wordpiece
from pages.wordpiece import runs
from tokenizers import bpe, wordpiece
from tokenizers.lattice import Lattice
from tokenizers.lattice.n_best import segmentations
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings
from tokenizers.wordpiece import top_down

WORDS = Corpus.from_counts({"low": 5, "lower": 2, "newest": 6, "widest": 3})
TEXT = "lowest newcomer"


def bpe_training(**options) -> ExportCatalog:
    trace = Trace.record(WORDS, bpe.Settings(num_merges=8, **options))
    return of_bpe.merging_exports(trace, 5)


def wordpiece_training() -> ExportCatalog:
    return of_bpe.merging_exports(Trace.record(WORDS, wordpiece.Settings(num_merges=8)), 0)


def bpe_encoding(dropout: bpe.Dropout | None = None) -> ExportCatalog:
    model = Trace.record(WORDS, bpe.Settings(num_merges=8)).model()
    words = model.pipeline(TEXT).words
    return of_bpe.encoding_exports(words, bpe.encode(TEXT, model, dropout), model, dropout)


def wordpiece_encoding() -> ExportCatalog:
    model = Trace.record(WORDS, wordpiece.Settings(num_merges=8)).model()
    words = [*model.pipeline(TEXT).words, "l" * 101]
    return of_wordpiece.encoding_exports(words, wordpiece.encode(TEXT, model), model)


def from_the_top() -> ExportCatalog:
    settings = top_down.TopDownSettings(20, min_threshold=1)
    counts = CorpusSource(counts=WORDS.word_counts)
    run = runs.train_top_down(lambda done, total: False, counts, WORDS.pipeline, settings)
    vocab = wordpiece.vocabulary(run.vocab)
    model = wordpiece.Model(vocab, wordpiece.Settings(), WORDS.pipeline)
    return of_wordpiece.top_down_exports(run, settings, model)


def unigram_training() -> ExportCatalog:
    return of_unigram.training_exports(
        UnigramTrace.record(WORDS, convention_settings("textbook", 14))
    )


def a_lattice() -> ExportCatalog:
    lattice = Lattice.build("hug!", {"h": -1, "ug": -1, "u": -3, "g": -3, "hu": -9}, -9.0)
    return of_lattice.lattice_exports(lattice, lattice, list(segmentations(lattice)))


def a_race() -> ExportCatalog:
    text = CorpusSource(text="the lower the tide, the wider the shore; the lowest tides are slow")
    return of_race.race_exports(run_race(lambda done, total: False, text, 40, "score", ""))


def real(name: str) -> ExportCatalog:
    model, text = PublishedTokenizer(name), "unbelievably naïve"
    word = words_of(model.loaded, text)[0]
    return of_real.of_word(model, word, model.encode(text), results.call)


REAL = ("gpt2", "cl100k", "bert-uncased", "mistral-v1", "unigram-english")
OFFERS = {
    "bpe": bpe_training,
    "bpe of bytes": lambda: bpe_training(base="bytes"),
    "wordpiece": wordpiece_training,
    "bpe encoding": bpe_encoding,
    "bpe dropout": lambda: bpe_encoding(bpe.Dropout(0.5, seed=2)),
    "bpe dropout for good": lambda: bpe_encoding(bpe.Dropout(0.5, seed=2, for_good=True)),
    "wordpiece encoding": wordpiece_encoding,
    "from the top": from_the_top,
    "unigram": unigram_training,
    "lattice": a_lattice,
    "race": a_race,
    **{name: lambda name=name: real(name) for name in REAL},
}


def made_or_failed(item: ExportItem) -> bytes:
    """Return the file, or the error message of its format."""
    try:
        made = item.make()
    except ValueError as error:
        message = str(error)
        assert item.may_fail, message
        assert message.endswith("."), message
        return message.encode()
    return made if isinstance(made, bytes) else made.encode()


@pytest.mark.parametrize("name", OFFERS)
def test_every_file_is_made_or_fails_with_a_message(name: str, tmp_path: Path, capsys):
    offer = OFFERS[name]()
    items = offer.all_items()
    assert len({item.label for item in items}) == len({item.name for item in items}) == len(items)
    for item in items:
        made = made_or_failed(item)
        assert made
        (tmp_path / item.name).write_bytes(made)
    if (tmp_path / "trace.json").exists():
        main(str(tmp_path / "trace.json"))
        assert "0 steps" not in capsys.readouterr().out


@pytest.mark.parametrize("name", OFFERS)
def test_every_table_is_whole(name: str):
    for title, make in OFFERS[name]().tables.items():
        table = make()
        assert table.name == title
        assert table.rows
        assert all(len(row) == len(table.columns) for row in table.rows)
        assert as_csv(table).count(b"\r\n") == len(table.rows) + 1
        assert as_html(table).count("<tr") == len(table.rows) + 1
