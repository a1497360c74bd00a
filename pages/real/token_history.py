"""The history of one token: its parts down to its bytes, and its occurrences in a text.

A BPE token has the merges that made it, read from the file if it lists pairs, or else inferred from
how lower ranks split the token. A Unigram token has a score. A WordPiece token has neither.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pages.real.vocabulary import VocabularyTable
from pages.shared.drawing.display_text import show_spaces
from tokenizers.merging.state import Pair, merged_token
from tokenizers.runtime.components import LoadedEncoding
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.models.unigram import Unigram
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer

CONTEXT_CHARS = 24  # characters of the text on either side of an occurrence
MergesByToken = dict[
    str, tuple[int, Pair]
]  # the rank and the pair of the merge that made each token


@dataclass(frozen=True, slots=True)
class TokenHistory:
    """A token, its id, its bytes, the merges below it, and its score if it has one, in nats.

    `comes_back` says whether the token's text is split into this very token; it is None for a part
    of a character or a special token.
    """

    token: str
    id: int
    spelled: bytes
    made_by: MergesByToken
    score: float | None
    comes_back: bool | None


def find(table: VocabularyTable, wanted: str) -> str | None:
    """Return the token whose form in the file, spelling, display form or id is `wanted`."""
    for column in (table.tokens, table.texts):
        if wanted in column:
            return table.tokens[column.index(wanted)]
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 12:
        rows = (table.ids == int(wanted)).nonzero()[0]
        if len(rows):
            return table.tokens[rows[0]]
    looks = (n for n, text in enumerate(table.texts) if show_spaces(text) == wanted)
    return next((table.tokens[n] for n in looks), None) if "·" in wanted or "⏎" in wanted else None


def history_of(loaded: LoadedTokenizer, token: str) -> TokenHistory:
    """Return the history of a token. Raises KeyError for a token not in the vocabulary."""
    id_ = loaded.vocab[token]
    spelled = Speller(loaded)(token)
    return TokenHistory(
        token,
        id_,
        spelled,
        made_by(loaded, token),
        score_of(loaded, token),
        None if id_ in loaded.specials.values() else comes_back(loaded, id_),
    )


def comes_back(loaded: LoadedTokenizer, id_: int) -> bool | None:
    """Whether the text of a token is split into that token; None if it has no text of its own."""
    try:
        text = loaded.decode([id_])
        if not text or "\ufffd" in text:
            return None
        return loaded.encode(text, add_special_tokens=False).ids == (id_,)
    except ValueError:
        return None


def score_of(loaded: LoadedTokenizer, token: str) -> float | None:
    """Return the log probability of a piece, in nats; None for a model without scores."""
    model = loaded.model
    if isinstance(model, Unigram):
        return model.log_probs.get(token)
    if isinstance(model, SentencePieceUnigram):
        return model.vocabulary.scores.get(token)
    return None


def made_by(loaded: LoadedTokenizer, token: str) -> MergesByToken:
    """Return the ranks and pairs of the merges that made the token and all its parts."""
    model = loaded.model
    if isinstance(model, BPE):
        return _merges_below(token, _merges_of(model).get)
    if isinstance(model, ByteBPE):
        return _merges_below(token, partial(_inferred_merge, model)) if token in model.vocab else {}
    if isinstance(model, SentencePieceBPE):
        steps = model.steps(token)
        return {"".join(step.pair): (step.rank, step.pair) for step in steps}
    return {}


def _merges_of(model: BPE) -> MergesByToken:
    """Return the first merge that made each token, decoding the numbers of pairs into ids."""
    ranks, named = model.ranks, {id_: token for token, id_ in model.vocab.items()}
    found: MergesByToken = {}
    for number, rank in ranks.by_number.items():
        pair = named[number // ranks.size], named[number % ranks.size]
        found.setdefault(merged_token(pair, model.prefix), (rank, pair))
    return found


def _inferred_merge(model: ByteBPE, token: str) -> tuple[int, Pair] | None:
    """Return the rank and pair that made a token, inferred for a file that lists no pairs."""
    pair = model.merges.pair_of(token)
    return pair and (model.vocab[token], pair)


def _merges_below(token: str, merge_of: Callable[[str], tuple[int, Pair] | None]) -> MergesByToken:
    """Return the merges of a token and of all its parts."""
    found: MergesByToken = {}
    queue = [token]
    for text in queue:
        if text not in found and (merge := merge_of(text)):
            found[text] = merge
            queue += merge[1]
    return found


def occurrences(text: str, encoding: LoadedEncoding, id_: int) -> list[tuple[str, str, str]]:
    """Return the text before, in and after each occurrence of a token."""
    rows = zip(encoding.ids, encoding.offsets, encoding.sources, strict=True)
    return [
        (
            text[max(start - CONTEXT_CHARS, 0) : start],
            text[start:end],
            text[end : end + CONTEXT_CHARS],
        )
        for one, (start, end), source in rows
        if one == id_ and source >= 0
    ]


def bytes_text(spelled: bytes) -> str:
    """Return the bytes of a token in hexadecimal.

    >>> bytes_text("é".encode())
    'C3 A9'
    """
    return spelled[:40].hex(" ").upper() + (" …" if len(spelled) > 40 else "")
