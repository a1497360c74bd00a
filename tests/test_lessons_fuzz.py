"""Lessons drawn at random, of every key that the code knows, are played or refused in a sentence.

Pictures, settings, moments, fields, questions and beliefs are read from the code, so that a new one
is drawn too. No lesson may end in another exception, and a mistake has a line of the file.
"""

import random
from typing import Any

import pytest

from lessons.bounds import CHOICES, SWITCHES
from lessons.format.trouble import LessonError
from lessons.pictures import KEYS
from lessons.playing import QUESTIONS
from lessons.questions.beliefs import BELIEFS
from lessons.questions.statements import RELATIONS
from lessons.texts import PIPELINES, VOCABULARIES
from pages.figures.lesson_pictures import Opened, open_lesson
from tests.effort import examples
from tokenizers.normalizers import NORMALIZERS
from tokenizers.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.unigram_settings import CHOICES as UNIGRAM_CHOICES
from tokenizers.unigram_settings import CONVENTIONS

LESSONS = 1_000
"""How many are drawn when thorough."""
SHORT = ("a", "low lower lowest", "hello", "ab ab abc", "é", "👩🏽‍🚀", " ", "", "x\u2028y", "##a", "[UNK]")
NUMBERS = (0, 1, 2, 3, 7, 60, -1, 0.5, 10**9, 10**30, float("inf"), float("nan"), 1e-300)
ODD = (*SHORT, *NUMBERS, True, False, [], {}, [1, {}], [[]], ["a", "b"], {"a": 1}, {"a": {}}, "9" * 99)
NAMED = {
    "corpus": ("b1", "u1"),
    "vocabulary": tuple(VOCABULARIES),
    "example": tuple(PIPELINES),
    "pre_tokenizer": tuple(PRE_TOKENIZERS),
    "convention": (*CONVENTIONS, "score", "hugging_face"),
    "ties": ("first_seen", "smallest_ids", "smallest_string", *UNIGRAM_CHOICES["ties"]),
    "base": ("characters", "bytes", "end_of_word"),
    "model": ("bpe", "words", "unigram", "wordpiece", "bytes", "characters"),
    "learned": ("own", "example", "b1"),
    **{name: known for name, known in UNIGRAM_CHOICES.items() if name != "ties"},
}
MADE: dict[str, Any] = {
    "normalizers": lambda draw: draw.sample(sorted(NORMALIZERS), draw.randint(0, 3)),
    "kinds": lambda draw: draw.sample(NAMED["model"], draw.randint(1, 3)),
    "off": lambda draw: draw.sample([*NORMALIZERS, "words", "model"], 2),
    "counts": lambda draw: {word: draw.randint(1, 5) for word in ("low", "lower", "lowest")},
    "pieces": lambda draw: draw.choice([{"a": 20, "b": 15, "ab": 5}, ["a", "##b"], {"h": 0.2}]),
    "prior": lambda draw: {"1": 0.9, "3": draw.choice([0, 0.1])},
    "reserved": lambda draw: draw.sample(["<unk>", "<s>", "", "a"], 2),
    "of": lambda draw: draw.choice([1, 40, 100]),
    "text": lambda draw: draw.choice(SHORT),
    "encode": lambda draw: draw.choice(SHORT),
    "material": lambda draw: draw.choice(SHORT),
    "size": lambda draw: draw.randint(0, 90),
    "vocab_size": lambda draw: draw.randint(0, 40),
    "num_merges": lambda draw: draw.randint(0, 9),
    "seed_size": lambda draw: draw.randint(1, 50),
}
WORDS = ("a", "b", "ab", "low", "lower", "lowest", "e", "es", "l", "hello", "h", "zz", "é", "")


def value(draw: random.Random, key: str) -> Any:
    """A value that suits a key, or any other one."""
    if draw.random() < 0.04:
        return draw.choice(ODD)
    if key in MADE:
        return MADE[key](draw)
    if key in NAMED:
        return draw.choice(NAMED[key])
    if key in SWITCHES:
        return draw.random() < 0.5
    return draw.choice(WORDS) if key in CHOICES else draw.choice((0, 1, 2, 3, 0.5, 1, 5))


def toml(given: Any) -> str:
    """The value as TOML writes it."""
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, str):
        return '"' + given.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(given, list):
        return f"[{', '.join(map(toml, given))}]"
    if isinstance(given, dict):
        return f"{{ {', '.join(f'{toml(key)} = {toml(one)}' for key, one in given.items())} }}"
    return str(given)


def picture(draw: random.Random, name: str) -> str:
    """The table of a picture: a source to learn from, and some of its keys."""
    shows = draw.choice(list(KEYS))
    sources = ("corpus", "text", "counts", "vocabulary", "pieces", "example")
    own = [key for key in sources if key in KEYS[shows]]
    needed = ["text"] if shows in ("lattice", "listing", "segmentations") else []
    if shows.endswith("_encode"):
        needed = ["encode"]
    rest = [key for key in KEYS[shows] if key not in sources]
    keys = {draw.choice(own), *needed, *draw.sample(rest, draw.randint(0, min(4, len(rest))))}
    lines = [f"{key} = {toml(value(draw, key))}" for key in sorted(keys)]
    return "\n".join([f"[picture.{name}]", f'shows = "{shows}"', *lines])


def written(draw: random.Random) -> str:
    """Something that a lesson says of tokens: a word, a pair, a list, a number, nonsense."""
    a, b = draw.choice(WORDS), draw.choice(WORDS)
    return draw.choice([a, f"{a}+{b}", f"{a} {b}", "2", "0.2 " + a, "bpe", "bpe 768", "lower", "9" * 50])


def moment(draw: random.Random) -> Any:
    """Where a stop is."""
    if draw.random() < 0.6:
        return draw.choice(["start", "end", "end", {"before": True}])
    key = draw.choice(sorted({key for record in QUESTIONS for key in record.named("at_")}))
    looked_for = [draw.choice(WORDS), draw.randint(0, 3), draw.sample(WORDS, 2), True, "prune", {}]
    found: dict[str, Any] = {key: draw.choice([*looked_for, draw.choice(ODD)])}
    if draw.random() < 0.2:
        found["phase"] = draw.choice(["expectation", "prune", [], 3])
    return found | ({"before": True} if draw.random() < 0.3 else {})


def question(draw: random.Random) -> Any:
    """What is asked at a stop."""
    kinds = {kind: keys for record in QUESTIONS.values() for kind, (_, keys) in record.items()}
    kind = draw.choice(sorted(kinds))
    field, other = draw.choice(FIELDS), draw.choice(FIELDS)
    known: dict[str, Any] = {
        "belief": draw.choice(sorted({name for held in BELIEFS.values() for name in held})),
        "compare": [field, draw.choice(list(RELATIONS)), draw.choice([other, "7", 7])],
        "against": draw.choice(["p0", "p1", "p9"]),
        "says": "It is so.",
    }
    lists = {"pair": 2, "tokens": 3, "path": 2, "of": 4}
    asked: dict[str, Any] = {"kind": kind}
    for key in draw.sample(kinds[kind], draw.randint(0, len(kinds[kind]))):
        usual = draw.sample(WORDS, lists[key]) if key in lists else draw.choice([written(draw), 1])
        asked[key] = draw.choice(ODD) if draw.random() < 0.1 else known.get(key, usual)
    return asked


FIELDS = sorted({name for record in QUESTIONS for name in record.named("say_")})


def lesson(draw: random.Random) -> str:
    """A lesson of one or two pictures and two or three stops."""
    parts = ["+++", 'title = "T"', 'purpose = "P"']
    parts += [picture(draw, f"p{n}") for n in range(draw.randint(1, 2))]
    parts.append("+++")
    for _ in range(draw.randint(2, 3)):
        fields = [draw.choice(FIELDS) + draw.choice(["", ":" + written(draw)]) for _ in range(2)]
        shown = " ".join(f"{{{field}}}" for field in fields) if draw.random() < 0.5 else ""
        lines = [f"at = {toml(moment(draw))}", f"ask = {toml(question(draw))}"]
        parts += ["## Stop", "```stop", *draw.sample(lines, draw.randint(0, 2)), "```", f"A {shown}"]
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("seed", range(examples(LESSONS).max_examples // 20))
def test_a_drawn_lesson_is_played_or_refused_with_a_line(seed: int):
    draw = random.Random(seed)
    for _ in range(20):
        text = lesson(draw)
        found = open_lesson(lambda done, total: False, text, "x")
        if isinstance(found, LessonError):
            assert 0 < found.line <= text.count("\n") + 1, text
            assert found.reason[0].isupper() or not found.reason[0].isalpha(), found.reason
        else:
            assert isinstance(found, Opened)
