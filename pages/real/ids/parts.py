"""A text cut into parts of at most so many tokens, and the files of them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pages.shared.export.tables import ExportTable, as_csv
from pages.shared.training.published import PublishedTokenizer
from tokenizers.progress import ProgressCallback
from tokenizers.runtime.inspection.chunking import Around, split_into_chunks, tokens_around
from tokenizers.runtime.tokenizer import Special, WordCache


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a text: its span in characters, its text, and its ids with those around it.

    `num_own` counts the ids without those around it, and `shared` those that the part before has
    as well. `comes_back` says whether the ids decode to exactly the text, `num_alone` is the number
    of tokens that the text gives on its own.
    """

    start: int
    end: int
    text: str
    ids: tuple[int, ...]
    num_own: int
    shared: int
    comes_back: bool
    num_alone: int


def cut_into_parts(
    report: ProgressCallback,
    model: PublishedTokenizer,
    text: str,
    special: Special,
    max_tokens: int,
    overlap: int,
) -> list[TextPart]:
    """Return the parts of a text. Raises UserError as `split_into_chunks` does."""
    loaded, around = model.loaded, around_of(model)
    chunks = split_into_chunks(loaded, text, max_tokens, overlap, around, special)
    cache = WordCache(loaded.model)
    num_around = sum(map(len, around))
    parts: list[TextPart] = []
    reached = 0
    for n, chunk in enumerate(chunks):
        report(n, len(chunks))
        here = text[chunk.start : chunk.end]
        alone = loaded.encode(here, special=special, add_special_tokens=False, cache=cache)
        comes_back = loaded.decode(chunk.ids) == here
        num_alone = len(alone.ids) + num_around
        own, shared = chunk.last - chunk.first, reached - chunk.first
        parts.append(
            TextPart(chunk.start, chunk.end, here, chunk.ids, own, shared, comes_back, num_alone)
        )
        reached = chunk.last
    return parts


def around_of(model: PublishedTokenizer) -> Around:
    """Return the ids that the model expects around a text, whether its file names them or not."""
    before, after = tokens_around(model.loaded)
    empty = replace(model, added=True).encode("").ids
    return (*empty[: len(empty) - len(before) - len(after)], *before), after


def json_lines(parts: Sequence[TextPart]) -> bytes:
    """Return one JSON object per line and part."""
    lines = [
        json.dumps(
            {
                **{"part": n, "start": part.start, "end": part.end, "tokens": len(part.ids)},
                **{"ids": part.ids, "text": part.text},
            },
            ensure_ascii=False,
        )
        for n, part in enumerate(parts, start=1)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def csv(parts: Sequence[TextPart]) -> bytes:
    """Return a table with a row for each part."""
    rows = [
        (n, part.start, part.end, len(part.ids), " ".join(map(str, part.ids)), part.text)
        for n, part in enumerate(parts, start=1)
    ]
    return as_csv(ExportTable("Parts", ("part", "start", "end", "tokens", "ids", "text"), rows))


def plain(parts: Sequence[TextPart]) -> bytes:
    """Return the texts of the parts, each under a line that says where it is from."""
    texts = [
        f"--- part {n} of {len(parts)}: characters {part.start} to {part.end}, "
        f"{len(part.ids)} tokens ---\n{part.text}\n"
        for n, part in enumerate(parts, start=1)
    ]
    return "".join(texts).encode()


FILES: Mapping[str, tuple[str, str, Callable[[Sequence[TextPart]], bytes]]] = {
    "jsonl": ("JSON lines", "parts.jsonl", json_lines),
    "csv": ("CSV", "parts.csv", csv),
    "txt": ("Plain text", "parts.txt", plain),
}
"""The files of the parts: the name on the screen, the file's name, and what makes it."""
