"""Larger texts for parity tests and benchmarks, made without a network or stored data.

English prose from the standard library, running text in many scripts, short strings that are
awkward to encode, and every character except surrogates. The second and third depend only on their
seed: they use Unicode 3.2, which every Python includes, so that a newer Python gives the same
strings.
"""

import random
import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path
from pydoc_data.topics import topics

from lessons.texts import LANGUAGES, TEXTS

MAX_LENGTH = 200  # of a random string, in code points
NUM_LONG, SHORT = 1_000, 40
"""So many random strings are up to `MAX_LENGTH` long, all others up to this: more find more."""

_UNSPACED = {"Thai", "Japanese", "Han"}
_MORE_ALPHABETS = {
    "Armenian": range(0x561, 0x587),
    "Georgian": range(0x10D0, 0x10F1),
    "Ethiopic": range(0x1208, 0x1247),
    "Telugu": range(0xC15, 0xC29),
}


@cache
def english_prose() -> str:
    """Return Python's own help topics in one text: 465,126 characters in Python 3.11."""
    return "\n\n".join(topics[name] for name in sorted(topics))


def programs(names: str) -> str:
    """Return modules of the standard library in one text, read and not run: some need a screen."""
    folder = Path(random.__file__).parent
    return "\n".join((folder / f"{name}.py").read_text("utf-8") for name in names.split())


# --- Running text in many scripts ---------------------------------------------------------------


@cache
def many_scripts(size: int = 200_000, seed: int = 1) -> str:
    """Return `size` characters: the passages, then lines of words, each line in one language.

    The words are those of the passages, 200 invented ones for each that use its letters, and as
    many in four more scripts. Few are frequent and most are rare, as in a language (Zipf's law).
    """
    rng = random.Random(seed)
    languages = [_Language(rng, p.text, spaced=p.script not in _UNSPACED) for p in LANGUAGES]
    languages += [_Language(rng, "".join(map(chr, a))) for a in _MORE_ALPHABETS.values()]
    lines = [passage.text for passage in LANGUAGES]
    length = len("\n".join(lines))
    while length < size:
        lines.append(rng.choice(languages).line(rng))
        length += len(lines[-1]) + 1
    return "\n".join(lines)[:size]


class _Language:
    """The words of a sample and invented ones, the n-th of them drawn with a weight of 1/n."""

    def __init__(self, rng: random.Random, sample: str, spaced: bool = True) -> None:
        words = "".join(c if unicodedata.category(c)[0] in "LM" else " " for c in sample).split()
        letters = "".join(words)
        invented = ["".join(rng.choices(letters, k=rng.randint(1, 9))) for _ in range(200)]
        self._words = list(dict.fromkeys(words + invented)) if len(words) > 1 else invented
        rng.shuffle(self._words)
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))
        self._space = " " if spaced else ""

    def line(self, rng: random.Random) -> str:
        """Return 3 to 14 words and an end mark."""
        words = rng.choices(self._words, cum_weights=self._weights, k=rng.randint(3, 14))
        return self._space.join(words) + rng.choice([".", ".", "!", "?", f" {rng.randrange(3000)}"])


# --- Short strings that are awkward to encode ---------------------------------------------------

_EMOJI = (
    "😀", "👍🏽", "👩‍👩‍👧‍👦", "🏳️‍🌈", "🇫🇮", "🇫", "1️⃣", "❤️", "❤", "🧑🏿‍🚀",
    "\u200d", "\ufe0f", "🏴\U000e0067\U000e0062\U000e007f",
)  # fmt: skip
_BASES = "aeiouyAEINOcnsz кαكשकক한각ᄒ"
_MARKS = "".join(map(chr, range(0x300, 0x370))) + "\u05b4\u064e\u0651\u093c\u094d\u1161\u11a8"
# Letters whose case, width or composition is peculiar, with joiners and English contractions.
_PECULIAR = (
    *"aZ_ '▁.-éßİıǅΣςﬁ²½Ⅷ①Ⓐ🄰किท่あ漢한ᄀㅏ\u0301\u0327\u0345ﾊﾞﾡￂ\u200b\u200c\u200d\ufeff",
    "'s", "'LL", "'ve", "Don't", "▁already", "▁",
)  # fmt: skip
_DIGITS = "0123456789" * 4 + "٠١٢٣٤٥٦٧٨٩०१२३४५६७८९０１２３" + "²³½¼Ⅷ①" + ".,:/-+ " * 2
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" + "…—–‘’“”«»¿¡、。「」·؟।§©€£¥°×÷▁"
_SPACES = (
    " ", " ", "  ", "\t", "\n", "\r\n", "\n\n", "\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e",
    "\x1f", "\x85", "\xa0", "\u1680", *map(chr, range(0x2000, 0x200B)), "\u2028", "\u2029",
    "\u202f", "\u205f", "\u3000", "\u200b", "\u2060", "\ufeff", "a", "don't", "Word", "7", ".",
)  # fmt: skip
_CODE = (
    "def load_user_profile_by_id(user_id: int) -> dict:", "    return {**a, 'b': [1, 2]}",
    "for (int i = 0; i < n; ++i) {\n\tsum += x[i];\n}", "std::cout << \"hi\" << '\\n';",
    "getUserID()", "a == b != c <= d >= e -> f => g :: h := i", "</w> [UNK] <s> ##ing <|end|>",
    "https://example.com/a%20b?q=1&r=é#top", "john.doe@example.com", "x = 0xFF_FFl - 1.5e-10",
    "<b class='x'>&amp;&lt;</b>", "SELECT * FROM t WHERE a IN ('1','2');", "   \t# TODO: don't",
)  # fmt: skip


def random_strings(count: int, seed: int = 1) -> list[str]:
    """Return strings of 0 to `MAX_LENGTH` code points: the kinds in turn, every fourth a mixture.

    From the 1,001st on they are short, `SHORT` at most, so that 10,000 are soon compared.

    NUL, other control characters and private use characters do occur; lone surrogates never.
    """
    rng = random.Random(seed)
    strings = []
    for n in range(count):
        string = _KINDS[n % len(_KINDS)](rng)
        if n % 4 == 3:
            string = rng.choice(["", " "]).join([string[:80], rng.choice(_KINDS)(rng)])
        strings.append(string[: MAX_LENGTH if n < NUM_LONG else SHORT])
    return strings


def _length(rng: random.Random) -> int:
    """Draw a length; short ones are likelier, 0 and `MAX_LENGTH` are possible."""
    return min(rng.randint(0, MAX_LENGTH), rng.randint(0, MAX_LENGTH))


def _slice_of(rng: random.Random, text: str) -> str:
    start = rng.randrange(len(text))
    return text[start : start + _length(rng)]


def _from_prose(rng: random.Random) -> str:
    return _slice_of(rng, TEXTS["prose"].text or "")


def _from_passage(rng: random.Random) -> str:
    return _slice_of(rng, rng.choice(LANGUAGES).text)


def _run(*parts: str) -> Callable[[random.Random], str]:
    """Return what draws runs of the parts given."""
    return lambda rng: "".join(rng.choices(parts, k=_length(rng)))


def _marked(rng: random.Random) -> str:
    """Return letters with up to three combining marks each, mostly not in normal form."""
    letters = rng.choices(_BASES, k=_length(rng) // 2)
    return "".join(letter + "".join(rng.choices(_MARKS, k=rng.randint(0, 3))) for letter in letters)


def _lines_of_code(rng: random.Random) -> str:
    return rng.choice(["\n", "\n    ", " "]).join(rng.choices(_CODE, k=rng.randint(1, 5)))


def _assigned(rng: random.Random) -> str:
    """Return characters of any kind, each general category as likely as any other."""
    categories = _characters_by_category()
    return "".join(rng.choice(rng.choice(categories)) for _ in range(_length(rng)))


@cache
def _characters_by_category() -> tuple[str, ...]:
    found: dict[str, list[str]] = {}
    for character in map(chr, range(0x110000)):
        found.setdefault(unicodedata.ucd_3_2_0.category(character), []).append(character)
    return tuple("".join(found[name]) for name in sorted(found) if name not in {"Cn", "Cs"})


_KINDS: tuple[Callable[[random.Random], str], ...] = (
    _from_prose,
    _from_passage,
    _run(*_EMOJI),
    _marked,
    _run(*_PECULIAR),
    _run(*_DIGITS),
    _run(*_PUNCTUATION),
    _run(*_SPACES),
    _lines_of_code,
    _assigned,
)


# --- Every character ------------------------------------------------------------------------------


@cache
def every_character() -> tuple[str, ...]:
    """Return all characters that this Python knows, 200 to a string, with an `a` between any two.

    Left out are those not assigned: a library's tables of Unicode may be newer than Python's.
    """
    known = [c for c in map(chr, range(sys.maxunicode + 1)) if _is_known(c)]
    starts = range(0, len(known), MAX_LENGTH)
    return tuple(["a".join(known[i : i + MAX_LENGTH]) for i in starts])


def _is_known(character: str) -> bool:
    return unicodedata.category(character) not in {"Cn", "Cs"}
