"""Parse uploaded files in a worker because they may be hostile and parsing takes a while.

This module must not import Streamlit, which would slow the start of a worker.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.shared.training.isolation import limit_time
from pages.shared.training.published import TokenizerInfo, tokenizer_info
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.schemes import CUSTOM, SCHEMES, Scheme, read_specials
from tokenizers.progress import ProgressCallback


@dataclass(frozen=True, slots=True)
class FileOptions:
    """The visitor's choices where files leave something open; "" where it is inferred.

    `scheme` is a name of `SCHEMES`, or `CUSTOM` with a `pattern` and `specials`, which are written
    as `read_specials` takes them. `case` is "lower" or "keep".
    """

    scheme: str = ""
    pattern: str = ""
    specials: str = ""
    case: str = ""


def read_tokenizer(
    report: ProgressCallback, files: Mapping[str, bytes], options: FileOptions = FileOptions()
) -> TokenizerInfo:
    """Return the tokenizer of the files. Raises UserError if they hold none."""
    report(0, 1)
    limit_time()
    lowercase = options.case == "lower" if options.case else None
    return tokenizer_info(open_tokenizer(files, _scheme(options), lowercase))


def _scheme(options: FileOptions) -> Scheme | None:
    """Return the chosen scheme, or None if it is to be inferred."""
    if options.scheme == CUSTOM:
        return Scheme(CUSTOM, options.pattern, read_specials(options.specials))
    return SCHEMES.get(options.scheme)
