"""Parse uploaded files in a worker because they may be hostile and parsing takes a while.

This module must not import Streamlit, which would slow the start of a worker.
"""

from collections.abc import Mapping

from pages.shared.training.isolation import limit_time
from pages.shared.training.published import TokenizerInfo, tokenizer_info
from tokenizers.formats.opening import open_tokenizer
from tokenizers.progress import ProgressCallback


def read_tokenizer(report: ProgressCallback, files: Mapping[str, bytes]) -> TokenizerInfo:
    """Return the tokenizer of the files. Raises UserError if they hold none."""
    report(0, 1)
    limit_time()
    return tokenizer_info(open_tokenizer(files))
