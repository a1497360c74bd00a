"""A text's journey through the stages, laid out in the worker pool."""

from collections.abc import Mapping

from pages.pipeline import laid_out
from pages.shared.learning import kinds
from pages.shared.work.results import key_of, result_of


def journey(
    text: str,
    model: kinds.Model,
    off: tuple[str, ...],
    first: int,
    names: Mapping[str, str],
) -> tuple[str, laid_out.Laid]:
    """Return a text on its way through the stages, shown from its token `first` on, and its key."""
    key = key_of("journey", text, model, off, first, dict(names))
    follow = laid_out.lay_out
    return key, result_of(key, follow, "Following the text …", text, model, off, first, dict(names))
