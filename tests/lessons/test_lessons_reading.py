"""A lesson with a mistake is refused: the line, what is wrong, what to write instead."""

import pickle
import time
from collections.abc import Callable
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.claims import CLAIMS
from lessons.format.errors import LessonError
from lessons.format.prose import fill_fields, read_line, read_prose
from lessons.format.reading import At, Lesson, read_lesson, slug_of
from lessons.picture_schema import CHOICES, DECIMAL, LISTS, NAMES, SWITCHES, TABLES, TEXTS, WHOLE
from lessons.pictures.planning import KEYS
from lessons.stops import validate
from tests.lessons.test_lessons import TEXT, facts_of
from tests.lessons.transcript import plain_prose
from tokenizers import bpe, wordpiece
from tokenizers.unigram import settings as unigram_settings

FRONT = """+++
title = "Endings"
purpose = "Why est becomes a piece."
examples = ["B2"]

[picture.run]
shows = "bpe_train"
corpus = "b2"
num_merges = 10

[picture.hello]
shows = "lattice"
vocabulary = "u1"
+++
"""
GOOD = (
    FRONT
    + """
## The third ending

```stop
at = { token = "est" }
mark = ["est"]
ask = "next_pair"
```

It is {pair}.
"""
)


LONG = "a low tide\n" * 2_000


def played(text: str) -> Lesson:
    one = read_lesson(text, "endings")
    validate(one, facts_of(one), CLAIMS)
    return one


def with_block(block: str, text: str = "Text.") -> str:
    """A lesson of one stop; the block begins in line 18."""
    return f"{FRONT}\n## Stop\n```stop\n{block}\n```\n{text}\n"


def test_a_lesson_is_read():
    one = played(GOOD)
    assert (one.slug, one.title, one.examples) == ("endings", "Endings", ("B2",))
    (stop,) = one.stops
    assert (stop.heading, stop.line, stop.picture) == ("The third ending", 16, "run")
    assert stop.at == At("token", "est")
    assert stop.ask is not None
    assert stop.ask.kind == "next_pair"
    assert stop.line_of("mark") == 20


def test_a_stop_stays_where_the_one_before_it_was():
    more = '\n## Next\n\nText.\n\n## Other\n```stop\npicture = "hello"\n```\nText.\n'
    first, second, third = played(GOOD + more).stops
    assert (second.picture, second.at) == (first.picture, first.at)
    assert (third.picture, third.at) == ("hello", At())


FILES = [
    ("", 1, "A lesson begins with a line of +++"),
    ("# No front matter", 1, "Write +++ here."),
    ('+++\ntitle = "x"', 1, "The front matter has no end."),
    ('+++\ntitle = x\n+++\n', 2, "This is no TOML"),
    ("+++\n+++\n", 1, "The title is missing."),
    ('+++\ntitle = "x"\n+++\n', 1, "The purpose is missing."),
    ('+++\ntitle = "x"\npurpose = "y"\n+++\n', 1, "There is no picture."),
    ('+++\ntitle = "x"\npurpose = "y"\npicture = {}\n+++\n', 4, "There is no picture."),
    (FRONT, 14, "There is no stop."),
    (FRONT.replace("examples", "example"), 4, "Did you mean examples?"),
    (FRONT.replace('"bpe_train"', "3"), 6, 'Write: shows = "bpe_train"'),
    (FRONT.replace("picture.run", "picture.Run"), 6, "Use small letters and digits."),
    (FRONT + "text\n## Stop\ntext", 15, "This stands before the first stop."),
    (FRONT + "## Stop\n\n## Stop\ntext", 15, "This stop has no text."),
    (FRONT + "## Stop\n```stop\nat = 'end'\ntext", 16, "This block has no end."),
    (FRONT + "## Stop\ntext\n\n```stop\nat = 'end'\n```", 18, "A stop’s block comes right below"),
    (FRONT + "## Stop\n```stop\n```\ntext\n``` stop\n```", 19, "A stop’s block comes right below"),
    (FRONT + "## Stop\n```\ntext", 16, "This block has no end."),
    (FRONT + "## Stop\n[a](javascript:x)", 16, "Begin it with https://, / or ?."),
    (FRONT + "## Stop\n| a | b |\n| c |", 16, "Every row of a table"),
    (FRONT + "## Stop\n[a](//evil.example)", 16, "leads to another site. Begin it with https://."),
    (FRONT + "## Stop\n[a](/\\evil.example)", 16, "leads to another site. Begin it with https://."),
    (FRONT + "## Stop\n" + "a" * 2_001, 16, "This line has 2,001 characters, at most 2,000"),
    (FRONT + "## Stop\nhalf \ud800", 16, "This line has half a character (U+D800) in it."),
    (FRONT.replace("[picture.hello]", "x = " + "[" * 900 + "]" * 900 + "\n[picture.hello]"), 11,
     "Lists and tables are nested more than 10 deep here."),
    (FRONT.replace("[picture.hello]", "x = [\n" + "[\n" * 3_000), 21,
     "Lists and tables are nested more than 10 deep here."),
    (FRONT.replace("10\n", "10\n" + "a." * 900 + "b = 1\n"), 10,
     "Lists and tables are nested more than 10 deep here."),
    (FRONT.replace("= 10", "= " + "9" * 1_900), 9, "This number is too large."),
    (FRONT.replace("= 10", "= 0x" + "f" * 1_900), 9, "This number is too large."),
    (FRONT.replace("= 10", "= nan"), 9, "This number is too large."),
    (FRONT.replace("= 10", "= 1979-05-27"), 9, "A lesson has no dates and times: 1979-05-27."),
    (FRONT + "## Stop\n```stop\nmark = []\nat = { rank = inf }\n```\ntext", 18,
     "This number is too large."),
    (FRONT + "## Stop\nSo $a_{x}$ is.", 16, "A formula stands between two lines of $$"),
    (FRONT + "## Stop\n$$ a = b $$", 16, "A formula stands between two lines of $$"),
]  # fmt: skip
PICTURES = [
    ('shows = "bpe_train"', 'shows = "bpe"', "A picture cannot show “bpe”."),
    ("num_merges = 10", "merges = 10", "Did you mean num_merges?"),
    ("num_merges = 10", "num_merges = -1", "num_merges is a number from 0 to 5,000."),
    ("num_merges = 10", 'num_merges = "x"', "num_merges is a number from 0 to 5,000."),
    ("num_merges = 10", "num_merges = 9999", "num_merges is a number from 0 to 5,000."),
    ("num_merges = 10", 'min_count = "x"', "min_count is a number from 0 to 1,000,000."),
    ("num_merges = 10", 'ties = "random"', "ties is 'random'; it must be one of first_seen"),
    ("num_merges = 10", 'text = "low"', "Write either corpus, text or counts."),
    ('corpus = "b2"', 'corpus = "b9"', "There is no corpus “b9”."),
    ('corpus = "b2"', 'text = " "', "has no words to learn from."),
    ('corpus = "b2"', "counts = { low = 0 }", "The count of “low” is 0."),
    ('vocabulary = "u1"', 'vocabulary = "u9"', "There is no vocabulary “u9”."),
    ('vocabulary = "u1"', "pieces = { a = 2 }\ntext = 'a'", "a probability from 0 to 1."),
    ('vocabulary = "u1"', "pieces = { a = 0.2 }", "needs a text of 1 to 200 characters."),
    ('vocabulary = "u1"', "pieces = { a = 2 }\ntext = 'a'\nof = 0", "of is a number from 1 to"),
    ('vocabulary = "u1"', "pieces = { a = true }\ntext = 'a'", "a probability from 0 to 1."),
    ('vocabulary = "u1"', "pieces = 3\ntext = 'a'", "has no piece with a probability"),
    ('vocabulary = "u1"', 'vocabulary = "u1"\nprior = { x = 1 }', "The prior of hello has"),
    ('vocabulary = "u1"', 'vocabulary = "u1"\nprior = 3', "prior is a table."),
    (
        'vocabulary = "u1"',
        'corpus = "b2"\ntext = "a"\nsub_iterations = 1000000\nseed_size = 1000000',
        "sub_iterations is a number from 1 to 20.",
    ),
    ('vocabulary = "u1"', 'corpus = "b2"\ntext = "a"\nreserved = [1, {}]', "reserved is a list of"),
    ('vocabulary = "u1"', 'corpus = "b2"\ntext = "a"\nslip = 1', "slip is true or false."),
    ("num_merges = 10", "num_merges = true", "num_merges is a number from 0 to 5,000."),
    ("num_merges = 10", "normalizers = 'nfc'", "normalizers is a list of at most 20 names."),
    ('corpus = "b2"', f'text = """{LONG}"""', "text is a text of at most 20,000 characters"),
    ('corpus = "b2"', 'text = ["a"]', "text is a text of at most 20,000 characters"),
    ('corpus = "b2"', "counts = [1]", "counts is a table. Write: counts = { low = 5"),
]
BLOCKS = [
    ("wher = 1", 18, "A stop has no key “wher”."),
    ("at = ", 18, "This is no TOML"),
    ('picture = "runs"', 18, "There is no picture “runs”. Did you mean run?"),
    ('at = "middle"', 18, "There is no moment “middle”."),
    ("at = 3", 18, "at is a moment by its content."),
    ("at = { before = true }", 18, "at has to say which moment is meant."),
    ('at = { token = "xyz" }', 18, "No step of this run makes “xyz”. It makes: es, est, "),
    ("at = { step = 3 }", 18, "There is no moment called “step”."),
    ('at = { pair = ["a", "b"] }', 18, "This run never merges “a+b”."),
    ('at = { word = "lowest" }', 18, "“lowest” is not a word of this corpus."),
    ("at = { pair = [1, 2] }", 18, "A pair is two symbols."),
    ("at = { pair = [[], {}] }", 18, "A pair is two symbols."),
    (f'at = {{ token = "{"x" * 1_000}" }}', 18, "No step of this run makes"),
    ('mark = "est"', 18, "mark is a list of names."),
    ('at = "end"\nmark = ["est", "xyz"]', 19, "The picture never shows “xyz”."),
    ('rule = "sum"', 18, "Only a lattice has rules."),
    ('rule = "mean"', 18, "There is no rule “mean”."),
    ('claims = ["B2-99"]', 18, "There is no claim “B2-99”."),
    ('ask = "who"', 18, "This picture has no question called “who”."),
    ("ask = 3", 18, "ask has to name its kind."),
    ('ask = { kind = "next_pair", pair = "e" }', 18, "The question next_pair has no key “pair”."),
    ('at = "end"\nask = "next_pair"', 19, "The run ends here"),
    ('ask = "pair_count"', 18, "This question needs a pair."),
    ('ask = { kind = "pair_count", pair = ["z", "z"] }', 18, "The pair “z+z” is not in the words"),
    ('ask = { kind = "segmentation" }', 18, "The question segmentation needs a text."),
    ('ask = { kind = "order_merges", tokens = ["es"] }', 18, "needs two to eight tokens."),
    ('ask = { kind = "first_difference", against = "x" }', 18, "There is no picture “x”."),
    ('ask = { kind = "first_difference", against = "hello" }', 18, "shows something else."),
    ('ask = { kind = "first_difference", against = "run" }', 18, "The two runs do the same."),
    ('ask = { kind = "true_false" }', 18, "Say how to check it"),
    ('ask = { kind = "true_false", says = "x" }', 18, "Say how to check it"),
    ('ask = { kind = "true_false", says = "x", belief = "y" }', 18, "There is no belief “y”."),
    ('ask = { kind = "true_false", says = "x", compare = ["stopped", "more than", "1"] }', 18,
     "The field stopped is not a number"),
    ('ask = { kind = "true_false", belief = ["y"] }', 18, "There is no belief “['y']”."),
    ('ask = { kind = "true_false", says = "x", compare = [1, [], 2] }', 18, "Write: compare ="),
    ('picture = "hello"\nask = { kind = "log_prob", path = [1] }', 19,
     "This question needs a path."),
    ('ask = { kind = "number", field = "steps" }', 18, "This question needs its words."),
    ('ask = { kind = "number", asks = "x" }', 18, "The question number needs a text."),
    ('ask = { kind = "number", asks = "x", field = "stopped" }', 18, "stopped is not a number."),
    ('ask = { kind = "number", asks = "x", field = "step", instead = 3 }', 18, "Name the fields"),
    ('picture = "hello"\nask = { kind = "winner", position = 1 }', 19, "Only one piece ends"),
    ('picture = "hello"\nat = { position = 9 }', 19, "The positions of this text go from 0 to 5."),
    ('picture = "hello"\nask = { kind = "log_prob", path = ["x"] }', 19, "is not a way to split"),
]  # fmt: skip
PROSE = [
    ("It is {par}.", 20, "There is no field called “par”. Did you mean pair?"),
    ("One.\nIt is {par}.", 21, "Did you mean pair?"),
    ("It is {pair}.", 20, "At the start nothing has been merged yet."),
    ("It is {count:z+z}.", 20, "The pair “z+z” is not in the words at this point."),
    ("It is {split}.", 20, "This field needs something after a colon. Write: {split:newest}"),
    ("$$\n{{par}}\n$$", 20, "There is no field called “par”."),
    ("a \u2028 b\nIt is {par}.", 21, "There is no field called “par”."),
]


@pytest.mark.parametrize(("text", "line", "expected"), FILES)
def test_a_file_with_a_mistake(text, line, expected):
    with pytest.raises(LessonError) as caught:
        played(text)
    assert (caught.value.line, expected in caught.value.reason) == (line, True), str(caught.value)


@pytest.mark.parametrize(("before", "after", "expected"), PICTURES)
def test_a_picture_with_a_mistake(before, after, expected):
    with pytest.raises(LessonError, match=r"^Line \d+: ") as caught:
        played(GOOD.replace(before, after))
    assert expected in caught.value.reason
    assert caught.value.line == (11 if before.startswith("vocabulary") else 6)


@pytest.mark.parametrize(("block", "line", "expected"), BLOCKS)
def test_a_stop_with_a_mistake(block, line, expected):
    with pytest.raises(LessonError) as caught:
        played(with_block(block))
    assert expected in caught.value.reason
    assert caught.value.line == line


@pytest.mark.parametrize(("text", "line", "expected"), PROSE)
def test_prose_with_a_mistake(text, line, expected):
    with pytest.raises(LessonError) as caught:
        played(with_block("at = 'start'", text))
    assert expected in caught.value.reason
    assert caught.value.line == line


def test_a_lesson_is_no_larger_than_can_be_run():
    pictures = "".join(f'[picture.p{n}]\nshows = "bpe_train"\ntext = "a"\n' for n in range(41))
    with pytest.raises(LessonError, match="There are 43 pictures, at most 40 are made"):
        read_lesson(GOOD.replace("[picture.run]", f"{pictures}[picture.run]"), "x")
    with pytest.raises(LessonError, match="This is stop 61; a lesson has at most 60"):
        read_lesson(FRONT + "## Stop\ntext\n" * 99, "x")


def test_what_separates_lines_elsewhere_is_text_here():
    strange = GOOD.replace("Why est", "Why \u2028 est").replace("\n", "\r\n")
    assert played(strange).purpose == "Why est becomes a piece."
    assert played(strange).stops[0].line == 16


@pytest.mark.parametrize(
    "sign", ["[", "[a](", "[a", "`` ", "`a` ", "{", "*", "**a ", "$a ", "\\", "| ", "{a} "]
)
def test_prose_takes_time_in_proportion_to_its_length(sign):
    def seconds(most: int) -> float:
        line = (sign * 2_000)[:1_900]
        lines = [line] * (most // len(line))
        start = time.process_time()
        refused_at(lambda: read_prose(lines, 1))
        return time.process_time() - start

    assert seconds(50_000) < 3  # it takes some hundredths, and took 19 when it grew by the square


def test_a_block_of_many_keys_or_fields_is_read_at_once():
    start = time.process_time()
    fields = "\n".join(f"{{a{n}}}" for n in range(8_000))
    keys = "\n".join(f"k{n} = 1" for n in range(8_000))
    assert refused_at(lambda: read_lesson(with_block(keys), "x")) == 18
    assert refused_at(lambda: read_lesson(with_block("at = 'start'", fields), "x")) == 0
    assert time.process_time() - start < 3  # it takes 0.2, and took 18


def test_every_number_of_a_picture_has_bounds():
    settings = (bpe.Settings, wordpiece.Settings, unigram_settings.Settings)
    numbers = {
        field.name
        for field in (field for one in settings for field in fields(one))
        if not isinstance(field.default, (bool, str, tuple))
    }
    assert numbers <= WHOLE.keys() | DECIMAL.keys()
    every = {key for keys in KEYS.values() for key in keys}
    known = (*WHOLE, *DECIMAL, *TEXTS, *LISTS, *NAMES, *TABLES, *SWITCHES, *CHOICES)
    assert every == {*known, "pieces", "sizes", "until"}  # their own pictures look at these


def test_every_mistake_is_one_or_two_plain_sentences():
    for text, _, _ in FILES:
        with pytest.raises(LessonError) as caught:
            played(text)
        assert caught.value.reason[0].isupper()
        assert caught.value.reason.endswith(".") or ": " in caught.value.reason


def test_a_mistake_crosses_from_a_worker():
    error = pickle.loads(pickle.dumps(LessonError(3, "No.")))
    assert (error.line, error.reason, str(error)) == (3, "No.", "Line 3: No.")


# ---- prose ----


@pytest.mark.parametrize(
    ("written", "kinds"),
    [
        ("plain", ["text"]),
        ("a `b` c", ["text", "token", "text"]),
        ("``a `b` c``", ["code"]),
        ("**a {b} c**", ["text", "field", "text"]),
        ("a *b* c", ["text"] * 3),
        ("[a](/b)", ["link"]),
        (r"\{a\} \*b\*", ["text"] * 7),
        ("2 * 3 * 4", ["text"]),
        ("`` ` ``", ["code"]),
        ("a_b_c", ["text"]),
        ("from $5 to $6, or `$a$`", ["text", "token"]),
    ],
)
def test_a_line_has_these_marks(written, kinds):
    assert [piece.kind for piece in read_line(written, 1)] == kinds


BLOCKS_OF = [
    ("a\nb\n\nc", ["paragraph", "paragraph"]),
    ("- a\n- b\n  c\n\n1. d", ["bullets", "numbers"]),
    ("> a\n> b", ["quote"]),
    ("| a | b |\n| - | - |\n| c | d |", ["table"]),
    ("```toml\n## a\n```\n\n~~~\nb\n~~~", ["code", "code"]),
    ("$$\na {{b}}\n$$", ["formula"]),
]


@pytest.mark.parametrize(("written", "kinds"), BLOCKS_OF)
def test_prose_has_these_blocks(written, kinds):
    assert [block.kind for block in read_prose(written.split("\n"), 1)] == kinds


def test_fields_are_filled_with_tokens():
    blocks = read_prose(["It is {pair}, `x` {n}.", "$$", "{{n}}", "$$"], 1)
    expected = {"pair": (("token", "a"), " ", ("token", "b")), "n": ("3",)}
    done = fill_fields(blocks, lambda name, argument, line: expected[name])
    assert plain_prose(done) == "It is `a` `b`, `x` 3.\n    3"


@pytest.mark.parametrize(
    ("name", "slug"),
    [("01-a.md", "a"), ("A B.md", "a-b"), (".md", "lesson"), ("12.md", "12"), ("Ü.md", "lesson")],
)
def test_a_file_name_makes_an_address(name, slug):
    assert slug_of(name) == slug


def refused_at(read: Callable[[], object]) -> int:
    """The line of the mistake, or 0 if there is none."""
    try:
        read()
    except LessonError as error:
        return error.line
    return 0


@given(st.text(alphabet="ab`*{}[]()|$#>-+\\\n ~", max_size=60))
def test_any_prose_is_read_or_refused(text):
    lines = text.split("\n")
    assert refused_at(lambda: read_prose(lines, 1)) in range(len(lines) + 1)


@given(st.integers(0, len(TEXT)), st.integers(0, 200))
def test_a_lesson_with_a_hole_is_read_or_refused(at, size):
    damaged = TEXT[:at] + TEXT[at + size :]
    refused = refused_at(lambda: read_lesson(damaged, "x"))
    assert refused in range(damaged.count("\n") + 2)
