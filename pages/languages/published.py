"""Count the tokens that published models need for the same sentences in each language.

The page's own tokenizers do not train on these sentences, so all numbers on the page are
comparable. Tokens that a model puts around a text are not counted.
"""

from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean

import plotly.graph_objects as go

from pages.languages.charts import dots
from pages.languages.findings import MAX_UNKNOWN_SHARE, MIN_UNKNOWN_SHOWN, name_of, value
from pages.languages.study import (
    MEASURES,
    OWN,
    PASSAGES,
    MixResult,
    PieceUse,
    SplitSentences,
    cost,
    halves,
    split_sentences,
)
from pages.shared.drawing.display_text import plain_table
from pages.shared.training.published import SHORT_NAMES, PublishedTokenizer
from tokenizers.runtime.components import LoadedEncoding

ModelCosts = Mapping[str, MixResult]
"""Maps each model's title to the sentences of all languages, split by that model."""


def measure_all() -> ModelCosts:
    """Split the sentences of every language by every published model."""
    return {
        title: measure_published(PublishedTokenizer(name)) for name, title in SHORT_NAMES.items()
    }


def measure_published(model: PublishedTokenizer) -> MixResult:
    """Split the sentences of every language by one model."""
    cuts = {code: _split(model, halves(passage).unseen) for code, passage in PASSAGES.items()}
    return MixResult(len(model.vocab), 0, cuts, PieceUse(0, 0, 0, 0))


def _split(model: PublishedTokenizer, text: str) -> SplitSentences:
    def encode(text: str) -> LoadedEncoding:
        return model.with_readable_tokens(model.loaded.encode(text, add_special_tokens=False))

    return split_sentences(text, encode)


def with_own(model: PublishedTokenizer, found: MixResult, text: str) -> MixResult:
    """Return a model's result with the user's sentences beside those of the languages."""
    return replace(found, cuts={**found.cuts, OWN: _split(model, text)}, own=text)


def codes_of(found: ModelCosts) -> list[str]:
    """Return the codes of the languages that all models have split."""
    first, *others = (one.cuts.keys() for one in found.values())
    return [code for code in first if all(code in other for other in others)]


def own_table(found: ModelCosts) -> str:
    """Return an HTML table of what the user's sentences cost under every model."""
    rows = [
        [title, value(one, OWN, "tokens"), f"{one.tokens('en'):,}", value(one, OWN, "premium")]
        for title, one in found.items()
    ]
    heads = ["tokenizer", "tokens", "English", "for each one of English"]
    return plain_table("The same sentences in your language", heads, rows)


def in_order(found: ModelCosts, measure: str) -> list[str]:
    """Return the languages, the cheapest first, by their mean cost in models that know them."""
    return sorted(codes_of(found), key=lambda code: _mean(found, code, measure))


def _mean(found: ModelCosts, code: str, measure: str) -> float:
    known = [one for one in found.values() if one.cuts[code].unknown_share < MAX_UNKNOWN_SHARE]
    values = [cost(one, code, measure) for one in known]
    return fmean([value for value in values if value is not None] or [float("inf")])


def finding(found: ModelCosts) -> str:
    """Name the language that costs most under two published models and under the visitor's own.

    `found` must have the published models first.
    """
    selected = [SHORT_NAMES["gpt2"], SHORT_NAMES["o200k"], *list(found)[len(SHORT_NAMES) :]]
    return ". ".join(_dearest(title, found[title]) for title in selected) + "."


def _dearest(title: str, model: MixResult) -> str:
    known = [code for code in PASSAGES if model.cuts[code].unknown_share < MAX_UNKNOWN_SHARE]
    if "en" not in known:
        return f"{title} knows too little of English to compare with"
    code = max(known, key=model.tokens)
    premium = cost(model, code, "premium") or 0.0
    return f"With {title}, {name_of(code)} pays {premium:.1f} tokens for each one of English"


def table(found: ModelCosts, measure: str) -> str:
    """Return an HTML table of every language's cost under every model."""
    scripts = {code: passage.script for code, passage in PASSAGES.items()} | {OWN: "–"}
    rows = [
        [name_of(code), scripts[code], *(value(one, code, measure) for one in found.values())]
        for code in in_order(found, measure)
    ]
    return plain_table(MEASURES[measure], ["language", "script", *found], rows)


def chart(found: ModelCosts, measure: str) -> go.Figure:
    """Draw the cost of every language under the models that know every character."""
    known = {
        title: one
        for title, one in found.items()
        if all(cut.unknown_share < MIN_UNKNOWN_SHOWN for cut in one.cuts.values())
    }
    return dots(known, in_order(known, measure)[::-1], measure)
