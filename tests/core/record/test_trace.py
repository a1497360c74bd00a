"""Traces: everything read from them equals a plain recount."""

import pickle
from typing import Any

import pytest

from lessons.texts import TEXTS
from tests.oracles import may_merge
from tokenizers import plain, wordpiece
from tokenizers.bpe import Settings, encode, start, train
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import State, join_at
from tokenizers.record import history as history_module
from tokenizers.record import trace as trace_module
from tokenizers.record.history import History
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

B3, PROSE, LANGUAGES = (TEXTS[name].text or "" for name in ("b3", "prose", "languages"))
CORPORA = {
    "b2": (Corpus.from_counts(TEXTS["b2"].counts or {}), Settings("end_of_word")),
    "b3": (Corpus.from_text(B3), Settings("end_of_word", ties="smallest_string")),
    "overlaps": (
        Corpus.from_counts({"aaaaaaa": 2, "aabaaab": 3, "baaaa": 1, "a": 9, "bb": 1}),
        Settings(ties="smallest_ids"),
    ),
    "one stream": (
        Corpus.from_text(PROSE[:700], Pipeline((), "none")),
        Settings(num_merges=60),
    ),
    "short pieces": (
        Corpus.from_text(PROSE[:1500]),
        Settings("metaspace", max_token_length=4, min_count=2),
    ),
    "bytes": (
        Corpus.from_text(LANGUAGES[::7], Pipeline((), "gpt2")),
        Settings("bytes", num_merges=80, ties="smallest_ids"),
    ),
    "nothing": (Corpus.from_text(""), Settings()),
}

every_run = pytest.mark.parametrize(("corpus", "settings"), CORPORA.values(), ids=CORPORA)


def record(name):
    return Trace.record(*CORPORA[name])


@pytest.mark.parametrize("batch_size", [1, 3, 64])
@every_run
def test_steps_are_those_that_training_yields(monkeypatch, corpus, settings, batch_size):
    monkeypatch.setattr(trace_module, "STEPS_PER_BATCH", batch_size)
    trace = Trace.record(corpus, settings)
    steps = list(train(corpus, settings))
    assert [trace.step(k) for k in range(1, len(trace) + 1)] == steps
    for step, k in zip(steps, range(1, len(trace) + 1), strict=True):
        assert (step.pair, step.token) == (trace.pairs[k - 1], trace.tokens[k - 1])
        assert (step.count, step.num_tied) == (trace.counts[k - 1], trace.num_tied[k - 1])
    assert trace.num_tokens[-1] == trace.num_tokens[0] - sum(step.num_applied for step in steps)
    assert len(trace.num_tokens) == len(trace.vocab_sizes) == len(steps) + 1


@every_run
def test_states_are_what_a_recount_gives(corpus, settings):
    trace = Trace.record(corpus, settings)
    counts = list(corpus.word_counts.values())
    splits = [settings.symbols(word) for word in corpus.word_counts]
    vocab = list(start(corpus, settings).vocab)
    for k in range(len(trace) + 1):
        if k:
            pair = trace.pairs[k - 1]
            splits = [plain.merge(split, pair) for split in splits]
            vocab += ["".join(pair)] if "".join(pair) not in vocab else []
        state = trace.state(k)
        assert state.splits == splits
        assert state.pair_counts == plain.count_pairs(splits, counts)
        assert state.token_counts == plain.count_tokens(splits, counts)
        assert state.vocab == vocab
        assert (trace.vocab_sizes[k], trace.num_tokens[k]) == (
            len(vocab),
            sum(len(split) * count for split, count in zip(splits, counts, strict=True)),
        )


@every_run
def test_the_run_is_the_textbooks(corpus, settings):
    trace = Trace.record(corpus, settings)
    first = start(corpus, settings)
    steps = plain.train_merges(first.splits, first.word_counts, may_merge(settings), settings.ties)
    for k, (pair, count, tied, splits) in enumerate(steps, start=1):
        if k > len(trace):
            assert len(trace) == settings.num_merges
            break
        assert trace.pairs[k - 1] == pair
        assert (trace.counts[k - 1], trace.num_tied[k - 1]) == (count, len(tied))
        assert sorted(trace.state(k - 1).pairs_with_count(trace.counts[k - 1])) == sorted(tied)
        assert trace.num_applied[k - 1] == trace.num_tokens[k - 1] - trace.num_tokens[k]
        assert trace.state(k).splits == splits


@pytest.mark.parametrize("k", [-1, 16, 99])
def test_there_is_nothing_outside_the_run(k):
    trace = record("b2")
    with pytest.raises(IndexError, match=f"there is no step {k}; the run has 15"):
        trace.state(k)
    with pytest.raises(IndexError, match=f"there is no step {k}; the run has 15"):
        trace.step(k)


def test_there_is_no_step_0():
    with pytest.raises(IndexError, match="there is no step 0"):
        record("b2").step(0)
    with pytest.raises(IndexError, match="there is no step 1; the run has 0"):
        record("nothing").step(1)


@every_run
def test_a_record_can_be_sent_to_another_process(corpus, settings):
    trace = Trace.record(corpus, settings)
    trace.word_merges(0) if trace.words else None  # what is worked out on demand stays behind
    sent = pickle.dumps(trace)
    again = pickle.loads(sent)
    k = len(trace) // 2
    assert again.tokens == trace.tokens
    assert again.state(k).pair_counts == trace.state(k).pair_counts
    assert again.state(k).splits == trace.state(k).splits
    assert [again.step(n + 1) for n in range(k)] == [trace.step(n + 1) for n in range(k)]
    assert again.model() == trace.model()
    assert len(pickle.dumps(Trace.record(corpus, settings))) == len(sent)


def test_counts_of_a_pair_over_time():
    history = record("b2").pair_history
    assert history.series(("l", "o")) == [(0, 7), (4, 0)]
    assert history.series(("w", "e")) == [(0, 8), (1, 2), (5, 0)]
    assert history.series(("new", "est</w>")) == [(0, 0), (7, 6), (8, 0)]
    assert history.series(("x", "y")) == [(0, 0)]


def test_counts_of_a_token_over_time():
    history = record("b2").token_history
    assert history.series("e") == [(0, 17), (1, 8), (6, 2), (13, 0)]
    assert history.series("es") == [(0, 0), (1, 9), (2, 0)]
    assert history.series("</w>")[-1] == (15, 0)


@pytest.mark.parametrize("name", [name for name in CORPORA if name != "nothing"])
def test_series_and_walk_agree_with_the_states(name):
    trace = record(name)
    histories: list[History[Any]] = [trace.pair_history, trace.token_history]
    for history in histories:
        walked = [counts.tolist() for counts in history.iter_arrays()]
        states = [history.counts_at(k) for k in range(len(trace) + 1)]
        assert walked == [history.array_at(k).tolist() for k in range(len(trace) + 1)]
        for index in range(0, len(history.keys), 7):
            key, now, series = history.keys[index], 0, dict(history.series(history.keys[index]))
            for k, counts in enumerate(walked):
                now = series.get(k, now)
                assert now == counts[index] == states[k].get(key, 0)


def test_which_merges_made_a_word():
    trace = record("b2")
    newest = trace.words.index("newest")
    merges = trace.word_merges(newest)
    assert merges == {1: (3,), 2: (3,), 3: (3,), 6: (0,), 7: (0,), 8: (0,)}
    assert [" ".join(trace.split(newest, k)) for k in (0, 1, 3, 6, 8)] == [
        "n e w e s t </w>",
        "n e w es t </w>",
        "n e w est</w>",
        "ne w est</w>",
        "newest</w>",
    ]


def test_a_word_that_a_merge_changes_at_several_offsets():
    trace = record("overlaps")
    assert trace.pairs[0] == ("a", "a")
    assert trace.word_merges(0)[1] == (0, 2, 4)
    assert trace.split(0, 1) == ("aa", "aa", "aa", "a")


@every_run
def test_the_merges_of_words_are_those_of_the_steps(corpus, settings):
    trace = Trace.record(corpus, settings)
    by_word = {}
    for k in range(1, len(trace) + 1):
        for word, places in trace.step(k).changed_words.items():
            by_word.setdefault(word, {})[k] = places
    assert {w: trace.word_merges(w) for w in range(len(trace.words))} == {
        w: by_word.get(w, {}) for w in range(len(trace.words))
    }


@pytest.mark.parametrize(
    ("token", "step"),
    [("e", 0), ("</w>", 0), ("es", 1), ("low", 5), ("lower</w>", 15), ("x", None)],
)
def test_when_a_token_was_born(token, step):
    assert record("b2").created_at(token) == step


@pytest.mark.parametrize("k", [0, 1, 7, 15, None])
def test_the_model_of_a_moment(k):
    trace = record("b2")
    model = trace.model(k)
    wanted = 15 if k is None else k
    assert list(model.vocab) == ["[UNK]", *trace.state(wanted).vocab]
    assert list(model.vocab.values()) == list(range(12 + wanted))
    assert model.ranks == {pair: rank for rank, pair in enumerate(trace.pairs[:wanted])}
    assert (model.settings, model.pipeline) == (trace.settings, trace.corpus.pipeline)
    for word, split in zip(trace.words, trace.state(wanted).splits, strict=True):
        assert encode(word, model).tokens == split


def test_a_run_that_is_stopped_from_outside():
    seen = []
    trace = Trace.record(
        *CORPORA["b2"], progress=lambda done, total: seen.append((done, total)) or done == 4
    )
    assert (len(trace), seen) == (4, [(done, 20) for done in (1, 2, 3, 4)])
    assert "4 merges" in trace.stop_reason
    assert trace.pairs == record("b2").pairs[:4]


@pytest.mark.parametrize("k", [0, 1, 4])
@pytest.mark.parametrize("name", ["b2", "overlaps", "bytes"])
def test_the_first_steps_of_a_record_are_the_record_of_a_shorter_run(name, k):
    whole = record(name)
    assert whole.token_history.keys  # which is derived from all steps
    shorter = Trace.record(*CORPORA[name], progress=lambda done, _: done == k) if k else None
    first = whole.truncated(k)
    assert len(first) == k
    assert first.stop_reason == f"you stopped it after {k} merges"
    assert [first.step(n) for n in range(1, k + 1)] == [whole.step(n) for n in range(1, k + 1)]
    assert first.state(k).splits == whole.state(k).splits
    assert first.token_history.counts_at(k) == whole.token_history.counts_at(k)
    if shorter:
        assert pickle.dumps(first.pair_history) == pickle.dumps(shorter.pair_history)
        assert (first.vocab_sizes, first.num_tokens) == (shorter.vocab_sizes, shorter.num_tokens)
    assert whole.truncated(len(whole)) is whole


@pytest.mark.parametrize("every", [1, 2, 3, 7, 50])
@pytest.mark.parametrize("name", ["b2", "overlaps", "short pieces"])
def test_histories_across_checkpoints(monkeypatch, name, every):
    known = contents(record(name))
    monkeypatch.setattr(history_module, "CHANGES_PER_CHECKPOINT", every)
    assert contents(record(name)) == known


def contents(trace):
    """Return all that the histories of a run tell."""
    steps = range(len(trace) + 1)
    return [
        (
            [list(history.counts_at(k).items()) for k in steps],
            [history.changes(k) for k in steps[1:]],
            [history.series(key) for key in history.keys],
            [counts.tolist() for counts in history.iter_arrays()],
        )
        for history in (trace.pair_history, trace.token_history)
    ]


@pytest.mark.parametrize("every", [1, 2, 3, 1000])
def test_a_history_by_hand(monkeypatch, every):
    monkeypatch.setattr(history_module, "CHANGES_PER_CHECKPOINT", every)
    history = History(
        {"a": 3, "b": 1}, [{"a": -1, "c": 1}, {}, {"b": -1, "a": 0}, {"c": -1, "b": 4}]
    )
    assert [history.counts_at(k) for k in range(5)] == [
        {"a": 3, "b": 1},
        {"a": 2, "b": 1, "c": 1},
        {"a": 2, "b": 1, "c": 1},
        {"a": 2, "c": 1},
        {"a": 2, "b": 4},
    ]
    assert history.changes(2) == {}
    assert history.changes(3) == {"b": -1, "a": 0}
    assert history.series("b") == [(0, 1), (3, 0), (4, 4)]


@pytest.mark.parametrize("every", [1, 2, 1000])
def test_a_count_that_comes_back_keeps_its_place(monkeypatch, every):
    monkeypatch.setattr(history_module, "CHANGES_PER_CHECKPOINT", every)
    history = History({"a": 1, "b": 1, "c": 2}, [{"a": -1, "b": 1}, {"a": 3}, {"c": -2, "d": 1}])
    assert [list(history.counts_at(k).items()) for k in (0, 1, 2, 3, 2)] == [
        [("a", 1), ("b", 1), ("c", 2)],
        [("b", 2), ("c", 2)],
        [("a", 3), ("b", 2), ("c", 2)],
        [("a", 3), ("b", 2), ("d", 1)],
        [("a", 3), ("b", 2), ("c", 2)],
    ]


def test_what_a_history_returns_may_be_changed():
    history = History({"a": 1, "b": 1}, [{"b": 1}])
    history.counts_at(1).clear()
    assert [history.counts_at(k) for k in range(2)] == [{"a": 1, "b": 1}, {"a": 1, "b": 2}]


def test_a_history_keeps_a_limited_number_of_counts(monkeypatch):
    monkeypatch.setattr(history_module, "CHANGES_PER_CHECKPOINT", 1)
    monkeypatch.setattr(history_module, "MAX_KEPT_COUNTS", 3)
    history = History({"a": 1, "b": 1}, [{"b": 1}, {"c": 1}])
    counts = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 2, "c": 1}]
    for _ in range(2):
        assert [history.counts_at(k) for k in range(3)] == counts
        assert sum(map(len, history._kept_counts.values())) <= 3


def test_a_history_goes_on_after_it_was_read(monkeypatch):
    monkeypatch.setattr(history_module, "CHANGES_PER_CHECKPOINT", 1)
    history = History({"a": 3}, [{"a": -1}])
    assert history.counts_at(1) == {"a": 2}
    assert "_checkpoints" not in pickle.loads(pickle.dumps(history)).__dict__
    history.extend([{"b": 5}])
    history.extend([{"a": 1}])
    assert [history.counts_at(k) for k in range(2)] == [{"a": 3}, {"a": 2}]
    assert [history.counts_at(k) for k in range(2, 4)] == [{"a": 2, "b": 5}, {"a": 3, "b": 5}]


@pytest.mark.parametrize("ties", TIE_RULES)
def test_a_state_made_by_hand_agrees(ties):
    corpus, settings = Corpus.from_text("abab cab"), Settings(ties=ties)
    trace = Trace.record(corpus, settings)
    state = State(
        [join_at(("a", "b", "a", "b"), (0, 2), "ab"), ("c", "ab")],
        (1, 1),
        {"a": 1, "b": 2, "c": 3, "ab": 4},
    )
    assert trace.pairs[0] == ("a", "b")
    assert trace.state(1).pair_counts == state.pair_counts == {("ab", "ab"): 1, ("c", "ab"): 1}
    assert trace.state(1).token_counts == state.token_counts == {"ab": 3, "c": 1}


@pytest.mark.parametrize("settings", [Settings(), wordpiece.Settings()])
def test_a_run_is_stopped_while_its_pairs_are_counted(settings):
    seen = []
    corpus = Corpus({f"w{n}": 1 for n in range(5_000)})
    with pytest.raises(ValueError, match="stopped it before the first step"):
        Trace.record(corpus, settings, lambda done, _: seen.append(done) or len(seen) == 3)
    assert seen == [0, 0, 0]
