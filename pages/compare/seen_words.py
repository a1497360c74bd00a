"""Compare words seen in training with unseen words, and draw a text's words as a heat map.

A word is a run of characters without white space. It counts as seen if the training text has the
same word, where punctuation at both ends is ignored; case matters.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex
from markupsafe import Markup

from pages.shared.aligned.side_by_side import NamedTokenizer
from pages.shared.drawing.display_text import shorten
from pages.shared.drawing.markup import html, joined
from pages.shared.training.source import CorpusSource
from tokenizers.measures.metrics import tokens_of_words, word_spans
from tokenizers.progress import ProgressCallback

MAX_HEAT_WORDS = 600
"""The heat map shows at most this many words."""
_AROUND = regex.compile(r"^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$")
LEVELS = ("one token", "up to 1 token for 3 characters", "up to 2 for 3", "more")


@dataclass(frozen=True, slots=True)
class HeatWord:
    """A word of the text: how many tokens hold a part of it, and whether one of them is unknown."""

    text: str
    tokens: int
    has_unknown: bool
    is_seen: bool
    ends_line: bool = False

    @property
    def level(self) -> int:
        """The index into `LEVELS` that says how broken up the word is."""
        if self.tokens <= 1:
            return 0
        share = self.tokens / len(self.text)
        return 1 if share <= 1 / 3 else 2 if share <= 2 / 3 else 3


@dataclass(frozen=True, slots=True)
class WordGroup:
    """The number of some words, of their tokens, and of words that contain something unknown."""

    words: int
    tokens: int
    unknown: int

    @property
    def fertility(self) -> float | None:
        """Mean number of tokens per word; None without words."""
        return self.tokens / self.words if self.words else None

    @property
    def unknown_rate(self) -> float | None:
        """The fraction of the words that contain something unknown; None without words."""
        return self.unknown / self.words if self.words else None


@dataclass(frozen=True, slots=True)
class SeenVsUnseen:
    """Counts of a text's words that are, and are not, in one tokenizer's training text.

    Both are None for a published model, whose training text is not known. `words` has the text's
    first words, for the heat map.
    """

    name: str
    seen: WordGroup | None
    unseen: WordGroup | None
    words: tuple[HeatWord, ...]


def split_by_seen(
    report: ProgressCallback,
    text: str,
    tokenizers: Sequence[NamedTokenizer],
    sources: Sequence[CorpusSource | None],
) -> tuple[SeenVsUnseen, ...]:
    """Split the words of a text by whether each tokenizer's training text has them.

    A source is None if the training text is not known.
    """
    words_in = cache(known_words)  # most tokenizers share one training text
    known = [one and words_in(one.text, tuple(one.counts or ())) for one in sources]
    return tuple(
        _split_by_seen(text, one, words) for one, words in zip(tokenizers, known, strict=True)
    )


def known_words(text: str, counted: Iterable[str]) -> set[str]:
    """Return the words of a text and the words `counted`, without punctuation at their ends."""
    return {strip_punctuation(word) for word in (*text.split(), *counted)}


def strip_punctuation(word: str) -> str:
    """Return a word without punctuation at its ends; pure punctuation is kept.

    >>> strip_punctuation("“tide,”"), strip_punctuation("low-lying"), strip_punctuation("...")
    ('tide', 'low-lying', '...')
    """
    return _AROUND.sub("", word) or word


def _split_by_seen(text: str, one: NamedTokenizer, known: set[str] | None) -> SeenVsUnseen:
    words = list(heat_words(text, one, known))
    shown = tuple(words[:MAX_HEAT_WORDS])
    if known is None:
        return SeenVsUnseen(one.name, None, None, shown)
    seen = _group(word for word in words if word.is_seen)
    return SeenVsUnseen(one.name, seen, _group(word for word in words if not word.is_seen), shown)


def heat_words(text: str, one: NamedTokenizer, known: set[str] | None) -> Iterator[HeatWord]:
    """Yield a text's words as a tokenizer splits them; all count as seen if `known` is None."""
    encoding = one.encode(text)
    spans = word_spans(text)
    nexts = [start for start, _ in (*spans, (len(text), 0))[1:]]
    held = tokens_of_words(spans, encoding)
    for (start, end), tokens, following in zip(spans, held, nexts, strict=True):
        word = text[start:end]
        unknown = any(encoding.tokens[n] != encoding.pieces[n] for n in tokens)
        is_seen = known is None or strip_punctuation(word) in known
        yield HeatWord(word, len(tokens), unknown, is_seen, "\n" in text[end:following])


def _group(words: Iterable[HeatWord]) -> WordGroup:
    rows = list(words)
    return WordGroup(len(rows), sum(w.tokens for w in rows), sum(w.has_unknown for w in rows))


# --- As HTML --------------------------------------------------------------------------------------


def html_heat(words: Sequence[HeatWord], label: str) -> Markup:
    """Return the words as HTML, hotter the more broken up they are, with token counts except 1.

    >>> '<span class="h0 new"><bdi>&lt;b&gt;</bdi></span>' in html_heat(
    ...     [HeatWord("<b>", 1, False, False)], "heat"
    ... )
    True
    """
    legend = {f"h{n}": name for n, name in enumerate(LEVELS)}
    legend |= {"unk": "something unknown", "new": "underlined: not in the training text"}
    return html(
        '<div class="pp-heat"><p>{}</p><div aria-label="{}">{}</div></div>',
        joined((html('<span class="{}">{}</span>', *one) for one in legend.items()), " "),
        label,
        joined(map(_word_html, words), " "),
    )


def _word_html(word: HeatWord) -> Markup:
    kind = ("unk" if word.has_unknown else f"h{word.level}") + ("" if word.is_seen else " new")
    number = html("<small>{}</small>", word.tokens) if word.tokens != 1 else ""
    shown = shorten(word.text, 40)
    ends = Markup("<br>") if word.ends_line else ""
    return html('<span class="{}"><bdi>{}</bdi>{}</span>{}', kind, shown, number, ends)
