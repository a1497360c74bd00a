"""BERT's `vocab.txt`: the pieces of WordPiece, one a line; the id of a piece is its line, from 0.

Covers reading and writing. The file holds nothing else: texts are cleaned and cut as BERT does it.
Whether letters become lower case first is told from the pieces, unless you choose.
"""

import re
from collections.abc import Iterable, Mapping
from operator import itemgetter

from tokenizers.loaded import decoders
from tokenizers.loaded.added_tokens import AddedToken, AddedTokens
from tokenizers.loaded.normalizers import BertNormalizer
from tokenizers.loaded.post_processors import BertProcessing
from tokenizers.loaded.pre_tokenizers import BertPreTokenizer
from tokenizers.loaded.tokenizer import Loaded
from tokenizers.loaded.wordpiece import WordPiece

FORMAT = "vocab.txt"
UNK, CLS, SEP = "[UNK]", "[CLS]", "[SEP]"
SPECIALS = (UNK, SEP, "[PAD]", CLS, "[MASK]")
MOST_PIECES = 2_000_000

_IN_BRACKETS = re.compile(r"\[[^\]]*\]")
_UNTOLD = (
    "How a text is cleaned and cut into words: it is done as BERT does it.",
    "Which tokens are put around a text: they are those of BERT, as far as they are in the file.",
    "Which merges the pieces came from: WordPiece keeps none.",
    "How often anything occurred in the training text.",
)


def read_vocab_txt(data: bytes, lowercase: bool | None = None, name: str = FORMAT) -> Loaded:
    """Return the tokenizer of a `vocab.txt`.

    `lowercase` says whether texts become lower case and lose their accents; None tells it from the
    pieces. Raises ValueError, in a sentence, for what is no such file.
    """
    vocab = _pieces(data)
    lower = is_uncased(vocab) if lowercase is None else lowercase
    names = [name for name in SPECIALS if name in vocab]
    added = [AddedToken(name, vocab[name], normalized=False, special=True) for name in names]
    return Loaded(
        name=name,
        format=FORMAT,
        model=WordPiece(vocab),
        added=AddedTokens(tuple(added)),
        normalizer=BertNormalizer(lowercase=lower),
        pre_tokenizer=BertPreTokenizer(),
        post_processor=_around(vocab),
        decoder=decoders.WordPiece(),
        untold=(_told(lower, lowercase is None), *_UNTOLD, *_twice(data, vocab)),
    )


def write_vocab_txt(vocab: Mapping[str, int]) -> bytes:
    """Return the `vocab.txt` of pieces with their ids.

    ValueError if the ids are not 0, 1, 2 and so on, or a piece is empty or has a line end in it:
    a line would not be the id of its piece.
    """
    pieces = [piece for piece, _ in sorted(vocab.items(), key=itemgetter(1))]
    if sorted(vocab.values()) != list(range(len(vocab))):
        raise ValueError("The ids do not go up from 0 one by one, which a vocab.txt cannot hold.")
    for piece in pieces:
        if not piece or piece != piece.strip() or len(piece.splitlines()) > 1:
            raise ValueError(
                f"The piece {piece!r} is empty, has white space at an end or more than one line, "
                "which a vocab.txt cannot hold. Write a tokenizer.json instead."
            )
    return "".join([f"{piece}\n" for piece in pieces]).encode()


def is_uncased(pieces: Iterable[str]) -> bool:
    """Tell whether no piece has a letter in upper case; names in brackets, as `[CLS]`, aside.

    >>> is_uncased(["[CLS]", "the", "##s"]), is_uncased(["[CLS]", "The"])
    (True, False)
    """
    return not any(p != p.lower() and not _IN_BRACKETS.fullmatch(p) for p in pieces)


def _told(lower: bool, by_pieces: bool) -> str:
    does = "become lower case and lose their accents" if lower else "keep their case and accents"
    has = "no piece has" if lower else "some pieces have"
    why = f"told from the pieces: {has} a capital letter" if by_pieces else "as you chose"
    return f"Whether letters become lower case: they {does}, {why}."


def _twice(data: bytes, vocab: Mapping[str, int]) -> list[str]:
    extra = sum(1 for line in data.split(b"\n") if line.strip()) - len(vocab)
    said = (
        f"{extra:,} lines repeat a piece: as in Hugging Face's library, the last one gives its id."
    )
    return [said] if extra else []


def _around(vocab: Mapping[str, int]) -> BertProcessing | None:
    if CLS not in vocab or SEP not in vocab:
        return None
    return BertProcessing(sep=(SEP, vocab[SEP]), cls=(CLS, vocab[CLS]))


def _pieces(data: bytes) -> dict[str, int]:
    """Return the pieces with their ids; of a piece that comes twice, the later line counts."""
    if data.count(b"\n") > MOST_PIECES:
        raise ValueError(f"The vocab.txt has more than {MOST_PIECES:,} lines.")
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"The vocab.txt is not UTF-8: byte {error.start:,} is wrong.") from error
    vocab = {piece: n for n, line in enumerate(lines) if (piece := line.rstrip())}
    if UNK not in vocab:
        raise ValueError(
            f"The vocab.txt has no line {UNK}, which WordPiece needs for words that it cannot cut. "
            "It may be the vocabulary of another kind of tokenizer."
        )
    return vocab
