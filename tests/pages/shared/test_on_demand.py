"""Frames made on demand: a window is the same whenever and in whichever order it is made."""

import asyncio
import json
import pickle
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from lessons.models import open_model
from pages.bpe import runs as bpe_runs
from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import PARTS, BpeFrames, record_bpe_training
from pages.essay.best_split_figure import best_splits_recording
from pages.lattice.backward import record_backward
from pages.lattice.building import record_building
from pages.lattice.filling import record_filling
from pages.lattice.listing import record_listing
from pages.lattice.sampling import record_sampling
from pages.race.frames import run_race
from pages.real.frames import word_recording
from pages.serving import frames as serve_window
from pages.shared.player import build_message
from pages.shared.recording import packing, registry
from pages.shared.recording.code import MERGE_LOOP
from pages.shared.recording.merging import top_indices
from pages.shared.recording.packing import make_whole
from pages.shared.synced_state import sync
from pages.shared.training.source import CorpusSource
from pages.unigram.frames.training_frames import record_unigram_training
from pages.what_if import unigram_runs
from pages.what_if.changes import train_changed
from pages.what_if.two_runs import CountChange
from pages.wordpiece import runs as wordpiece_runs
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from tests.call_counts import examples
from tests.parity.corpora import english_prose
from tests.recordings import opened, record_frames
from tokenizers import bpe, wordpiece
from tokenizers.lattice import Lattice
from tokenizers.lattice.sampling import Sampler
from tokenizers.progress import ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.runtime.inspection.encoders import Merging
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import convention_settings
from tokenizers.wordpiece import top_down

WORDS = st.text("abc", min_size=1, max_size=9)
CORPORA = st.dictionaries(WORDS, st.integers(1, 9), min_size=1, max_size=9)
SETTINGS = [
    bpe.Settings(num_merges=40),
    bpe.Settings("bytes", num_merges=9, max_token_length=3),
    wordpiece.Settings(num_merges=40),
    wordpiece.Settings(num_merges=9, min_count=3),
    wordpiece.Settings(num_merges=40, convention="hugging_face"),
]


def recorded(words, settings, follow=""):
    """Return a recording, or one of two runs if a `CountChange` is to be followed."""
    pages: Any = bpe_runs if isinstance(settings, bpe.Settings) else wordpiece_runs
    source = CorpusSource(counts=words)
    if isinstance(follow, CountChange):
        whole = Trace.record(Corpus.from_counts(words), settings)
        return train_changed(ignore_progress, whole, follow)[1]
    return pages.train(ignore_progress, source, Pipeline(), settings, follow).recording


def lattice_of(words):
    pieces = {piece: -1.0 - n % 3 for n, piece in enumerate([*words, *"abc", "ab", "bca"])}
    return Lattice.build("".join(words)[:9], pieces)


def unigram_trace(words):
    settings = convention_settings("textbook", 6, seed="substrings", prunings=2)
    return UnigramTrace.record(Corpus(words), settings)


def encoded(words, follow, settings):
    model = Trace.record(Corpus(words), settings).model()
    texts = [*words, follow, "".join(words)]
    if isinstance(settings, wordpiece.Settings):
        return record_wordpiece_encoding(texts, model)
    return record_bpe_encoding(texts, model, bpe.Dropout(0.3, 1) if len(words) % 2 else None)


def top_down_run(words, follow):
    settings = top_down.TopDownSettings(vocab_size=8)
    source = CorpusSource(counts=words)
    return wordpiece_runs.train_top_down(ignore_progress, source, Pipeline(), settings).recording


def two_unigram_runs(words, follow):
    change = CountChange(next(iter(words)), 20)
    return unigram_runs.train_changed(ignore_progress, unigram_trace(words), change)[1]


def by_merges_of_file(words, follow):
    model = open_model("gpt2").model
    assert isinstance(model, Merging)
    return word_recording(follow, "".join(words), model, str.upper)


def race_of(words, follow):
    source = CorpusSource(counts=words)
    return run_race(ignore_progress, source, 8, "score", follow).recording


KINDS = {
    "BPE encoding": lambda words, follow: encoded(words, follow, SETTINGS[0]),
    "WordPiece encoding": lambda words, follow: encoded(words, follow, SETTINGS[2]),
    "WordPiece from the top down": top_down_run,
    "Unigram": lambda words, follow: record_unigram_training(unigram_trace(words), follow, ("a",)),
    "two Unigram runs": two_unigram_runs,
    "race": race_of,
    "filling": lambda words, _: record_filling(lattice_of(words)),
    "building": lambda words, _: record_building(lattice_of(words)),
    "backward": lambda words, _: record_backward(lattice_of(words)),
    "listing": lambda words, _: record_listing(lattice_of(words)),
    "sampling": lambda words, _: record_sampling(Sampler(lattice_of(words)), 1),
    "best splits": lambda words, _: best_splits_recording(lattice_of(words)),
    "a word by the merges of a file": by_merges_of_file,
}


def shown(window):
    """Return a window's frames; tokens and reasons are texts."""
    frames, reasons = opened(window)["frames"], opened(window)["reasons"]
    for frame in frames:
        for part in (*frame["parts"], *frame.get("other", {"parts": ()})["parts"]):
            part |= {"reasons": [reasons[n] for n in part["reasons"]]} if "reasons" in part else {}
    return frames


def assert_windows_equal_the_whole(record, size, rng):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing._Packer, "token", lambda packer, text: text)
        patch.setattr(packing, "WINDOW", 10_000)
        (everything,) = map(shown, record().windows)
        patch.setattr(packing, "WINDOW", size)
        patch.setattr(packing, "MAX_KEPT", 1)  # each window is made whenever it is read
        recording = pickle.loads(pickle.dumps(record()))
        order = list(range(len(recording.windows)))
        rng.shuffle(order)
        for index in order:
            expected = everything[index * size : (index + 1) * size]
            assert shown(recording.windows[index]) == expected
        assert recording.last == len(everything) - 1
        with pytest.raises(IndexError):
            recording.windows[len(order)]


@examples(60)
@given(
    CORPORA,
    st.sampled_from(SETTINGS),
    WORDS | st.builds(CountChange, WORDS, st.integers(0, 20)),
    st.integers(1, 7),
    st.randoms(),
)
def test_every_window_of_merges_equals_the_same_slice_of_all_frames(
    words, settings, follow, size, rng
):
    assert_windows_equal_the_whole(lambda: recorded(words, settings, follow), size, rng)


@pytest.mark.parametrize("kind", KINDS)
@examples(15)
@given(CORPORA, WORDS, st.integers(1, 7), st.randoms())
def test_every_window_equals_the_same_slice_of_all_frames(kind, words, follow, size, rng):
    assert_windows_equal_the_whole(lambda: KINDS[kind](words, follow), size, rng)


@pytest.mark.parametrize("kind", KINDS)
def test_the_head_knows_of_later_windows(kind, monkeypatch):
    """The space, the legend, the lines with values and whether anything is asked."""
    words = {"abcab": 5, "bca": 4, "cabbac": 4, "aabbcc": 3, "b": 2, "abcabca": 1}
    monkeypatch.setattr(packing._Packer, "token", lambda packer, text: text)
    monkeypatch.setattr(packing, "WINDOW", 10_000)
    whole = opened(KINDS[kind](words, "cabba").head)
    monkeypatch.setattr(packing, "WINDOW", 3)
    head = opened(KINDS[kind](words, "cabba").head)
    assert head["parts"] == whole["parts"]
    assert (head["hasQuestions"], head["jumpTargets"]) == (
        whole["hasQuestions"],
        whole["jumpTargets"],
    )


def test_tokens_of_different_windows_have_different_numbers(monkeypatch):
    monkeypatch.setattr(packing, "WINDOW", 1)
    words = {"abcab": 5, "bca": 4, "cabbac": 4, "aabbcc": 3, "b": 2, "abcabca": 1}
    most = 0
    for record in KINDS.values():
        recording = record(words, "cabba")
        windows = [opened(window) for window in recording.windows]
        listed = [range(w["first"], w["first"] + len(w["tokens"])) for w in windows]
        numbers = [*range(len(opened(recording.head)["tokens"])), *chain(*listed)]
        assert len(set(numbers)) == len(numbers)
        most = max(most, sum(map(bool, listed)))
    assert most > 2  # windows that show tokens which the head does not list


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_head_reserves_space_for_the_last_sentence_of_a_training(settings, monkeypatch):
    """It gives the reason why training stops, besides the merge."""
    monkeypatch.setattr(packing, "WINDOW", 3)
    words = {"abcab": 5, "bca": 4, "cabbac": 4, "aabbcc": 3, "b": 2, "abcabca": 1}
    recording = recorded(words, settings, "cabba")
    monkeypatch.setattr(packing._Packer, "token", lambda packer, text: text)
    sentence = opened(recorded(words, settings, "cabba").windows[-1])["frames"][-1]["sentence"]
    length = sum(len(part if isinstance(part, str) else part[1]) for part in sentence)
    assert opened(recording.head)["longest"] >= length


@pytest.mark.parametrize("kind", KINDS)
def test_the_key_is_that_of_the_content(kind):
    words, other = {"abcab": 5, "bca": 4}, {"abcab": 5, "cab": 4}
    key = KINDS[kind](words, "cabba").key
    assert key == KINDS[kind](dict(words), "cabba").key
    assert key != KINDS[kind](other, "cabba").key


@pytest.fixture(scope="module")
def prose() -> Trace:
    corpus = Corpus.from_text(english_prose()[:40_000], Pipeline())
    return Trace.record(corpus, bpe.Settings(num_merges=300))


def test_few_frames_are_made_before_the_first_is_shown(prose, monkeypatch):
    made: list[int] = []
    frame = BpeFrames.frame
    monkeypatch.setattr(BpeFrames, "frame", lambda self, k: made.append(k) or frame(self, k))
    recording = record_bpe_training(prose)
    assert len(made) <= packing.WINDOW + 4
    recording.windows[0]
    assert len(made) <= packing.WINDOW + 4  # the first window is made already
    recording.windows[7]
    assert made[-packing.WINDOW :] == list(range(140, 160))
    before = len(made)
    recording.windows[7]
    assert len(made) == before


def test_the_space_and_the_marks_are_those_of_all_frames(prose):
    recording = record_bpe_training(prose)
    frames, parts = BpeFrames(prose, None), (*PARTS, MERGE_LOOP.part)
    lazy, whole = opened(recording.head), opened(record_frames("", parts, frames).head)
    for part, other in zip(lazy["parts"], whole["parts"], strict=True):
        assert part == other
    assert lazy["hasQuestions"] == whole["hasQuestions"]
    assert [lazy["tokens"][n][0] for n in lazy["newTokens"][1:]] == [*prose.tokens]
    marks = {name: at for name, at, _ in lazy["jumpTargets"]}
    assert marks["there is a tie"] == [k for k in range(1, 301) if prose.num_tied[k - 1] > 1]


def test_a_kept_window_gives_way_to_newer_ones_of_any_recording(prose, monkeypatch):
    one, other = record_bpe_training(prose), record_bpe_training(prose, 1)
    kept = packing._KeptWindows()
    monkeypatch.setattr(packing, "_KEPT", kept)
    monkeypatch.setattr(packing, "MAX_KEPT", 30)
    made: list[int] = []
    monkeypatch.setattr(
        packing._Packer, "window", lambda self, frames, at: made.append(at[0] // packing.WINDOW)
    )
    monkeypatch.setattr(packing, "_zip", lambda window: b"ten bytes!")
    for windows, number in (
        *((one.windows, n) for n in (5, 6, 5)),  # 5 is read again, so 6 is given up first
        *((other.windows, n) for n in (5, 8)),
        *((one.windows, n) for n in (5, 6)),
    ):
        assert windows[number]
    assert made == [5, 6, 5, 8, 6]
    assert kept._size == sum(map(len, kept._windows.values())) == packing.MAX_KEPT
    assert one.windows[0] != b"ten bytes!"  # the first one is kept apart


def test_the_key_tells_runs_apart_and_is_the_same_for_the_same_run():
    key = recorded({"ab": 2, "abc": 1}, SETTINGS[0]).key
    assert key == recorded({"ab": 2, "abc": 1}, SETTINGS[0]).key
    assert key != recorded({"ab": 4, "abc": 2}, SETTINGS[0]).key  # the merges are the same
    assert key != recorded({"ab": 2, "abc": 1}, replace(SETTINGS[0], ties="smallest_string")).key
    assert key != recorded({"ab": 2, "abc": 1}, SETTINGS[0], "abc").key


def test_a_whole_recording_has_the_same_key_and_can_be_stopped(prose):
    recording = record_bpe_training(prose)
    done: list[float] = []
    whole = make_whole(lambda now, total: bool(done.append(now / total)), recording)
    assert whole
    assert (whole.key, whole.windows) == (recording.key, tuple(recording.windows))
    assert done == sorted(done)
    assert done[-1] == 1
    assert make_whole(lambda now, total: now == 3, recording) is None


def test_the_message_has_the_window_of_the_step_and_the_requested_one(prose):
    recording = record_bpe_training(prose)
    states = {
        "step": sync(None, recording.key, 150),
        "rule": sync(None, recording.key, 0),
        "path": sync(None, recording.key, ()),
    }

    def sent(requested=None):
        data = build_message(recording, states, "k", requested)
        return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])["windows"]

    assert sent() == sent("nonsense") == sent(["another", 8]) == sent([recording.key, 99]) == [7]
    assert sent([recording.key, 2]) == [2, 7]


def asked(key, window):
    request = Request({"type": "http", "path_params": {"key": key, "window": window}})
    return asyncio.run(serve_window(request))


def test_the_server_sends_windows_of_the_recordings_that_pages_show(prose):
    recording = record_bpe_training(prose)
    key = recording.key
    assert asked(key, 1).status_code == 404
    registry.register(recording)
    answer = asked(key, 1)
    assert (answer.status_code, answer.body) == (200, recording.windows[1])
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.headers["cache-control"] == "no-store"  # a text may be in it
    assert asked(key, len(recording.windows)).status_code == 404
    del recording  # the pool has dropped it
    assert asked(key, 1).status_code == 404


@given(st.lists(st.integers(0, 5) | st.integers(0, 10**6)), st.integers(1, 20), st.booleans())
def test_the_largest_values_are_those_of_a_sort(values, size, is_score):
    array = np.array(values, np.int64) / (7 if is_score else 1)
    ranked = sorted((i for i in range(len(array)) if array[i] > 0), key=lambda i: (-array[i], i))
    assert top_indices(array, size) == ranked[:size]
