"""Merge residues: held to the plain version, which encodes every word again, on drawn corpora."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import open_model
from tests.call_counts import examples
from tokenizers import bpe, plain
from tokenizers.errors import UserError
from tokenizers.experiments.research.residues import (
    RanksWithout,
    count_plainly,
    encode_plainly,
    encode_without,
    uses_after,
)
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.record.trace import Trace
from tokenizers.runtime.inspection.residues import TextResidues
from tokenizers.text.corpus import Corpus

WORDS = st.text("ab<", min_size=1, max_size=7)
CORPORA = st.dictionaries(WORDS, st.integers(1, 5), min_size=1, max_size=6)
SETTINGS = bpe.Settings(num_merges=9)


def run(counts: dict[str, int]) -> Trace:
    return Trace.record(Corpus.from_counts(counts), SETTINGS)


@examples(1_000)
@given(CORPORA, st.integers(0, 9))
def test_a_run_says_what_encoding_its_words_again_says(counts, k):
    trace = run(counts)
    k = min(k, len(trace))
    splits = [SETTINGS.symbols(word) for word in trace.corpus.word_counts]
    made, left = count_plainly(
        splits, list(trace.corpus.word_counts.values()), trace.model(k).ranks
    )
    uses = uses_after(trace, k)
    assert (dict(uses.made), dict(uses.left)) == (dict(made), dict(left))


@examples(1_000)
@given(CORPORA)
def test_residues_are_the_tokens_that_no_training_word_is_split_into(counts):
    trace = run(counts)
    model, uses = trace.model(), uses_after(trace, len(trace))
    used = {t for word in trace.corpus.word_counts for t in bpe.split_word(word, model)}
    found = uses.residues()
    assert set(found) == {a + b for a, b in trace.pairs} - used
    # Removing them changes nothing in these words.
    parts = {a + b: (a, b) for a, b in reversed(trace.pairs)}
    for word in trace.corpus.word_counts:
        before = bpe.split_word(word, model)
        assert encode_without(before, model.ranks, set(found), parts.__getitem__) == before


@examples(1_000)
@given(CORPORA, WORDS, st.data())
def test_removing_any_tokens_is_what_the_plain_version_does(counts, word, data):
    trace = run(counts)
    model = trace.model()
    made = sorted({a + b for a, b in trace.pairs})
    residues = data.draw(st.sets(st.sampled_from(made))) if made else set()
    parts = {a + b: (a, b) for a, b in reversed(trace.pairs)}
    before = bpe.split_word(word, model)
    after = encode_without(before, model.ranks, residues, parts.__getitem__)
    assert after == encode_plainly(SETTINGS.symbols(word), model.ranks, residues)
    assert residues.isdisjoint(after)
    assert "".join(after) == "".join(before)
    ranks = RanksWithout(model.ranks, residues)
    assert not any(pair in ranks for pair in pairwise(after))  # nothing is left to merge
    assert len(ranks) == len(list(ranks))


@examples(1_000)
@given(CORPORA, st.lists(WORDS, max_size=6))
def test_a_loaded_tokenizer_counts_the_same(counts, words):
    trace = run(counts)
    model = trace.model()
    loaded = open_tokenizer({"tokenizer.json": write_tokenizer_json(model).encode()})
    known = [word for word in words if set(SETTINGS.symbols(word)) <= model.vocab.keys()]
    found = TextResidues(loaded, " ".join(known))
    pre_tokens = Corpus.from_text(" ".join(known), trace.corpus.pipeline).word_counts
    splits = [SETTINGS.symbols(word) for word in pre_tokens]
    assert found.num_tokens == sum(
        len(plain.encode_bpe(split, model.ranks)) * count
        for split, count in zip(splits, pre_tokens.values(), strict=True)
    )
    made, left = count_plainly(splits, list(pre_tokens.values()), model.ranks)
    assert (dict(found.uses.made), dict(found.uses.left)) == (dict(made), dict(left))
    residues = {token for token in made if not left[token]}
    assert set(found.residues()) == residues
    assert not list(found.changed_by_removing(residues))


def test_removed_residues_are_split_and_merged_again():
    trace = run({"aab": 5, "aabb": 4, "bb": 3})
    loaded = open_tokenizer({"tokenizer.json": write_tokenizer_json(trace.model()).encode()})
    found = TextResidues(loaded, "aabb")
    kept = found.tokens["aabb"]
    (changed,) = found.changed_by_removing({kept[0]})
    assert (changed.before, changed.count) == (kept, 1)
    assert kept[0] not in changed.after
    assert "".join(changed.after) == "".join(kept)


def test_only_merges_leave_residues():
    with pytest.raises(UserError, match="Only BPE"):
        TextResidues(open_model("bert-uncased"), "a text")
