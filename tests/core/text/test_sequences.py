"""Inputs and targets: the next id at every position, and the number of sequences."""

from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.text.sequences import input_target_pairs, num_sequences

many = examples(1_000)
IDS = st.lists(st.integers(0, 9), max_size=30)


@many
@given(IDS, st.integers(1, 9), st.integers(1, 9))
def test_y_is_what_follows_x(ids, length, step):
    expected = []
    for start in range(len(ids)):
        places = range(start, start + length)
        if start % step == 0 and all(place + 1 < len(ids) for place in places):
            x, y = [ids[place] for place in places], [ids[place + 1] for place in places]
            expected.append((tuple(x), tuple(y)))
    assert list(input_target_pairs(ids, length, step)) == expected
    assert num_sequences(len(ids), length, step) == len(expected)


@many
@given(IDS, st.integers(1, 9))
def test_without_overlap_each_id_is_asked_for_once(ids, length):
    targets = [id_ for _, y in input_target_pairs(ids, length, length) for id_ in y]
    assert targets == ids[1 : len(targets) + 1]
    assert len(ids) - 1 - len(targets) < length
