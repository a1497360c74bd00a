"""A published BPE cut off at any rank: every split is that of the shorter list."""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import MODELS, open_model
from pages.shared.training.published import PACK, PublishedTokenizer, published_tokenizer
from pages.shared.training.words import words_of
from pages.sizes.published import GREEDY, segment_published
from pages.sizes.size_message import describe_sizes, newest, pack_published
from tests.call_counts import examples
from tests.pages.opening import HOSTILE, html_of, notes_of, opened
from tests.pages.opening import texts_of as said_in
from tests.pages.sizes.test_sizes_pages import names, report_size, sent
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE, glyphs_of
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.unigram import BYTES

TEXT = "Unbelievably naïve: 12345 low lower\n  lowest 🧑‍🚀 日本語 <|endoftext|> <s> don't\tstop"
BYTE = list(BYTES)


@cache
def rank_of(kind: str) -> tuple[Callable[[str, str], int | None], int]:
    """The list length at which a pair is merged, computed separately; and the base."""
    model = published_tokenizer(kind).loaded.model
    if isinstance(model, BPE):
        return lambda a, b: None if (r := model.ranks.get((a, b))) is None else r + 1, 256
    if isinstance(model, ByteBPE):
        last = _last_byte(model)
        return lambda a, b: None if (r := model.vocab.get(a + b)) is None else r - last, 256
    assert isinstance(model, SentencePieceBPE)
    scores = model.vocabulary.scores
    order = sorted((p for p in scores if len(p) > 1), key=lambda p: -scores[p])
    numbers = {p: n for n, p in enumerate(order, start=1)}
    # Pieces with the same score are added together: the last of them counts.
    last = {scores[p]: numbers[p] for p in order}
    ties = {p: last[scores[p]] for p in order}
    letters = sum(len(p) == 1 for p in scores)
    return lambda a, b: ties.get(a + b), letters + 256


def _last_byte(model: ByteBPE) -> int:
    """Return the last id before the merges; in Tekken, special tokens have the first ids."""
    return min(model.vocab.values()) + 255


def naive(kind: str, word: str, merges: int) -> list[str]:
    """A word split by the first `merges` merges, the plain way."""
    model, (rank, _) = published_tokenizer(kind).loaded.model, rank_of(kind)
    if isinstance(model, ByteBPE):
        glyphs = glyphs_of(word.encode())
        if model.vocab.get(glyphs, 10**9) - _last_byte(model) <= merges:
            return [glyphs]
        parts = list(glyphs)
    else:
        parts = list(word)
    while True:
        found = [(rank(a, b), n) for n, (a, b) in enumerate(pairwise(parts))]
        known = [(r, n) for r, n in found if r is not None and r <= merges]
        if not known:
            break
        _, at = min(known)
        parts[at : at + 2] = ["".join(parts[at : at + 2])]
    if isinstance(model, SentencePieceBPE):
        parts = [
            q
            for p in parts
            for q in ([p] if p in model.vocabulary.scores else [BYTE[b] for b in p.encode()])
        ]
    return parts


def check(kind: str, text: str, every: int = 1) -> None:
    model = published_tokenizer(kind)
    found = words_of(model.loaded, text)
    if not found:
        with pytest.raises(ValueError, match="no words"):
            segment_published(model, text)
        return
    cut = segment_published(model, text)
    base = rank_of(kind)[1]
    assert cut.sizes[0] == base
    for index in {*range(0, len(cut.sizes), every), len(cut.sizes) - 1}:
        merges = cut.sizes[index] - base
        until = cut.sizes[index + 1] - base - 1 if index + 1 < len(cut.sizes) else merges
        for limit in {merges, until}:  # nothing changes up to the next size
            plain = [[w.text] if w.is_added else naive(kind, w.text, limit) for w in found]
            assert [list(cut.words[n].split(index)) for n in cut.text] == plain
            assert cut.tokens[index] == sum(map(len, plain))
    assert [t for n in cut.text for t in cut.words[n].split(len(cut.sizes) - 1)] == [
        piece.text for word in found for piece in word.pieces
    ]


@pytest.mark.parametrize("kind", GREEDY)
@pytest.mark.parametrize("text", [TEXT, *HOSTILE])
def test_every_size_is_what_the_shorter_list_gives(kind, text):
    check(kind, text, every=7)


@pytest.mark.parametrize("kind", GREEDY)
@examples(30)
@given(text=st.text(st.sampled_from("aeinst .'1é漢▁\n"), max_size=24))
def test_any_text(kind, text):
    check(kind, text)


@pytest.mark.parametrize("kind", GREEDY)
def test_the_pieces_of_all_sizes_are_the_vocabulary(kind):
    model = published_tokenizer(kind)
    cut = segment_published(model, TEXT)
    pieces = [piece for new in cut.new for piece in new]
    assert len(pieces) == len(set(pieces)) == cut.sizes[-1]
    assert set(pieces) <= model.vocab.keys()
    assert cut.extra_ids == len(model.vocab) - len(pieces)
    assert model.vocab.keys() - set(pieces) <= {*model.loaded.added.ids, model.unk}
    for index in range(1, len(cut.sizes) - 1):
        first = cut.new[index][0]  # the merge that changes the text comes first
        assert cut.occurrences[index] == 0 or any(
            first in cut.words[n].split(index) for n in set(cut.text)
        )


def test_a_single_merge_more():
    """“Ġthe” is merge 5 of GPT-2: with four, the word is in two pieces."""
    cut = segment_published(PublishedTokenizer("gpt2"), " the")
    merges = [size - 256 for size in cut.sizes]
    made = {n: cut.words[0].split(i) for i, n in enumerate(merges)}
    assert made[0] == ("Ġ", "t", "h", "e")
    assert made[1] == ("Ġt", "h", "e")
    assert list(made.values())[-1] == ("Ġthe",)


def test_a_page_with_published_models_alone():
    app = opened("sizes", resized="real.gpt2,real.o200k", text="the lowest tide 漢")
    assert not app.error
    assert not app.toast
    assert names(app) == [PACK["real.o200k"], PACK["real.gpt2"]]
    gpt2 = sent(app)["films"][1]
    assert gpt2["sizes"][0] == 256
    assert gpt2["sizes"][-1] == 50_256
    assert gpt2["tokens"][-1] == len(open_model("gpt2").encode("the lowest tide 漢").ids)
    assert any(shown == "·low" for _, shown, *_ in gpt2["pieces"]), "as text, not as glyphs"
    captions = " ".join(notes_of(app))
    assert "somebody added or removed pieces" in captions
    assert not [box for box in app.selectbox if box.key == "learned"]
    report_size(app, 50_256)
    assert "newest pieces of GPT-2" in html_of(app)
    assert re.search(r"256 pieces|pieces, V", html_of(app))


def test_published_and_trained_tokenizers_together():
    app = opened("sizes", resized="bpe,real.mistral-v1")
    assert names(app) == ["BPE on characters", PACK["real.mistral-v1"]]
    assert [box for box in app.selectbox if box.key == "learned"]
    assert "added or removed" not in " ".join(notes_of(opened("sizes")))


def test_more_than_four_have_a_note():
    app = opened("sizes", resized=",".join(["bpe", "bytes", *GREEDY]), text="low tide")
    assert len(names(app)) == 4
    assert any("first 4" in text for text in said_in(app.info))


@pytest.mark.parametrize("nonsense", ["real.bert-uncased", "real.x", "real."])
def test_what_has_no_merges_is_no_choice(nonsense):
    app = opened("sizes", resized=nonsense)
    assert app.toast
    assert names(app) == ["BPE on characters", "WordPiece", "Unigram"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(text):
    app = opened("sizes", resized=",".join(GREEDY), text=text)
    assert not app.error
    assert "<script" not in html_of(app)


def test_the_numbers_in_the_sentences_add_up():
    packed = pack_published(PublishedTokenizer("gpt2"), "low tide")
    text = describe_sizes(packed)
    assert "starts from 256 pieces and has 50,000 merges" in text
    assert newest(packed, 256) == ()
    assert newest(packed, 257) == ("Ġt",)
    assert len(MODELS) >= len(GREEDY)
