"""Tokenizers from the Hugging Face hub, downloaded by name once and then cached on disk.

A repository's tokenizer files are found and downloaded, with progress, a size limit and a way to
cancel; without a network, the cached files are used. Weights are never downloaded and usage is not
reported. No stored login is used, so a gated repository needs an explicit token. The package
`huggingface_hub` is required (requirements-hub.txt).
"""

import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tokenizers.errors import UserError
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.repository_settings import TEMPLATES, settings_name
from tokenizers.limits import MAX_FILE_BYTES
from tokenizers.runtime.tokenizer import LoadedTokenizer

MOST_BYTES = MAX_FILE_BYTES
"""The download limit for one file."""
MOST_SETTINGS = 50
"""How many files with settings and chat templates are downloaded."""
PART = 262_144
"""The chunk size between progress reports, in bytes; the library's default is ten megabytes."""
SECONDS = 10  # timeout of a request to the hub

_NAME = re.compile(r"[\w.-]{1,96}(?:/[\w.-]{1,96})?", re.ASCII)

OnProgress = Callable[[str, int, int | None], None]
"""Called with a file's name, its bytes so far, and its total bytes if known. An exception from the
callback cancels the download."""

KINDS: tuple[tuple[str, ...], ...] = (
    ("tokenizer.json",),
    ("tokenizer.model",),
    ("tokenizer.model.v3",),
    ("spiece.model",),
    ("spm.model",),
    ("sentencepiece.bpe.model",),
    ("source.spm",),
    ("tiktoken.model",),
    ("tekken.json",),
    ("vocab.json", "merges.txt"),
    ("encoder.json", "vocab.bpe"),
    ("vocab.txt",),
)
"""Sets of files that make up a tokenizer, the most complete first; a `.tiktoken` also does.

The settings that lie beside them are downloaded too: see `tokenizers/formats/repository.py`.
"""


@dataclass(frozen=True, slots=True)
class TokenizerFiles:
    """A repository's tokenizer files at one commit, `from_cache` if the hub did not respond.

    `files` maps their names, with folders, to their contents; settings come after the tokenizer.
    """

    repo: str
    commit: str
    files: Mapping[str, bytes]
    from_cache: bool

    def open(self) -> LoadedTokenizer:
        """Open the tokenizer, named after its repository. Raises UserError if files are invalid."""
        return replace(open_tokenizer(self.files), name=self.repo)


def download(
    repo: str,
    revision: str = "main",
    *,
    token: str | None = None,
    on_progress: OnProgress | None = None,
    cache: Path | None = None,
    endpoint: str | None = None,
) -> TokenizerFiles:
    """Return the tokenizer files of a repository, from the hub or, without a network, the cache.

    `repo` is a name or URL; `cache` and `endpoint` override the defaults of huggingface_hub. Raises
    UserError if the repository does not exist, is gated or private, has no tokenizer or too large a
    one, or if the hub does not respond and nothing is cached.
    """
    name = _name(repo)
    hub = _hub()
    where = {"repo_id": name, "revision": revision, "token": token or False, "endpoint": endpoint}
    try:
        return _download(hub, where, cache, on_progress or _no_progress)
    except hub.errors.GatedRepoError:  # a subclass of the next one
        raise UserError(
            f"{name} is gated: its owner wants you to accept a licence first. Do so on its page on "
            "the hub and give an access token, or upload its tokenizer file."
        ) from None
    except hub.errors.RepositoryNotFoundError:
        raise UserError(
            f"The hub has no {name}, or it is private. Check the spelling: {_LIKE}."
        ) from None
    except hub.errors.RevisionNotFoundError:
        raise UserError(f"{name} has no revision “{revision}”. Try “main”.") from None
    except (hub.errors.HTTPError, OSError):
        return _from_cache(hub, where, cache)


_LIKE = "owner/name, such as openai-community/gpt2"


def _name(repo: str) -> str:
    """Return a repository's name, given its name or URL. Raises UserError if it isn't one."""
    parts = [part for part in urlsplit(repo.strip()).path.split("/") if part]
    if "://" in repo:
        parts = parts[:2]
    name = "/".join(parts)
    if not _NAME.fullmatch(name):
        raise UserError(f"“{repo}” is not a name on the hub. Write {_LIKE}.")
    return name


def _hub() -> Any:
    """Import huggingface_hub, configured for plain HTTP without telemetry."""
    for off in ("TELEMETRY", "XET", "PROGRESS_BARS"):
        os.environ[f"HF_HUB_DISABLE_{off}"] = "1"  # read when the library is first imported
    try:
        import huggingface_hub
        import huggingface_hub.errors
        from huggingface_hub import constants
    except ImportError:
        raise UserError(
            "Opening a tokenizer by its name on the hub needs the package huggingface_hub: "
            "pip install -r requirements-hub.txt. Without it, upload the tokenizer file."
        ) from None
    constants.DOWNLOAD_CHUNK_SIZE = PART
    return huggingface_hub


def _download(
    hub: Any, where: dict[str, Any], cache: Path | None, watch: OnProgress
) -> TokenizerFiles:
    api = hub.HfApi(endpoint=where["endpoint"], token=where["token"])
    info = api.model_info(where["repo_id"], revision=where["revision"], timeout=SECONDS)
    names = _tokenizer_among([sibling.rfilename for sibling in info.siblings or ()], where)
    paths: dict[str, Path] = {}
    for name in names:
        get = partial(hub.hf_hub_download, filename=name, cache_dir=cache, **where)
        _check_size(get(dry_run=True).file_size or 0, where)
        paths[name] = Path(get(tqdm_class=partial(_ProgressAdapter, name, watch, where)))
    files = {name: path.read_bytes() for name, path in paths.items()}
    return TokenizerFiles(where["repo_id"], paths[names[0]].parent.name, files, from_cache=False)


def _from_cache(hub: Any, where: dict[str, Any], cache: Path | None) -> TokenizerFiles:
    """Return the cached files. Raises UserError if there are none."""
    try:
        folder = Path(hub.snapshot_download(cache_dir=cache, local_files_only=True, **where))
    except (hub.errors.LocalEntryNotFoundError, OSError):
        raise UserError(
            f"The hub cannot be reached, and {where['repo_id']} was never downloaded before. Check "
            "the network, or upload the tokenizer file."
        ) from None
    kept = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    names = _tokenizer_among(kept, where)
    files = {name: (folder / name).read_bytes() for name in names}
    return TokenizerFiles(where["repo_id"], folder.name, files, from_cache=True)


def _tokenizer_among(names: Collection[str], where: Mapping[str, Any]) -> tuple[str, ...]:
    """Select the tokenizer files, and then its settings. Raises UserError if there are none."""
    ranks = [(name,) for name in names if name.endswith(".tiktoken") and "/" not in name]
    for kind in (*KINDS, *ranks):
        if set(kind) <= set(names):
            settings = sorted(filter(_has_settings, names))
            return (*kind, *settings[:MOST_SETTINGS])
    raise UserError(
        f"{where['repo_id']} has no tokenizer file, such as tokenizer.json or tokenizer.model. The "
        "model that it was made from may have one: look at its page on the hub."
    )


def _has_settings(name: str) -> bool:
    """Return whether a file has settings, in the repository's folder or in that of templates."""
    return bool(settings_name(name)) and name.rpartition("/")[0] in ("", TEMPLATES)


def _check_size(size: int, where: Mapping[str, Any]) -> None:
    if size > MOST_BYTES:
        raise UserError(
            f"The tokenizer of {where['repo_id']} takes more than {MOST_BYTES >> 20} MB, "
            "which no tokenizer needs. It was not downloaded."
        )


def _no_progress(name: str, done: int, total: int | None) -> None:
    """No-op progress callback."""


class _ProgressAdapter:
    """Implements the interface of the library's progress bar to call a progress callback."""

    def __init__(
        self, name: str, watch: OnProgress, where: Mapping[str, Any], *, total: int | None, **_: Any
    ) -> None:
        self._report, self._where = partial(watch, name), where
        self._done, self._total = 0, total

    def __enter__(self) -> "_ProgressAdapter":
        self.update(0)
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def update(self, more: int) -> None:
        """Count received bytes; the server may send more than it announced."""
        self._done += more
        _check_size(self._done, self._where)
        self._report(self._done, self._total)
