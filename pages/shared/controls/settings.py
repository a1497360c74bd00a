"""The sidebar controls for a run's settings; the URL has each setting unless it is the default.

The defaults depend on the corpus: `apply_corpus_defaults` sets them when the corpus changes, and a
link may override each of them.
"""

from collections.abc import Mapping

import streamlit as st

from pages.shared.controls import terms, unigram_settings, url_state
from pages.shared.controls.url_state import IN_URL, choice, choices, whole_number
from pages.shared.limits import MAX_MERGES
from pages.shared.training.names import NORMALIZERS
from tokenizers import wordpiece
from tokenizers.bpe import Dropout, Settings
from tokenizers.bpe.superwords import LINES, SuperwordSettings
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import END_MARK
from tokenizers.unigram import settings as unigram
from tokenizers.wordpiece import top_down

CorpusDefaults = Mapping[str, str | int]
"""The default settings of a corpus, by URL parameter."""
AnySettings = Settings | wordpiece.Settings | top_down.TopDownSettings | unigram.Settings

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
    "digits": "GPT-2's pattern, digit by digit",
    "threes": "GPT-2's pattern, numbers in threes",
    "threes_right": "the same, threes from the right",
    "penn": "Penn Treebank's way: do n't",
    "bert": "BERT's way: spaces and every punctuation mark",
    "metaspace": "▁ before each word",
    "none": "No split: one long word",
}
RULES = {
    "score": "Merge the pair with the highest score",
    "hugging_face": "Merge the most frequent pair (Hugging Face)",
    "top_down": "From words down to pieces (TensorFlow Text)",
}
RULE_NOTES = {
    "score": "The count of the pair, divided by the product of its two symbols' counts. "
    "Google never published its own trainer; this is the rule that courses teach.",
    "hugging_face": "The library's WordPieceTrainer merges as BPE does and keeps only the "
    "vocabulary. It takes the symbols in an order that changes from run to run; here they "
    "are sorted.",
    "top_down": "Every substring of a word is a candidate. Those that occur often enough are kept. "
    "This is the learner of the TensorFlow Text library.",
}
TIES = {
    "first_seen": "The first in the text",
    "smallest_ids": "The smallest ids",
    "smallest_string": "The first in alphabetical order",
    "largest_string": "The last in alphabetical order",
}
TIE_NOTES = {
    "first_seen": "The rule of minbpe, of tiktoken's educational trainer and of the Hugging Face "
    "course.",
    "smallest_ids": "The rule of Hugging Face's trainer: the oldest left symbol, then the oldest "
    "right.",
    "smallest_string": "The first pair in code point order, so the order of the text does not "
    "matter.",
    "largest_string": "The rule of subword-nmt, the program of Sennrich, Haddow and Birch: the "
    "last pair in code point order.",
}
BASE_NOTES = {
    "end_of_word": "The mark is a symbol of its own (Sennrich et al. 2016); Hugging Face's library "
    "glues it to the last character.",
    "bytes": "Each byte is shown as the glyph that GPT-2 gave it: Ġ is a space, Ã© is é.",
    "metaspace": "SentencePiece's way: a space belongs to the word after it.",
}
CROSSINGS = {
    "never": "Never (usual)",
    "after": "After a number of merges (SuperBPE)",
    "whole_words": "Between whole words (BoundlessBPE)",
}
CROSSING_NOTES = {
    "after": "The first merges stay inside words; after them, any two neighbors may be merged. The "
    "text is cut into lines, and ▁ is a space.",
    "whole_words": "Two neighbors that are whole words already may become one piece, if they have "
    "letters alone and are frequent enough. The text is cut into lines, and ▁ is a space.",
}
BASE_PRE_TOKENIZERS = {"bytes": "gpt2", "metaspace": "metaspace"}
"""The pre-tokenizer that a base requires."""


def apply_corpus_defaults(values: CorpusDefaults) -> None:
    """Set a newly chosen corpus's default settings, except for settings that the URL has."""
    for name in ("base", "end_mark", "split", "merges", "size", "pieces", "rule"):
        if name in values and url_state.incoming(name) is None:
            url_state.preset_widget(name, values[name])
    unigram_settings.apply_seed_default(str(values["seeds"]))


def default_settings(defaults: CorpusDefaults) -> tuple[Pipeline, Settings]:
    """Return the default settings of BPE for a corpus."""
    settings = Settings(
        base=str(defaults["base"]),
        end_mark=str(defaults["end_mark"]),
        num_merges=int(defaults["merges"]),
    )
    return Pipeline((), str(defaults["split"])), settings


def default_wordpiece(defaults: CorpusDefaults) -> tuple[Pipeline, wordpiece.Settings]:
    """Return the default settings of WordPiece for a corpus."""
    return Pipeline((), str(defaults["split"])), wordpiece.Settings(
        num_merges=int(defaults["merges"])
    )


def for_bpe_across(defaults: CorpusDefaults) -> tuple[Pipeline, Settings]:
    """Show BPE's settings with the choice whether merges may cross spaces, and return them."""
    with st.sidebar:
        crossing = choice("Merges may cross spaces", CROSSINGS, "never", key="crossing")
        if crossing == "never":
            return for_bpe(defaults)
        st.caption(CROSSING_NOTES[crossing])
        inside = 0
        if crossing == "after":
            half = int(defaults["merges"]) // 2
            inside = whole_number("Merges inside words first", 0, MAX_MERGES, half, key="inside")
        pipeline = Pipeline(_normalizers(), LINES.pre_tokenizer)
        merges, pieces, least = _limits(defaults)
        longest = _longest_piece()
        ties = _ties()
    return pipeline, SuperwordSettings(
        num_merges=merges,
        vocab_size=pieces,
        min_count=least,
        max_token_length=longest,
        ties=ties,
        crossing=crossing,
        inside=inside,
    )


def for_bpe(defaults: CorpusDefaults) -> tuple[Pipeline, Settings]:
    """Show BPE's settings in the sidebar and return them; `defaults` depend on the corpus."""
    with st.sidebar:
        st.subheader("Symbols and words")
        base = choice(
            "Base symbols", BASES, str(defaults["base"]), key="base", on_change=_apply_base
        )
        if base in BASE_NOTES:
            terms.caption(BASE_NOTES[base])
        end_mark = END_MARK
        if base == "end_of_word":
            end_mark = st.text_input(
                "End-of-word mark", str(defaults["end_mark"]), 8, key="end_mark", **IN_URL
            )
        pipeline = _pipeline(defaults)
        merges, pieces, least = _limits(defaults)
        longest = _longest_piece()
        ties = _ties()
    settings = Settings(
        base=base,
        end_mark=end_mark or END_MARK,
        num_merges=merges,
        vocab_size=pieces,
        min_count=least,
        max_token_length=longest,
        ties=ties,
    )
    return pipeline, settings


def _longest_piece() -> int | None:
    label = "Longest piece, in symbols (0: no limit)"
    return whole_number(label, 0, 1000, 0, key="longest") or None


def for_wordpiece(
    defaults: CorpusDefaults,
) -> tuple[Pipeline, wordpiece.Settings | top_down.TopDownSettings]:
    """Show WordPiece's settings in the sidebar and return them."""
    with st.sidebar:
        st.subheader("Choosing pieces")
        rule = choice("Rule", RULES, str(defaults.get("rule", "score")), key="rule")
        st.caption(RULE_NOTES[rule])
        if rule == "top_down":
            return _pipeline(defaults), _for_top_down()
        ties = _ties()
        st.subheader("Symbols and words")
        mark = st.text_input(
            "Mark for pieces inside a word", wordpiece.MARK, 8, key="mark", **IN_URL
        )
        pipeline = _pipeline(defaults)
        merges, pieces, least = _limits(defaults)
    settings = wordpiece.Settings(
        mark=mark,
        num_merges=merges,
        vocab_size=pieces,
        min_count=least,
        ties=ties,
        convention=rule,
    )
    return pipeline, settings


def for_unigram(defaults: CorpusDefaults) -> tuple[Pipeline, unigram.Settings]:
    """Show Unigram's settings in the sidebar and return them."""
    with st.sidebar:
        st.subheader("Learning pieces")
        settings = unigram_settings.render_controls(int(defaults["size"]), str(defaults["seeds"]))
        st.subheader("Symbols and words")
        split, before = unigram_settings.apply_word_defaults(
            settings.convention, str(defaults["split"]), bool(defaults["counted"])
        )
        pipeline = _pipeline({"split": split}, "cut_at", before, "prepare")
    return pipeline, settings


def _for_top_down() -> top_down.TopDownSettings:
    wanted = whole_number("Target vocabulary size", 1, 30_000, 60, key="wanted")
    least = whole_number("Lowest threshold to try", 1, 1_000_000, 1, key="threshold")
    st.caption("The library itself never goes below 10, which is too high for small texts.")
    return top_down.TopDownSettings(wanted, min_threshold=least)


def _pipeline(
    defaults: CorpusDefaults,
    split_key: str = "split",
    before: tuple[str, ...] = (),
    change_key: str = "change",
) -> Pipeline:
    split = choice("Split the text at", PRE_TOKENIZERS, str(defaults["split"]), key=split_key)
    return Pipeline(_normalizers(before, change_key), split)


def _normalizers(before: tuple[str, ...] = (), key: str = "change") -> tuple[str, ...]:
    names = choices("Clean the text (normalization)", NORMALIZERS, before, key=key)
    if "accents" in names:
        st.caption("This also removes vowel signs in scripts such as Devanagari.")
    return tuple(name for name in NORMALIZERS if name in names)


def _limits(defaults: CorpusDefaults) -> tuple[int, int | None, int]:
    st.subheader("How long to train")
    merges = whole_number(
        "Maximum number of merges", 0, MAX_MERGES, int(defaults["merges"]), key="merges"
    )
    size = int(defaults.get("pieces", 0))
    pieces = whole_number("Maximum vocabulary size (0: no limit)", 0, 1_000_000, size, key="pieces")
    least = whole_number("Minimum count of a pair", 1, 1_000_000, 1, key="least")
    return merges, pieces or None, least


def _ties() -> str:
    ties = choice("If pairs tie, merge", TIES, "first_seen", key="ties")
    st.caption(TIE_NOTES[ties])
    return ties


LABELS = {
    "characters": "characters",
    "end_of_word": "characters and an end-of-word mark",
    "bytes": "UTF-8 bytes",
    "metaspace": "characters with ▁ for a space",
    "punctuation": "split at spaces and punctuation",
    "gpt2": "split by GPT-2's pattern",
    "digits": "split by GPT-2's pattern, digit by digit",
    "threes": "split by GPT-2's pattern, numbers in threes",
    "threes_right": "split by GPT-2's pattern, numbers in threes from the right",
    "penn": "split the Penn Treebank's way",
    "bert": "split BERT's way",
    "score": "the highest score",
    "hugging_face": "the highest count, as Hugging Face's trainer",
    "none": "not split into words",
    "first_seen": "ties: first in the text",
    "smallest_ids": "ties: smallest ids (Hugging Face)",
    "smallest_string": "ties: alphabetical order",
    "largest_string": "ties: last in alphabetical order (subword-nmt)",
}
SPLIT_LABELS = LABELS | {
    "spaces": "split at spaces",
    "metaspace": "split before each ▁",
    "metaspace_lines": "split into lines",
}


def describe_settings(pipeline: Pipeline, settings: AnySettings) -> str:
    """Describe the settings of a run in one line."""
    return " · ".join(parts_of_settings(pipeline, settings))


def parts_of_settings(pipeline: Pipeline, settings: AnySettings) -> list[str]:
    """Describe the settings of a run, each by itself."""
    split = SPLIT_LABELS[pipeline.pre_tokenizer]
    if isinstance(settings, top_down.TopDownSettings):
        return [f"from the top down, {settings.vocab_size:,} pieces", split]
    if isinstance(settings, unigram.Settings):
        of_unigram = unigram_settings.parts_of_settings(settings)
        return [*of_unigram, split, *_normalizer_texts(pipeline)]
    is_bpe = isinstance(settings, Settings)
    what = LABELS[settings.base] if is_bpe else LABELS[settings.convention]
    parts = [what, split, LABELS[settings.ties], *_normalizer_texts(pipeline)]
    if settings.vocab_size:
        parts.append(f"at most {settings.vocab_size:,} pieces")
    if settings.min_count > 1:
        parts.append(f"pairs that occur at least {settings.min_count:,} times")
    if isinstance(settings, SuperwordSettings):
        parts.append(_describe_crossing(settings))
    if isinstance(settings, Settings) and settings.max_token_length:
        parts.append(f"pieces of at most {settings.max_token_length:,} symbols")
    return parts


def _describe_crossing(settings: SuperwordSettings) -> str:
    if settings.crossing == "whole_words":
        return "merges may join whole words (BoundlessBPE)"
    return f"merges may cross spaces after the first {settings.inside:,} (SuperBPE)"


def _normalizer_texts(pipeline: Pipeline) -> list[str]:
    changes = ", ".join(map(NORMALIZERS.__getitem__, pipeline.normalizers))
    return [f"first: {changes}"] if changes else []


def dropout() -> Dropout | None:
    """Show the settings of BPE-dropout in the sidebar and return them; None if it is off."""
    with st.sidebar:
        st.subheader("BPE-dropout")
        percent = whole_number("Merges skipped, in percent", 0, 100, 0, key="drop")
        if not percent:
            st.caption("Off: the same text always gives the same tokens.")
            return None
        seed = whole_number("Seed", 0, 999_999, 1, key="seed")
        variant = choice(
            "A skipped merge",
            {
                "returns": "may be applied later (the paper, Hugging Face)",
                "never": "never comes back (SentencePiece)",
            },
            "returns",
            key="passed",
        )
    return Dropout(percent / 100, seed, for_good=variant == "never")


def _apply_base() -> None:
    """Set the pre-tokenizer that the new base requires; if it needs none, restore the usual one."""
    base, split = st.session_state["base"], st.session_state.get("split")
    if base in BASE_PRE_TOKENIZERS:
        st.session_state["split"] = BASE_PRE_TOKENIZERS[base]
    elif split in BASE_PRE_TOKENIZERS.values():
        st.session_state["split"] = "punctuation"
