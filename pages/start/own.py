"""The segmentations of one text by tokenizers trained on the spot, for the start page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import streamlit as st

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, UNIGRAM_LOSS, usual_unigram
from pages.compare import chosen_set
from pages.shared.controls import address
from pages.shared.controls.settings import default_settings, default_wordpiece
from pages.shared.corpus.corpus_line import OWN, suited
from pages.shared.drawing.phrases import count_of, ways
from pages.shared.learning.kinds import KINDS
from pages.shared.learning.source import Source
from pages.shared.limits import LONGEST_SHOWN, LONGEST_TEXT, MOST_MERGES
from pages.shared.places import file_of
from pages.shared.work import results
from pages.start.short import Asked, Short, cut
from tokenizers.text.corpus import Pipeline

WHY = {
    True: "Learned and shown on the same text: nothing can be unknown. Choose another text to see "
    "how these pieces fare on words they have never met.",
    False: "What the other text does not have becomes [UNK], or falls into small pieces.",
}
TRAIN, ENCODE = file_of("bpe_train"), file_of("bpe_encode")
WORDPIECE_TRAIN, WORDPIECE_ENCODE = file_of("wordpiece_train"), file_of("wordpiece_encode")
LATTICE, COMPARE = file_of("unigram_lattice"), file_of("compare")
PATIENCE = 1.5  # seconds until progress is shown in place of the rows


@dataclass(frozen=True, slots=True)
class Row:
    """One way of cutting the text: its tokens, its figures in words, and the page that steps it."""

    name: str
    short: Short
    figures: str
    page: str
    query: dict[str, str]
    invitation: str
    note: str = ""


def of(text: str, learned: str) -> list[Row]:
    """Return the segmentations of `text` by tokenizers that learned from it, or from a sample."""
    if len(text) > LONGEST_SHOWN:
        st.info(
            f"The text has {len(text):,} characters; the first {LONGEST_SHOWN:,} are split here. "
            f"BPE learns from up to {LONGEST_TEXT:,}."
        )
    words, characters, bpe, wordpiece, unigram = _cut(text, learned)
    for note in bpe.notes:
        st.info(note)
    return [
        _words(words, text, learned),
        _row("Characters", characters, text, learned, {}, "See BPE start from characters →"),
        _bpe(bpe, text, learned),
        _wordpiece(wordpiece, text, learned),
        _unigram(unigram, text, learned),
    ]


def compare_query(text: str, learned: str, rows: Sequence[Row]) -> dict[str, str]:
    """Return the address parameters under which these tokenizers are set side by side."""
    if learned == LEARNED_FROM:
        return {"with": chosen_set.write(chosen_set.FIRST), **_own(text)}
    kinds = ("words", "characters", _kind_of_bpe(learned), "wordpiece", "unigram")
    low, high = chosen_set.SMALLEST, chosen_set.LARGEST
    reached = [row.short.metrics.vocabulary for row in rows[:-1]]
    wanted = int(suited(learned)["size"])  # Unigram ends elsewhere where another size is asked for
    sizes = [min(max(size, low), high) for size in (*reached, wanted)]
    entries = [
        chosen_set.Entry(kind, learned, size) for kind, size in zip(kinds, sizes, strict=True)
    ]
    return {"with": chosen_set.write(entries), **_own(text)}


def _cut(text: str, learned: str) -> list[Short]:
    """Have the text cut in two workers: by Unigram, which takes longest, and by the others."""
    fits = suited(learned)
    source = Source(text=text if learned == OWN else TEXTS[learned].text or "")
    merges = Asked(default_settings(fits)[1], _split_of(_kind_of_bpe(learned)))
    scores = Asked(default_wordpiece(fits)[1], _split_of("wordpiece"))
    pruning = Asked(usual_unigram(int(fits["size"])), _split_of("unigram"))
    shares = (pruning,), (Asked("words"), Asked("characters"), merges, scores)
    shown = text[:LONGEST_SHOWN]
    calls = [
        (results.key_of("cut", source, shown, share), cut, source, shown, share) for share in shares
    ]
    last, first = results.results_of(calls, "Training the tokenizers …", PATIENCE)
    return list(chain(first, last))


def _kind_of_bpe(learned: str) -> str:
    """Return which of `KINDS` is BPE in the form that suits what is learned from."""
    return "bytes" if suited(learned)["base"] == "bytes" else "bpe"


def _split_of(kind: str) -> Pipeline:
    return Pipeline((), KINDS[kind].split)


def _words(short: Short, text: str, learned: str) -> Row:
    # BPE without a merge has characters; merged to the end it has words.
    query = {"merges": str(MOST_MERGES), "split": "spaces", "step": str(MOST_MERGES)}
    return _row("Words", short, text, learned, query, "See BPE grow up to words →")


def _bpe(short: Short, text: str, learned: str) -> Row:
    name = f"BPE, {count_of(short.steps, 'merge')}"
    row = _row(name, short, text, learned, {}, "Step through BPE →")
    settings = default_settings(suited(learned))[1]
    note = f"`{settings.end_mark}` marks the end of a word." if "end" in settings.base else ""
    return replace(_elsewhere(row, ENCODE, text, learned), note=note)


def _wordpiece(short: Short, text: str, learned: str) -> Row:
    name = f"WordPiece, {count_of(short.steps, 'merge')}"
    query = {"split": KINDS["wordpiece"].split}
    invitation = "Step through WordPiece →"
    row = _row(name, short, text, learned, query, invitation, WORDPIECE_TRAIN)
    mark = default_wordpiece(suited(learned))[1].mark
    note = f"`{mark}` marks what does not begin a word."
    return replace(_elsewhere(row, WORDPIECE_ENCODE, text, learned, query), note=note)


def _unigram(short: Short, text: str, learned: str) -> Row:
    query = {
        "pieces_from": "learned",
        "seeds": short.seed,
        "loss": UNIGRAM_LOSS,
        "cut_at": KINDS["unigram"].split,
        "say": text[: address.LONGEST_TEXT],
    }
    row = _row("Unigram", short, text, learned, query, "Step through the lattice →", LATTICE)
    return replace(row, note=unigram_note(short))


def unigram_note(short: Short) -> str:
    """Say of how many ways to cut a text this is the best."""
    which = "The only way" if short.ways == ways(1) else f"The most probable of {short.ways}"
    return f"{which} to cut it by these pieces. `▁` is a space."


def _elsewhere(
    row: Row, page: str, text: str, learned: str, more: Mapping[str, str] | None = None
) -> Row:
    """Return the row leading to a page that encodes, if the pieces come from another text."""
    if learned == OWN:
        return row
    query = {"corpus": learned, "say": text[: address.LONGEST_TEXT], **(more or {})}
    return replace(row, page=page, query=query)


def _row(
    name: str,
    short: Short,
    text: str,
    learned: str,
    query: dict[str, str],
    invitation: str,
    page: str = TRAIN,
) -> Row:
    """Return a row that leads to a page that learns, from what the row learned from."""
    query = {"corpus": learned, **(_own(text) if learned == OWN else {}), **query}
    return row_of(name, short, page, query, invitation)


def row_of(name: str, short: Short, page: str, query: dict[str, str], invitation: str) -> Row:
    """Return a row with its figures in words."""
    return Row(name, short, _figures(short), page, query, invitation)


def _own(text: str) -> dict[str, str]:
    """Return the text as the address has it; one that is too long is in the visitor's browser."""
    return {"text": text} if len(text) <= address.LONGEST_TEXT else {}


def _figures(short: Short) -> str:
    metrics = short.metrics
    figures = [
        count_of(metrics.tokens, "token"),
        f"{metrics.characters_per_token or 0:.1f} characters per token",
        f"{count_of(metrics.vocabulary, 'piece')} in the vocabulary",
    ]
    if metrics.unknown:
        figures.append(f"**{metrics.unknown:,} unknown**")
    if short.white:
        lost = count_of(short.white, "character")
        figures.append(f"**{lost} of white space lost**, though counted as characters")
    return " · ".join(figures)
