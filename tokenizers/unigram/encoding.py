"""Unigram: a text is split into the pieces whose probabilities have the largest product.

Each piece has a log probability. A segmentation's log probability is the sum over its pieces, and
the best segmentation is found one position at a time (`viterbi.py`), of a long text in arrays
(`many_words.py`).

`Model` is a vocabulary with log probabilities; `encode` and `decode` convert between text and ids.
An unknown character costs 10 nats more than the rarest piece; adjacent unknown characters become
one `<unk>` or, with byte fallback, bytes such as `<0xC3>`.

Libraries add up in different ways, which decides ties and near-ties; see `Model`. For training see
`training.py`, for all segmentations `lattice.py`, `n_best.py` and `sampling.py`. User-defined
pieces are not supported here.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count, groupby
from typing import NamedTuple

import numpy as np
import regex

from tokenizers.errors import UserError
from tokenizers.lattice import LOG_ZERO, Lattice
from tokenizers.limits import gc_disabled
from tokenizers.text.alignment import ranges
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding, pieces_of
from tokenizers.text.pre_tokenizers import PreTokens
from tokenizers.text.symbols import METASPACE, Split
from tokenizers.unigram.array_trie import UNKNOWN
from tokenizers.unigram.many_words import best_paths, split_text, split_words
from tokenizers.unigram.sentencepiece_parity.float32 import as_float32
from tokenizers.unigram.viterbi import ViterbiParams

CONVENTIONS = ("textbook", "hugging_face", "sentencepiece", "sentencepiece_classic")
WORDS = Pipeline((), "metaspace")
UNK = "<unk>"
UNKNOWN_TEXT = " ⁇ "
"""The text that `<unk>` is decoded to, as in SentencePiece."""
UNKNOWN_PENALTY = 10.0
"""How far an unknown character's log probability lies below the rarest piece's, in nats."""
BYTES = {f"<0x{byte:02X}>": byte for byte in range(256)}
"""The byte pieces, with their bytes."""

_PIECE_OF_BYTE = tuple(BYTES)
_NO_UTF8 = regex.compile("[\udc80-\udcff]")  # what "surrogateescape" decodes invalid bytes to


def vocabulary(pieces: Iterable[str], byte_fallback: bool = False) -> dict[str, int]:
    """Assign ids to pieces, after `<unk>` and, with byte fallback, the 256 bytes.

    >>> vocabulary(["▁un", "able"])
    {'<unk>': 0, '▁un': 1, 'able': 2}
    """
    first = [UNK, *BYTES] if byte_fallback else [UNK]
    return {piece: n for n, piece in enumerate(dict.fromkeys([*first, *pieces]))}


@dataclass(frozen=True)
class Model(ViterbiParams):
    """A vocabulary with its ids, and the log probabilities, in nats, of the pieces that match.

    Entries without a log probability (`<unk>`, bytes, marks such as `<s>`) never match in a text.
    The lowest log probability determines `unknown`, an unknown character's log probability.
    SentencePiece takes the lowest of the learned pieces. Hugging Face's library takes the lowest of
    the whole vocabulary, all of which can match, even `<unk>` and `<0xC3>`. To reproduce this, pass
    log probabilities for all entries.

    The conventions:

    * `textbook` and `hugging_face` sum word by word, in float64.
    * `sentencepiece` (version 0.2.3) sums along the whole text and rounds every sum to float32. A
      sum beyond `MAX_NATS` is reset to 0.
    * `sentencepiece_classic` (version 0.2.1) does the same without resets, but compares each sum,
      before rounding, with the rounded best one.

    Of tied sums, the first one found wins, i.e. the one with the longest last piece. The `pipeline`
    decides whether a text is split into words first. Raises UserError if the convention is unknown,
    or if `unk` or a piece has no id.
    """

    vocab: Mapping[str, int]
    log_probs: Mapping[str, float]
    unk: str = UNK
    pipeline: Pipeline = WORDS
    byte_fallback: bool = False
    convention: str = "textbook"
    pieces: Mapping[str, float] = field(init=False, repr=False, compare=False)
    """The log probabilities of the pieces whose probability is above 0."""
    unknown: float = field(init=False, compare=False)
    longest: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.convention not in CONVENTIONS:
            known = ", ".join(CONVENTIONS)
            raise UserError(f"The convention is {self.convention!r}; it must be one of {known}.")
        for piece in (self.unk, *self.log_probs):
            if piece not in self.vocab:
                raise UserError(f"The vocabulary has no id for “{piece}”.")
        pieces = {piece: log for piece, log in self.log_probs.items() if log > LOG_ZERO}
        unknown = min(pieces.values(), default=0.0) - UNKNOWN_PENALTY
        pieces.pop("", None)  # the empty string counts as the rarest piece, but never matches
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "unknown", as_float32(unknown) if self.in_float32 else unknown)
        object.__setattr__(self, "longest", max(map(len, pieces), default=1))

    @cached_property
    def ids(self) -> np.ndarray:
        """The ids of the pieces by number, and of `unk` for `UNKNOWN`."""
        return np.array([*map(self.vocab.__getitem__, (*self.pieces, self.unk))], np.int64)

    def encode(self, text: str) -> Encoding:
        """Split `text` into pieces: see the function `encode`."""
        return encode(text, self)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of `ids`: see the function `decode`."""
        return decode(ids, self)

    def lattice(self, word: str) -> Lattice:
        """Return the lattice of one word from the pipeline, including unknown characters."""
        return Lattice.build(word, self.pieces, self.unknown)


# --- One word -------------------------------------------------------------------------------------


def split_word(word: str, model: Model) -> Split:
    """Return the pieces of one word; adjacent unknown characters are one piece.

    >>> logs = {"un": -2.0, "able": -3.0, "a": -4.0, "n": -4.0}
    >>> split_word("unéñable", Model(vocabulary(logs), logs))
    ('un', 'éñ', 'able')
    """
    pieces = split_text(word, model)
    return _fuse(pieces, _unknown_pieces(pieces, model))


def _unknown_pieces(pieces: Iterable[str], model: Model) -> set[str]:
    """Return those of `pieces` that are unknown or `<unk>` itself."""
    return {piece for piece in set(pieces) if piece not in model.pieces or piece == model.unk}


def _fuse(pieces: Sequence[str], unknown: Set[str]) -> Split:
    """Return `pieces` with adjacent unknown ones joined."""
    split: list[str] = []
    for is_unknown, run in groupby(pieces, unknown.__contains__):
        if is_unknown:
            split.append("".join(run))
        else:
            split += run
    return tuple(split)


# --- A text ---------------------------------------------------------------------------------------


class _WordTokens(NamedTuple):
    """The tokens of all words with their ids, pieces, and spans in the word.

    Those of word n are the next `sizes[n]` from `begins[n]`.
    """

    tokens: np.ndarray
    ids: np.ndarray
    pieces: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    begins: np.ndarray
    sizes: np.ndarray


def encode(text: str, model: Model) -> Encoding:
    """Encode `text` with `model`, splitting each distinct word only once.

    Each byte of an unknown character has the span of that character. Raises UserError if the text
    contains a lone surrogate.

    >>> logs = {"▁un": -2.0, "able": -3.0}
    >>> encode("unable unäble", Model(vocabulary(logs), logs)).pieces
    ('▁un', 'able', '▁un', 'äble')
    """
    pre_tokens = model.pipeline(text)
    numbers: dict[str, int] = defaultdict(count().__next__)  # of the words, in order
    which = np.array([*map(numbers.__getitem__, pre_tokens.words)], np.int64)
    with gc_disabled():
        return _join(pre_tokens, _word_tokens(numbers.keys(), model), which)


def _join(pre_tokens: PreTokens, tokens: _WordTokens, words: np.ndarray) -> Encoding:
    """Return a text's encoding; `words` contains the number of each word among `tokens`."""
    sizes = tokens.sizes[words]
    which = ranges(tokens.begins[words], sizes)
    begins = np.repeat(pre_tokens.starts, sizes)
    starts, ends = begins + tokens.starts[which], begins + tokens.ends[which]
    names = tuple(tokens.tokens[which].tolist())
    pieces = tokens.pieces
    return Encoding(
        tokens=names,
        ids=tuple(tokens.ids[which].tolist()),
        offsets=tuple(pre_tokens.aligned.spans(starts, ends)),
        pieces=names if pieces is tokens.tokens else tuple(pieces[which].tolist()),
        words=tuple(np.repeat(np.arange(len(words)), sizes).tolist()),
    )


def _word_tokens(words: Collection[str], model: Model) -> _WordTokens:
    """Return the tokens of words."""
    paths = best_paths(words, model)
    if not paths or model.unk in model.pieces:
        return _tokens(split_words(words, model), model)
    if model.byte_fallback and UNKNOWN in paths.numbers:
        return _tokens(paths.splits(words, model), model)
    paths = paths.fuse_unknown()
    pieces = tokens = paths.pieces(words, model)
    unknown = paths.numbers == UNKNOWN
    if unknown.any():
        tokens = pieces.copy()
        tokens[unknown] = model.unk
    return _WordTokens(tokens, model.ids[paths.numbers], pieces, *paths[1:])


def _tokens(splits: Sequence[Sequence[str]], model: Model) -> _WordTokens:
    """Return the tokens of words, given the pieces of each."""
    vocab, known = model.vocab, model.pieces
    unknown = _unknown_pieces(chain.from_iterable(splits), model)
    if unknown:
        splits = [cut if unknown.isdisjoint(cut) else _fuse(cut, unknown) for cut in splits]
        if model.byte_fallback:
            return _with_bytes(splits, model)
    pieces = [*chain.from_iterable(splits)]
    tokens = [piece if piece in known else model.unk for piece in pieces] if unknown else pieces
    sizes = np.array([*map(len, splits)], np.int64)
    lengths = np.array([*map(len, pieces)], np.int64)
    ends = np.cumsum(lengths)
    begins = np.cumsum(sizes) - sizes
    ends -= np.repeat(np.append(0, ends)[begins], sizes)
    ids = np.array([*map(vocab.__getitem__, tokens)], np.int64)
    names = [np.array(column, object) for column in (tokens, pieces)]
    return _WordTokens(names[0], ids, names[1], ends - lengths, ends, begins, sizes)


def _with_bytes(splits: Iterable[Iterable[str]], model: Model) -> _WordTokens:
    """Do as `_tokens` does, piece by piece, since an unknown piece may become several bytes."""
    rows: list[tuple[str, int, str, int, int]] = []
    counts: list[int] = []
    for split in splits:
        start, before = 0, len(rows)
        for piece in split:
            end = start + len(piece)
            if piece in model.pieces:
                rows.append((piece, model.vocab[piece], piece, start, end))
            else:
                rows += _unknown(piece, start, model)
            start = end
        counts.append(len(rows) - before)
    tokens, ids, pieces, starts, ends = map(list, zip(*rows, strict=True))
    sizes = np.array(counts, np.int64)
    return _WordTokens(
        tokens=np.array(tokens, object),
        ids=np.array(ids, np.int64),
        pieces=np.array(pieces, object),
        starts=np.array(starts, np.int64),
        ends=np.array(ends, np.int64),
        begins=np.cumsum(sizes) - sizes,
        sizes=sizes,
    )


def _unknown(piece: str, start: int, model: Model) -> Iterator[tuple[str, int, str, int, int]]:
    """Yield the tokens of unknown characters, which are bytes if all have a piece, or `<unk>`."""
    vocab, bytes_ = model.vocab, [_PIECE_OF_BYTE[byte] for byte in piece.encode()]
    if all(byte in vocab for byte in bytes_):
        places = [place for place, letter in enumerate(piece, start) for _ in letter.encode()]
        for byte, place in zip(bytes_, places, strict=True):
            yield byte, vocab[byte], byte, place, place + 1
    else:
        yield model.unk, vocab[model.unk], piece, start, start + len(piece)


def decode(ids: Sequence[int], model: Model) -> str:
    """Return the text of `ids`; every `▁` but the leading one becomes a space.

    If the pipeline strips spaces as SentencePiece does, no piece adds a space before the first
    text. `<unk>` becomes ` ⁇ `, a mark such as `<s>` disappears, and a byte that is not UTF-8
    becomes U+FFFD. Raises UserError if an id is unknown.
    """
    strips_all = "sentencepiece_spaces" in model.pipeline.normalizers
    found = bytearray()
    for piece in pieces_of(ids, model.vocab):
        text = _bytes_of(piece, model)
        found += text.removeprefix(METASPACE.encode()) if strips_all and not found else text
    text = _NO_UTF8.sub("\ufffd", found.decode(errors="surrogateescape"))
    return (text if strips_all else text.removeprefix(METASPACE)).replace(METASPACE, " ")


def _bytes_of(piece: str, model: Model) -> bytes:
    """Return the UTF-8 bytes that a piece contributes to a decoded text."""
    if piece == model.unk:
        return UNKNOWN_TEXT.encode()
    if model.byte_fallback and piece in BYTES:
        return bytes([BYTES[piece]])
    return piece.encode() if piece in model.log_probs else b""
