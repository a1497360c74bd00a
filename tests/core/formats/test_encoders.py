"""Alternative encoders, compared to trying every prefix and every split on random cases."""

import random

from tests.core.lattice.test_fewest import all_segmentations
from tokenizers.errors import UserError
from tokenizers.plain import encode_bpe
from tokenizers.runtime.inspection.encoders import cut_by
from tokenizers.runtime.models.bpe import BPE, Ranks
from tokenizers.runtime.tokenizer import LoadedTokenizer

DRAWN = 1_000


def longest_first(word: str, vocab: set[str]) -> tuple[str, ...] | None:
    """The longest piece that begins the word, then the same for the rest."""
    if not word:
        return ()
    first = max((piece for piece in vocab if word.startswith(piece)), key=len, default="")
    rest = longest_first(word[len(first) :], vocab) if first else None
    return None if rest is None else (first, *rest)


def cut_or_none(loaded: LoadedTokenizer, word: str, encoder: str) -> tuple[str, ...] | None:
    try:
        return cut_by(loaded, word, encoder)
    except UserError:
        return None


def test_every_encoder_on_random_vocabularies():
    draw, stuck, differ = random.Random(17), 0, 0
    for _ in range(DRAWN):
        pieces, merges = list("ab"), []
        for _ in range(draw.randint(1, 8)):
            pair = draw.choice(pieces), draw.choice(pieces)
            if len("".join(pair)) < 6 and pair not in merges:
                merges.append(pair)
                pieces.append("".join(pair))
        vocab = {piece: n for n, piece in enumerate(dict.fromkeys(pieces))}
        loaded = LoadedTokenizer("drawn", "test", BPE(vocab, Ranks(vocab, merges)))
        word = "".join(draw.choices("abd", [9, 9, 1], k=draw.randint(1, 9)))
        greedy, fewest = (cut_or_none(loaded, word, name) for name in ("longest", "fewest"))
        ways = all_segmentations(word, set(vocab))
        assert greedy == longest_first(word, set(vocab))
        assert (fewest is None) == (not ways)
        if not ways:
            stuck += 1
            continue
        assert fewest in ways
        assert len(fewest or ()) == min(map(len, ways))
        own = cut_by(loaded, word, "own")
        assert own == encode_bpe(tuple(word), {pair: n for n, pair in enumerate(merges)})
        differ += len({own, greedy, fewest}) > 1
    assert stuck > DRAWN / 20, "some words cannot be spelled"
    assert differ > DRAWN / 10, "the encoders differ on some"


def test_a_word_with_a_dropped_character_is_not_spelled():
    vocab = {"a": 0, "b": 1, "<unk>": 2}
    for unk in (None, "<unk>"):
        loaded = LoadedTokenizer("small", "test", BPE(vocab, Ranks(vocab, []), unk=unk))
        assert cut_by(loaded, "adb", "own") == (("a", "b") if unk is None else ("a", "<unk>", "b"))
        assert cut_or_none(loaded, "adb", "longest") is None
        assert cut_or_none(loaded, "adb", "fewest") is None
