"""Computations for claims about segmentations that are not a tokenizer's own."""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.models import MODELS, open_model
from lessons.texts import LANGUAGES
from tokenizers.experiments.research.segmentations import Segmentation, SegmentationGraph
from tokenizers.runtime.inspection.digit_groups import line_up
from tokenizers.runtime.inspection.segmentation_graph import TextGraph, graph_of
from tokenizers.runtime.spelling import Speller


def _passage(name: str) -> str:
    return next(one.text for one in LANGUAGES if one.name == name)


def _paths(graph: SegmentationGraph, start: int = 0) -> list[Segmentation]:
    if start == graph.size:
        return [()]
    return [(t, *rest) for t in graph.leaving[start] for rest in _paths(graph, t.end)]


def _tokens(graph: TextGraph, path: Segmentation) -> tuple[str, ...]:
    display_form = Speller(graph.loaded).display_form
    return tuple([display_form(graph.loaded.token_of(token.id)) for token in path])


def spelled_by(model: str, text: str, other: Sequence[str], against: str) -> Computed:
    """How a short text is split, and whether `other` is one of its segmentations."""
    graph, there = graph_of(open_model(model), text), graph_of(open_model(against), text)
    every = {_tokens(graph, path) for path in _paths(graph.graph)}
    values: dict[str, Value] = {
        text: _tokens(graph, graph.canonical),
        "the other way is there": yes_or_no(tuple(other) in every),
    }
    facts: dict[str, Value] = {"title": MODELS[model].title, "against": MODELS[against].title}
    facts |= {"number": graph.graph.number, "there": _tokens(there, there.canonical)}
    return Computed(values, facts)


def grow_exponentially(model: str, passage: str, lengths: Sequence[int]) -> Computed:
    """Whether the number of segmentations is nearly squared when a text becomes twice as long."""
    text, loaded = _passage(passage), open_model(model)
    powers = [len(str(graph_of(loaded, text[:length]).graph.number)) - 1 for length in lengths]
    doubles = all(1.7 * a <= b <= 2.3 * a for a, b in pairwise(powers))
    values: dict[str, Value] = {"each doubling squares it, nearly": yes_or_no(doubles)}
    facts: dict[str, Value] = {"title": MODELS[model].title}
    facts["first"] = ", ".join(map(str, lengths))
    facts["powers"] = ", ".join(f"about 10^{power}" for power in powers)
    return Computed(values, facts)


def drawn_evenly(model: str, text: str) -> Computed:
    """The exact probabilities with which the segmentations of a short text are drawn."""
    graph = graph_of(open_model(model), text).graph
    shares = {graph.probability(path) for path in _paths(graph)}
    expected = Fraction(1, graph.number)
    values: dict[str, Value] = {
        "different probabilities": len(shares),
        "they are one over their number": yes_or_no(shares == {expected}),
    }
    facts: dict[str, Value] = {"number": graph.number, "share": str(expected)}
    return Computed(values, facts)


def digits_lined_up(model: str, pairs: int, digits: int, seed: int) -> Computed:
    """In how many sums of two drawn numbers the tokens have digits of the same places."""
    loaded, rng = open_model(model), random.Random(seed)
    counts = dict.fromkeys(("as_written", "with_commas", "from_right"), 0)
    for _ in range(pairs):
        numbers = [rng.randrange(10 ** rng.randrange(digits)) for _ in range(2)]
        numbers.append(sum(numbers))
        written = [str(number) for number in numbers]
        counts["as_written"] += line_up(loaded, written)
        counts["with_commas"] += line_up(loaded, [f"{number:,}" for number in numbers])
        counts["from_right"] += line_up(loaded, written, from_right=True)
    facts: dict[str, Value] = {"pairs": pairs, **counts}
    return Computed({"with commas": counts["with_commas"]}, facts)


def billed_more(model: str, passage: str) -> Computed:
    """What the longest segmentation of a text costs, paid by the token and by the character."""
    graph = graph_of(open_model(model), _passage(passage))
    own, longest = graph.canonical, graph.graph.longest()
    decode = graph.loaded.decode
    characters = [len(decode(graph.ids(path))) for path in (own, longest)]
    values: dict[str, Value] = {
        "more by the token": yes_or_no(len(longest) > len(own)),
        "more by the character": yes_or_no(characters[1] > characters[0]),
    }
    facts: dict[str, Value] = {"title": MODELS[model].title, "own": len(own)}
    return Computed(values, facts | {"longest": len(longest), "times": len(longest) / len(own)})
