"""Tokenizers of published models, ready without a network: whose they are, and their files.

`models.toml` is the table; `fetch.py` made the folders beside it from packages whose licences allow
it, and each folder keeps its licence. Covers what the table says and the files as their authors
published them. Leaves out how a file is read (`tokenizers.formats`), and the models of
the Hugging Face hub (`hub`).
"""

import lzma
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from tokenizers.formats.opening import open_tokenizer
from tokenizers.runtime.tokenizer import LoadedTokenizer

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class File:
    """A file of a package: its path in the archive, and the SHA-256 of the file that is kept."""

    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Package:
    """Where files come from. `source` asks for the source archive; `sha256` is the archive's."""

    name: str
    registry: str
    version: str
    licence: str
    licence_file: str
    sha256: str
    files: Mapping[str, File]
    source: bool = False

    @property
    def folder(self) -> Path:
        """The folder that keeps the files, compressed, and the licence."""
        return FOLDER / self.name


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A tokenizer of the pack: what it is, which models use it, and whose it is.

    `pieces` counts special tokens too. `files` are names in `package.files`. `begins_with` is the
    token that the model expects before a text, where the files do not say so.
    """

    name: str
    title: str
    used_by: str
    owner: str
    family: str
    pieces: int
    package: Package
    files: tuple[str, ...]
    begins_with: str = ""


def _package(name: str, row: dict[str, Any]) -> Package:
    files = {file: File(file, **more) for file, more in row.pop("files").items()}
    return Package(name, files=files, **row)


def _model(row: dict[str, Any]) -> PublishedModel:
    return PublishedModel(
        **row | {"package": PACKAGES[row["package"]], "files": tuple(row["files"])}
    )


_TABLE = tomllib.loads((FOLDER / "models.toml").read_text(encoding="utf-8"))
PACKAGES: Mapping[str, Package] = {
    name: _package(name, row) for name, row in _TABLE["package"].items()
}
MODELS: Mapping[str, PublishedModel] = {row["name"]: _model(row) for row in _TABLE["model"]}
"""The tokenizers of the pack by name, in the order of the table."""


def read_files(name: str) -> dict[str, bytes]:
    """Return the files of a model, by the names that their authors gave them.

    >>> list(read_files("gpt2"))
    ['encoder.json', 'vocab.bpe']

    Raises KeyError for a name that is not in `MODELS`.
    """
    model = MODELS[name]
    return {
        file: lzma.decompress((model.package.folder / f"{file}.xz").read_bytes())
        for file in model.files
    }


def open_model(name: str) -> LoadedTokenizer:
    """Return a tokenizer of the pack, opened when it is first asked for and then shared by all.

    Raises KeyError for a name that is not in `MODELS`.

    >>> open_model("bert-uncased").encode("Hello!").tokens
    ('[CLS]', 'hello', '!', '[SEP]')
    """
    with _OPENING:  # so that two who ask at once get one tokenizer
        return _open(name)


_OPENING = Lock()


@cache
def _open(name: str) -> LoadedTokenizer:
    return replace(open_tokenizer(read_files(name)), name=MODELS[name].title)
