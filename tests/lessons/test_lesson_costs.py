"""The fields of lessons that say what something costs, or how often it is drawn."""

import math
from collections import Counter

import pytest

from lessons.facts.base import PictureFacts
from lessons.facts.unigram import UnigramFacts
from lessons.format.errors import LessonLookupError
from lessons.format.reading import PictureSpec
from lessons.format.words import plain
from lessons.pictures.planning import plan
from pages.lesson.pictures.build_pictures import build_picture
from tokenizers.unigram.steps import Prune


def facts(shows: str, **values: object) -> PictureFacts:
    return build_picture(
        lambda done, total: False, plan(PictureSpec("one", shows, values, 1))
    ).facts


HELLO = facts("lattice", vocabulary="u1")
MERGES = facts("bpe_train", corpus="b1", num_merges=2)
SLIDES = facts("unigram_train", corpus="u4", convention="slides", vocab_size=11)
WORDS = {"internationalization": 1, "international": 3, "national": 6, "inter": 5,
         "realization": 2, "organization": 3}  # fmt: skip
FAMILY = facts("unigram_train", counts=WORDS, convention="textbook", seed="bpe", vocab_size=20,
                schedule="one", sub_iterations=1, max_rounds=2)  # fmt: skip
EM = facts("unigram_train", corpus="u4", seed="strict_substrings", vocab_size=13, sub_iterations=2)
BESIDE = facts("segmentations", text="low tide", kinds=["words", "characters"], learned="own")


@pytest.mark.parametrize(
    ("of", "at", "field", "expected"),
    [
        (SLIDES, 2, "best_base10", "−66.109"),  # the slides print 66.102
        (SLIDES, 4, "best_base10", "−61.165"),
        (HELLO, 0, "edges", "10"),
        (MERGES, 0, "recounted", "0"),
        (MERGES, 2, "recounted", "134"),  # cat, bat, bag, tag, cats: 77 pairs, then 57
        (MERGES, 1, "revisited", "7"),  # cat, bat and cats: 2 + 2 + 3
        (MERGES, 0, "bound", "226"),  # 113 letters, 2 merges
        (
            EM,
            2,
            "where:un",
            "3 · 0.4545 for “run”, 13 · 0.4545 for “fun” and 10 · 0.4545 for “sun”",
        ),
        (EM, 2, "expected:un", "11.8"),  # 26 · 0.4545
        (EM, 2, "log_likelihood:2", "−119.114"),
        (EM, 4, "log_likelihood", "−119.114"),
        (FAMILY, 6, "likelihood_after", "−33.212"),  # before “international” goes
        (FAMILY, 7, "likelihood_after", "−33.331"),  # the words have become less likely
        (FAMILY, 6, "entropy_after", "2.697"),
        (FAMILY, 7, "entropy_after", "0.002"),
        (FAMILY, 6, "q_after", "−35.909"),
        (FAMILY, 7, "q_after", "−33.333"),  # and Q is higher
        (BESIDE, 0, "pairs:words", "4"),
        (BESIDE, 0, "pairs:characters", "64"),
        (BESIDE, 0, "parameters:words 768", "1,536"),
        (BESIDE, 0, "megabytes:words 500000", "4.0"),
    ],
)
def test_what_it_costs(of: PictureFacts, at: int, field: str, expected: str):
    name, _, argument = field.partition(":")
    assert plain(of.field(name, argument, at)) == expected


def test_with_alpha_one_it_is_drawn_by_its_share_and_with_zero_all_are_alike():
    assert HELLO.field("drawn", "1 hell o", 0) == HELLO.field("share", "hell o", 0)
    assert HELLO.field("drawn", "0 hell o", 0) == HELLO.field("drawn", "0 h e l l o", 0)


@pytest.mark.parametrize(
    ("of", "field", "argument"),
    [
        (HELLO, "drawn", "much hell o"),
        (HELLO, "drawn", "0.5 no way"),
        (HELLO, "drawn", ""),
        (EM, "where", ""),
        (EM, "log_likelihood", "99"),
        (EM, "log_likelihood", "x"),
        (EM, "likelihood_after", ""),
        (BESIDE, "parameters", "words"),
        (BESIDE, "megabytes", "words wide"),
        (BESIDE, "megabytes", "bpe 768"),
        (BESIDE, "pairs", ""),
    ],
)
def test_what_cannot_be_said_is_refused_in_a_sentence(of: PictureFacts, field: str, argument: str):
    with pytest.raises(LessonLookupError, match=r"\.|\}"):
        of.field(field, argument, 0)


def test_the_formula_of_the_lesson_on_losses_gives_the_loss_beside_it():
    run = facts("unigram_train", counts=WORDS, convention="textbook", seed="bpe", vocab_size=20,
                 loss="best_alternative", schedule="one", sub_iterations=1,
                 max_rounds=1)  # fmt: skip
    assert isinstance(run, UnigramFacts)
    step = run.newest(run.last, Prune)
    counts: Counter[str] = Counter()
    for word, count in WORDS.items():
        for piece in run.split(run.find_round({"round": 1, "phase": "maximization"}), word):
            counts[piece] += count
    c, total, parts = counts["international"], counts.total(), step.alternatives["international"]
    more = (len(parts) - 1) * c
    apart = sum(math.log((counts[part] + c) / (total + more)) for part in parts)
    assert c / total * (math.log(c / total) - apart) == pytest.approx(step.losses["international"])
