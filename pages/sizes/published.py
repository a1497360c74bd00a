"""Segment one text by prefixes of a published BPE's merges, at every size that changes the text.

BPE is greedy, i.e. its first merges are the same whatever size it is trained to. So a prefix of a
file's merges is what the same training would have learned had it stopped there. This module covers
BPE by pairs, by bytes as in tiktoken, and by scores as in SentencePiece, but no symbols with a
prefix, because they cannot be concatenated. Merges that do not change the text are only counted.

A step of an encoding occurs under every prefix that has the merges of this step and of all steps
before it, because up to there a shorter list leads to the same steps.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, pairwise

from lessons.models import MODELS, open_model
from pages.shared.drawing.display_text import shorten
from pages.shared.training.published import REAL, PublishedTokenizer
from pages.shared.training.words import TokenizedWord as Uncut
from pages.shared.training.words import words_of
from pages.sizes.by_size import SegmentationsBySize, WordBySize, count_tokens
from tokenizers.bpe import MergeStep
from tokenizers.errors import UserError
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE, glyphs_of
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import Split
from tokenizers.unigram import BYTES

GREEDY = (
    "real.o200k",
    "real.cl100k",
    "real.gpt2",
    "real.qwen3",
    "real.deepseek-v3",
    "real.mistral-tekken",
    "real.mistral-v1",
)
"""The published BPEs with merges of their own: gpt-oss has those of GPT-4o."""
LONGEST_WORD = 40  # characters of a word in a sentence
STOPPED = "all merges of the file are there"


def unchanged(symbol: str) -> Split:
    """Return a tuple of just the symbol; this is the default of `MergeList.spell`."""
    return (symbol,)


@dataclass(frozen=True, slots=True)
class MergeList:
    """The base symbols of a published BPE, and its merged pieces in order.

    `ranks[n]` is the rank of the first merge that makes `pieces[n]`. `symbols` and `steps` return
    a word's base symbols and its merges. `whole` returns the rank of a word that is looked up as a
    whole before merging, or None. `spell` splits a symbol that the vocabulary may lack.
    """

    base: Split
    pieces: Split
    ranks: Sequence[int]
    symbols: Callable[[str], Split]
    steps: Callable[[str], Iterable[MergeStep]]
    whole: Callable[[str], int | None]
    spell: Callable[[str], Split] = unchanged

    def number(self, rank: int) -> int:
        """Return the length of the shortest prefix that has the merge with this rank."""
        return bisect_right(self.ranks, rank)


def merges_of(loaded: LoadedTokenizer) -> MergeList:
    """Return the merges of a tokenizer; raise AssertionError if it does not merge."""
    model = loaded.model
    if isinstance(model, BPE):
        return _by_pairs(model, loaded.added.ids)
    if isinstance(model, ByteBPE):
        base, made, ranks = _by_rank(model.vocab)
        rank_of = model.vocab.get

        def steps(word: str) -> Iterable[MergeStep]:
            return model.merge_steps(glyphs_of(word.encode()))

        return MergeList(
            base, made, ranks, model.symbols, steps, lambda word: rank_of(glyphs_of(word.encode()))
        )
    assert isinstance(model, SentencePieceBPE)
    letters, made, ranks = _by_rank(model.ranks)
    base = (*letters, *(piece.text for piece in model.vocabulary.bytes))
    spell = _in_bytes(model) if model.vocabulary.bytes else unchanged
    return MergeList(base, made, ranks, model.symbols, model.steps, lambda _: None, spell)


def _by_rank(vocab: Mapping[str, int]) -> tuple[Split, Split, list[int]]:
    """Return the single symbols, the longer pieces by rank, and the longer pieces' ranks."""
    rows = sorted((rank, piece) for piece, rank in vocab.items() if len(piece) > 1)
    single = tuple([piece for piece in vocab if len(piece) == 1])
    return single, tuple([piece for _, piece in rows]), [rank for rank, _ in rows]


def _in_bytes(model: SentencePieceBPE) -> Callable[[str], Split]:
    pieces = list(BYTES)

    def spell(symbol: str) -> Split:
        if symbol in model.ranks:
            return (symbol,)
        return tuple([pieces[byte] for byte in symbol.encode()])

    return spell


def _by_pairs(model: BPE, added: Container[str]) -> MergeList:
    token = {id_: piece for piece, id_ in model.vocab.items()}
    rank_of: dict[str, int] = {}
    for rank, id_ in enumerate(model.ranks.made):
        rank_of.setdefault(token[id_], rank)
    base = tuple([piece for piece in model.vocab if piece not in rank_of and piece not in added])

    def whole(word: str) -> int | None:
        return rank_of.get(word, -1) if model.ignore_merges and word in model.vocab else None

    return MergeList(
        base, tuple(rank_of), list(rank_of.values()), model.symbols, model.steps, whole
    )


@cache
def _merges_of_pack(name: str) -> MergeList:
    return merges_of(open_model(name))


def segment_published(published: PublishedTokenizer, text: str) -> SegmentationsBySize:
    """Segment `text` by prefixes of a published BPE's merges, at every relevant length.

    Raises UserError if the text has a lone surrogate or no word, or if `_check` does.
    """
    found = [word for word in words_of(published.loaded, text) if word.pieces]
    if not found:
        raise UserError("There are no words to split. Type or paste a text.")
    is_ours = published.name in MODELS
    merges = _merges_of_pack(published.name) if is_ours else merges_of(published.loaded)
    counts = Counter((word.text, word.is_added) for word in found)
    removed = {key: {} if key[1] else _removed_cuts(key[0], merges) for key in counts}
    lists = sorted({0, len(merges.pieces)}.union(*removed.values()))
    words = [_word(*key, count, removed[key], lists, merges) for key, count in counts.items()]
    numbers = {key: number for number, key in enumerate(counts)}
    _check(found, [words[numbers[word.text, word.is_added]] for word in found], len(lists) - 1)
    new = (merges.base, *(merges.pieces[low:high][::-1] for low, high in pairwise(lists)))
    tokens, occurrences = count_tokens(words, new, "")
    return SegmentationsBySize(
        REAL + published.name,
        tuple([len(merges.base) + number for number in lists]),
        tuple(words),
        tuple([numbers[word.text, word.is_added] for word in found]),
        tokens,
        new,
        occurrences,
        len(published.vocab) - len(merges.base) - len(merges.pieces),
        STOPPED,
        (),
    )


def _check(found: Sequence[Uncut], words: Sequence[WordBySize], last: int) -> None:
    """Raise UserError if all merges split a word differently from the tokenizer itself."""
    for uncut, word in zip(found, words, strict=True):
        if word.split(last) != tuple([piece.text for piece in uncut.pieces]):
            raise UserError(
                f"This tokenizer does more to “{shorten(uncut.text, LONGEST_WORD)}” than merge by "
                "rank, so a shorter list of its merges cannot be told. Remove that word, or "
                "deselect this tokenizer."
            )


def _removed_cuts(word: str, merges: MergeList) -> dict[int, list[int]]:
    """Return which cuts vanish at each length of the list, as {length: positions}."""
    cuts = set(range(1, len(merges.symbols(word))))
    removed: dict[int, list[int]] = defaultdict(list)
    rank = merges.whole(word)
    whole = None if rank is None else merges.number(rank)
    needed = 0
    for step in merges.steps(word):
        needed = max(needed, merges.number(step.rank))
        removed[needed if whole is None else min(needed, whole)].append(step.middle)
        cuts.remove(step.middle)
    if whole is not None:  # cuts that merging does not remove, the lookup does
        removed[whole] += cuts
    return {number: positions for number, positions in removed.items() if positions}


def _word(
    text: str,
    is_added: bool,
    count: int,
    removed: Mapping[int, list[int]],
    lists: Sequence[int],
    merges: MergeList,
) -> WordBySize:
    if is_added:
        return WordBySize((text,), count, (), ())
    spelled = [merges.spell(symbol) for symbol in merges.symbols(text)]
    symbols = tuple(chain.from_iterable(spelled))
    starts = list(accumulate(map(len, spelled), initial=0))  # where each one begins
    changes = [
        (bisect_left(lists, number), tuple(starts[position] for position in positions))
        for number, positions in sorted(removed.items())
    ]
    return WordBySize(symbols, count, tuple(range(1, len(symbols))), tuple(changes))
