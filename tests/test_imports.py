"""Imports run one way: views -> widgets, figures, lessons -> tokenizers; see the folders in README.

Read from the source with `ast`, so nothing is imported here.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("app", "pages.views", "pages.widgets", "pages.figures", "lessons", "tokenizers")

MAY_IMPORT = {
    "tokenizers": {"tokenizers"},
    "lessons": {"lessons", "tokenizers"},
    "pages/figures": {"pages.figures", "lessons", "tokenizers"},
    "pages/widgets": {"pages.widgets", "pages.figures", "lessons", "tokenizers"},
    "pages/views": {"pages.widgets", "pages.figures", "lessons", "tokenizers"},
}
"""Which of our own packages the modules of a folder may import."""

MODULES = {
    folder: sorted((ROOT / folder).rglob("*.py"))
    for folder in MAY_IMPORT
    if (ROOT / folder).is_dir()
}
ALL = [(folder, path) for folder, paths in MODULES.items() for path in paths]


def name_of(case: object) -> str:
    return str(case.relative_to(ROOT)) if isinstance(case, Path) else ""


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a module imports, at its top or anywhere inside.

    `from pages.widgets import address` counts as `pages.widgets.address`.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_in(name: str, packages: tuple[str, ...] | set[str]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_there_are_modules_to_look_at():
    assert set(MODULES) >= {"tokenizers", "pages/figures", "pages/widgets", "pages/views"}
    assert all(MODULES.values())


@pytest.mark.parametrize(("folder", "path"), ALL, ids=name_of)
def test_imports_run_one_way(folder: str, path: Path):
    own = {name for name in imported(path) if is_in(name, OURS) or is_in(name, {"pages"})}
    assert {name for name in own if not is_in(name, MAY_IMPORT[folder])} == set()


@pytest.mark.parametrize("path", MODULES.get("tokenizers", []), ids=name_of)
def test_the_core_needs_the_standard_library_regex_and_numpy_alone(path: Path):
    roots = {name.split(".")[0] for name in imported(path)}
    assert roots <= set(sys.stdlib_module_names) | {"regex", "numpy", "tokenizers"}


@pytest.mark.parametrize(
    ("folder", "path"),
    [case for case in ALL if case[0] in ("pages/figures", "lessons")],
    ids=name_of,
)
def test_figures_and_lessons_never_import_streamlit(folder: str, path: Path):
    assert not any(is_in(name, {"streamlit"}) for name in imported(path))


@pytest.mark.parametrize("path", [ROOT / "app.py", *MODULES.get("pages/views", [])], ids=name_of)
def test_only_widgets_touch_the_session_state_and_the_address(path: Path):
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    names = {node.attr for node in tree if isinstance(node, ast.Attribute)}
    assert not names & {"session_state", "query_params"}
    assert not any(name.endswith(("session_state", "query_params")) for name in imported(path))
