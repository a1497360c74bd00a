"""What people install is bounded on both sides; what is tested and hosted is locked inside that."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
LOCKS = {"requirements.txt": "requirements.lock", "requirements-dev.txt": "requirements-dev.lock"}


def ranges(file: str) -> dict[str, Requirement]:
    """Return the packages of a file for people, and of the files that it includes."""
    found: dict[str, Requirement] = {}
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            found |= ranges(line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            requirement = Requirement(line)
            found[canonicalize_name(requirement.name)] = requirement
    return found


def locked(file: str) -> dict[str, str]:
    """Return the version of each package in a lock."""
    text = (ROOT / file).read_text(encoding="utf-8")
    pinned = re.findall(
        r"^([\w.-]+)==([\w.]+)(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:\w{64})+$", text, re.M
    )
    entries = re.findall(r"^[^#\s]", text, re.M)
    assert len(pinned) == len(entries), f"{file}: every version has digests, and each package one"
    return {canonicalize_name(name): version for name, version in pinned}


def test_every_range_ends_before_releases_that_nobody_has_tried():
    open_ended = [
        name
        for name, requirement in ranges("requirements-dev.txt").items()
        if not any(part.operator in ("<", "==") for part in requirement.specifier)
    ]
    assert open_ended == []


def test_streamlit_is_bounded_to_the_minor_release_whose_private_parts_are_patched():
    parts = {
        part.operator: part.version for part in ranges("requirements.txt")["streamlit"].specifier
    }
    major, minor = map(int, parts[">="].split("."))
    assert parts["<"] == f"{major}.{minor + 1}"


@pytest.mark.parametrize(("file", "lock"), LOCKS.items())
def test_the_lock_holds_every_package_at_a_version_inside_its_range(file, lock):
    versions = locked(lock)
    for name, requirement in ranges(file).items():
        assert versions[name] in requirement.specifier, f"{name}: run .ci/lock"


def test_what_is_tested_is_what_is_hosted():
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()


@pytest.mark.parametrize("lock", LOCKS.values())
def test_a_lock_names_no_index(lock):
    assert "://" not in (ROOT / lock).read_text(encoding="utf-8")
