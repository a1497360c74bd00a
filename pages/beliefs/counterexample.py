"""Show the smallest corpus on which a true-or-false belief fails, both outcomes, and links."""

from collections.abc import Mapping
from fractions import Fraction
from urllib.parse import urlencode

from markupsafe import Markup

from lessons.claims.values import format_value
from pages.shared.drawing.display_text import escape_invisible, html_table, html_tiles
from pages.shared.drawing.markup import each, html, joined
from pages.shared.drawing.phrasing import count_of
from tokenizers.experiments.beliefs.counterexamples import SearchResult
from tokenizers.experiments.beliefs.failing import Counterexample, Number, Outcome
from tokenizers.text.counts import write_counts


def describe_answer(found: SearchResult, guess: bool) -> str:
    """Return whether a belief is true, and whether the guess was right."""
    is_true = found.example is None
    verdict = "it is true." if is_true else "it is false. Here is where it fails."
    return f"{'Right' if guess == is_true else 'No'}: {verdict}"


def describe_search(found: SearchResult) -> str:
    """Describe the search, and why the example is the smallest."""
    letters = count_of(found.belief.num_letters, "different letter")
    cases, size = count_of(found.num_cases, "case"), count_of(found.size, "letter")
    if found.example is None:
        return (
            f"A search through {cases}, of up to {size} in all and {letters} at most, found no "
            "counterexample. A search alone is no proof; the reason is."
        )
    return (
        f"It is the smallest one: {size} in all. To find it, we tried {cases} in order of size, "
        f"with {letters} at most. Cases with a tie, or with a letter twice in a row, are left "
        "out, because libraries differ there."
    )


def html_corpora(example: Counterexample) -> Markup:
    """Return the example's corpus, or its two corpora, as tables."""
    corpora = {"The corpus": example.word_counts}
    if example.others is not None:
        corpora = {"One corpus": example.word_counts, "Another corpus": example.others}
    tables = (html_table(name, ("word", "count"), [*of.items()]) for name, of in corpora.items())
    return html('<div class="pp-sides">{}</div>', each("<section>{}</section>", tables))


def describe_setting(example: Counterexample) -> str:
    """Describe what is done with the corpus; empty if the outcomes already say it."""
    if not example.word:
        return ""
    if example.num_merges:
        return (
            f"After {count_of(example.num_merges, 'merge')}, “{example.word}” is split like this:"
        )
    return (
        "Every part of a word is a piece, and as probable as its share of all their occurrences "
        f"(so Unigram training begins). “{example.word}” is split like this:"
    )


def html_sides(example: Counterexample) -> Markup:
    """Return both outcomes, with their tokens and their numbers."""
    return html('<div class="pp-sides">{}</div>', joined(map(_side, example.outcomes)))


def _side(side: Outcome) -> Markup:
    lines = [f"{what}: {number_text(n)}" for what, n in side.numbers.items()]
    if side.merges:
        merges = ", then ".join("+".join(pair) for pair in side.merges)
        lines.append(html("merges: <bdi>{}</bdi>", escape_invisible(merges)))
    tiles = Markup(html_tiles(side.tokens, label=side.name))
    text = joined(lines, "<br>")
    return html("<section><h3>{}</h3>{}<p>{}</p></section>", side.name, tiles, text)


def html_links(found: SearchResult) -> Markup:
    """Return `step_urls` as links."""
    links = [
        html('<a href="{}" style="color:inherit">{}</a>', address, name)
        for name, address in step_urls(found).items()
    ]
    return joined(links, " · ")


def number_text(value: Number) -> str:
    """Return a number; a fraction with its decimal value.

    >>> number_text(Fraction(8, 49)), number_text(3)
    ('8/49 = 0.1633', '3')
    """
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value} = {format_value(value)}"
    return format_value(value)


def step_urls(found: SearchResult) -> dict[str, str]:
    """Return the URLs at which the example can be stepped through, by label."""
    example = found.example
    if example is None:
        return {}
    counts = example.word_counts
    match found.belief.id:
        case "longest_match":
            return {
                "Step through BPE": _encode_url(example, counts, example.word),
                "Step through the longest match": _match_url(example),
            }
        case "last_token":
            both = f"{example.word[:-1]} {example.word}"
            return {"Step through both": _encode_url(example, counts, both)}
        case "same_vocabulary":
            return {
                "Step with the first corpus": _encode_url(example, counts, example.word),
                "Step with the second": _encode_url(example, example.others or {}, example.word),
            }
        case "score_is_tie_breaker":
            return {
                "Step by the count": _url("bpe_train", counts, base="characters", step="1"),
                "Step by the score": _url("wordpiece_train", counts, mark="", step="1"),
            }
        case "fewest_is_likeliest":
            see = {"pieces_from": "learned", "round": "1", "say": example.word}
            return {"See the lattice": _url("unigram_lattice", counts, **see)}
        case _:
            see = {"base": "characters", "step": str(example.num_merges)}
            return {"Step through it": _url("bpe_train", counts, **see)}


def _encode_url(example: Counterexample, counts: Mapping[str, int], words: str) -> str:
    merges = str(example.num_merges)
    return _url("bpe_encode", counts, base="characters", merges=merges, say=words)


def _match_url(example: Counterexample) -> str:
    """Return the URL at which BPE's pieces are matched, the longest first.

    That page marks pieces that do not begin a word, so each piece is also added with the mark.
    """
    merged = {token for side in example.outcomes for token in side.tokens if len(token) > 1}
    pieces = sorted(merged | {f"##{piece}" for piece in merged})
    see = {"merges": "0", "say": example.word, "add": " ".join(pieces)}
    return _url("wordpiece_encode", example.word_counts, **see)


def _url(page: str, counts: Mapping[str, int], **see: str) -> str:
    return f"{page}?{urlencode({'corpus': 'table', 'text': write_counts(counts), **see})}"
