"""Edit a trained BPE vocabulary: add tokens or merges, or remove merges from end or middle.

A language model has one embedding row for each id, so it matters whether an old piece keeps its id
and whether an old id is given to another piece.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import regex

from tokenizers.bpe.encoding import Model, split_word
from tokenizers.bpe.training import train
from tokenizers.errors import UserError
from tokenizers.merging.state import State
from tokenizers.text.corpus import Corpus


def with_first_merges(model: Model, merges: int) -> Model:
    """Return the tokenizer with only its first `merges` merges, as if training had stopped there.

    The remaining pieces keep their ids.
    """
    return _with_ranks(model, [pair for pair, rank in model.ranks.items() if rank < merges])


def with_more_merges(model: Model, corpus: Corpus, merges: int) -> Model:
    """Return the tokenizer after up to `merges` more merges, learned from another corpus.

    Training goes on from the words as the tokenizer splits them, so all pieces keep their ids, and
    every old merge comes before every new one. Base symbols that only `corpus` has come first among
    the new pieces.
    """
    splits = [split_word(word, model) for word in corpus.word_counts]
    vocab = dict(model.vocab)
    for symbol in dict.fromkeys(symbol for split in splits for symbol in split):
        vocab.setdefault(symbol, max(vocab.values(), default=-1) + 1)
    state = State(splits, list(corpus.word_counts.values()), vocab)
    settings = replace(model.settings, num_merges=merges, vocab_size=None)
    ranks = dict(model.ranks)
    for step in train(corpus, settings, state):
        ranks.setdefault(step.pair, len(ranks))
    return replace(model, vocab=state.vocab, ranks=ranks)


def without_pieces(model: Model, pieces: Collection[str], renumbered: bool) -> Model:
    """Return the tokenizer without `pieces` and without pieces that no remaining merge can make.

    `renumbered` closes the gaps in the ids. Raises UserError for a piece that no merge makes.
    """
    made = {a + b for a, b in model.ranks}
    if strange := [piece for piece in pieces if piece not in made]:
        raise UserError(f"“{strange[0]}” is not made by a merge. Take away pieces that are.")
    left = _with_ranks(model, list(_remaining_merges(model, pieces)))
    if not renumbered:
        return left
    order = sorted(left.vocab, key=left.vocab.__getitem__)
    return replace(left, vocab={piece: id_ for id_, piece in enumerate(order)})


def _remaining_merges(model: Model, pieces: Collection[str]) -> dict[tuple[str, str], None]:
    """Return, in order, the merges whose parts still exist and whose product is not removed.

    Several merges may make the same piece, so a later merge can keep an earlier one possible.
    """
    there = set(model.vocab) - {a + b for a, b in model.ranks}
    ranked = sorted(model.ranks, key=model.ranks.__getitem__)
    left: dict[tuple[str, str], None] = {}
    grown = True
    while grown:
        found = {(a, b): None for a, b in ranked if {a, b} <= there and a + b not in pieces}
        grown, left = len(found) > len(left), found
        there.update(a + b for a, b in found)
    return left


def _with_ranks(model: Model, pairs: Sequence[tuple[str, str]]) -> Model:
    """Return the tokenizer with only the merges `pairs`, without the pieces of other merges."""
    lost = {a + b for a, b in model.ranks} - {a + b for a, b in pairs}
    vocab = {piece: id_ for piece, id_ in model.vocab.items() if piece not in lost}
    order = sorted(pairs, key=model.ranks.__getitem__)
    return replace(model, vocab=vocab, ranks={pair: rank for rank, pair in enumerate(order)})


@dataclass(frozen=True)
class WithAddedTokens:
    """A tokenizer with added tokens, whose ids follow the ids of the vocabulary.

    Added tokens are matched before anything else, from left to right; if several match at one
    position, the longest is taken. The text between added tokens is encoded by itself.
    """

    model: Model
    added: tuple[str, ...]

    @property
    def vocab(self) -> dict[str, int]:
        """The vocabulary with the added tokens; an added token that is a piece keeps its id."""
        vocab = dict(self.model.vocab)
        for token in self.added:
            vocab.setdefault(token, max(vocab.values()) + 1)
        return vocab

    def encode(self, text: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the tokens and their ids."""
        longest = sorted(map(regex.escape, self.added), key=len, reverse=True)
        tokens: list[str] = []
        for part in regex.split(f"({'|'.join(longest)})", text) if self.added else [text]:
            tokens += [part] if part in self.added else self.model.encode(part).tokens
        vocab = self.vocab
        return tuple(tokens), tuple([vocab[token] for token in tokens])
