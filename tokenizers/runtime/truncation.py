"""Truncation and padding of a `tokenizer.json`: fit a text to the length that a network takes.

Truncation cuts before a post-processor adds its tokens, and leaves room for these. What it cuts off
is kept in further encodings, the overflow, whose beginning may repeat the end of the one before.
Padding fills up to a length. Both do what Hugging Face's tokenizers 0.23.3 does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tokenizers.errors import UserError
from tokenizers.limits import GrowthLimit
from tokenizers.runtime.components import LoadedEncoding

DIRECTIONS = ("Right", "Left")
STRATEGIES = ("LongestFirst", "OnlyFirst", "OnlySecond")
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Truncation:
    """Cut texts to `max_length` tokens, at the end if `direction` is "Right".

    `strategy` says which text of a pair is cut; neighbouring cuts share `stride` tokens.
    """

    max_length: int
    stride: int = 0
    strategy: str = "LongestFirst"
    direction: str = "Right"

    def ranges(self, sizes: Sequence[int], num_added: int = 0) -> list[list[Range]]:
        """Return for each text which of its tokens are kept, and then those of each overflow.

        `num_added` tokens are going to be added. Raises UserError if the texts cannot be cut so.
        """
        most = self.max_length - num_added
        # In the library, the difference of two unsigned numbers becomes very large.
        kept = list(sizes) if most < 0 else self._kept(sizes, most)
        return [list(self._windows(*both)) for both in zip(sizes, kept, strict=True)]

    def _kept(self, sizes: Sequence[int], most: int) -> list[int]:
        """Return how many tokens of each text are kept."""
        if not most:
            return [0] * len(sizes)
        excess = sum(sizes) - most
        if excess <= 0:
            return list(sizes)
        if self.strategy == "LongestFirst":
            return [most] if len(sizes) == 1 else self._kept_of_pair(sizes, most)
        n = STRATEGIES.index(self.strategy) - 1
        if n >= len(sizes):
            raise UserError(
                "The file cuts only the second text of a pair, and there is one text that is too "
                f"long: {sizes[0]:,} tokens for {most:,}. Choose another truncation.strategy."
            )
        if sizes[n] <= excess:
            raise UserError(
                f"The file cuts only the {('first', 'second')[n]} text of a pair, which is too "
                f"short for that: {sizes[n]:,} tokens, of which {excess:,} are too many."
            )
        return [size - excess * (n == number) for number, size in enumerate(sizes)]

    def _kept_of_pair(self, sizes: Sequence[int], most: int) -> list[int]:
        """Return how much of two texts is kept: the longer one is cut down to the shorter first."""
        shorter, longer = sorted(sizes)
        longer = shorter if shorter > most else max(shorter, most - shorter)
        if shorter + longer > most:
            shorter = most // 2
            longer = shorter + most % 2
        return [longer, shorter] if sizes[0] > sizes[1] else [shorter, longer]

    def _windows(self, size: int, most: int) -> Iterator[Range]:
        if most >= size:
            yield 0, size
            return
        if not most:
            yield 0, 0
            yield 0, size
            return
        step = most - self.stride
        if step < 1:
            raise UserError(
                f"The file asks for an overlap (truncation.stride) of {self.stride:,} tokens, but "
                f"only {most:,} are kept. The overlap must be smaller."
            )
        count = -(-(size - most) // step) + 1
        GrowthLimit(size).check(count * most)
        for n in range(count):
            start, end = n * step, min(n * step + most, size)
            yield (start, end) if self.direction == "Right" else (size - end, size - start)

    def describe(self) -> str:
        """Return a sentence that says what is cut."""
        end = "end" if self.direction == "Right" else "beginning"
        of_pair = {
            "LongestFirst": "Of a pair, the longer text is cut first.",
            "OnlyFirst": "Of a pair, only the first text is cut.",
            "OnlySecond": "Only the second text of a pair is cut.",
        }[self.strategy]
        overlap = f", with an overlap of {self.stride:,}" if self.stride else ""
        return (
            f"Texts are cut at their {end} to {self.max_length:,} tokens, those around the text "
            f"included; the rest goes into further pieces{overlap}. {of_pair}"
        )


@dataclass(frozen=True, slots=True)
class Padding:
    """Fill up texts with `pad_token` to `length` tokens, or to the longest of a batch if None.

    The length is rounded up to a multiple of `multiple_of`, unless that is 0.
    """

    length: int | None = None
    direction: str = "Right"
    multiple_of: int = 0
    pad_id: int = 0
    pad_type_id: int = 0
    pad_token: str = "[PAD]"

    def target(self, size: int) -> int:
        """Return the length to which texts are filled up if the longest has `size` tokens."""
        length = size if self.length is None else self.length
        return -(-length // self.multiple_of) * self.multiple_of if self.multiple_of else length

    def __call__(self, encoding: LoadedEncoding, target: int) -> "FittedEncoding":
        """Return the encoding, filled up to `target` tokens."""
        missing = max(target - len(encoding.ids), 0)
        GrowthLimit(len(encoding.ids)).check(missing)
        one = LoadedEncoding.special_token(self.pad_token, self.pad_id, self.pad_type_id)
        pads, real = [one] * missing, (1,) * len(encoding.ids)
        if self.direction == "Left":
            return FittedEncoding(
                LoadedEncoding.concatenate([*pads, encoding]), (*[0] * missing, *real)
            )
        return FittedEncoding(
            LoadedEncoding.concatenate([encoding, *pads]), (*real, *[0] * missing)
        )

    def describe(self) -> str:
        """Return a sentence that says to which length texts are filled up."""
        length = "the longest of a batch" if self.length is None else f"{self.length:,} tokens"
        rounded = f", rounded up to a multiple of {self.multiple_of:,}" if self.multiple_of else ""
        end = "end" if self.direction == "Right" else "beginning"
        return (
            f"Texts are filled up at their {end} with “{self.pad_token}” (id {self.pad_id:,}) to "
            f"{length}{rounded}."
        )


@dataclass(frozen=True, slots=True)
class FittedEncoding:
    """An encoding after truncation and padding.

    `attention_mask` has 0 for each token of padding, and 1 for all others. `kept` is the range of
    the tokens kept of each text, `overflow` has what was cut off, fitted in the same way.
    """

    encoding: LoadedEncoding
    attention_mask: tuple[int, ...]
    kept: tuple[Range, ...] = ()
    overflow: tuple["FittedEncoding", ...] = field(default=())
