"""Frames made on demand: a window is the same whenever and in whichever order it is made."""

import asyncio
import json
import pickle
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from pages.bpe import runs as bpe_runs
from pages.bpe.training_frames import PARTS, BpeFrames, record_bpe_training
from pages.serving import frames as serve_window
from pages.shared.player import build_message
from pages.shared.player.synced_state import sync_path, sync_rule, sync_step
from pages.shared.recording import packing, registry
from pages.shared.recording.code import MERGE_LOOP
from pages.shared.recording.frame_types import PicturePart
from pages.shared.recording.merging import top_indices
from pages.shared.recording.packing import WindowsOnDemand, make_whole, pack_frames, pack_on_demand
from pages.shared.training.source import CorpusSource
from pages.what_if.changes import train_changed
from pages.what_if.two_runs import CountChange
from pages.wordpiece import runs as wordpiece_runs
from tests.call_counts import examples
from tests.parity.corpora import english_prose
from tokenizers import bpe, wordpiece
from tokenizers.progress import ignore_progress
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

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


def opened(packed):
    return json.loads(zlib.decompress(packed))


@examples(60)
@given(
    CORPORA,
    st.sampled_from(SETTINGS),
    WORDS | st.builds(CountChange, WORDS, st.integers(0, 20)),
    st.integers(1, 7),
    st.randoms(),
)
def test_every_window_equals_the_same_slice_of_all_frames(words, settings, follow, size, rng):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "SMALL_WINDOW", 10_000)
        (everything,) = map(opened, recorded(words, settings, follow).windows)
        patch.setattr(packing, "SMALL_WINDOW", size)
        patch.setattr(packing, "MAX_KEPT", 1)  # each window is made whenever it is read
        recording = pickle.loads(pickle.dumps(recorded(words, settings, follow)))
        order = list(range(len(recording.windows)))
        rng.shuffle(order)
        for index in order:
            expected = everything[index * size : (index + 1) * size]
            assert opened(recording.windows[index]) == expected
        assert recording.last == len(everything) - 1
        with pytest.raises(IndexError):
            recording.windows[len(order)]


@pytest.fixture(scope="module")
def prose() -> Trace:
    corpus = Corpus.from_text(english_prose()[:40_000], Pipeline())
    return Trace.record(corpus, bpe.Settings(num_merges=300))


def test_few_frames_are_made_before_the_first_is_shown(prose, monkeypatch):
    made: list[int] = []
    frame = BpeFrames.__getitem__
    monkeypatch.setattr(BpeFrames, "__getitem__", lambda self, k: made.append(k) or frame(self, k))
    recording = record_bpe_training(prose)
    assert len(made) <= packing.SMALL_WINDOW + 4
    recording.windows[0]
    assert len(made) <= packing.SMALL_WINDOW + 4  # the first window is made already
    recording.windows[7]
    assert made[-packing.SMALL_WINDOW :] == list(range(140, 160))
    before = len(made)
    recording.windows[7]
    assert len(made) == before


def test_the_space_and_the_marks_are_those_of_all_frames(prose):
    recording = record_bpe_training(prose)
    frames, parts = BpeFrames(prose, None), (*PARTS, MERGE_LOOP.part)
    lazy, whole = opened(recording.head), opened(pack_frames("", parts, frames, ()).head)
    for part, other in zip(lazy["parts"], whole["parts"], strict=True):
        assert part == other
    assert lazy["hasQuestions"] == whole["hasQuestions"]
    names = lambda head: [head["tokens"][n][0] for n in head["newTokens"][1:]]  # noqa: E731
    assert names(lazy) == names(whole) == [*prose.tokens]
    marks = {name: at for name, at, _ in lazy["jumpTargets"]}
    assert marks["there is a tie"] == [k for k in range(1, 301) if prose.num_tied[k - 1] > 1]


def test_a_kept_window_gives_way_to_newer_ones(prose, monkeypatch):
    recording = record_bpe_training(prose)
    assert isinstance(recording.windows, WindowsOnDemand)
    most = 3 * max(map(len, recording.windows))
    monkeypatch.setattr(packing, "MAX_KEPT", most)
    for window in recording.windows:
        assert window
    kept = recording.windows._kept
    assert sum(map(len, kept.values())) <= most
    assert list(kept)[-1] == len(recording.windows) - 1


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
        "step": sync_step(None, recording, 150, None),
        "rule": sync_rule(None, recording, 0, None),
        "path": sync_path(None, recording, (), None),
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


def test_a_frame_with_a_token_of_no_step_is_rejected():
    class Strange(BpeFrames):
        @property
        def tokens(self):
            return ["a"]

    trace = Trace.record(Corpus({"ab": 1}), bpe.Settings(num_merges=1))
    with pytest.raises(ValueError, match="'ab' is not among those"):
        pack_on_demand("", (PicturePart("note", ""),), Strange(trace, None), ())


@given(st.lists(st.integers(0, 5) | st.integers(0, 10**6)), st.integers(1, 20), st.booleans())
def test_the_largest_values_are_those_of_a_sort(values, size, is_score):
    array = np.array(values, np.int64) / (7 if is_score else 1)
    ranked = sorted((i for i in range(len(array)) if array[i] > 0), key=lambda i: (-array[i], i))
    assert top_indices(array, size) == ranked[:size]
