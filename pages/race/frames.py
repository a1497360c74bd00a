"""Frames of a race, which show sizes, gained and lost pieces, common pieces, and a few words.

At position p, all three tokenizers have done the same fraction of their runs. The training is in
`race.py`, the comparison in `overlap.py`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from lessons.format.words import RichText
from pages.race.overlap import PAIRS, Overlap, group_name, overlap_at, shares_by_size
from pages.race.race import NAMES, Race, missed_goals, race
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.frame_types import (
    Column,
    Curves,
    CurvesFrame,
    Frame,
    FrameSource,
    JumpTarget,
    NoteFrame,
    PartFrame,
    PicturePart,
    Recording,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
    clip_strip,
)
from pages.shared.recording.packing import record
from pages.shared.training.source import CorpusSource
from tokenizers.progress import ProgressCallback

MAX_LISTED = 4  # pruned pieces that are listed
SHARED = PicturePart(
    "table",
    "Pieces in common, as a share of all that either one has",
    (
        Column("both", "text"),
        Column("pieces", "number"),
        Column("share", "number"),
        Column("", "part"),
    ),
)
SharesBySize = dict[tuple[int, int], list[tuple[int, int, float]]]


@dataclass(frozen=True, slots=True)
class RaceRun:
    """A race, its recording, and each pair's fraction of common pieces by vocabulary size."""

    race: Race
    recording: Recording
    shares: SharesBySize


def run_race(
    report: ProgressCallback, source: CorpusSource, goal: int, rule: str, follow: str
) -> RaceRun:
    """Train all three tokenizers and record the race; raise UserError if `race` does."""
    found = race(report, source, goal, rule, follow)
    return RaceRun(found, record_race(found), {pair: shares_by_size(found, pair) for pair in PAIRS})


def record_race(race: Race) -> Recording:
    """Record a race."""
    words = list(race.words)
    strips = [
        PicturePart("strips", f"{word_segment(words[word])[1]}, seen {race.words[words[word]]:,} ×")
        for word in race.watched
    ]
    parts = (_course(race), SHARED, *strips, PicturePart("note", ""))
    return record("The race of three", parts, _RaceFrames(race), _marks(race))


def _course(race: Race) -> PicturePart:
    """Return the part with the vocabularies' sizes over the whole race, for the runners."""
    stages = [race.stages(position) for position in range(race.last + 1)]
    sizes = tuple(
        [tuple([runner.sizes[now[n]] for now in stages]) for n, runner in enumerate(race.runners)]
    )
    goal = f"target: {count_of(race.goal, 'piece')}"
    return PicturePart(
        "curves",
        "Pieces in each vocabulary, from the start of the race to its end",
        curves=Curves(NAMES, sizes, race.goal, goal),
    )


def _marks(race: Race) -> list[JumpTarget]:
    """Return jump targets where Unigram prunes, and where a watched word's split changes."""
    stages = [race.stages(position) for position in range(race.last + 1)]
    steps = list(enumerate(pairwise(stages), start=1))
    prunes = tuple([p for p, (before, now) in steps if before[2] != now[2]])
    marks = [JumpTarget("Unigram prunes", prunes, has_tick=True)]
    words = list(race.words)
    for n, word in enumerate(race.watched):
        cut = tuple(
            [
                p
                for p, (old, now) in steps
                if _watched_splits(race, n, old) != _watched_splits(race, n, now)
            ]
        )
        marks.append(JumpTarget(f"{word_segment(words[word])[1]} is split differently", cut))
    return marks


def _watched_splits(race: Race, watched: int, stages: tuple[int, ...]) -> list[tuple[str, ...]]:
    return [r.watched[s][watched] for r, s in zip(race.runners, stages, strict=True)]


@dataclass(frozen=True)
class _RaceFrames(FrameSource):
    """The frames of a race, one for each position."""

    race: Race

    def __len__(self) -> int:
        return self.race.last + 1

    def frame(self, k: int) -> Frame:
        """Return the frame of position `k`."""
        race, overlap = self.race, overlap_at(self.race, k)
        before, stages = race.stages(max(k - 1, 0)), race.stages(k)
        changes = [_changes(race, n, before[n], stages[n]) for n in range(len(NAMES))]
        parts: tuple[PartFrame, ...] = (
            _runners(race, stages),
            _shared_table(overlap),
            *(_strips(race, n, before, stages) for n in range(len(race.watched))),
            _note(changes),
        )
        return Frame(_describe_position(race, k, changes, overlap), parts)

    @property
    def content(self) -> object:
        race = self.race
        ends = [(runner.sizes, runner.tokens, runner.stopped) for runner in race.runners]
        rules = [trace.settings for trace in race.merging]
        return race.goal, race.words, race.watched, ends, rules

    @property
    def largest(self) -> Collection[int]:
        stages = [self.race.stages(position)[-1] for position in range(len(self))]
        prunes = [p for p, (before, now) in enumerate(pairwise(stages), start=1) if before != now]
        return {*prunes[-1:], self.race.last}


PieceChanges = tuple[tuple[str, ...], tuple[str, ...]]
"""The pieces that a runner gained and lost between two positions."""


def _changes(race: Race, runner: int, before: int, now: int) -> PieceChanges:
    ran = race.runners[runner]
    gained = [piece for stage in ran.gained[before:now] for piece in stage]
    lost = [piece for stage in ran.lost[before:now] for piece in stage]
    return tuple(gained), tuple(lost)


def _runners(race: Race, stages: tuple[int, ...]) -> CurvesFrame:
    """Return each runner's size at a position, and how many tokens it needs for the text."""
    return CurvesFrame(
        tuple(
            [
                f"{count_of(runner.sizes[stage], 'piece')}, text: "
                f"{count_of(runner.tokens[stage], 'token')}"
                for runner, stage in zip(race.runners, stages, strict=True)
            ]
        )
    )


def _shared_table(overlap: Overlap) -> TableFrame:
    three, either = overlap.num_in_all, overlap.num_in_any
    rows = [
        # Joined by commas, the names fit into their column.
        *(
            (", ".join(NAMES[n] for n in pair), overlap.num_shared(pair), overlap.share(pair))
            for pair in PAIRS
        ),
        (group_name(range(len(NAMES))), three, three / either if either else 0.0),
    ]
    return TableFrame(
        tuple([TableRow((name, both, round(share, 3), share)) for name, both, share in rows])
    )


def _strips(race: Race, n: int, before: tuple[int, ...], now: tuple[int, ...]) -> StripsFrame:
    """Return strips of watched word number `n` as each of the three tokenizers splits it."""
    cuts = zip(NAMES, _watched_splits(race, n, before), _watched_splits(race, n, now), strict=True)
    strips = (TokenStrip(name, old, new, _new(old, new), old != new) for name, old, new in cuts)
    return StripsFrame(tuple(map(clip_strip, strips)))


def _new(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[int, ...]:
    return tuple([n for n, piece in enumerate(after) if piece not in before])


def _note(changes: list[PieceChanges]) -> NoteFrame:
    """Return a note with the pieces that Unigram has just pruned."""
    lost = changes[-1][1]
    if not lost:
        return NoteFrame(())
    listed: RichText = tuple(
        [part for piece in lost[:MAX_LISTED] for part in (("token", piece), " ")]
    )
    more = f"and {len(lost) - MAX_LISTED:,} more" if len(lost) > MAX_LISTED else ""
    return NoteFrame(("Pruned now: ", *listed, more))


def _describe_position(
    race: Race, position: int, changes: list[PieceChanges], overlap: Overlap
) -> RichText:
    sizes = [r.sizes[s] for r, s in zip(race.runners, race.stages(position), strict=True)]
    if not position:
        return _describe_start(race, sizes)
    steps: RichText = ()
    for n, (gained, lost) in enumerate(changes):
        if gained or lost:
            comma = ("; ",) if steps else ()
            steps = (*steps, *comma, *_describe_change(n, gained, lost, sizes[n]))
    shared = count_of(overlap.num_in_all, "piece")
    return (
        *(steps or ("No vocabulary changes",)),
        ". All three have ",
        ("strong", shared),
        " in common.",
        *(_describe_end(race) if position == race.last else ()),
    )


def _describe_end(race: Race) -> RichText:
    arrived = "This is where they meet." if race.has_meeting else " ".join(missed_goals(race))
    return (f" {arrived}",)


def _describe_start(race: Race, sizes: list[int]) -> RichText:
    bpe, wordpiece, unigram = sizes
    sentence: RichText = (
        "Start: before any merge, BPE has ",
        ("strong", count_of(bpe, "piece")),
        ", WordPiece ",
        ("strong", f"{wordpiece:,}"),
        "; before any pruning, Unigram ",
        ("strong", f"{unigram:,}"),
        f". {_outlook(race)}",
    )
    return (
        sentence
        if race.last
        else (*sentence, " They are already there: nothing is merged or pruned.")
    )


def _outlook(race: Race) -> str:
    """Say where the race ends."""
    if race.has_meeting:
        return f"They meet at {race.goal:,}."
    bpe, wordpiece, unigram = race.ends
    ends = f"BPE ends at {bpe:,}, WordPiece at {wordpiece:,}, Unigram at {unigram:,}"
    return f"The target is {race.goal:,}: {ends}."


def _describe_change(n: int, gained: tuple[str, ...], lost: tuple[str, ...], size: int) -> RichText:
    name, pieces = NAMES[n], lost or gained
    verb, kind = ("prunes", "token") if lost else ("makes", "new")
    first = pieces[0] if lost else pieces[-1]
    rest = len(pieces) - 1
    more = f" and {count_of(rest, 'more piece')}" if rest else ""
    return (f"{name} {verb} ", (kind, first), more, " (", ("strong", f"{size:,}"), ")")
