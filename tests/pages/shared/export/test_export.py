"""Exports: traces, replayed by a script with the standard library alone; tables; links."""

import csv
import inspect
import io
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from pages.race import exports as race_taking
from pages.race.race import race
from pages.shared.export import replay, trace_json
from pages.shared.export.menu import links
from pages.shared.export.tables import ExportTable, as_csv, as_html
from pages.shared.training.source import CorpusSource
from tokenizers import bpe, plain, wordpiece
from tokenizers.bpe import merge_steps
from tokenizers.bpe.superwords import LINES, SuperwordSettings
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import CONVENTIONS, convention_settings
from tokenizers.wordpiece import top_down

ROOT = Path(__file__).parents[4]
WORDS = {"low": 5, "lower": 2, "newest": 6, "widest": 3, "aaaa": 2, "السلام": 2, "</script>": 1}


def replayed(record: dict, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the script in a separate process, without the app's modules."""
    path = folder / "trace.json"
    path.write_text(trace_json.as_json(record), encoding="utf-8")
    script = folder / "replay.py"
    script.write_text(replay.script(), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(script), str(path)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def of_bpe(**options) -> dict:
    settings = bpe.Settings(num_merges=12, **options)
    return trace_json.of_merging(Trace.record(Corpus.from_counts(WORDS), settings))


def of_wordpiece(**options) -> dict:
    settings = wordpiece.Settings(num_merges=12, **options)
    return trace_json.of_merging(Trace.record(Corpus.from_counts(WORDS), settings))


def of_encoding(dropout: bpe.Dropout | None = None) -> dict:
    trace = Trace.record(Corpus.from_counts(WORDS), bpe.Settings(num_merges=12))
    ranks = trace.model().ranks
    words = [(word, tuple(word), list(merge_steps(word, ranks, dropout))) for word in WORDS]
    return trace_json.of_merged_words(words, ranks.get) | {"dropout": bool(dropout)}


def of_matching() -> dict:
    trace = Trace.record(Corpus.from_counts(WORDS), wordpiece.Settings(num_merges=12))
    return trace_json.of_matched_words([*WORDS, "lowest", "ox"], trace.model().vocab, "##")


def of_lattice() -> dict:
    pieces = {"h": -1.0, "u": -2.0, "g": -1.5, "hu": -1.2, "ug": -1.1, "hug": -3.0}
    return trace_json.of_lattice(Lattice.build("hughug!", pieces, -9.0))


def of_unigram(name: str) -> dict:
    settings = convention_settings(name, 14)
    corpus = Corpus.from_counts({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5, "unhug": 2})
    return trace_json.of_unigram(UnigramTrace.record(corpus, settings))


def of_top_down(**options) -> dict:
    settings = top_down.TopDownSettings(24, min_threshold=1, **options)
    corpus = Corpus.from_counts(WORDS)
    return trace_json.of_top_down(corpus, settings, tuple(top_down.train(corpus, settings)))


def of_lines(**settings) -> dict:
    corpus = Corpus.from_text("low tide, low tide\nlow lower tides\nthe low tide\n", LINES)
    return trace_json.of_merging(Trace.record(corpus, SuperwordSettings(**settings)))


def of_superbpe() -> dict:
    return of_lines(crossing="after", inside=9)


def of_race(rule: str = "score", goal: int = 30) -> dict:
    return race_taking.race_trace(
        race(lambda done, total: False, CorpusSource(counts=WORDS), goal, rule)
    )


RECORDS = {
    "bpe": of_bpe,
    "bpe, end marks, short, by ids": lambda: of_bpe(
        base="end_of_word", max_token_length=3, ties="smallest_ids"
    ),
    "bpe of bytes, by string": lambda: of_bpe(base="bytes", ties="smallest_string", min_count=2),
    "bpe across spaces after some merges": of_superbpe,
    "bpe across spaces when words are used up": lambda: of_lines(crossing="after", inside=999),
    "bpe of whole words": lambda: of_lines(),
    "bpe of whole words, by ids": lambda: of_lines(ties="smallest_ids"),
    "wordpiece by score": of_wordpiece,
    "wordpiece by count": lambda: of_wordpiece(convention="hugging_face", ties="smallest_ids"),
    "an encoding": of_encoding,
    "an encoding with dropout": lambda: of_encoding(bpe.Dropout(0.4, seed=3)),
    "a longest match": of_matching,
    "a lattice": of_lattice,
    "from the top": of_top_down,
    "from the top, in one round": lambda: of_top_down(rounds=1, slack=0.0),
    "from the top, of few characters": lambda: of_top_down(max_characters=8),
    "a race": of_race,
    "a race by count": lambda: of_race("hugging_face", 50),
    "a race that is over at once": lambda: of_race(goal=1),
}


@pytest.mark.parametrize("name", RECORDS)
def test_the_script_replays_every_step(name: str, tmp_path: Path):
    done = replayed(RECORDS[name](), tmp_path)
    assert done.returncode == 0, done.stderr
    assert "each as it was recorded" in done.stdout


@pytest.mark.parametrize("name", CONVENTIONS)
def test_the_script_replays_unigram_by_every_convention(name: str, tmp_path: Path):
    done = replayed(of_unigram(name), tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_script_merges_and_matches_by_the_plain_code_as_it_stands():
    script = replay.script()
    for function in (plain.merge, plain.longest_match):
        assert script.count(inspect.getsource(function)) == 1


def changed(record: dict, *path: str | int, value: object) -> dict:
    """Return the trace with one nested value changed."""
    copy = json.loads(json.dumps(record))
    inner = copy
    for name in path[:-1]:
        inner = inner[name]
    assert inner[path[-1]] != value
    inner[path[-1]] = value
    return copy


FAULTS = {
    "a count": (of_bpe, ("steps", 3, "count"), 2, "step 4: the pair occurs"),
    "the number that tie": (of_bpe, ("steps", 3, "tied"), 9, "step 4: "),
    "what is made": (of_bpe, ("steps", 0, "token"), "x", "step 1 makes"),
    "the tie rule": (of_bpe, ("ties",), "smallest_string", "of those that tie"),
    "when spaces may be crossed": (of_superbpe, ("crossing", "inside"), 3, "is worth more"),
    "a wordpiece score": (of_wordpiece, ("steps", 1, "part_counts", 0), 1, "step 2: its parts"),
    "tokens left": (of_wordpiece, ("steps", 1, "num_tokens"), 1, "step 2: num_tokens"),
    "a merge": (of_encoding, ("words", 0, "steps", 0, "rank"), 11, "is not possible"),
    "a piece": (of_matching, ("words", 0, "steps", 0, "piece"), "x", "fits, not"),
    "a count from the top": (
        of_top_down,
        ("steps", 1, "candidates", 0, 1),
        99,
        "step 2: 'newest' has [6, 6, True]",
    ),
    "what a round keeps": (of_top_down, ("steps", 0, "size"), 1, "step 1: "),
    "a threshold": (of_top_down, ("steps", 4, "threshold"), 99, "step 5: the threshold"),
    "a vocabulary": (of_top_down, ("steps", 4, "vocab", 2), "x", "step 5: another vocabulary"),
    "a verdict": (of_top_down, ("steps", 4, "verdict"), "x", "step 5: "),
    "a merge of a race": (of_race, ("bpe", "steps", 0, "count"), 1, "step 1: the pair occurs"),
    "pieces in common": (of_race, ("positions", 3, "shared", 0), 99, "position 3: shared"),
    "tokens of WordPiece": (of_race, ("positions", 3, "tokens", 1), 1, "position 3: runner 1"),
    "tokens of Unigram": (of_race, ("positions", 3, "tokens", 2), 1, "position 3: runner 2"),
    "a value": (of_lattice, ("viterbi", 3), -1.0, "viterbi at position 3"),
    "a sum": (of_lattice, ("forward", 3), -1.0, "forward at position 3"),
    "a share": (of_lattice, ("edges", 1, "posterior"), 0.5, "has the share"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_script_finds_what_is_not_as_recorded(name: str, tmp_path: Path):
    make, path, value, message = FAULTS[name]
    done = replayed(changed(make(), *path, value=value), tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Not as recorded: ")
    assert message in done.stderr


@pytest.mark.parametrize(
    ("kind", "name"),
    [("expectation", "expected"), ("maximization", "log_probs"), ("seed", "log_probs")],
)
def test_the_script_finds_a_number_of_unigram_that_is_off(kind: str, name: str, tmp_path: Path):
    record = of_unigram("textbook")
    at = next(n for n, step in enumerate(record["steps"]) if step["step"] == kind)
    piece = next(iter(record["steps"][at][name]))
    value = record["steps"][at][name][piece] + 0.001
    done = replayed(changed(record, "steps", at, name, piece, value=value), tmp_path)
    assert done.returncode == 1
    assert f"step {at + 1}" in done.stderr


def test_the_script_finds_a_pruning_out_of_order(tmp_path: Path):
    record = of_unigram("textbook")
    at = next(n for n, step in enumerate(record["steps"]) if step["step"] == "pruning")
    record["steps"][at]["order"].reverse()
    done = replayed(record, tmp_path)
    assert done.returncode == 1
    assert f"step {at + 1}" in done.stderr


# ---- the schema ----


@pytest.mark.parametrize("record", [*RECORDS.values(), lambda: of_unigram("sentencepiece")])
def test_a_trace_conforms_to_its_schema(record):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs/trace.schema.json").read_text("utf-8"))
    written = json.loads(trace_json.as_json(record()))
    jsonschema.validate(written, schema)
    written["steps" if "steps" in written else "version"] = "x"
    assert not jsonschema.validators.validator_for(schema)(schema).is_valid(written)


def test_a_trace_has_nothing_unseen_in_it():
    text = "a\u202e\ud800</script>"
    written = trace_json.as_json(trace_json.of_lattice(Lattice.build(text, {}, -1.0)))
    assert written.isascii()
    assert json.loads(written)["text"] == text


# ---- tables ----


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", " =1", "\t=1", "\r=1"])
def test_a_spreadsheet_computes_nothing(text: str):
    row = as_csv(ExportTable("t", ("piece",), [(text,)])).decode("utf-8-sig").splitlines()[1]
    assert row.lstrip('"').startswith(("'", "⇥", "⟨"))


def test_a_table_is_one_row_a_line_whatever_is_in_it():
    texts = ['a"b', "a,b", "a\nb", "a\u202eb", "\ud800", "a\0b", "é"]
    data = as_csv(ExportTable("t", ("n", "piece"), list(enumerate(texts))))
    assert data.startswith(b"\xef\xbb\xbfn,piece\r\n")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    shown = ['a"b', "a,b", "a⏎b", "a⟨U+202E⟩b", "⟨U+D800⟩", "a⟨U+0000⟩b", "é"]
    assert rows[1:] == [[str(n), text] for n, text in enumerate(shown)]


def test_a_table_in_a_file_is_text_alone():
    html = as_html(ExportTable("<b>", ("<i>",), [("</td><script>",), (-math.inf,)], by_step=False))
    assert "<b>" not in html
    assert "<i>" not in html
    assert "<script>" not in html


# ---- links ----


def test_the_qr_code_of_a_url_is_a_picture_or_none():
    code = links.qr_code("http://127.0.0.1:8501/race?step=3")
    assert code is not None
    assert code.startswith(b"\x89PNG\r\n\x1a\n")
    assert links.qr_code("http://x/?" + "a" * 2_953) is None  # bytes, the most that a code holds


def test_a_frame_is_one_element_for_any_url():
    html = links.frame("http://x/race", {"text": '"><script>alert(1)</script>'}, '"><b>')
    assert html.count("<") == 2
    assert "embed=true" in html
