"""Write fixtures/repositories.json: what transformers makes of the folders in repositories.py.

Run from the project's directory: `python -m tests.parity.make_repository_fixtures`, with
ORACLE_PYTHON set to an interpreter that has transformers==5.24.0 and sentencepiece==0.2.3.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

from . import TRANSFORMERS, ask_about_repository
from .make_fixtures import FOLDER
from .repositories import TEXTS, Files, repositories

STORED = FOLDER / "repositories.json"


def answers_for(files: Files) -> Any:
    """Return the library's answers for one repository."""
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            (Path(folder) / name).write_bytes(data)
        return ask_about_repository("encode_with_repository", folder=folder, texts=TEXTS)


def main() -> None:
    """Write the file."""
    assert ask_about_repository("version") == TRANSFORMERS
    found = {name: answers_for(files) for name, files in repositories().items()}
    lines = [f"{json.dumps(name)}: {json.dumps(answers)}" for name, answers in found.items()]
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
