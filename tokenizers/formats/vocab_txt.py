"""BERT's `vocab.txt` lists WordPiece's pieces, one per line; a piece's id is its line, from 0.

The file contains nothing else, so texts are normalized and pre-tokenized as in BERT. Whether texts
are lower-cased is inferred from the pieces unless given.
"""

import re
from collections.abc import Iterable, Mapping

from tokenizers import wordpiece
from tokenizers.errors import UserError
from tokenizers.formats.schemes import refuse_too_long
from tokenizers.runtime import decoders
from tokenizers.runtime.added_tokens import AddedTokens
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.normalizers import BertNormalizer
from tokenizers.runtime.post_processors import BertProcessing
from tokenizers.runtime.pre_tokenizers import BertPreTokenizer
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.file_text import to_utf8

FORMAT = "vocab.txt"
UNK, CLS, SEP = "[UNK]", "[CLS]", "[SEP]"
SPECIALS = (UNK, SEP, "[PAD]", CLS, "[MASK]")

_NAME = re.compile(r"\[[^\]]*\]|<[^<>]*>")
_STRAYS = 1_000
"""One in as many pieces of an uncased list may have a capital letter, such as the numeral Ⅲ."""
_CAVEATS = (
    "How a text is cleaned and cut into words: it is done as BERT does it.",
    "Which tokens are put around a text: they are those of BERT, as far as they are in the file.",
    "Which merges the pieces came from: WordPiece keeps none.",
    "How often anything occurred in the training text.",
)


def read_vocab_txt(data: bytes, lowercase: bool | None = None) -> LoadedTokenizer:
    """Return a `vocab.txt`'s tokenizer.

    `lowercase` controls lower-casing and accent stripping; None infers it from the pieces. Raises
    UserError if the file is invalid.
    """
    data = to_utf8(data)
    vocab = _pieces(data)
    lower = is_uncased(vocab) if lowercase is None else lowercase
    return LoadedTokenizer(
        name=FORMAT,
        format=FORMAT,
        model=WordPiece(vocab),
        added=AddedTokens.control({name: vocab[name] for name in SPECIALS if name in vocab}),
        normalizer=BertNormalizer(lowercase=lower),
        pre_tokenizer=BertPreTokenizer(),
        post_processor=_post_processor(vocab),
        decoder=decoders.WordPiece(),
        caveats=(
            _case_caveat(lower, vocab, lowercase is None),
            *_CAVEATS,
            *_duplicate_caveats(data, vocab),
        ),
    )


def write_vocab_txt(model: wordpiece.Model) -> bytes:
    """Return the `vocab.txt` of a WordPiece model that was trained here.

    Raises UserError if the format cannot express the model, because of a mark other than `##`, an
    end-of-word mark, ids that do not count up from 0, or pieces that end in white space.
    """
    if model.settings.mark != wordpiece.MARK or model.settings.base != "characters":
        raise UserError(
            f"A vocab.txt marks the inside of a word by {wordpiece.MARK} and its end by nothing, "
            "and this model does not. Write a tokenizer.json instead."
        )
    pieces = sorted(model.vocab, key=model.vocab.__getitem__)
    if [model.vocab[piece] for piece in pieces] != list(range(len(pieces))):
        raise UserError("A vocab.txt needs ids that go up from 0 one by one; these do not.")
    for piece in pieces:
        if not piece or piece != piece.rstrip() or "\n" in piece:
            raise UserError(
                f"The piece {piece!r} ends in white space, which a line of a vocab.txt loses. "
                "Write a tokenizer.json instead."
            )
    return "".join([f"{piece}\n" for piece in pieces]).encode()


def is_uncased(pieces: Iterable[str]) -> bool:
    """Return whether hardly a piece has a capital letter; names such as `[CLS]` and `<S>` may.

    >>> is_uncased(["[CLS]", "<S>", "the", "##s"]), is_uncased(["[CLS]", "The"])
    (True, False)
    """
    pieces = list(pieces)
    return _num_capitalized(pieces) * _STRAYS <= len(pieces)


def _num_capitalized(pieces: Iterable[str]) -> int:
    return sum(1 for p in pieces if p != p.lower() and not _NAME.fullmatch(p))


def _case_caveat(lower: bool, vocab: Mapping[str, int], by_pieces: bool) -> str:
    does = "become lower case and lose their accents" if lower else "keep their case and accents"
    number = _num_capitalized(vocab)
    has = f"{number:,} of {len(vocab):,} have" if number else "none has"
    why = f"told from the pieces: {has} a capital letter" if by_pieces else "as you chose"
    return f"Whether letters become lower case: they {does}, {why}."


def _duplicate_caveats(data: bytes, vocab: Mapping[str, int]) -> list[str]:
    extra = sum(1 for line in data.decode().split("\n") if line.rstrip()) - len(vocab)
    lines = "1 line repeats" if extra == 1 else f"{extra:,} lines repeat"
    sentence = f"{lines} a piece: as in Hugging Face's library, the last one gives its id."
    return [sentence] if extra else []


def _post_processor(vocab: Mapping[str, int]) -> BertProcessing | None:
    if CLS not in vocab or SEP not in vocab:
        return None
    return BertProcessing(sep=(SEP, vocab[SEP]), cls=(CLS, vocab[CLS]))


def _pieces(data: bytes) -> dict[str, int]:
    """Return the pieces with their ids; if a piece is repeated, its last line counts."""
    refuse_too_long(data, FORMAT)
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise UserError(f"The vocab.txt is not UTF-8: byte {error.start:,} is wrong.") from error
    vocab = {piece: n for n, line in enumerate(lines) if (piece := line.rstrip())}
    if UNK not in vocab:
        raise UserError(
            f"The vocab.txt has no line {UNK}, which WordPiece needs for words that it cannot cut. "
            "It may be the vocabulary of another kind of tokenizer."
        )
    return vocab
