"""Which tokens of a vocabulary a text can make, and which none of many texts makes.

A token is tried out: what it spells is encoded, and the token must be among the tokens that come
out. First all tokens are encoded together, line by line; what does not come out is tried alone and
behind a few other characters. This is the test of Land and Bartolo, "Fishing for Magikarp" (2024),
with more texts. A token that fails is not proven to be unreachable: yet another text might make it.
Leaves out which tokens a network was trained on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.spelling import Speller, text_of
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.runtime.wordpiece import WordPiece
from tokenizers.text.symbols import Split

PREFIXES = ("", "a", "x", "1", ".", ";", ")", "\n")
"""What a token is tried behind, in this order."""
BATCH_SIZE = 500
"""How many tokens make one text at first."""


@dataclass(frozen=True, slots=True)
class UnreachableTokens:
    """The odd tokens of a vocabulary, in the order of their ids.

    `special` are added tokens and the unknown token, `partial` spell no whole characters, and
    `unreached` maps each token that no trial made to what its own text becomes.
    """

    special: Split
    partial: Split
    unreachable: Mapping[str, Split]


def find_unreachable(loaded: LoadedTokenizer) -> UnreachableTokens:
    """Try out every token. It takes some seconds for a large vocabulary."""
    spell = Speller(loaded)
    mark = loaded.model.mark if isinstance(loaded.model, WordPiece) else ""
    special: list[str] = []
    partial: list[str] = []
    texts: dict[str, str] = {}
    for token in sorted(loaded.vocab, key=loaded.vocab.__getitem__):
        if token in loaded.added.ids or token == loaded.unk:
            special.append(token)
        elif (text := text_of(spell(token))) is None:
            partial.append(token)
        else:
            texts[token] = text.removeprefix(mark) or text
    made = _ids_in_batches(loaded, list(texts.values()))
    unreached = {
        token: _encoded(loaded, text).tokens
        for token, text in texts.items()
        if loaded.vocab[token] not in made and not _is_made(loaded, text, loaded.vocab[token])
    }
    return UnreachableTokens(tuple(special), tuple(partial), unreached)


def _encoded(loaded: LoadedTokenizer, text: str) -> LoadedEncoding:
    return loaded.encode(text, special="text", add_special_tokens=False)


def _ids_in_batches(loaded: LoadedTokenizer, texts: Sequence[str]) -> set[int]:
    """Return the ids that come out when the texts are encoded as lines, many at a time."""
    starts = range(0, len(texts), BATCH_SIZE)
    lines = ("\n".join(texts[start : start + BATCH_SIZE]) for start in starts)
    return {id_ for text in lines for id_ in _encoded(loaded, text).ids}


def _is_made(loaded: LoadedTokenizer, text: str, id_: int) -> bool:
    return any(id_ in _encoded(loaded, before + text).ids for before in PREFIXES)
