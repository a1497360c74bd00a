"""What Compare · Race offers to take along: tables, for a race is no one algorithm's run."""

from pages.race.race import Race
from pages.shared.taking.offer import Offer
from pages.shared.taking.tables import Table


def of_race(race: Race) -> Offer:
    """Offer the sizes on the way, and who has which piece at the end."""
    return Offer((), {"Positions": lambda: _positions(race), "Pieces": lambda: _pieces(race)})


def _positions(race: Race) -> Table:
    names = [runner.name for runner in race.runners]
    columns = (
        "step",
        *(f"{n}: {what}" for n in names for what in ("pieces", "tokens of the text")),
    )
    rows = []
    for position in range(race.last + 1):
        stages = zip(race.runners, race.stages(position), strict=True)
        figures = [(runner.sizes[stage], runner.tokens[stage]) for runner, stage in stages]
        rows.append((position, *(figure for pair in figures for figure in pair)))
    return Table("Positions", columns, rows, by_step=True)


def _pieces(race: Race) -> Table:
    """Return every piece at the end, and which of the three have it."""
    vocabularies = [runner.vocab(runner.meets) for runner in race.runners]
    pieces = sorted(frozenset().union(*vocabularies))
    rows = [
        (piece, *("yes" if piece in vocab else "no" for vocab in vocabularies)) for piece in pieces
    ]
    return Table("Pieces", ("piece", *(runner.name for runner in race.runners)), rows)
