"""What a page offers to take along beside its film. Everything is made only when it is asked for.

Left out: what is in the files (traces.py, tables.py, pictures.py, tokenizer_files.py), and the menu
itself (menu.py).
"""

from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.taking.tables import Table, as_csv

Make = Callable[[], str | bytes]


@dataclass(frozen=True, slots=True)
class Item:
    """A file: how the menu calls it, its name, and what makes it; `note` says what it is for.

    `make` of one that `may_refuse` raises ValueError, in a sentence, where the format cannot hold
    what there is.
    """

    label: str
    name: str
    make: Make
    note: str = ""
    may_refuse: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """The files of a page, and its tables: these come along inside the HTML file, too."""

    items: tuple[Item, ...] = ()
    tables: Callable[[], tuple[Table, ...]] = tuple

    def all_items(self) -> tuple[Item, ...]:
        """Return the files, with one for each of the tables."""
        return (*self.items, *map(_as_item, self.tables()))


def _as_item(table: Table) -> Item:
    return Item(
        f"{table.name} as CSV",
        f"{table.name.lower().replace(' ', '-')}.csv",
        lambda: as_csv(table),
        "For a spreadsheet. What would be a formula there gets an apostrophe in front.",
    )
