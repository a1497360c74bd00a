"""Unigram models encode, list and draw as in SentencePiece, two versions, and Hugging Face.

The models are SentencePiece's own, trained here. Its normalization is left at spaces, for this is
about what comes after it.
"""

import math
import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from tests.call_counts import sample
from tokenizers.lattice import num_segmentations
from tokenizers.lattice.n_best import segmentations
from tokenizers.lattice.sampling import Sampler
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import BYTES, UNK, Model, decode, encode
from tokenizers.unigram.sentencepiece_parity.n_best import sentencepiece_n_best

from . import ask, ask_sentencepiece, needs_library, needs_sentencepiece
from .corpora import english_prose, many_scripts, programs, random_strings

CONVENTIONS = {"0.2.1": "sentencepiece_classic", "0.2.3": "sentencepiece"}
WHOLE = Pipeline(("sentencepiece_spaces",), "metaspace_whole")
versions = pytest.mark.parametrize(
    "version", [pytest.param(v, marks=needs_sentencepiece[v]) for v in CONVENTIONS]
)


def program_text():
    """Return modules of the standard library: prose alone has too few distinct words."""
    names = "_pydecimal argparse doctest inspect mailbox pydoc tarfile turtle typing unittest/mock"
    return programs(names)


MODELS = {
    "prose 2,000": (english_prose, {"vocab_size": 2000}),
    "prose 8,000": (lambda: english_prose() + program_text(), {"vocab_size": 8000}),
    "scripts": (many_scripts, {"vocab_size": 5000, "byte_fallback": True}),
    "missing": (lambda: english_prose()[:40_000], {"vocab_size": 600, "character_coverage": 0.98}),
}
"""What is trained on, and what is asked for."""

models = pytest.mark.parametrize("name", MODELS)


@cache
def trained(version, name):
    """Return SentencePiece's model of that name, and ours of the same pieces."""
    text, options = MODELS[name]
    options = {"normalization_rule_name": "identity", "minloglevel": 2, **options}
    lines = text().split("\n")
    theirs = ask_sentencepiece(version, "train", lines=lines, **options)["model"]
    pieces = ask_sentencepiece(version, "pieces", model=theirs)
    return theirs, model_of(pieces, CONVENTIONS[version])


def model_of(pieces, convention, pipeline=WHOLE):
    """Return our model of the pieces, scores and kinds that SentencePiece tells."""
    return Model(
        {piece: id_ for id_, (piece, _, _) in enumerate(pieces)},
        {piece: score for piece, score, kind in pieces if kind == "NORMAL"},
        pipeline=pipeline,
        byte_fallback=any(kind == "BYTE" for *_, kind in pieces),
        convention=convention,
    )


@cache
def texts():
    return random_strings(sample(10_000))


# --- SentencePiece --------------------------------------------------------------------------------


@cache
def encoded(version, name):
    """Return what our model makes of the texts."""
    _, model = trained(version, name)
    return [encode(text, model) for text in texts()]


@versions
@models
def test_10_000_strings(version, name):
    theirs, model = trained(version, name)
    answers = ask_sentencepiece(version, "encode", model=theirs, texts=texts())
    ours = encoded(version, name)
    differing = [
        text
        for text, encoding, (pieces, ids) in zip(texts(), ours, answers, strict=True)
        if (list(encoding.pieces), list(encoding.ids)) != (pieces, ids)
    ]
    assert differing == []
    tokens = Counter(token for encoding in ours for token in encoding.tokens)
    if model.byte_fallback:
        assert tokens[UNK] == 0
        assert sum(map(tokens.__getitem__, BYTES)) > len(texts())
    else:
        assert 0.02 < tokens[UNK] / tokens.total() < 0.9


@versions
def test_a_text_of_465_000_characters(version):
    """The sums become so large that a float32 has no digit left behind the point."""
    theirs, model = trained(version, "prose 2,000")
    text = english_prose()
    ((pieces, ids),) = ask_sentencepiece(version, "encode", model=theirs, texts=[text])
    encoding = encode(text, model)
    assert (list(encoding.pieces), list(encoding.ids)) == (pieces, ids)


@cache
def ties():
    """Return strings that can be split in several ways worth the same, or nearly so."""
    rng, parts = random.Random(1), ("*", "**", "-", "--", "==", "same ", " the", "__")
    runs = [character * length for character in "*-=_.#aeot0" for length in range(2, 200, 3)]
    return runs + ["".join(rng.choices(parts, k=rng.randint(2, 90))) for _ in range(1000)]


@versions
@models
def test_ties_follow_only_the_convention_of_the_version(version, name):
    theirs, model = trained(version, name)
    answers = ask_sentencepiece(version, "encode", model=theirs, texts=ties())
    for convention in ("textbook", *CONVENTIONS.values()):
        ours = replace(model, convention=convention)
        differing = [
            text
            for text, (pieces, *_) in zip(ties(), answers, strict=True)
            if list(encode(text, ours).pieces) != pieces
        ]
        if convention == CONVENTIONS[version]:
            assert differing == []
        elif name != "scripts":
            assert len(differing) > 50


@versions
@pytest.mark.parametrize("name", ["prose 2,000", "scripts"])
def test_n_best(version, name):
    theirs, model = trained(version, name)
    strings = [text for text in texts()[: sample(2_500)] if model.pipeline(text).words]
    lattices = [model.lattice(*model.pipeline(text).words) for text in strings]
    differing = []
    for n in (2, 5, 20, 64):
        answers = ask_sentencepiece(version, "n_best", model=theirs, texts=strings, n=n)
        for lattice, text, answer in zip(lattices, strings, answers, strict=True):
            paths = sentencepiece_n_best(lattice, n, is_classic=version == "0.2.1")
            if [fused(lattice, path, model) for path in paths] != answer:
                differing.append((n, text))
    assert differing == []
    assert sum(num_segmentations(lattice) > 64 for lattice in lattices) > len(lattices) // 5


def fused(lattice, path, model):
    """Return the pieces of a path as the library tells them."""
    pieces, fuses = [], False
    for edge in map(lattice.edges.__getitem__, path):
        if edge.known:
            pieces.append(edge.piece)
        elif model.byte_fallback:
            pieces += [f"<0x{byte:02X}>" for byte in edge.piece.encode()]
        elif fuses:
            pieces[-1] += edge.piece
        else:
            pieces.append(edge.piece)
        fuses = not edge.known
    return pieces


@versions
@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("the same " * 60, 64),
        ("ab" * 400, 64),
        ("no " * 200, 512),  # version 0.2.3 gives up and returns the best alone
        ("é" * 300 + " no" * 20, 512),  # it clears up because of all it has seen
    ],
)
def test_n_best_beyond_the_limit_of_the_heap(version, text, n):
    theirs, model = trained(version, "prose 2,000")
    (answer,) = ask_sentencepiece(version, "n_best", model=theirs, texts=[text], n=n)
    lattice = model.lattice(*model.pipeline(text).words)
    paths = sentencepiece_n_best(lattice, n, is_classic=version == "0.2.1")
    assert [fused(lattice, path, model) for path in paths] == answer
    assert (len(answer) == 1) == (version == "0.2.3" and text.startswith("no"))


@versions
@models
def test_decoding(version, name):
    theirs, model = trained(version, name)
    rng = random.Random(3)
    many_ids = [rng.choices(range(len(model.vocab)), k=rng.randint(0, 30)) for _ in range(500)]
    many_ids += [list(encoding.ids) for encoding in encoded(version, name)[:500]]
    answers = ask_sentencepiece(version, "decode", model=theirs, many_ids=many_ids)
    assert [decode(ids, model) for ids in many_ids] == answers


# --- Hugging Face ---------------------------------------------------------------------------------


def hugging_face_vocabulary(version, name):
    """Return [piece, score] with a score for marks and bytes too, which that library can find."""
    _, model = trained(version, name)
    return [[piece, model.log_probs.get(piece, -14.5)] for piece in model.vocab]


def hugging_face_model(vocab, byte_fallback):
    ids = {piece: id_ for id_, (piece, _) in enumerate(vocab)}
    return Model(ids, dict(vocab), byte_fallback=byte_fallback, convention="hugging_face")


@needs_library
@needs_sentencepiece["0.2.3"]
@models
def test_10_000_strings_as_hugging_face(name):
    vocab, byte_fallback = hugging_face_vocabulary("0.2.3", name), name == "scripts"
    strings = [*texts(), "<unk>", "<unk>é<unk>", "<unk><unk>", "<0xC3><s>é", "é<0xC3>"]
    answers = ask(
        "encode_unigram", vocab=vocab, unk=UNK, texts=strings, byte_fallback=byte_fallback
    )
    model = hugging_face_model(vocab, byte_fallback)
    differing, displaced = [], []
    for text, (pieces, ids, places) in zip(strings, answers, strict=True):
        encoding = encode(text, model)
        if (list(encoding.pieces), list(encoding.ids)) != (pieces, ids):
            differing.append(text)
        elif as_hugging_face(encoding) != places:
            displaced.append(text)
    assert (differing, displaced) == ([], [])


def as_hugging_face(encoding):
    """Return the places as that library tells them.

    Where we say that a `▁` put in front stands for nothing, and a byte for its own character, it
    says the first character, and all the unknown characters side by side.
    """
    places = list(encoding.offsets)
    if places and places[0] == (0, 0):
        places[0] = (0, 1)
    start = 0
    for end in range(1, len(places) + 1):
        is_one_run = end < len(places) and encoding.words[end] == encoding.words[start]
        if not (is_one_run and encoding.tokens[end] in BYTES and encoding.tokens[start] in BYTES):
            if encoding.tokens[start] in BYTES:
                places[start:end] = [(places[start][0], places[end - 1][1])] * (end - start)
            start = end
    return places


# --- Sampling -------------------------------------------------------------------------------------

DRAWS = 100_000
WORD = "understand"
drawn = pytest.mark.parametrize("alpha", [0.2, 0.5, 1.0])


def chances_of(model, alpha, convention="sentencepiece"):
    """Return the computed probability of every split of the word, as pieces joined by spaces."""
    lattice = model.lattice(f"▁{WORD}")
    sampler = Sampler(lattice, alpha, convention)
    return {
        " ".join(lattice.pieces(path)): sampler.probability(path) for path in segmentations(lattice)
    }


def total_variation(counts, chances):
    """Return half the sum of all differences between shares and probabilities."""
    total = sum(counts.values())
    splits = counts.keys() | chances.keys()
    return sum(abs(counts.get(s, 0) / total - chances.get(s, 0)) for s in splits) / 2


def noise(chances):
    """Return the total variation to be expected of `DRAWS` true draws."""
    return 0.4 * sum(math.sqrt(p * (1 - p) / DRAWS) for p in chances.values())


@versions
@drawn
def test_draws_from_all(version, alpha):
    theirs, model = trained(version, "missing")
    options = {"text": WORD, "alpha": alpha, "count": DRAWS}
    counts = dict(ask_sentencepiece(version, "draw", model=theirs, **options))
    chances = chances_of(model, alpha)
    assert len(chances) > 20
    assert total_variation(counts, chances) < 2 * noise(chances) + 0.001 < 0.02


@needs_library
@needs_sentencepiece["0.2.3"]
@drawn
def test_draws_of_hugging_face(alpha):
    """They follow a rule of their own, which is the common one for an alpha of 1 alone."""
    vocab = hugging_face_vocabulary("0.2.3", "missing")
    model = hugging_face_model(vocab, byte_fallback=False)
    options = {"vocab": vocab, "unk": UNK, "word": WORD, "alpha": alpha, "count": DRAWS}
    counts = dict(ask("draw_unigram", **options))
    chances = chances_of(model, alpha, "hugging_face")
    assert total_variation(counts, chances) < 2 * noise(chances) + 0.001 < 0.02
    assert (total_variation(counts, chances_of(model, alpha)) > 0.1) == (alpha < 1)


@needs_sentencepiece["0.2.3"]
@drawn
def test_our_draws(alpha):
    _, model = trained("0.2.3", "missing")
    sampler, rng = Sampler(model.lattice(f"▁{WORD}"), alpha), random.Random(5)
    paths = Counter(sampler.draw(rng) for _ in range(DRAWS))
    counts = {" ".join(sampler.lattice.pieces(path)): times for path, times in paths.items()}
    chances = chances_of(model, alpha)
    assert total_variation(counts, chances) <= 0.01
