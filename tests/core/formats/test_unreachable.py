"""Unreachable tokens: the tests agree with all texts of up to three tokens."""

import random
from itertools import product

from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.inspection.unreachable import find_unreachable
from tokenizers.runtime.models.bpe import BPE, Ranks
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.normalizers import Lowercase
from tokenizers.runtime.tokenizer import LoadedTokenizer

PIECES = ("[UNK]", "a", "x", "ax", "##x", "##a", "##xa", "A", "##A")
DRAWN = 1_000


def lower_casing() -> LoadedTokenizer:
    vocab = {piece: n for n, piece in enumerate(PIECES)}
    added = AddedTokens((AddedToken("[X]", 99),))
    return LoadedTokenizer("small", "test", WordPiece(vocab), added, Lowercase())


def test_a_token_is_unreachable_if_no_short_text_makes_it():
    loaded = lower_casing()
    texts = ("".join(letters) for n in (1, 2, 3, 4) for letters in product("axA", repeat=n))
    made = {token for text in texts for token in loaded.encode(text).tokens}
    found = find_unreachable(loaded)
    assert set(found.unreachable) == set(PIECES) - made - {"[UNK]"}
    assert found.unreachable == {"A": ("a",), "##A": ("a",)}
    assert found.special == ("[UNK]", "[X]")
    assert found.partial == ()


def made_by_short_texts(loaded: LoadedTokenizer) -> set[str]:
    texts = ("".join(letters) for n in range(1, 7) for letters in product("ax", repeat=n))
    return {token for text in texts for token in loaded.encode(text).tokens}


def drawn_bpe(draw: random.Random) -> LoadedTokenizer:
    """Merges in any order, as after editing: a merge may need the result of a later one."""
    pieces, merges = ["a", "x"], []
    for _ in range(draw.randint(0, 5)):
        pair = draw.choice(pieces), draw.choice(pieces)
        if len("".join(pair)) < 5 and pair not in merges:
            merges.append(pair)
            pieces.append("".join(pair))
    draw.shuffle(merges)
    vocab = {piece: n for n, piece in enumerate(dict.fromkeys(pieces))}
    return LoadedTokenizer("drawn", "test", BPE(vocab, Ranks(vocab, merges)))


def test_drawn_merges_against_all_short_texts():
    """A BPE token that its own text does not produce is never produced."""
    draw, some = random.Random(17), 0
    for _ in range(DRAWN):
        loaded = drawn_bpe(draw)
        unreached = set(find_unreachable(loaded).unreachable)
        assert unreached == set(loaded.vocab) - made_by_short_texts(loaded)
        some += bool(unreached)
    assert DRAWN / 10 < some < DRAWN * 9 / 10, "both answers are drawn"


def test_drawn_vocabularies_against_all_short_texts():
    """Reachable tokens are produced by a text; the others by none of the tested texts."""
    draw, words = (
        random.Random(17),
        ["".join(p) for n in (1, 2, 3) for p in product("ax", repeat=n)],
    )
    for _ in range(DRAWN):
        pieces = [*draw.sample(words, 3), *(f"##{word}" for word in draw.sample(words, 3))]
        vocab = {piece: n for n, piece in enumerate(["[UNK]", "a", "x", *pieces])}
        loaded = LoadedTokenizer("drawn", "test", WordPiece(vocab))
        never = set(vocab) - made_by_short_texts(loaded) - {"[UNK]"}
        assert never <= set(find_unreachable(loaded).unreachable)
