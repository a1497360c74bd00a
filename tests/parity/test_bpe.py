"""BPE gives what the libraries give: Hugging Face's `tokenizers`, `tiktoken`, and minbpe's rules.

Hugging Face's trainer takes, among pairs of the same count, the one with the smallest ids. It never
resets the count of a pair that it has merged and may hold two queue entries for one pair, which
could make it merge that pair twice. But it would need a token that is made by two different pairs;
with plain characters or bytes there is none (see `test_laws.py`), so the merges are the same.
"""

import random
from collections import Counter
from functools import cache, lru_cache
from itertools import pairwise

import pytest
import regex

from lessons.texts import TEXTS
from tests.call_counts import sample
from tokenizers.bpe import Dropout, Settings, encode, merge_steps, split_after
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import BYTE_OF_GLYPH

from . import ask, needs_library, needs_tiktoken
from .corpora import english_prose, many_scripts, random_strings
from .make_fixtures import PATTERN

PROSE, LANGUAGES = (TEXTS[name].text or "" for name in ("prose", "languages"))
PRE_TOKENIZER = {"bytes": "gpt2", "characters": "spaces"}


def record(text, base, ties="smallest_ids", pre_tokenizer=None, **options):
    pipeline = Pipeline((), pre_tokenizer or PRE_TOKENIZER[base])
    return Trace.record(Corpus.from_text(text, pipeline), Settings(base, ties=ties, **options))


def lists(pairs):
    return [list(pair) for pair in pairs]


@cache
def texts():
    return random_strings(sample(10_000))


# --- Hugging Face: training -----------------------------------------------------------------------


@needs_library
@pytest.mark.parametrize("text", [english_prose, many_scripts])
def test_8000_merges_of_bytes(text):
    theirs = ask("train_bpe", text=text(), base="bytes", vocab_size=8256)
    trace = record(text(), "bytes", vocab_size=8256)
    assert len(trace) == 8000
    assert lists(trace.pairs) == theirs["merges"]
    assert trace.model().vocab == theirs["vocab"]


def drawn_run(rng):
    """Draw a corpus of few letters, and the options of the library's trainer."""
    letters = "abcd"[: rng.randint(1, 4)]
    words = ["".join(rng.choices(letters, k=rng.randint(1, 12))) for _ in range(rng.randint(0, 9))]
    options = {"vocab_size": rng.choice([8, 12, 20, 1000]), "min_frequency": rng.randint(0, 4)}
    if rng.random() < 0.5:
        options["max_token_length"] = rng.randint(0, 8)
    base = rng.choice(["characters", "bytes"])
    options["vocab_size"] += 256 if base == "bytes" else 0
    return {"text": " ".join(rng.choices(words, k=25) if words else []), "base": base, **options}


def ours_for(text, base, vocab_size, min_frequency, max_token_length=None):
    """Return our run with the options of the library.

    The library counts [UNK] among its vocabulary. With its max_token_length N a pair that a merge
    has made is counted only if it is shorter than N, so tokens have up to N - 1 symbols; those of
    two base symbols were counted before, so they are made whatever N is.
    """
    return record(
        text,
        base,
        vocab_size=vocab_size - (base == "characters"),
        min_count=min_frequency,
        max_token_length=None if max_token_length is None else max(max_token_length - 1, 2),
    )


@needs_library
def test_800_small_corpora():
    rng = random.Random(5)
    runs = [drawn_run(rng) for _ in range(800)]
    answers = ask("train_many_bpe", runs=runs)
    differing = []
    for run, answer in zip(runs, answers, strict=True):
        trace = ours_for(**run)
        if (lists(trace.pairs), trace.model().vocab) != (answer["merges"], answer["vocab"]):
            differing.append(run)
    assert differing == []
    assert sum(len(answer["merges"]) for answer in answers) > 5000


# --- Hugging Face: encoding -----------------------------------------------------------------------


@needs_library
@pytest.mark.parametrize(
    ("base", "text", "vocab_size"),
    [("bytes", english_prose, 8256), ("characters", many_scripts, 3000)],
)
def test_tokens_ids_and_places(base, text, vocab_size):
    model = record(text(), base, vocab_size=vocab_size).model()
    merges = lists(model.ranks)
    answers = ask("encode_bpe", vocab=dict(model.vocab), merges=merges, base=base, texts=texts())
    assert differences(answers, lambda text: as_lists(encode(text, model))) == []


def as_lists(encoding):
    return [list(encoding.tokens), list(encoding.ids), list(encoding.offsets)]


def differences(answers, ours):
    rows = zip(texts(), answers, strict=True)
    return [(text, answer) for text, answer in rows if ours(text) != answer]


# --- tiktoken -------------------------------------------------------------------------------------


def glyphs_as_bytes(token):
    return [BYTE_OF_GLYPH[glyph] for glyph in token]


@needs_tiktoken
def test_tiktoken_educational_trainer():
    text = english_prose()[:20_000]
    tokens = ask("train_tiktoken", text=text, vocab_size=400, pattern=PATTERN)
    trace = record(text, "bytes", "first_seen", num_merges=144)
    assert [glyphs_as_bytes(token) for token in trace.tokens] == tokens[256:]


@needs_tiktoken
@pytest.mark.parametrize("ties", ["first_seen", "smallest_ids"])
def test_tiktoken_encoder(ties):
    """A piece that is a token gets its id at once in tiktoken; merging gives it the same."""
    model = record(many_scripts(), "bytes", ties, num_merges=3000).model()
    ranks = [[glyphs_as_bytes(token), id_] for token, id_ in model.vocab.items()]
    answers = ask("encode_tiktoken", ranks=ranks, pattern=PATTERN, texts=texts())
    assert differences(answers, lambda text: list(encode(text, model).ids)) == []


# --- minbpe ---------------------------------------------------------------------------------------
# Its rules, written out: it cannot be installed. Ids 0 to 255 are bytes, merges follow.


def minbpe_merge(ids, pair, new):
    out, i = [], 0
    while i < len(ids):
        hit = ids[i] == pair[0] and i < len(ids) - 1 and ids[i + 1] == pair[1]
        out.append(new if hit else ids[i])
        i += 2 if hit else 1
    return out


def minbpe_train(chunks, num_merges):
    merges, chunks = {}, [list(chunk.encode()) for chunk in chunks]
    for n in range(num_merges):
        stats = Counter()
        for ids in chunks:
            stats.update(pairwise(ids))
        best = max(stats, key=stats.__getitem__)  # the first one counted wins a tie
        merges[best] = 256 + n
        chunks = [minbpe_merge(ids, best, 256 + n) for ids in chunks]
    return merges


def minbpe_encode(chunk, merges):
    ids = list(chunk.encode())
    while len(ids) > 1:
        pair = min(pairwise(ids), key=lambda pair: merges.get(pair, float("inf")))
        if pair not in merges:
            break
        ids = minbpe_merge(ids, pair, merges[pair])
    return ids


def minbpe_ids(tokens, trace):
    """Return tokens of ours as minbpe's ids: the bytes, then the merges in order."""
    later = {token: 256 + n for n, token in enumerate(trace.tokens)}
    return [later[t] if t in later else BYTE_OF_GLYPH[t] for t in tokens]


@pytest.mark.parametrize(
    ("chunk", "pre_tokenizer"),
    [(lambda text: [text], "none"), (regex.compile(PATTERN).findall, "gpt2")],
    ids=["Basic", "Regex"],
)
def test_minbpe(chunk, pre_tokenizer):
    text = PROSE + LANGUAGES[:3000]
    merges = minbpe_train(chunk(text), 200)
    trace = record(text, "bytes", "first_seen", pre_tokenizer, num_merges=200)
    assert [tuple(minbpe_ids(pair, trace)) for pair in trace.pairs] == list(merges)
    model = trace.model()
    for string in [*texts()[:300], text]:
        ids = [id_ for piece in chunk(string) for id_ in minbpe_encode(piece, merges)]
        assert minbpe_ids(encode(string, model).tokens, trace) == ids


def test_minbpes_own_example():
    trace = record("aaabdaaabac", "bytes", "first_seen", "none", num_merges=3)
    assert encode("aaabdaaabac", trace.model()).tokens == ("aaab", "d", "aaab", "a", "c")
    assert trace.tokens == ["aa", "aaa", "aaab"]


# --- Dropout --------------------------------------------------------------------------------------

DRAWS = 20_000


@lru_cache
def for_dropout():
    return record(PROSE, "characters", num_merges=150).model()


@cache
def drawn(word, p, for_good):
    """Return the share of each split in many draws."""
    rng, ranks = random.Random(3), for_dropout().ranks
    dropout = Dropout(p, for_good=for_good)
    runs = (merge_steps(word, ranks, dropout, rng) for _ in range(DRAWS))
    return shares(Counter(" ".join(split_after(word, list(steps))) for steps in runs))


def shares(counts):
    return {split: count / DRAWS for split, count in counts.items()}


def total_variation(one, other):
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2


@needs_library
@pytest.mark.parametrize("word", ["walking", "lowest", "there"])
def test_dropout_is_distributed_as_in_hugging_face(word):
    model = for_dropout()
    options = {"vocab": dict(model.vocab), "merges": lists(model.ranks), "p": 0.3, "count": DRAWS}
    theirs = shares(dict(ask("draw_bpe", word=word, **options)))
    assert len(theirs) > 3
    assert total_variation(drawn(word, 0.3, for_good=False), theirs) <= 0.03
    assert total_variation(drawn(word, 0.3, for_good=True), theirs) > 0.03


def dropped_for_good(split, ranks, p, gone=frozenset()):
    """Return the exact probability of each split that can come of `split`.

    The best candidate is passed over with probability p, never to come back, or merged.
    A candidate is known by its pair and the number of letters before it.
    """
    places = [
        (ranks[pair], len("".join(split[:i])), i)
        for i, pair in enumerate(pairwise(split))
        if pair in ranks
    ]
    left = [(rank, letters, i) for rank, letters, i in places if (rank, letters) not in gone]
    if not left:
        return {" ".join(split): 1.0}
    rank, letters, i = min(left)
    merged = (*split[:i], split[i] + split[i + 1], *split[i + 2 :])
    total = Counter()
    for probability, branch in (
        (p, dropped_for_good(split, ranks, p, gone | {(rank, letters)})),
        (1 - p, dropped_for_good(merged, ranks, p, gone)),
    ):
        for key, share in branch.items():
            total[key] += probability * share
    return total


@pytest.mark.parametrize("p", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("word", ["walking", "lowest", "there"])
def test_dropout_for_good_is_distributed_as_enumerated(word, p):
    exact = dropped_for_good(tuple(word), for_dropout().ranks, p)
    assert sum(exact.values()) == pytest.approx(1)
    assert len(exact) > 3
    assert total_variation(drawn(word, p, for_good=True), exact) <= 0.02
