"""Trace a text through the stages of a published tokenizer, as its file defines them.

Each normalizer is a stage. All pre-tokenizers and the split at added tokens together are one stage.
Each stage starts from the previous stage's text, to isolate its own changes. Special tokens are
read as the `PublishedTokenizer` says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages.pipeline.stage_trace import WORDS, Span, StageTrace, stages_of
from pages.shared.training.published import PublishedTokenizer
from tokenizers.limits import time_limit
from tokenizers.runtime.added_tokens import AddedToken
from tokenizers.runtime.components import PreTokenizedText
from tokenizers.runtime.segments import Segment, apply_step
from tokenizers.runtime.tokenizer import LoadedTokenizer, flatten_components
from tokenizers.text.alignment import AlignedText


def normalizer_names(loaded: LoadedTokenizer) -> dict[str, str]:
    """Return the name and title of each normalizer stage of a file, in order.

    >>> from lessons.models import open_model
    >>> normalizer_names(open_model("bert-uncased"))
    {'normalizer 1': 'BertNormalizer'}
    """
    parts = flatten_components(loaded.normalizer)
    return {f"normalizer {n}": type(part).__name__ for n, part in enumerate(parts, start=1)}


def describe_stages(loaded: LoadedTokenizer) -> list[str]:
    """Return a sentence on each stage of a tokenizer file."""
    after = [part.describe() for part in (loaded.post_processor, loaded.decoder) if part]
    return [*(stage.description for stage in loaded.stages("")), loaded.model.describe(), *after]


def trace_published(text: str, published: PublishedTokenizer) -> StageTrace:
    """Trace a text through the stages of a published tokenizer.

    Raises UserError for a lone surrogate, and if a pattern takes too long on the text.
    """
    loaded, steps = published.loaded, []
    encoding = published.encode(text)
    segments, is_splitting = [Segment(PreTokenizedText.whole(AlignedText.raw(text)))], False
    with time_limit(text):
        for place, _, _, change in loaded.steps(published.special):
            if place == "normalizer" or (place == "pre_tokenizer" and not is_splitting):
                segments, is_splitting = _rebased(segments), place == "pre_tokenizer"
            segments = apply_step(text, segments, change)
            if place == "normalizer":
                steps.append(_joined(segments))
    steps.append(_joined(segments if is_splitting else _rebased(segments)))
    spans = _token_spans(segments, loaded, encoding.words)
    stages = tuple(stages_of(text, steps, [*normalizer_names(loaded), WORDS], spans))
    readable = replace(published.with_readable_tokens(encoding), offsets=stages[0].spans)
    return StageTrace(stages, tuple(_words(segments)), readable, published.decode(encoding.ids))


def _rebased(segments: Sequence[Segment]) -> list[Segment]:
    """Return the segments with their current text in place of the raw text.

    Offsets still count from the beginning of the whole text: some components act only there.
    """
    rebased = []
    for at, text, words, added in _with_offsets(segments):
        end = at + len(text)
        aligned = AlignedText(text, range(at, end), range(at + 1, end + 1))
        rebased.append(Segment(PreTokenizedText(aligned, words.spans), added))
    return rebased


def _joined(segments: Sequence[Segment]) -> AlignedText:
    """Return the aligned text of all segments together."""
    parts = [segment.words.aligned for segment in segments]
    return AlignedText(
        "".join([part.text for part in parts]),
        [place for part in parts for place in part.starts],
        [place for part in parts for place in part.ends],
    )


def _with_offsets(
    segments: Sequence[Segment],
) -> Iterator[tuple[int, str, PreTokenizedText, AddedToken | None]]:
    """Yield each segment's offset in the joined text, its text, its words and its added token."""
    at = 0
    for words, added in segments:
        yield at, words.aligned.text, words, added
        at += len(words.aligned.text)


def _words(segments: Sequence[Segment]) -> Iterator[Span]:
    for at, _, words, _ in _with_offsets(segments):
        yield from ((at + start, at + end) for start, end in words.spans)


def _token_spans(
    segments: Sequence[Segment], loaded: LoadedTokenizer, numbers: Sequence[int]
) -> list[Span]:
    """Return each token's span in the segments' text; an inserted token's is empty."""
    found: list[Span] = []
    for at, text, words, added in _with_offsets(segments):
        for start, end in words.spans:
            whole = [(0, end - start)]
            pieces = whole if added else [p[2:] for p in loaded.model.cut(text[start:end])]
            found += [(at + start + a, at + start + b) for a, b in pieces]
    waiting, spans = iter(found), []
    for number in numbers:
        last = spans[-1][1] if spans else 0
        spans.append((last, last) if number < 0 else next(waiting))
    return spans
