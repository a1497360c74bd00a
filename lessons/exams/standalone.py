"""What a question starts from, stated so that it can be asked without its lesson.

On a lesson's page a question leans on the picture beside it, and sometimes on the prose. In an exam
it has to bring with it what its answer is worked out from: the words and merges, the vocabulary, or
the pieces with their probabilities. `stand_alone` states that for the questions whose words the
program writes. The lessons' own questions lean on whatever stands above them; those that don't are
listed in `CONCEPTS`.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from lessons.facts.base import PictureFacts
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeFacts, LatticeSearchFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.texts import PipelineFacts
from lessons.facts.unigram import UnigramFacts
from lessons.format.words import (
    RichText,
    Tokens,
    count_of,
    decimal,
    estimated,
    in_row,
    plain,
)
from lessons.pictures.plan import Plan
from lessons.questions.grading import Question
from tokenizers import bpe, wordpiece
from tokenizers.lattice import num_segmentations
from tokenizers.merging.state import Pair
from tokenizers.text.encoding import UNK
from tokenizers.unigram.steps import Expectation
from tokenizers.wordpiece.matching import match_steps

MOST_WORDS = 14  # of a corpus
MOST_LETTERS = 120  # of a corpus's distinct words, or of a text
MOST_MERGES = 16
MOST_PIECES = 24
MOST_TIED = 2  # right options, so that a guess is worth little
MOST_WAYS = 16  # to split a word, for somebody who lists them
SPLITS = ("segmentation", "choose_segmentation", "token_count")

CONCEPTS: Mapping[str, tuple[str, ...]] = {
    "the-pipeline": ("The same stages",),
    "bpe-knowing": ("When everything occurs once",),
    "wordpiece-longest-match": ("All or nothing",),
    "unigram-many-ways": ("All of them",),
    "unigram-all-paths": ("More than one?",),
    "unigram-em": ("Does it get better?", "Why it can't fall"),
    "unigram-what-a-piece-is-worth": ("Rare, or easy to replace?",),
    "what-a-vocabulary-costs": ("Each piece buys less",),
    "measuring-tokenizers": ("A recommendation",),
    "why-gpt-cut-it": ("Bigger is not always better",),
    "the-pattern-first": ("The digits don't line up",),
    "special-tokens": ("One id", "Read with special tokens on"),
    "what-a-prompt-costs": ("How much fits into a token?",),
    "counting-letters": ("Another task",),
    "twins": ("A search that finds nothing",),
    "where-the-prompt-ends": ("Begin an answer yourself",),
    "several-encoders": ("Another encoder for a trained model",),
    "no-tokenizer": ("A smaller bill",),
    "morphemes": ("Everywhere or nowhere",),
    "surgery": ("Some advice",),
}
"""The headings of the stops whose question is complete without its lesson, by the lesson's slug."""


Line = tuple[str, Sequence[RichText]]
"""A label, and the items behind it, such as words or merges."""


@dataclass(frozen=True, slots=True)
class StandAlone:
    """What a question starts from, as labeled lines of items, and the `work` that it takes.

    `work` counts steps by hand, such as words to look through; it compares questions of one kind.
    The rest decides which questions give each other away: `source` is what they are about, `merges`
    the number of its merges that the lines list, `asks_merge` the number of the merge that is
    asked for, `shows_splits` whether the lines split words of the corpus, and `asks_split` the word
    whose split is asked for.
    """

    lines: tuple[Line, ...]
    work: int
    source: str = ""
    merges: int = 0
    asks_merge: int | None = None
    shows_splits: bool = False
    asks_split: str = ""

    def gives_away(self, other: "StandAlone") -> bool:
        """Return whether what this question states answers the other one, or a part of it."""
        if not self.source or self.source != other.source:
            return False
        is_merge_listed = other.asks_merge is not None and other.asks_merge <= self.merges
        is_split_shown = bool(other.asks_split) and self.shows_splits
        is_same_word = bool(other.asks_split) and self.asks_split == other.asks_split
        return is_merge_listed or is_split_shown or is_same_word


def is_concept(slug: str, heading: str) -> bool:
    """Return whether a stop's question is about an idea, and complete without its lesson."""
    return heading in CONCEPTS.get(slug, ())


def stand_alone(plan: Plan, facts: PictureFacts, at: int, question: Question) -> StandAlone | None:
    """Return what a question of a picture starts from; None if that can't be stated on paper."""
    match facts:
        case MergeFacts():
            return _merging(facts, at, question)
        case EncodingFacts():
            return _encoding(plan, facts, at, question)
        case LatticeFacts():
            return _lattice(plan, facts, at, question)
        case UnigramFacts():
            return _unigram(facts, at, question)
        case PipelineFacts() if question.kind == "offset":
            return _offset(plan.input_text, question)
        case _:
            return None


def _asked_tokens(question: Question) -> Tokens:
    parts = (part for part in question.prompt if not isinstance(part, str))
    return tuple([text for kind, text in parts if kind == "token"])


def _asked_word(question: Question) -> str:
    """Return the word that a prompt names in quotation marks; "" if it names none."""
    found = re.search("“(.*?)”", plain(question.prompt))
    return found[1] if found else ""


def _pairs(pairs: Iterable[Pair]) -> list[RichText]:
    return [in_row(pair) for pair in pairs]


def _offset(text: str, question: Question) -> StandAlone | None:
    """State the text in which a token is to be found; it has to be there as it is, and once."""
    tokens = _asked_tokens(question)
    if len(text) > MOST_LETTERS or any(text.lower().count(token) != 1 for token in tokens):
        return None
    return StandAlone((("The original text", [(("word", text),)]),), round(question.value))


# ---- training by merging ----


def _merging(facts: MergeFacts, at: int, question: Question) -> StandAlone | None:
    trace = facts.trace
    counts = trace.corpus.word_counts
    is_long = len(counts) > MOST_WORDS or sum(map(len, counts)) > MOST_LETTERS
    if is_long or trace.settings.base == "bytes":  # signs that a sheet would have to explain
        return None
    source = f"{type(trace.settings).__name__} {dict(counts)}"
    if question.kind in SPLITS:
        return _split_after_merges(facts, at, question, source)
    if question.kind not in ("next_pair", "pair_count", "pair_score"):
        return None
    state = trace.state(at)
    if not all(trace.settings.allows(pair) for pair in state.pair_counts):
        return None
    if at > MOST_MERGES:
        return None
    words: list[RichText] = [
        (f"{number:,} × ", *in_row(trace.split(n, at))) for n, number in enumerate(counts.values())
    ]
    label = "The words, split as they are now" if at else "The words, split into base symbols"
    lines: list[Line] = [(label, words)]
    asks_merge = None
    if question.kind == "next_pair":
        if sum(option.is_right for option in question.options) > MOST_TIED:
            return None
        lines.append(("The next pair", [(_rule(facts),)]))
        work, asks_merge = len(state.pair_counts), at + 1
    else:
        pair = _asked_tokens(question)
        if len(pair) != 2:
            return None
        work = len(facts.holders(at, pair))
        if question.kind == "pair_score":
            splits = [trace.split(n, at) for n in range(len(counts))]
            work += sum(part in split for part in pair for split in splits)
            formula = "the count of the pair, divided by the product of the counts of its two parts"
            lines.append(("The score", [(formula,)]))
    return StandAlone(tuple(lines), work, source, at, asks_merge, shows_splits=True)


def _rule(facts: MergeFacts) -> str:
    """Say which pair is merged next."""
    least = facts.trace.settings.min_count
    among = f", among those with a count of {least} or more" if least > 1 else ""
    if facts.by_score:
        return (
            "the one with the highest score: its count, divided by the product of the counts of "
            f"its two parts{among}"
        )
    return f"the one with the highest count{among}"


def _split_after_merges(
    facts: MergeFacts, at: int, question: Question, source: str
) -> StandAlone | None:
    word, model = _asked_word(question), facts.trace.model(at)
    if not word:
        return None
    if isinstance(model, wordpiece.Model):
        return _longest_match(model, word, source, at)
    if not 0 < at <= MOST_MERGES:
        return None  # at the start, stating the base symbols would answer it
    return _by_rank(model, word, source)


def _by_rank(model: bpe.Model, word: str, source: str) -> StandAlone | None:
    """State a word's base symbols and the merges to split it with."""
    if len(model.ranks) > MOST_MERGES:
        return None
    symbols = model.settings.symbols(word)
    lines: list[Line] = [
        ("The merges, in order", _pairs(model.ranks)),
        ("The base symbols of the word", [in_row(symbols)]),
    ]
    if unknown := [one for one in dict.fromkeys(symbols) if one not in model.vocab]:
        lines.append(("Not in the vocabulary", [in_row(unknown)]))
    work = len(symbols) + len(list(bpe.merge_steps(symbols, model.ranks)))
    return StandAlone(tuple(lines), work, source, len(model.ranks), asks_split=word)


def _longest_match(
    model: wordpiece.Model, word: str, source: str, merges: int = 0
) -> StandAlone | None:
    """State the vocabulary that a word is matched with."""
    known = [piece for piece in model.vocab if piece != model.unk]
    letters, mark = model.letters(word), model.settings.mark
    if len(known) > MOST_PIECES or letters is None:
        return None
    lines: list[Line] = [
        ("The vocabulary", [(("token", one),) for one in known]),
        _longest_rule(mark),
    ]
    work = len(list(match_steps(letters, model.vocab, mark)))
    return StandAlone(tuple(lines), work, source, merges, asks_split=word)


def _longest_rule(mark: str) -> Line:
    inside = f"; inside a word, pieces begin with {mark}" if mark else ""
    return "The rule", [(f"the longest piece that fits, from the left{inside}",)]


# ---- encoding ----


def _encoding(plan: Plan, facts: EncodingFacts, at: int, question: Question) -> StandAlone | None:
    model = facts.model
    if plan.models:
        return None
    counts = plan.words().word_counts if plan.counts is not None or plan.text else {}
    learned = f"{type(model.settings).__name__} {dict(counts)}"
    source = learned if counts else f"{tuple(plan.pieces)}"
    word = _asked_word(question)
    if not word:
        return None
    if isinstance(model, wordpiece.Model):
        found = _longest_match(model, word, source)
        if found is None or question.kind in SPLITS:
            return found
        return _next_piece(facts, at, word, found) if question.kind == "next_piece" else None
    if model.settings.base == "bytes":
        return None
    found = _by_rank(model, word, source)
    if found is None or question.kind in SPLITS:
        return found
    return _next_merge(facts, at, word, found) if question.kind == "next_pair" else None


def _next_piece(facts: EncodingFacts, at: int, word: str, found: StandAlone) -> StandAlone:
    done = takewhile(lambda moment: not moment.is_last, reversed(facts.moments[:at]))
    taken = [moment.piece for moment in done if moment.piece][::-1]
    lines = found.lines
    if taken:
        lines = (*lines, (f"Taken of “{word}” so far", [in_row(taken)]))
    mark = getattr(facts.model.settings, "mark", "")
    rest = len(word) - sum(len(piece.removeprefix(mark)) for piece in taken)
    return StandAlone(lines, rest, found.source, found.merges, asks_split=word)


def _next_merge(facts: EncodingFacts, at: int, word: str, found: StandAlone) -> StandAlone:
    before = facts.moments[at - 1] if at else None
    split = before.split if before and not before.is_last else facts.model.settings.symbols(word)
    lines = (found.lines[0], (f"“{word}” so far", [in_row(split)]))
    work = len(list(pairwise(split)))
    return StandAlone(lines, work, found.source, found.merges, asks_split=word)


# ---- Unigram ----


def _lattice(plan: Plan, facts: LatticeFacts, at: int, question: Question) -> StandAlone | None:
    pieces = {edge.piece: edge.log_prob for edge in facts.lattice.edges}
    if not plan.pieces or plan.prior or len(pieces) > MOST_PIECES or UNK in pieces:
        return None
    ways = num_segmentations(facts.lattice)
    if ways > MOST_WAYS:
        return None
    works = {
        "log_prob": len(_asked_tokens(question)),
        "ways": ways,
        "segmentation": ways,
        "choose_segmentation": ways,
        "expected_count": ways,
    }
    if question.kind == "winner" and isinstance(facts, LatticeSearchFacts):
        works["winner"] = len(facts.arrival(at + 1).edges)
    if question.kind not in works:
        return None
    if question.kind == "expected_count":
        (asked,) = _asked_tokens(question)
        works[question.kind] += sum(asked in cut for cut in facts.ranked())
    lines: list[Line] = [("The text", [(("word", facts.lattice.text),)])]
    if question.kind == "ways":
        lines.append(("The pieces", [(("token", one),) for one in pieces]))
    elif question.kind == "expected_count":
        lines.append(("The pieces and their probabilities", _probabilities(pieces)))
    else:
        logs = [(("token", one), f" {decimal(log)}") for one, log in pieces.items()]
        lines.append(("The pieces and their log probabilities, in nats", logs))
    if question.kind in SPLITS:
        lines.append(_MOST_PROBABLE)
    source = f"{dict(plan.pieces)} {facts.lattice.text}"
    return StandAlone(tuple(lines), works[question.kind], source)


_MOST_PROBABLE: Line = ("The rule", [("the most probable way to split it",)])


def _probabilities(logs: Mapping[str, float]) -> list[RichText]:
    return [(("token", piece), f" {estimated(math.exp(log))}") for piece, log in logs.items()]


def _unigram(facts: UnigramFacts, at: int, question: Question) -> StandAlone | None:
    if question.kind in ("segmentation", "choose_segmentation"):
        word = _asked_word(question)
        lattice = facts.lattice(at, word)
        pieces = {edge.piece: edge.log_prob for edge in lattice.edges}
        ways = num_segmentations(lattice)
        if not word or ways > MOST_WAYS or not set(pieces) <= set(facts.trace.state(at)):
            return None
        lines = (("The pieces and their probabilities", _probabilities(pieces)), _MOST_PROBABLE)
        source = f"{dict(facts.trace.word_counts)} {at}"
        return StandAlone(lines, ways, source, asks_split=word)
    is_plain = facts.trace.settings.m_step == "maximum_likelihood"
    if question.kind != "probability" or not is_plain or question.shown_at is None:
        return None
    counts = dict(facts.newest(question.shown_at, Expectation).expected_counts)
    if len(counts) > MOST_PIECES:
        return None
    listed = [(("token", piece), f" {estimated(n)}") for piece, n in counts.items()]
    label = f"The expected counts of all {count_of(len(counts), 'piece')}"
    source = f"{dict(facts.trace.word_counts)} counts"
    return StandAlone(((label, listed),), len(counts), source)
