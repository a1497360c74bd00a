"""A ladder of programming tasks, each with cases whose answers the core computes.

`tasks.toml` has the tasks; `record` computes what each function should return, from small texts
and from GPT-2's own tokenizer. `checking.py` is the code that compares, in the student's notebook.
"""

import inspect
import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from pprint import pformat
from typing import Any

from lessons.ladder import checking
from lessons.ladder.checking import MOST_LOOKUPS
from lessons.models import open_model
from tokenizers import bpe, unigram, wordpiece
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.runtime.models.byte_bpe import bytes_of
from tokenizers.text import encoding
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.pre_tokenizers import GPT2_PATTERN
from tokenizers.text.symbols import BYTE_OF_GLYPH, base_symbols
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Maximization

Case = tuple[tuple[Any, ...], Any, str]
"""The arguments of a call, the answer, and a sentence that says what to look at."""

_WORDS = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
_OVERLAPPING = {"aaaa": 3, "aaab": 2, "baa": 1}
_TIED = {"ab": 2, "cd": 2}
_BOTH = (_WORDS, _OVERLAPPING)
_UNSEEN = ("bug", "hugshugs", "aaaaa", "x", "punpun")
_BYTE_TEXTS = ("low", "é!", "नमस्ते", "👩🏽‍🚀", "a\n b", "")
_WORD_TEXTS = (
    "don't stop now", "  two  spaces ", "2024-11-26 at 10:30", "x = [1, 2]\n\treturn x", "Ça va?",
)  # fmt: skip
_GPT2_TEXTS = (
    "the", " the", "Tokenizers split text.", "unbelievable 12345", "def f(x):\n    return x",
    "naïve café 👍", "नमस्ते", "", "   ", "Closest Arguments", "'still here'",
)  # fmt: skip
_SPECIAL = "<|endoftext|>"
_SPECIAL_TEXTS = (f"one{_SPECIAL}two", f"{_SPECIAL}{_SPECIAL}", f" a {_SPECIAL} b", "no special")
_MATCHED = ("hugs", "pugs", "bugs", "hugshug", "hu", "xhug", "hugx", "s")
_TRAP = dict.fromkeys("unables", -6.0) | {
    "un": -3.0, "able": -2.0, "unable": -12.0, "ables": -9.0,
}  # fmt: skip
"""Pieces with which the longest match is not the best split."""
_SPLIT = ("hug", "hugs", "pugs", "hughughughughughughughughughughug", "punsbunspuns")
ALLOWED = 8
"""So many times the number of substrings a word has, its pieces may be looked up."""


@dataclass(frozen=True, slots=True)
class Task:
    """A function to write: its title, what to do, and the stub with head and docstring.

    `part` names the part of the ladder that begins with it, or is empty.
    """

    name: str
    title: str
    text: str
    stub: str
    part: str


@cache
def tasks() -> tuple[Task, ...]:
    """Return the tasks, in the order in which they build on each other."""
    table = tomllib.loads(Path(__file__).with_name("tasks.toml").read_text("utf-8"))
    return tuple(
        Task(
            name,
            row["title"],
            row["text"].strip(),
            row["stub"].strip().replace('PATTERN"""', f'{GPT2_PATTERN}"""'),
            row.get("part", ""),
        )
        for name, row in table.items()
    )


@cache
def record() -> Mapping[str, tuple[Case, ...]]:
    """Return the cases of each task, by its name, with answers that the core computed."""
    return {task.name: tuple(_CASES[task.name]()) for task in tasks()}


def gpt2_ranks() -> dict[bytes, int]:
    """Return GPT-2's tokens that can occur in the texts of the tasks, with their ids."""
    words = {
        word.encode()
        for text in (*_GPT2_TEXTS, *_SPECIAL_TEXTS)
        for word in Pipeline((), "gpt2")(text.replace(_SPECIAL, " ")).words
    }
    words |= {text.encode() for text in (*_GPT2_TEXTS, *_SPECIAL_TEXTS)}
    parts = {word[i:j] for word in words for i, j in combinations(range(len(word) + 1), 2)}
    known = {
        bytes_of(piece): id_
        for piece, id_ in open_model("gpt2").model.vocab.items()
        if set(piece) <= BYTE_OF_GLYPH.keys()
    }
    return {part: known[part] for part in sorted(parts & known.keys())}


def record_code() -> str:
    """Return the lines that define `RANKS` and `RECORD`, the cases of all tasks."""
    ranks = gpt2_ranks()
    rows = []
    for name, cases in record().items():
        rows.append(f"    {name!r}: [")
        for arguments, answer, hint in cases:
            given = ["RANKS" if one == ranks else repr(one) for one in arguments]
            rows.append(f"        (({', '.join(given)},), {answer!r}, {hint!r}),")
        rows.append("    ],")
    written = pformat(ranks, width=96, compact=True, sort_dicts=False)
    return "\n".join([f"RANKS = {written}", "RECORD = {", *rows, "}", "check = Checks(RECORD)"])


def checking_code() -> str:
    """Return the source of `checking.py` without its docstring, for a cell."""
    source = inspect.getsource(checking)
    return source.partition('"""\n\n')[2].strip()


def _bpe(words: Mapping[str, int]) -> Trace[bpe.Settings]:
    return Trace.record(Corpus(words), bpe.Settings())


def _count_pairs() -> Iterable[Case]:
    for words in _BOTH:
        trace = _bpe(words)
        for k in (0, 2):
            state = trace.state(k)
            counts = {pair: count for pair, count in state.pair_counts.items() if count}
            hint = "Count every two neighbors, and add the count of the word, not 1."
            if words is _OVERLAPPING:
                hint = "Pairs that overlap count as well: aaa has the pair a a twice."
            yield (list(state.splits), list(words.values())), counts, hint


def _merge() -> Iterable[Case]:
    for words in _BOTH:
        trace = _bpe(words)
        for k, pair in enumerate(trace.pairs[:4], start=1):
            for word in range(len(words)):
                before, after = trace.split(word, k - 1), trace.split(word, k)
                hint = "Join from left to right, and go on after the joined pair."
                if before == after:
                    hint = "The pair does not occur here, so nothing changes."
                yield (before, pair), after, hint


def _train() -> Iterable[Case]:
    for words in (*_BOTH, _TIED):
        trace = _bpe(words)
        hint = "If pairs tie, the one that you count first wins."
        yield (words, 3), trace.pairs[:3], hint
        yield (words, 1_000), trace.pairs, "Stop when no pair is left, whatever was asked for."
        yield (words, 0), [], "No merges were asked for."


def _encode() -> Iterable[Case]:
    for words in _BOTH:
        trace = _bpe(words)
        model = trace.model()
        for word in (*words, *_UNSEEN):
            pieces = bpe.encode(word, model).pieces
            hint = "The earliest merge comes first, not the leftmost pair and not the longest."
            yield (word, trace.pairs), list(pieces), hint
    for merges in ([("b", "c"), ("a", "b")], [("b", "c"), ("a", "b"), ("a", "bc")]):
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        split = bpe.split_after(tuple("abc"), list(bpe.merge_steps(tuple("abc"), ranks)))
        yield ("abc", merges), list(split), "Two merges apply here: which was learned earlier?"


def _byte_symbols() -> Iterable[Case]:
    for text in _BYTE_TEXTS:
        glyphs = base_symbols(text, "bytes")
        hint = "Each answer is a bytes object: data[i:i+1] is one, data[i] is a number."
        yield (text,), [bytes_of(glyph) for glyph in glyphs], hint


def _decode() -> Iterable[Case]:
    corpus = Corpus.from_text(" ".join(_BYTE_TEXTS), Pipeline((), "gpt2"))
    model = Trace.record(corpus, bpe.Settings("bytes", num_merges=8)).model()
    for whole in _BYTE_TEXTS:
        split = bpe.encode(whole, model)
        for end in (len(split.ids), max(len(split.ids) - 1, 0)):
            tokens = [bytes_of(token) for token in split.tokens[:end]]
            hint = "Join all bytes before you decode: a character may be spread over tokens."
            text = encoding.decode(split.ids[:end], model)
            if "\ufffd" in text:
                hint = "A character may be cut off at the end: errors='replace'."
            yield (tokens,), text, hint


def _split_words() -> Iterable[Case]:
    for text in _WORD_TEXTS:
        hint = "The pattern matches every character of a text: regex.findall gives all words."
        yield (text,), list(Pipeline((), "gpt2")(text).words), hint


def _encode_gpt2() -> Iterable[Case]:
    gpt2, ranks = open_model("gpt2"), gpt2_ranks()
    for text in _GPT2_TEXTS:
        hint = "Split by the pattern first; then merge the neighbors that make the lowest id."
        yield (text, ranks), list(gpt2.encode(text).ids), hint


def _encode_special() -> Iterable[Case]:
    gpt2, ranks = open_model("gpt2"), gpt2_ranks()
    special = {_SPECIAL: gpt2.specials[_SPECIAL]}
    for text in _SPECIAL_TEXTS:
        hint = "Cut at the special token, encode what is between, and put its id in between."
        yield (text, ranks, special), list(gpt2.encode(text).ids), hint
    plain = gpt2.encode(_SPECIAL_TEXTS[0], special="text")
    hint = "With no special tokens, the same characters are ordinary text."
    yield (_SPECIAL_TEXTS[0], ranks, {}), list(plain.ids), hint


def _longest_match() -> Iterable[Case]:
    trace = Trace.record(Corpus(_WORDS), wordpiece.Settings(num_merges=6))
    model = trace.model()
    vocabulary = set(model.vocab) - {model.settings.unk}
    for word in _MATCHED:
        hint = "Try the longest rest of the word first; inside a word, pieces begin with ##."
        pieces = wordpiece.encode(word, model).tokens
        if pieces == (model.settings.unk,):
            hint = "One place where nothing fits, and the whole word is [UNK]."
        yield (word, vocabulary), list(pieces), hint


def _unigram_trace() -> UnigramTrace:
    return UnigramTrace.record(Corpus(_WORDS), convention_settings("textbook", 11))


def _best_split() -> Iterable[Case]:
    trained = _unigram_trace().model()
    trap = unigram.Model(unigram.vocabulary(_TRAP), _TRAP, pipeline=Pipeline())
    for model, word in [(trained, word) for word in _SPLIT] + [(trap, "unable"), (trap, "unables")]:
        most = ALLOWED * len(word) * (len(word) + 1)
        table = {**model.log_probs, MOST_LOOKUPS: most}
        hint = "The sum decides, not the longest piece."
        if len(word) > 12:
            hint = "Keep the best sum for each position, so that no part is split twice."
        yield (word, table), list(unigram.encode(word, model).pieces), hint


def _em_step() -> Iterable[Case]:
    trace = _unigram_trace()
    steps = list(zip(trace.steps, trace.steps[1:], strict=False))
    pairs = [pair for pair in steps if isinstance(pair[0], Expectation)]
    for expected, maximized in pairs[:3]:
        assert isinstance(expected, Expectation)
        assert isinstance(maximized, Maximization)
        before, after = (_probabilities(step) for step in (expected.log_probs, maximized.after))
        hint = "Add, for each split of each word: count of the word × share of the split."
        yield (_WORDS, before), after, hint


def _probabilities(table: Any) -> dict[str, float]:
    return {piece: math.exp(log_prob) for piece, log_prob in table.items()}


_CASES = {
    "count_pairs": _count_pairs,
    "merge": _merge,
    "train": _train,
    "encode": _encode,
    "byte_symbols": _byte_symbols,
    "decode": _decode,
    "split_words": _split_words,
    "encode_gpt2": _encode_gpt2,
    "encode_special": _encode_special,
    "longest_match": _longest_match,
    "best_split": _best_split,
    "em_step": _em_step,
}
"""For each task, what computes its cases."""
