"""Draws docs/architecture.svg: the floors of the house, and which folder imports which.

    python docs/draw_architecture.py

Everything is read from the source with `ast`; nothing is imported. With `--check` it draws nothing,
and fails if the picture is no longer that of the source.
"""

import ast
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = Path(__file__).with_name("architecture.svg")

CHAPTERS = (
    *("plain", "text", "merging", "bpe", "wordpiece", "lattice", "unigram"),
    *("record", "measures", "experiments", "loaded", "formats"),
)
LESSONS = ("texts", "models", "format", "pictures", "records", "questions", "claims")
SHARED = ("drawing", "film", "learning", "controls", "work", "corpus", "player", "taking")
PAGES = (
    *("start", "essay", "pipeline", "course", "bpe", "wordpiece", "unigram", "lattice"),
    *("compare", "sizes", "race", "languages", "surgery", "complexity", "sources", "about", "site"),
)
FLOORS = (
    ("pages", "pages", "one folder for each page", PAGES),
    ("shared", "pages/shared", "what several pages use", SHARED),
    ("lessons", "lessons", "what is shown: texts, published models, lessons, claims", LESSONS),
    ("tokenizers", "tokenizers", "the core, in reading order", CHAPTERS),
)
"""The floors from the top down: a name, the folder, what it is for, and the order of its rooms."""

WIDTH, LEFT, FLOOR, ROOM, GAP = 1120, 24, 124, 34, 8
COLOURS = {"pages": "#E9F1F8", "shared": "#F8F0DC", "lessons": "#E4F3EC", "tokenizers": "#F9E6DB"}


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def floor_of(dotted: str) -> str | None:
    """The floor that a module is on; None for what is not ours."""
    if dotted.startswith("pages.shared"):
        return "shared"
    top = dotted.split(".")[0]
    return top if top in COLOURS else None


def imports_between() -> set[tuple[str, str]]:
    """From which floor to which other one an import leads."""
    found: set[tuple[str, str]] = set()
    for folder in ("pages", "lessons", "tokenizers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            here = floor_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for name in imported(path):
                there = floor_of(name)
                if here and there and here != there:
                    found.add((here, there))
    return found


def rooms_of(folder: str, order: tuple[str, ...]) -> list[str]:
    """The rooms that a floor has, in the order given; what that does not name comes last."""
    there = {path.parent.name for path in (ROOT / folder).glob("*/*.py")} - {"shared"}
    there |= {name for name in order if (ROOT / folder / f"{name}.py").exists()}
    return sorted(
        there, key=lambda name: (order.index(name) if name in order else len(order), name)
    )


def text(x: float, y: float, said: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(said)}</text>'


def rooms(names: list[str], top: float) -> Iterator[str]:
    """The rooms of a floor in rows, each as wide as its name."""
    x, y = LEFT + 12.0, top + 44
    for name in names:
        width = 8 * len(name) + 14
        if x + width > WIDTH - LEFT - 12:
            x, y = LEFT + 12.0, y + ROOM + 4
        size = f'width="{width:g}" height="{ROOM - 6}"'
        yield f'<rect x="{x:g}" y="{y:g}" {size} rx="4" class="room"/>'
        yield text(x + 7, y + 19, name, "name")
        x += width + GAP


def floors() -> Iterator[str]:
    between = imports_between()
    for n, (name, folder, purpose, names) in enumerate(FLOORS):
        top = 16 + n * (FLOOR + 34)
        size = f'width="{WIDTH - 2 * LEFT}" height="{FLOOR}"'
        yield f'<rect x="{LEFT}" y="{top}" {size} rx="8" fill="{COLOURS[name]}" class="floor"/>'
        yield text(LEFT + 12, top + 26, f"{folder}/", "folder")
        yield text(LEFT + 160, top + 26, purpose, "purpose")
        yield from rooms(rooms_of(folder, names), top)
        said = ", ".join(lower[1] for lower in FLOORS[n + 1 :] if (name, lower[0]) in between)
        if said:
            yield text(LEFT + 30, top + FLOOR + 22, f"↓ imports {said}", "imports")


def picture() -> str:
    """The whole picture as SVG."""
    height = 16 + len(FLOORS) * (FLOOR + 34) - 20
    style = (
        "text{font:14px sans-serif;fill:#161513}.folder{font-weight:bold;font-size:17px}"
        ".name{font:13px monospace}.purpose,.imports{fill:#57534c}"
        ".room{fill:#fff;stroke:#8a8379}.floor{stroke:#57534c}"
    )
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Four floors; each imports only those below it</title>",
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *floors(),
        "</svg>\n",
    )
    return "\n".join(lines)


def main() -> None:
    if "--check" not in sys.argv:
        PICTURE.write_text(picture(), encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != picture():
        sys.exit("The picture is out of date. Draw it again: python docs/draw_architecture.py")


if __name__ == "__main__":
    main()
