"""Write tokenizers/text/unicode_tables.py anew: which version of Unicode added which characters.

Run by hand from the project's directory, with Node.js:
`python -m tests.parity.make_unicode_tables`.
The source is the Unicode Character Database as the npm packages `@unicode/unicode-<version>` hold
it, one package for each version that a part of a library uses; their archives are verified. What
newer characters become in NFKC, which they lack, is asked of SentencePiece (see __init__.py).
"""

import hashlib
import json
import subprocess
import sys
import tarfile
import tempfile
import textwrap
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from . import ask_sentencepiece

OUT = Path(__file__).parents[2] / "tokenizers/text/unicode_tables.py"
PACKAGES = {
    8: ("2.0.7", "bef3ad7da21713b73f55d24cef867eac0a640884d1c50f4814ccfc5df400a4e8"),
    9: ("2.0.7", "dba638a3b190a48cffca60c20c32ca6c8f928050ea2d5878c0f39dae56ebc8c3"),
    16: ("2.0.7", "f8863f037f9a917eff824fe0da6d1fef6029a98f34d0555fe72816a533d76e6f"),
    17: ("2.1.0", "dc16c2001bb62c0c48a6e85f12ef9172e4a221eae2d25dc6544536158e0de4b2"),
}
"""For each version of Unicode, the version and the SHA-256 of its npm package."""

READ = """
const read = async (name) => (await import(`${process.argv[1]}/package/${name}`)).default;
const ranges = await read("General_Category/Unassigned/ranges.mjs");
const lower = await read("Simple_Case_Mapping/Lowercase/code-points.mjs");
const unassigned = ranges.map(({ begin, end }) => [begin, end]);
console.log(JSON.stringify({ unassigned, lower: [...lower] }));
"""

HEAD = '''\
"""Which version of Unicode added which characters; written by tests/parity/make_unicode_tables.py.

Derived from the Unicode Character Database, versions {versions} (npm packages
{packages}).
Copyright © 1991-2026 Unicode, Inc. Unicode License V3, https://www.unicode.org/license.txt
"""

ADDED = {{
'''
LOWER = '''\
}
"""The ranges of characters that are in a version of Unicode and not in the one named before it."""

LOWER = """
'''
NFKC = '''\
"""
"""The capital letters that came after Unicode 9, and how far behind each its small letter is."""

NFKC = """
'''
TAIL = '''\
"""
"""The characters that came after Unicode 9 and change in NFKC, as SentencePiece 0.2.3 does it."""
'''


def read_package(version: int, folder: Path) -> dict[str, list[list[int]]]:
    """Return the unassigned ranges (the ends exclusive) and the lower-case pairs of a version."""
    release, sha256 = PACKAGES[version]
    name = f"@unicode/unicode-{version}.0.0@{release}"
    subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True, capture_output=True)
    (archive,) = folder.glob("*.tgz")
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != sha256:
        sys.exit(f"{name} has the SHA-256 {found}, not {sha256}.")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    node = ["node", "--input-type=module", "-e", READ, str(folder)]
    return json.loads(subprocess.run(node, check=True, capture_output=True).stdout)


def write_ranges(values: Iterable[tuple[int, int]]) -> str:
    """Write (code point, value) pairs as ranges of adjacent code points of one value, in hex."""
    parts: list[str] = []
    for _, run in groupby(enumerate(values), key=lambda row: (row[1][0] - row[0], row[1][1])):
        pairs = [pair for _, pair in run]
        (first, value), (last, _) = pairs[0], pairs[-1]
        codes = f"{first:X}" if first == last else f"{first:X}-{last:X}"
        parts.append(f"{codes}:{value}" if value else codes)
    return textwrap.fill(" ".join(parts), 100, break_on_hyphens=False)


def write_compatible(characters: list[str]) -> str:
    """Write the characters that NFKC changes, and the code points that each becomes, in hex."""
    changed = ask_sentencepiece("0.2.3", "normalize_by_rule", rule="nfkc", texts=characters)
    rows = [
        f"{ord(old):X}:{'+'.join(f'{ord(c):X}' for c in new)}"
        for old, new in zip(characters, changed, strict=True)
        if old != new
    ]
    return textwrap.fill(" ".join(rows), 100, break_on_hyphens=False)


def main() -> None:
    """Write the module."""
    parts: list[str] = []
    known: set[int] = set()
    small: list[list[int]] = []
    newer: list[str] = []
    for version in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            data = read_package(version, Path(folder))
        unassigned = {c for first, end in data["unassigned"] for c in range(first, end)}
        added = [(c, 0) for c in range(0x110000) if c not in unassigned and c not in known]
        parts += f'    {version}: """', write_ranges(added), '""",'
        if version > 9:
            small += [pair for pair in data["lower"] if pair[0] not in known]
            newer += [chr(code) for code, _ in added]
        known |= {code for code, _ in added}
    names = ", ".join(f"{version}.0" for version in PACKAGES)
    packages = textwrap.fill(
        ", ".join(f"@unicode/unicode-{v}.0.0 {release}" for v, (release, _) in PACKAGES.items()), 98
    )
    lower = write_ranges((a, b - a) for a, b in sorted(map(tuple, small)))
    head = HEAD.format(versions=names, packages=packages)
    added_by = "\n".join(parts) + "\n"
    compatible = write_compatible(sorted(newer))
    OUT.write_text(f"{head}{added_by}{LOWER}{lower}\n{NFKC}{compatible}\n{TAIL}")


if __name__ == "__main__":
    main()
