"""Load a SentencePiece `.model` as a tokenizer.

SentencePiece itself always reads control pieces such as `<s>` in a text as plain text, as here with
`special="text"`. It decodes them to nothing, so `skip_special_tokens` has no effect on them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import regex

from tokenizers.errors import UserError
from tokenizers.limits import GrowthLimit
from tokenizers.runtime.added_tokens import AddedTokens
from tokenizers.runtime.sentencepiece import model_file
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.sentencepiece.lookup import SentencePieceChar, SentencePieceWord
from tokenizers.runtime.sentencepiece.model_file import (
    BPE,
    BYTE,
    CHAR,
    CONTROL,
    UNKNOWN,
    WORD,
    ModelFile,
    NormalizerSpec,
)
from tokenizers.runtime.sentencepiece.normalizer import SentencePieceNormalizer
from tokenizers.runtime.sentencepiece.pieces import PieceVocabulary, SentencePieceWords
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.alignment import AlignedText
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram import BYTES

VERSIONS = ("0.2.3", "0.2.1")
FORMAT = "SentencePiece .model"
_NO_COUNTS = "The file does not tell how often anything was counted in training."
_NO_MERGES = (
    "The file has no merges, only scores of pieces: which two parts a merge joins is reconstructed "
    "from the text that is cut."
)
_NO_UTF8 = regex.compile("[\udc80-\udcff]")  # what "surrogateescape" decodes invalid bytes to


def load(data: bytes, name: str = "", version: str = "0.2.3") -> LoadedTokenizer:
    """Return the tokenizer in a `.model` file, which works as in this version of SentencePiece.

    The versions differ where rounding makes segmentations tie, and in unused characters. Raises
    UserError if `data` is not a `.model` file.
    """
    return from_model_file(model_file.read(data), name, version)


def from_model_file(file: ModelFile, name: str = "", version: str = "0.2.3") -> LoadedTokenizer:
    """Return the tokenizer that a file describes; see `load`."""
    if version not in VERSIONS:
        raise UserError(f"The version is {version!r}; it must be one of {', '.join(VERSIONS)}.")
    vocabulary, is_classic = PieceVocabulary(file), version == "0.2.1"
    if file.model_type == BPE:
        model, caveats = SentencePieceBPE(vocabulary, is_classic), (_NO_COUNTS, _NO_MERGES)
        # Undoing an unused piece depends on the merges that made it anywhere in the text.
        are_apart = vocabulary.ends_with_words and not vocabulary.unused
    elif file.model_type in (WORD, CHAR):
        look_up = SentencePieceWord if file.model_type == WORD else SentencePieceChar
        model, caveats, are_apart = look_up(vocabulary, is_classic), (_NO_COUNTS,), False
    else:
        convention = "sentencepiece_classic" if is_classic else "sentencepiece"
        model, caveats = SentencePieceUnigram(vocabulary, convention), (_NO_COUNTS,)
        are_apart = False  # the text before a word shifts its float32 sums, which may break ties
    return LoadedTokenizer(
        name,
        FORMAT,
        model,
        AddedTokens.control(file.of_kind(CONTROL)),
        _normalizer(file.normalizer, file.treat_whitespace_as_suffix, vocabulary.user_defined),
        SentencePieceWords() if are_apart else None,
        decoder=SentencePieceDecoder(file),
        caveats=caveats,
    )


def _normalizer(
    spec: NormalizerSpec, as_suffix: bool = False, user_defined: Iterable[str] = ()
) -> SentencePieceNormalizer:
    return SentencePieceNormalizer(
        spec.charsmap,
        spec.add_dummy_prefix,
        spec.remove_extra_whitespaces,
        spec.escape_whitespaces,
        as_suffix,
        frozenset(user_defined),
    )


@dataclass(frozen=True)
class SentencePieceDecoder:
    """Joins pieces; each `▁` becomes a space, except a leading `▁` that encoding has added.

    Control pieces disappear, the unknown piece becomes the text set in the file, and bytes that are
    not UTF-8 become U+FFFD. The file's denormalizer, if any, is applied last.
    """

    file: ModelFile

    def describe(self) -> str:
        return f"Joins the pieces, and writes a space for each {METASPACE} but the first."

    def __call__(self, tokens: list[str]) -> list[str]:
        """Return the text of the pieces, as a list of one string."""
        growth, parts, size = GrowthLimit(sum(map(len, tokens))), list[str](), 0
        for part in self._parts(tokens):
            parts.append(part)
            growth.check(size := size + len(part))
        text = "".join(parts)
        if self.file.denormalizer and text:
            text = _normalizer(self.file.denormalizer)(AlignedText.raw(text)).text
        return [text]

    def _parts(self, tokens: Iterable[str]) -> Iterator[str]:
        """Yield the text of each piece, or of each run of bytes."""
        spec = self.file.normalizer
        strips_one, strips_all = spec.add_dummy_prefix, spec.remove_extra_whitespaces
        at_start = strips_one or strips_all
        for are_bytes, run in groupby(tokens, lambda token: token in self._bytes):
            if are_bytes:
                part = bytes(map(BYTES.__getitem__, run)).decode(errors="surrogateescape")
                yield _NO_UTF8.sub("\ufffd", part)
                at_start = False
                continue
            for token in run:
                if token in self._marks:
                    part = self._marks[token]
                elif at_start and token.startswith(METASPACE):
                    part = token[1:].replace(METASPACE, " ")
                    at_start = strips_all
                else:
                    part = token.replace(METASPACE, " ")
                at_start = at_start and not part
                yield part

    @cached_property
    def _bytes(self) -> Mapping[str, int]:
        return self.file.of_kind(BYTE)

    @cached_property
    def _marks(self) -> dict[str, str]:
        """Maps each control or unknown piece to the text that it becomes."""
        unknown = dict.fromkeys(self.file.of_kind(UNKNOWN), self.file.unk_surface)
        return dict.fromkeys(self.file.of_kind(CONTROL), "") | unknown
