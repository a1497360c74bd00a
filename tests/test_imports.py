"""Import rules: which package may import which, and no cycles. See docs/architecture.md.

The source is read with `ast`; nothing is imported. Imports under TYPE_CHECKING count as well.
"""

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]

CORE = (
    "errors", "progress", "limits", "settings", "text", "protocols", "merging", "bpe", "wordpiece",
    "lattice", "unigram", "baselines",
    "record", "measures", "experiments", "runtime", "formats",
)  # fmt: skip
"""The packages of the core in reading order: each imports only those before it."""

SHARED = (
    "limits", "routes", "drawing", "component", "recording", "training", "controls",
    "synced_state", "component_state", "aligned", "work", "corpus", "player", "export",
)  # fmt: skip
"""What pages share, from the bottom up: each imports only those before it."""

SHOWS_OTHERS = {
    "lattice": {"unigram"},
    "encode": {"bpe", "wordpiece", "lattice", "unigram", "real"},
    "wordpiece": {"bpe"},
    "what_if": {"bpe", "wordpiece", "unigram"},
    "start": {"compare"},
    "essay": {"languages", "lattice"},
    "real": {"bpe", "wordpiece", "lattice"},
    "lesson": {
        "bpe",
        "wordpiece",
        "lattice",
        "unigram",
        "pipeline",
        "sources",
        "beliefs",
        "real",
        "what_if",
    },
    "teach": {"lesson"},
    "site": {"lesson", "sources", "beliefs", "bpe", "unigram"},
}
"""The few pages that show a part of other pages, and the site, which shows many."""

PAGE_SCRIPTS = ("page", "train")
"""Names of pages' scripts, as a whole or after a kind: `bpe_page`."""
ON_THE_PAGE = (
    *PAGE_SCRIPTS, "results", "costs", "stage_table", "size_slider", "mix_component",
    "lesson_class", "live_room", "aligned_view", "token_row", "growth_view",
)  # fmt: skip
"""Modules that run with a page but do not import Streamlit themselves; no worker loads them."""


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


class Names(NamedTuple):
    """The names in a module, at its top or anywhere inside."""

    imported: tuple[str, ...]
    """`from pages.shared.controls import url_state` is `pages.shared.controls.url_state`."""
    called: set[str]
    attributes: set[str]


@cache
def names_in(path: Path) -> Names:
    names: list[str] = []
    called, attributes = set[str](), set[str]()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names += (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called.add(node.func.id)
        elif isinstance(node, ast.Attribute):
            attributes.add(node.attr)
    return Names(tuple(names), called, attributes)


def imported(path: Path) -> tuple[str, ...]:
    """The dotted names that a module imports."""
    return names_in(path).imported


MODULES = {
    module_of(path): path
    for folder in ("tokenizers", "lessons", "pages")
    for path in sorted((ROOT / folder).rglob("*.py"))
}


def ours(name: str) -> str | None:
    """The module of ours that an imported name is, or lies in."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name or None


@cache
def uses(module: str) -> set[str]:
    """The modules of ours that a module imports."""
    return {found for name in imported(MODULES[module]) if (found := ours(name))}


def below(folder: str) -> list[str]:
    return [module for module in MODULES if f"{module}.".startswith(f"{folder}.")]


def level_of(module: str, names: tuple[str, ...], depth: int) -> int | None:
    """The index of the package that a module belongs to; None for a module outside."""
    part = module.split(".")[depth : depth + 1]
    return names.index(part[0]) if part and part[0] in names else None


def upward(folder: str, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """The imports inside a folder that go from an earlier part to a later one."""
    depth = folder.count(".") + 1
    levels = {module: level_of(module, names, depth) for module in below(folder)}
    return [
        (module, used)
        for module, level in levels.items()
        for used in uses(module)
        if level is not None and (levels.get(used) or 0) > level
    ]


def test_every_package_is_listed():
    assert {m.split(".")[1] for m in below("tokenizers") if "." in m} <= {*CORE, "plain"}
    assert {m.split(".")[2] for m in below("pages.shared") if m.count(".") > 1} == set(SHARED)
    folders = {path.parent.name for path in (ROOT / "pages").glob("*/*.py")}
    assert folders >= {"shared", "race", *SHOWS_OTHERS}


def test_a_package_of_the_core_imports_only_those_before_it():
    assert upward("tokenizers", CORE) == []


def test_only_unigram_and_file_readers_import_the_float32_arithmetic():
    package = "tokenizers.unigram.sentencepiece_parity"
    users = {m for m in below("tokenizers") if any(u.startswith(package) for u in uses(m))}
    assert {module.split(".")[1] for module in users} <= {"unigram", "runtime", "formats"}


def test_the_core_needs_the_standard_library_regex_and_numpy_alone():
    allowed = {*sys.stdlib_module_names, "regex", "numpy", "tokenizers"}
    more = {"tokenizers.text.count": {"pyarrow"}}  # one command, alone, writes Parquet
    core = below("tokenizers")
    roots = {m: {name.split(".")[0] for name in imported(MODULES[m])} for m in core}
    assert {m: others for m in core if (others := roots[m] - allowed - more.get(m, set()))} == {}
    assert [module for module in core if uses(module) & set(more)] == []


def test_bad_input_raises_a_user_error():
    assert [m for m, path in MODULES.items() if "ValueError" in names_in(path).called] == []


def test_lessons_need_no_page():
    lessons = {module: uses(module) for module in below("lessons")}
    assert [(m, used) for m in lessons for used in lessons[m] if used.startswith("pages")] == []


def test_shared_packages_import_only_those_before_them():
    assert upward("pages.shared", SHARED) == []
    for module in below("pages.shared"):
        above = {u for u in uses(module) if u.startswith("pages.") and "pages.shared" not in u}
        assert above == set(), module


def folder_of(module: str) -> str:
    return module.split(".")[1]


def others_shown(module: str) -> set[str]:
    """The folders of other pages that a module of a page imports."""
    folders = {
        used.split(".")[1] for used in uses(module) if used.count(".") > 1 and "pages" in used
    }
    return {name for name in folders if f"pages.{name}" in MODULES} - {"shared", folder_of(module)}


def test_a_page_uses_what_is_shared_and_the_few_pages_it_shows():
    inside = [m for m in below("pages") if m.count(".") > 1 and "pages.shared" not in m]
    unlisted = {m: others_shown(m) - SHOWS_OTHERS.get(folder_of(m), set()) for m in inside}
    assert {module: names for module, names in unlisted.items() if names} == {}


def test_no_page_hides_a_package_of_ours():
    """Streamlit puts the folder of the main script, `pages`, first on the import path."""
    pages = {path.name for path in (ROOT / "pages").iterdir()}
    assert (
        pages & {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} == set()
    )


def test_nobody_imports_a_page_script():
    scripts = {m for m in below("pages") if m.split(".")[-1].split("_")[-1] in PAGE_SCRIPTS}
    assert scripts
    assert not {(m, u) for m in MODULES for u in uses(m) & scripts}


def test_a_file_without_streamlit_never_reaches_one_with_it():
    with_it = {
        module
        for module, path in MODULES.items()
        if any(name.split(".")[0] == "streamlit" for name in imported(path))
    }
    assert with_it
    reached = {m for m in MODULES if m not in with_it and uses(m) & with_it}
    assert {m for m in reached if m.split(".")[-1] not in ON_THE_PAGE} == set()


def test_what_streamlit_keeps_to_itself_is_looked_for_and_never_imported():
    """A name that is gone from the next release would keep the server from starting."""
    public = ("streamlit.components.v2.component", "streamlit.delta_generator.DeltaGenerator")
    private = {
        (module, name)
        for module, path in MODULES.items()
        for name in imported(path)
        if name.startswith("streamlit.") and not name.startswith(public)
    }
    assert private == set()


def test_there_are_no_import_cycles():
    """A package's `__init__`, which passes names on, does not count as using its modules."""
    packages = {module_of(path) for path in MODULES.values() if path.name == "__init__.py"}
    modules = {module: uses(module) - packages - {module} for module in set(MODULES) - packages}
    folders: dict[str, set[str]] = {}
    for module in below("pages"):
        used = {folder_of(u) for u in uses(module) if u.count(".") > 1 and u.startswith("pages.")}
        if module.count(".") > 1:
            folders.setdefault(folder_of(module), set()).update(used - {folder_of(module)})
    for graph in (modules, folders):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            pytest.fail(" -> ".join(error.args[1]))


def test_no_page_script_touches_the_session_state_or_the_address():
    state = ("session_state", "query_params")
    scripts = [
        MODULES[m] for m in below("pages") if m.split(".")[-1].split("_")[-1] in PAGE_SCRIPTS
    ]
    touched = {
        path: names_in(path).attributes & set(state)
        | {name for name in imported(path) if name.endswith(state)}
        for path in [ROOT / "app.py", *scripts]
    }
    assert {path: names for path, names in touched.items() if names} == {}
