"""Trace a text through every stage to ids and back, with each stage's changes and token spans.

`trace_stages` runs the stages in turn and keeps the span of every token in each stage's text.
`find_losses` finds what decoding does not give back, and the stage to blame. Layout for the screen
is in `rows.py`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice

from pages.shared.training.published import PublishedTokenizer
from pages.shared.training.tokenizer_kinds import Model, decode
from tokenizers import bpe
from tokenizers.text.alignment import AlignedText
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import UNK, Encoding
from tokenizers.text.normalizers import NORMALIZERS
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS

Span = tuple[int, int]
RAW, WORDS, MODEL, DECODING = "raw", "words", "model", "decoding"
"""The stages other than normalizers, which have their own names."""
MAX_DIFF_CHARS = 2_000  # characters that are compared one by one


@dataclass(frozen=True, slots=True)
class Edit:
    """A change made by a stage: `before[start:end]` became `after[new_start:new_end]`."""

    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class TracedStage:
    """The text after a stage, what that stage changed, and the span of each token in the text."""

    name: str
    text: str
    edits: tuple[Edit, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class StageTrace:
    """A text at every stage, from the raw text to the pre-tokens, its tokens, and the decoded text.

    `words` are the spans of the pre-tokens in the text of the last stage.
    """

    stages: tuple[TracedStage, ...]
    words: tuple[Span, ...]
    encoding: Encoding
    decoded: str

    @property
    def raw(self) -> str:
        """The original text."""
        return self.stages[0].text

    @property
    def is_lossless(self) -> bool:
        """Whether decoding gives back the original text exactly."""
        return self.decoded == self.raw


@dataclass(frozen=True, slots=True)
class Loss:
    """A difference after decoding: `raw[start:end]` became `decoded`, because of a stage."""

    start: int
    end: int
    decoded: str
    stage: str


# --- Through the stages ---------------------------------------------------------------------------


def trace_stages(text: str, model: Model, off: Sequence[str] = ()) -> StageTrace:
    """Trace a text through the stages of a model's pipeline, except those in `off`.

    `off` may name normalizers, `words` (the text stays one word) and `model` (each word is looked
    up as a whole). The model itself is not retrained. Raises UserError for a lone surrogate.
    """
    names = [n for n in NORMALIZERS if n in model.pipeline.normalizers and n not in off]
    split = "none" if WORDS in off else model.pipeline.pre_tokenizer
    Pipeline()(text)  # raises UserError for a lone surrogate
    steps = list(_normalized(text, names))
    pre_tokens = PRE_TOKENIZERS[split](AlignedText.raw(steps[-1].text if steps else text))
    steps.append(pre_tokens.aligned)
    # The spaces are marked already.
    ready_model = replace(
        model, pipeline=Pipeline((), "none" if split == "metaspace_whole" else split)
    )
    encoding = (
        _look_up(steps[-1].text, ready_model)
        if MODEL in off
        else ready_model.encode(steps[-1].text)
    )
    stages = tuple(stages_of(text, steps, [*names, WORDS], encoding.offsets))
    encoding = replace(encoding, offsets=stages[0].spans)
    return StageTrace(stages, pre_tokens.spans, encoding, decode(encoding, model))


def _normalized(text: str, names: Sequence[str]) -> Iterator[AlignedText]:
    """Yield the text after each normalizer, aligned with that normalizer's input."""
    for name in names:
        step = NORMALIZERS[name](AlignedText.raw(text))
        yield step
        text = step.text


def stages_of(
    text: str, steps: Sequence[AlignedText], names: Sequence[str], spans: Sequence[Span]
) -> Iterator[TracedStage]:
    """Yield all stages, with the token spans mapped back from the last stage to the raw text."""
    traced = [tuple(spans)]
    for step in reversed(steps):
        traced.append(tuple([step.span(*place) for place in traced[-1]]))
    traced.reverse()
    yield TracedStage(RAW, text, (), traced[0])
    before = text
    for name, step, found in zip(names, steps, traced[1:], strict=True):
        yield TracedStage(name, step.text, tuple(edits(before, step)), found)
        before = step.text


def _look_up(text: str, model: Model) -> Encoding:
    """Look every word up as a whole; words that are not pieces are unknown."""
    unk = model.unk or UNK
    words = model.pipeline(text)
    vocab = {UNK: len(model.vocab)} | dict(model.vocab)
    rows = []
    for n, span in enumerate(words.spans):
        word = words.aligned.text[slice(*span)]
        piece = "".join(model.settings.symbols(word)) if isinstance(model, bpe.Model) else word
        token = piece if piece in model.vocab else unk
        rows.append((token, vocab[token], words.aligned.span(*span), piece, n))
    return Encoding(*zip(*rows, strict=True)) if rows else Encoding((), (), (), (), ())


def edits(before: str, after: AlignedText) -> Iterator[Edit]:
    """Yield the changes between a text and its aligned result, from left to right.

    >>> from tokenizers.text.normalizers import lower
    >>> list(edits("aB", lower(AlignedText.raw("aB"))))
    [Edit(start=1, end=2, new_start=1, new_end=2)]
    """
    changed: Edit | None = None
    for edit in _regions(before, after):
        if changed and (edit.start, edit.new_start) == (changed.end, changed.new_end):
            changed = Edit(changed.start, edit.end, changed.new_start, edit.new_end)
            continue
        if changed:
            yield changed
        changed = edit
    if changed:
        yield changed


def _regions(before: str, after: AlignedText) -> Iterator[Edit]:
    """Yield the regions that differ, each as small as the alignment allows."""
    done = place = 0
    while place < len(after.text):
        start, end = after.starts[place], after.ends[place]
        new_end = place + 1
        while new_end < len(after.text) and after.starts[new_end] < end:
            end = max(end, after.ends[new_end])
            new_end += 1
        if done < start:
            yield Edit(done, start, place, place)
        if before[start:end] != after.text[place:new_end]:
            yield Edit(start, end, place, new_end)
        done, place = max(done, end), new_end
    if done < len(before):
        yield Edit(done, len(before), place, place)


# --- What does not come back ----------------------------------------------------------------------


def token_boundary(trace: StageTrace, index: int) -> int:
    """Return the last index up to `index` whose token shares no character with an earlier one."""
    shares = _shares_character(trace)
    while 0 < index < len(shares) and shares[index]:
        index -= 1
    return index


def _shares_character(trace: StageTrace) -> list[bool]:
    """Return for each token whether an earlier one holds a part of the same character.

    The character may be in the raw text or inserted by a stage. A token that stands for no
    character may lie before the end of a character that has become several.
    """
    shares = [False] * len(trace.encoding.tokens)
    for places in (trace.stages[0].spans, trace.stages[-1].spans):
        covered = 0
        for n, (start, end) in enumerate(places):
            shares[n] = shares[n] or start < covered
            covered = max(covered, end)
    return shares


def stage_span(trace: StageTrace, first: int, last: int, stage: int = 0) -> Span:
    """Return the span of a stage's text for the tokens from `first` up to `last`, gaps included."""
    places, text = trace.stages[stage].spans, trace.stages[stage].text
    start = places[first][0] if 0 < first < len(places) else 0
    return start, max(start, places[last][0]) if last < len(places) else len(text)


def find_losses(
    trace: StageTrace, model: Model | PublishedTokenizer, first: int, last: int
) -> list[Loss]:
    """Return the losses of the tokens from `first` up to `last`.

    Both must be token boundaries, see `token_boundary`. Replacing every loss in the raw text yields
    the decoded text.
    """
    done, until = stage_span(trace, first, last)
    found: list[Loss] = []
    for (start, end), now, unknown in _decoded_parts(trace, model, first, last):
        gap, piece = trace.raw[done:start], trace.raw[start:end]
        lead = _leading_spaces(gap, piece, now)
        found += _compare(trace, done, gap, lead)
        if unknown:
            found.append(Loss(start, end, now[len(lead) :], MODEL))
        else:
            found += _compare(trace, start, piece, now[len(lead) :])
        done = end
    gap, lead = trace.raw[done:until], ""
    for (start, end), now, _ in islice(_decoded_parts(trace, model, last), 1):
        lead = _leading_spaces(gap, trace.raw[start:end], now)
    return found + _compare(trace, done, gap, lead)


def _leading_spaces(gap: str, piece: str, now: str) -> str:
    """Return a decoded token's leading spaces, if they stand for the gap before it."""
    return now[: len(now) - len(now.lstrip(" "))] if gap and piece[:1] != " " else ""


def _decoded_parts(
    trace: StageTrace, model: Model | PublishedTokenizer, first: int, last: int | None = None
) -> Iterator[tuple[Span, str, bool]]:
    """Yield (raw span, text, unknown) for each group of tokens that share a character.

    The text is what a group adds to the decoding of the tokens before it; one such token is enough
    as context. Without `last`, the groups cover all tokens starting at `first`.
    """
    places, found = trace.encoding.offsets, trace.encoding
    last = len(places) if last is None else last
    shares, context = _shares_character(trace), max(first - 1, 0)
    before = decode(_part(found, context, first), model)
    while first < last:
        after, end = first + 1, places[first][1]
        while after < last and shares[after]:
            end = max(end, places[after][1])
            after += 1
        text = decode(_part(found, context, after), model)
        unknown = found.tokens[first:after] != found.pieces[first:after]
        yield (places[first][0], end), text[len(before) :], unknown
        first, before = after, text


def _part(found: Encoding, first: int, last: int) -> Encoding:
    """Return the encoding of the tokens from `first` up to `last`."""
    part = slice(first, last)
    return Encoding(
        found.tokens[part],
        found.ids[part],
        found.offsets[part],
        found.pieces[part],
        found.words[part],
    )


def _compare(trace: StageTrace, start: int, raw: str, decoded: str) -> list[Loss]:
    """Return the differences in a part of the raw text that begins at `start`."""
    if raw == decoded:
        return []
    end = start + len(raw)
    if max(len(raw), len(decoded)) > MAX_DIFF_CHARS:
        return [Loss(start, end, decoded, lossy_stage(trace, start, end, decoded))]
    if not decoded:
        return _dropped(trace, start, end)
    codes = SequenceMatcher(None, raw, decoded, autojunk=False).get_opcodes()
    return [
        Loss(
            start + a,
            start + b,
            decoded[c:d],
            lossy_stage(trace, start + a, start + b, decoded[c:d]),
        )
        for kind, a, b, c, d in codes
        if kind != "equal"
    ]


def _dropped(trace: StageTrace, start: int, end: int) -> list[Loss]:
    """Return the losses of a part that is dropped entirely, one for each stage to blame."""
    found: list[Loss] = []
    for place in range(start, end):
        stage = lossy_stage(trace, place, place + 1, "")
        if found and found[-1].stage == stage:
            found[-1] = replace(found[-1], end=place + 1)
        else:
            found.append(Loss(place, place + 1, "", stage))
    return found


def lossy_stage(trace: StageTrace, start: int, end: int, decoded: str) -> str:
    """Return the stage after which `raw[start:end]` could not come back."""
    for after in trace.stages[1:]:
        edit = _edit_at(after.edits, start, end)
        if edit and (
            start < end or (decoded and decoded in after.text[edit.new_start : edit.new_end])
        ):
            return after.name
        start, end = _offset_after(start, after.edits), _offset_after(end, after.edits)
    word = bisect_right(trace.words, start, key=lambda span: span[1])
    if start < end and (word == len(trace.words) or end <= trace.words[word][0]):
        return WORDS
    found = trace.encoding
    rows = zip(trace.stages[-1].spans, found.tokens, found.pieces, strict=True)
    unknown = any(a < end and start < b and token != piece for (a, b), token, piece in rows)
    return MODEL if unknown else DECODING


def _edit_at(changes: Sequence[Edit], start: int, end: int) -> Edit | None:
    """Return the first edit that overlaps a span; for an empty span, one that touches it."""
    is_empty = start == end
    find = bisect_left if is_empty else bisect_right
    at = find(changes, start, key=lambda edit: edit.end)
    if at < len(changes) and changes[at].start < end + is_empty:
        return changes[at]
    return None


def _offset_after(place: int, changes: Sequence[Edit]) -> int:
    """Return where an offset that lies outside all edits moves to."""
    at = bisect_left(changes, place, key=lambda edit: edit.end)
    if at < len(changes) and changes[at].end == place:
        at += 1
    return place + (changes[at - 1].new_end - changes[at - 1].end if at else 0)
