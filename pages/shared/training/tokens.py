"""Describe a published tokenizer's token by its text, its bytes, and the step that made it.

Covers byte-level BPE with glyphs or ranks, SentencePiece's BPE and Unigram, and WordPiece.
"""

from dataclasses import replace
from math import exp

import regex

from pages.shared.drawing.display_text import show_spaces
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.spelling import Speller, display_bytes
from tokenizers.runtime.tokenizer import LoadedTokenizer

MOST_BYTES = 12
FROM_THE_START = "It is there from the start: no merge makes it."
_BYTE_PIECE = regex.compile(r"<0x([0-9A-F]{2})>")


def raw_bytes(model: LoadedTokenizer, token: str) -> bytes:
    """Return a token's bytes; for a special token, return its name's bytes.

    >>> from lessons.models import open_model
    >>> raw_bytes(open_model("gpt2"), "ĠcafÃ"), raw_bytes(open_model("mistral-v1"), "<0xF0>")
    (b' caf\\xc3', b'\\xf0')
    """
    kind = model.model
    if isinstance(kind, WordPiece) and token not in model.added.ids:
        return token.removeprefix(kind.mark).encode()
    return Speller(model)(token)


def readable(model: LoadedTokenizer, token: str) -> str:
    """Return a token as text, with bytes of a partial character in hex in angle brackets.

    >>> from lessons.models import open_model
    >>> readable(open_model("gpt2"), "ĠðŁ"), readable(open_model("bert-uncased"), "##s")
    (' ⟨F0 9F⟩', '##s')
    """
    if isinstance(model.model, WordPiece):
        return token
    return display_bytes(raw_bytes(model, token))


def bytes_text(model: LoadedTokenizer, token: str) -> str:
    """Return a token's bytes in hex.

    >>> from lessons.models import open_model
    >>> bytes_text(open_model("cl100k"), "ĠcafÃ")
    '20 63 61 66 C3'
    """
    return _hex(raw_bytes(model, token))


def describe_token(model: LoadedTokenizer, token: str) -> str:
    """Describe what a token is and how it is made.

    >>> from lessons.models import open_model
    >>> describe_token(open_model("gpt2"), "Ġcaf")
    'Bytes 20 63 61 66. The merge of rank 19,689 makes it: “·ca” + “f”.'
    """
    if token in model.specials:
        return "A special token: it stands for no text of its own."
    if token == model.unk:
        return "It takes the place of what is not in the vocabulary."
    raw = raw_bytes(model, token)
    more = " …" if len(raw) > MOST_BYTES else ""
    noun = "Byte" if len(raw) == 1 else "Bytes"
    return f"{noun} {_hex(raw[:MOST_BYTES])}{more}. {_origin_text(model, token)}"


def _probability_text(score: float) -> str:
    share = f"about {exp(score):.1%}" if exp(score) >= 0.001 else "under 0.1%"
    written = f"{score:.2f}".replace("-", "−")
    return f"Log probability {written} nats: its share in the model is {share}."


def _origin_text(model: LoadedTokenizer, token: str) -> str:
    """Describe the merge that made a token, or its score in a model without merges."""
    kind = model.model
    if isinstance(kind, WordPiece):
        inside = f" “{kind.mark}” says that it goes on inside a word." * token.startswith(kind.mark)
        return f"The longest piece of the vocabulary that fits here.{inside}"
    if isinstance(kind, SentencePieceUnigram):
        score = kind.vocabulary.scores.get(token)
        return "" if score is None else _probability_text(score)
    if isinstance(kind, ByteBPE):
        pair, rank = kind.merges.pair_of(token), kind.vocab[token]
        if pair is None and len(token) > 1:
            whole = "It is only found as a whole word: no pair of lower ranks makes it."
            return f"Rank {rank:,}. {whole}"
        return _merge_text(model, pair, rank) if pair else FROM_THE_START
    if not isinstance(kind, BPE | SentencePieceBPE):
        return ""
    if _BYTE_PIECE.fullmatch(token):
        return "One byte of a character that is not in the vocabulary."
    if isinstance(kind, BPE):
        return _pair_merge_text(model, kind, token)
    *_, last = (None, *kind.steps(token))
    return _merge_text(model, last.pair, last.rank) if last else FROM_THE_START


def _pair_merge_text(model: LoadedTokenizer, kind: BPE, token: str) -> str:
    *_, last = (None, *replace(kind, ignore_merges=False).steps(token))
    if last and "".join(last.pair) == token:
        return _merge_text(model, last.pair, last.rank)
    # Tokens with an end mark, and tokens that no text yields, can only be found among all merges.
    made, id_ = kind.ranks.made, kind.vocab.get(token)
    if id_ not in made:
        return FROM_THE_START
    rank, pair = min((rank, pair) for pair, rank in kind.ranks.items() if made[rank] == id_)
    return _merge_text(model, pair, rank)


def _merge_text(model: LoadedTokenizer, pair: tuple[str, str], rank: int) -> str:
    first, second = (show_spaces(readable(model, part)) for part in pair)
    return f"The merge of rank {rank:,} makes it: “{first}” + “{second}”."


def _hex(data: bytes) -> str:
    return data.hex(" ").upper()
