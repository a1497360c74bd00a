"""Links from a lesson's picture to the page that shows the same picture with all controls.

A link has the corpus, the settings and the step. If the page has no control for one of the lesson's
settings, there is no link, since the page would show a different picture.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from lessons.pictures.plan import Plan
from lessons.texts import PIPELINES, VOCABULARIES
from pages.shared.limits import MAX_IN_URL, MAX_MERGES
from pages.shared.routes import page_file
from tokenizers import bpe, wordpiece
from tokenizers.baselines import UNITS
from tokenizers.unigram.settings import CONVENTIONS

_KEYS = {"num_merges": "merges", "vocab_size": "pieces", "min_count": "least", "ties": "ties"}
_BPE_KEYS = {"base": "base", "end_mark": "end_mark", "max_token_length": "longest"} | _KEYS
_WORDPIECE_KEYS = {"mark": "mark", "convention": "rule"} | _KEYS


def link_to(plan: Plan, at: int, rule: str = "") -> tuple[str, Mapping[str, str]] | None:
    """Return a picture's page and the URL query for the step `at`; None if no page can show it."""
    if plan.shows not in _PAGES or (plan.models and "published" not in plan.shows):
        return None
    page, query_of = _PAGES[plan.shows]
    query = query_of(plan)
    if query is None:
        return None
    name, first = ("at", 1) if plan.shows == "pipeline" else ("step", 0)
    step = {name: str(at)} if at > first else {}
    shared = {"sum": "1"} if rule == "sum" else {}
    return page_file(page), query | step | shared


def _words(plan: Plan) -> dict[str, str] | None:
    """Return the corpus as query parameters; None if the corpus doesn't fit into a URL."""
    if plan.corpus:
        return {"corpus": plan.corpus}
    if plan.counts is not None:
        text = "word,count\n" + "".join(f"{word},{n}\n" for word, n in plan.counts.items())
        if len(text) > MAX_IN_URL or any(set(word) & set(',"\n') for word in plan.counts):
            return None
        return {"corpus": "table", "text": text}
    text = plan.text or ""
    return {"corpus": "own", "text": text} if text and len(text) <= MAX_IN_URL else None


def _stages(plan: Plan, split: str, change: str) -> dict[str, str]:
    names = ",".join(plan.pipeline.normalizers)
    return {split: plan.pipeline.pre_tokenizer} | ({change: names} if names else {})


def _merging(plan: Plan) -> dict[str, str] | None:
    words = _words(plan)
    if plan.pieces or words is None:
        return None
    keys = _BPE_KEYS if isinstance(plan.settings, bpe.Settings) else _WORDPIECE_KEYS
    usual = bpe.Settings() if keys is _BPE_KEYS else wordpiece.Settings()
    given: dict[str, Any] = {}
    for field in fields(plan.settings):
        value = getattr(plan.settings, field.name)
        if field.name in keys:
            given[keys[field.name]] = value
        elif value != getattr(usual, field.name):
            return None
    if given["merges"] is None:
        given["merges"] = MAX_MERGES
    query = words | _stages(plan, "split", "change")
    query |= {key: str(value) for key, value in given.items() if value not in (None, "")}
    return query | ({"say": plan.input_text} if plan.input_text else {})


def _unigram(plan: Plan) -> dict[str, str] | None:
    words, settings = _words(plan), plan.settings
    usual = CONVENTIONS[settings.convention]
    same = ("vocab_size", "convention", "reserved")
    changed = {
        field.name: getattr(settings, field.name)
        for field in fields(settings)
        if field.name not in same and getattr(settings, field.name) != getattr(usual, field.name)
    }
    if words is None or set(changed) - set(_UNIGRAM_KEYS):
        return None
    query = words | _stages(plan, "cut_at", "prepare")
    query |= {"convention": settings.convention, "size": str(settings.vocab_size)}
    return query | {_UNIGRAM_KEYS[name]: _url_value(value) for name, value in changed.items()}


_UNIGRAM_KEYS = {
    "seed": "seeds",
    "start": "start",
    "e_step": "e_step",
    "m_step": "m_step",
    "loss": "loss",
    "schedule": "schedule",
    "ties": "equal",
    "renormalise": "renormalise",
    "log_base": "log_base",
    "sub_iterations": "em_rounds",
    "prunings": "prunings",
}
"""Unigram settings with a control of the same values: their query parameters."""


def _url_value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lattice(plan: Plan) -> dict[str, str] | None:
    sample = VOCABULARIES.get(plan.corpus)
    if not plan.pieces or sample is None:
        return None
    show = {"show": "listing"} if plan.shows == "listing" else {}
    changed = " ".join(
        f"{piece} {math.exp(log):.6g}"
        for piece, log in plan.pieces.items()
        if not math.isclose(math.exp(log), sample.pieces.get(piece, 0.0), rel_tol=1e-9)
    )
    query = {"pieces_from": plan.corpus, "say": plan.input_text} | show
    return query | ({"odds": changed} if changed else {})


def _pipeline(plan: Plan) -> dict[str, str] | None:
    """Return the query for a matching example with a word or character model; None if none fits."""
    asked = (plan.input_text, plan.pipeline.normalizers, plan.pipeline.pre_tokenizer, plan.kinds[0])
    for id_, example in PIPELINES.items():
        stages = example.stages
        names, split = tuple(stages["normalizers"]), stages["pre_tokenizer"]
        listed = stages["model"] in UNITS and plan.text == (example.material or example.text)
        if listed and asked == (example.text, names, split, stages["model"]):
            return {"example": id_} | ({"off": ",".join(plan.off)} if plan.off else {})
    return None


def _published(plan: Plan) -> dict[str, str] | None:
    """Return the URL query for the first model; None for several texts or another encoder."""
    text = plan.input_text or next(iter(plan.texts.values()))
    if len(plan.texts) > 1 or len(text) > MAX_IN_URL or plan.encoders != ("own",):
        return None
    special = {"special": "text"} if plan.special == "text" else {}
    return {"model": plan.models[0], "say": text} | special


_PAGES: Mapping[str, tuple[str, Callable[[Plan], dict[str, str] | None]]] = {
    "bpe_train": ("bpe_train", _merging),
    "bpe_encode": ("bpe_encode", _merging),
    "wordpiece_train": ("wordpiece_train", _merging),
    "wordpiece_encode": ("wordpiece_encode", _merging),
    "unigram_train": ("unigram_train", _unigram),
    "lattice": ("unigram_lattice", _lattice),
    "listing": ("unigram_lattice", _lattice),
    "pipeline": ("pipeline", _pipeline),
    "published": ("real", _published),
    "published_word": ("real", _published),
}
"""By kind of picture: its page, and the function that builds the query."""
