"""The tokenizers that pages compare: what they learn, and at which sizes."""

import pytest

from lessons.texts import TEXTS
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, train_kind
from tokenizers.text.corpus import Pipeline

PROSE = CorpusSource(text=TEXTS["prose"].text or "")


def never(done: int, total: int) -> bool:
    return False


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_learns_and_encodes_what_it_learned_from(kind):
    learned = train_kind(never, PROSE, kind, 300)
    text = "The tide was low.\n"
    found = learned.model().encode(text)
    assert [text[a:b] for a, b in found.offsets if b > a]
    assert tuple(found.tokens) == tuple(found.pieces), "nothing of it is unknown"


@pytest.mark.parametrize("kind", ["bpe", "bytes", "wordpiece", "unigram"])
def test_a_model_has_the_size_on_record(kind):
    learned = train_kind(never, PROSE, kind, 300)
    assert list(learned.sizes) == sorted(set(learned.sizes))
    for size in learned.sizes[:: max(len(learned.sizes) // 5, 1)]:
        model = learned.model(size)
        assert len(model.vocab) - ("[UNK]" in model.vocab or "<unk>" in model.vocab) == size
    assert learned.size(10**9) == learned.sizes[-1]
    assert learned.size(0) == learned.sizes[0]


def test_bpe_and_wordpiece_grow_up_to_the_size_and_unigram_shrinks_down_to_it():
    assert train_kind(never, PROSE, "bpe", 300).sizes[-1] == 300
    assert train_kind(never, PROSE, "wordpiece", 300).sizes[-1] == 300
    assert train_kind(never, PROSE, "unigram", 300).sizes[0] == 300
    usual, more = (train_kind(never, PROSE, "unigram", 300, prunings=n) for n in (None, 24))
    assert 5 < len(usual.sizes) < 10 < len(more.sizes)


def test_where_too_little_repeats_every_substring_is_a_first_piece():
    text = "Hello world, I love tokenizers."
    learned = train_kind(never, CorpusSource(text=text), "unigram", 60)
    assert learned.sizes[0] == 60
    assert learned.model().encode(text).tokens[0] == "▁Hello"
    assert "▁Hello" not in train_kind(never, PROSE, "unigram", 300).model().vocab


def test_a_size_between_two_on_record_is_the_smaller():
    learned = train_kind(never, PROSE, "unigram", 300)
    first, second = learned.sizes[:2]
    assert learned.size(second - 1) == first


def test_the_pipeline_can_be_chosen():
    learned = train_kind(never, CorpusSource(text="a-b a-b"), "bpe", 50, Pipeline((), "spaces"))
    assert learned.model().encode("a-b").tokens == ("a-b</w>",)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_to_learn_from_is_a_sentence(kind):
    with pytest.raises(ValueError, match="no words to train on"):
        train_kind(never, CorpusSource(text=""), kind, 100)


@pytest.mark.parametrize("kind", ["bpe", "bytes", "wordpiece", "unigram"])
def test_training_is_cancelled_before_the_text_is_normalized(kind):
    source, pipeline = CorpusSource("low lower"), Pipeline(("nfkc",))
    with pytest.raises(ValueError, match="stopped it before"):
        train_kind(lambda done, total: True, source, kind, 20, pipeline)
