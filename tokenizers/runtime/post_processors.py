"""The post-processors of Hugging Face's `tokenizer.json`, which add tokens to a text or a pair.

A pair is two texts that a model reads together, such as a question and a passage. The type ids of
the tokens distinguish the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tokenizers.limits import MAX_TEMPLATE_ITEMS, GrowthLimit, check_at_most
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.patterns import WHITE_SPACE
from tokenizers.text.symbols import GLYPH_OF_BYTE

Encodings = list[LoadedEncoding]

_SPACES = GLYPH_OF_BYTE[0x20] + WHITE_SPACE


# --- Templates ------------------------------------------------------------------------------------


class Slot(NamedTuple):
    """One slot of a template, with its type id; `name` is a text (`A` or `B`) or names tokens."""

    name: str
    type: int
    is_text: bool


@dataclass(frozen=True, slots=True)
class TemplateProcessing:
    """Arrange texts and special tokens by a template, `single` for one text or `pair` for two.

    `tokens` maps each token name in a template to the tokens to insert, with their ids.
    """

    single: tuple[Slot, ...]
    pair: tuple[Slot, ...]
    tokens: Mapping[str, tuple[tuple[str, int], ...]]

    def __post_init__(self) -> None:
        for slots in (self.single, self.pair):
            inserted = sum([1 if slot.is_text else len(self.tokens[slot.name]) for slot in slots])
            check_at_most(inserted, MAX_TEMPLATE_ITEMS, "tokens in a template")

    def __call__(self, encodings: Encodings, add_special_tokens: bool) -> Encodings:
        found: Encodings = []
        slots = self.pair if len(encodings) > 1 else self.single
        sizes = [len(encoding.ids) for encoding in encodings]
        GrowthLimit(sum(sizes)).check(
            sum([sizes[slot.name == "B"] for slot in slots if slot.is_text])
        )
        for name, type_, is_text in slots:
            if is_text:
                found.append(_with_type(encodings[name == "B"], type_))
            elif add_special_tokens:
                found += (
                    LoadedEncoding.special_token(*token, type_) for token in self.tokens[name]
                )
        return found

    def describe(self) -> str:
        single, pair = (" ".join(slot.name for slot in slots) for slots in (self.single, self.pair))
        return f"Puts tokens around a text A: {single}. Around a pair A, B: {pair}."


def _with_type(encoding: LoadedEncoding, type_: int) -> LoadedEncoding:
    return replace(encoding, types=(type_,) * len(encoding.ids))


@dataclass(frozen=True, slots=True)
class BertProcessing:
    """Make `[CLS] A [SEP]` or `[CLS] A [SEP] B [SEP]`, with type 1 for B and the last `[SEP]`."""

    sep: tuple[str, int]
    cls: tuple[str, int]

    def __call__(self, encodings: Encodings, add_special_tokens: bool) -> Encodings:
        if not add_special_tokens:
            return encodings
        first, *rest = encodings
        found = [
            LoadedEncoding.special_token(*self.cls),
            first,
            LoadedEncoding.special_token(*self.sep),
        ]
        for second in rest:
            found += second, LoadedEncoding.special_token(*self.sep, 1)
        return found

    def describe(self) -> str:
        cls, sep = self.cls[0], self.sep[0]
        return f"Puts tokens around a text A: {cls} A {sep}. Around a pair: {cls} A {sep} B {sep}."


# --- Offsets --------------------------------------------------------------------------------------


def _trim_offsets(encoding: LoadedEncoding, add_prefix_space: bool) -> LoadedEncoding:
    """Exclude the spaces at both ends of each token from its offsets.

    With `add_prefix_space`, the first token's leading space was inserted, so it has no offsets.
    """
    offsets: list[tuple[int, int]] = []
    rows = zip(encoding.tokens, encoding.pieces, encoding.offsets, strict=True)
    for n, (token, piece, (start, end)) in enumerate(rows):
        if piece.strip(_SPACES) == token.strip(_SPACES):  # an added token, with its spaces
            token = piece
        leading = len(token) - len(token.lstrip(_SPACES))
        trailing = len(token) - len(token.rstrip(_SPACES))
        if leading == 1 and add_prefix_space and (n == 0 or start == 0):
            leading = 0
        start = min(start + leading, end)
        if end >= trailing:
            end = max(end - trailing, start)
        offsets.append((start, end))
    return replace(encoding, offsets=tuple(offsets))


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """With `trim_offsets`, exclude the spaces at both ends from tokens' offsets; add nothing."""

    add_prefix_space: bool = True
    trim_offsets: bool = True

    def __call__(self, encodings: Encodings, add_special_tokens: bool) -> Encodings:
        if not self.trim_offsets:
            return encodings
        return [_trim_offsets(encoding, self.add_prefix_space) for encoding in encodings]

    def describe(self) -> str:
        if not self.trim_offsets:
            return "Adds no tokens."
        return "Adds no tokens; takes spaces out of the places of tokens."


@dataclass(frozen=True, slots=True)
class RobertaProcessing:
    """Make `<s> A </s>` or `<s> A </s> </s> B </s>`, all of type 0; may trim offsets too."""

    sep: tuple[str, int]
    cls: tuple[str, int]
    trim_offsets: bool = True
    add_prefix_space: bool = True

    def __call__(self, encodings: Encodings, add_special_tokens: bool) -> Encodings:
        if self.trim_offsets:
            encodings = [_trim_offsets(encoding, self.add_prefix_space) for encoding in encodings]
        encodings = [_with_type(encoding, 0) for encoding in encodings]
        if not add_special_tokens:
            return encodings
        found: Encodings = []
        for n, encoding in enumerate(encodings):
            before = self.sep if n else self.cls
            found += (
                LoadedEncoding.special_token(*before),
                encoding,
                LoadedEncoding.special_token(*self.sep),
            )
        return found

    def describe(self) -> str:
        cls, sep = self.cls[0], self.sep[0]
        return (
            f"Puts tokens around a text A: {cls} A {sep}. Around a pair: {cls} A {sep} {sep} B "
            f"{sep}."
        )
