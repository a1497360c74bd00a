"""A loaded tokenizer's components, and a text's path through them.

A text is split at its added tokens. The text between them is normalized, split at the added tokens
that are matched after normalization, and split into words, which the model splits into pieces. A
post-processor adds tokens such as `<s>` around the result; a decoder turns tokens back into text.

`components.py` defines the protocols. `LoadedTokenizer` combines the components, and
`LoadedTokenizer.stages` returns the text after each component. All positions count characters.
`encode` returns all tokens; `encode_to_length` also does the truncation and padding of the file.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import product
from typing import Any, Literal, NamedTuple

from tokenizers.errors import UserError
from tokenizers.limits import (
    MAX_TOKEN_LENGTH,
    GrowthLimit,
    check_at_most,
    gc_disabled,
    time_limit,
)
from tokenizers.runtime.added_tokens import AddedTokens
from tokenizers.runtime.components import (
    ComponentSequence,
    Decoder,
    LoadedEncoding,
    Normalizer,
    PostProcessor,
    PreTokenizedText,
    PreTokenizer,
    RuntimeModel,
)
from tokenizers.runtime.segments import (
    Segment,
    SegmentStep,
    WordCache,
    apply_step,
    join,
)
from tokenizers.runtime.truncation import FittedEncoding, Padding, Range, Truncation
from tokenizers.text.corpus import Pipeline

Special = Literal["control", "text"]
"""Whether a special token that occurs in a text is read as the token or as plain text."""


class FileSetting(NamedTuple):
    """What a file that lies beside a tokenizer says of one setting.

    `ignored` says why the setting changes nothing here; it is "" for one that was applied.
    """

    file: str
    setting: str
    value: str
    ignored: str = ""


class StageOutput(NamedTuple):
    """The text after one component.

    `kind` is "normalizer", "pre_tokenizer" or "added_tokens", `name` the component's class name,
    and `description` a sentence that says what the component does.
    """

    kind: str
    name: str
    description: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True)
class LoadedTokenizer:
    """A tokenizer read from a file.

    `caveats` contains sentences on what the file lacks and what it asks for but is not done here.
    `chat_templates` has the Jinja sources of its chat templates by name, the usual one as
    "default", and `template_tokens` the tokens that they may name, such as `bos_token`.
    `settings` lists what the files beside the tokenizer say, and whether it was applied.
    """

    name: str
    format: str
    model: RuntimeModel
    added: AddedTokens = field(default_factory=AddedTokens)
    normalizer: Normalizer | None = None
    pre_tokenizer: PreTokenizer | None = None
    post_processor: PostProcessor | None = None
    decoder: Decoder | None = None
    caveats: tuple[str, ...] = ()
    chat_templates: Mapping[str, str] = field(default_factory=dict[str, str])
    template_tokens: Mapping[str, str] = field(default_factory=dict[str, str])
    settings: tuple[FileSetting, ...] = ()
    truncation: Truncation | None = None
    padding: Padding | None = None

    def __post_init__(self) -> None:
        """Raise UserError if a token is too long."""
        for tokens in (self.model.vocab, self.added.ids):
            check_at_most(
                max(map(len, tokens), default=0), MAX_TOKEN_LENGTH, "characters in a token"
            )

    @cached_property
    def vocab(self) -> Mapping[str, int]:
        """All tokens with their ids; added tokens come after the model's vocabulary."""
        vocab = self.model.vocab
        more = {token: id_ for token, id_ in self.added.ids.items() if vocab.get(token) != id_}
        return {**vocab, **more} if more else vocab

    @property
    def unk(self) -> str | None:
        """The token for unknown characters or words; None if there is none."""
        return self.model.unk

    @property
    def specials(self) -> Mapping[str, int]:
        """The special tokens by name."""
        return self.added.specials

    @cached_property
    def _tokens(self) -> dict[int, str]:
        return {
            id_: token for token, id_ in self.model.vocab.items()
        } | self.added.normalized_contents

    # --- From text to ids -------------------------------------------------------------------------

    def stages(self, text: str, special: Special = "control") -> list[StageOutput]:
        """Return the text after each component before the model; raises UserError as `encode`."""
        segments = (Segment(PreTokenizedText.whole(_RAW(text).aligned)),)
        shown: list[StageOutput] = []
        with time_limit(text):
            for kind, name, description, step in self.steps(special):
                segments = tuple(apply_step(text, segments, step))
                shown.append(StageOutput(kind, name, description, segments))
        return shown

    def steps(self, special: Special) -> Iterator[tuple[str, str, str, SegmentStep]]:
        """Yield the kind, name, description and function of each step before the model.

        Kinds and names are as in `StageOutput`. Raises UserError if `special` is invalid.
        """
        if special not in ("control", "text"):
            raise UserError(f"special is {special!r}; it must be control or text")
        as_text = special == "text"
        if self.added.tokens:
            cut = partial(self._cut_at_added, False, as_text)
            yield "added_tokens", "In the raw text", self.added.describe(normalized=False), cut
        for part in flatten_components(self.normalizer):
            change = partial(_normalized, part)
            yield "normalizer", type(part).__name__, part.describe(), change
        if self.added.tokens:
            cut = partial(self._cut_at_added, True, as_text)
            yield (
                "added_tokens",
                "In the normalized text",
                self.added.describe(normalized=True),
                cut,
            )
        for part in flatten_components(self.pre_tokenizer):
            change = partial(_pre_tokenized, part)
            yield "pre_tokenizer", type(part).__name__, part.describe(), change

    def _cut_at_added(self, normalized: bool, as_text: bool, segment: Segment) -> list[Segment]:
        if segment.added:
            return [segment]
        aligned = segment.words.aligned
        cuts = self.added.split(aligned.text, normalized, as_text)
        if len(cuts) == 1 and cuts[0][2] is None:
            return [segment]
        GrowthLimit(len(aligned.text)).check(sum([end - start for start, end, _ in cuts]))
        return [
            Segment(PreTokenizedText.whole(aligned.part(start, end)), token)
            for start, end, token in cuts
        ]

    def encode(
        self,
        text: str,
        pair: str | None = None,
        special: Special = "control",
        add_special_tokens: bool = True,
        cache: "WordCache | None" = None,
    ) -> LoadedEncoding:
        """Return the tokens of a text, or of a pair of texts.

        `special` says how to read special tokens that occur in a text. `cache` contains words that
        this model has already split, and is updated. Raises UserError if the text contains a lone
        surrogate, or if one of the file's patterns takes too long on the text.
        """
        return self._post_process(self._encode_each(text, pair, special, cache), add_special_tokens)

    def encode_to_length(
        self,
        text: str,
        pair: str | None = None,
        special: Special = "control",
        add_special_tokens: bool = True,
        cache: "WordCache | None" = None,
    ) -> FittedEncoding:
        """Return the tokens of a text, or of a pair, truncated and padded as the file asks.

        The arguments are those of `encode`. Raises UserError as `encode` does, if the file's
        lengths cannot be kept, and if they demand too much memory. In the overflow of a pair, type
        ids are those of a pair that is not cut; the library has others with some post-processors.
        """
        texts = self._encode_each(text, pair, special, cache)
        ranges: list[list[Range]] = [[(0, len(one.ids))] for one in texts]
        if self.truncation:
            added = self._num_added(len(texts)) if add_special_tokens else 0
            ranges = self.truncation.ranges([len(one.ids) for one in texts], added)
        padding = self.padding or Padding(0)
        longest = sum([max(end - start for start, end in one) for one in ranges])
        GrowthLimit(sum([len(one.ids) for one in texts])).check(
            math.prod(map(len, ranges)) * max(longest, padding.target(longest))
        )
        found: list[LoadedEncoding] = []
        for chosen in _with_overflow(ranges):
            parts = [_part(*both) for both in zip(texts, chosen, strict=True)]
            found.append(self._post_process(parts, add_special_tokens))
        target = padding.target(len(found[0].ids))
        first, *overflow = [padding(one, target) for one in found]
        kept = tuple([one[0] for one in ranges])
        return replace(first, kept=kept, overflow=tuple(overflow))

    def _encode_each(
        self, text: str, pair: str | None, special: Special, cache: "WordCache | None"
    ) -> list[LoadedEncoding]:
        cache = WordCache(self.model) if cache is None else cache
        texts = (text,) if pair is None else (text, pair)
        return [self._encode(one, special, source, cache) for source, one in enumerate(texts)]

    def _post_process(
        self, encodings: list[LoadedEncoding], add_special_tokens: bool
    ) -> LoadedEncoding:
        if self.post_processor:
            encodings = self.post_processor(encodings, add_special_tokens)
        return encodings[0] if len(encodings) == 1 else LoadedEncoding.concatenate(encodings)

    def _num_added(self, num_texts: int) -> int:
        """Return the number of tokens that are added to one text or two."""
        texts = [
            LoadedEncoding(("a",), (0,), ((0, 1),), ("a",), (0,), (source,), (source,))
            for source in range(num_texts)
        ]
        return self._post_process(texts, True).sources.count(-1)

    def _encode(
        self, text: str, special: Special, source: int, cache: "WordCache"
    ) -> LoadedEncoding:
        segments = self.segments(text, special)
        with time_limit(text), gc_disabled():
            return join(segments, cache, self.unk, source)

    def segments(self, text: str, special: Special) -> list[Segment]:
        """Return what the model gets of a text: its words, and the added tokens between them.

        Raises UserError as `encode` does.
        """
        segments = [Segment(PreTokenizedText.whole(_RAW(text).aligned))]
        with time_limit(text), gc_disabled():
            for *_, change in self.steps(special):
                segments = apply_step(text, segments, change)
        return segments

    # --- And back ---------------------------------------------------------------------------------

    def decode(self, ids: Sequence[int], skip_special_tokens: bool = True) -> str:
        """Return the text of `ids`; without a decoder, return the tokens separated by spaces.

        Raises UserError if an id is unknown.
        """
        known, specials = self._tokens, self.specials
        tokens = [known[id_] if id_ in known else self.token_of(id_) for id_ in ids]
        if skip_special_tokens and specials:
            tokens = [token for token in tokens if token not in specials]
        GrowthLimit(_PER_TOKEN * len(ids)).check(sum(map(len, tokens)))
        if not self.decoder:
            return " ".join(tokens)
        with time_limit(" ".join(tokens)):
            return "".join(self.decoder(tokens))

    def token_of(self, id_: int) -> str:
        """Return the token with this id; raises UserError if there is none."""
        token = self._tokens.get(id_)
        if token is None:
            raise UserError(
                f"The vocabulary of {len(self.vocab):,} tokens has no id {id_}. Use one of its ids."
            )
        return token


_PER_TOKEN = 20
"""The expected number of characters per token; `GrowthLimit` allows a multiple of it."""
_RAW = Pipeline((), "none")
"""A pipeline that leaves a text unchanged, but rejects lone surrogates."""


def flatten_components(part: Any) -> list[Any]:
    """Return a component alone or, for a sequence, all components in it; [] for None."""
    if isinstance(part, ComponentSequence):
        return [one for inner in part.components for one in flatten_components(inner)]
    return [] if part is None else [part]


def _with_overflow(ranges: Sequence[Sequence[Range]]) -> Iterator[tuple[Range, ...]]:
    """Yield the ranges kept of each text, then each combination with an overflow, as the library.

    Each overflow of the first text comes with all ranges of the second, then what the first text
    keeps with each overflow of the second.
    """
    (kept, *overflow), *others = ranges
    of_others = list(product(*others))
    yield kept, *of_others[0]
    for first in overflow:
        for rest in of_others:
            yield first, *rest
    for rest in of_others[1:]:
        yield kept, *rest


def _part(encoding: LoadedEncoding, tokens: Range) -> LoadedEncoding:
    """Return a range of an encoding's tokens."""
    here = slice(*tokens)
    columns = (getattr(encoding, name) for name in encoding.__dataclass_fields__)
    return LoadedEncoding(*(column[here] for column in columns))


def _normalized(part: Normalizer, segment: Segment) -> list[Segment]:
    return (
        [segment]
        if segment.added
        else [Segment(PreTokenizedText.whole(part(segment.words.aligned)))]
    )


def _pre_tokenized(part: PreTokenizer, segment: Segment) -> list[Segment]:
    return [segment] if segment.added else [Segment(part(segment.words))]
