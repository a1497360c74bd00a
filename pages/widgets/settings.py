"""The settings of a BPE run, in the sidebar; each stands in the address unless it is the default.

The defaults are those that suit the chosen corpus: `adopt` puts them in place when the corpus
changes, a link may overrule any of them.
"""

from collections.abc import Mapping

import streamlit as st

from pages.widgets import address
from pages.widgets.address import IN_ADDRESS, choice, choices, whole_number
from tokenizers.bpe import Dropout, Settings
from tokenizers.corpus import Pipeline
from tokenizers.symbols import END_MARK

MOST_MERGES = 10_000

BASES = {
    "characters": "Characters",
    "end_of_word": "Characters and an end-of-word mark",
    "bytes": "UTF-8 bytes",
    "metaspace": "Characters, ▁ for a space",
}
PRE_TOKENIZERS = {
    "spaces": "Spaces",
    "punctuation": "Spaces and punctuation",
    "gpt2": "GPT-2's pattern",
    "metaspace": "▁ before each word",
    "none": "Not at all: one long word",
}
NORMALIZERS = {
    "html": "Remove HTML tags",
    "nfc": "Unicode NFC",
    "nfkc": "Unicode NFKC",
    "accents": "Remove accents",
    "lower": "Lower case",
    "spaces": "Repeated spaces to one",
}
TIES = {
    "first_seen": "First seen in the text",
    "smallest_ids": "Smallest ids",
    "smallest_string": "Smallest string",
}
TIE_NOTES = {
    "first_seen": "The rule of minbpe, of tiktoken's educational trainer and of the Hugging Face "
    "course.",
    "smallest_ids": "The rule of Hugging Face's trainer: the oldest left symbol, then the oldest "
    "right.",
    "smallest_string": "The first pair in code point order: the same outcome however the text is "
    "ordered.",
}
BASE_NOTES = {
    "end_of_word": "The mark is a symbol of its own (Sennrich et al. 2016); Hugging Face's library "
    "glues it to the last character.",
    "bytes": "Each byte is shown as the glyph that GPT-2 gave it: Ġ is a space, Ã© is é.",
    "metaspace": "SentencePiece's way: the space belongs to the word that follows it.",
}
SUITS = {"bytes": "gpt2", "metaspace": "metaspace"}
"""The pre-tokenizer that goes with a base."""


def adopt(values: Mapping[str, str | int]) -> None:
    """Put the settings that suit a newly chosen corpus in place, but for those a link asks for."""
    for name in ("base", "end_mark", "split", "merges"):
        if address.news(name) is None:
            st.session_state[name] = values[name]


def default_settings(suited: Mapping[str, str | int]) -> tuple[Pipeline, Settings]:
    """Return the settings that suit a corpus, where nobody has changed one."""
    settings = Settings(
        base=str(suited["base"]), end_mark=str(suited["end_mark"]), num_merges=int(suited["merges"])
    )
    return Pipeline((), str(suited["split"])), settings


def bpe_settings(suited: Mapping[str, str | int]) -> tuple[Pipeline, Settings]:
    """Show the settings in the sidebar and return them; `suited` are this corpus's defaults."""
    with st.sidebar:
        st.subheader("How words are made")
        base = choice("Base symbols", BASES, str(suited["base"]), key="base", on_change=_suit)
        if base in BASE_NOTES:
            st.caption(BASE_NOTES[base])
        end_mark = END_MARK
        if base == "end_of_word":
            end_mark = st.text_input(
                "End-of-word mark", str(suited["end_mark"]), 8, key="end_mark", **IN_ADDRESS
            )
        split = choice("Split the text at", PRE_TOKENIZERS, str(suited["split"]), key="split")
        normalizers = choices("Change the text first", NORMALIZERS, key="change")
        if "accents" in normalizers:
            st.caption("This also removes vowel signs in scripts such as Devanagari.")
        st.subheader("How long to train")
        merges = whole_number("Merges at most", 0, MOST_MERGES, int(suited["merges"]), key="merges")
        size = whole_number("Pieces at most (0: no limit)", 0, 1_000_000, 0, key="pieces")
        least = whole_number("A pair must be seen at least", 1, 1_000_000, 1, key="least")
        longest = whole_number(
            "Symbols in a piece at most (0: no limit)", 0, 1000, 0, key="longest"
        )
        st.subheader("When pairs tie")
        ties = choice("Take the pair that is", TIES, "first_seen", key="ties")
        st.caption(TIE_NOTES[ties])
    order = tuple(name for name in NORMALIZERS if name in normalizers)
    settings = Settings(
        base=base,
        end_mark=end_mark or END_MARK,
        num_merges=merges,
        vocab_size=size or None,
        min_count=least,
        max_token_length=longest or None,
        ties=ties,
    )
    return Pipeline(order, split), settings


SAID = {
    "characters": "characters",
    "end_of_word": "characters and an end-of-word mark",
    "bytes": "UTF-8 bytes",
    "metaspace": "characters with ▁ for a space",
    "punctuation": "split at spaces and punctuation",
    "gpt2": "split by GPT-2's pattern",
    "none": "not split into words",
    "first_seen": "ties: first seen",
    "smallest_ids": "ties: smallest ids (Hugging Face)",
    "smallest_string": "ties: smallest string",
}
SPLIT_SAID = SAID | {"spaces": "split at spaces", "metaspace": "split before each ▁"}


def in_words(pipeline: Pipeline, settings: Settings) -> str:
    """Return the conventions of a run in one line, as they stand on the screen."""
    said = [SAID[settings.base], SPLIT_SAID[pipeline.pre_tokenizer], SAID[settings.ties]]
    if pipeline.normalizers:
        changes = ", ".join(NORMALIZERS[name].lower() for name in pipeline.normalizers)
        said.append(f"first: {changes}")
    if settings.min_count > 1:
        said.append(f"pairs seen at least {settings.min_count:,} times")
    if settings.max_token_length:
        said.append(f"pieces of at most {settings.max_token_length:,} symbols")
    return " · ".join(said)


def dropout() -> Dropout | None:
    """Show the settings of BPE-dropout in the sidebar; None while it is off."""
    with st.sidebar:
        st.subheader("BPE-dropout")
        percent = whole_number("Merges passed over, in percent", 0, 100, 0, key="drop")
        if not percent:
            st.caption("Off: the same text always gives the same tokens.")
            return None
        seed = whole_number("Seed", 0, 999_999, 1, key="seed")
        variant = choice(
            "A merge that was passed over",
            {
                "returns": "may be done later (the paper, Hugging Face)",
                "never": "never comes back (SentencePiece)",
            },
            "returns",
            key="passed",
        )
    return Dropout(percent / 100, seed, for_good=variant == "never")


def presenter() -> bool:
    """Show the switch for the large type of a lecture hall."""
    with st.sidebar:
        st.subheader("On a projector")
        return st.toggle("Large type", key="presenter", **IN_ADDRESS)


def _suit() -> None:
    """A base that needs its own way of splitting brings it along; so does leaving it."""
    base, split = st.session_state["base"], st.session_state.get("split")
    if base in SUITS:
        st.session_state["split"] = SUITS[base]
    elif split in SUITS.values():
        st.session_state["split"] = "punctuation"
