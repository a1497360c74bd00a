"""Lists of whole words that are cut: how many words of a text they leave unknown."""

from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers import baselines
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import UNK

many = examples(1_000)
WORDS = st.lists(st.sampled_from(["the", "tide", "was", "low", "and", "sea"]), max_size=12)


@many
@given(
    st.dictionaries(st.sampled_from(["the", "tide", "was", "low", "and"]), st.integers(1, 4)), WORDS
)
def test_every_size_is_what_a_list_of_that_size_leaves_unknown(learned, words):
    rows = dict(baselines.unknown_by_size(learned, words))
    order = sorted(learned, key=lambda word: -learned[word])  # stable, as the list is
    unknown = len(words)
    for size in range(len(learned) + 1):
        kept = {UNK: 0} | {word: n for n, word in enumerate(order[:size], start=1)}
        model = baselines.Model("words", kept, Pipeline((), "spaces"))
        tokens = baselines.encode(" ".join(words), model).tokens
        assert rows.get(size, unknown) == tokens.count(UNK)
        unknown = rows.get(size, unknown)
    assert [0, len(learned)] == [min(rows), max(rows)]
