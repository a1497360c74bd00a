"""A new token's vector, and more merges from another text, on What if."""

from fractions import Fraction

import pytest

from pages.shared.recording.frame_types import plain_text
from pages.what_if.transplant import EXAMPLE, parse_vectors
from pages.what_if.transplant_frames import Transplant, _TransplantFrames, record_transplant
from tests.pages.opening import checked, html_of, markdown_of, opened, texts_of
from tokenizers import bpe
from tokenizers.bpe.vocabulary_edit import with_more_merges
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus


def frames_of(written: str, most: int = 2) -> _TransplantFrames:
    found = parse_vectors(written)
    given = Transplant(found.token, found.target, found.donor, found.base, most)
    return _TransplantFrames(given, given.steps)


def test_the_example_is_solved_by_hand():
    frames = frames_of(EXAMPLE)
    said = [plain_text(frame.sentence) for frame in frames]
    assert said[1] == (
        "At first all of it is left. er has the largest product with it: 3 × 5 + 1 × 5 = 20. We "
        "choose it."
    )
    assert "(−1, 3) is left, at a right angle" in said[2]
    assert "1 × (−1) + 2 × 3 = 5" in said[3]
    assert said[4].endswith("All are fitted again, so earlier weights change. Nothing is left.")
    assert said[5].endswith("1 × (0, 3) + 2 × (2, 1) = (4, 5).")
    assert plain_text(frames[5].parts[2].text).endswith("is (1, 1).")
    assert [frame.question.correct for frame in frames if frame.question] == [(0,), (0,)]
    assert record_transplant(frames.given).last == 5


def test_a_target_that_nothing_reaches_has_one_frame():
    frames = frames_of("new: 0 1\na: 1 0 | 2 2")
    assert len(frames) == 1
    assert "none can be chosen" in plain_text(frames[0].sentence)


def test_numbers_are_exact():
    found = parse_vectors("new: -1.5, 2\na: 1 0 | 3")
    assert found.target == (Fraction(-3, 2), Fraction(2))
    assert found.base == {"a": (Fraction(3),)}


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "new token in the first line"),
        ("new: 1 2", "new token in the first line"),
        ("new: 1 2 | 3\na: 1 2 | 3", "new, so it has no vector"),
        ("new: 1 2\na: 1 2", "needs a second vector"),
        ("new: 1 2\na: 1 | 3", "another length"),
        ("new: 1 2\na: 1 2 | 3\nb: 1 2 | 3 4", "another length"),
        ("new: 1 2\nnew: 1 2 | 3", "there twice"),
        ("new: 1 2\na: 1 x | 3", "a vector is 1 to 4 numbers"),
        ("new: 1 2\na: 1 9999 | 3", "below 1,000"),
        ("new: 1 2\na 1 2 | 3", "no token before a colon"),
        ("new: 1 2\na: 1 2 | 3 | 4", "more than one |"),
    ],
)
def test_a_wrong_table_gets_a_sentence(written: str, why: str):
    with pytest.raises(UserError) as error:
        parse_vectors(written)
    assert why in str(error.value)


def test_the_page_steps_through_it():
    app = opened("surgery", **{"if": "vector"})
    assert not app.error
    box = app.text_area(key="vectors")
    assert box.value == EXAMPLE
    box.set_value("new: 1 2\na: 1 x | 3")
    checked(app.run())
    assert ["Line 2" in text for text in texts_of(app.error)] == [True]
    assert app.text_area(key="vectors").value == "new: 1 2\na: 1 x | 3"


@pytest.mark.parametrize("learns", ["bpe", "wordpiece", "unigram"])
def test_every_algorithm_has_the_vectors(learns: str):
    app = opened("surgery", learns=learns, **{"if": "vector"})
    assert app.text_area(key="vectors").value == EXAMPLE


def test_more_merges_from_another_text():
    text = "newest newest tokens"
    app = opened("surgery", corpus="b2", merges="5", new_text=text, more="4", **{"if": "extend"})
    trace = Trace.record(
        Corpus.from_counts({"low": 5, "lower": 2, "newest": 6, "widest": 3}),
        bpe.Settings("end_of_word", "</w>", num_merges=5),
    )
    model = trace.model()
    longer = with_more_merges(model, Corpus.from_text(text, model.pipeline), 4)
    said = texts_of(app.caption)
    assert f"As it is: {len(model.encode(text).tokens)} tokens" in said
    assert f"With 4 merges more: {len(longer.encode(text).tokens)} tokens" in said
    assert "new pieces" in html_of(app)
    assert "The text of the run" in markdown_of(app)


def test_unigram_and_wordpiece_do_not_merge_on():
    for learns in ("wordpiece", "unigram"):
        app = opened("surgery", learns=learns, **{"if": "extend"})
        assert app.selectbox(key="if").value == "count"
