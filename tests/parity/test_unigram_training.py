"""Unigram training gives what the libraries give: every piece, every score, every round.

SentencePiece is tested in two versions, which train differently. Its scores are float32, and so are
ours there: they are compared bit by bit, and so is the order of the pieces. Its log tells after
each round of EM how many pieces there are, the objective, and the tokens.

Hugging Face's library adds the characters that EM has dropped in an order that changes from run to
run, with scores that differ by 0.0001: these are compared within that.
"""

import random
import re
from functools import cache
from typing import Any

import pytest

from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.normalizers import normalize
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune

from . import ask, ask_sentencepiece, needs_library, needs_sentencepiece
from .corpora import english_prose, many_scripts, programs, random_strings

CONVENTIONS = {"0.2.1": "sentencepiece_classic", "0.2.3": "sentencepiece"}
versions = pytest.mark.parametrize(
    "version", [pytest.param(v, marks=needs_sentencepiece[v]) for v in CONVENTIONS]
)
SPACES = ("sentencepiece_spaces",)
ROUND = re.compile(r"EM sub_iter=\d+ size=(\d+) obj=(\S+) num_tokens=(\d+)")


@cache
def long_text():
    """Return prose and programs, from which 8,000 pieces can be learned."""
    names = "argparse doctest inspect mailbox unittest/mock tarfile turtle typing"
    return english_prose() + programs(names)


def record(text, convention, size, normalizers=SPACES, pre_tokenizer="metaspace", **changes) -> Any:
    corpus = Corpus.from_text(text, Pipeline(normalizers, pre_tokenizer))
    return UnigramTrace.record(corpus, convention_settings(convention, size, **changes))


def of_kind(trace, kind):
    return [step for step in trace.steps if isinstance(step, kind)]


def final_pieces(trace):
    final = trace.steps[-1]
    assert isinstance(final, Finalize)
    return [list(row) for row in final.pieces.items()]


# --- SentencePiece --------------------------------------------------------------------------------


def request(text, size, **options) -> Any:
    return {
        "lines": text.split("\n"),
        "vocab_size": size,
        "normalization_rule_name": "identity",
        **options,
    }


TRAININGS = {
    "prose, 2,000": (english_prose, 2000),
    "prose, 8,000": (english_prose, 8000),  # it gives some 4,500 of them
    "prose and programs, 8,000": (long_text, 8000),
    "scripts, 2,000": (many_scripts, 2000),
    "scripts, 5,000": (many_scripts, 5000),
}


@versions
@pytest.mark.parametrize("name", TRAININGS)
def test_every_piece_every_score_and_every_round(version, name):
    text, size = TRAININGS[name]
    run_request = request(text(), size, minloglevel=0)
    (answer,) = ask_sentencepiece(version, "train_unigram", runs=[run_request])
    trace = record(text(), CONVENTIONS[version], size)
    assert final_pieces(trace) == answer["pieces"]
    theirs = [(int(n), float(obj), int(m)) for n, obj, m in ROUND.findall(answer["log"])]
    ours = rounds(trace, version)
    assert [(n, m) for n, _, m in ours] == [(n, m) for n, _, m in theirs]
    # The library adds up the words in float32 and prints six digits.
    assert [obj for _, obj, _ in ours] == pytest.approx([obj for _, obj, _ in theirs], rel=5e-6)
    assert len(theirs) >= 2
    assert f"Initialized {len(trace.seed.pieces)} seed" in answer["log"]


def rounds(trace, version):
    """Return the size, the objective and the tokens of each round of EM."""
    steps = zip(of_kind(trace, Expectation), of_kind(trace, Maximization), strict=True)
    return [
        (
            len(m_step.after),
            e_step.objective,
            e_step.num_tokens_of_words if version == "0.2.1" else e_step.num_tokens,
        )
        for e_step, m_step in steps
    ]


@versions
def test_default_normalization(version):
    text = "\n".join([many_scripts(), *normal_strings()])
    run_request = request(text, 3000, normalization_rule_name="nmt_nfkc")
    (answer,) = ask_sentencepiece(version, "train_unigram", runs=[run_request])
    trace = record(text, CONVENTIONS[version], 3000, ("nmt_nfkc", *SPACES))
    assert final_pieces(trace) == answer["pieces"]


def normal_strings():
    """Return odd strings without what only newer tables of Unicode know, a line each."""
    strings = [" ".join(string.split()) for string in random_strings(400)]
    return [s for s in strings if s.isprintable() and len(s) > 20 and s.isascii()]


def drawn_run(rng):
    """Draw lines of few letters, so that much repeats and much is worth the same."""
    letters = rng.choice(
        ["ab", "abc", "abcdefgh", "αβγab", "かな漢字ab", "aáb.,1", "éèêaяю", "a▁ b"]
    )
    words = ["".join(rng.choices(letters, k=rng.randint(1, 8))) for _ in range(rng.randint(2, 30))]
    lines = [" ".join(rng.choices(words, k=rng.randint(1, 8))) for _ in range(rng.randint(3, 40))]
    return "\n".join(lines), rng.randint(14, 60)


@versions
def test_200_small_corpora(version):
    rng = random.Random(7)
    runs = [drawn_run(rng) for _ in range(200)]
    answers = ask_sentencepiece(version, "train_unigram", runs=[request(*run) for run in runs])
    traces = [record(text, CONVENTIONS[version], size) for text, size in runs]
    differing = [
        run
        for run, trace, answer in zip(runs, traces, answers, strict=True)
        if final_pieces(trace) != answer["pieces"]
    ]
    assert differing == []
    assert sum(len(of_kind(trace, Prune)) for trace in traces) > 20


@versions
@pytest.mark.parametrize(
    "changes",
    [
        {"character_coverage": 0.98},
        {"shrinking_factor": 0.5, "sub_iterations": 1},
        {"max_piece_length": 4},
        {"seed_size": 1500},
    ],
    ids=str,
)
def test_options(version, changes):
    names = {
        "sub_iterations": "num_sub_iterations",
        "max_piece_length": "max_sentencepiece_length",
        "seed_size": "seed_sentencepiece_size",
    }
    text = english_prose()[:60_000]
    options: Any = {names.get(name, name): value for name, value in changes.items()}
    run_request = request(text, 400, **options)
    (answer,) = ask_sentencepiece(version, "train_unigram", runs=[run_request])
    assert final_pieces(record(text, CONVENTIONS[version], 400, **changes)) == answer["pieces"]


@versions
def test_a_table_of_counts(version):
    rng = random.Random(3)
    words = {"".join(rng.choices("abcde", k=rng.randint(1, 7))): 0 for _ in range(60)}
    counts = {word: rng.randint(1, 9) for word in words}
    run_request = request(
        "\n".join(f"{word}\t{n}" for word, n in counts.items()), 60, input_format="tsv"
    )
    (answer,) = ask_sentencepiece(version, "train_unigram", runs=[run_request])
    corpus = Corpus.from_counts(counts, Pipeline(SPACES, "metaspace"))
    settings = convention_settings(CONVENTIONS[version], 60)
    assert final_pieces(UnigramTrace.record(corpus, settings)) == answer["pieces"]


@pytest.mark.parametrize(
    ("rule", "names", "most"),
    [("identity", SPACES, 0), ("nmt_nfkc", ("nmt_nfkc", *SPACES), 0.02)],
)
@needs_sentencepiece["0.2.3"]
def test_normalized_text(rule, names, most):
    # Strings of odd marks show rules for sequences that only the library's table has.
    run_request = request("ab abc\n" * 9, 9, normalization_rule_name=rule)
    model = ask_sentencepiece("0.2.3", "train", **run_request)["model"]
    texts = [*random_strings(3000), *many_scripts().split("\n")]
    answers = ask_sentencepiece("0.2.3", "normalize", model=model, texts=texts)
    ours = [normalize(text, names).text.replace(" ", "▁") for text in texts]
    ours = [f"▁{text}" if text else "" for text in ours]
    pairs = zip(ours, answers, strict=True)
    differing = [ours for ours, theirs in pairs if ours != theirs.replace(" ", "▁")]
    assert len(differing) <= most * len(texts)


# --- Hugging Face ---------------------------------------------------------------------------------


def check_hugging_face(trace, rows):
    """Compare the pieces, and the scores but for characters that were added."""
    final = trace.steps[-1]
    theirs = {piece: score for piece, score in rows if piece != "<unk>"}
    assert set(final.pieces) == set(theirs)
    for piece, score in theirs.items():
        most = 0.0001 * len(final.added) if piece in final.added else 1e-9
        assert abs(score - final.pieces[piece]) <= most


@needs_library
@pytest.mark.parametrize(
    ("text", "size", "pre_tokenizer"),
    [
        (english_prose, 500, "punctuation"),
        (english_prose, 2000, "metaspace"),
        (english_prose, 8000, "metaspace"),
        (many_scripts, 4000, "punctuation"),
        (many_scripts, 4000, "spaces"),
    ],
)
def test_hugging_face(text, size, pre_tokenizer):
    rows = ask("train_unigram", text=text(), pre_tokenizer=pre_tokenizer, vocab_size=size)
    trace = record(text(), "hugging_face", size, (), pre_tokenizer)
    check_hugging_face(trace, rows)


@needs_library
def test_hugging_face_on_small_corpora():
    rng = random.Random(11)
    runs = [drawn_run(rng) for _ in range(200)]
    requests = [
        {"text": text, "pre_tokenizer": "metaspace", "vocab_size": size} for text, size in runs
    ]
    answers = ask("train_many_unigram", runs=requests)
    for (text, size), rows in zip(runs, answers, strict=True):
        check_hugging_face(record(text, "hugging_face", size, (), "metaspace"), rows)
