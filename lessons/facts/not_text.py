"""Facts about arbitrary bytes, not necessarily text, split by byte-level BPE.

There is only position 0. Bytes are written in hexadecimal: `{tokens:6E C3}`.
"""

from dataclasses import dataclass

from lessons.facts.base import PictureFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row
from tokenizers import bpe
from tokenizers.bpe.any_bytes import encode_bytes

LONGEST_BYTES = 60


def bytes_of_hex(written: str) -> bytes:
    """Parse bytes in hexadecimal. Raises LessonLookupError unless there are 1 to LONGEST_BYTES.

    >>> bytes_of_hex("6E C3")
    b'n\\xc3'
    """
    try:
        data = bytes.fromhex(written)
    except ValueError:
        data = b""
    if not 0 < len(data) <= LONGEST_BYTES:
        most = f"1 to {LONGEST_BYTES} bytes, with two digits from 0 to F for each"
        raise LessonLookupError(f"“{written}” does not write {most}: 6E C3")
    return data


@dataclass(frozen=True, slots=True)
class NotTextFacts(PictureFacts):
    """Some bytes, and a BPE model that splits them."""

    data: bytes
    model: bpe.Model

    def tokens(self) -> Tokens:
        """Return the pieces of the vocabulary."""
        return tuple(self.model.vocab)

    def split(self, written: str = "") -> Tokens:
        """Return the tokens of the bytes, or of other bytes `written` in hexadecimal.

        Raises LessonLookupError if `written` cannot be parsed.
        """
        return encode_bytes(bytes_of_hex(written) if written else self.data, self.model)

    def hexadecimal(self) -> str:
        """Return the bytes in hexadecimal."""
        return self.data.hex(" ").upper()

    def field_data(self, at: int, argument: str) -> RichText:
        """The bytes, in hexadecimal."""
        return (("word", self.hexadecimal()),)

    def field_bytes(self, at: int, argument: str) -> RichText:
        """How many bytes there are."""
        return (f"{len(self.data):,}",)

    def field_merges(self, at: int, argument: str) -> RichText:
        """How many merges the tokenizer has learned."""
        return (f"{len(self.model.ranks):,}",)

    def field_split(self, at: int, argument: str) -> RichText:
        """The tokens of the bytes, or with `{split:6E C3}` of other bytes."""
        return in_row(self.split(argument))

    def field_tokens(self, at: int, argument: str) -> RichText:
        """How many tokens the bytes become, or with `{tokens:6E C3}` other bytes."""
        return (f"{len(self.split(argument)):,}",)
