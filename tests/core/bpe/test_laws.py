"""Laws that hold for every corpus and every text, tried on thousands of drawn ones.

The alphabets are small, so that pairs overlap themselves, tie and come up again; the rest is real
Unicode. End marks that a word may spell by itself are drawn too: with them one token can be made
by two different pairs.
"""

from collections import Counter
from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.call_counts import examples
from tests.oracles import may_merge
from tokenizers import plain
from tokenizers.bpe import (
    Dropout,
    Settings,
    candidates,
    encode,
    merge_steps,
    split_after,
    split_word,
    start,
    train,
)
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import State, find_pair, join_at, token_count_deltas
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import decode
from tokenizers.text.symbols import BASES

many = examples(400)

UNICODE = st.characters(exclude_categories=("Cs",))
REAL = st.one_of(UNICODE, st.sampled_from("aeé\u0301ß字한अ्ﬁ😀👍🏽\u200d \u00a0\n▁Ġ</w>"))
WORDS = st.one_of(
    st.text("ab", min_size=1, max_size=9),
    st.text("abc", min_size=1, max_size=7),
    st.text("a", min_size=1, max_size=12),
    st.text(REAL, min_size=1, max_size=5),
)
CORPORA = st.builds(
    Corpus.from_counts, st.dictionaries(WORDS, st.integers(1, 4), min_size=0, max_size=6)
)
SETTINGS = st.builds(
    Settings,
    base=st.sampled_from(BASES),
    end_mark=st.sampled_from(["</w>", "_", "a", "ab", "aab"]),
    min_count=st.sampled_from([0, 1, 1, 2, 3]),
    max_token_length=st.sampled_from([None, None, 1, 2, 3, 4]),
    ties=st.sampled_from(TIE_RULES),
)
TEXTS = st.text(st.one_of(st.sampled_from("ab c"), REAL), max_size=30)


def no_token_is_made_twice(trace):
    made = [*trace.alphabet, *trace.tokens]
    return len(made) == len(set(made))


# --- Training -------------------------------------------------------------------------------------


@many
@given(CORPORA, SETTINGS)
def test_training_is_the_textbooks(corpus, settings):
    first = start(corpus, settings)
    expected = plain.train_merges(
        first.splits, first.word_counts, may_merge(settings), settings.ties
    )
    trace = Trace.record(corpus, settings)
    rows = zip(trace.pairs, trace.counts, trace.num_tied, strict=True)
    assert list(rows) == [(pair, count, len(tied)) for pair, count, tied, _ in expected]


@many
@given(CORPORA, SETTINGS)
def test_counts_are_those_of_a_recount(corpus, settings):
    state = start(corpus, settings)
    check_counts(state)
    for step in train(corpus, settings):
        state.apply(step)
        check_counts(state)


def check_counts(state):
    assert state.pair_counts == plain.count_pairs(state.splits, state.word_counts)
    assert state.token_counts == plain.count_tokens(state.splits, state.word_counts)
    assert list(state.vocab.values()) == sorted(set(state.vocab.values()))


@many
@given(CORPORA, SETTINGS)
def test_nothing_is_lost(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(len(trace) + 1):
        for word, split in zip(trace.words, trace.state(k).splits, strict=True):
            assert "".join(split) == "".join(settings.symbols(word))


@many
@given(CORPORA, SETTINGS)
def test_a_record_can_be_replayed(corpus, settings):
    trace, state = Trace.record(corpus, settings), start(corpus, settings)
    for k in range(len(trace) + 1):
        if k:
            state.apply(trace.step(k))
        then = trace.state(k)
        assert then.splits == state.splits
        assert then.pair_counts == state.pair_counts
        assert then.token_counts == state.token_counts
        assert then.vocab == list(state.vocab)


@many
@given(CORPORA, SETTINGS)
def test_a_step_describes_what_it_changes(corpus, settings):
    state = start(corpus, settings)
    for step in train(corpus, settings):
        assert step.count == state.pair_counts[step.pair]
        assert step.token == "".join(step.pair)
        holding = [i for i, s in enumerate(state.splits) if plain.merge(s, step.pair) != s]
        assert list(step.changed_words) == holding
        assert all(
            places == find_pair(state.splits[w], step.pair)
            for w, places in step.changed_words.items()
        )
        assert step.num_applied == sum(
            len(places) * state.word_counts[word] for word, places in step.changed_words.items()
        )
        assert 1 <= step.num_applied <= step.count
        state.apply(step)


@many
@given(CORPORA, SETTINGS)
def test_a_step_can_be_undone(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(1, len(trace) + 1):
        step, before, after = trace.step(k), trace.state(k - 1), trace.state(k)
        assert [undone(step, w, s) for w, s in enumerate(after.splits)] == before.splits
        assert without(after.pair_counts, step.pair_count_deltas) == before.pair_counts
        assert (
            without(after.token_counts, token_count_deltas(step.pair, step.token, step.num_applied))
            == before.token_counts
        )


def undone(step, word, split):
    """Return the split before `step`, from the one after it."""
    for place in step.changed_words.get(word, ()):  # each put back makes room for the next
        assert split[place] == step.token
        split = (*split[:place], *step.pair, *split[place + 1 :])
    return split


def without(counts, changes):
    before = Counter(counts)
    before.subtract(changes)
    return {key: count for key, count in before.items() if count}


@many
@given(CORPORA, SETTINGS, st.data())
def test_a_short_run_is_the_beginning_of_a_long_one(corpus, settings, data):
    whole = list(train(corpus, settings))
    k = data.draw(st.integers(0, len(whole)))
    names = ("base", "end_mark", "min_count", "max_token_length", "ties")
    options = {name: getattr(settings, name) for name in names}
    assert list(train(corpus, Settings(**options, num_merges=k))) == whole[:k]


@many
@given(CORPORA, SETTINGS)
def test_the_tie_rules_choose_among_the_tied(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(1, len(trace) + 1):
        before, pair, count = trace.state(k - 1), trace.pairs[k - 1], trace.counts[k - 1]
        allowed = {p: n for p, n in before.pair_counts.items() if settings.allows(p)}
        tied = [p for p in allowed if allowed[p] == max(allowed.values())]
        assert pair in tied
        assert count == allowed[pair] >= settings.min_count
        assert len(tied) == trace.num_tied[k - 1]
        assert sorted(before.pairs_with_count(count)) == sorted(tied)


@many
@given(CORPORA, SETTINGS)
def test_a_run_ends_only_where_nothing_is_left(corpus, settings):
    trace = Trace.record(corpus, settings)
    left = trace.state(len(trace)).pair_counts
    allowed = [count for pair, count in left.items() if settings.allows(pair)]
    assert max(allowed, default=0) < max(settings.min_count, 1)
    assert ("no pair is left" in trace.stop_reason) == (not left)


@many
@given(CORPORA, SETTINGS)
def test_numbers_of_a_run(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(len(trace) + 1):
        state = trace.state(k)
        assert trace.vocab_sizes[k] == len(state.vocab)
        assert trace.num_tokens[k] == sum(state.token_counts.values())
        assert set(state.token_counts) <= set(state.vocab)


@many
@given(CORPORA, SETTINGS)
def test_a_token_is_made_by_one_pair_alone(corpus, settings):
    assume(settings.base != "end_of_word" or settings.end_mark in ("</w>", "_"))
    trace = Trace.record(corpus, settings)
    assume("</w>" not in trace.tokens)
    assert no_token_is_made_twice(trace)


# --- Splits ---------------------------------------------------------------------------------------

SPLITS = st.lists(st.sampled_from(["a", "b", "ab", "aa"]), max_size=12).map(tuple)
PAIRS = st.tuples(*[st.sampled_from(["a", "b", "ab", "aa"])] * 2)


@many
@given(SPLITS, PAIRS)
def test_merging_a_split_is_the_textbooks(split, pair):
    assert join_at(split, find_pair(split, pair), "".join(pair)) == plain.merge(split, pair)


@many
@given(st.lists(SPLITS, max_size=5), PAIRS, st.data())
def test_any_pair_can_be_merged_not_only_the_best(splits, pair, data):
    counts = [data.draw(st.integers(1, 3)) for _ in splits]
    vocab = {symbol: n for n, symbol in enumerate(["a", "b", "ab", "aa"])}
    state = State(splits, counts, vocab)
    for other in dict.fromkeys([pair, *state.pair_counts]):
        if other in state.pair_counts:
            expected = [plain.merge(split, other) for split in state.splits]
            state.apply(state.merge(other))
            assert state.splits == expected
            check_counts(state)


# --- Encoding -------------------------------------------------------------------------------------


@many
@given(CORPORA, SETTINGS)
def test_a_word_of_the_corpus_is_encoded_to_its_trained_split(corpus, settings):
    trace = Trace.record(corpus, settings)
    assume(no_token_is_made_twice(trace))
    for k in {0, len(trace) // 2, len(trace)}:
        model = trace.model(k)
        for word in trace.words:
            assert split_word(word, model) == trace.split(trace.words.index(word), k)


SYMBOLS = st.one_of(
    st.text("ab", max_size=14),
    st.text("abc", max_size=14),
    st.text(st.sampled_from("ab"), min_size=60, max_size=250),
    st.lists(st.sampled_from(["a", "b", "ab", "</w>", "é"]), max_size=20),
).map(tuple)


@many
@given(SYMBOLS, CORPORA, SETTINGS)
def test_encoding_is_the_textbooks(symbols, corpus, settings):
    ranks = Trace.record(corpus, settings).model().ranks
    assert split_after(symbols, list(merge_steps(symbols, ranks))) == plain.encode_bpe(
        symbols, ranks
    )


TOKENS = st.sampled_from(["a", "b", "aa", "ab", "ba", "aaa", "aab", "aba"])


@many
@given(SYMBOLS, st.lists(st.tuples(TOKENS, TOKENS), unique=True, max_size=12))
def test_encoding_with_merges_in_any_order(symbols, pairs):
    ranks = {pair: rank for rank, pair in enumerate(pairs)}
    steps = list(merge_steps(symbols, ranks))
    assert split_after(symbols, steps) == plain.encode_bpe(symbols, ranks)
    split = tuple(symbols)
    for step in steps:  # each one was the best there was, and stood where it says
        best = min((ranks[p], i) for i, p in enumerate(pairwise(split)) if p in ranks)
        assert best[0] == step.rank
        assert len("".join(split[: best[1]])) == len("".join(symbols[: step.start]))
        split = join_at(split, (best[1],), "".join(step.pair))


@many
@given(SYMBOLS, CORPORA, SETTINGS, st.floats(0, 1), st.booleans(), st.integers(0, 99))
def test_dropout_loses_nothing_and_uses_known_merges(symbols, corpus, settings, p, for_good, seed):
    model = Trace.record(corpus, settings).model()
    steps = list(merge_steps(symbols, model.ranks, Dropout(p, seed, for_good)))
    assert steps == list(merge_steps(symbols, model.ranks, Dropout(p, seed, for_good)))
    assert all(model.ranks[step.pair] == step.rank for step in steps)
    split = split_after(symbols, steps)
    assert "".join(split) == "".join(symbols)
    assert set(split) <= {*symbols, *model.vocab}


@many
@given(st.text("abc", min_size=3, max_size=9), CORPORA, SETTINGS, st.integers(0, 99), st.booleans())
def test_dropped_are_exactly_the_better_candidates(word, corpus, settings, seed, for_good):
    model = Trace.record(corpus, settings).model()
    split = tuple(word)
    for step in merge_steps(word, model.ranks, Dropout(0.5, seed, for_good)):
        known = candidates(split, model.ranks)
        there = {(rank, len("".join(split[:i]))): i for rank, i in known}
        assert {place for place in there if place < (step.rank, step.start)} == set(step.dropped)
        split = join_at(split, (there[step.rank, step.start],), "".join(step.pair))


def trained(text, base, pre_tokenizer, normalizers=()):
    corpus = Corpus.from_text(text, Pipeline(normalizers, pre_tokenizer))
    return Trace.record(corpus, Settings(base)).model()


@many
@given(TEXTS, TEXTS, st.sampled_from(["gpt2", "none"]))
def test_bytes_come_back(seen, text, pre_tokenizer):
    model = trained(seen, "bytes", pre_tokenizer)
    encoding = encode(text, model)
    assert decode(encoding.ids, model) == text
    assert [model.vocab[token] for token in encoding.tokens] == list(encoding.ids)


@many
@given(TEXTS, TEXTS)
def test_spaces_come_back_with_metaspace(seen, text):
    text = text.lstrip(" ").replace("▁", "")
    assume(not text.startswith(" "))
    model = trained(seen + text, "metaspace", "metaspace")
    assert decode(encode(text, model).ids, model) == text


@many
@given(
    TEXTS,
    TEXTS,
    st.sampled_from(BASES),
    st.sampled_from(["spaces", "punctuation", "gpt2", "metaspace", "none"]),
)
def test_offsets_ascend_and_cover_the_text(seen, text, base, pre_tokenizer):
    encoding = encode(text, trained(seen, base, pre_tokenizer))
    starts, ends = zip(*encoding.offsets, strict=True) if encoding.offsets else ((), ())
    assert list(starts) == sorted(starts)
    assert list(ends) == sorted(ends)
    assert all(0 <= start <= end <= len(text) for start, end in encoding.offsets)
    covered = {i for start, end in encoding.offsets for i in range(start, end)}
    assert all(i in covered for i, character in enumerate(text) if not character.isspace())
    assert list(encoding.words) == sorted(encoding.words)


@many
@given(TEXTS, TEXTS, st.sampled_from(["characters", "end_of_word", "metaspace"]))
def test_pieces_are_the_text_at_their_offsets(seen, text, base):
    encoding = encode(text, trained(seen, base, "spaces"))
    for piece, place in zip(encoding.pieces, encoding.offsets, strict=True):
        raw = text[slice(*place)]
        assert piece in (raw, raw + "</w>", "▁" + raw)
