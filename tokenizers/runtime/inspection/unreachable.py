"""Find tokens of a vocabulary that encoding never produces.

A token is tested by encoding the text that it spells; the result must contain the token. At first
many tokens are encoded together, one per line. Tokens that are missing from the result are encoded
alone and after a few other characters. Land and Bartolo, "Fishing for Magikarp" (2024), use this
test with fewer texts. It does not prove a token unreachable, because another text might produce it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.spelling import Speller, text_of
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import Split

PREFIXES = ("", "a", "x", "1", ".", ";", ")", "\n")
"""The strings before which a token is tested, in this order."""
BATCH_SIZE = 500
"""The number of tokens encoded together in the first pass."""


@dataclass(frozen=True, slots=True)
class UnreachableTokens:
    """The tokens that were not tested or not produced, in the order of their ids.

    `special` contains added tokens and the unknown token, `partial` the tokens with incomplete
    characters. `unreachable` maps each token that no test produced to the tokens of its own text.
    """

    special: Split
    partial: Split
    unreachable: Mapping[str, Split]


def find_unreachable(loaded: LoadedTokenizer) -> UnreachableTokens:
    """Test every token. A large vocabulary takes some seconds."""
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
    """Return the ids that occur when the texts are encoded as lines, in batches."""
    starts = range(0, len(texts), BATCH_SIZE)
    lines = ("\n".join(texts[start : start + BATCH_SIZE]) for start in starts)
    return {id_ for text in lines for id_ in _encoded(loaded, text).ids}


def _is_made(loaded: LoadedTokenizer, text: str, id_: int) -> bool:
    return any(id_ in _encoded(loaded, before + text).ids for before in PREFIXES)
