"""The plain code next to a recording: lines are those of `plain.py`, values those of the trace."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.bpe.training_frames import record_bpe_training
from pages.shared.recording.code import MERGE_LOOP, Listing
from pages.shared.recording.frame_types import CodeFrame, Frame, PicturePart
from pages.unigram.frames.code import TRAINING, departures
from pages.unigram.frames.training_frames import record_unigram_training
from pages.unigram.numbers import amount
from pages.wordpiece.training_frames import record_wordpiece_training
from tests.call_counts import examples
from tests.pages.opening import markdown_of, opened
from tests.recordings import record_frames, unpacked
from tokenizers import bpe, plain, wordpiece
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import CONVENTIONS, convention_settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed

CORPORA = st.dictionaries(st.text("abc", min_size=1, max_size=5), st.integers(1, 9), min_size=1)
TIES = st.sampled_from(TIE_RULES)


def coded(recording) -> tuple[list[str], list[list[tuple[str, str]]]]:
    """Return a recording's code lines, and for each position (line, value)."""
    head, frames = unpacked(recording)
    (at,) = [n for n, part in enumerate(head["parts"]) if part["kind"] == "code"]
    lines = [line.strip() for line, _ in head["parts"][at]["code"]]

    def text(say) -> str:
        return "".join(
            part if isinstance(part, str)
            else head["tokens"][part[1]][0] if part[0] in ("token", "new")
            else part[1]
            for part in say
        )  # fmt: skip

    ran = [[(lines[n], text(say)) for n, say in frame["parts"][at]["executed"]] for frame in frames]
    return lines, ran


def value(ran: list[tuple[str, str]], begin: str) -> str:
    (found,) = [said for line, said in ran if line.startswith(begin)]
    return found


@pytest.mark.parametrize(("listing", "function"), [(MERGE_LOOP, plain.train_merges),
                                                   (TRAINING, plain.train_unigram)])  # fmt: skip
def test_the_lines_are_those_of_the_plain_code(listing, function):
    source = inspect.getsource(function)
    assert "\n".join(listing.lines[1:]) in source
    assert source.rstrip().endswith(listing.lines[-1])
    assert '"""' not in "".join(listing.lines)
    arguments = inspect.signature(function).parameters
    assert listing.lines[0] == f"def {function.__name__}({', '.join(arguments)}):"
    assert len(listing.lines) <= 25
    assert max(map(len, listing.lines)) <= 72


@examples(40)
@given(CORPORA, TIES, st.sampled_from(["bpe", "score", "hugging_face"]))
def test_the_values_of_a_merge_are_those_recorded(words, ties, kind):
    if kind == "bpe":
        trace: Any = Trace.record(Corpus(words), bpe.Settings(ties=ties))
        recording = record_bpe_training(trace)
    else:
        trace = Trace.record(Corpus(words), wordpiece.Settings(ties=ties, convention=kind))
        recording = record_wordpiece_training(trace)
    _, ran = coded(recording)
    assert len(ran) == len(trace) + 1
    for k, made in enumerate(ran[1:], start=1):
        step, before = trace.step(k), trace.state(k - 1)
        pairs = len(before.pair_counts)
        assert value(made, "while worths") == f"{pairs} pair{'s' * (pairs > 1)}"
        number = step.score if trace.settings.by_score else step.count
        assert eval_of(value(made, "best =")) == pytest.approx(float(number), rel=1e-3)
        assert value(made, "pair =") == "".join(step.pair)
        assert value(made, "vocab.append").startswith(step.token)
        assert value(made, "splits =").startswith(f"{trace.num_tokens[k - 1]:,} → ")
        assert made[-1] == ("yield pair, best, tied, splits", f"step {k}")
        tied = value(made, "tied =")
        assert tied.startswith(" ".join(step.pair))
        named, _, more = tied.partition(" and ")
        assert named.count(", ") + 1 + int((more or "0").split()[0]) == step.num_tied


def eval_of(said: str) -> float:
    return float(said.rpartition("= ")[2].replace(",", ""))


@examples(20)
@given(CORPORA, st.integers(2, 12), st.sampled_from(sorted(CONVENTIONS)))
def test_the_lit_line_of_unigram_is_that_of_the_step(words, size, convention):
    trace = UnigramTrace.record(Corpus(words), convention_settings(convention, size))
    _, ran = coded(record_unigram_training(trace))
    lit = {Expectation: 'yield "E step"', Maximization: 'yield "M step"', Prune: 'yield "prune"',
           Finalize: "return", Seed: "at_once ="}  # fmt: skip
    assert ran[0][-1][0].startswith("probs = before = substrings")
    for step, made in zip(trace.steps, ran[1:], strict=True):
        assert made[-1][0].startswith(lit[type(step)])
        if isinstance(step, Expectation) and len(step.expected_counts):
            best = step.expected_counts.ranked(1)[0]
            expected = f"{len(step.expected_counts)} piece"
            assert value(made, "expected =").startswith(expected)
            assert f": {best} {amount(step.expected_counts[best])}" in value(made, "expected =")
        if isinstance(step, Prune):
            assert value(made, "removed =").split(" ")[0] in (*step.removed, "none")
            assert value(made, "probs = without").startswith(f"{step.size_after} ")


def test_what_a_run_does_otherwise_is_named():
    assert departures(convention_settings("textbook", 9, prunings=3, sub_iterations=1)) == []
    assert departures(convention_settings("textbook", 9, loss="viterbi")) == ["loss"]
    assert "m_step" in departures(convention_settings("sentencepiece", 9))


def test_an_unknown_line_is_an_error():
    with pytest.raises(ValueError, match="no line of merge begins with 'yield'"):
        Listing.from_function(plain.merge).frame([("yield", ())])
    part = PicturePart("code", "", code=("a = 1",))
    for ran in ((), ((1, ()),), ((-1, ()),)):
        with pytest.raises(ValueError, match="lines of frame 0"):
            record_frames("", (part,), [Frame((), (CodeFrame(ran),))])


@pytest.mark.parametrize(("page", "plain"), [("bpe_train", "count_pairs"),
                                             ("wordpiece_train", "scores"),
                                             ("unigram_train", "expected_counts")])  # fmt: skip
def test_the_panel_of_the_code_has_it_twice_and_a_script(page, plain):
    app = opened(page, panel="The code")
    shown = [block.value for block in app.code]
    assert any(f"def {plain}(" in block for block in shown)
    assert shown[-1].startswith('"""')
    assert "for " in shown[-1]
    assert "The plain way" in markdown_of(app)
    assert "The fast way" in markdown_of(app)


def test_a_run_of_another_convention_notes_the_differences_of_its_script():
    app = opened("unigram_train", panel="The code", convention="sentencepiece")
    (said,) = [one.value for one in app.info]
    assert "Your run differs in: " in said
    assert ", First pieces, " in said
