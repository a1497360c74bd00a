"""Hostile input for the short chapters of the core, and for the files that it writes.

`CHAPTERS` has a function for each: those that a page or a lesson asks for now and then, and that
the areas in areas.py would hardly ever come by.
"""

import json
from collections.abc import Callable, Mapping
from itertools import chain
from random import Random
from typing import Any

from tests.fuzz import drawing
from tokenizers import bpe, unigram, wordpiece
from tokenizers.bpe import any_bytes, superwords, vocabulary_edit
from tokenizers.experiments.research import patches
from tokenizers.formats import sentencepiece_writer
from tokenizers.formats.opening import MAX_NOTES, group_files, open_tokenizer
from tokenizers.formats.repository_settings import (
    ADDED,
    CONFIG,
    GENERATION,
    NETWORK,
    OPTIONS,
    ROLES,
    SPECIALS,
    TEMPLATE,
    TEMPLATE_JSON,
)
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
    settings = superwords.SuperwordSettings(
        num_merges=rng.randint(0, 20),
        crossing=rng.choice(superwords.CROSSINGS),
        inside=rng.randint(0, 20),
    )
    corpus = Corpus.from_text(drawing.text(rng, 40), superwords.LINES)
    Trace.record(corpus, settings).model().encode(drawing.text(rng, 40))
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


KEYS = (
    *OPTIONS,
    *(f"{role}_token" for role in ROLES),
    *("image_token", "additional_special_tokens", "extra_special_tokens", "added_tokens_decoder"),
    *("chat_template", "tokenizer_class", "extra_ids", "model_max_length", "model_type"),
    *("eos_token_id", "<a>", "<s>"),
)
CLASSES = ("BertTokenizer", "GPT2TokenizerFast", "LlamaTokenizer", "T5Tokenizer", "Qwen2Tokenizer")


def repositories(rng: Random) -> None:
    """A model of each kind with settings beside it that say anything, in any order."""
    files = dict(rng.choice((_of_bpe, _of_wordpiece, _of_unigram))(rng))
    names = rng.sample((CONFIG, SPECIALS, ADDED, GENERATION, NETWORK, TEMPLATE_JSON), 3)
    for name in names:
        values = {key: _value(rng, key) for key in rng.sample(KEYS, rng.randint(0, 6))}
        if rng.random() < 0.7:
            values["tokenizer_class"] = rng.choice(CLASSES)
        if name == ADDED:
            values = {f"<{n}>": rng.choice((5, 300, n)) for n in range(rng.randint(0, 4))}
        data = json.dumps(values).encode()
        files[name] = data if rng.random() < 0.8 else drawing.broken_bytes(data, rng)
    if rng.random() < 0.3:
        files[TEMPLATE] = drawing.text(rng).encode(errors="ignore")
    order = rng.sample([*files.items()], len(files))
    assert sorted(chain.from_iterable(group_files(order))) == list(range(len(files)))
    loaded, text = open_tokenizer(dict(order)), drawing.text(rng)
    assert len(loaded.settings) <= MAX_NOTES + 1
    loaded.decode(loaded.encode(f"{text}<a>{text}", rng.choice((None, text))).ids)


def _value(rng: Random, key: str) -> object:
    """Draw a value for a key, seldom of another type than it should be."""
    if rng.random() < 0.08:
        return _setting(rng, 2)
    if key in OPTIONS:
        return rng.choice((True, False, None))
    token = {"content": rng.choice(("<a>", "</s>", "l", "")), "rstrip": rng.random() < 0.5}
    values: dict[str, object] = {
        "added_tokens_decoder": {rng.choice(("0", "300", "7")): token, "301": {"content": "<b>"}},
        "extra_ids": rng.choice((0, 3)),
        "chat_template": rng.choice(("{{ x }}", [{"name": "a", "template": "b"}], {"c": "d"})),
    }
    return values.get(key, rng.choice(("<s>", "[UNK]", token)))


def _setting(rng: Random, depth: int) -> object:
    """Draw a value of a settings file, often of another type than it should be."""
    plain = (None, True, False, drawing.whole(rng), drawing.number(rng), drawing.text(rng, 8))
    kind = rng.random()
    if not depth or kind < 0.6:
        return rng.choice((*plain, True, False, "<s>", "[UNK]", "<a>"))
    if kind < 0.75:
        return [_setting(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    keys = rng.sample(("content", "special", "normalized", "lstrip", "300", "301", "<b>"), 3)
    content = {"content": rng.choice(("<a>", "</s>", "", " ", "l"))} if rng.random() < 0.7 else {}
    return {key: _setting(rng, depth - 1) for key in keys} | content


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
    beyond_words, measuring, weighing, wordpiece_otherwise, written, repositories,
)  # fmt: skip
