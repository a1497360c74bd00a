"""The script of a run: in a process with Python alone, it prints the recorded steps."""

import math
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.training import script
from tests.call_counts import examples
from tokenizers import bpe, wordpiece
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.text.symbols import BASES
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Maximization, Prune, Seed

WORDS = st.text("abé </w>'\"#", min_size=1, max_size=6)
CORPORA = st.dictionaries(WORDS, st.integers(1, 9), min_size=1, max_size=5).map(Corpus)
LIMITS = {
    "num_merges": st.integers(0, 12),
    "vocab_size": st.none() | st.integers(1, 20),
    "min_count": st.integers(1, 3),
    "ties": st.sampled_from(TIE_RULES),
}
BPE = st.builds(
    bpe.Settings,
    base=st.sampled_from(BASES),
    max_token_length=st.none() | st.integers(1, 4),
    **LIMITS,
)
WORDPIECE = st.builds(
    wordpiece.Settings, convention=st.sampled_from(["score", "hugging_face"]), **LIMITS
)


def printed(text: str) -> list[str]:
    """Return the output of a script; -I leaves it only the standard library."""
    done = subprocess.run(
        [sys.executable, "-I", "-X", "utf8", "-c", text],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def recorded(trace: Trace) -> list[str]:
    """Return the lines expected by the trace."""
    lines = []
    for k in range(1, len(trace) + 1):
        step = trace.step(k)
        worth = step.score if trace.settings.by_score else step.count
        made = f"{step.pair[0]!r} + {step.pair[1]!r} -> {step.token!r}"
        lines.append(
            f"{k}. {made}: worth {worth}, {step.num_tied} tied, {trace.num_tokens[k]} tokens"
        )
    return lines


@examples(30)
@given(CORPORA, BPE | WORDPIECE)
def test_a_script_prints_the_merges_of_the_record(corpus, settings):
    trace = Trace.record(corpus, settings)
    assert printed(script.merging_script(trace)) == recorded(trace)


def test_a_script_without_steps_and_one_of_the_classic_words():
    assert printed(script.merging_script(Trace.record(Corpus({"a": 1}), bpe.Settings()))) == []
    corpus = Corpus({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    settings = bpe.Settings("end_of_word", num_merges=3)
    assert printed(script.merging_script(Trace.record(corpus, settings))) == [
        "1. 'e' + 's' -> 'es': worth 9, 3 tied, 86 tokens",
        "2. 'es' + 't' -> 'est': worth 9, 2 tied, 77 tokens",
        "3. 'est' + '</w>' -> 'est</w>': worth 9, 1 tied, 68 tokens",
    ]


LINE = re.compile(r"(\d+)\. ([\w ]+): (\d+) pieces, (.*)")
NUMBER = re.compile(r"('(?:[^'\\]|\\.)*') ([-+.\de]+)")
KINDS = {Seed: "seed", Expectation: "E step", Maximization: "M step", Prune: "prune"}
CLOSE = 1e-6
"""The order of losses closer than this may depend on rounding alone."""


def numbers_of(step) -> dict[str, float]:
    if isinstance(step, Expectation):
        return step.expected_counts.dict()
    return {piece: math.exp(value) for piece, value in step.log_probs.dict().items()}


def is_by_rounding(step: Prune) -> bool:
    """Return whether rounding decides between removed and kept pieces."""
    losses = step.losses.dict()
    gone = [losses[piece] for piece in step.removed]
    stays = [loss for piece, loss in losses.items() if piece not in step.removed]
    return bool(gone and stays) and min(stays) - max(gone) < CLOSE


@examples(20)
@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=4), st.integers(1, 9), min_size=1,
                    max_size=4),
    st.integers(2, 9), st.integers(1, 4), st.integers(1, 2),
)  # fmt: skip
def test_a_script_prints_the_rounds_of_the_record(words, size, prunings, em):
    """Return all steps, or those up to a pruning that rounding alone decides."""
    settings = convention_settings("textbook", size, prunings=prunings, sub_iterations=em)
    trace = UnigramTrace.record(Corpus(words), settings)
    lines = printed(script.unigram_script(trace.word_counts, size, prunings, em))
    for k, (step, line) in enumerate(zip(trace.steps, lines, strict=False), start=1):
        ((number, kind, pieces, listed),) = LINE.findall(line)
        assert (int(number), kind) == (k, KINDS[type(step)])
        if isinstance(step, Prune):
            if is_by_rounding(step):
                return
            assert listed == "without " + ", ".join(
                repr(piece) for piece in step.before if piece in step.removed
            )
        else:
            listed_numbers, numbers = NUMBER.findall(listed), numbers_of(step)
            assert len(listed_numbers) == min(len(numbers), script.SHOWN)
            for piece, value in listed_numbers:
                assert float(value) == pytest.approx(numbers[eval(piece)], rel=1e-5, abs=1e-9)
        assert int(pieces) == len(numbers_of(step))
    assert len(lines) == len(trace) - 1  # the last step only puts the pieces in order


def test_an_excerpt_defines_all_that_it_uses():
    for name in ("merge", "train_merges", "scores", "train_unigram", "losses"):
        names: dict = {}
        exec(script.excerpt(name), names)
        assert callable(names[name])


def test_a_run_too_large_for_the_plain_code_has_no_script():
    long = Corpus({"ab" * 11_000: 1})
    with pytest.raises(script.NoScriptError, match="22,000 symbols together"):
        script.merging_script(Trace.record(long, bpe.Settings(num_merges=1)))
    with pytest.raises(script.NoScriptError, match="524,288 of “internationalization” alone"):
        script.unigram_script({"internationalization": 1}, 10, 8, 2)
    with pytest.raises(script.NoScriptError, match=r"more than 10\^15 of “x+…” alone"):
        script.unigram_script({"x" * 80: 1}, 10, 8, 2)
