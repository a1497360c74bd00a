"""Code that a library runs, or the reasons why there is none; and how Python text is written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages.shared.limits import MAX_WORD_CHARS
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import Settings, convention_settings

TEXT_FILE, COUNTS_FILE = "text.txt", "counts.json"
LONGEST_LITERAL = 300
"""Characters of a text, or of a table of counts, that the code itself holds."""
MOST_WORDS = 2_000_000
"""The libraries read a table of counts word by word: so many words take them a second or two."""


MOST_NAMED = 4  # settings, in a sentence


@dataclass(frozen=True, slots=True)
class LibraryCode:
    """Code that trains with a library what a run trained, or why there is none.

    `code` is empty if `reasons` has a sentence for each setting that the library cannot have.
    `changes` are the sidebar's values, by URL parameter, with which it would have code. `notes` say
    what is left to know about the result.
    """

    library: str
    install: str
    code: str = ""
    notes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    changes: Mapping[str, Any] = field(default_factory=dict)


class Expression(str):
    """An expression as an argument, instead of a text."""

    def __repr__(self) -> str:
        return str(self)


def raw(text: str) -> str:
    r"""Return the literal of a pattern, in which backslashes are not doubled.

    >>> print(raw(r"\S+"))
    r"\S+"
    """
    if '"' not in text:
        return f'r"{text}"'
    return f'r"""{text}"""' if not text.endswith('"') else repr(text)


def literal(value: Any) -> str:
    """Return how a value is written, with double quotes as formatters have them.

    >>> print(literal(["a", 1]), literal('"'))
    ["a", 1] '"'
    """
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    plain = isinstance(value, str) and not isinstance(value, Expression)
    if plain and repr(value)[0] == "'" and '"' not in value:
        return f'"{repr(value)[1:-1]}"'
    return repr(value)


def call(function: str, arguments: Iterable[tuple[str, Any, str]]) -> str:
    """Return a call with an argument on each line; each has a name, a value and a comment.

    >>> print(call("train", [("size", 9, "with [UNK]"), ("text", "abc", "")]))
    train(
        size=9,  # with [UNK]
        text="abc",
    )
    """
    lines = [
        f"    {name}={literal(value)},{f'  # {comment}' if comment else ''}"
        for name, value, comment in arguments
    ]
    return "\n".join([f"{function}(", *lines, ")"])


def read_corpus(corpus: Corpus) -> tuple[list[str], list[str]]:
    """Return the imports and the lines that read a corpus as `text`, or as `counts` of words."""
    if corpus.text is None:
        counts = ", ".join(f"{literal(word)}: {n}" for word, n in corpus.word_counts.items())
        if len(counts) <= LONGEST_LITERAL:
            return [], [f"counts = {{{counts}}}"]
        read = f'counts = json.loads(Path("{COUNTS_FILE}").read_text("utf-8"))'
        return ["import json", "from pathlib import Path"], [read]
    if len(corpus.text) <= LONGEST_LITERAL and corpus.text.isprintable():
        return [], [f"text = {literal(corpus.text)}"]
    # Reading as text would change the ends of lines.
    return ["from pathlib import Path"], [f'text = Path("{TEXT_FILE}").read_bytes().decode()']


def is_in_code(corpus: Corpus) -> bool:
    """Return whether the code itself holds the corpus, and reads no file."""
    return not read_corpus(corpus)[0]


def corpus_reasons(corpus: Corpus) -> list[str]:
    """Return why a library would not train on the same words."""
    reasons = []
    if not corpus.word_counts:
        reasons.append("There are no words to train on.")
    if any(len(word) >= MAX_WORD_CHARS for word in corpus.word_counts):
        reasons.append(
            f"Words longer than {MAX_WORD_CHARS:,} characters are cut off here, and a library "
            "would not cut them. Split the text in another way."
        )
    if corpus.text is None and corpus.num_words > MOST_WORDS:
        reasons.append(
            f"The table counts {corpus.num_words:,} words. A library without counts would read "
            f"each of them, so there is code up to {MOST_WORDS:,}: divide the counts."
        )
    return reasons


def example_text(corpus: Corpus) -> str:
    """Return a short text to encode: the start of the text, or the longest words of the table."""
    if corpus.text is not None:
        return " ".join(corpus.text.split()[:4])[:60]
    return " ".join(sorted(corpus.word_counts, key=len, reverse=True)[:2])[:60]


def program(imports: Sequence[str], *blocks: Sequence[str]) -> str:
    """Return a program: sorted imports, then blocks of lines with a blank line before each.

    >>> print(program(["import json"], ["a = 1"], []))
    import json
    <BLANKLINE>
    a = 1
    """
    standard = [line for line in imports if line.split()[1] in ("json", "pathlib")]
    others = [line for line in imports if line not in standard]
    parts = [sorted(standard), sorted(others), *blocks]
    return "\n\n".join("\n".join(part) for part in parts if part)


def other_fields(settings: Settings, convention: str, known: Iterable[str]) -> list[str]:
    """Return the fields in which a Unigram run differs from a convention, but the `known` ones.

    The names of the reserved pieces go with the convention.
    """
    usual = convention_settings(convention, settings.vocab_size)
    skipped = {*known, "convention", "log_base", "reserved"}
    names = [name for name in Settings.__dataclass_fields__ if name not in skipped]
    return [name for name in names if getattr(settings, name) != getattr(usual, name)]


def other_convention(names: Sequence[str], trainer: str) -> str:
    """Say in which settings, by their fields, a Unigram run differs from a library's trainer."""
    shown = [name.replace("_step", " step").replace("_", " ") for name in names[:MOST_NAMED]]
    shown = [name.replace("m step", "M step").replace("e step", "E step") for name in shown]
    more = len(names) - MOST_NAMED
    also = f", and {more} more" if more > 0 else ""
    return f"{trainer} does these in one way, and this run in another: {', '.join(shown)}{also}."
