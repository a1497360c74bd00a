"""Translate a regular expression from Oniguruma's syntax, which Hugging Face's library reads.

`translate` returns the same pattern for the module `regex`. The two differ in many details: in
Oniguruma `^` and `$` always match at lines, `\\Z` also matches before a final newline, `m` lets `.`
match a newline, `\\h` is a hexadecimal digit, `a{1,3}+` is `(?:a{1,3})+`, `{,n}` counts from 0, and
`\\p{Lu}` heeds case even after `(?i)`. Sources: `doc/RE` and `doc/SYNTAX.md` of kkos/oniguruma 6.9,
and trials of the library. What has no equal is refused by its name.
"""

from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import NamedTuple

import regex

from tokenizers.errors import UserError
from tokenizers.limits import check_time

FLAGS = regex.V1 | regex.MULTILINE | regex.FULLCASE
"""The flags to compile a translated pattern with."""
MAX_REPEAT = 100_000
"""The largest number in braces, as in Oniguruma."""
MAX_REPEATS = 10_000
"""The maximum product of all counts such as {3}, because nested repeats multiply."""
MAX_TRANSLATED = 100_000
"""The maximum length of a translation, in characters, since compiling it takes time."""
MAX_NESTED = 100
"""The maximum nesting depth of groups and classes together."""

_HEX, _WORD = "0-9A-Fa-f", r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}"
_LATIN1_WORD = f"{_WORD}²³¹¼½¾"  # outside a class Oniguruma uses a Latin-1 table with these
_W = f"[{_LATIN1_WORD}]"
_TYPES = {
    **{"d": r"\d", "D": r"\D", "s": r"\s", "S": r"\S", "w": _WORD, "W": f"[^{_WORD}]"},
    **{"h": _HEX, "H": f"[^{_HEX}]"},
}
"""Types as they are written inside a class."""
_POSIX = {
    "alnum": r"\p{Alphabetic}\p{Nd}",
    "alpha": r"\p{Alphabetic}",
    "ascii": r"\x00-\x7f",
    "blank": r"\t\p{Zs}",
    "cntrl": r"\p{Cc}",
    "digit": r"\d",
    "graph": r"[^\s\p{Cc}\p{Cn}\p{Cs}]",
    "lower": r"\p{Lowercase}",
    "print": r"\p{Zs}[^\s\p{Cc}\p{Cn}\p{Cs}]",
    "punct": r"\p{P}\p{S}",
    "space": r"\s",
    "upper": r"\p{Uppercase}",
    "xdigit": _HEX,
    "word": _WORD,
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
_IGNORED = r"[ \t\n\r\f]+"  # in extended syntax

_BREAKS = "CN PP EX SM L V T LV LVT RI ZWJ"
_CLUSTER = (
    r"(?>\r\n|[\r\n{CN}]|{PP}*(?:{L}*(?:{V}+|{LV}{V}*|{LVT}){T}*|{L}+|{T}+|{RI}{RI}"
    r"|\p{{ExtPict}}(?:{EX}*{ZWJ}\p{{ExtPict}})*|[^\r\n{CN}])[{EX}{SM}{ZWJ}]*)"
).format(**{name: rf"\p{{GCB={name}}}" for name in _BREAKS.split()})
"""A grapheme cluster by the rules before Unicode 15.1, which joined no consonants."""

_ANCHORS = {
    "^": r"(?:^(?!\Z)|\A)",
    "$": "$",
    "A": r"\A",
    "z": r"\Z",
    "Z": r"(?=\n?\Z)",
    "G": r"\G",
    "K": r"\K",
    "b": rf"(?:(?<={_W})(?!{_W})|(?<!{_W})(?={_W}))",
    "B": rf"(?:(?<={_W})(?={_W})|(?<!{_W})(?!{_W}))",
}
_OUTSIDE = {
    "w": _W,
    "W": f"[^{_LATIN1_WORD}]",
    "h": f"[{_HEX}]",
    "H": f"[^{_HEX}]",
    "R": r"(?>\r\n|[\n-\r\x85\u2028\u2029])",
    "N": r"[^\n]",
    "O": "(?s:.)",
    "X": _CLUSTER,
    **{letter: f"\\{letter}" for letter in "dDsS"},
}
_UNSUPPORTED = {
    "\\y": "a boundary of text segments, \\y",
    "\\Y": "a boundary of text segments, \\Y",
    "\\g<": "a call of a group, \\g<…>",
    "\\g'": "a call of a group, \\g'…'",
    "\\M-": "a character with a meta key, \\M-…",
    "(?~": "an absence operator, (?~…)",
    "(?(": "a condition, (?(…)…)",
    "(?{": "a callout, (?{…})",
    "(*": "a callout, (*…)",
}
_PROPERTIES = {"any": "Any"}
"""Names that `regex` has for properties of another name."""
_NOTHING = r"^\0-\U0010ffff"
_ANY_I = "(?-i:[iI])"
_IS = {"i": _ANY_I, "I": _ANY_I, "ı": "(?-i:ı)", "İ": f"(?:(?-i:İ)|{_ANY_I}\u0307)"}
"""Without case; `regex` takes these four for one another, as in Turkish, and Oniguruma does not."""


@dataclass(frozen=True, slots=True)
class _Options:
    """The options `i`, `m` and `x` in force, and whether they are those of a look-behind."""

    ignores_case: bool = False
    dot_matches_all: bool = False
    is_extended: bool = False
    looks_behind: bool = False


class _Part(NamedTuple):
    """A part that a quantifier may follow."""

    text: str
    can_repeat: bool = True
    can_be_empty: bool = False


class Translation(NamedTuple):
    """A pattern in the syntax of `regex`, and whether it may match without any character."""

    pattern: str
    can_be_empty: bool


def translate(source: str) -> Translation:
    """Return a pattern in the syntax of `regex`, to be compiled with `FLAGS`.

    Raises UserError, which names the construct, if the pattern is invalid or has no equal.

    >>> translate(r"[[:digit:]]{,2}|(?m:.)").pattern
    '[\\\\d]{0,2}|(?:(?s:.))'
    """
    first = _Translator(source)
    found = first.translate()
    if not first.references:
        return found
    again = _Translator(source, captures=True, only_named=bool(first.names))
    found = again.translate()
    for number in again.references:
        if not 0 < number <= again.num_groups:
            raise UserError(f"there is no group {number} to refer to")
    return found


@dataclass
class _Translator:
    """Reads `source` from left to right; `at` is the index of the next character.

    Groups capture only if something refers to them, since it costs time; if one has a name, then
    only those with names do, as in Oniguruma.
    """

    source: str
    captures: bool = False
    only_named: bool = False
    at: int = 0
    depth: int = 0
    num_groups: int = 0
    names: dict[str, int] = field(default_factory=dict[str, int])
    references: list[int] = field(default_factory=list[int])
    times: int = 1

    def translate(self) -> Translation:
        found = self._alternatives(_Options())
        if self.at < len(self.source):
            raise UserError("a “)” closes no group")
        if len(found.pattern) > MAX_TRANSLATED:
            raise UserError("it is too long")
        return found

    # --- Reading ----------------------------------------------------------------------------------

    def _takes(self, text: str) -> bool:
        """Consume `text` if it comes next; return whether it does."""
        is_next = self.source.startswith(text, self.at)
        self.at += len(text) * is_next
        return is_next

    def _match(self, pattern: str) -> "regex.Match[str] | None":
        """Consume what a pattern matches here."""
        match = regex.compile(pattern).match(self.source, self.at)
        self.at = match.end() if match else self.at
        return match

    def _character(self) -> str:
        """Return and consume the next character."""
        if self.at >= len(self.source):
            raise UserError("it ends too early")
        self.at += 1
        return self.source[self.at - 1]

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTED:
            raise UserError(f"more than {MAX_NESTED} groups or classes are within each other")

    # --- Alternatives and quantifiers -------------------------------------------------------------

    def _alternatives(self, options: _Options) -> Translation:
        """Translate up to the end of the group or of the pattern."""
        branches = [self._sequence(options)]
        while self._takes("|"):
            branches.append(self._sequence(options))
        found = "|".join([branch.pattern for branch in branches])
        return Translation(found, any(branch.can_be_empty for branch in branches))

    def _sequence(self, options: _Options) -> Translation:
        parts: list[_Part] = []
        self._skip_ignored(options)
        while self.source[self.at : self.at + 1] not in ("", "|", ")"):
            parts.append(self._quantified(self._part(options), options))
            self._skip_ignored(options)
        found = "".join([part.text for part in parts])
        return Translation(found, all(part.can_be_empty for part in parts))

    def _skip_ignored(self, options: _Options) -> None:
        """Consume comments and, in extended syntax, white space."""
        while True:
            if self._takes("(?#"):
                if not self._match(r"(?s:[^\\)]|\\.)*\)"):
                    raise UserError("a comment, (?#…), does not end")
            elif not options.is_extended or not self._match(rf"#[^\n]*|{_IGNORED}"):
                return

    def _quantified(self, part: _Part, options: _Options) -> _Part:
        """Return a part with the quantifiers that follow it."""
        is_repeated = False
        while True:
            self._skip_ignored(options)
            start = self.at
            quantifier = self._quantifier()
            if quantifier is None:
                return part
            if not part.can_repeat:
                raise UserError(f"“{self.source[start : self.at]}” repeats what has no length")
            text = f"(?:{part.text}){quantifier}" if is_repeated else f"{part.text}{quantifier}"
            can_be_empty = part.can_be_empty or quantifier[0] in "*?" or quantifier[:2] == "{0"
            part = _Part(text, can_be_empty=can_be_empty)
            is_repeated = True

    def _quantifier(self) -> str | None:
        """Return the next quantifier in the syntax of `regex`, or None."""
        if match := self._match(r"[*+?][?+]?"):
            return match[0]
        match = self._match(r"\{(\d+)\}|\{(\d+),(\d*)\}(\??)|\{(),(\d+)\}(\??)")
        if match is None:
            return None
        least, most = match[1] or match[2] or "0", match[1] or match[3] or match[6] or ""
        if max(len(least), len(most)) > 20 or max(int(least), int(most or 0)) > MAX_REPEAT:
            raise UserError(f"it repeats something more than {MAX_REPEAT:,} times")
        self.times *= max(int(least), int(most or 0), 1)
        if self.times > MAX_REPEATS:
            raise UserError("it repeats too much")
        if match[1]:
            return f"{{{int(least)}}}"  # a question mark after it is a quantifier of its own
        if most and int(least) > int(most):  # as Oniguruma writes a possessive one
            self.at -= match[0].endswith("?")  # a quantifier of its own, too
            return f"{{{int(most)},{int(least)}}}+"
        return f"{{{int(least)},{int(most) if most else ''}}}{match[4] or match[7] or ''}"

    # --- Parts ------------------------------------------------------------------------------------

    def _part(self, options: _Options) -> _Part:
        """Translate what a quantifier may follow."""
        for start, name in _UNSUPPORTED.items():
            if self.source.startswith(start, self.at):
                raise UserError(f"{name}, is not supported here")
        start = self.at
        if self._quantifier() is not None:
            raise UserError(f"nothing is before “{self.source[start : self.at]}”, which repeats")
        character = self._character()
        if character == "(":
            return self._group(options)
        if character == "[":
            return _Part(self._class(options.ignores_case))
        if character == ".":
            return _Part("(?s:.)" if options.dot_matches_all else ".")
        if character in "^$":
            return _Part(_ANCHORS[character], can_repeat=False, can_be_empty=True)
        if character == "\\":
            return self._escape(options)
        return _Part(_literal(character, options, self.source[self.at - 2 : self.at - 1]))

    def _escape(self, options: _Options) -> _Part:
        letter = self.source[self.at : self.at + 1]
        if letter in _ANCHORS and letter not in "^$":
            if options.looks_behind and letter in "GK":
                raise UserError(f"\\{letter} in a look-behind is not supported here")
            self.at += 1
            return _Part(_ANCHORS[letter], can_repeat=False, can_be_empty=True)
        if letter in _OUTSIDE:
            self.at += 1
            return _Part(_OUTSIDE[letter])
        if match := self._match(r"k<([^>]*)>|k'([^']*)'"):
            return self._reference(match[1] or match[2] or "")
        if match := self._match(r"[1-9]\d*"):
            if len(match[0]) == 1 or (len(match[0]) < 9 and int(match[0]) <= self.num_groups):
                return self._reference(match[0])
            self.at = match.start()
        if found := self._property(in_class=False):
            return _Part(f"(?-i:{found})" if options.ignores_case else found)
        return _Part(_literal(self._escaped(), options))

    def _reference(self, name: str) -> _Part:
        """Return a reference to a group by its name, its number, or a number counted backwards."""
        if number := regex.fullmatch(r"(-?)(\d{1,8})", name):
            if self.only_named:
                raise UserError("a number refers to a group, though groups have names")
            index = int(number[2])
            index = self.num_groups + 1 - index if number[1] else index
        elif name in self.names:
            index = self.names[name]
        else:
            raise UserError(f"no group before it has the name “{name}”")
        self.references.append(index)
        return _Part(f"(?P=g{index})", can_be_empty=True)

    def _group(self, options: _Options) -> _Part:
        """Translate a group, whose “(” is read already."""
        self._enter()
        opening, is_look_around = "(?:", False
        if match := self._match(r"\?<?[=!]"):
            opening, is_look_around = f"({match[0]}", True
            if options.looks_behind and "<" not in match[0]:
                raise UserError("a look-behind cannot hold a look-ahead")
            options = replace(options, looks_behind="<" in match[0])
        elif match := self._match(r"\?<(\w+)>|\?'(\w+)'"):
            opening = self._capture(match[1] or match[2])
        elif self._takes("?>"):
            opening = "(?>"
        elif match := self._match(r"\?([imx]*)(?:-([imx]*))?([:)])"):
            return self._with_options(match, options)
        elif self._takes("?"):
            raise UserError(f"“(?{self.source[self.at : self.at + 1]}” is no group known here")
        elif not self.only_named:
            opening = self._capture()
        pattern, can_be_empty = self._alternatives(options)
        self._close()
        return _Part(f"{opening}{pattern})", not is_look_around, can_be_empty or is_look_around)

    def _with_options(self, match: "regex.Match[str]", options: _Options) -> _Part:
        """Translate `(?i:…)`, or all after `(?i)` up to the end of the group around it."""
        on, off = match[1], match[2] or ""
        was_ignoring = options.ignores_case
        names = {"i": "ignores_case", "m": "dot_matches_all", "x": "is_extended"}
        changes = {names[letter]: True for letter in on} | {names[letter]: False for letter in off}
        options = replace(options, **changes)
        pattern, can_be_empty = self._alternatives(options)
        if match[3] == ":":
            self._close()
        else:
            self.depth -= 1
        if options.ignores_case == was_ignoring:
            return _Part(f"(?:{pattern})", can_be_empty=can_be_empty)
        # Without another branch `regex` looks for a string that case must not change.
        found = f"(?i:{pattern}|(?!))" if options.ignores_case else f"(?-i:{pattern})"
        return _Part(found, can_be_empty=can_be_empty)

    def _capture(self, name: str = "") -> str:
        """Return the beginning of a group that captures, if anything refers to one."""
        self.num_groups += 1
        if name:
            if name[0].isdigit():
                raise UserError(f"“{name}” is no name of a group")
            if name in self.names:
                raise UserError(f"two groups have the name “{name}”, which is not supported here")
            self.names[name] = self.num_groups
        return f"(?P<g{self.num_groups}>" if self.captures else "(?:"

    def _close(self) -> None:
        if not self._takes(")"):
            raise UserError("a group does not end")
        self.depth -= 1

    # --- Characters -------------------------------------------------------------------------------

    def _escaped(self) -> str:
        """Return the character that is written behind a backslash."""
        match = (
            self._match(r"x([0-7]?[0-9A-Fa-f])(?![0-9A-Fa-f])|x([0-7][0-9A-Fa-f])")
            or self._match(r"x\{([0-9A-Fa-f]{1,8})\}|u([0-9A-Fa-f]{4})")
        )  # fmt: skip
        if match:
            return _of_code(int(match[1] or match[2], 16))
        if match := self._match(r"o\{([0-7]{1,11})\}|(0[0-7]{0,2}|[1-7][0-7]{0,2})"):
            code = int(match[1] or match[2], 8)
            if match[2] and code > 0x7F:
                raise UserError(f"\\{match[2]} is a byte, which is not supported here")
            return _of_code(code)
        if match := self._match(r"(?:c|C-)([?-_a-z])"):
            return "\x7f" if match[1] == "?" else chr(ord(match[1]) & 0x1F)
        letter = self._character()
        if letter in "xuocM" or (letter == "C" and self.source.startswith("-", self.at)):
            raise UserError(f"no code of a character follows \\{letter}")
        return _CONTROLS.get(letter, letter)

    def _property(self, in_class: bool = True) -> str | None:
        """Return the type or property that is written behind a backslash, or None."""
        match = self._match(r"([pP])\{(\^?)([^}]*)\}|([pP])(?=\{)")
        if not match:
            return None
        name = regex.sub("[ _-]", "", match[3] or "").lower()
        if not regex.fullmatch("[a-z0-9]+", name):
            raise UserError(f"“{match[0]}” is no property")
        is_negated = (match[1] == "P") != bool(match[2])
        if name == "word" and not in_class:
            return _OUTSIDE["W" if is_negated else "w"]
        if name in _POSIX and name != "punct":  # \p{punct} is P, but [:punct:] is P and S
            return f"[{'^' if is_negated else ''}{_POSIX[name]}]"
        found = f"\\{'P' if is_negated else 'p'}{{{_PROPERTIES.get(name, name)}}}"
        try:
            regex.compile(found)
        except regex.error as error:
            raise UserError(f"“{match[0]}” is a property that is not known here") from error
        return found

    # --- Classes ----------------------------------------------------------------------------------

    def _class(self, ignores_case: bool = False) -> str:
        """Translate a class, whose “[” is read already."""
        self._enter()
        is_negated = self._takes("^")
        operands: list[str] = []
        items: list[str] = []
        if self.source.startswith("]", self.at):
            if "]" not in self.source[self.at + 1 :]:
                raise UserError("a class is empty")
            items.append(self._range(self._character()))
        while not self._takes("]"):
            if self._takes("&&"):
                operands.append("".join(items))
                items = []
            else:
                items.append(self._item())
        self.depth -= 1
        operands.append("".join(items))
        body = operands[0]
        if len(operands) > 1:
            body = "&&".join(f"[{operand or _NOTHING}]" for operand in operands)
            body = f"[{body}]"
        if ignores_case:
            return _fold_class(body, is_negated)
        return _negated(body) if is_negated else f"[{body}]"

    def _item(self) -> str:
        if match := self._match(r"\[:(\^?)([A-Za-z]+):\]"):
            if match[2] not in _POSIX:
                raise UserError(f"“{match[0]}” is no POSIX class")
            found = _POSIX[match[2]]
            return self._without_range(f"[^{found}]" if match[1] else found)
        if self._takes("["):
            return self._class()
        if self._takes("\\"):
            letter = self.source[self.at : self.at + 1]
            if letter in _TYPES:
                self.at += 1
                return self._without_range(_TYPES[letter])
            if found := self._property():
                return self._without_range(found)
            return self._range("\b" if self._takes("b") else self._escaped())
        return self._range(self._character())

    def _without_range(self, item: str) -> str:
        """Return an item that begins no range."""
        if self._is_range():
            raise UserError("a class has a range that begins with a class")
        return item

    def _is_range(self) -> bool:
        """Return whether a hyphen comes next that is no character of its own."""
        return bool(regex.compile(r"-(?!\]|&&)").match(self.source, self.at))

    def _range(self, first: str) -> str:
        """Return a character, or the range that begins with it."""
        if not self._is_range():
            return _in_class(first)
        if self._takes("-["):
            raise UserError("a class has a range that ends with a class")
        self.at += 1
        last = self._character()
        if last == "\\":
            letter = self.source[self.at : self.at + 1]
            if letter in _TYPES or self._property():
                raise UserError("a class has a range that ends with a class")
            last = "\b" if self._takes("b") else self._escaped()
        if last < first:
            raise UserError(f"“{first}-{last}” is an empty range")
        hyphen = "\\-" if self._is_range() and self._takes("-") else ""
        return f"{_in_class(first)}-{_in_class(last)}{hyphen}"


def _of_code(code: int) -> str:
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise UserError(f"U+{code:04X} is no character")
    return chr(code)


def _literal(character: str, options: _Options, before: str = "") -> str:
    """Return a character outside a class; `before` is the one before it."""
    if options.ignores_case and character in _IS and before not in ("f", "F"):  # not in ﬁ, ﬃ
        return _IS[character]
    return _in_class(character)


def _in_class(character: str) -> str:
    """Escape punctuation, of which `regex` takes much for an operator."""
    return character if character.isalnum() or not "!" <= character <= "~" else f"\\{character}"


@cache
def _letters_of_folds() -> dict[str, str]:
    """Return the letters that are the same without case, by what they are folded to."""
    letters: dict[str, str] = {}
    for letter in map(chr, range(0x20000)):
        if (fold := letter.casefold()) != letter:
            alone = fold if len(fold) == 1 else ""
            letters[fold] = letters.get(fold, alone) + letter
    return letters


def _negated(body: str) -> str:
    """Return the negation of a class.

    Where a class holds a property and its opposite, `regex` forgets a “^” in front.
    """
    if _OPPOSITE.search(body) and _PROPERTY.search(body):
        return f"[{_EVERYTHING}--[{body}]]"
    return f"[^{body}]"


_EVERYTHING = r"\0-\U0010ffff"
_OPPOSITE, _PROPERTY = regex.compile(r"\\[PSD]|\[\^"), regex.compile(r"\\[psd]|\[\^")


@lru_cache(1_000)
def _fold_class(body: str, is_negated: bool) -> str:
    """Return a class that ignores case, spelt out.

    Oniguruma adds to it the other cases of all its letters, and `ss` for an ß; `regex` takes a
    property such as `\\p{Lu}` for all letters that have a case.
    """
    check_time()
    is_in = regex.compile(f"[{body}]", FLAGS).match
    folds = {fold: text for fold, text in _letters_of_folds().items() if any(map(is_in, text))}
    more = "".join([letter for text in folds.values() for letter in text if not is_in(letter)])
    body += more
    found = f"(?-i:{_negated(body) if is_negated else f'[{body}]'})"
    strings = [fold for fold in folds if len(fold) > 1]
    return f"(?:{'|'.join([found, *strings])})" if strings and not is_negated else found
