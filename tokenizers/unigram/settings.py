"""The settings of a Unigram training run, and the named conventions.

Kudo (2018) gives the outline: start from too many pieces, fit their probabilities by EM, remove
those whose loss is smallest, repeat. Programs that train Unigram models differ in where the pieces
come from, how an M step turns counts into probabilities, what a loss is and how many pieces are
removed at a time. `CONVENTIONS` lists what each program does.
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
"""The possible values of each setting that is a name."""
BY_SEGMENTING = ("exact", "likelihood", "viterbi")
"""The losses for which the corpus is segmented again without each piece."""

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
"""The range of each number. `character_coverage` and `shrinking_factor` must also be above 0."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run. Raises UserError if a value is invalid.

    URLs, lessons and exported files contain the field names and values, so even odd ones must stay.

    The goal is `vocab_size` pieces, including the `reserved` ones. The most frequent characters
    that cover the fraction `character_coverage` of the text are kept; the others become unknown.

    Seeds: `seed` tells where the first pieces besides the characters come from (`seeds.py`). They
    are all `substrings` of words; only substrings shorter than their word (`strict_substrings`);
    the tokens of a BPE run (`bpe`); or substrings that occur twice and are followed by different
    characters, in the distinct words (`repeats`, Hugging Face), in the lines (`repeats_in_lines`,
    SentencePiece 0.2.1), or in the lines' UTF-8 bytes (`repeats_by_bytes`, 0.2.3). There are at
    most `seed_size`, of up to `max_piece_length` characters. `start` gives their probabilities.

    EM runs `sub_iterations` times between two prunings. `e_step` uses the `sum` over all
    segmentations or only the most probable one (`max`, i.e. hard EM). `m_step` divides each count
    by their sum, or first takes exp(digamma) of both, or keeps the initial frequencies (`none`).
    Pieces expected less than `min_expected` times are dropped. `unknown` keeps the counts of
    unknown characters `apart`, or adds them to the `first_piece`. With `counts_unknown`, pruning
    counts the unknown piece too.

    Pruning: `loss` names how the cost of removing a piece is computed (`losses.py`). With
    `renormalise`, the remaining probabilities are scaled to sum to one, in the loss and afterwards.
    The `schedule` `fraction` keeps `shrinking_factor` of the pieces, but at least `overshoot` times
    the final size; `share` removes 1 - `shrinking_factor`, even if too few remain; `k_n` takes
    equal steps that reach the size in `prunings` rounds; and `one` removes one piece at a time.
    Of pieces with equal losses, `ties` removes the `last` one first, or the `first`, or the last
    by its `string`. `keep_characters` never removes single characters. `prune_last` prunes even
    when the size is reached. For `best_alternative`, `share_of` is the denominator, `keep_split`
    keeps used pieces that are better split, and `slip` reproduces a bug of Hugging Face's library.

    End: `drop_shadowed` removes pieces that are less probable than their best split.
    `restore_characters` adds lost characters and keeps the first pieces by `final_order`.
    `max_rounds` ends a run early. `arithmetic` is `double`, or rounds to `single` precision like
    SentencePiece 0.2.3, or like 0.2.1, which also sums the seeds in single precision
    (`single_throughout`; see `sentencepiece_parity/arithmetic.py`). `log_base` only affects how
    losses are displayed; all recorded values are in nats.
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
        """The number of pieces at which pruning ends; `finalize` cuts them to `vocab_size`."""
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
    # The Hugging Face course: 300 frequent substrings, no EM, each round removes a tenth.
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
    # The library tokenizers' `UnigramTrainer`, with the bug in its loss and without it.
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
"""The conventions by name, each for 8,000 pieces; `convention_settings` sets another size."""


def convention_settings(name: str, vocab_size: int, **changes: Any) -> Settings:
    """Return a convention's settings with this vocabulary size and `changes` to other fields.

    Raises UserError if there is no convention of this name.

    >>> convention_settings("sentencepiece", 2000).desired
    2200
    """
    if name not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise UserError(f"There is no convention {name!r}. Choose from: {known}.")
    return replace(CONVENTIONS[name], vocab_size=vocab_size, **changes)
