"""The places of tokens through several normalizers are those of Hugging Face's library.

Where several characters become others together (`e` and an accent become `é`), the library says
that each of the new ones stands for one of them, we say for all. Nothing else may differ. What
single stages do is held in test_pre_tokenizers.py, BERT's way in test_wordpiece.py.
"""

from functools import cache
from unicodedata import category, ucd_3_2_0

import pytest

from pages.pipeline.stage_trace import trace_stages
from tests.call_counts import sample
from tokenizers.bpe import Settings
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

from . import ask, needs_library
from .corpora import many_scripts, random_strings

pytestmark = needs_library

CHANGES = [
    ("lower",),
    ("nfc",),
    ("nfkc",),
    ("accents",),
    ("nfc", "accents", "lower"),
    ("nfkc", "lower"),
    ("nfkc", "accents", "lower"),
    ("accents", "bert"),
]


@cache
def texts():
    """Random strings of what Unicode has not changed since: the library has old tables."""
    strings = [
        *random_strings(sample(10_000)),
        "e\u0301e\u0301 ﬁ\u0301  İ x\u0301\u0327",
        "ﾊﾞ ﾊﾞ",
        "\u1112\u1161",  # two signs of Hangul, which become one
        "",
    ]
    known = (
        "".join(c for c in s if ucd_3_2_0.category(c) == category(c) and c not in MOVED)
        for s in strings
    )
    return list(known)


MOVED = set("\U0001d165\U0001d166\U0001d16d\U0001d16e\U0001d16f\U0001d170\U0001d171\U0001d172")
"""Signs of music that a normal form may put before or behind a mark: which place is theirs then?"""


@cache
def model(names, split):
    base = "bytes" if split == "gpt2" else "characters"
    corpus = Corpus.from_text(many_scripts(20_000), Pipeline(names, split))
    return Trace.record(corpus, Settings(base=base, num_merges=600)).model()


def ours(text, names, split):
    trace = trace_stages(text, model(names, split))
    found = trace.encoding
    return [list(found.tokens), list(found.ids), list(found.offsets)], trace


def agrees(trace, aligned, places):
    """Whether each place is ours, or lies in ours where that is one of several changed together."""
    for (start, end), mine, (low, high) in zip(
        trace.stages[-1].spans, trace.encoding.offsets, places, strict=True
    ):
        together = any(aligned.ends[n] - aligned.starts[n] > 1 for n in range(start, end))
        if mine != (low, high) and not (together and mine[0] <= low <= high <= mine[1]):
            return False
    return True


@pytest.mark.parametrize("split", ["spaces", "punctuation", "bert", "gpt2"])
@pytest.mark.parametrize("names", CHANGES, ids="+".join)
def test_places_through_every_stage(names, split):
    learned = model(names, split)
    answers = ask(
        "encode_through",
        normalizers_named=names,
        pre_tokenizer=split,
        vocab=dict(learned.vocab),
        merges=[list(pair) for pair in learned.ranks],
        base=learned.settings.base,
        texts=texts(),
    )
    differing, displaced, wider = [], [], 0
    for text, (tokens, ids, places) in zip(texts(), answers, strict=True):
        (our_tokens, our_ids, our_places), trace = ours(text, names, split)
        if (our_tokens, our_ids) != (tokens, ids):
            differing.append(text)
        elif our_places != places:
            wider += 1
            if not agrees(trace, learned.pipeline(text).aligned, places):
                displaced.append(text)
    assert (differing, displaced) == ([], [])
    assert (wider > 0) == bool({"nfc", "nfkc", "accents"}.intersection(names))
