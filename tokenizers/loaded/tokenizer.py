"""What a tokenizer read from a file is made of, and the way of a text through it.

A text is cut at its added tokens; what lies between them is normalized, cut at the added tokens
that are looked for there, cut into words, and each word is cut into pieces by the model. A
post-processor puts tokens such as `<s>` around the whole, a decoder makes text of tokens again.

`parts.py` says what is asked of each part. `Loaded` joins them; `Loaded.stages` shows the text
after each. All positions count characters.
Leaves out truncation and padding, which fit texts to a network and do not cut them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, count, repeat
from typing import Any, Literal, NamedTuple

from tokenizers.limits import (
    LONG,
    LONGEST_TOKEN,
    Growth,
    check_time,
    limited,
    refuse_more,
)
from tokenizers.loaded.added_tokens import AddedToken, AddedTokens
from tokenizers.loaded.parts import (
    NOTHING,
    Decoder,
    InTurn,
    LoadedEncoding,
    Model,
    Normalizer,
    Piece,
    PostProcessor,
    PreTokenizer,
    Words,
)
from tokenizers.refusal import Refusal
from tokenizers.text.corpus import Pipeline

Special = Literal["control", "text"]
"""How to read a special token that stands in a text: as the token, or as plain text."""


class Segment(NamedTuple):
    """A stretch of the text: an added token, or words that are still to be cut."""

    words: Words
    added: AddedToken | None = None


class Stage(NamedTuple):
    """The text after one part.

    `place` is where the part stands in the tokenizer: "normalizer", "pre_tokenizer" or
    "added_tokens"; `name` is the name of its kind, and `says` a sentence on what it does.
    """

    place: str
    name: str
    says: str
    segments: tuple[Segment, ...]


Change = Callable[[Segment], list[Segment]]
"""What one step makes of a segment."""


@dataclass(frozen=True)
class Loaded:
    """A tokenizer read from a file. `untold` are sentences on what the file cannot tell."""

    name: str
    format: str
    model: Model
    added: AddedTokens = field(default_factory=AddedTokens)
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    post_processor: PostProcessor | None = None
    decoder: Decoder | None = None
    untold: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for a token that is too long."""
        for tokens in (self.model.vocab, self.added.ids):
            refuse_more(max(map(len, tokens), default=0), LONGEST_TOKEN, "characters in a token")

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """All tokens with their ids, those added to the model's vocabulary last."""
        own = self.model.vocab
        more = {token: id_ for token, id_ in self.added.ids.items() if own.get(token) != id_}
        return {**own, **more} if more else own

    @property
    def unk(self) -> str | None:
        """The token that stands for what is not in the vocabulary; None if there is none."""
        return self.model.unk

    @property
    def specials(self) -> Mapping[str, int]:
        """The special tokens by name."""
        return self.added.specials

    @cached_property
    def _tokens(self) -> dict[int, str]:
        return {id_: token for token, id_ in self.model.vocab.items()} | self.added.written

    # --- From text to ids -------------------------------------------------------------------------

    def stages(self, text: str, special: Special = "control") -> list[Stage]:
        """Return the text after each part before the model; ValueError as for `encode`."""
        segments = (Segment(Words.whole(_RAW(text).aligned)),)
        shown: list[Stage] = []
        with limited(text):
            for place, name, says, change in self.steps(special):
                segments = tuple(changed(text, segments, change))
                shown.append(Stage(place, name, says, segments))
        return shown

    def steps(self, special: Special) -> Iterator[tuple[str, str, str, Change]]:
        """Yield place, name, description and function of each step before the model.

        Places and names are those of `Stage`. ValueError for another `special`.
        """
        if special not in ("control", "text"):
            raise Refusal(f"special is {special!r}; it must be control or text")
        as_text = special == "text"
        if self.added.tokens:
            cut = partial(self._cut_at_added, False, as_text)
            yield "added_tokens", "In the raw text", self.added.says(normalized=False), cut
        for part in parts_of(self.normalizer):
            change = partial(_normalized, part)
            yield "normalizer", type(part).__name__, part.says(), change
        if self.added.tokens:
            cut = partial(self._cut_at_added, True, as_text)
            yield "added_tokens", "In the normalized text", self.added.says(normalized=True), cut
        for part in parts_of(self.pre_tokenizer):
            change = partial(_pre_tokenized, part)
            yield "pre_tokenizer", type(part).__name__, part.says(), change

    def _cut_at_added(self, normalized: bool, as_text: bool, segment: Segment) -> list[Segment]:
        if segment.added:
            return [segment]
        aligned = segment.words.aligned
        cuts = self.added.split(aligned.text, normalized, as_text)
        if len(cuts) == 1 and cuts[0][2] is None:
            return [segment]
        Growth(len(aligned.text)).check(sum([end - start for start, end, _ in cuts]))
        return [Segment(Words.whole(aligned.part(start, end)), token) for start, end, token in cuts]

    def encode(
        self,
        text: str,
        pair: str | None = None,
        special: Special = "control",
        add_special_tokens: bool = True,
        cuts: "Cuts | None" = None,
    ) -> LoadedEncoding:
        """Return the tokens of a text, or of a pair of texts.

        `special` says how to read special tokens that stand in a text; `cuts` are words that were
        cut before, by this model, and are kept for the next call. ValueError for a lone surrogate,
        and for a text on which a pattern of the file takes too long.
        """
        cuts = Cuts(self.model) if cuts is None else cuts
        encodings = [self._encode(text, special, 0, cuts)]
        if pair is not None:
            encodings.append(self._encode(pair, special, 1, cuts))
        if self.post_processor:
            encodings = self.post_processor(encodings, add_special_tokens)
        return encodings[0] if len(encodings) == 1 else LoadedEncoding.joined(encodings)

    def _encode(self, text: str, special: Special, source: int, cuts: "Cuts") -> LoadedEncoding:
        segments = [Segment(Words.whole(_RAW(text).aligned))]
        with limited(text):
            for *_, change in self.steps(special):
                segments = changed(text, segments, change)
        with limited(text):
            return _joined(segments, cuts, self.unk, source)

    # --- And back ---------------------------------------------------------------------------------

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of `ids`; without a decoder, the tokens with spaces between them.

        Raises ValueError for an id that no token has.
        """
        known, specials = self._tokens, self.specials
        tokens = [known[id_] if id_ in known else self.token_of(id_) for id_ in ids]
        if skip_special_tokens and specials:
            tokens = [token for token in tokens if token not in specials]
        Growth(_PER_TOKEN * len(ids)).check(sum(map(len, tokens)))
        if not self.decoder:
            return " ".join(tokens)
        with limited(" ".join(tokens)):
            return "".join(self.decoder(tokens))

    def token_of(self, id_: int) -> str:
        """Return the token that has this id; ValueError if none has."""
        token = self._tokens.get(id_)
        if token is None:
            raise Refusal(
                f"The vocabulary of {len(self.vocab):,} tokens has no id {id_}. Use one of its ids."
            )
        return token


MOST_KEPT = 400_000
"""Characters of all words that `Cuts` keeps together."""
_PER_TOKEN = 20
"""A text of tokens may have ten times as many characters for each."""
_RAW = Pipeline((), "none")
"""Takes a text as it is; it refuses lone surrogates."""


def parts_of(part: Any) -> list[Any]:
    """Return the parts of several in turn, those of several among them too; none for None."""
    if isinstance(part, InTurn):
        return [one for inner in part.parts for one in parts_of(inner)]
    return [] if part is None else [part]


def changed(text: str, segments: Iterable[Segment], change: Change) -> list[Segment]:
    """Return what a step makes of all segments of a text; Refusal if they grow too much."""
    growth, found, size = Growth(len(text)), list[Segment](), 0
    for old in segments:
        for new in change(old):
            size += len(new.words.aligned.text)
            found.append(new)
        growth.check(size)
    if size > LONG:
        check_time()
    return found


def _normalized(part: Normalizer, segment: Segment) -> list[Segment]:
    return [segment] if segment.added else [Segment(Words.whole(part(segment.words.aligned)))]


def _pre_tokenized(part: PreTokenizer, segment: Segment) -> list[Segment]:
    return [segment] if segment.added else [Segment(part(segment.words))]


class Cuts(dict[str, Sequence[Piece]]):
    """The pieces of words, each cut when it is first asked for; at most `MOST_KEPT` are kept."""

    def __init__(self, model: Model) -> None:
        self._cut = model.cut
        self._length = 0

    def __missing__(self, word: str) -> Sequence[Piece]:
        self._length += len(word)
        if self._length > MOST_KEPT:
            self.clear()
            self._length = len(word)
        found = self[word] = self._cut(word)
        return found


def _joined(
    segments: Iterable[Segment], cuts: Cuts, unk: str | None, source: int
) -> LoadedEncoding:
    """Cut the words of all segments and put their pieces together."""
    found: list[Sequence[Piece]] = []
    texts: list[str] = []
    offsets: list[tuple[int, int]] = []
    of_added: set[int] = set()  # the numbers of words that are added tokens
    for cut, added in segments:
        (aligned, spans), words = cut, cut.texts
        starts, ends = aligned.starts, aligned.ends
        if added:
            of_added.update(range(len(texts), len(texts) + len(words)))
            here = [(Piece(added.content, added.id, 0, len(word)),) for word in words]
        else:
            here = list(map(cuts.__getitem__, words))
        offsets += [
            (starts[begin + a], ends[begin + b - 1])
            for (begin, _), pieces in zip(spans, here, strict=True)
            for _, _, a, b in pieces
        ]
        texts += words
        found += here
    if not offsets:
        return NOTHING
    tokens, ids, firsts, lasts = zip(*chain.from_iterable(found), strict=True)
    numbers = tuple(chain.from_iterable(map(repeat, count(), map(len, found))))
    pieces = tokens
    if of_added or unk in tokens:  # which stand for what is written in the text
        Growth(sum(map(len, texts))).check(sum(lasts) - sum(firsts))
        pieces = tuple(
            texts[number][a:b] if token == unk or number in of_added else token
            for token, number, a, b in zip(tokens, numbers, firsts, lasts, strict=True)
        )
    sources = (source,) * len(tokens)
    return LoadedEncoding(tokens, ids, tuple(offsets), pieces, numbers, sources, sources)
