"""Lessons drawn at random, of every key that the code knows, are played or refused in a sentence.

Pictures, settings, moments, fields, questions and beliefs are read from the code, so that a new one
is drawn too. No lesson may end in another exception, and a mistake has a line of the file.
"""

import random
from typing import Any

import pytest

from lessons.facts.base import PictureFacts
from lessons.facts.best_merges import BestMergesFacts
from lessons.facts.chunks import ChunksFacts
from lessons.facts.compression import CompressionFacts
from lessons.facts.efficiency import EfficiencyFacts
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeSearchFacts, SegmentationListFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.morphemes import MorphemesFacts
from lessons.facts.not_text import NotTextFacts
from lessons.facts.parity import ParityFacts
from lessons.facts.patches import PatchesFacts
from lessons.facts.published import MergedWordFacts, PublishedFacts
from lessons.facts.signals import SignalsFacts
from lessons.facts.superwords import SuperwordsFacts
from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.facts.transplant import TransplantFacts
from lessons.facts.unigram import UnigramFacts
from lessons.facts.units import UnitsFacts
from lessons.facts.vocabularies import VocabulariesFacts
from lessons.facts.vocabulary_edit import VocabularyEditFacts
from lessons.format.errors import LessonError
from lessons.picture_schema import CHOICES, DECIMAL, SWITCHES
from lessons.pictures.planning import KEYS
from lessons.questions.beliefs import BELIEF_CHECKS
from lessons.questions.statements import RELATIONS
from lessons.stops import QUESTIONS
from lessons.texts import PIPELINES, VOCABULARIES
from pages.lesson.pictures.build_pictures import PreparedLesson, prepare_lesson
from tests.call_counts import examples
from tokenizers.merging.queue import TIE_RULES
from tokenizers.text.normalizers import NORMALIZERS
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.unigram.settings import CHOICES as UNIGRAM_CHOICES
from tokenizers.unigram.settings import CONVENTIONS

LESSONS = 600
"""How many are drawn when thorough."""
SHORT = (
    "a",
    "low lower lowest",
    "hello",
    "ab ab abc",
    "é",
    "👩🏽‍🚀",
    " ",
    "",
    "x\u2028y",
    "##a",
    "[UNK]",
)
NUMBERS = (0, 1, 2, 3, 7, 60, -1, 0.5, 10**9, 10**30, float("inf"), float("nan"), 1e-300)
ODD = (
    *SHORT,
    *NUMBERS,
    True,
    False,
    [],
    {},
    [1, {}],
    [[]],
    ["a", "b"],
    {"a": 1},
    {"a": {}},
    "9" * 99,
)
NAMED = {
    "corpus": ("b1", "b2"),
    "vocabulary": tuple(VOCABULARIES),
    "example": tuple(PIPELINES),
    "pre_tokenizer": tuple(PRE_TOKENIZERS),
    "convention": (*CONVENTIONS, "score", "hugging_face"),
    "ties": (*TIE_RULES, "last"),
    "base": ("characters", "bytes", "end_of_word"),
    "model": ("bpe", "words", "unigram", "wordpiece", "bytes", "characters"),
    "learned": ("own", "example", "b1"),
    "published": ("gpt2", "bert-uncased", "unigram-english", "zz"),
    "special": ("control", "text", "both"),
    **{name: known for name, known in UNIGRAM_CHOICES.items() if name != "ties"},
}
RECORDS: dict[str, type[PictureFacts]] = {
    "bpe_train": MergeFacts,
    "bpe_encode": EncodingFacts,
    "wordpiece_train": MergeFacts,
    "wordpiece_encode": EncodingFacts,
    "unigram_train": UnigramFacts,
    "lattice": LatticeSearchFacts,
    "listing": SegmentationListFacts,
    "pipeline": PipelineFacts,
    "segmentations": SegmentationsFacts,
    "published": PublishedFacts,
    "published_word": MergedWordFacts,
    "vocabularies": VocabulariesFacts,
    "best_merges": BestMergesFacts,
    "efficiency": EfficiencyFacts,
    "patches": PatchesFacts,
    "not_text": NotTextFacts,
    "morphemes": MorphemesFacts,
    "parity": ParityFacts,
    "superwords": SuperwordsFacts,
    "compression": CompressionFacts,
    "units": UnitsFacts,
    "chunks": ChunksFacts,
    "signals": SignalsFacts,
    "surgery": VocabularyEditFacts,
    "transplant": TransplantFacts,
}
assert set(RECORDS) == set(KEYS)
assert set(RECORDS.values()) == set(QUESTIONS)
MADE: dict[str, Any] = {
    "normalizers": lambda draw: draw.sample(sorted(NORMALIZERS), draw.randint(0, 3)),
    "kinds": lambda draw: draw.sample(NAMED["model"], draw.randint(1, 3)),
    "off": lambda draw: draw.sample([*NORMALIZERS, "words", "model"], 2),
    "counts": lambda draw: {word: draw.randint(1, 5) for word in ("low", "lower", "lowest")},
    "pieces": lambda draw: draw.choice([{"a": 20, "b": 15, "ab": 5}, ["a", "##b"], {"h": 0.2}]),
    "prior": lambda draw: {"1": 0.9, "3": draw.choice([0, 0.1])},
    "reserved": lambda draw: draw.sample(["<unk>", "<s>", "", "a"], 2),
    "of": lambda draw: draw.choice([1, 40, 100]),
    "models": lambda draw: draw.sample(["bert-uncased", "unigram-english"], draw.randint(0, 2)),
    "encoders": lambda draw: draw.sample(["own", "longest", "fewest"], draw.randint(0, 2)),
    "languages": lambda draw: draw.sample(["thai", "en", "hi", "zz"], draw.randint(0, 3)),
    "share": lambda draw: draw.choice([0, 10, 100]),
    "together": lambda draw: draw.randint(0, 9),
    "texts": lambda draw: {name: draw.choice(SHORT) for name in draw.sample("ab", 2)},
    "word": lambda draw: draw.choice(SHORT),
    "samples": lambda draw: {"a": {"low": draw.randint(0, 5), "b": 2}, "b": {"low": 1}},
    "sizes": lambda draw: [draw.randint(0, 90) for _ in range(draw.randint(0, 3))],
    "words": lambda draw: draw.sample(["playing", "table", "unhappy", "zz"], 2),
    "add": lambda draw: draw.sample(WORDS, 2),
    "keep": lambda draw: draw.randint(0, 9),
    "bytes": lambda draw: draw.choice(["6E C3", "", "zz", "89504E47", "61"]),
    "ids": lambda draw: draw.choice(["kept", "renumbered", "zz"]),
    "table": lambda draw: draw.choice(["a: 1 2\nb: 1 0 | 2", "a: 5 5\nb: 3 1 | 1\nc: 1 2 | 2", ""]),
    "chosen": lambda draw: draw.randint(0, 4),
    "also": lambda draw: draw.sample(["whole_words", "length_max", "fewest", "zz"], 1),
    "until": lambda draw: draw.sample([0, 3, 9, 20], draw.randint(0, 2)),
    "without": lambda draw: draw.sample(WORDS, 2),
    "vectors": lambda draw: [[draw.randint(-2, 2), 1] for _ in range(draw.randint(0, 5))],
    "codebook": lambda draw: [[draw.randint(-2, 2), 1] for _ in range(draw.randint(0, 3))],
    "text": lambda draw: draw.choice(SHORT),
    "encode": lambda draw: draw.choice(SHORT),
    "material": lambda draw: draw.choice(SHORT),
    "size": lambda draw: draw.randint(0, 90),
    "vocab_size": lambda draw: draw.randint(0, 40),
    "num_merges": lambda draw: draw.randint(0, 9),
    "seed_size": lambda draw: draw.randint(1, 50),
}
PUBLISHED = {
    "published": ["models"],
    "published_word": ["published", "word"],
    "vocabularies": ["models"],
    "efficiency": ["corpus"],
    "patches": ["corpus", "text"],
    "not_text": ["text", "bytes"],
    "morphemes": ["words"],
    "parity": ["languages"],
    "superwords": ["corpus", "text"],
    "compression": ["text"],
    "units": ["text"],
    "chunks": ["text", "vectors"],
    "signals": ["vectors", "codebook"],
    "surgery": ["corpus", "text"],
    "transplant": ["table"],
}
"""What the pictures of published models need."""
WORDS = ("a", "b", "ab", "low", "lower", "e", "lo", "l", "h", "est", "zz", "é", "")


def value(draw: random.Random, key: str) -> Any:
    """A value that suits a key, or any other one."""
    if draw.random() < 0.03:
        return draw.choice(ODD)
    if key in MADE:
        return MADE[key](draw)
    if key in NAMED:
        return draw.choice(NAMED[key])
    if key in SWITCHES:
        return draw.random() < 0.5
    if key in DECIMAL:
        return draw.choice((0.5, 1, 0.99))
    return draw.choice(WORDS) if key in CHOICES else draw.choice((1, 1, 2, 3, 5))


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


def picture(draw: random.Random, name: str, shows: str) -> str:
    """The table of a picture: a source to learn from, and some of its keys."""
    sources = ("corpus", "text", "counts", "vocabulary", "pieces", "example")
    own = [key for key in sources if key in KEYS[shows]]
    needed = ["text"] if shows in ("lattice", "listing", "segmentations") else []
    if shows.endswith("_encode"):
        needed = ["encode"]
    needed = PUBLISHED.get(shows, needed)
    own = own or needed
    rest = [key for key in KEYS[shows] if key not in sources]
    keys = {draw.choice(own), *needed, *draw.sample(rest, draw.randint(0, min(4, len(rest))))}
    lines = [f"{key} = {toml(value(draw, key))}" for key in sorted(keys)]
    return "\n".join([f"[picture.{name}]", f'shows = "{shows}"', *lines])


def written(draw: random.Random) -> str:
    """Something that a lesson says of tokens: a word, a pair, a list, a number, nonsense."""
    a, b = draw.choice(WORDS), draw.choice(WORDS)
    return draw.choice(
        [a, f"{a}+{b}", f"{a} {b}", "2", "0.2 " + a, "bpe", "bpe 768", "lower", "9" * 50]
    )


def moment(draw: random.Random, facts: type[PictureFacts]) -> Any:
    """Where a stop is."""
    places = sorted(facts.methods("find_"))
    if not places or draw.random() < 0.5:
        return draw.choice(["start", "end"])
    place = draw.choice(places)
    looked_for = [draw.choice(WORDS), draw.randint(0, 3), draw.choice(ODD)]
    usual = draw.sample(WORDS, 2) if place in ("pair", "segmentation") else draw.choice(looked_for)
    found: dict[str, Any] = {place: "prune" if place == "phase" else usual}
    if draw.random() < 0.1:
        found["phase"] = draw.choice(["expectation", "prune", [], 3])
    return found | ({"before": True} if draw.random() < 0.3 else {})


def question(draw: random.Random, facts: type[PictureFacts]) -> Any:
    """What is asked at a stop."""
    kind, (_, keys) = draw.choice(sorted(QUESTIONS[facts].items()))
    held = next(held for of, held in BELIEF_CHECKS.items() if issubclass(facts, of))
    fields = sorted(facts.methods("field_"))
    known: dict[str, Any] = {
        "belief": draw.choice(sorted(held)),
        "compare": [draw.choice(fields), draw.choice(list(RELATIONS)), draw.choice(["7", 7])],
        "against": draw.choice(["p0", "p1", "p9"]),
        "says": "It is so.",
    }
    lists = {"pair": 2, "tokens": 3, "path": 2, "of": 4}
    requests: dict[str, Any] = {"kind": kind}
    for key in draw.sample(keys, draw.randint(0, len(keys))):
        usual = draw.sample(WORDS, lists[key]) if key in lists else draw.choice([written(draw), 1])
        requests[key] = draw.choice(ODD) if draw.random() < 0.1 else known.get(key, usual)
    if kind == "true_false" and draw.random() < 0.8:
        key = draw.choice(["belief", "compare"])
        requests = {"kind": kind, key: known[key]} | ({"says": "Is it"} if key == "compare" else {})
    return requests


def prose(draw: random.Random, facts: type[PictureFacts]) -> str:
    """A line with one or two fields."""
    names = draw.sample(sorted(facts.methods("field_")), draw.randint(1, 2))
    return " ".join(f"{{{name}{draw.choice(['', ':' + written(draw)])}}}" for name in names)


def lesson(draw: random.Random) -> str:
    """A lesson of one or two pictures and two or three stops."""
    parts = ["+++", 'title = "T"', 'purpose = "P"']
    shows = [draw.choice(list(RECORDS)) for _ in range(draw.randint(1, 2))]
    parts += [picture(draw, f"p{n}", one) for n, one in enumerate(shows)]
    parts.append("+++")
    for _ in range(draw.randint(2, 3)):
        n = draw.randrange(len(shows))
        facts = RECORDS[shows[n]] if draw.random() < 0.95 else draw.choice(list(QUESTIONS))
        ask = f"ask = {toml(question(draw, facts))}"
        block = [f'picture = "p{n}"', f"at = {toml(moment(draw, facts))}"]
        expected = prose(draw, facts) if draw.random() < 0.4 else ""
        block += [ask] if draw.random() < 0.6 else []
        parts += ["## Stop", "```stop", *block, "```", f"A {expected}"]
    return "\n".join(parts) + "\n"


@pytest.mark.parametrize("seed", range(examples(LESSONS).max_examples // 20))
def test_a_drawn_lesson_is_played_or_refused_with_a_line(seed: int):
    draw = random.Random(seed)
    for _ in range(20):
        text = lesson(draw)
        found = prepare_lesson(lambda done, total: False, text, "x")
        if isinstance(found, LessonError):
            assert 0 < found.line <= text.count("\n") + 1, text
        else:
            assert isinstance(found, PreparedLesson)
