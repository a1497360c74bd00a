"""Why not? Every row and every arc that the player shows has its reason, and the right one."""

import pytest

from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import record_bpe_training
from pages.lattice.backward import record_backward
from pages.lattice.building import record_building
from pages.lattice.filling import record_filling
from pages.lattice.frame_helpers import best_through, nats
from pages.lattice.listing import record_listing
from pages.lattice.sampling import record_sampling
from pages.shared.recording.frame_types import Recording
from pages.unigram.frames.training_frames import record_unigram_training
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from pages.wordpiece.training_frames import record_wordpiece_training
from tests.recordings import unpacked
from tokenizers import bpe, plain, wordpiece
from tokenizers.bpe import Dropout
from tokenizers.lattice import Lattice
from tokenizers.lattice.sampling import Sampler
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import CONVENTIONS, convention_settings
from tokenizers.wordpiece import vocabulary

CORPUS = Corpus.from_counts({"low": 5, "lower": 2, "newest": 6, "widest": 3})
BPE = Trace.record(CORPUS, bpe.Settings(base="end_of_word", num_merges=30))
WORDS = ("lowest", "newer", "xow")
CHANCES = {"h": -3.0, "e": -1.9, "l": -1.6, "he": -1.9, "el": -2.5, "lo": -2.3, "hell": -3.2}
HELLO = Lattice.build("hellxo", CHANCES, unknown=-12.0)  # x and o are no pieces
DEAD = Lattice.build("hexlo", CHANCES)  # no path leads past the x


def wordpiece_trace(convention: str) -> Trace:
    settings = wordpiece.Settings(convention=convention, vocab_size=40, min_count=2)
    return Trace.record(CORPUS, settings)


def unigram_trace(convention: str) -> UnigramTrace:
    return UnigramTrace.record(CORPUS, convention_settings(convention, 14))


FILMS = {
    "bpe": lambda: record_bpe_training(BPE),
    "bpe, short pieces": lambda: record_bpe_training(
        Trace.record(CORPUS, bpe.Settings(num_merges=30, max_token_length=3))
    ),
    "bpe encoding": lambda: record_bpe_encoding(WORDS, BPE.model()),
    "bpe dropout": lambda: record_bpe_encoding(WORDS, BPE.model(), Dropout(0.5, 3)),
    "wordpiece": lambda: record_wordpiece_training(wordpiece_trace("score")),
    "wordpiece by count": lambda: record_wordpiece_training(wordpiece_trace("hugging_face")),
    "wordpiece encoding": lambda: record_wordpiece_encoding(
        WORDS, wordpiece.Model(vocabulary(["l", "low", "##e", "##s", "##st", "##t", "n"]))
    ),
    **{
        f"unigram, {name}": lambda name=name: record_unigram_training(unigram_trace(name))
        for name in CONVENTIONS
    },
}  # fmt: skip
LATTICE_FILMS = {
    "filling": record_filling,
    "building": record_building,
    "backward": record_backward,
    "listing": record_listing,
    "sampling": lambda lattice: record_sampling(Sampler(lattice), 1),
}
CASES = {
    **FILMS,
    **{name: lambda make=make: make(HELLO) for name, make in LATTICE_FILMS.items()},
    "filling, no way": lambda: record_filling(DEAD),
    "backward, no way": lambda: record_backward(DEAD),
}


class Opened:
    """A recording as the browser reads it: for each rule, one frame after the other."""

    def __init__(self, recording: Recording) -> None:
        self.head, frames = unpacked(recording)
        self.rules = (
            [frames, [frame["other"] for frame in frames]] if self.head["rules"] else [frames]
        )

    def said(self, say):
        return "".join(
            part if isinstance(part, str) else self.head["tokens"][part[1]][0]
            if part[0] in ("token", "new") else part[1]
            for part in say
        )  # fmt: skip

    def rows(self):
        """Yield the cells, mark and reason of every row, and the numbers of rule and frame."""
        for rule, frames in enumerate(self.rules):
            for k, frame in enumerate(frames):
                for part, value in zip(self.head["parts"], frame["parts"], strict=True):
                    if part["kind"] == "table":
                        yield from ((rule, k, *row) for row in value["lines"])

    def reason(self, rule: int, k: int, arc: int) -> str:
        """Return the reason of an arc, as the player reads it."""
        reasons = self.rules[rule][k]["parts"][0]["reasons"]
        return self.said(reasons[arc]) if reasons else ""


@pytest.mark.parametrize("name", CASES)
def test_every_row_has_a_reason(name):
    recording = Opened(CASES[name]())
    rows = list(recording.rows())
    assert rows
    assert [row for row in rows if not recording.said(row[4])] == []


@pytest.mark.parametrize("name", LATTICE_FILMS)
@pytest.mark.parametrize("lattice", [HELLO, DEAD], ids=["hello", "no way"])
def test_every_drawn_arc_has_a_reason(name, lattice):
    if lattice is DEAD and name == "sampling":
        return  # there is nothing to draw from
    recording = Opened(LATTICE_FILMS[name](lattice))
    for rule, frames in enumerate(recording.rules):
        for k, frame in enumerate(frames):
            for arc, state in enumerate(frame["parts"][0]["arcs"]):
                assert state == " " or recording.reason(rule, k, arc), (name, k, arc)


def test_a_pair_that_is_less_frequent_is_behind_by_its_count():
    recording = Opened(record_bpe_training(BPE))
    told = 0
    for _, k, (pair, count, _), mark, why in recording.rows():
        if not k or mark:
            continue
        counts = plain.count_pairs(BPE.state(k - 1).splits, list(CORPUS.word_counts.values()))
        most = max(counts.values())
        assert counts[tuple(recording.head["tokens"][n][0] for n in pair)] == count
        assert recording.said(why).startswith(f"{count} < {most}: ")
        told += 1
    assert told > 20


def prefixes(lattice: Lattice) -> list[dict]:
    """Return, for each position, every path to it and its log probability, by brute force."""
    ways: list[dict] = [{(): 0.0}]
    for edges in lattice.arriving[1:]:
        ways.append({
            (*path, n): log_prob + lattice.edges[n].log_prob
            for n in edges for path, log_prob in ways[lattice.edges[n].start].items()
        })  # fmt: skip
    return ways


def test_the_score_gap_of_an_arc_is_that_of_all_segmentations():
    recording, ways = Opened(record_filling(HELLO)), prefixes(HELLO)
    for arc, edge in enumerate(HELLO.edges):
        here = ways[edge.end]
        with_it = max(total for path, total in here.items() if path[-1] == arc)
        lag = max(here.values()) - with_it
        assert recording.reason(0, edge.end - 1, arc).startswith("Not reached yet")
        said = recording.reason(0, edge.end, arc)
        if lag > 1e-9:
            assert said.startswith(f"{nats(lag)} nats behind the best at position {edge.end}.")
        else:
            assert said.startswith(f"No other path to position {edge.end} has a higher")
        assert ("It is not in the vocabulary" in said) == (edge.piece in "xo")


def test_what_an_arc_can_become_is_the_best_of_all_that_use_it():
    whole = prefixes(HELLO)[-1]
    best = max(whole.values())
    recording = Opened(record_filling(HELLO))
    for arc, total in enumerate(best_through(HELLO)):
        assert total == pytest.approx(max(t for path, t in whole.items() if arc in path))
        said = recording.reason(0, len(HELLO.text) + 1, arc)
        assert (f"{nats(best - total)} nats behind the best of all." in said) == (
            best > total + 1e-9
        )


def test_a_piece_that_is_pruned_names_its_round_and_its_loss():
    trace = unigram_trace("textbook")
    recording = Opened(record_unigram_training(trace))
    gone = [recording.said(why) for *_, mark, why in recording.rows() if mark == "removed"]
    assert gone
    assert all(said.startswith(("Removed in round ", "Dropped: ")) for said in gone)


def test_a_random_number_falls_into_its_described_interval():
    recording = Opened(record_sampling(Sampler(HELLO), 4))
    for _, _, cells, mark, why in recording.rows():
        if len(cells) == 5:
            assert (mark == "now") == ("does not fall" not in recording.said(why))
