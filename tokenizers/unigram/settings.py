"""The settings of a Unigram training run, and named conventions.

Kudo (2018) gives the outline: start from too many pieces, fit their probabilities by EM, remove
those whose loss is smallest, repeat. Programs that train Unigram models differ in where the pieces
come from, how an M step turns counts into probabilities, what a loss is and how many pieces go at
a time. `CONVENTIONS` lists what each of them does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tokenizers.errors import UserError
from tokenizers.settings import MAX_NUMBER, Bounds, check
from tokenizers.text.corpus import MAX_SYMBOLS

CHOICES: Mapping[str, tuple[str, ...]] = {
    "seed": (
        "substrings",
        "strict_substrings",
        "bpe",
        "repeats",
        "repeats_in_lines",
        "repeats_by_bytes",
    ),
    "start": ("uniform", "frequency", "frequency_times_length"),
    "e_step": ("sum", "max"),
    "m_step": ("maximum_likelihood", "digamma", "none"),
    "loss": ("exact", "likelihood", "viterbi", "expected_count", "best_alternative"),
    "schedule": ("fraction", "share", "k_n", "one"),
    "ties": ("last", "first", "string"),
    "unknown": ("apart", "first_piece"),
    "share_of": ("tokens", "words"),
    "final_order": ("score", "vocabulary"),
    "arithmetic": ("double", "single", "single_throughout"),
    "log_base": ("nats", "base10"),
}
"""The values of each choice."""
BY_SEGMENTING = ("exact", "likelihood", "viterbi")
"""Losses that segment the corpus again without each piece."""

BOUNDS: Bounds = {
    "vocab_size": (1, MAX_NUMBER),
    "character_coverage": (0, 1),
    "seed_size": (1, MAX_NUMBER),
    "max_piece_length": (1, MAX_NUMBER),
    "sub_iterations": (1, 1_000),
    "min_expected": (0, MAX_SYMBOLS),
    "shrinking_factor": (0, 1),
    "overshoot": (1, 1_000),
    "prunings": (1, 10_000),
    "max_rounds": (0, MAX_NUMBER),
}
"""The range of each number; shares must also be above 0."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run; UserError for an invalid value.

    Field names and values occur in addresses, lessons and exported files: even odd ones must stay.

    Goal: `vocab_size` pieces, including the `reserved` ones. Characters are kept until the share
    `character_coverage` of the text is covered; the others become unknown.

    Seeds: `seed` is the source of the first pieces besides the characters (`seeds.py`): all
    `substrings` of words; `strict_substrings`, shorter than the word; `bpe`, the tokens of a BPE
    run; `repeats` that occur twice and are followed by different characters, in the distinct words
    (Hugging Face), in the lines (SentencePiece 0.2.1), or in the UTF-8 bytes of the lines (0.2.3).
    There are at most `seed_size`, of up to `max_piece_length` characters, with probabilities
    proportional to `start`.

    EM, `sub_iterations` times between two prunings: `e_step` uses the `sum` over all segmentations
    or only the most probable one (`max`: hard EM). `m_step` divides by the sum, or does so with
    exp(digamma) of both, or keeps the initial frequencies (`none`). Pieces expected less than
    `min_expected` times are dropped. The counts of unknown characters are kept `apart`, or added to
    the `first_piece`. With `counts_unknown`, pruning counts the unknown piece too.

    Pruning: `loss` is the cost of removing a piece (`losses.py`). `renormalise`: the remaining
    probabilities are scaled to sum to one, in the loss and afterwards. `schedule`: keep the
    `fraction` `shrinking_factor` of the pieces, but at least `overshoot` times the final size;
    remove the complement (`share`), even beyond that; `k_n`, equal steps that reach the size in
    `prunings` rounds; or `one` at a time. Of equal losses, the `last` piece goes first, or the
    `first`, or the last `string`. `keep_characters` never removes single characters. `prune_last`
    prunes even when the size is reached. Variants of the loss by the best alternative: `share_of`
    is its denominator, `keep_split` keeps used pieces that are better split, and `slip` reproduces
    a bug of Hugging Face's library.

    End: `drop_shadowed` removes pieces less probable than their parts. `restore_characters` adds
    lost characters and cuts to the final size, by score or in the order of the `vocabulary`.
    `max_rounds` stops a run early. `arithmetic` is `double`, or rounds to `single` precision like
    SentencePiece 0.2.3, or like 0.2.1, which also sums the seeds in single precision
    (`single_throughout`; see `sentencepiece_parity/arithmetic.py`). `log_base` only affects how
    losses are displayed: all recorded values are in nats.
    """

    vocab_size: int = 8000
    convention: str = "textbook"
    reserved: tuple[str, ...] = ()
    character_coverage: float = 1.0
    seed: str = "substrings"
    seed_size: int = 1_000_000
    max_piece_length: int = 16
    start: str = "frequency"
    sub_iterations: int = 2
    e_step: str = "sum"
    m_step: str = "maximum_likelihood"
    min_expected: float = 0.0
    unknown: str = "apart"
    counts_unknown: bool = False
    loss: str = "exact"
    renormalise: bool = True
    schedule: str = "k_n"
    shrinking_factor: float = 0.75
    overshoot: float = 1.0
    prunings: int = 8
    ties: str = "last"
    keep_characters: bool = True
    keep_split: bool = False
    slip: bool = False
    share_of: str = "tokens"
    prune_last: bool = False
    drop_shadowed: bool = False
    restore_characters: bool = False
    final_order: str = "score"
    max_rounds: int | None = None
    arithmetic: str = "double"
    log_base: str = "nats"

    def __post_init__(self) -> None:
        check(self, BOUNDS, CHOICES)
        for name in ("character_coverage", "shrinking_factor"):
            if getattr(self, name) == 0:
                raise UserError(f"{name} is 0; it must lie above 0")
        if self.schedule in ("fraction", "share") and self.shrinking_factor == 1:
            raise UserError("shrinking_factor is 1: nothing would ever be removed")

    @property
    def num_pieces(self) -> int:
        """The number of pieces besides the reserved ones."""
        return max(self.vocab_size - len(self.reserved), 0)

    @property
    def desired(self) -> int:
        """The number of pieces at which pruning ends; `finalize` cuts those above `vocab_size`."""
        return int(self.vocab_size * self.overshoot)


_LIBRARIES = Settings(
    start="frequency_times_length",
    m_step="digamma",
    min_expected=0.5,
    loss="best_alternative",
    renormalise=False,
    schedule="fraction",
    overshoot=1.1,
    keep_characters=False,
    restore_characters=True,
)
"""The common settings of SentencePiece and Hugging Face's library."""

_SENTENCEPIECE = replace(
    _LIBRARIES,
    convention="sentencepiece_classic",
    reserved=("<unk>", "<s>", "</s>"),
    character_coverage=0.9995,
    seed="repeats_in_lines",
    unknown="first_piece",
    share_of="words",
    arithmetic="single_throughout",
)

_HUGGING_FACE = replace(
    _LIBRARIES,
    convention="hugging_face",
    reserved=("<unk>",),
    seed="repeats",
    counts_unknown=True,
    keep_split=True,
    slip=True,
    share_of="words",
    final_order="vocabulary",
)

CONVENTIONS: Mapping[str, Settings] = {
    # "UnigramLM: An Attempt at Writing The Missing Manual", eq. 4-16.
    "textbook": Settings(),
    # The lecture slides: no EM, the Viterbi loss in base 10, one piece at a time.
    "slides": Settings(
        convention="slides",
        seed="strict_substrings",
        e_step="max",
        m_step="none",
        sub_iterations=1,
        loss="viterbi",
        renormalise=False,
        schedule="one",
        ties="string",
        log_base="base10",
    ),
    # The Hugging Face course: 300 frequent substrings, no EM, a tenth goes each round.
    "hf_course": Settings(
        convention="hf_course",
        seed_size=300,
        max_piece_length=1_000,
        e_step="max",
        m_step="none",
        sub_iterations=1,
        loss="viterbi",
        renormalise=False,
        schedule="share",
        shrinking_factor=0.9,
        ties="first",
    ),
    # The `UnigramTrainer` of the library tokenizers, with the bug in its loss, and without it.
    "hugging_face": _HUGGING_FACE,
    "hugging_face_repaired": replace(_HUGGING_FACE, convention="hugging_face_repaired", slip=False),
    # SentencePiece 0.2.0 and 0.2.1, and the newer trainer of 0.2.3.
    "sentencepiece_classic": _SENTENCEPIECE,
    "sentencepiece": replace(
        _SENTENCEPIECE,
        convention="sentencepiece",
        seed="repeats_by_bytes",
        share_of="tokens",
        arithmetic="single",
        prune_last=True,
        drop_shadowed=True,
    ),
}
"""The conventions by name, with 8,000 pieces; `convention_settings` sets another size."""


def convention_settings(name: str, vocab_size: int, **changes: Any) -> Settings:
    """Return the settings of a convention for a size, with `changes` to other fields.

    Raises UserError for an unknown name.

    >>> convention_settings("sentencepiece", 2000).desired
    2200
    """
    if name not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise UserError(f"There is no convention {name!r}. Choose from: {known}.")
    return replace(CONVENTIONS[name], vocab_size=vocab_size, **changes)
