"""A path of one's own: what is written is what is read, and everything wrong gets a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS, lesson
from lessons.custom_path import (
    DEFAULT_TITLE,
    LONGEST_PATH,
    LONGEST_TITLE,
    MOST_PARTS,
    CustomPath,
    LessonPart,
    find_lesson,
    is_lesson,
    read_path,
    read_stops,
    read_title,
    write_stops,
)
from tests.pages.opening import HOSTILE
from tokenizers.errors import UserError


@st.composite
def parts(draw) -> LessonPart:
    slug = draw(st.sampled_from(list(LESSONS)))
    last = len(lesson(slug).stops)
    stops = draw(st.sets(st.integers(1, last), max_size=last - 1))
    return LessonPart(slug, tuple(sorted(stops)))


@given(st.lists(parts(), max_size=12, unique=True))
def test_what_is_written_is_read_again(given_parts):
    path = CustomPath("Until Friday", tuple(given_parts))
    assert read_path(path.written, path.title) == (path, ())


@given(parts())
def test_a_part_is_a_lesson_with_its_stops_alone(part):
    found, whole = find_lesson(part.written), lesson(part.slug)
    chosen = part.stops or range(1, len(whole.stops) + 1)
    assert found.slug == part.written
    assert found.stops == tuple([whole.stops[n - 1] for n in chosen])
    assert is_lesson(part.written)


@given(st.lists(parts(), min_size=1, max_size=8, unique=True))
def test_next_follows_the_path_to_its_end(given_parts):
    path = CustomPath("", tuple(given_parts))
    slug, seen = path.slugs[0], [path.slugs[0]]
    while following := path.after(slug):
        seen.append(slug := following)
    assert tuple(seen) == path.slugs
    assert path.after("a stranger") is None


@given(st.text(max_size=300), st.text(max_size=200))
def test_any_text_is_read(written, title):
    path, problems = read_path(written, title)
    assert len(path.parts) + len(problems) >= bool(written.replace(",", " ").split())
    assert 0 < len(path.title) <= LONGEST_TITLE
    assert read_path(path.written, path.title) == (path, ())


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("no-such", "There is no lesson “no-such”"),
        ("bpe-by-hand~99", "there is no stop 99"),
        ("bpe-by-hand~0", "there is no stop 0"),
        ("bpe-by-hand~3-2", "there is no stop 3-2"),
        ("bpe-by-hand~x", "is not a list of stops"),
        ("bpe-by-hand bpe-by-hand", "is in this path already"),
        ("~", "There is no lesson"),
        (f"bpe-by-hand {'x' * LONGEST_PATH}", "only the first"),
        *((text, "There is no lesson") for text in HOSTILE),
    ],
)
def test_what_is_wrong_gets_a_sentence_and_the_rest_is_kept(written, sentence):
    path, problems = read_path(f"the-pipeline {written}")
    assert path.parts[0] == LessonPart("the-pipeline")
    assert any(sentence in problem for problem in problems), problems


def test_a_path_is_bounded():
    written = " ".join(f"bpe-by-hand~{n} the-pipeline~{n} twins~{n}" for n in range(1, 11))
    path, problems = read_path(written)
    assert len(path.parts) == MOST_PARTS
    assert len(problems) == 30 - MOST_PARTS


def test_titles_are_short_and_on_one_line():
    assert read_title(" a\n b ") == "a b"
    assert read_title("  ") == DEFAULT_TITLE
    assert len(read_title("x" * 500)) == LONGEST_TITLE


@pytest.mark.parametrize("typed", ["1-2, 7", "1–2,7", "1 2 7", "7;1-2", "1-2.7", " 1 - 2 , 7 "])
def test_stops_are_read_as_people_type_them(typed):
    assert read_stops("what-a-prompt-costs", typed) == (1, 2, 7)


def test_all_stops_are_the_whole_lesson():
    last = len(lesson("bpe-by-hand").stops)
    assert read_stops("bpe-by-hand", f"1-{last}") == ()
    assert write_stops(()) == ""
    with pytest.raises(UserError, match="has the stops 1 to"):
        read_stops("bpe-by-hand", f"{last + 1}")
