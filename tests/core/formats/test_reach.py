"""Which tokens a text can make: the trials agree with every text of up to three tokens."""

from itertools import product

from tokenizers.loaded.added_tokens import AddedToken, AddedTokens
from tokenizers.loaded.normalizers import Lowercase
from tokenizers.loaded.reach import reach
from tokenizers.loaded.tokenizer import Loaded
from tokenizers.loaded.wordpiece import WordPiece

PIECES = ("[UNK]", "a", "x", "ax", "##x", "##a", "##xa", "A", "##A")


def lower_casing() -> Loaded:
    vocab = {piece: n for n, piece in enumerate(PIECES)}
    added = AddedTokens((AddedToken("[X]", 99),))
    return Loaded("small", "test", WordPiece(vocab), added, Lowercase())


def test_a_token_is_unreached_if_no_short_text_makes_it():
    loaded = lower_casing()
    texts = ("".join(letters) for n in (1, 2, 3, 4) for letters in product("axA", repeat=n))
    made = {token for text in texts for token in loaded.encode(text).tokens}
    found = reach(loaded)
    assert set(found.unreached) == set(PIECES) - made - {"[UNK]"}
    assert found.unreached == {"A": ("a",), "##A": ("a",)}
    assert found.special == ("[UNK]", "[X]")
    assert found.partial == ()
