"""Present a study of languages in rows, sentences, tiles and tables.

The numbers come from `study.py`. All shares of the mix are rendered at once, for the slider in the
browser.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from lessons.texts.parallel import TRAINING_CHARS, byte_premium, halves
from pages.languages.study import (
    MEASURES,
    OTHERS,
    OWN,
    PARITY,
    PASSAGES,
    SHARES,
    MixRequest,
    MixResult,
    SplitSentences,
    Study,
    burden,
    cost,
    ratio,
)
from pages.shared.drawing.display_text import plain_table, show_spaces, tint
from pages.shared.drawing.markup import Cell, table
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.tokenizer_kinds import KINDS
from tokenizers.runtime.spelling import display_bytes
from tokenizers.text.symbols import BYTE_OF_GLYPH

MIN_UNKNOWN_SHOWN = 0.01  # smallest share of unknown characters that is shown
MAX_UNKNOWN_SHARE = 0.2  # share of unknown characters that makes token counts meaningless

NAMES = {OTHERS: "the others", OWN: "Your language"}
"""The names of what isn't one of the passages."""

TileLook = tuple[str, int, str]
"""A tile's text, its tint, and its kind: "" for a piece, "part" of a character, or "unknown"."""


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """A language's values at all shares of the mix (None for no value), and unknown fractions."""

    code: str
    values: tuple[float | None, ...]
    unknown: tuple[float, ...]

    def written(self, measure: str) -> list[str]:
        """Return the formatted values."""
        return ["no spaces" if v is None else number(v, measure) for v in self.values]


def name_of(code: str) -> str:
    """Return a language's name in English; "the others" for `OTHERS`."""
    return NAMES.get(code) or PASSAGES[code].name


def mix_name(request: MixRequest, share: int) -> str:
    """Return the mix in words.

    >>> mix_name(MixRequest("bytes", 60), 10)
    '90% English, 10% Hindi'
    """
    return f"{100 - share}% {name_of(request.first)}, {share}% {name_of(request.second)}"


# --- Rows -----------------------------------------------------------------------------------------


def rows_of(study: Study, measure: str) -> dict[str, LanguageRow]:
    """Return the rows of all languages by code."""
    return {code: _row(study, code, measure) for code in PASSAGES}


def groups(study: Study, measure: str) -> list[tuple[str, list[LanguageRow]]]:
    """Return the languages in groups: first the languages of the mix, then the rest by script.

    Rows and groups are sorted by their mean over all shares, the cheapest first, so that no row
    moves when the mix changes.
    """
    rows = rows_of(study, measure)
    learned = study.request.languages
    by_script: dict[str, list[LanguageRow]] = {}
    for row in sorted(rows.values(), key=_mean):
        if row.code not in learned:
            by_script.setdefault(PASSAGES[row.code].script, []).append(row)
    mixed = "Learned from" if len(learned) > 1 else "First", [rows[code] for code in learned]
    return [mixed, *by_script.items()]


def _row(study: Study, code: str, measure: str) -> LanguageRow:
    values = tuple([cost(trained, code, measure) for trained in study.mixes])
    lost = tuple([trained.cuts[code].unknown_share for trained in study.mixes])
    return LanguageRow(code, values, lost)


def _mean(row: LanguageRow) -> float:
    known = [value for value in row.values if value is not None]
    return sum(known) / len(known) if known else float("inf")


def number(value: float, measure: str) -> str:
    """Return a formatted value.

    >>> number(1200.0, "tokens"), number(1.5, "words")
    ('1,200', '1.50')
    """
    return f"{value:,.0f}" if measure == "tokens" else f"{value:.2f}"


# --- Sentences ------------------------------------------------------------------------------------


def describe_share(study: Study, at: int) -> str:
    """Describe the result at a share of the mix, compared with half and half."""
    request, here = study.request, study.mixes[at]
    sentence = f"{mix_name(request, SHARES[at])}: {_comparison(request, here)}"
    half = SHARES.index(50)
    if at != half and _is_comparable(request, here) and _is_comparable(request, study.mixes[half]):
        sentence += f" Half and half, it is {ratio(study.mixes[half], request):.2f} times."
    return sentence


def _comparison(request: MixRequest, trained: MixResult) -> str:
    first, second = name_of(request.first), name_of(request.second)
    if not _is_comparable(request, trained):
        code, lost = max(
            ((code, trained.cuts[code].unknown_share) for code in (request.first, *request.others)),
            key=lambda item: item[1],
        )
        return (
            f"{lost:.0%} of the characters in {name_of(code)} are unknown, so its "
            f"{count_of(trained.tokens(code), 'token')} cannot be compared."
        )
    if request.second == OTHERS:
        times = f"{ratio(trained, request):.2f} times"
        return f"{second} need {times} as many tokens as {first} on average."
    return (
        f"{second} needs {ratio(trained, request):.2f} times as many tokens as {first} "
        f"({trained.tokens(request.second):,} for {trained.tokens(request.first):,})."
    )


def _is_comparable(request: MixRequest, trained: MixResult) -> bool:
    return all(
        trained.cuts[code].unknown_share < MAX_UNKNOWN_SHARE
        for code in (request.first, *request.others)
    )


# --- Two rules side by side -----------------------------------------------------------------------

CHOOSERS = {"": "The most frequent pair", PARITY: "The language worst off"}
"""Who chooses the pair to merge, by `MixRequest.rule`."""
NOT_BPE = (
    "Who chooses the pair is a question for BPE: choose it to let the language worst off choose."
)


def describe_rules(study: Study, usual: Study, at: int) -> str:
    """Describe what a mix costs where the language worst off chooses, and by the usual rule."""
    request, here, before = study.request, study.mixes[at], usual.mixes[at]
    mix = mix_name(request, SHARES[at])
    if not (_is_comparable(request, here) and _is_comparable(request, before)):
        return f"{mix}: {_comparison(request, here)}"
    if request.second == OTHERS:
        now, then = burden(here, request), burden(before, request)
        return (
            f"{mix}: if the language worst off chooses, no language pays more than "
            f"{now.costs[now.worst]:,} tokens ({name_of(now.worst)}), "
            f"not {then.costs[then.worst]:,} ({name_of(then.worst)})."
        )
    first, second = request.languages
    return (
        f"{mix}: if the language worst off chooses, {name_of(second)} pays "
        f"{here.tokens(second):,} tokens, not {before.tokens(second):,}, and {name_of(first)} "
        f"{here.tokens(first):,}, not {before.tokens(first):,}."
    )


def burden_rows(study: Study, usual: Study, at: int) -> list[tuple[str, str, str]]:
    """Return what the languages of the mix pay together, under the rule and by frequency."""
    request = study.request
    now, then = burden(study.mixes[at], request), burden(usual.mixes[at], request)
    most, most_before = (f"{name_of(one.worst)} {one.costs[one.worst]:,}" for one in (now, then))
    return [
        ("Mean", f"{now.mean:,.0f}", f"{then.mean:,.0f}"),
        ("Pays most", most, most_before),
        ("Gini coefficient", f"{now.gini:.3f}", f"{then.gini:.3f}"),
    ]


def piece_text(piece: str, kind: str) -> str:
    """Return a piece as text; bytes that form no whole characters as numbers."""
    if kind != "bytes":
        return show_spaces(piece)
    raw = bytes(BYTE_OF_GLYPH[glyph] for glyph in piece)
    return show_spaces(display_bytes(raw))


def byte_premium_table(trained: MixResult) -> Markup:
    """Return an HTML table of the bytes and the tokens that each language needs."""
    ranked = sorted(PASSAGES.values(), key=byte_premium)
    columns = (
        *("language", "script", "characters", "bytes"),
        *("for each English byte", "published", "tokens for each English token"),
    )
    rows: list[list[str | int]] = [
        [
            passage.name,
            passage.script,
            f"{len(passage.text):,}",
            f"{len(passage.text.encode()):,}",
            f"{byte_premium(passage):.2f}",
            f"{passage.byte_premium:.2f}",
            value(trained, passage.code, "premium"),
        ]
        for passage in ranked
    ]
    return plain_table("The whole passage in UTF-8; tokens of its unseen sentences", columns, rows)


def byte_premium_finding() -> str:
    """Name the language that needs the most bytes for the passage, and the one that needs least."""
    ranked = sorted(PASSAGES.values(), key=byte_premium)
    least, most = ranked[0], ranked[-1]
    return (
        f"{most.name} needs {byte_premium(most):.2f} bytes for each English byte of the same "
        f"passage, {least.name} {byte_premium(least):.2f}"
    )


# --- One rule -------------------------------------------------------------------------------------


def finding(study: Study) -> str:
    """Describe how both languages' token counts change from one end of the mix to the other."""
    request = study.request
    low, high = study.mixes[1], study.mixes[-2]
    parts = []
    for code in request.languages:
        before, after = low.tokens(code), high.tokens(code)
        parts.append(f"{name_of(code)} goes from {before:,} to {after:,} tokens")
    return f"From {SHARES[1]} to {SHARES[-2]}% {name_of(request.second)}, {' and '.join(parts)}."


def describe_piece_use(request: MixRequest, trained: MixResult) -> str:
    """Describe how many pieces are learned; the bar above shows which languages use them."""
    learned = trained.pieces - trained.alphabet
    unit = "bytes" if request.kind == "bytes" else "characters"
    return f"{trained.pieces:,} pieces: {trained.alphabet:,} single {unit} and {learned:,} learned."


# --- Tiles ----------------------------------------------------------------------------------------


def tiles(sentences: SplitSentences, kind: str) -> list[TileLook]:
    """Return the tokens as tiles; bytes that form no whole character are shown as numbers."""
    rows = enumerate(zip(sentences.tokens, sentences.originals, strict=True))
    return [_tile(token, raw, n in sentences.unknown, kind) for n, (token, raw) in rows]


def _tile(token: str, raw: str, is_unknown: bool, kind: str) -> TileLook:
    if is_unknown:
        return show_spaces(raw), tint(token), "unknown"
    if kind == "bytes" and not raw:
        part = bytes(BYTE_OF_GLYPH[glyph] for glyph in token)
        return show_spaces(display_bytes(part)), tint(token), "part"
    return show_spaces(raw if kind == "bytes" else token), tint(token), ""


def legend(kind: str) -> str:
    """Return what the marks on the tiles of a kind of tokenizer mean."""
    if kind == "bytes":
        return "· is a space. Dotted, in ⟨⟩: a part of a character, by its bytes in hexadecimal."
    return f"{KINDS[kind].mark}. Dashed: no piece of the vocabulary, shown as it was written."


def caveats(request: MixRequest) -> str:
    """Return sentences on how the numbers come about, and on their limits."""
    text = (
        "One passage, in every language. The tokenizers learn from its first four sentences, "
        f"repeated or cut until the training text has {TRAINING_CHARS:,} characters in the shares "
        "of the slider; measured are the other sentences, which they have not seen. A word is "
        "what stands between spaces, punctuation included. Rows are sorted by their mean over all "
        f"{len(SHARES)} mixes."
    )
    if request.rule:
        text += (
            " Worst off is the language that has the most tokens, so far, for the four sentences "
            "it learns from, which say the same in all languages; of its pairs, the most frequent "
            "one is merged. A language without pairs leaves its turn to the next. This is "
            "parity-aware BPE (Foroutan and others, 2025)."
        )
    if splits_at_vowel_signs(request):
        text += (
            " GPT-2’s pattern doesn’t take most vowel signs of Hindi, Bengali, Tamil and Thai for "
            "letters, so it cuts words there."
        )
    return text


def splits_at_vowel_signs(request: MixRequest) -> bool:
    """Return whether the pre-tokenizer splits words at their vowel signs."""
    return request.kind == "bytes" and not request.split


# --- Panels ------------------------------------------------------------------------------


def three_texts_finding(study: Study) -> str:
    """Name the language that costs most after training on English alone, and its cost after all.

    If training on English alone leaves some languages mostly unknown, return how many.
    """
    strange = _num_strange(study.english)
    if strange:
        return (
            f"Trained on English alone, {strange} of {len(PASSAGES)} languages are more than "
            f"{MAX_UNKNOWN_SHARE:.0%} unknown; trained on all languages, "
            f"{_num_strange(study.everything)}"
        )
    dearest = max(PASSAGES, key=study.english.tokens)
    alone = cost(study.english, dearest, "premium") or 0.0
    shared = cost(study.everything, dearest, "premium") or 0.0
    return (
        f"Trained on English alone, {name_of(dearest)} pays most: {alone:.2f} tokens for each "
        f"one of English; trained on all languages, {shared:.2f}"
    )


def _num_strange(trained: MixResult) -> int:
    return sum(cut.unknown_share >= MAX_UNKNOWN_SHARE for cut in trained.cuts.values())


def all_kinds_table(studies: Mapping[str, Study], at: int, measure: str) -> Markup:
    """Return an HTML table of every language's cost under every kind of tokenizer, at a share."""
    study = next(iter(studies.values()))
    rows: list[list[str | int]] = []
    for _, members in groups(study, measure):
        for row in members:
            values = [value(one.mixes[at], row.code, measure) for one in studies.values()]
            rows.append([name_of(row.code), PASSAGES[row.code].script, *values])
    names = [KINDS[kind].name for kind in studies]
    caption = f"{MEASURES[measure]}, trained on {mix_name(study.request, SHARES[at])}"
    return plain_table(caption, ["language", "script", *names], rows)


def value(trained: MixResult, code: str, measure: str) -> str:
    """Return a language's formatted cost, with its fraction of unknown characters."""
    price, lost = cost(trained, code, measure), trained.cuts[code].unknown_share
    shown = "–" if price is None else number(price, measure)
    return f"{shown} ({lost:.0%} unknown)" if lost >= MIN_UNKNOWN_SHOWN else shown


def sentences_html(codes: Sequence[str]) -> Markup:
    """Return HTML of the training sentences and the measured ones."""
    caption = "The sentences, cut at the same place in every language"
    columns = ("", "Learned from", "Measured")
    return table(columns, map(_sentences_row, codes), caption, kind="pp-halves")


def _sentences_row(code: str) -> list[object]:
    passage = PASSAGES[code]
    parts, attributes = halves(passage), f' lang="{code}" dir="{passage.direction}"'
    return [passage.name, Cell(parts.training, attributes), Cell(parts.unseen, attributes)]
