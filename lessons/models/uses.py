"""Which tokenizer a model uses, from the table `uses.toml`, with the date of the table.

>>> next(use for use in USES if "GPT-5" in use.models).tokenizer
'o200k_base'
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from lessons.models import FOLDER


@dataclass(frozen=True, slots=True)
class ModelUse:
    """Models that use one tokenizer, and the page that says so.

    `pack` is the tokenizer's name in the pack. If it is not there, `file` says what to open
    instead; it is empty if the tokenizer is not published.
    """

    models: tuple[str, ...]
    tokenizer: str
    source: str
    pack: str = ""
    file: str = ""


_TABLE = tomllib.loads((FOLDER / "uses.toml").read_text(encoding="utf-8"))
DATE = _TABLE["date"]
"""The day on which the sources were read."""
USES = tuple(ModelUse(**row | {"models": tuple(row["models"])}) for row in _TABLE["use"])
"""All rows of the table."""
USE_OF: Mapping[str, ModelUse] = {model: use for use in USES for model in use.models}
"""The rows by model."""


def models_of(pack: str) -> tuple[str, ...]:
    """Return the models that use a tokenizer of the pack.

    >>> models_of("gpt-oss")
    ('gpt-oss-20b', 'gpt-oss-120b')
    """
    return tuple(model for model, use in USE_OF.items() if use.pack == pack)
