"""What CLIP does to a text before it is cut into words.

Source: `SimpleTokenizer` of OpenAI's CLIP. It first repairs garbled text with the package ftfy,
which is not done here.
"""

import html
from dataclasses import dataclass

import regex

from tokenizers.runtime.patterns import WHITE_SPACE
from tokenizers.text import normalizers
from tokenizers.text.alignment import AlignedText

_REFERENCE = regex.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)")
_SPACES = WHITE_SPACE + "\x1c\x1d\x1e\x1f"  # as Python splits at them
_RUN = regex.compile(f"[{_SPACES}]+")


@dataclass(frozen=True, slots=True)
class ClipNormalizer:
    """Resolve HTML's character references twice, collapse white space, and make lower case."""

    def __call__(self, aligned: AlignedText) -> AlignedText:
        for _ in range(2):  # so that &amp;lt; becomes <
            aligned = aligned.replace(
                (*match.span(), new)
                for match in _REFERENCE.finditer(aligned.text)
                if (new := html.unescape(match[0])) != match[0]
            )
        text = aligned.text
        start, end = len(text) - len(text.lstrip(_SPACES)), len(text.rstrip(_SPACES))
        aligned = aligned.part(start, max(start, end))
        aligned = aligned.replace((*match.span(), " ") for match in _RUN.finditer(aligned.text))
        whole, lowered = aligned.text.lower(), normalizers.lower(aligned)
        if len(whole) != len(lowered.text):
            return lowered
        return AlignedText(whole, lowered.starts, lowered.ends)  # a final sigma depends on the word

    def describe(self) -> str:
        return (
            "CLIP's clean-up: resolves HTML such as &amp;, makes every run of white space one "
            "space, and makes letters lower case."
        )
