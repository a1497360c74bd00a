"""A vocabulary that can be searched by its tokens' spelling, length, script and peculiarities.

Everything is computed once for a tokenizer and kept in columns, which makes a search through
200,000 tokens as fast as typing. For the model's view of a token see `token_history`.
"""

import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import regex

from tokenizers.errors import UserError
from tokenizers.runtime.inspection.unreachable import find_unreachable
from tokenizers.runtime.spelling import Speller, display_bytes, text_of
from tokenizers.runtime.tokenizer import LoadedTokenizer

SEARCH_SECONDS = 0.5  # limit of a search by a pattern
MAX_PATTERN_CHARS = 200

_SCRIPTS = """Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Thai Georgian Armenian
Hangul Hiragana Katakana Han"""
SCRIPTS = tuple(_SCRIPTS.split())
SCRIPT_NAMES = (*SCRIPTS, "another script", "no letter")
_SCRIPT = regex.compile("|".join(rf"(\p{{Script={name}}})" for name in SCRIPTS))
_WHITE = regex.compile(r"((?<!\\)(?:\\\\)*)\\s")  # an \s whose backslash is not escaped itself
_LETTER = regex.compile(r"\p{L}")

TOKEN_FILTERS = {
    "any": "any",
    "special": "special tokens",
    "added": "added tokens",
    "part": "parts of characters",
    "unreachable": "unreachable",
    "alike": "alike up to case or space",
    "unused": "not in your text",
    "used": "in your text",
}
ORDERS = {"id": "by id", "longest": "longest first", "shortest": "shortest first"}


@dataclass(frozen=True, slots=True)
class Query:
    """A search; an empty `text` matches every token. `used` has the ids in a text."""

    text: str = ""
    is_pattern: bool = False
    script: str = ""
    least: int = 0
    kind: str = "any"
    order: str = "id"
    used: Collection[int] = ()


class VocabularyTable:
    """The tokens of a vocabulary by id, in columns of the same length."""

    def __init__(self, loaded: LoadedTokenizer) -> None:
        self._loaded = loaded
        spell = Speller(loaded)
        rows = sorted(loaded.vocab.items(), key=lambda row: row[1])
        self.tokens = [token for token, _ in rows]
        self.ids = np.array([id_ for _, id_ in rows], dtype=np.int64)
        self.spelled = [spell(token) for token in self.tokens]
        """The bytes that each token stands for."""
        texts = [text_of(spelled) for spelled in self.spelled]
        self.is_part = np.array([text is None for text in texts], dtype=bool)
        self.texts = [
            display_bytes(spelled) if text is None else text
            for text, spelled in zip(texts, self.spelled, strict=True)
        ]
        """The text of each token, for display and search; bytes for a part of a character."""
        self.lengths = np.array([1 if t is None else len(t) for t in texts], dtype=np.int64)
        """Each token's length in characters; a part of a character counts as one."""
        self._special = set(loaded.specials.values())
        self._added = set(loaded.added.ids.values())

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def scripts(self) -> np.ndarray:
        """The index of each token's script in `SCRIPT_NAMES`."""
        known: dict[str, int] = {}
        found = np.full(len(self), len(SCRIPTS) + 1, dtype=np.int8)
        for n, text in enumerate(self.texts):
            if self.is_part[n] or not (match := _LETTER.search(text)):
                continue
            letter = match[0]
            if letter not in known:
                script = _SCRIPT.match(letter)
                known[letter] = script.lastindex - 1 if script and script.lastindex else -1
            found[n] = known[letter] if known[letter] >= 0 else len(SCRIPTS)
        return found

    @cached_property
    def alike(self) -> np.ndarray:
        """Whether another token is the same text except for case and surrounding white space."""
        keys = [text.strip().casefold() or text for text in self.texts]
        counts = Counter(keys)
        return np.array([counts[key] > 1 for key in keys], dtype=bool) & ~self.is_part

    @cached_property
    def unreachable(self) -> set[int]:
        """The ids of the tokens that no text tried makes; the first access may take seconds."""
        found = find_unreachable(self._loaded).unreachable
        return {self._loaded.vocab[token] for token in found}

    def search(self, query: Query) -> np.ndarray:
        """Return the indices of the rows that match a query, in the query's order.

        Raises UserError for a pattern that is invalid or takes too long.
        """
        keep = self._of_kind(query)
        if query.script:
            keep &= self.scripts == SCRIPT_NAMES.index(query.script)
        if query.least > 1:
            keep &= self.lengths >= query.least
        rows = np.flatnonzero(keep)
        if query.text:
            rows = self._matching(rows, query)
        if query.order == "id":
            return rows
        lengths = self.lengths[rows]
        return rows[np.argsort(-lengths if query.order == "longest" else lengths, kind="stable")]

    def _of_kind(self, query: Query) -> np.ndarray:
        match query.kind:
            case "special":
                return self._with_ids(self._special)
            case "added":
                return self._with_ids(self._added)
            case "part":
                return self.is_part.copy()
            case "alike":
                return self.alike.copy()
            case "unreachable":
                return self._with_ids(self.unreachable)
            case "used":
                return self._with_ids(query.used)
            case "unused":
                return ~self._with_ids(query.used)
        return np.ones(len(self), dtype=bool)

    def _with_ids(self, ids: Collection[int]) -> np.ndarray:
        return np.isin(self.ids, np.fromiter(ids, dtype=np.int64, count=len(ids)))

    def _matching(self, rows: np.ndarray, query: Query) -> np.ndarray:
        if query.is_pattern and regex.escape(query.text) != query.text:
            return np.intersect1d(rows, self._matching_pattern(query.text), assume_unique=True)
        texts = self.texts if len(rows) == len(self) else [self.texts[n] for n in rows]
        wanted = query.text
        if "⏎" in wanted:
            texts = [text.replace("\n", "⏎") for text in texts]
        return rows[np.array([wanted in text for text in texts], dtype=bool)]

    @cached_property
    def _lines(self) -> tuple[str, np.ndarray]:
        """All texts, one per line, and where the lines begin.

        One search through them takes a tenth of the time of one search per token.
        """
        lines = [text.replace("\n", "⏎") for text in self.texts]
        lengths = np.fromiter(map(len, lines), dtype=np.int64, count=len(lines))
        return "\n".join(lines), np.cumsum(lengths + 1) - lengths - 1

    def _matching_pattern(self, wanted: str) -> np.ndarray:
        """Return the rows in which a pattern is found."""
        pattern = _compiled(wanted)
        text, begins = self._lines
        until = time.monotonic() + SEARCH_SECONDS
        try:
            spans = [match.span() for match in pattern.finditer(text, timeout=SEARCH_SECONDS)]
            first, last = (
                np.searchsorted(begins, [span[side] for span in spans], side="right") - 1
                for side in (0, 1)
            )
            found = [first[first == last]]
            for a, b in zip(first[first < last], last[first < last], strict=True):
                found.append(self._matching_alone(pattern, range(a, b + 1), until))
        except TimeoutError:
            raise UserError(
                "This pattern takes too long. Make it simpler, or search for plain text."
            ) from None
        return np.unique(np.concatenate(found))

    def _matching_alone(
        self, pattern: "regex.Pattern[str]", rows: range, until: float
    ) -> np.ndarray:
        """Return which of `rows`, the lines that one match in `_lines` spans, match alone."""
        found = []
        for row in rows:
            if (left := until - time.monotonic()) <= 0:
                raise TimeoutError
            if pattern.search(self.texts[row].replace("\n", "⏎"), timeout=left):
                found.append(row)
        return np.array(found, dtype=np.int64)


def _compiled(pattern: str) -> "regex.Pattern[str]":
    """Return a pattern that matches to the end of the line, so that it finds each line once."""
    if len(pattern) > MAX_PATTERN_CHARS:
        raise UserError(
            f"The pattern has {len(pattern):,} characters. Shorten it to {MAX_PATTERN_CHARS}."
        )
    try:
        if "[" not in pattern:
            # A line feed is white space, too, but in `_lines` it is not part of any token.
            pattern = _WHITE.sub(r"\1[^\\S\n]", pattern)
        regex.compile(pattern)  # alone first: “a)(b” is wrong, though not inside a group
        return regex.compile(f"(?:{pattern})[^\n]*", regex.MULTILINE)
    except (regex.error, RecursionError, OverflowError) as error:
        raise UserError(
            f"This is not a whole pattern: {error}. Correct it, or search for plain text."
        ) from None
