"""Words that a tokenizer has learned from, and words that it has not: told apart, and as a heat.

A word is a run without white space. It counts as seen if what is left of it without punctuation at
both ends is such a word of the text that was learned from; capitals count.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import regex

from pages.compare.side_by_side import Contestant
from pages.shared.drawing.tiles import cut_short, palette_css
from pages.shared.learning.source import Report, Source
from tokenizers.measures.metrics import tokens_of_words, word_spans

MOST_HEATED = 600
"""Words of a text that are drawn in the heat."""
_AROUND = regex.compile(r"^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$")
LEVELS = ("one token", "up to 1 token for 3 characters", "up to 2 for 3", "more")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the text: how many tokens hold a part of it, and whether one of them is unknown."""

    text: str
    tokens: int
    unknown: bool
    seen: bool
    ends_line: bool = False

    @property
    def level(self) -> int:
        """How broken up it is: the number of one of `LEVELS`."""
        if self.tokens <= 1:
            return 0
        share = self.tokens / len(self.text)
        return 1 if share <= 1 / 3 else 2 if share <= 2 / 3 else 3


@dataclass(frozen=True, slots=True)
class Group:
    """Some words of a text: how many, their tokens, and how many have something unknown."""

    words: int
    tokens: int
    unknown: int

    @property
    def fertility(self) -> float | None:
        """Tokens for each word, the mean; None where there is no word."""
        return self.tokens / self.words if self.words else None

    @property
    def unknown_rate(self) -> float | None:
        """The share of the words that have something unknown; None where there is no word."""
        return self.unknown / self.words if self.words else None


@dataclass(frozen=True, slots=True)
class Seen:
    """The words of a text for one contestant: those it has met, those it has not, the first.

    Neither is known of a published model, whose training text is not.
    """

    name: str
    seen: Group | None
    unseen: Group | None
    words: tuple[Word, ...]


def seen_and_unseen(
    report: Report, text: str, asked: Sequence[Contestant], sources: Sequence[Source | None]
) -> tuple[Seen, ...]:
    """Tell for every contestant the words that its source has from those that it has not.

    A source is None where the training text is not known.
    """
    known = {source: known_words(source) for source in dict.fromkeys(_plain(sources)) if source}
    rows = zip(asked, _plain(sources), strict=True)
    return tuple(_seen(text, one, known[source] if source else None) for one, source in rows)


def _plain(sources: Sequence[Source | None]) -> list[tuple[str, tuple[str, ...]] | None]:
    """Return of each source its text and the words that it counts, to be told apart by."""
    return [source and (source.text, tuple(source.counts or ())) for source in sources]


def known_words(source: tuple[str, tuple[str, ...]]) -> set[str]:
    """Return the words of a source, without punctuation around them."""
    text, counted = source
    return {core(word) for word in (*text.split(), *counted)}


def core(word: str) -> str:
    """Return a word without punctuation at its ends; a word that is nothing else stays.

    >>> core("“tide,”"), core("low-lying"), core("...")
    ('tide', 'low-lying', '...')
    """
    return _AROUND.sub("", word) or word


def _seen(text: str, one: Contestant, known: set[str] | None) -> Seen:
    words = list(words_of(text, one, known))
    if known is None:
        return Seen(one.name, None, None, tuple(words[:MOST_HEATED]))
    return Seen(
        one.name,
        _group(word for word in words if word.seen),
        _group(word for word in words if not word.seen),
        tuple(words[:MOST_HEATED]),
    )


def words_of(text: str, one: Contestant, known: set[str] | None) -> Iterator[Word]:
    """Yield the words of a text as a contestant cuts them; none is new where nothing is known."""
    found = one.encode(text)
    spans = word_spans(text)
    nexts = [start for start, _ in (*spans, (len(text), 0))[1:]]
    held = tokens_of_words(spans, found.offsets)
    for (start, end), tokens, following in zip(spans, held, nexts, strict=True):
        word = text[start:end]
        unknown = any(found.tokens[n] != found.pieces[n] for n in tokens)
        is_seen = known is None or core(word) in known
        yield Word(word, len(tokens), unknown, is_seen, "\n" in text[end:following])


def _group(words: Iterable[Word]) -> Group:
    rows = list(words)
    return Group(len(rows), sum(w.tokens for w in rows), sum(w.unknown for w in rows))


# --- As HTML --------------------------------------------------------------------------------------


def _hatch(width: float, angle: int) -> str:
    """Return stripes of the accent; the narrower the gap, the hotter."""
    ink = "color-mix(in srgb,var(--now) 34%,transparent)"
    return f"repeating-linear-gradient({angle}deg,{ink} 0 .12em,transparent .12em {width}em)"


_STYLE = (
    "<style>.pp-heat{" + palette_css() + "line-height:2.3;font-size:1.05rem}"
    ".pp-heat span{padding:.1em .25em;border-radius:.25em;white-space:nowrap;max-width:100%;"
    "display:inline-block;line-height:1.5;overflow:hidden;text-overflow:ellipsis;"
    "vertical-align:middle}"
    ".pp-heat small{font-size:.8rem;opacity:.85;margin-left:.2em;font-variant-numeric:tabular-nums}"
    f".pp-heat .h1{{background:{_hatch(0.9, 135)}}}.pp-heat .h2{{background:{_hatch(0.5, 135)}}}"
    f".pp-heat .h3{{background:{_hatch(0.26, 135)}}}"
    f".pp-heat .unk{{background:{_hatch(0.4, 45)},{_hatch(0.4, 135)};"
    "outline:.12em dashed var(--now);outline-offset:-.12em}"
    ".pp-heat .new{border-bottom:.16em solid currentColor;border-radius:.25em .25em 0 0}"
    ".pp-heat p{margin:0 0 .3rem}</style>"
)


def html_heat(words: Sequence[Word], label: str) -> str:
    """Return HTML of the words, the hotter the more they are broken up; a number where it is not 1.

    >>> '<span class="h0 new"><bdi>&lt;b&gt;</bdi></span>' in html_heat(
    ...     [Word("<b>", 1, False, False)], "heat"
    ... )
    True
    """
    body = " ".join(_heated(word) + ("<br>" if word.ends_line else "") for word in words)
    legend = " ".join(
        f'<span class="{kind}">{escape(name)}</span>'
        for kind, name in (
            *((f"h{n}", name) for n, name in enumerate(LEVELS)),
            ("unk", "something unknown"),
            ("new", "underlined: not in the training text"),
        )
    )
    name = escape(label, quote=True)
    return (
        f'{_STYLE}<div class="pp-heat"><p>{legend}</p><div aria-label="{name}">{body}</div></div>'
    )


def _heated(word: Word) -> str:
    kind = ("unk" if word.unknown else f"h{word.level}") + ("" if word.seen else " new")
    number = f"<small>{word.tokens}</small>" if word.tokens != 1 else ""
    return f'<span class="{kind}"><bdi>{escape(cut_short(word.text, 40))}</bdi>{number}</span>'
