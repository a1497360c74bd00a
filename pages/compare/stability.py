"""Measure how many tokens one changed letter changes, for a chosen letter and for a sample."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean

from pages.compare.tables import html_of_columns, ranked
from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.drawing.display_text import show_spaces_keep_joiners
from pages.shared.drawing.phrasing import count_of
from tokenizers.measures.metrics import word_spans
from tokenizers.measures.stability import edit_distance, letter_positions, with_next_letter
from tokenizers.progress import ProgressCallback
from tokenizers.text.alignment import changed_part

MAX_CHARS = 2_000
"""Letters are changed only in this many characters at the start of a text."""
SAMPLE_SIZE = 40  # letters changed in turn
CONTEXT_TOKENS = 2  # tokens shown on either side of the change
MAX_TOKENS_SHOWN = 40  # tokens shown before the change, or after it
STABILITY_NOTE = (
    "**Changed**: the fewest tokens that must be put in, taken out or replaced to get from the one "
    "sequence to the other (edit distance). A single changed letter can never change less than one "
    "token, but for what is unknown before and after: who has such letters is not marked as best."
)


@dataclass(frozen=True, slots=True)
class Change:
    """The tokens of one tokenizer around a changed letter, before and after."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    changed: int


@dataclass(frozen=True, slots=True)
class SampleResult:
    """The mean and maximum of tokens changed by a letter; `untouched` letters change none."""

    name: str
    mean: float
    most: int
    untouched: int


@dataclass(frozen=True, slots=True)
class StabilityResult:
    """The effect of changing one chosen letter, and each of a sample of `letters` letters.

    `word` has the chosen letter and becomes `changed_word`; both are empty without letters.
    """

    word: str
    changed_word: str
    changes: tuple[Change, ...]
    letters: int
    samples: tuple[SampleResult, ...]


def letter_offsets(text: str) -> list[int]:
    """Return the offsets of all letters that may be changed."""
    return letter_positions(text[:MAX_CHARS], MAX_CHARS)


def first_letter(text: str) -> int:
    """Return the number, from 1, of the initial letter, in the middle of the longest word."""
    text = text[:MAX_CHARS]
    start, end = max(word_spans(text), key=lambda span: span[1] - span[0], default=(0, 0))
    offsets = letter_offsets(text)
    middle = (start + end) // 2
    return 1 + min(range(len(offsets)), key=lambda n: abs(offsets[n] - middle), default=0)


def measure_stability(
    report: ProgressCallback, text: str, tokenizers: Sequence[NamedTokenizer], letter: int
) -> StabilityResult:
    """Change letter number `letter` (from 1) alone, then each letter of a sample in turn."""
    text = text[:MAX_CHARS]
    offsets = letter_offsets(text)
    if not offsets:
        return StabilityResult("", "", (), 0, ())
    offset = offsets[min(letter, len(offsets)) - 1]
    changed = with_next_letter(text, offset)
    start, end = next(span for span in word_spans(text) if span[0] <= offset < span[1])
    sample = letter_positions(text, SAMPLE_SIZE)
    samples = []
    for n, one in enumerate(tokenizers):
        report(n * len(sample), len(tokenizers) * len(sample))
        changes = list(distances(text, one, sample))
        samples.append(
            SampleResult(one.name, mean(changes), max(changes), sum(not n for n in changes))
        )
    return StabilityResult(
        text[start:end],
        changed[start:end],
        tuple(_change(text, changed, one) for one in tokenizers),
        len(sample),
        tuple(samples),
    )


def _change(text: str, changed: str, one: NamedTokenizer) -> Change:
    before, after = one.encode(text).tokens, one.encode(changed).tokens
    here, there = changed_part(before, after)
    return Change(
        one.name,
        before[max(here.start - CONTEXT_TOKENS, 0) : here.stop + CONTEXT_TOKENS][:MAX_TOKENS_SHOWN],
        after[max(there.start - CONTEXT_TOKENS, 0) : there.stop + CONTEXT_TOKENS][
            :MAX_TOKENS_SHOWN
        ],
        edit_distance(before, after),
    )


def distances(text: str, one: NamedTokenizer, sample: Sequence[int]) -> Iterator[int]:
    """Yield for each offset in `sample` how many tokens change if its letter is replaced."""
    before = one.encode(text).tokens
    for place in sample:
        yield edit_distance(before, one.encode(with_next_letter(text, place)).tokens)


def describe_change(result: StabilityResult) -> str:
    """Return a sentence about the chosen letter; empty if the text has no letter."""
    if not result.changes:
        return ""
    least = min(result.changes, key=lambda one: one.changed)
    most = max(result.changes, key=lambda one: one.changed)
    before, after = map(show_spaces_keep_joiners, (result.word, result.changed_word))
    text = f"“{before}” becomes “{after}”"
    if least.changed == most.changed:
        return f"{text}: {count_of(least.changed, 'token')} changed in every row."
    return (
        f"{text}: {count_of(least.changed, 'token')} changed in the row of {least.name}, "
        f"{most.changed:,} in that of {most.name}."
    )


def html_samples(result: StabilityResult) -> str:
    """Return the table of the sample's results."""
    means = [
        one.mean if not one.untouched else None for one in result.samples
    ]  # [UNK] hides changes
    columns = {
        "": [one.name for one in result.samples],
        "Tokens changed, mean": ranked(means, [f"{one.mean:.2f}" for one in result.samples]),
        "at most": [f"{one.most:,}" for one in result.samples],
        "Letters that change none": [f"{one.untouched:,}" for one in result.samples],
    }
    caption = f"{result.letters:,} letters in turn, each replaced by the next of the alphabet"
    return html_of_columns(caption, columns)
