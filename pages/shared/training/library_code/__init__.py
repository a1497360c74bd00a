"""The few lines with which each library trains what a page's run trained, and opens its files.

A setting that a library lacks is named in a sentence, instead of code that trains something else.
The tests run this code with the libraries: `tests/parity/test_library_code.py`.
"""

from typing import Any

from pages.shared.training.library_code import hugging_face, sentencepiece, tiktoken
from pages.shared.training.library_code.code import LibraryCode
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace


def training_code(trace: Trace[Any] | UnigramTrace) -> tuple[LibraryCode, ...]:
    """Return the code of each library that trains models of this kind."""
    if isinstance(trace, UnigramTrace):
        return hugging_face.unigram_code(trace), sentencepiece.unigram_code(trace)
    if isinstance(trace.settings, bpe.Settings):
        others = tiktoken.merging_code(trace), sentencepiece.merging_code()
        return hugging_face.merging_code(trace), *others
    return (hugging_face.merging_code(trace),)
