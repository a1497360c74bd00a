"""The settings of a WordPiece run: the mark, the limits, and the convention."""

from dataclasses import dataclass

from tokenizers.errors import UserError
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import Pair
from tokenizers.settings import MAX_NUMBER, check
from tokenizers.text.encoding import UNK
from tokenizers.text.symbols import END_MARK, Split, base_symbols

BASES = ("characters", "end_of_word")
CONVENTIONS = ("score", "hugging_face")
MARK = "##"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a WordPiece training run. Raises UserError for an invalid value.

    The conventions: `score` merges by `scores.score`, as the Hugging Face course teaches it (ties:
    `first_seen`). `hugging_face` is what that library's `WordPieceTrainer` does: it merges the most
    frequent pair, as BPE does, and discards the merges (ties: `smallest_ids`). Its vocabulary
    begins with all characters of the corpus without the mark; the characters that occur inside
    words follow with the mark. The library orders these marked characters differently in every run,
    which decides ties; here both groups are sorted by code point.

    The mark may be empty. The tie rules and the other limits work as in `bpe.Settings`; pairs below
    `min_count` are not merged, whatever their score.
    """

    mark: str = MARK
    num_merges: int | None = None
    vocab_size: int | None = None
    min_count: int = 1
    ties: str = "first_seen"
    convention: str = "score"
    base: str = "characters"
    end_mark: str = END_MARK

    def __post_init__(self) -> None:
        choices = {"base": BASES, "ties": TIE_RULES, "convention": CONVENTIONS}
        check(
            self, dict.fromkeys(("num_merges", "vocab_size", "min_count"), (0, MAX_NUMBER)), choices
        )
        if not self.end_mark:
            raise UserError("the end-of-word mark is empty; give it at least one character")

    @property
    def unk(self) -> str:
        """The piece for a word that cannot be encoded."""
        return UNK

    @property
    def max_token_length(self) -> None:
        """Always None, because pieces may have any length."""

    @property
    def by_score(self) -> bool:
        """Whether the pair with the highest score is merged, not the most frequent one."""
        return self.convention == "score"

    def allows(self, pair: Pair) -> bool:
        """Return True, because every pair may be merged."""
        return True

    def symbols(self, word: str) -> Split:
        """Return the base symbols of `word`.

        >>> Settings().symbols("sun")
        ('s', '##u', '##n')
        """
        first, *rest = base_symbols(word, self.base, self.end_mark) or ("",)
        return (first, *(self.mark + symbol for symbol in rest)) if first else ()
