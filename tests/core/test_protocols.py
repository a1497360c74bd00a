"""Every tokenizer and every recorded run implements the protocols."""

import pytest

from tokenizers import baselines, bpe, wordpiece
from tokenizers.protocols import RecordedRun, Tokenizer
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import convention_settings

TEXT = "low low lower newest newest widest"
SPACES, META = Corpus.from_text(TEXT), Corpus.from_text(TEXT, Pipeline((), "metaspace"))
RUNS: dict[str, RecordedRun] = {
    "bpe": Trace.record(SPACES, bpe.Settings("end_of_word", num_merges=9)),
    "bytes": Trace.record(Corpus.from_text(TEXT, Pipeline((), "gpt2")), bpe.Settings("bytes")),
    "wordpiece": Trace.record(SPACES, wordpiece.Settings(num_merges=9)),
    "unigram": UnigramTrace.record(META, convention_settings("textbook", 14)),
}
TOKENIZERS: dict[str, Tokenizer] = {
    "words": baselines.train(TEXT, "words"),
    "characters": baselines.train(TEXT, "characters"),
    **{name: run.model() for name, run in RUNS.items()},
}


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_tokenizer_encodes_and_decodes(name):
    tokenizer = TOKENIZERS[name]
    found = tokenizer.encode("lower widest")
    assert [tokenizer.vocab[token] for token in found.tokens] == list(found.ids)
    lost = " " if name == "words" else ""  # a list of words knows of no spaces
    assert tokenizer.decode(found.ids) == "lower widest".replace(lost, "")
    with pytest.raises(ValueError, match="no id"):
        tokenizer.decode([10**6])


@pytest.mark.parametrize("name", TOKENIZERS)
def test_what_is_not_in_the_vocabulary_becomes_unk(name):
    tokenizer = TOKENIZERS[name]
    found = tokenizer.encode("漢")
    assert (tokenizer.unk is None) == (name == "bytes")
    assert (tokenizer.unk in found.tokens) == (name != "bytes")


@pytest.mark.parametrize("name", RUNS)
def test_a_run_has_each_step(name):
    run = RUNS[name]
    assert run.stop_reason
    assert run.step(1) is not None
    assert set(run.model(len(run)).vocab) == set(run.model().vocab)
    for k in (len(run) + 1, -1):
        with pytest.raises(IndexError, match=f"no step {k}"):
            run.step(k)
        with pytest.raises(IndexError, match=f"no step {k}"):
            run.state(k)


@pytest.mark.parametrize("name", RUNS)
def test_a_run_reports_its_progress_and_can_be_stopped(name):
    whole, calls = RUNS[name], []

    def progress(done: int, total: int) -> bool:
        calls.append((done, total))
        return len(calls) == 3

    run = type(whole).record(whole.corpus, whole.settings, progress)  # type: ignore[attr-defined]
    assert len(calls) == 3
    assert len(run) < len(whole)
    assert "you stopped it" in run.stop_reason
    assert all(0 <= done <= total for done, total in calls)
    assert calls == sorted(calls)
    assert len({total for _, total in calls}) == 1
