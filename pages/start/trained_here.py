"""The segmentations of one text by tokenizers trained on the spot, for the start page."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, UNIGRAM_LOSS, usual_unigram
from pages.compare import selection
from pages.shared.controls.settings import default_settings, default_wordpiece
from pages.shared.corpus.corpus_picker import OWN, suited
from pages.shared.drawing.phrasing import count_of, ways
from pages.shared.limits import LONGEST_SHOWN, LONGEST_TEXT, MOST_IN_ADDRESS, MOST_MERGES
from pages.shared.routes import file_of
from pages.shared.training.source import Source
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.work import results
from pages.start.quick_compare import Asked, Short, cut
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
    """One way of cutting the text, its tokens, and the page that steps through it."""

    name: str
    short: Short
    page: str
    query: dict[str, str]
    invitation: str
    note: str = ""

    @property
    def figures(self) -> str:
        """Its figures in words."""
        metrics = self.short.metrics
        figures = [
            count_of(metrics.tokens, "token"),
            f"{metrics.characters_per_token or 0:.1f} characters per token",
            f"{count_of(metrics.vocabulary, 'piece')} in the vocabulary",
        ]
        if metrics.unknown:
            figures.append(f"**{metrics.unknown:,} unknown**")
        if self.short.white:
            lost = count_of(self.short.white, "character")
            figures.append(f"**{lost} of white space lost**, though counted as characters")
        return " · ".join(figures)


def of(text: str, learned: str) -> list[Row]:
    """Return the segmentations of `text` by tokenizers that learned from it, or from a sample."""
    if len(text) > LONGEST_SHOWN:
        st.info(
            f"The text has {len(text):,} characters; the first {LONGEST_SHOWN:,} are split here. "
            f"BPE learns from up to {LONGEST_TEXT:,}."
        )
    return _rows(text, learned)


def _rows(text: str, learned: str) -> list[Row]:
    words, characters, bpe, wordpiece, unigram = _cut(text, learned)
    for note in bpe.notes:
        st.info(note)
    fits, is_own = suited(learned), learned == OWN
    here = {"corpus": learned} | (_own(text) if is_own else {})
    say = {"say": text[:MOST_IN_ADDRESS]}
    # Pieces from another text are stepped through where they encode this one.
    stepped = here if is_own else here | say
    # BPE without a merge has characters; merged to the end it has words.
    grown = {"merges": str(MOST_MERGES), "split": "spaces", "step": str(MOST_MERGES)}
    lattice = {
        "pieces_from": "learned",
        "seeds": unigram.seed,
        "loss": UNIGRAM_LOSS,
        "cut_at": KINDS["unigram"].split,
    }
    has_end, mark = fits["base"] == "end_of_word", default_wordpiece(fits)[1].mark
    return [
        Row("Words", words, TRAIN, here | grown, "See BPE grow up to words →"),
        Row("Characters", characters, TRAIN, here, "See BPE start from characters →"),
        Row(
            f"BPE, {count_of(bpe.steps, 'merge')}",
            bpe,
            TRAIN if is_own else ENCODE,
            stepped,
            "Step through BPE →",
            f"`{fits['end_mark']}` marks the end of a word." if has_end else "",
        ),
        Row(
            f"WordPiece, {count_of(wordpiece.steps, 'merge')}",
            wordpiece,
            WORDPIECE_TRAIN if is_own else WORDPIECE_ENCODE,
            stepped | {"split": KINDS["wordpiece"].split},
            "Step through WordPiece →",
            f"`{mark}` marks what does not begin a word.",
        ),
        Row(
            "Unigram",
            unigram,
            LATTICE,
            here | lattice | say,
            "Step through the lattice →",
            unigram_note(unigram),
        ),
    ]


def compare_query(text: str, learned: str, rows: Sequence[Row]) -> dict[str, str]:
    """Return the address parameters under which these tokenizers are set side by side."""
    if learned == LEARNED_FROM:
        return {"with": selection.write(selection.FIRST), **_own(text)}
    kinds = ("words", "characters", _kind_of_bpe(learned), "wordpiece", "unigram")
    low, high = selection.SMALLEST, selection.LARGEST
    reached = [row.short.metrics.vocabulary for row in rows[:-1]]
    wanted = int(suited(learned)["size"])  # Unigram ends elsewhere where another size is asked for
    sizes = [min(max(size, low), high) for size in (*reached, wanted)]
    entries = [
        selection.Entry(kind, learned, size) for kind, size in zip(kinds, sizes, strict=True)
    ]
    return {"with": selection.write(entries), **_own(text)}


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
    return [*first, *last]


def _kind_of_bpe(learned: str) -> str:
    """Return which of `KINDS` is BPE in the form that suits what is learned from."""
    return "bytes" if suited(learned)["base"] == "bytes" else "bpe"


def _split_of(kind: str) -> Pipeline:
    return Pipeline((), KINDS[kind].split)


def unigram_note(short: Short) -> str:
    """Say of how many ways to cut a text this is the best."""
    which = "The only way" if short.ways == ways(1) else f"The most probable of {short.ways}"
    return f"{which} to cut it by these pieces. `▁` is a space."


def _own(text: str) -> dict[str, str]:
    """Return the text as the address has it; one that is too long is in the visitor's browser."""
    return {"text": text} if len(text) <= MOST_IN_ADDRESS else {}
