"""Tokenizers of published models, bundled for use without a network.

`models.toml` lists them; `fetch.py` fetches their files from packages whose licences allow it, each
into a folder with its licence. The files are as published; `tokenizers.formats` parses them. For
the models of the Hugging Face hub, see `hub`.
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
from tokenizers.formats.schemes import SCHEMES
from tokenizers.runtime.tokenizer import LoadedTokenizer

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class File:
    """A package's file, with its path in the archive and the SHA-256 of the stored file."""

    name: str
    path: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ModelLicence:
    """The model's own licence, if a package redistributes another's file; kept by hand.

    The text is in LICENSE-MODEL beside the package's LICENSE; `page` is where its owner grants it.
    """

    name: str
    page: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Package:
    """A package to fetch, as a source archive if `source`; `sha256` is the archive's hash.

    `model_licence` is None if the package's own licence covers the model's files.
    """

    name: str
    registry: str
    version: str
    licence: str
    licence_file: str
    sha256: str
    files: Mapping[str, File]
    source: bool = False
    model_licence: ModelLicence | None = None

    @property
    def folder(self) -> Path:
        """The folder with the compressed files and the licences, named without npm's scope."""
        return FOLDER / self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A bundled tokenizer with its title, the models that use it, and its owner.

    `pieces` counts special tokens, too. `files` are names in `package.files`. `scheme` names the
    pattern and special tokens of a list of pieces, if its file name does not say them.
    `begins_with` is the token expected before a text, if the files do not specify it. `window` is
    the longest input in tokens, if it is the same for all models that use the tokenizer and nothing
    can extend it; `writes` says whether the models write text.
    """

    name: str
    title: str
    used_by: str
    owner: str
    family: str
    pieces: int
    package: Package
    files: tuple[str, ...]
    scheme: str = ""
    begins_with: str = ""
    window: int | None = None
    writes: bool = True


def _package(name: str, row: dict[str, Any]) -> Package:
    files = {file: File(file, **more) for file, more in row.pop("files").items()}
    licence = row.pop("model_licence", None)
    return Package(name, files=files, model_licence=licence and ModelLicence(**licence), **row)


def _model(row: dict[str, Any]) -> PublishedModel:
    return PublishedModel(
        **row | {"package": PACKAGES[row["package"]], "files": tuple(row["files"])}
    )


_TABLE = tomllib.loads((FOLDER / "models.toml").read_text(encoding="utf-8"))
PACKAGES: Mapping[str, Package] = {
    name: _package(name, row) for name, row in _TABLE["package"].items()
}
MODELS: Mapping[str, PublishedModel] = {row["name"]: _model(row) for row in _TABLE["model"]}
"""The bundled tokenizers by name, in the order of the table."""


def read_files(name: str) -> dict[str, bytes]:
    """Return the files of a model by their original names.

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
    """Return a bundled tokenizer, opened on first use and then shared.

    Raises KeyError for a name that is not in `MODELS`.

    >>> open_model("bert-uncased").encode("Hello!").tokens
    ('[CLS]', 'hello', '!', '[SEP]')
    """
    with _OPENING:  # concurrent callers share one tokenizer
        return _open(name)


_OPENING = Lock()


@cache
def _open(name: str) -> LoadedTokenizer:
    model = MODELS[name]
    opened = open_tokenizer(read_files(name), SCHEMES[model.scheme] if model.scheme else None)
    return replace(opened, name=model.title)
