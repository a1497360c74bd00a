"""The chat templates to choose from: those of the tokenizer's own files, and those of families."""

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenizers.errors import UserError
from tokenizers.runtime.tokenizer import LoadedTokenizer


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A model family's format for conversations.

    `marks` are its special tokens, `tokens` those that the template names, and `models` the bundled
    tokenizers of the family.
    """

    name: str
    title: str
    used_by: str
    marks: tuple[str, ...]
    template: str
    models: tuple[str, ...] = ()
    tokens: Mapping[str, str] = field(default_factory=dict[str, str])


_HERE = Path(__file__).parent


def _family(row: dict[str, Any]) -> ChatTemplate:
    if file := row.pop("file", ""):
        row["template"] = (_HERE / file).read_text(encoding="utf-8")
    marks, models = tuple(row.pop("marks")), tuple(row.pop("models", ()))
    return ChatTemplate(marks=marks, models=models, **row)


_TABLE = tomllib.loads((_HERE / "templates.toml").read_text(encoding="utf-8"))
CHAT_TEMPLATES = {row["name"]: _family(row) for row in _TABLE["chat"]}
USUAL = "usual"
"""The choice of the tokenizer's usual template: its own, or else its family's."""
DEFAULT = "default"
"""The name of the file's usual template, as `transformers` has it."""
OWN = "own."
"""The prefix of other templates of the file."""
MAX_OWN = 20


def usual_family(model: str) -> ChatTemplate:
    """Return the template of a bundled tokenizer's family; ChatML for all others."""
    families = CHAT_TEMPLATES.values()
    return next((one for one in families if model in one.models), CHAT_TEMPLATES["chatml"])


def options(model: str, own: Collection[str]) -> dict[str, str]:
    """Return the titles of the templates by name; `own` has the names of the file's templates.

    >>> list(options("gpt2", ["default", "rag"]).items())[:3]
    [('usual', 'Its own template'), ('own.rag', 'Its own: rag'), ('chatml', 'ChatML')]
    """
    usual = "Its own template" if DEFAULT in own else usual_family(model).title
    more = {f"{OWN}{name}": f"Its own: {name[:40]}" for name in [*own][:MAX_OWN] if name != DEFAULT}
    families = {name: one.title for name, one in CHAT_TEMPLATES.items()}
    if DEFAULT not in own:
        del families[usual_family(model).name]
    return {USUAL: usual} | more | families


def find_template(loaded: LoadedTokenizer, model: str, name: str) -> tuple[str, Mapping[str, str]]:
    """Return the Jinja source of a template, and the tokens that it may name.

    Raises UserError if the file has no template of this name.
    """
    if name == USUAL and DEFAULT not in loaded.chat_templates:
        name = usual_family(model).name
    if family := CHAT_TEMPLATES.get(name):
        return family.template, family.tokens
    own = DEFAULT if name == USUAL else name.removeprefix(OWN)
    if own not in loaded.chat_templates:
        raise UserError(f"This tokenizer has no chat template “{own[:40]}”. Choose another one.")
    return loaded.chat_templates[own], loaded.template_tokens
