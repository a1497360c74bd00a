"""SentencePiece's normalizer applies character rules, changes spaces, and tracks offsets.

At each position the longest matching rule of the character map is applied, but user-defined pieces
stay unchanged. Flags control whether spaces at both ends are removed and repeated spaces collapsed,
whether a space is added first, and whether each space is written `▁`.

As in SentencePiece, a character's span reaches from its own origin to the next character's origin.
So removed text belongs to the character before it, and if one character becomes several, as `ﬁ`
becomes f and i, the last one has the old character's span.
"""

import re
from array import array
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tokenizers.limits import CHARACTERS_PER_TIME_CHECK, GrowthLimit, check_time
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.runtime.token_index import TokenIndex
from tokenizers.text.alignment import AlignedText
from tokenizers.text.symbols import METASPACE


@dataclass(frozen=True)
class FirstPrefixNormalizer:
    """Puts a space in front of a whole text only, and only if it does not begin with one.

    So Llama's class in transformers does; SentencePiece puts one in front of every text, also of
    each part after a special token.
    """

    normalizer: "SentencePieceNormalizer"

    def describe(self) -> str:
        return f"{self.normalizer.describe()} The space comes only at the very beginning."

    def __call__(self, aligned: AlignedText) -> AlignedText:
        """Return the normalized text."""
        is_first = bool(aligned.text) and not aligned.starts[0] and aligned.text[0] not in " ▁"
        prefix = self.normalizer.add_dummy_prefix and is_first
        return replace(self.normalizer, add_dummy_prefix=prefix)(aligned)


@dataclass(frozen=True)
class SentencePieceNormalizer:
    """One `.model`'s normalizer; character rules do not apply to `user_defined` pieces.

    With `as_suffix`, the added `▁` follows the text instead of preceding it.
    """

    charsmap: CharsMap | None = None
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True
    as_suffix: bool = False
    user_defined: Collection[str] = field(default=(), repr=False)

    def describe(self) -> str:
        done = ["rewrites characters by the rules of the file"] if self.charsmap else []
        if self.remove_extra_whitespaces:
            done.append("removes extra spaces")
        if self.add_dummy_prefix:
            done.append(f"puts one space {'behind' if self.as_suffix else 'in front'}")
        if self.escape_whitespaces:
            done.append(f"writes every space as {METASPACE}")
        if not done:
            return "Leaves the text as it is."
        *first, last = done
        joined = f"{', '.join(first)} and {last}" if first else last
        return f"{joined[0].upper()}{joined[1:]}."

    def __call__(self, aligned: AlignedText) -> AlignedText:
        """Return the normalized text."""
        text, origins = self._normalize(aligned.text)
        if not isinstance(aligned.starts, range) or aligned.starts.start:
            last = aligned.ends[-1] if aligned.text else 0
            places = [*aligned.starts, last]
            origins = array("I", map(places.__getitem__, origins))
        return AlignedText(text, origins[:-1], origins[1:])

    def _normalize(self, text: str) -> "tuple[str, array[int]]":
        """Return the normalized text, and the origin of each character and of the text's end."""
        space = METASPACE if self.escape_whitespaces else " "
        done, length = self._skip_leading_spaces(text), len(text)
        if done == length:
            return "", array("I", [done])
        in_front = self.add_dummy_prefix and not self.as_suffix
        parts, origins = [space] if in_front else [], array("I", [done] if in_front else [])
        places = _places(length)
        strips = is_space = self.remove_extra_whitespaces
        growth = GrowthLimit(length)
        while done < length:
            if (
                not len(parts) % CHARACTERS_PER_TIME_CHECK
            ):  # in between, each rule writes at most MAX_REPLACEMENT_BYTES
                check_time()
                growth.check(len(origins))
            match = self._change_pattern.search(text, done)
            begin = match.start() if match else length
            if begin > done:
                done += is_space and text[done] == " "
                parts.append(text[done:begin])
                origins += places[done:begin]
                is_space = strips and text[begin - 1] == " "
            if match:
                new, done = self._rewrite(text, match)
                new = new.lstrip(" ") if is_space else new
                parts.append(new)
                origins.extend([begin] * len(new))
                is_space = strips and new[-1] == " " if new else is_space
            else:
                done = length
        normalized = "".join(parts)
        if self.escape_whitespaces:
            normalized = normalized.replace(" ", METASPACE)
        return self._finish(normalized, origins, length, space)

    def _skip_leading_spaces(self, text: str) -> int:
        """Return the index after the leading spaces that are removed."""
        done = 0
        while self.remove_extra_whitespaces and done < len(text):
            match = self._change_pattern.match(text, done)
            new, end = self._rewrite(text, match) if match else (text[done], done + 1)
            if new != " ":
                break
            done = end
        return done

    def _finish(
        self, text: str, origins: "array[int]", end: int, space: str
    ) -> "tuple[str, array[int]]":
        """Return the text without trailing spaces if they are removed, and with an added suffix."""
        if self.remove_extra_whitespaces and text.endswith(space):
            text = text.rstrip(space)
            end = origins[len(text)]
            del origins[len(text) :]
        if self.add_dummy_prefix and self.as_suffix:
            text += space
            origins.append(end)
        origins.append(end)
        return text, origins

    def _rewrite(self, text: str, match: re.Match[str]) -> tuple[str, int]:
        """Return the replacement for the text that begins at `match`, and where that text ends."""
        begin = match.start()
        if match.lastindex and (end := self._defined.longest_end(text, begin)):
            return text[begin:end], end
        if not self.charsmap:
            return text[begin], begin + 1
        if text[begin + 1 : begin + 2] in self.charsmap.seconds:
            rule = self.charsmap.longest(text, begin)
            return (rule[1], rule[0]) if rule else (text[begin], begin + 1)
        return self.charsmap.singles.get(text[begin], text[begin]), begin + 1

    @cached_property
    def _defined(self) -> TokenIndex:
        return TokenIndex(self.user_defined)

    @cached_property
    def _change_pattern(self) -> re.Pattern[str]:
        """Matches where a user-defined piece or a rule may begin, and a space before a space."""
        ways: list[str] = []
        if self.user_defined:
            ways.append(f"({self._defined.start_pattern})")
        if self.charsmap:
            near = [re.escape(char) for char in self.charsmap.singles if char < _FAR]
            ways.append(f"[{''.join(near)}{_FAR}-{_FARTHEST}]")
            if seconds := "".join(map(re.escape, self.charsmap.seconds)):
                ways.append(f".(?=[{seconds}])")
        if self.remove_extra_whitespaces:
            ways.append(" (?= )")
        return re.compile("|".join(ways) or r"(?!)", re.DOTALL)


def _places(length: int) -> "array[int]":
    """Return the numbers below `length`; NumPy counts faster, but takes longer to begin."""
    if length < _MANY:
        return array("I", range(length))
    return array("I", np.arange(length, dtype=np.uint32).tobytes())


_MANY = 100
_FAR, _FARTHEST = "\U00010000", "\U0010ffff"
"""For characters starting at `_FAR`, `re` would test each; so classes get the whole range."""
