"""Tokenizer files of other programs, which cannot be opened: what they are, and what can be.

Each text continues the sentence "<file> is …".
"""

import re

_BASE64 = rb"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
OTHER_PROGRAMS: tuple[tuple[bytes, str], ...] = (
    (
        rb"[0-9]+ b?['\"].*['\"] [0-9]+\r?\n",
        "RWKV's list of pieces, of which its program takes the longest that fits. That isn't done "
        "here. Of RWKV's tokenizers, the 20B_tokenizer.json of RWKV-4 can be opened",
    ),
    (
        rb"[0-9]{1,7} [0-9]{1,7}\r?\n(?:[0-9]{1,7} [0-9]{1,7}\r?\n){3}",
        "a model of YouTokenToMe, whose numbers only that program reads. Train on the same text "
        "with SentencePiece, for example, and open the .model",
    ),
    (
        rb"(?:\S++ \S++ [0-9]++\r?\n){3}",
        "a list of merges with their counts, as fastBPE writes it. It has no ids and doesn't tell "
        "how a text is cut into words. Open the tokenizer.json of the same model",
    ),
    (
        rb"(?!" + _BASE64 + rb" )\S++ [0-9]{3,}+\r?\n(?:\S++ [0-9]++\r?\n){2}",
        "a dictionary of fairseq: pieces with their counts. What cuts a text into them is in "
        "another file. Open the model's sentencepiece.bpe.model, or vocab.json with merges.txt",
    ),
    (
        rb"### SubwordTextEncoder",
        "a list of TensorFlow Datasets' SubwordTextEncoder, whose way to cut a text isn't "
        "supported. Open a tokenizer.json or a vocab.txt of the same model",
    ),
    (
        rb'\s*+\{(?s:.{0,3000}?)"class_name"\s*:\s*"\w*Tokenizer"',
        "a tokenizer of Keras, without pieces or with whole words only. Open the file with the "
        "pieces beside it: vocabulary.spm, vocab.txt, or vocabulary.json with merges.txt",
    ),
)
"""The beginnings of such files, with what they are and what to open instead."""

_NOT_BYTES = rb"(?s)(?!.*(?:\xc4\xa0|\\u0120))"  # there is no Ġ, the space of BPE over bytes
_HALVES: tuple[tuple[bool, re.Pattern[bytes], str], ...] = tuple(
    (is_vocab, re.compile(_NOT_BYTES + part), what)
    for is_vocab, part, what in (
        (True, rb'.*"##', "WordPiece's pieces as JSON. Open the tokenizer.json or the vocab.txt"),
        (
            True,
            rb'.*"(?:\xe2\x96\x81|\\u2581)',
            "the ids of SentencePiece's pieces. Open the .model or .spm beside it",
        ),
        (
            True,
            rb'(?=.{0,100000}\Z).*"\|"\s*:',
            "a vocabulary of letters, with | between words, as speech recognizers such as Wav2Vec2 "
            "have it. They write letter by letter: there is no tokenizer to open",
        ),
        (
            False,
            rb".*</w>",
            "a list of merges over characters, as subword-nmt writes it. It has no ids and doesn't "
            "tell how a text is cut into words. Open the tokenizer.json of the same model",
        ),
    )
)


def incomplete_half(is_vocab: bool, data: bytes) -> str:
    """Return what a vocabulary in JSON, or a list of merges, is that nothing beside it completes.

    Return "" if it may be a half of BPE over bytes.

    >>> incomplete_half(True, b'{"the": 0, "##s": 1}')[:19]
    "WordPiece's pieces "
    """
    texts = (text for of, content, text in _HALVES if of == is_vocab and content.match(data))
    return next(texts, "")
