"""Hostile input for the short chapters of the core, and for the files that it writes.

`CHAPTERS` has a function for each: those that a page or a lesson asks for now and then, and that
the areas in areas.py would hardly ever come by.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from tests.fuzz import drawing
from tokenizers import bpe, unigram, wordpiece
from tokenizers.bpe import any_bytes, superwords, vocabulary_edit
from tokenizers.experiments.research import patches
from tokenizers.formats import sentencepiece_writer
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.tiktoken import write_tiktoken
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.formats.vocab_merges import write_vocab_merges
from tokenizers.formats.vocab_txt import write_vocab_txt
from tokenizers.lattice import Lattice, jensen
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.lattice.hidden_markov import finished_sum, forward_by_state
from tokenizers.measures import boundaries, efficiency
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram import length_prior
from tokenizers.wordpiece.automaton import Automaton
from tokenizers.wordpiece.likelihood import train_by_likelihood


def beyond_words(rng: Random) -> None:
    """BPE across spaces, on bytes that are no text, and with pieces taken away or added."""
    stages = superwords.StagedCorpus.from_text(drawing.text(rng, 40))
    settings = bpe.Settings(base="metaspace", num_merges=rng.randint(0, 20))
    list(superwords.train_in_stages(stages, settings, rng.randint(0, 20)))
    model = _model(rng, rng.choice(("bytes", "bytes", "characters")))
    parts = any_bytes.encode_bytes(rng.randbytes(rng.randint(0, 40)), model)
    b"".join(any_bytes.bytes_of_glyphs(part) for part in parts)
    fewer = vocabulary_edit.with_first_merges(model, rng.randint(0, 30))
    taken = rng.sample(list(model.vocab), min(2, len(model.vocab)))
    for one in (fewer, vocabulary_edit.without_pieces(model, taken, rng.random() < 0.5)):
        bpe.encode(drawing.text(rng), one)
    added = tuple(filter(None, (drawing.text(rng, 4) for _ in range(3))))
    vocabulary_edit.WithAddedTokens(model, added).encode(drawing.text(rng))


def measuring(rng: Random) -> None:
    """Entropies of tokens, cuts against morphemes, patches of bytes."""
    counts = {drawing.text(rng, 4): rng.randint(1, 10**6) for _ in range(rng.randint(0, 5))}
    alpha = rng.choice((0.0, 1.0, 2.5, drawing.number(rng)))
    some = list(counts)[:2]
    data = drawing.text(rng, 60).encode("utf-8", "replace")
    hard = patches.entropies(patches.ByteModel.learn(data, rng.randint(0, 4)), data)
    assert b"".join(patches.patches(data, hard, drawing.number(rng))) == data
    morphemes = [drawing.text(rng, 4) for _ in range(rng.randint(1, 4))]
    at = boundaries.boundaries(morphemes)
    assert "".join(boundaries.parts("".join(morphemes), at)) == "".join(morphemes)
    boundaries.segment_word(_model(rng, rng.choice(("characters", "bytes"))), morphemes)
    efficiency.renyi_efficiency(counts, alpha)
    efficiency.renyi_efficiency(efficiency.with_copies(counts, some, rng.randint(1, 4)), alpha)


def weighing(rng: Random) -> None:
    """Lattices as hidden Markov models, with a prior on the number of pieces, and the fewest."""
    text = drawing.text(rng, 12) or "a"
    pieces = {text[i : i + n]: -rng.random() * 9 for i in range(len(text)) for n in (1, 2, 3)}
    if rng.random() < 0.3:
        del pieces[rng.choice(list(pieces))]
    fewest = fewest_pieces(text, pieces)
    assert fewest is None or "".join(fewest) == text
    weight = length_prior.geometric(drawing.number(rng))
    length_prior.fit({text: rng.randint(1, 10**12)}, pieces, weight, rng.randint(0, 3))
    if fewest:
        column = forward_by_state(Lattice.build(text, pieces))[-1]
        finished_sum(column)
        jensen.lower_bound([-1.0, -2.0], [0.5, 0.5])


def wordpiece_otherwise(rng: Random) -> None:
    """WordPiece trained by likelihood, and as an automaton."""
    settings = drawing.settings(wordpiece.Settings, rng)
    for n, _ in enumerate(train_by_likelihood(drawing.corpus(rng), settings)):
        if n == 5:
            break
    pieces = {rng.choice(("", "##")) + drawing.text(rng, 3) for _ in range(8)} - {"", "##"}
    split = Automaton(pieces).split(drawing.text(rng, 8))
    assert split is None or pieces.issuperset(split)


def written(rng: Random) -> None:
    """A model of each kind in each of its files, read again, whole or broken."""
    files = rng.choice((_of_bpe, _of_wordpiece, _of_unigram))(rng)
    text = drawing.text(rng)
    if rng.random() < 0.5:
        broken = rng.choice(list(files))
        files = {**files, broken: drawing.broken_bytes(files[broken], rng)}
    loaded = open_tokenizer(files)
    loaded.stages(text)
    loaded.decode(loaded.encode(text, rng.choice((None, drawing.text(rng, 8)))).ids)


def _of_bpe(rng: Random) -> Mapping[str, bytes]:
    model = _model(rng, rng.choice(("bytes", "bytes", "bytes", "characters", "end_of_word")))
    pair = ("vocab.json", "merges.txt")
    kind = rng.choice((*pair, ".tiktoken", "tokenizer.json"))
    if kind in pair:
        return dict(zip(pair, write_vocab_merges(model), strict=True))
    if kind == ".tiktoken":
        return {"own.tiktoken": write_tiktoken(model)}
    return {kind: write_tokenizer_json(model).encode()}


def _of_wordpiece(rng: Random) -> Mapping[str, bytes]:
    pipeline = Pipeline(rng.choice((("bert",), ("bert_cased",))), "bert")
    corpus = Corpus.from_text(drawing.text(rng, 60), pipeline)
    model = Trace.record(corpus, wordpiece.Settings(num_merges=20)).model()
    if rng.random() < 0.5:
        return {"vocab.txt": write_vocab_txt(model)}
    return {"tokenizer.json": write_tokenizer_json(model).encode()}


def _of_unigram(rng: Random) -> Mapping[str, bytes]:
    logs = {drawing.text(rng, 3): -rng.random() * 9 for _ in range(rng.randint(1, 9))}
    logs = {piece: log for piece, log in logs.items() if piece and piece.isprintable()}
    fallback = rng.random() < 0.5
    vocab = unigram.vocabulary(logs, fallback)
    pipeline = Pipeline(rng.choice(((), ("sentencepiece_spaces",))), "metaspace")
    model = unigram.Model(vocab, logs, pipeline=pipeline, byte_fallback=fallback)
    if rng.random() < 0.5:
        sentencepiece_writer.write_vocab(model)
        return {"tokenizer.model": sentencepiece_writer.write_model(model)}
    return {"tokenizer.json": write_tokenizer_json(model).encode()}


def _model(rng: Random, base: str) -> bpe.Model:
    corpus = drawing.corpus(rng)
    return Trace.record(corpus, bpe.Settings(base=base, num_merges=20)).model()


CHAPTERS: tuple[Callable[[Random], Any], ...] = (
    beyond_words, measuring, weighing, wordpiece_otherwise, written,
)  # fmt: skip
