"""The segmentations of a text by tokenizers trained on the spot, for the start page."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, UNIGRAM_LOSS, usual_unigram
from pages.compare import selection
from pages.shared.controls.settings import default_settings, default_wordpiece
from pages.shared.corpus.corpus_picker import USER_TEXT, corpus_defaults
from pages.shared.drawing.phrasing import count_of, ways_text
from pages.shared.limits import MAX_COMPARED_CHARS, MAX_IN_URL, MAX_MERGES, MAX_TEXT_CHARS
from pages.shared.routes import page_file
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.work import results
from pages.start.quick_compare import QuickResult, TokenizerRequest, train_and_split
from tokenizers.text.corpus import Pipeline

CORPUS_NOTES = {
    True: "Learned and shown on the same text: nothing can be unknown. Choose another text to see "
    "how these pieces fare on words they have never met.",
    False: "What the other text does not have becomes [UNK], or falls into small pieces.",
}
TRAIN, ENCODE = page_file("bpe_train"), page_file("bpe_encode")
WORDPIECE_TRAIN, WORDPIECE_ENCODE = page_file("wordpiece_train"), page_file("wordpiece_encode")
LATTICE, COMPARE = page_file("unigram_lattice"), page_file("compare")
PROGRESS_DELAY = 1.5  # seconds until progress is shown instead of the rows


@dataclass(frozen=True, slots=True)
class TrainedRow:
    """One tokenizer's result, and the page that steps through it, with that page's parameters."""

    name: str
    result: QuickResult
    page: str
    query: dict[str, str]
    link_label: str
    note: str = ""

    @property
    def figures(self) -> str:
        """The row's figures as a text."""
        metrics = self.result.metrics
        figures = [
            count_of(metrics.tokens, "token"),
            f"{metrics.characters_per_token or 0:.1f} characters per token",
            f"{count_of(metrics.vocabulary, 'piece')} in the vocabulary",
        ]
        if metrics.unknown:
            figures.append(f"**{metrics.unknown:,} unknown**")
        if self.result.lost_white_space:
            lost = count_of(self.result.lost_white_space, "character")
            figures.append(f"**{lost} of white space lost**, though counted as characters")
        return " · ".join(figures)


def rows(text: str, learned: str) -> list[TrainedRow]:
    """Return how tokenizers split `text` after training on `learned`, a sample or `text` itself."""
    if len(text) > MAX_COMPARED_CHARS:
        st.info(
            f"The text has {len(text):,} characters; the first {MAX_COMPARED_CHARS:,} are split "
            f"here. BPE learns from up to {MAX_TEXT_CHARS:,}."
        )
    return _build_rows(text, learned)


def _build_rows(text: str, learned: str) -> list[TrainedRow]:
    words, characters, bpe, wordpiece, unigram = _train_and_split(text, learned)
    for note in bpe.notes:
        st.info(note)
    fits, is_user_text = corpus_defaults(learned), learned == USER_TEXT
    here = {"corpus": learned} | (_text_query(text) if is_user_text else {})
    sample = {"say": text[:MAX_IN_URL]}
    # For pieces trained on another text, link to the page that encodes.
    stepped = here if is_user_text else here | sample
    # BPE has characters before the first merge and words after the last.
    grown = {"merges": str(MAX_MERGES), "split": "spaces", "step": str(MAX_MERGES)}
    lattice = {
        "pieces_from": "learned",
        "seeds": unigram.seed,
        "loss": UNIGRAM_LOSS,
        "cut_at": KINDS["unigram"].split,
    }
    has_end, mark = fits["base"] == "end_of_word", default_wordpiece(fits)[1].mark
    return [
        TrainedRow("Words", words, TRAIN, here | grown, "See BPE grow up to words →"),
        TrainedRow("Characters", characters, TRAIN, here, "See BPE start from characters →"),
        TrainedRow(
            f"BPE, {count_of(bpe.steps, 'merge')}",
            bpe,
            TRAIN if is_user_text else ENCODE,
            stepped,
            "Step through BPE →",
            f"`{fits['end_mark']}` marks the end of a word." if has_end else "",
        ),
        TrainedRow(
            f"WordPiece, {count_of(wordpiece.steps, 'merge')}",
            wordpiece,
            WORDPIECE_TRAIN if is_user_text else WORDPIECE_ENCODE,
            stepped | {"split": KINDS["wordpiece"].split},
            "Step through WordPiece →",
            f"`{mark}` marks what does not begin a word.",
        ),
        TrainedRow(
            "Unigram",
            unigram,
            LATTICE,
            here | lattice | sample,
            "Step through the lattice →",
            unigram_note(unigram),
        ),
    ]


def compare_query(text: str, learned: str, rows: Sequence[TrainedRow]) -> dict[str, str]:
    """Return the query parameters that open these tokenizers on Compare · Side by side."""
    if learned == LEARNED_FROM:
        return {"with": selection.serialize(selection.DEFAULT), **_text_query(text)}
    kinds = ("words", "characters", _kind_of_bpe(learned), "wordpiece", "unigram")
    low, high = selection.MIN_SIZE, selection.MAX_SIZE
    reached = [row.result.metrics.vocabulary for row in rows[:-1]]
    wanted = int(corpus_defaults(learned)["size"])  # Unigram's result depends on the requested size
    sizes = [min(max(size, low), high) for size in (*reached, wanted)]
    specs = [
        selection.TokenizerSpec(kind, learned, size)
        for kind, size in zip(kinds, sizes, strict=True)
    ]
    return {"with": selection.serialize(specs), **_text_query(text)}


def _train_and_split(text: str, learned: str) -> list[QuickResult]:
    """Train and split in two workers, one for Unigram, which is slow, and one for all others."""
    fits = corpus_defaults(learned)
    source = CorpusSource(text=text if learned == USER_TEXT else TEXTS[learned].text or "")
    merges = TokenizerRequest(default_settings(fits)[1], _split_of(_kind_of_bpe(learned)))
    scores = TokenizerRequest(default_wordpiece(fits)[1], _split_of("wordpiece"))
    pruning = TokenizerRequest(usual_unigram(int(fits["size"])), _split_of("unigram"))
    shares = (pruning,), (TokenizerRequest("words"), TokenizerRequest("characters"), merges, scores)
    text_shown = text[:MAX_COMPARED_CHARS]
    calls = [
        (
            results.key_of("cut", source, text_shown, share),
            train_and_split,
            source,
            text_shown,
            share,
        )
        for share in shares
    ]
    last, first = results.results_of(calls, "Training the tokenizers …", PROGRESS_DELAY)
    return [*first, *last]


def _kind_of_bpe(learned: str) -> str:
    """Return the BPE kind of `KINDS` that suits a corpus."""
    return "bytes" if corpus_defaults(learned)["base"] == "bytes" else "bpe"


def _split_of(kind: str) -> Pipeline:
    return Pipeline((), KINDS[kind].split)


def unigram_note(result: QuickResult) -> str:
    """Return a note on how many segmentations the shown one was chosen from."""
    which = (
        "The only way"
        if result.num_splits == ways_text(1)
        else f"The most probable of {result.num_splits}"
    )
    return f"{which} to cut it by these pieces. ▁ is a space."


def _text_query(text: str) -> dict[str, str]:
    """Return the text as a query parameter, or none if it is too long for a URL."""
    return {"text": text} if len(text) <= MAX_IN_URL else {}
