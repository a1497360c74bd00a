"""Tokens added to a vocabulary, which are matched in a text before the model splits it.

The leftmost and then the longest match comes first, and the five flags work as in Hugging Face's
library. For the tokens that are added around a text, see `post_processors`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import regex

from tokenizers.limits import MAX_ADDED_TOKENS, GrowthLimit, check_at_most, check_time, time_limit
from tokenizers.runtime.patterns import WHITE_SPACE
from tokenizers.runtime.token_index import TokenIndex
from tokenizers.text.alignment import AlignedText
from tokenizers.text.unicode_versions import hide_newer

_WORD = regex.compile(r"\w")
_SPACES = regex.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class AddedToken:
    """One added token and its flags.

    With `single_word`, the token matches only where no word character is adjacent. With `lstrip` or
    `rstrip`, the match includes the white space on that side. With `normalized`, the token is
    normalized and matched in the normalized text, otherwise in the raw text. With `special`, it is
    a control token such as `<s>`, which a text may also contain as plain text.
    """

    content: str
    id: int
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = True
    special: bool = False


@dataclass(frozen=True)
class AddedTokens:
    """All added tokens, in the order in which the file lists them."""

    tokens: tuple[AddedToken, ...] = ()
    normalizer: Callable[[AlignedText], AlignedText] | None = None

    def __post_init__(self) -> None:
        check_at_most(len(self.tokens), MAX_ADDED_TOKENS, "added tokens")

    @classmethod
    def control(cls, ids: Mapping[str, int]) -> "AddedTokens":
        """Return control tokens with these ids, which are matched in the raw text."""
        rows = ids.items()
        tokens = [AddedToken(name, id_, normalized=False, special=True) for name, id_ in rows]
        return cls(tuple(tokens))

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each token, by its content."""
        return {token.content: token.id for token in self.tokens}

    @cached_property
    def normalized_contents(self) -> dict[int, str]:
        """Each token's content, normalized where that is matched, by id; decoding gives it too."""
        written = {token.id: token.content for token in self.tokens}
        if self.normalizer:
            growth, size = GrowthLimit(sum(map(len, written.values()))), 0
            with time_limit("", times=2):
                for token in self.tokens:
                    if token.normalized:
                        text = self.normalizer(AlignedText.raw(token.content)).text
                        growth.check(size := size + len(text))
                        written[token.id] = text
                        check_time()
        return written

    @cached_property
    def specials(self) -> dict[str, int]:
        """The ids of the special tokens, by name."""
        return {token.content: token.id for token in self.tokens if token.special}

    def describe(self, normalized: bool) -> str:
        """Describe in one sentence which tokens are matched in the raw or normalized text."""
        names = [token.content for token in self.tokens if token.normalized == normalized]
        where = "normalized" if normalized else "raw"
        if not names:
            return f"No added token is looked for in the {where} text."
        shown = ", ".join(f"“{name}”" for name in names[:3])
        more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
        return f"Looks for these added tokens in the {where} text: {shown}{more}."

    @cached_property
    def _finders(self) -> "dict[bool, _Finder]":
        """The finders for raw and normalized text; of equally spelled tokens a special one wins."""
        found: dict[bool, dict[str, AddedToken]] = {False: {}, True: {}}
        for token in sorted(self.tokens, key=lambda token: not token.special):
            written = self.normalized_contents[token.id] if token.normalized else token.content
            found[token.normalized].setdefault(written, token)
        return {normalized: _Finder(tokens) for normalized, tokens in found.items()}

    def split(
        self, text: str, normalized: bool, as_text: bool
    ) -> list[tuple[int, int, AddedToken | None]]:
        """Split `text` at the added tokens into (start, end, token or None), covering all of it.

        `normalized` selects the tokens to match. With `as_text`, special tokens stay text. As in
        the library, a white-space token matches even inside another match's white space.
        """
        pieces: list[tuple[int, int, AddedToken | None]] = []
        done = 0
        for start, end, token in self._finders[normalized].find(text, as_text):
            if done < start:
                pieces.append((done, start, None))
            pieces.append((start, end, token))
            done = end
        if done < len(text):
            pieces.append((done, len(text), None))
        return pieces


class _Finder:
    """Finds tokens in a text; the leftmost and then the longest match comes first."""

    def __init__(self, tokens: dict[str, AddedToken]) -> None:
        self._tokens, self._contents = tokens, TokenIndex(tokens)

    def find(self, text: str, as_text: bool) -> Iterator[tuple[int, int, AddedToken]]:
        """Yield (start, end, token) of each match, including the white space that it strips."""
        done = spaces_end = 0
        for start, end in self._contents.spans(text):
            token = self._tokens[text[start:end]]
            if (as_text and token.special) or (token.single_word and _touches(text, start, end)):
                continue
            if token.lstrip:  # but not white space that the token before took
                start = done + len(text[done:start].rstrip(WHITE_SPACE))
            if token.rstrip:
                if end > spaces_end and (spaces := _SPACES.match(text, end)):
                    spaces_end = spaces.end()
                end = spaces_end
            yield start, end, token
            done = end


def _touches(text: str, start: int, end: int) -> bool:
    """Whether there is a word character right before `start` or at `end`."""
    neighbors = text[start - 1 : start] + text[end : end + 1]
    return bool(_WORD.search(hide_newer(neighbors)))
