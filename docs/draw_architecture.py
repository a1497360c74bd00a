"""Draw docs/architecture.svg: the layers, their packages, and which layer imports which.

    python docs/draw_architecture.py

Read the source with `ast` and import nothing. With `--check`, draw nothing, and fail if the picture
does not match the source.
"""

import ast
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = Path(__file__).with_name("architecture.svg")

CORE = (
    *("plain", "text", "merging", "bpe", "wordpiece", "lattice", "unigram"),
    *("record", "measures", "experiments", "runtime", "formats"),
)
LESSONS = ("texts", "models", "format", "pictures", "facts", "questions", "claims")
SHARED = (
    *("drawing", "recording", "training", "controls", "aligned", "work", "corpus", "player"),
    "export",
)
PAGES = (
    *("start", "essay", "pipeline", "lesson", "teach", "encode", "real", "bpe", "wordpiece"),
    *("unigram", "lattice", "compare", "sizes", "race", "languages", "what_if", "complexity"),
    *("sources", "beliefs", "glossary", "about", "room", "site"),
)
LAYERS = (
    ("pages", "pages", "one folder for each page", PAGES),
    ("shared", "pages/shared", "what several pages use", SHARED),
    ("lessons", "lessons", "what is shown: texts, published models, lessons, claims", LESSONS),
    ("tokenizers", "tokenizers", "the core, in reading order", CORE),
)
"""The layers from the top down: name, folder, purpose, and the order of its packages."""

WIDTH, LEFT, LAYER, BOX, GAP = 1120, 24, 124, 34, 8
COLOURS = {"pages": "#E9F1F8", "shared": "#F8F0DC", "lessons": "#E4F3EC", "tokenizers": "#F9E6DB"}


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer_of(dotted: str) -> str | None:
    """Return the layer of a module; None for one that is not ours."""
    if dotted.startswith("pages.shared"):
        return "shared"
    top = dotted.split(".")[0]
    return top if top in COLOURS else None


def imports_between() -> set[tuple[str, str]]:
    """Return the pairs of layers of which the first imports the second."""
    found: set[tuple[str, str]] = set()
    for folder in ("pages", "lessons", "tokenizers"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            here = layer_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
            for name in imported(path):
                there = layer_of(name)
                if here and there and here != there:
                    found.add((here, there))
    return found


def packages_of(folder: str, order: tuple[str, ...]) -> list[str]:
    """Return the packages of a layer in the given order, others last."""
    there = {path.parent.name for path in (ROOT / folder).glob("*/*.py")} - {"shared"}
    there |= {name for name in order if (ROOT / folder / f"{name}.py").exists()}
    return sorted(
        there, key=lambda name: (order.index(name) if name in order else len(order), name)
    )


def text(x: float, y: float, content: str, kind: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(content)}</text>'


def draw_packages(names: list[str], top: float) -> Iterator[str]:
    """Draw the packages of a layer in rows, each as wide as its name."""
    x, y = LEFT + 12.0, top + 44
    for name in names:
        width = 8 * len(name) + 14
        if x + width > WIDTH - LEFT - 12:
            x, y = LEFT + 12.0, y + BOX + 4
        size = f'width="{width:g}" height="{BOX - 6}"'
        yield f'<rect x="{x:g}" y="{y:g}" {size} rx="4" class="package"/>'
        yield text(x + 7, y + 19, name, "name")
        x += width + GAP


def draw_layers() -> Iterator[str]:
    between = imports_between()
    for n, (name, folder, purpose, names) in enumerate(LAYERS):
        top = 16 + n * (LAYER + 34)
        size = f'width="{WIDTH - 2 * LEFT}" height="{LAYER}"'
        yield f'<rect x="{LEFT}" y="{top}" {size} rx="8" fill="{COLOURS[name]}" class="layer"/>'
        yield text(LEFT + 12, top + 26, f"{folder}/", "folder")
        yield text(LEFT + 160, top + 26, purpose, "purpose")
        yield from draw_packages(packages_of(folder, names), top)
        used = ", ".join(lower[1] for lower in LAYERS[n + 1 :] if (name, lower[0]) in between)
        if used:
            yield text(LEFT + 30, top + LAYER + 22, f"↓ imports {used}", "imports")


def picture() -> str:
    """Return the whole picture as SVG."""
    height = 16 + len(LAYERS) * (LAYER + 34) - 20
    style = (
        "text{font:14px sans-serif;fill:#161513}.folder{font-weight:bold;font-size:17px}"
        ".name{font:13px monospace}.purpose,.imports{fill:#57534c}"
        ".package{fill:#fff;stroke:#8a8379}.layer{stroke:#57534c}"
    )
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>Four layers; each imports only those below it</title>",
        f"<style>{style}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        *draw_layers(),
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
