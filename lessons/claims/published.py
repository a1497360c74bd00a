"""Computations for the claims about published tokenizers and about encoders."""

from collections.abc import Sequence

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.models import MODELS, open_model
from lessons.texts import MORPHEMES
from lessons.trained import open_trained
from tokenizers import bpe
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.measures.boundaries import Boundaries, boundaries, boundary_scores
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import longest_matches


def digits_whole(model: str, against: str) -> Computed:
    """How many of the strings of one, two and three digits are a single token."""
    values: dict[str, Value] = {
        f"with {label}": _digits_whole(model, length)
        for length, label in enumerate(("one digit", "two digits", "three digits"), start=1)
    }
    facts: dict[str, Value] = {"title": MODELS[model].title, "against": MODELS[against].title}
    facts |= {"four": _digits_whole(model, 4), "four_there": _digits_whole(against, 4)}
    return Computed(values, facts | {"three_there": _digits_whole(against, 3)})


def _digits_whole(model: str, length: int) -> int:
    vocab = open_model(model).vocab
    return sum(f"{number:0{length}}" in vocab for number in range(10**length))


def tokens_of(model: str, texts: Sequence[str], against: str) -> Computed:
    """The number of tokens of each text."""
    encode = open_model(model).encode
    values: dict[str, Value] = {text.strip(): len(encode(text).tokens) for text in texts}
    there = sorted(len(open_model(against).encode(text).tokens) for text in texts)
    facts: dict[str, Value] = {"title": MODELS[model].title, "against": MODELS[against].title}
    return Computed(values, facts | {"least": there[0], "most": there[-1]})


def cuts_of(models: Sequence[str], text: str) -> Computed:
    """The tokens of a text, without BERT's special tokens and with GPT's Ġ shown as a space."""
    values: dict[str, Value] = {}
    for model in models:
        tokens = open_model(model).encode(text).tokens
        bare = [token.replace("Ġ", " ") for token in tokens if token not in ("[CLS]", "[SEP]")]
        values[MODELS[model].title] = tuple(bare)
    return Computed(values)


def greedy_matches(kinds: dict[str, str]) -> Computed:
    """Whether longest-match splits fit morphemes at least as well as BPE's merges do, by F1.

    `kinds` maps the pretrained tokenizers to their names in the claim.
    """
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"words": len(MORPHEMES)}
    for kind, label in kinds.items():
        by_merges, longest, fewest = (
            _f1(kind, encoder) for encoder in ("own", "longest", "fewest")
        )
        values[f"no worse with {label}"] = yes_or_no(longest >= by_merges)
        facts |= {f"{kind}_own": by_merges, f"{kind}_longest": longest, f"{kind}_fewest": fewest}
    return Computed(values, facts)


def _f1(kind: str, encoder: str) -> float:
    """Return how well an encoder with a BPE vocabulary finds the morphemes, as F1."""
    model = open_trained(kind)
    assert isinstance(model, bpe.Model)
    found = []
    for morphemes in MORPHEMES:
        cut = _cut(model, "".join(morphemes), encoder)
        bare = [token.removeprefix("Ġ").removesuffix(model.settings.end_mark) for token in cut]
        found.append(Boundaries(boundaries(bare), boundaries(morphemes)))
    return boundary_scores(found).f1


def _cut(model: bpe.Model, word: str, encoder: str) -> Split:
    """Return the tokens of a word preceded by a space."""
    if encoder == "own":
        return model.encode(f" {word}").tokens
    spelled = "".join(model.settings.symbols(*model.pipeline(f" {word}").words))
    if encoder == "longest":
        cut = longest_matches(spelled, model.vocab, "")
    else:
        cut = fewest_pieces(spelled, model.vocab)
    assert cut is not None, "every letter is a piece"
    return cut
