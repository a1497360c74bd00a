"""Gage's compression: nothing is lost, each step is the best one, and it is BPE without words."""

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import bpe
from tokenizers.bpe.any_bytes import bytes_of_glyphs
from tokenizers.experiments.research.compression import (
    BYTES,
    THRESHOLD,
    compress,
    expand,
    lzw_size,
    with_table,
)
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

many = examples(1_000)
DATA = st.one_of(st.text("abc é", max_size=40).map(str.encode), st.binary(max_size=300))
THRESHOLDS = st.integers(2, 5)


@many
@given(DATA, THRESHOLDS)
def test_expanding_gives_back_what_was_compressed(data, threshold):
    steps = list(compress(data, threshold))
    table = {step.code: step.pair for step in steps}
    assert len(table) == len(steps)
    assert expand(steps[-1].data if steps else data, table) == data


@many
@given(DATA, THRESHOLDS)
def test_each_step_replaces_a_most_frequent_pair_by_an_unused_byte(data, threshold):
    before = data
    for step in compress(data, threshold):
        pairs = [(before[n], before[n + 1]) for n in range(len(before) - 1)]
        assert step.count == pairs.count(step.pair) == max(map(pairs.count, pairs)) >= threshold
        assert step.code not in before
        assert step.code not in data
        replaced, n, written = 0, 0, []
        while n < len(before):  # from left to right
            is_pair = (*before[n : n + 2],) == step.pair
            written.append(step.code if is_pair else before[n])
            replaced, n = replaced + is_pair, n + 1 + is_pair
        assert bytes(written) == step.data
        assert len(step.data) == len(before) - replaced
        before = step.data
    pairs = [(before[n], before[n + 1]) for n in range(len(before) - 1)]
    is_full = len({*before, *data}) == BYTES or not set(range(BYTES)) - {*before, *data}
    assert is_full or max(map(pairs.count, pairs), default=0) < threshold


@examples(300)
@given(st.text("abc é\n", min_size=1, max_size=60), THRESHOLDS)
def test_it_is_bpe_on_bytes_without_words(text, threshold):
    trace = Trace.record(
        Corpus.from_text(text, Pipeline((), "none")),
        bpe.Settings("bytes", num_merges=50, min_count=threshold),
    )
    steps = list(islice(compress(text.encode(), threshold), 50))
    table = {}
    for step, token, count in zip(steps, trace.tokens, trace.counts, strict=True):
        table[step.code] = step.pair
        assert expand(bytes([step.code]), table) == bytes_of_glyphs(token)
        assert step.count == count
    assert [len(text.encode()), *(len(step.data) for step in steps)] == list(trace.num_tokens)


def test_the_example_of_the_article_and_why_the_program_stops_at_three():
    first, second = compress(b"ABABCABCD", threshold=2)
    named = bytes.maketrans(bytes([first.code, second.code]), b"XY")
    assert first.data.translate(named) == b"XXCXCD"
    assert second.data.translate(named) == b"XYYD"
    sizes = [with_table(len(data), k) for k, data in enumerate((b"ABABCABCD", b"......", b"...."))]
    assert sizes == [9, 8, 8]  # the pair that occurs twice gains nothing
    assert [step.pair for step in compress(b"ABABCABCD")] == [(65, 66)]
    assert THRESHOLD == 3


def test_pairs_that_overlap_count_but_cannot_all_be_replaced():
    (step,) = islice(compress(b"aaabdaaabac"), 1)
    assert (step.count, len(b"aaabdaaabac") - len(step.data)) == (4, 2)


@many
@given(DATA)
def test_lzw_writes_what_a_reader_can_expand(data):
    """The codes, written out and read back by the table that the reader builds."""
    table = {bytes([byte]): byte for byte in range(BYTES)}
    piece, codes = b"", []
    for n in range(len(data)):
        if piece + data[n : n + 1] in table:
            piece += data[n : n + 1]
            continue
        codes.append(table[piece])
        table[piece + data[n : n + 1]] = len(table)
        piece = data[n : n + 1]
    codes += [table[piece]] if piece else []
    known, read, last = [bytes([byte]) for byte in range(BYTES)], b"", b""
    for code in codes:
        found = known[code] if code < len(known) else last + last[:1]
        if last:
            known.append(last + found[:1])
        read, last = read + found, found
    assert read == data
    assert lzw_size(data) == (len(codes) * 12 + 7) // 8
