"""What Compare · Race offers to take along: its trace, and tables."""

from pages.race.overlap import PAIRS, meetings
from pages.race.race import Race
from pages.shared.taking import traces
from pages.shared.taking.offer import Offer, trace_items
from pages.shared.taking.tables import Table


def of_race(race: Race) -> Offer:
    """Offer the race, the sizes on the way, and who has which piece at the end."""
    tables = {"Positions": lambda: _positions(race), "Pieces": lambda: _pieces(race)}
    return Offer(trace_items(lambda: record(race)), tables)


def record(race: Race) -> traces.Record:
    """Return the record of a race: both runs that merge, Unigram's models, and every position."""
    bpe, wordpiece = race.merging
    positions = []
    for position, met in enumerate(meetings(race)):
        stages = race.stages(position)
        ways = list(zip(race.runners, stages, strict=True))
        positions.append(
            {
                "stages": stages,
                "sizes": [runner.sizes[stage] for runner, stage in ways],
                "tokens": [runner.tokens[stage] for runner, stage in ways],
                "shared": [met.both(pair) for pair in PAIRS],
                "all_three": met.all_three,
            }
        )
    return {
        "kind": "race",
        "goal": race.goal,
        "bpe": traces.of_merging(bpe),
        "wordpiece": traces.of_merging(wordpiece),
        "unigram": {"models": [traces.as_table(model) for model in race.models]},
        "positions": positions,
    }


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
