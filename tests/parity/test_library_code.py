"""The code that a page shows for a library, run with the library, gives what the page recorded.

The settings are drawn from those that the sidebars offer. Where there is no code, there is
a reason.
"""

import base64
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest

from pages.shared.training.library_code import hugging_face, training_code
from pages.shared.training.library_code.code import COUNTS_FILE, TEXT_FILE
from pages.shared.training.library_code.opening import (
    MODEL,
    TIKTOKEN,
    TOKENIZER_JSON,
    opening_code,
)
from pages.shared.training.library_code.sentencepiece import RELEASES
from pages.shared.training.names import NORMALIZERS
from tests.call_counts import share
from tokenizers import bpe, unigram, wordpiece
from tokenizers.formats.sentencepiece_writer import write_model
from tokenizers.formats.tiktoken import write_tiktoken
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.text.symbols import BASES, BYTE_OF_GLYPH
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Finalize

from . import (
    ask,
    ask_sentencepiece,
    needs_library,
    needs_sentencepiece,
    needs_tiktoken,
    needs_transformers,
)

LETTERS = ["ab", "abc", "abcdefgh", "aáb.,1", "αβγab", "éèêaяю", "ab漢字", "a\"'\\b", "aB12 3-"]
SPLITS = [name for name in PRE_TOKENIZERS if name not in ("metaspace_whole", "metaspace_lines")]
NUM_CASES = 1_000


def drawn_text(rng: random.Random, lines: bool = True) -> str:
    letters = rng.choice(LETTERS)
    words = ["".join(rng.choices(letters, k=rng.randint(1, 8))) for _ in range(rng.randint(1, 12))]
    ends = [" ", " ", " ", "  ", "\n", ". "] if lines else [" "]
    return "".join(rng.choice(words) + rng.choice(ends) for _ in range(rng.randint(1, 60)))


def drawn_corpus(rng: random.Random, pipeline: Pipeline) -> Corpus:
    """Draw a text, or now and then a table of counts."""
    text = drawn_text(rng)
    if rng.random() < 0.2:
        return Corpus.from_counts({word: rng.randint(1, 9) for word in text.split()}, pipeline)
    return Corpus.from_text(text, pipeline)


def drawn_pipeline(rng: random.Random, split: str) -> Pipeline:
    names = rng.sample(list(NORMALIZERS), rng.choice([0, 0, 0, 1, 2]))
    return Pipeline(tuple(name for name in NORMALIZERS if name in names), split)


def drawn_limits(rng: random.Random) -> dict[str, Any]:
    return {
        "num_merges": rng.choice([0, 3, 12, 40]),
        "vocab_size": rng.choice([None, None, 12, 30, 300]),
        "min_count": rng.choice([1, 1, 1, 2, 4]),
    }


def drawn_bpe(rng: random.Random) -> Trace[Any]:
    base = rng.choice(BASES)
    split = {"bytes": "gpt2", "metaspace": "metaspace"}.get(base, "spaces")
    pipeline = drawn_pipeline(rng, split if rng.random() < 0.5 else rng.choice(SPLITS))
    settings = bpe.Settings(
        base=base,
        ties=rng.choice([*TIE_RULES, "smallest_ids", "first_seen"]),
        max_token_length=rng.choice([None, None, 1, 2, 4]),
        **drawn_limits(rng),
    )
    return Trace.record(drawn_corpus(rng, pipeline), settings)


def drawn_wordpiece(rng: random.Random) -> Trace[Any]:
    settings = wordpiece.Settings(
        mark=rng.choice(["##", "##", "", "@@", "_"]),
        convention=rng.choice(["score", "hugging_face", "hugging_face", "hugging_face"]),
        ties=rng.choice([*TIE_RULES, "smallest_ids", "smallest_ids"]),
        **drawn_limits(rng),
    )
    pipeline = drawn_pipeline(rng, rng.choice(["spaces", "bert", "punctuation", *SPLITS]))
    return Trace.record(drawn_corpus(rng, pipeline), settings)


def drawn_unigram(rng: random.Random, convention: str) -> UnigramTrace:
    pipeline = drawn_pipeline(rng, rng.choice(["metaspace", "metaspace", *SPLITS]))
    if convention.startswith("sentencepiece"):
        names = rng.choice([("sentencepiece_spaces",), ("nmt_nfkc", "sentencepiece_spaces"), ()])
        pipeline = Pipeline(names, "metaspace")
    changes = {
        "character_coverage": rng.choice([None, None, 0.98]),
        "seed_size": rng.choice([None, None, 40]),
        "max_piece_length": rng.choice([None, None, 3]),
        "sub_iterations": rng.choice([None, None, 1, 3]),
        "shrinking_factor": rng.choice([None, None, 0.5]),
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    settings = convention_settings(convention, rng.randint(8, 60), **changes)
    return UnigramTrace.record(drawn_corpus(rng, pipeline), settings)


def files(corpus: Corpus) -> dict[str, str]:
    """Return what the page lets one save beside the code, as base64."""
    if corpus.text is None:
        content = {COUNTS_FILE: json.dumps(dict(corpus.word_counts)).encode()}
    else:
        content = {TEXT_FILE: corpus.text.encode()}
    return {name: base64.b64encode(data).decode() for name, data in content.items()}


def texts(trace: Any) -> list[str]:
    rng = random.Random(len(trace))
    return [trace.corpus.text or " ".join(trace.corpus.word_counts), drawn_text(rng), ""]


@cache
def cases(library: str) -> list[tuple[Any, Any]]:
    """Return runs with the code for a library, as many as are drawn, and check each reason."""
    rng, found, without = random.Random(43), [], Counter()
    draws = {
        "Hugging Face tokenizers": [
            drawn_bpe,
            drawn_wordpiece,
            lambda r: drawn_unigram(r, "hugging_face"),
        ],
        "tiktoken": [drawn_bpe],
        "SentencePiece": [lambda r: drawn_unigram(r, "sentencepiece")],
        "SentencePiece 0.2.1": [lambda r: drawn_unigram(r, "sentencepiece_classic")],
    }[library]
    wanted = share(NUM_CASES)
    while len(found) < wanted:
        trace = draws[len(found) % len(draws)](rng)
        (one,) = [
            one for one in training_code(trace) if one.library == library.removesuffix(" 0.2.1")
        ]
        assert bool(one.code) != bool(one.reasons)
        if one.code:
            found.append((trace, one))
        without.update(one.reasons)
    return found


FILES = {
    TOKENIZER_JSON: write_tokenizer_json,
    MODEL: write_model,
    TIKTOKEN: write_tiktoken,
}


def opened(library: str) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return runs and the programs that open their files in a library."""
    source = {"SentencePiece": "SentencePiece", "tiktoken": "tiktoken"}.get(library)
    traces, programs = [], []
    for trace, _ in cases(source or hugging_face.NAME):
        model = trace.model()
        for one in opening_code(model, "low lower"):
            if one.library == library and one.code:
                written = FILES[one.file](model)
                data = written.encode() if isinstance(written, str) else written
                content = {one.file: base64.b64encode(data).decode()}
                traces.append(trace)
                programs.append({"code": one.code, "files": content, "texts": texts(trace)})
    return traces, programs


def split_here(trace: Any, text: str, library: str) -> list[Any]:
    """Return the tokens of a text with their ids, as an oracle writes those of this library."""
    model = with_rounding(trace) if library == "SentencePiece" else trace.model()
    split = encode(trace)(text, model)
    if library == "tiktoken":
        return [[BYTE_OF_GLYPH[glyph] for glyph in token] for token in split.tokens]
    is_unigram = isinstance(trace, UnigramTrace)
    return [list(split.pieces if is_unigram else split.tokens), list(split.ids)]


def ties_only(trace: Any, ours: list[Any], theirs: list[Any]) -> bool:
    """Return whether two programs differ only in splits that Unigram finds equally probable."""
    if not isinstance(trace, UnigramTrace) or len(ours) != len(theirs):
        return False
    pairs = zip(ours, theirs, strict=True)
    return all(a == b or is_tie(trace.model(), a[0], b[0]) for a, b in pairs)


@pytest.mark.parametrize(
    "library",
    [
        pytest.param(hugging_face.NAME, marks=needs_library),
        pytest.param("transformers", marks=needs_transformers),
        pytest.param("tiktoken", marks=needs_tiktoken),
        pytest.param("SentencePiece", marks=needs_sentencepiece["0.2.3"]),
    ],
)
def test_the_files_opened_split_as_the_page_does(library):
    traces, programs = opened(library)
    run = partial(ask_sentencepiece, "0.2.3") if library == "SentencePiece" else ask
    answers = run("run_programs", programs=programs)
    wrong = []
    for trace, program, answer in zip(traces, programs, answers, strict=True):
        found = [answer["error"]] if "error" in answer else answer["encoded"]
        ours = [split_here(trace, text, library) for text in texts(trace)]
        if found != ours and not (library == hugging_face.NAME and ties_only(trace, ours, found)):
            wrong.append(f"{found}\n{ours}\n{trace.settings}\n{program['code']}")
    check(wrong)
    assert len(programs) > len(cases("tiktoken")) // 4


def program(trace: Any, code: Any) -> dict[str, Any]:
    return {"code": code.code, "files": files(trace.corpus), "texts": texts(trace)}


def encode(trace: Any) -> Any:
    if isinstance(trace, UnigramTrace):
        return unigram.encode
    return bpe.encode if isinstance(trace.settings, bpe.Settings) else wordpiece.encode


def check(found: list[str]) -> None:
    assert not found, "\n\n".join(found[:5]) + f"\n{len(found)} cases"


def differences(found, answers, compare) -> list[str]:
    wrong = []
    for (trace, one), answer in zip(found, answers, strict=True):
        why = answer.get("error") or compare(trace, answer)
        if why:
            wrong.append(f"{why}\n{trace.settings}\n{trace.corpus}\n{one.code}")
    return wrong


@needs_library
def test_hugging_face():
    found = cases("Hugging Face tokenizers")
    answers = ask("run_programs", programs=[program(*case) for case in found])

    def compare(trace: Any, answer: Any) -> str:
        model, theirs = trace.model(), answer["file"]["model"]
        if isinstance(trace, UnigramTrace):
            return compare_unigram(trace, theirs["vocab"], answer["encoded"])
        if dict(model.vocab) != theirs["vocab"]:
            return f"vocabulary {dict(model.vocab)} {theirs['vocab']}"
        if "merges" in theirs and list(map(list, trace.pairs)) != theirs["merges"]:
            return f"merges {trace.pairs} {theirs['merges']}"
        for text, (tokens, ids) in zip(texts(trace), answer["encoded"], strict=True):
            ours = encode(trace)(text, model)
            if (list(ours.tokens), list(ours.ids)) != (tokens, ids):
                return f"{text!r}: {ours.tokens} {tokens}"
        return ""

    check(differences(found, answers, compare))
    assert len({type(trace.settings) for trace, _ in found}) == 3


def with_rounding(trace: UnigramTrace) -> unigram.Model:
    """Return the model with the sums of SentencePiece, which splits a text as a whole."""
    model, convention = trace.model(), trace.settings.convention
    pipeline = Pipeline(trace.corpus.pipeline.normalizers, "metaspace_whole")
    logs = {piece: as_float32(log) for piece, log in model.log_probs.items()}
    return replace(model, log_probs=logs, pipeline=pipeline, convention=convention)


def compare_unigram(trace: UnigramTrace, rows: list[Any], encoded: list[Any]) -> str:
    """Compare pieces, scores and splits; those of characters put back have scores that vary."""
    final = trace.steps[-1]
    model = with_rounding(trace) if trace.settings.convention in RELEASES else trace.model()
    theirs = {piece: score for piece, score in rows if piece not in ("<unk>", "<s>", "</s>")}
    if set(model.pieces) != set(theirs):
        return f"pieces {sorted(model.pieces)} {sorted(theirs)}"
    free = set(final.added) if isinstance(final, Finalize) else set()
    for piece, score in theirs.items():
        if abs(score - model.pieces[piece]) > (0.0001 * len(free) if piece in free else 2e-5):
            return f"{piece}: {model.pieces[piece]} {score}"
    for text, (tokens, ids) in zip(texts(trace), encoded, strict=True):
        ours = unigram.encode(text, model)
        if free.intersection([*tokens, *ours.pieces]):
            continue
        if list(ours.pieces) != tokens and not is_tie(model, ours.pieces, tokens):
            return f"{text!r}: {ours.pieces} {tokens} {ids}"
    return ""


def is_tie(model: unigram.Model, ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two splits are equally probable, as far as the two programs' sums agree."""
    if model.convention in RELEASES or set(theirs) - set(model.log_probs):
        return False  # the same rounding, so the same split
    one, other = (sum(map(model.log_probs.__getitem__, pieces)) for pieces in (ours, theirs))
    return abs(one - other) < 1e-9 * len(theirs)


@needs_tiktoken
def test_tiktoken():
    found = cases("tiktoken")
    answers = ask("run_programs", programs=[program(*case) for case in found])

    def compare(trace: Any, answer: Any) -> str:
        ours = [[BYTE_OF_GLYPH[glyph] for glyph in token] for token in trace.tokens]
        if ours != answer["tokens"][256:]:
            return f"{ours} {answer['tokens'][256:]}"
        model = trace.model()
        for text, tokens in zip(texts(trace), answer["encoded"], strict=True):
            mine = bpe.encode(text, model).tokens
            if [[BYTE_OF_GLYPH[glyph] for glyph in token] for token in mine] != tokens:
                return f"{text!r}: {mine} {tokens}"
        return ""

    check(differences(found, answers, compare))


@pytest.mark.parametrize(
    ("library", "version"),
    [
        pytest.param("SentencePiece", "0.2.3", marks=needs_sentencepiece["0.2.3"]),
        pytest.param("SentencePiece 0.2.1", "0.2.1", marks=needs_sentencepiece["0.2.1"]),
    ],
)
def test_sentencepiece(library, version):
    found = cases(library)
    programs = [program(*case) for case in found]
    answers = ask_sentencepiece(version, "run_programs", programs=programs)

    def compare(trace: Any, answer: Any) -> str:
        return compare_unigram(trace, answer["rows"], answer["encoded"])

    check(differences(found, answers, compare))
