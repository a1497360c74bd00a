"""The fewest pieces: as few as the shortest of all segmentations, on a thousand drawn cases."""

import random
from itertools import combinations, pairwise

from tokenizers.lattice.fewest import fewest_pieces

DRAWN = 1_000


def all_segmentations(text: str, vocab: set[str]) -> list[tuple[str, ...]]:
    """Every way to cut the text, of which all parts are pieces."""
    places = range(1, len(text))
    cuts = (cut for n in range(len(text)) for cut in combinations(places, n))
    parts = (tuple(text[a:b] for a, b in pairwise((0, *cut, len(text)))) for cut in cuts)
    return [cut for cut in parts if vocab.issuperset(cut)]


def test_nothing_is_shorter_on_drawn_cases():
    draw, unspelled = random.Random(17), 0
    for _ in range(DRAWN):
        text = "".join(draw.choices("ab", k=draw.randint(1, 9)))
        vocab = {"".join(draw.choices("ab", k=draw.randint(1, 4))) for _ in range(5)}
        ways = all_segmentations(text, vocab)
        found = fewest_pieces(text, vocab)
        if not ways:
            unspelled += 1
            assert found is None
            continue
        shortest = [way for way in ways if len(way) == min(map(len, ways))]
        assert found == max(shortest, key=lambda way: [len(piece) for piece in reversed(way)])
    assert DRAWN / 4 < unspelled < DRAWN * 3 / 4, "both answers are drawn"


def test_an_empty_text_has_no_pieces():
    assert fewest_pieces("", {"a"}) == ()


def test_the_longest_first_is_not_the_fewest():
    vocab = {"super", "superb", "bad", "a", "d"}
    assert fewest_pieces("superbad", vocab) == ("super", "bad")
    assert fewest_pieces("superbad", vocab - {"bad"}) == ("superb", "a", "d")
