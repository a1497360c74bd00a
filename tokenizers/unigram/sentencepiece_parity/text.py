"""The preprocessing of SentencePiece's trainer.

Lines are normalized one by one. Characters that are too rare for the vocabulary become `▅`, as do
the names of reserved pieces. A word begins at every `▁`. A piece must not extend beyond a word or
contain two scripts. The normalizers `nmt_nfkc` and `sentencepiece_spaces` are in
`tokenizers/text/normalizers.py`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tokenizers.text import unicode_versions
from tokenizers.text.corpus import Corpus
from tokenizers.text.normalizers import normalize
from tokenizers.unigram.array_trie import code_points

MARK = "▁"
UNKNOWN = "▅"
_LINE_END = "\n"
_RESERVED = "\t"  # replaces the name of a reserved piece
LONGEST_LINE = 4192
"""The maximum length of a line in UTF-8 bytes; longer lines are skipped."""

ANY_SCRIPT, COMMON, INHERITED = -1, 0, 1
_HAN = 2
_KATAKANA_MARK = "ー"  # counts as Common elsewhere
_NUMBERS = {
    name: n
    for n, name in enumerate(
        dict.fromkeys(("Common", "Inherited", "Han", *unicode_versions.SCRIPTS))
    )
}
"""The number of each script of the Unicode version that SentencePiece uses."""

_OWN_NORMALIZERS = frozenset(("nmt_nfkc", "sentencepiece_spaces"))
_WORD = re.compile(f"{MARK}[^{MARK}]*|[^{MARK}]+")


@dataclass(frozen=True, slots=True)
class TrainingText:
    """A preprocessed training text.

    `lines` contains the lines in which seeds are sought, each as a list of words, and `line_counts`
    their counts. `word_counts` contains all words with their counts, `required` the characters that
    the vocabulary must contain, and `left_out` the other characters, each with the most frequent
    first. With `from_counts`, the lines come from a table of words and counts.
    """

    lines: tuple[list[str], ...]
    line_counts: tuple[int, ...]
    word_counts: Mapping[str, int]
    required: Mapping[str, int]
    left_out: Mapping[str, int]
    from_counts: bool = False


def load(corpus: Corpus, coverage: float, reserved: Iterable[str]) -> TrainingText:
    """Preprocess a corpus as SentencePiece does; one made from counts has one word per line."""
    if corpus.text is None:
        rows = list(corpus.word_counts.items())
    else:
        rows = [(line, 1) for line in corpus.text.split("\n")]
    names = corpus.pipeline.normalizers
    rows = [(normalized(line, names), count) for line, count in rows if _is_used(line)]
    rows = _without_empty(rows)
    if reserved:
        meta = re.compile("|".join(sorted(map(re.escape, reserved), key=len, reverse=True)))
        rows = [(meta.sub(_RESERVED, line), count) for line, count in rows]
    return _with_alphabet(rows, coverage, corpus.text is None, never=_RESERVED)


def from_words(corpus: Corpus, coverage: float) -> TrainingText:
    """Use the words of a corpus unchanged, except that rare characters are replaced."""
    words: dict[str, int] = dict(corpus.word_counts)
    training_text = _with_alphabet(list(words.items()), coverage, from_counts=True)
    if training_text.left_out:
        words = {}
        for line, count in zip(
            map("".join, training_text.lines), training_text.line_counts, strict=True
        ):
            words[line] = words.get(line, 0) + count
    return TrainingText(
        (), (), words, training_text.required, training_text.left_out, from_counts=True
    )


def _is_used(line: str) -> bool:
    is_short = len(line) <= LONGEST_LINE // 4 or len(line.encode()) <= LONGEST_LINE
    return bool(line) and is_short and UNKNOWN not in line


def normalized(line: str, names: Iterable[str]) -> str:
    """Return a line normalized, with `▁` for spaces and another `▁` before the text.

    >>> normalized(" Deep  learning", ["sentencepiece_spaces"])
    '▁Deep▁learning'
    """
    if line.isascii() and line.isprintable() and _OWN_NORMALIZERS.issuperset(names):
        text = " ".join(line.split()) if "sentencepiece_spaces" in names else line  # quicker
    else:
        text = normalize(line, names).text
    return MARK + text.replace(" ", MARK) if text else ""


def _without_empty(rows: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Replace each row that has an empty line by the last row, as the trainer does."""
    rows, place = list(rows), 0
    while place < len(rows):
        if rows[place][0]:
            place += 1
        else:
            rows[place] = rows[-1]
            rows.pop()
    return rows


def _with_alphabet(
    rows: list[tuple[str, int]], coverage: float, from_counts: bool, never: str = ""
) -> TrainingText:
    """Determine the required characters; replace all others, and always `never`, by `▅`."""
    lines, line_counts = [line for line, _ in rows], [count for _, count in rows]
    counts = _count_characters(lines, line_counts)
    total, covered = counts.total(), 0
    required: dict[str, int] = {}
    left_out: dict[str, int] = {}
    for char, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
        is_needed = np.float32(covered / total) < coverage
        (required if is_needed and char != never else left_out)[char] = count
        covered += count
    if left_out:
        rare = re.compile("[" + "".join(map(re.escape, left_out)) + "]")
        rest = rare.sub(UNKNOWN, _LINE_END.join(lines)).split(_LINE_END)  # quicker than one by one
        lines = rest if len(rest) == len(lines) else [rare.sub(UNKNOWN, line) for line in lines]
    words = tuple(map(_WORD.findall, lines))
    times = count_strings(words, line_counts)
    ordered = sorted(sorted(times), key=times.__getitem__, reverse=True)  # ties stay alphabetical
    word_counts = {word: times[word] for word in ordered}
    return TrainingText(words, tuple(line_counts), word_counts, required, left_out, from_counts)


def _count_characters(lines: Sequence[str], times: Sequence[int]) -> Counter[str]:
    """Count the characters of all lines, weighted by `times`."""
    if not set(times) <= {1}:
        return count_strings(lines, times)
    counts = np.bincount(code_points("".join(lines)))
    present = np.flatnonzero(counts)
    return Counter(dict(zip(map(chr, present.tolist()), counts[present].tolist(), strict=True)))


def count_strings(many: Sequence[Sequence[str]], times: Sequence[int]) -> Counter[str]:
    """Count the strings in all of `many`, weighted by `times`."""
    if set(times) <= {1}:
        return Counter(chain.from_iterable(many))
    counts: Counter[str] = Counter()
    for strings, count in zip(many, times, strict=True):
        for string in strings:
            counts[string] += count
    return counts


def script_of(char: str) -> int:
    """Return the number of a character's script; kana count as Han."""
    name = unicode_versions.script_of(char) or "Common"
    is_kana = name in ("Hiragana", "Katakana") or char == _KATAKANA_MARK
    return _HAN if is_kana else _NUMBERS[name]
