"""Unigram: a text is cut into the pieces whose probabilities have the largest product.

Each piece has a log probability; that of a segmentation is their sum, and the best segmentation is
found one position at a time (Viterbi). What `lattice.py` says with an object for every edge,
`best_starts` does with two lists of numbers, so that a long text takes no longer than it must.

`Model` is a vocabulary with its log probabilities; `encode` and `decode` are the way from a text to
ids and back. A character that is no piece costs 10 nats more than the rarest piece does; unknown
characters side by side make one `<unk>` or, with byte fallback, bytes such as `<0xC3>`.

The libraries add up differently, which decides ties and near-ties: `CONVENTIONS` names how. Leaves
out training (`training.py`), all segmentations but the best (`lattice.py`, `n_best.py`,
`sampling.py`), pieces that a user has defined, and file formats.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import regex

from tokenizers.lattice import NEVER, Lattice
from tokenizers.refusal import Refusal
from tokenizers.text.alignment import Aligned
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding, pieces_of
from tokenizers.text.symbols import METASPACE, Split
from tokenizers.unigram.sentencepiece.float32 import as_float32

CONVENTIONS = ("textbook", "hugging_face", "sentencepiece", "sentencepiece_classic")
WORDS = Pipeline((), "metaspace")
UNK = "<unk>"
UNKNOWN_TEXT = " ⁇ "
"""What `<unk>` is decoded to, as in SentencePiece."""
UNKNOWN_PENALTY = 10.0
"""By how many nats an unknown character is less probable than the least probable piece."""
MOST_NATS = 100_000
"""Beyond this, SentencePiece 0.2.3 lets its sum start over at 0: a float32 has few digits."""
BYTES = {f"<0x{byte:02X}>": byte for byte in range(256)}
"""The pieces that stand for a byte."""

_PIECE_OF_BYTE = tuple(BYTES)
_NO_UTF8 = regex.compile("[\udc80-\udcff]")  # what "surrogateescape" makes of such a byte


def vocabulary(pieces: Iterable[str], byte_fallback: bool = False) -> dict[str, int]:
    """Number pieces after `<unk>` and, with byte fallback, after the 256 bytes.

    >>> vocabulary(["▁un", "able"])
    {'<unk>': 0, '▁un': 1, 'able': 2}
    """
    first = [UNK, *BYTES] if byte_fallback else [UNK]
    return {piece: n for n, piece in enumerate(dict.fromkeys([*first, *pieces]))}


@dataclass(frozen=True, slots=True)
class Model:
    """A vocabulary with its ids, and the log probabilities, in nats, of the pieces to cut into.

    What has an id but no log probability is never found in a text: `<unk>`, bytes, marks such as
    `<s>`. The least log probability sets `unknown`, that of an unknown character. SentencePiece
    looks for it among the pieces that it has learned. Hugging Face's library looks among all of its
    vocabulary, and finds all of it in a text, `<unk>` and `<0xC3>` too: give it all, to do as it
    does.

    The conventions:

    * `textbook` and `hugging_face` add up word by word, in float64.
    * `sentencepiece` (version 0.2.3) adds up along the whole text and rounds every sum to float32.
      A sum beyond `MOST_NATS` starts over.
    * `sentencepiece_classic` (version 0.2.1) does so too, but rounds a sum only after it was found
      larger than the one before, which had been rounded. No sum starts over.

    Of sums that tie, the first found wins: the one with the longest last piece. Whether a text is
    cut into words or kept whole is a matter of the `pipeline`. Raises ValueError, in a sentence,
    for a convention that does not exist, and for `unk` or a piece that has no id.
    """

    vocab: Mapping[str, int]
    log_probs: Mapping[str, float]
    unk: str = UNK
    pipeline: Pipeline = WORDS
    byte_fallback: bool = False
    convention: str = "textbook"
    pieces: Mapping[str, float] = field(init=False, repr=False, compare=False)
    """Those of a probability above 0."""
    unknown: float = field(init=False, compare=False)
    longest: int = field(init=False, compare=False)
    trie: "Trie" = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.convention not in CONVENTIONS:
            known = ", ".join(CONVENTIONS)
            raise Refusal(f"The convention is {self.convention!r}; it must be one of {known}.")
        for piece in (self.unk, *self.log_probs):
            if piece not in self.vocab:
                raise Refusal(f"The vocabulary has no id for “{piece}”.")
        pieces = {piece: log for piece, log in self.log_probs.items() if log > NEVER}
        unknown = min(pieces.values(), default=0.0) - UNKNOWN_PENALTY
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "unknown", as_float32(unknown) if self.in_float32 else unknown)
        object.__setattr__(self, "longest", max(map(len, pieces), default=1))
        object.__setattr__(self, "trie", make_trie(pieces))

    @property
    def in_float32(self) -> bool:
        """Whether sums are rounded to 24 binary digits."""
        return self.convention.startswith("sentencepiece")

    def encode(self, text: str) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see the function `decode`."""
        return decode(ids, self)

    def lattice(self, word: str) -> Lattice:
        """Return the lattice of what the pipeline makes one word of, unknown characters too."""
        return Lattice.build(word, self.pieces, self.unknown)


Trie = dict[str, tuple[float, "Trie"]]
"""The characters that pieces begin with; for each, the log probability of the piece that ends with
it, `NEVER` if none does, and the characters that may follow."""


def make_trie(log_probs: Mapping[str, float]) -> Trie:
    """Return the pieces letter by letter.

    >>> make_trie({"at": -1.5, "a": -2.0})
    {'a': (-2.0, {'t': (-1.5, {})})}
    """
    trie: Trie = {}
    for piece, log_prob in log_probs.items():
        node = trie
        for letter in piece[:-1]:
            node = node.setdefault(letter, (NEVER, {}))[1]
        _, following = node.get(piece[-1], (NEVER, {}))
        node[piece[-1]] = log_prob, following
    return trie


# --- One word -------------------------------------------------------------------------------------


def best_starts(text: str, model: Model) -> list[int]:
    """Return, for every position of `text`, where the last piece of the best way there begins.

    That of position 0 means nothing.
    """
    return best_ways(text, model)[0]


def best_ways(
    text: str, model: Model, here: float = 0.0
) -> tuple[list[int], MutableSequence[float], list[float]]:
    """Return, for every position, the start of the last piece, the best sum and the second best.

    `here` is the sum before the text. The second best is of the ways that end in another piece.
    """
    in_float32, is_classic = model.in_float32, model.convention == "sentencepiece_classic"
    starts_over = model.convention == "sentencepiece"
    trie, longest, unknown = model.trie, model.longest, model.unknown
    nothing: tuple[float, Trie] = (NEVER, {})
    # An array of "f" rounds what is put into it to float32.
    best = array("f", [NEVER]) * (len(text) + 1) if in_float32 else [NEVER] * (len(text) + 1)
    best[0], second, starts = here, [NEVER] * (len(text) + 1), [0] * (len(text) + 1)
    for start, character in enumerate(text):
        here, end = best[start], start + 1
        if starts_over and not -MOST_NATS <= here <= MOST_NATS:
            _start_over(best, start, longest)
            here = best[start]
        log_prob, following = trie.get(character, nothing)
        is_known = log_prob > NEVER
        total, before = here + (log_prob if is_known else unknown), best[end]
        if total > before:
            best[end], second[end] = total, before
            if best[end] > before or (is_classic and is_known):
                starts[end] = start
        elif total > second[end]:
            second[end] = total
        for letter in text[end : start + longest] if following else ():
            if letter not in following:
                break
            log_prob, following = following[letter]
            end += 1
            total, before = here + log_prob, best[end]
            if total > before:
                best[end], second[end] = total, before
                if best[end] > before or is_classic:
                    starts[end] = start
            elif total > second[end]:
                second[end] = total
    return starts, best, second


def _start_over(best: MutableSequence[float], start: int, longest: int) -> None:
    """Count all sums from that of the position `start`, as far as a piece reaches from before."""
    here = best[start]
    for position in range(start, min(start + longest, len(best))):
        best[position] -= here


def split_word(word: str, model: Model) -> Split:
    """Return the pieces of one word; unknown characters side by side are one piece.

    >>> logs = {"un": -2.0, "able": -3.0, "a": -4.0, "n": -4.0}
    >>> split_word("unéñable", Model(vocabulary(logs), logs))
    ('un', 'éñ', 'able')
    """
    starts = best_starts(word, model)
    pieces: list[str] = []
    end, fuses = len(word), False
    while end:
        piece = word[starts[end] : end]
        is_unknown = piece not in model.pieces or piece == model.unk
        if is_unknown and fuses:
            pieces[-1] = piece + pieces[-1]
        else:
            pieces.append(piece)
        end, fuses = starts[end], is_unknown
    return tuple(reversed(pieces))


# --- A text ---------------------------------------------------------------------------------------


class _Tokens(NamedTuple):
    """What a word becomes: tokens, ids, pieces, and the first and last character of each."""

    tokens: tuple[str, ...]
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


def encode(text: str, model: Model) -> Encoding:
    """Split `text` into pieces of `model`, each different word once.

    Each byte of an unknown character has the span of that character. Raises ValueError for a lone
    surrogate.

    >>> logs = {"▁un": -2.0, "able": -3.0}
    >>> encode("unable unäble", Model(vocabulary(logs), logs)).pieces
    ('▁un', 'able', '▁un', 'äble')
    """
    pre_tokens = model.pipeline(text)
    spans, normalized = pre_tokens.spans, pre_tokens.aligned.text
    words = [normalized[start:end] for start, end in spans]
    known = {word: _tokens(word, model) for word in dict.fromkeys(words)}
    return _joined(pre_tokens.aligned, spans, [known[word] for word in words])


def _joined(
    aligned: Aligned, spans: Iterable[tuple[int, int]], words: Sequence[_Tokens]
) -> Encoding:
    """Put the words of a text together, with the stretches of raw text that they stand for."""
    starts, ends = aligned.starts, aligned.ends
    offsets = [
        (starts[word_start + first], ends[word_start + last])
        for (word_start, _), word in zip(spans, words, strict=True)
        for first, last in word.places
    ]
    return Encoding(
        tokens=tuple(chain.from_iterable([word.tokens for word in words])),
        ids=tuple(chain.from_iterable([word.ids for word in words])),
        offsets=tuple(offsets),
        pieces=tuple(chain.from_iterable([word.pieces for word in words])),
        words=tuple([index for index, word in enumerate(words) for _ in word.ids]),
    )


def _tokens(word: str, model: Model) -> _Tokens:
    """Return what one word becomes."""
    rows: list[tuple[str, int, str, tuple[int, int]]] = []
    start = 0
    for piece in split_word(word, model):
        end = start + len(piece)
        if piece in model.pieces:
            rows.append((piece, model.vocab[piece], piece, (start, end - 1)))
        else:
            rows += _unknown(piece, start, model)
        start = end
    return _Tokens(*zip(*rows, strict=True))


def _unknown(
    piece: str, start: int, model: Model
) -> Iterator[tuple[str, int, str, tuple[int, int]]]:
    """Yield what unknown characters become: one `<unk>`, or bytes if there is a piece for each."""
    vocab, bytes_ = model.vocab, [_PIECE_OF_BYTE[byte] for byte in piece.encode()]
    if model.byte_fallback and all(byte in vocab for byte in bytes_):
        places = [place for place, letter in enumerate(piece, start) for _ in letter.encode()]
        for byte, place in zip(bytes_, places, strict=True):
            yield byte, vocab[byte], byte, (place, place)
    else:
        yield model.unk, vocab[model.unk], piece, (start, start + len(piece) - 1)


def decode(ids: Sequence[int], model: Model) -> str:
    """Return the text of `ids`: every `▁` a space, but for the one at the very beginning.

    Where the pipeline takes spaces away as SentencePiece does, so does this: no piece brings a
    space before the first text. `<unk>` becomes ` ⁇ `, a mark such as `<s>` nothing, a byte that is
    not UTF-8 U+FFFD. Raises ValueError for an id that is not in the vocabulary.
    """
    strips_all = "sentencepiece_spaces" in model.pipeline.normalizers
    found = bytearray()
    for piece in pieces_of(ids, model.vocab):
        text = _bytes_of(piece, model)
        found += text.removeprefix(METASPACE.encode()) if strips_all and not found else text
    text = _NO_UTF8.sub("\ufffd", found.decode(errors="surrogateescape"))
    return (text if strips_all else text.removeprefix(METASPACE)).replace(METASPACE, " ")


def _bytes_of(piece: str, model: Model) -> bytes:
    """Return the UTF-8 that a piece stands for."""
    if piece == model.unk:
        return UNKNOWN_TEXT.encode()
    if model.byte_fallback and piece in BYTES:
        return bytes([BYTES[piece]])
    return piece.encode() if piece in model.log_probs else b""
