"""The decoders of Hugging Face's `tokenizer.json`, which turn tokens back into text.

Each takes a list of tokens and returns a list of strings, which is the next decoder's input. The
last decoder's result is joined.
"""

from dataclasses import dataclass
from itertools import groupby

import regex

from tokenizers.limits import GrowthLimit
from tokenizers.runtime.normalizers import added_length
from tokenizers.runtime.patterns import Pattern
from tokenizers.text.symbols import BYTE_OF_GLYPH

_BYTE = regex.compile(r"<0x([+0-9A-Fa-f][0-9A-Fa-f])>")


def _clean(text: str) -> str:
    """Remove the spaces before punctuation and before English contractions."""
    text = text.replace(" .", ".").replace(" ?", "?").replace(" !", "!").replace(" ,", ",")
    text = text.replace(" ' ", "'").replace(" n't", "n't").replace(" 'm", "'m")
    text = text.replace(" do not", " don't").replace(" 's", "'s").replace(" 've", "'ve")
    return text.replace(" 're", "'re")


@dataclass(frozen=True, slots=True)
class ByteLevel:
    """Turn glyphs back into bytes, and bytes into text; bytes that aren't UTF-8 become U+FFFD."""

    def __call__(self, tokens: list[str]) -> list[str]:
        return [b"".join(map(_bytes_of, tokens)).decode(errors="replace")]

    def describe(self) -> str:
        return "Turns the glyphs back into bytes, and the bytes into text."


def _bytes_of(token: str) -> bytes:
    """Return the bytes of a token's glyphs, or the token's UTF-8 if it has other characters."""
    try:
        return bytes([BYTE_OF_GLYPH[glyph] for glyph in token])
    except KeyError:
        return token.encode()


@dataclass(frozen=True, slots=True)
class WordPiece:
    """Join pieces that begin with `prefix`; put spaces before others; `cleanup` removes some."""

    prefix: str = "##"
    cleanup: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        texts = [self._joined(token) if n else token for n, token in enumerate(tokens)]
        return [_clean(text) for text in texts] if self.cleanup else texts

    def _joined(self, token: str) -> str:
        return token[len(self.prefix) :] if token.startswith(self.prefix) else f" {token}"

    def describe(self) -> str:
        tidy = ", then tidies spaces around punctuation" if self.cleanup else ""
        return f"Joins pieces that begin with “{self.prefix}”, and puts spaces between words{tidy}."


@dataclass(frozen=True, slots=True)
class CleanUp:
    """Join everything, then tidy the spaces around punctuation, as transformers may do at the end.

    Unlike the clean-up of `WordPiece`, it also sees spaces between two tokens, and keeps “do not”.
    """

    def __call__(self, tokens: list[str]) -> list[str]:
        text = "".join(tokens)
        for before, after in _TIDY:
            text = text.replace(before, after)
        return [text]

    def describe(self) -> str:
        return "Tidies spaces around punctuation."


_TIDY = (
    *[(f" {mark}", mark) for mark in ".?!,"],
    (" ' ", "'"),
    *[(f" {end}", end) for end in ("n't", "'m", "'s", "'ve", "'re")],
)


@dataclass(frozen=True, slots=True)
class Metaspace:
    """Turn `replacement` back into spaces.

    Unless the scheme is `never`, spaces in the first token were inserted, so they are removed.
    """

    replacement: str = "▁"
    prepend_scheme: str = "always"

    def __call__(self, tokens: list[str]) -> list[str]:
        first = " " if self.prepend_scheme == "never" else ""
        return [
            token.replace(self.replacement, " " if n else first) for n, token in enumerate(tokens)
        ]

    def describe(self) -> str:
        return f"Turns “{self.replacement}” back into spaces."


@dataclass(frozen=True, slots=True)
class BPEDecoder:
    """Turn each end-of-word suffix into a space, except the last token's, which is removed."""

    suffix: str = "</w>"

    def __call__(self, tokens: list[str]) -> list[str]:
        last = len(tokens) - 1
        return [
            token.replace(self.suffix, " " if n < last else "") for n, token in enumerate(tokens)
        ]

    def describe(self) -> str:
        return f"Turns “{self.suffix}” at the end of a word into a space."


@dataclass(frozen=True, slots=True)
class ByteFallback:
    """Turn pieces such as `<0xC3>` into text; a run that isn't UTF-8 gives one U+FFFD per byte."""

    def __call__(self, tokens: list[str]) -> list[str]:
        texts: list[str] = []
        for is_byte, run in groupby(tokens, key=lambda token: bool(_BYTE.fullmatch(token))):
            stretch = list(run)
            texts += _of_bytes(stretch) if is_byte else stretch
        return texts

    def describe(self) -> str:
        return "Turns pieces such as <0xC3> back into bytes, and the bytes into text."


def _of_bytes(tokens: list[str]) -> list[str]:
    try:
        return [bytes([int(token[3:5], 16) for token in tokens]).decode()]
    except UnicodeDecodeError:
        return ["\ufffd"] * len(tokens)


@dataclass(frozen=True, slots=True)
class Fuse:
    """Join all tokens, so that the next decoder gets the whole text."""

    def __call__(self, tokens: list[str]) -> list[str]:
        return ["".join(tokens)]

    def describe(self) -> str:
        return "Joins all pieces."


@dataclass(frozen=True, slots=True)
class Strip:
    """Strip `content` from each token, up to `start` times at its start and `stop` at its end."""

    content: str
    start: int
    stop: int

    def __call__(self, tokens: list[str]) -> list[str]:
        return [self._stripped(token) for token in tokens]

    def _stripped(self, token: str) -> str:
        start = min(len(token) - len(token.lstrip(self.content)), self.start)
        rest = token[start:]
        stop = min(len(rest) - len(rest.rstrip(self.content)), self.stop)
        return rest[: len(rest) - stop]

    def describe(self) -> str:
        return f"Takes away up to {self.start} “{self.content}” in front and {self.stop} behind."


@dataclass(frozen=True, slots=True)
class Replace:
    """Replace every match of a pattern by `content`."""

    pattern: Pattern
    content: str

    def __call__(self, tokens: list[str]) -> list[str]:
        size = sum(map(len, tokens))
        growth, replaced = GrowthLimit(size), list[str]()
        for token in tokens:
            spans = self.pattern.spans(token)
            growth.check(size := size + added_length(spans, self.content))
            replaced.append(self._replaced(token, spans))
        return replaced

    def _replaced(self, token: str, spans: list[tuple[int, int]]) -> str:
        texts: list[str] = []
        done = 0
        for start, end in spans:
            texts += token[done:start], self.content
            done = end
        return "".join([*texts, token[done:]])

    def describe(self) -> str:
        return f"Replaces {self.pattern.describe()} by “{self.content}”."


@dataclass(frozen=True, slots=True)
class CTC:
    """Remove repeated tokens and the padding between them, for speech recognition."""

    pad_token: str = "<pad>"
    word_delimiter_token: str = "|"
    cleanup: bool = True

    def __call__(self, tokens: list[str]) -> list[str]:
        texts = [token.replace(self.pad_token, "") for token, _ in groupby(tokens)]
        if self.cleanup:
            texts = [_clean(text).replace(self.word_delimiter_token, " ") for text in texts]
        return [text for text in texts if text]

    def describe(self) -> str:
        return (
            f"Joins repeated pieces, drops “{self.pad_token}”, and makes "
            f"“{self.word_delimiter_token}” a space."
        )
