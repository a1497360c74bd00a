"""Merge residues of a loaded BPE tokenizer on a text, and what removing them does to the text.

A published tokenizer comes without the text that it was trained on, so all counts are those of the
text at hand. See `tokenizers.experiments.research.residues` for what a residue is. A word that the
model looks up as a whole counts as if its merges had been applied, because they made the piece.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property

from tokenizers.bpe.encoding import MergeStep, merge_steps
from tokenizers.errors import UserError
from tokenizers.experiments.research.residues import TokenUses, count_uses, encode_without
from tokenizers.merging.state import Pair
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE, ByteMerges
from tokenizers.runtime.segments import WordCache
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import Split


@dataclass(frozen=True)
class ChangedWord:
    """A word whose tokens change when residues are removed, with its count in the text."""

    word: str
    count: int
    before: Split
    after: Split


class TextResidues:
    """The words of a text, as a loaded tokenizer merges them.

    Raises UserError for a model that does not merge.
    """

    def __init__(self, loaded: LoadedTokenizer, text: str) -> None:
        model = loaded.model
        if not isinstance(model, BPE | ByteBPE | SentencePieceBPE) or _has_prefix(model):
            raise UserError("Only BPE leaves residues: this model does not build tokens by merges.")
        self._model = model
        self.words = count_words(loaded, text)
        """The count of each word that the model splits."""
        cuts = WordCache(model)
        cuts.add_many(self.words)
        self.tokens = {word: tuple([piece.text for piece in cuts[word]]) for word in self.words}
        """The tokens of each word."""

    @property
    def num_tokens(self) -> int:
        """The number of tokens of the text, without special and added tokens."""
        return sum(count * len(self.tokens[word]) for word, count in self.words.items())

    @cached_property
    def uses(self) -> TokenUses:
        """How often each token is made in the text, and how often it is left."""
        return count_uses(
            (self._steps(word), self.tokens[word], count) for word, count in self.words.items()
        )

    def _steps(self, word: str) -> list[MergeStep]:
        """Return the merges of a word, even of one that is looked up as a whole."""
        if isinstance(self._model, SentencePieceBPE):
            return self._model.steps(word)
        return merge_steps(self._model.symbols(word), self._ranks)

    @cached_property
    def _ranks(self) -> Mapping[Pair, int]:
        model = self._model
        if isinstance(model, BPE):
            return model.ranks
        return ByteMerges(model.vocab if isinstance(model, ByteBPE) else model.ranks)

    @cached_property
    def _parts_of(self) -> Callable[[str], Pair | None]:
        """Return the pair of the first merge that makes a token; None if no merge does."""
        if isinstance(self._ranks, ByteMerges):
            return self._ranks.pair_of
        pairs: dict[str, Pair] = {}
        for pair in self._ranks:
            pairs.setdefault("".join(pair), pair)
        return pairs.get

    def residues(self, share: float = 0) -> list[str]:
        """Return the tokens of which at most `share` is left, in the order they came up."""
        return [token for token in self.uses.residues(share) if self._parts_of(token)]

    def changed_by_removing(self, residues: AbstractSet[str]) -> Iterator[ChangedWord]:
        """Yield the words whose tokens change when the residues are removed."""
        for word, count in self.words.items():
            before = self.tokens[word]
            after = encode_without(before, self._ranks, residues, self._parts)
            if after != before:
                yield ChangedWord(word, count, before, after)

    def _parts(self, token: str) -> Pair:
        """Return the parts of a residue. Raises KeyError for a token that no merge makes."""
        if (pair := self._parts_of(token)) is None:
            raise KeyError(token)
        return pair


def _has_prefix(model: object) -> bool:
    return isinstance(model, BPE) and bool(model.prefix)


def count_words(loaded: LoadedTokenizer, text: str) -> Counter[str]:
    """Return the count of each word of a text that the model splits, in order of appearance.

    Added tokens are matched before the model, so they are no words. Raises UserError as `encode`.
    """
    segments = loaded.segments(text, "text")
    return Counter(word for cut, added in segments if not added for word in cut.texts)
