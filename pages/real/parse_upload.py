"""What a worker does with a visitor's files: they may be hostile, and reading them takes a while.

Knows nothing of Streamlit, so that a worker starts quickly.
"""

from collections.abc import Mapping

from pages.shared.training.isolation import limit_time
from pages.shared.training.published import TokenizerInfo, tokenizer_info
from tokenizers.formats.opening import open_tokenizer
from tokenizers.progress import ProgressCallback


def read_tokenizer(report: ProgressCallback, files: Mapping[str, bytes]) -> TokenizerInfo:
    """Return the tokenizer that the files hold. Raises Refusal if they hold none."""
    report(0, 1)
    limit_time()
    return tokenizer_info(open_tokenizer(files))
