"""The settings of a BPE run: base symbols, limits, and the tie rule."""

from dataclasses import dataclass
from typing import ClassVar

from tokenizers.errors import UserError
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import Pair
from tokenizers.settings import MAX_NUMBER, check
from tokenizers.text.encoding import UNK
from tokenizers.text.symbols import BASES, END_MARK, Split, base_symbols

_NUMBERS = ("num_merges", "vocab_size", "min_count", "max_token_length")


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a BPE training run. Raises UserError for an invalid value.

    The run stops at `num_merges` or at `vocab_size` (which does not include `[UNK]`), whichever is
    reached first. `max_token_length` is in base symbols and does not include the end-of-word mark.

    Tie rule `first_seen` picks the pair that comes first in the corpus as currently split (minbpe,
    tiktoken's educational trainer, the Hugging Face course). `smallest_ids` picks the pair whose
    left symbol, then right symbol, is the oldest in the vocabulary (Hugging Face's trainer).
    `smallest_string` picks the first pair in code point order, `largest_string` the last
    (subword-nmt, the program of those who brought BPE to language).
    """

    base: str = "characters"
    end_mark: str = END_MARK
    num_merges: int | None = None
    vocab_size: int | None = None
    min_count: int = 1
    max_token_length: int | None = None
    ties: str = "first_seen"

    def __post_init__(self) -> None:
        choices = {"base": BASES, "ties": TIE_RULES}
        check(self, dict.fromkeys(_NUMBERS, (0, MAX_NUMBER)), choices)
        if not self.end_mark:
            raise UserError("the end-of-word mark is empty; give it at least one character")

    mark: ClassVar[str] = ""  # BPE has no continuation mark
    by_score: ClassVar[bool] = False  # the most frequent pair is merged

    @property
    def unk(self) -> str | None:
        """`[UNK]`, or None with bytes, where every text can be encoded."""
        return None if self.base == "bytes" else UNK

    def symbols(self, word: str) -> Split:
        """Return the base symbols of `word`."""
        return base_symbols(word, self.base, self.end_mark)

    def length(self, token: str) -> int:
        """Return the number of base symbols in `token`, without the end-of-word mark."""
        return len(token.removesuffix(self.end_mark) if self.base == "end_of_word" else token)

    def allows(self, pair: Pair) -> bool:
        """Return whether the token that `pair` makes is short enough."""
        limit = self.max_token_length
        return limit is None or self.length(pair[0] + pair[1]) <= limit
