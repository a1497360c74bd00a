"""Claims of published introductions and papers, compared with the core's results.

The claims are in `claims.toml`, paraphrased, with their values as data. `check_claim` computes the
same values with `tokenizers` and compares them by the rules in `values.py`; no verdict is stored.
The computations are in the other modules of this folder.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from lessons.claims import (
    lattices,
    merging,
    origins,
    published,
    research,
    segmentations,
    texts,
    vocabularies,
)
from lessons.claims.values import (
    AGREES,
    DIFFERS,
    Computed,
    Value,
    agreement,
    format_value,
    list_values,
)

IN_PART, NOT_SHOWN = "agrees in part", "not shown here"
VERDICTS = (AGREES, IN_PART, DIFFERS, NOT_SHOWN)
"""A claim without a computation is not shown here, for instance because it needs a model."""

OPENED: Mapping[str, str] = {
    "abstract": "we read its abstract only",
    "code": "we read its authors’ code and the abstract",
}
"""What was read of a source that was not read as a whole, as a note beside its claim."""

COMPUTATIONS: Mapping[str, Callable[..., Computed]] = {
    function.__name__: function
    for function in (
        texts.pre_tokens, texts.normalized, texts.looked_up, texts.bytes_encoded,
        texts.unknown_by_base, texts.characters_of, texts.stems, texts.embedding, texts.belief,
        merging.pair_counts, merging.symbol_counts, merging.merges, merging.splits,
        merging.training_space, merging.encoded, merging.scores, merging.scores_after,
        merging.matched, merging.likelihood, merging.most_likely,
        lattices.ways_to_cut, lattices.merge_orders, lattices.path_probabilities,
        lattices.length_prior, lattices.seed_frequencies, lattices.corpus_loss,
        lattices.removal_losses, lattices.removals, lattices.pruned_evenly, lattices.own_weights,
        lattices.damped, lattices.em_identity, lattices.em_roles,
        research.greedy_share, research.efficiency_raised, research.hard_to_guess,
        research.morphemes_matched, research.beyond_words,
        research.whole_words_joined, research.starts_with_whole_words, research.longer_pieces,
        research.fewest_of_all,
        research.worst_off_chooses, research.byte_premiums,
        vocabularies.residue_shares, vocabularies.residues_removed,
        vocabularies.transplanted, vocabularies.new_token_share,
        published.digits_whole, published.tokens_of, published.cuts_of, published.greedy_matches,
        origins.compare_with_lzw, origins.pays_from, origins.zipf_by_merges, origins.zipf_exponents,
        origins.bytes_and_tokens, origins.chunk_rule, origins.codec_rates,
        segmentations.grow_exponentially, segmentations.spelled_by, segmentations.drawn_evenly,
        segmentations.digits_lined_up, segmentations.billed_more,
    )
}  # fmt: skip
"""The computations by function name, which is the value of `compute` in claims.toml."""


@dataclass(frozen=True, slots=True)
class ClaimSource:
    """A published introduction or paper; `kind` says what it is, such as "blog", and by whom.

    `link` is its public address; "" if it has none that lasts.
    """

    id: str
    title: str
    kind: str
    link: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A claim of a source, and how to compute the values that it states.

    `claimed` maps labels to the stated values; if `complete`, the source claims that there are no
    others. `reason` is a template whose `{fields}` are computed facts. `unit` is the numbers' unit.
    `compute` is "" if nothing can be computed here. `page` and `see` are the page that shows the
    claim and its URL parameters. `opened` says what of the source was read, if not all of it (a key
    of `OPENED`).
    """

    id: str
    example: str
    source: str
    says: str
    compute: str
    arguments: Mapping[str, Any]
    claimed: Mapping[str, Value]
    reason: str
    unit: str
    complete: bool
    page: str
    see: Mapping[str, str]
    opened: str = ""

    @property
    def address(self) -> str:
        """The URL of the page that shows the claim, relative to the app's URL."""
        return f"{self.page}?{urlencode(self.see)}" if self.see else self.page


@dataclass(frozen=True, slots=True)
class ClaimPart:
    """A claimed and a computed value with the same label; either may be missing."""

    label: str
    claimed: Value | None
    computed: Value | None
    agreement: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a claim, with its parts, the overall verdict, and the reason."""

    claim: Claim
    verdict: str
    parts: tuple[ClaimPart, ...]
    reason: str


@cache
def check_claim(claim: Claim) -> Checked:
    """Compute a claim's values and compare them with the stated ones; the result is cached.

    Raises KeyError for an unknown computation, and for an unknown field in the reason.
    """
    if not claim.compute:
        given = claim.claimed.items()
        not_shown = [ClaimPart(label, value, None, NOT_SHOWN) for label, value in given]
        return Checked(claim, NOT_SHOWN, tuple(not_shown), claim.reason)
    computed = COMPUTATIONS[claim.compute](**claim.arguments)
    parts = [
        ClaimPart(
            label, value, computed.values.get(label), agreement(value, computed.values.get(label))
        )
        for label, value in claim.claimed.items()
    ]
    left_out = {
        label: value
        for label, value in computed.values.items()
        if claim.complete and label not in claim.claimed and isinstance(value, int)
    }
    parts += [ClaimPart(label, None, value, DIFFERS) for label, value in left_out.items()]
    facts = {name: format_value(value) for name, value in computed.facts.items()}
    facts["left_out"] = list_values(left_out)
    how = {part.agreement for part in parts}
    verdict = how.pop() if how in ({AGREES}, {DIFFERS}) else IN_PART
    return Checked(claim, verdict, tuple(parts), claim.reason.format_map(facts))


# --- The file -------------------------------------------------------------------------------------


def _claim(row: Mapping[str, Any]) -> Claim:
    see, claimed = dict(row["see"]), row["claimed"].items()
    return Claim(
        id=row["id"],
        example=row["id"].partition("-")[0],
        source=row["source"],
        says=row["says"],
        compute=row.get("compute", ""),
        arguments=row.get("with", {}),
        claimed={label: tuple(v) if isinstance(v, list) else v for label, v in claimed},
        reason=row["reason"],
        unit=row.get("unit", ""),
        complete=row.get("complete", False),
        page=see.pop("page"),
        see=see,
        opened=row.get("opened", ""),
    )


_FILE: Mapping[str, Any] = tomllib.loads(
    (Path(__file__).parent / "claims.toml").read_text(encoding="utf-8"), parse_float=Decimal
)

SOURCES: Mapping[str, ClaimSource] = {row["id"]: ClaimSource(**row) for row in _FILE["source"]}
"""The introductions and papers by id."""

CLAIMS: Mapping[str, Claim] = {row["id"]: _claim(row) for row in _FILE["claim"]}
"""All claims by id, in the order of the examples."""
