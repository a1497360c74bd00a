"""The scorecard measures seven qualities that people want in a tokenizer, each as one number.

Introductions list these qualities: coverage, compression, compositionality, stability, multilingual
fairness, reversibility and efficiency. `DEFINITIONS` defines each of them.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import mean

import regex
from markupsafe import Markup

from lessons.texts import KIND_DESCRIPTIONS, LANGUAGES, PUBLISHED, TEXTS, KindDescription
from pages.compare.stability import MAX_CHARS, SAMPLE_SIZE, distances
from pages.compare.tables import TableCell, html, html_of_columns, number, ranked, round_trip_text
from pages.shared.aligned.side_by_side import Comparison, NamedTokenizer, first_loss
from pages.shared.training.tokenizer_kinds import KINDS, decode
from tokenizers.measures.agreement import MIN_STEM_LENGTH, SUFFIXES, suffixed_words
from tokenizers.measures.metrics import measure, unknown_characters
from tokenizers.measures.stability import letter_positions
from tokenizers.progress import ProgressCallback

MAX_LOST_SHARE = 0.01  # part of a passage; if more is lost, the number of its tokens says nothing
RUNS = 3  # the quickest one counts
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
DEFINITIONS = (
    "**Coverage**: the share of the characters that do not become [UNK]. **Compression**: "
    "characters per token. **Compositionality**: of all cuts inside words of the form stem + "
    "ending, the share that stands between the two; the words are those of this text and of “The "
    f"tide table” whose stem, of {MIN_STEM_LENGTH} letters or more, is a word there, too, and "
    f"whose ending is one of {', '.join(SUFFIXES)} (so “forest” counts as for + est where there is "
    "a “for”). **Stability**: tokens changed by one changed letter, the mean of up to "
    f"{SAMPLE_SIZE} letters of the first {MAX_CHARS:,} characters. **Fairness**: one passage in "
    f"{len(LANGUAGES)} languages, its tokens in the most expensive one divided by those in the "
    f"cheapest; those that lose more than {MAX_LOST_SHARE:.0%} of their characters to [UNK] are "
    "left out, which flatters who gives up early. **Reversibility**: do the decoded ids give the "
    "exact text? **Efficiency**: millionths of a second for each character to encode and decode "
    f"this text, the quickest of {RUNS} runs of this program, which is written to be read: "
    "compare, but do not quote. The best of a column is marked, but for compression and stability "
    "not one that has unknowns."
)


@dataclass(frozen=True, slots=True)
class SuffixCuts:
    """How many words of stem and ending there are, cuts inside them, and cuts at the ending."""

    words: int
    cuts: int
    at_suffix: int

    @property
    def share(self) -> float | None:
        """The fraction of the cuts that lie between stem and ending; None without a cut."""
        return self.at_suffix / self.cuts if self.cuts else None


@dataclass(frozen=True, slots=True)
class ScorecardRow:
    """The scores of one tokenizer; `unfairness` is None if fewer than two languages count."""

    name: str
    kind: str
    coverage: float | None
    compression: float | None
    suffix_cuts: SuffixCuts
    stability: float | None
    unfairness: float | None
    languages: int
    first_loss: int
    microseconds: float | None


def score_all(
    report: ProgressCallback, text: str, tokenizers: Sequence[NamedTokenizer]
) -> tuple[ScorecardRow, ...]:
    """Measure every tokenizer by every criterion."""
    words = suffixed_words(_LETTERS.findall(f"{text}\n{TEXTS['prose'].text}"))
    rows = []
    for n, one in enumerate(tokenizers):
        report(n, len(tokenizers))
        rows.append(_score(text, one, words))
    return tuple(rows)


def _score(text: str, one: NamedTokenizer, words: dict[str, int]) -> ScorecardRow:
    encoding = one.encode(text)
    metrics = measure(text, encoding, one.num_pieces)
    short = text[:MAX_CHARS]
    changes = list(distances(short, one, letter_positions(short, SAMPLE_SIZE)))
    unfairness, languages = fairness(one)
    return ScorecardRow(
        name=one.name,
        kind=one.kind,
        coverage=None if metrics.lost_rate is None else 1 - metrics.lost_rate,
        compression=metrics.characters_per_token,
        suffix_cuts=count_suffix_cuts(one, words),
        stability=mean(changes) if changes else None,
        unfairness=unfairness,
        languages=languages,
        first_loss=first_loss(text, decode(encoding, one.model)),
        microseconds=_microseconds(text, one) if text else None,
    )


def count_suffix_cuts(one: NamedTokenizer, words: dict[str, int]) -> SuffixCuts:
    """Count cuts inside `words`, which map to stem lengths and are encoded as one text."""
    text = " ".join(words)
    starts = list(accumulate((len(word) + 1 for word in words), initial=0))
    inside = {
        p for s, word in zip(starts, words, strict=False) for p in range(s + 1, s + len(word))
    }
    offsets = one.encode(text).offsets
    cuts = {place for span in offsets if span[0] < span[1] for place in span} & inside
    ends = {start + stem for start, stem in zip(starts, words.values(), strict=False)}
    return SuffixCuts(len(words), len(cuts), len(cuts & ends))


def fairness(one: NamedTokenizer) -> tuple[float | None, int]:
    """Return the ratio of any language's most to fewest tokens, and how many languages count."""
    tokens = []
    for passage in LANGUAGES:
        found = one.encode(passage.text)
        if len(unknown_characters(found)) <= MAX_LOST_SHARE * len(passage.text):
            tokens.append(len(found.tokens))
    return (max(tokens) / min(tokens) if len(tokens) > 1 else None), len(tokens)


def _microseconds(text: str, one: NamedTokenizer) -> float:
    """Return the microseconds to encode and decode a text, per character."""
    times = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        decode(one.encode(text), one.model)
        times.append(time.perf_counter() - begin)
    return 1e6 * min(times) / len(text)


# --- As HTML --------------------------------------------------------------------------------------


def html_scorecard(rows: Sequence[ScorecardRow]) -> Markup:
    """Return the table: a row for each tokenizer, a column for each criterion."""
    coverage = [row.coverage for row in rows]
    shares = [row.suffix_cuts.share for row in rows]
    times = [row.microseconds for row in rows]
    columns = {
        "": [row.name for row in rows],
        "Coverage": ranked(coverage, [number(one, ".1%") for one in coverage], largest=True),
        "Compression": ranked(
            [row.compression if row.coverage == 1 else None for row in rows],
            [number(row.compression, ".2f") for row in rows],
            largest=True,
        ),
        "Compositionality": ranked(
            shares, [_suffix_cuts_text(row.suffix_cuts) for row in rows], largest=True
        ),
        "Stability": ranked(
            [row.stability if row.coverage == 1 else None for row in rows],
            [number(row.stability, ".2f") for row in rows],
        ),
        "Fairness": [_fairness_cell(row) for row in rows],
        "Reversibility": [round_trip_text(row.first_loss) for row in rows],
        "Efficiency, µs": ranked(times, [number(one, ".2f") for one in times]),
    }
    return html_of_columns("Scorecard: what people want, measured", columns)


def _suffix_cuts_text(found: SuffixCuts) -> str:
    if not found.words:
        return "no such words"
    return "no cuts" if found.share is None else f"{found.at_suffix:,} of {found.cuts:,} cuts"


def _fairness_cell(row: ScorecardRow) -> TableCell:
    below = f"{row.languages} of {len(LANGUAGES)} languages"
    return TableCell("–" if row.unfairness is None else f"{row.unfairness:.1f} times", below=below)


# --- Published models -----------------------------------------------------------------------------


def html_published(comparison: Comparison) -> Markup:
    """Return the table of common claims about models, with the nearest tokenizers on the page."""
    heads = ["Models", "What introductions say", "What is true", "Nearest here, on this text"]
    rows = [[row.models, row.claim, row.so, _nearest(comparison, row.kinds)] for row in PUBLISHED]
    return html("Which models use which tokenizer", heads, rows, left=len(heads))


def _nearest(comparison: Comparison, kinds: Sequence[str]) -> str:
    found = (
        f"{row.name}: {row.metrics.tokens:,} tokens, "
        f"{row.metrics.characters_per_token or 0:.2f} characters per token, "
        f"{row.metrics.unknown:,} unknown, comes back: {round_trip_text(row.first_loss)}"
        for row in comparison.figures
        if row.kind in kinds
    )
    return "; ".join(found) or _not_shown(kinds)


def _not_shown(kinds: Sequence[str]) -> str:
    return f"not shown: add {' or '.join(KINDS[kind].name for kind in kinds)}"


def html_kind_claims(rows: Sequence[ScorecardRow], comparison: Comparison) -> Markup:
    """Return the table of claims for and against each kind of tokenizer, with measurements."""
    heads = ["Kind", "Said in its favor", "Said against it", "Measured here, on this text"]
    body = [
        [kind.name, kind.pros, kind.cons, _measured(rows, comparison, kind)]
        for kind in KIND_DESCRIPTIONS
    ]
    return html("What introductions say of each kind", heads, body, left=len(heads))


def _measured(rows: Sequence[ScorecardRow], comparison: Comparison, claim: KindDescription) -> str:
    found = []
    for row, figures in zip(rows, comparison.figures, strict=True):
        if row.kind in claim.kinds:
            metrics, change = figures.metrics, row.stability
            changed = "" if change is None else f", {change:.1f} change with one letter"
            found.append(
                f"{row.name}: {metrics.vocabulary:,} pieces, {metrics.tokens:,} tokens, "
                f"{metrics.unknown:,} unknown{changed}"
            )
    return "; ".join(found) or _not_shown(claim.kinds)
