"""The fields of lessons that say what something costs, or how often it is drawn."""

import pytest

from lessons.format.reading import Picture
from lessons.format.trouble import NotThere
from lessons.format.words import plain
from lessons.pictures.planning import plan
from lessons.records.base import Record
from pages.course.making import make


def record(shows: str, **values: object) -> Record:
    return make(lambda done, total: False, plan(Picture("one", shows, values, 1))).record


HELLO = record("lattice", vocabulary="u1")
MERGES = record("bpe_train", corpus="b1", num_merges=2)
SLIDES = record("unigram_train", corpus="u4", convention="slides", vocab_size=11)
BESIDE = record("segmentations", text="low tide", kinds=["words", "characters"], learned="own")


@pytest.mark.parametrize(
    ("of", "at", "field", "said"),
    [
        (SLIDES, 2, "best_base10", "−66.109"),  # the slides print 66.102
        (SLIDES, 4, "best_base10", "−61.165"),
        (HELLO, 0, "edges", "10"),
        (MERGES, 0, "recounted", "0"),
        (MERGES, 2, "recounted", "134"),  # cat, bat, bag, tag, cats: 77 pairs, then 57
        (MERGES, 1, "revisited", "7"),  # cat, bat and cats: 2 + 2 + 3
        (BESIDE, 0, "pairs:words", "4"),
        (BESIDE, 0, "pairs:characters", "64"),
        (BESIDE, 0, "parameters:words 768", "1,536"),
        (BESIDE, 0, "megabytes:words 500000", "4.0"),
    ],
)
def test_what_it_costs(of: Record, at: int, field: str, said: str):
    name, _, argument = field.partition(":")
    assert plain(of.field(name, argument, at)) == said


def test_with_alpha_one_it_is_drawn_by_its_share_and_with_zero_all_are_alike():
    assert HELLO.field("drawn", "1 hell o", 0) == HELLO.field("share", "hell o", 0)
    assert HELLO.field("drawn", "0 hell o", 0) == HELLO.field("drawn", "0 h e l l o", 0)


@pytest.mark.parametrize(
    ("of", "field", "argument"),
    [
        (HELLO, "drawn", "much hell o"),
        (HELLO, "drawn", "0.5 no way"),
        (HELLO, "drawn", ""),
        (BESIDE, "parameters", "words"),
        (BESIDE, "megabytes", "words wide"),
        (BESIDE, "megabytes", "bpe 768"),
        (BESIDE, "pairs", ""),
    ],
)
def test_what_cannot_be_said_is_refused_in_a_sentence(of: Record, field: str, argument: str):
    with pytest.raises(NotThere, match=r"\.|\}"):
        of.field(field, argument, 0)
