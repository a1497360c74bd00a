"""Frames of a BPE encoding, which merges each word's symbols by learned or loaded ranks.

A frame shows the merges that apply to a word, the chosen one and why the others wait. After the
last merge, it shows the word's tokens and their ids. Models read from a file also provide
`WordMerging` objects, so they produce the same frames (pages/real/frames.py).
"""

import random
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from lessons.format.words import RichText, Segment, in_row, join_list
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.frame_types import (
    Column,
    Frame,
    FrameSource,
    JumpTarget,
    NoteFrame,
    PicturePart,
    Recording,
    StepQuestion,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
    clip_strip,
)
from pages.shared.recording.packing import record
from pages.shared.recording.text_context import TextContext, ids_note, tokens_text
from tokenizers.bpe import Dropout, MergeStep, Model, merge_steps, split_after
from tokenizers.merging.state import Pair, merged_token
from tokenizers.text.symbols import Split

ROWS = 8  # candidates shown at a step
MIN_ROWS = 4  # of them, on a low screen
OPTIONS = 6  # answers offered in predict mode
HINT = "Remember which was learned first."

PARTS = (
    PicturePart(
        "table",
        "Merges that apply now",
        (Column("pair", "tokens"), Column("rank", "number"), Column("at", "text")),
        min_rows=MIN_ROWS,
    ),
    PicturePart("strips", "The word and the text around it"),
    PicturePart("note", ""),
)


@dataclass(frozen=True, slots=True)
class WordMerging:
    """One word's initial symbols, the merges applied to it in order, and its final tokens.

    `mark` is the prefix that the right symbol loses when it is merged. If `is_whole`, the model
    finds the whole word in its vocabulary, and the merges show what merging alone would do.
    """

    word: str
    symbols: Split
    steps: Sequence[MergeStep]
    rank_of: Callable[[Pair], int | None] = field(repr=False)
    tokens: Split
    ids: Sequence[int]
    mark: str = ""
    is_whole: bool = False

    def split(self, k: int) -> dict[int, str]:
        """Return the symbols after `k` merges, by where they begin."""
        texts = dict(enumerate(self.symbols))
        for step in self.steps[:k]:
            del texts[step.middle]
            texts[step.start] = self.made(step)
        return texts

    def made(self, step: MergeStep) -> str:
        """Return the symbol that a step makes."""
        return merged_token(step.pair, self.mark)

    def candidates(self, split: Split) -> list[tuple[int, int]]:
        """Return the possible merges, lowest rank first, as (rank, index of the left symbol)."""
        ranks = map(self.rank_of, pairwise(split))
        return sorted((rank, at) for at, rank in enumerate(ranks) if rank is not None)

    def ranks_on_path(self) -> tuple[dict[Pair, int], list[int]]:
        """Return the ranks of the pairs that are adjacent at some step, and each step's choices.

        The choices are the number of candidates before the step.
        """
        texts, size = list(self.symbols), len(self.symbols)
        left, right = list(range(-1, size - 1)), list(range(1, size + 1))
        ranks: dict[Pair, int] = {}

        def is_candidate(at: int) -> bool:
            if at < 0 or right[at] == size:
                return False
            pair = texts[at], texts[right[at]]
            if (rank := self.rank_of(pair)) is not None:
                ranks[pair] = rank
            return rank is not None

        number, choices = sum(map(is_candidate, range(size))), list[int]()
        for step in self.steps:
            choices.append(number)
            at, middle = step.start, step.middle
            number -= is_candidate(left[at]) + is_candidate(at) + is_candidate(middle)
            texts[at], right[at] = self.made(step), right[middle]
            if right[at] < size:
                left[right[at]] = at
            number += is_candidate(left[at]) + is_candidate(at)
        return ranks, choices


def record_bpe_encoding(
    words: Sequence[str], model: Model, dropout: Dropout | None = None
) -> Recording:
    """Record the encoding of `words` by a trained model, one word after the other."""
    rng = random.Random(dropout.seed if dropout else 0)
    rules = [_word_merging(word, model, dropout, rng) for word in words]
    first = _first_frame(rules, model)
    return record_merging("BPE encoding", rules, first, HINT, is_random=bool(dropout))


def record_merging(
    title: str,
    words: Sequence[WordMerging],
    first_frame: Frame,
    hint: str,
    display_form: Callable[[str], str] = str,
    is_random: bool = False,
) -> Recording:
    """Record the merging of words, one after the other, after `first_frame`.

    `display_form` maps a token to the text shown for it; `hint` ends the question in predict mode.
    If `is_random` (merges are skipped at random), there are no questions.
    """
    frames = _MergingFrames(words, first_frame, hint, display_form, is_random)
    marks = [
        JumpTarget("a word is done", frames.ends, has_tick=True),
        JumpTarget(
            "several merges compete",
            tuple(k for k, number in enumerate(frames.choices) if number > 1),
        ),
    ]
    return record(title, PARTS, frames, marks)


def _word_merging(
    word: str, model: Model, dropout: Dropout | None, rng: random.Random
) -> WordMerging:
    symbols, unk = model.settings.symbols(word), model.settings.unk
    steps = list(merge_steps(symbols, model.ranks, dropout, rng))
    merged = split_after(symbols, steps)
    tokens = tuple([unk if unk and piece not in model.vocab else piece for piece in merged])
    ids = [model.vocab[token] for token in tokens]
    return WordMerging(word, symbols, steps, model.ranks.get, tokens, ids)


def _first_frame(words: Sequence[WordMerging], model: Model) -> Frame:
    symbols = sum(len(word.symbols) for word in words)
    sentence = (
        ("strong", count_of(len(words), "word")),
        f", {count_of(symbols, 'symbol')}. The ",
        ("strong", count_of(len(model.ranks), "merge")),
        " from training are now applied again, word by word, lowest rank first.",
    )
    learned = list(model.ranks.items())
    why: RichText = ("A merge from training. Whether it applies depends on the word.",)
    rows = tuple(TableRow((pair, rank, ""), "", why) for pair, rank in learned[:ROWS])
    hidden = len(learned) - len(rows)
    more = count_of(hidden, "more merge") if hidden else ""
    table = TableFrame(rows, more, "The merges from training")
    start = TextContext([word.symbols for word in words], ()).start_strip()
    return Frame(
        sentence, (table, StripsFrame((start,), "", "The text at the start"), NoteFrame(()))
    )


class _MergingFrames(FrameSource):
    """The frames of all words: `first`, each merge of a word, and the word's tokens.

    `ends` has the position of each word's last frame, `choices` each position's number of
    candidates.
    """

    def __init__(
        self,
        words: Sequence[WordMerging],
        first: Frame,
        hint: str,
        display_form: Callable[[str], str],
        is_random: bool,
    ) -> None:
        self.first, self.hint, self.is_random = first, hint, is_random
        paths = [word.ranks_on_path() for word in words]
        # A model knows many more pairs, and may be one that this process must not hold.
        self.words = [
            replace(word, rank_of=ranks.get) for word, (ranks, _) in zip(words, paths, strict=True)
        ]
        self.ranks = [ranks for ranks, _ in paths]
        self.choices = [0, *(number for _, choices in paths for number in (*choices, 0))]
        self.ends = tuple(accumulate(len(word.steps) + 1 for word in words))
        tokens = [token for word in words for token in (*word.symbols, *word.tokens)]
        tokens += [word.made(step) for word in words for step in word.steps]
        self.forms = {token: display_form(token) for token in tokens}
        self.context = TextContext(
            [self._display_forms(word.symbols) for word in words],
            [self._display_forms(word.tokens) for word in words],
        )

    def __len__(self) -> int:
        return len(self.choices)

    def frame(self, k: int) -> Frame:
        """Return the first frame, that of a merge, or that of a word's tokens."""
        if not k:
            return self.first
        n = bisect_left(self.ends, k)
        step = k - (self.ends[n - 1] if n else 0)
        return self._finish(n) if k == self.ends[n] else self._merge(n, step)

    @property
    def content(self) -> object:
        return self.first, self.hint, self.is_random, self.words, self.ranks, self.forms

    @property
    def largest(self) -> Collection[int]:
        sizes = [len(word.tokens) for word in self.words]
        ends = [self.ends[sizes.index(max(sizes))]] if sizes else []
        return {self.choices.index(max(self.choices)), *ends}

    @property
    def new_tokens(self) -> Sequence[str | None]:
        return [
            made
            for word in self.words
            for made in (*(self.forms[word.made(step)] for step in word.steps), None)
        ]

    def _display_forms(self, split: Sequence[str]) -> Split:
        return tuple([self.forms[token] for token in split])

    def _merge(self, n: int, k: int) -> Frame:
        """Return the frame of merge `k` of word `n`."""
        rules = self.words[n]
        step, texts = rules.steps[k - 1], rules.split(k - 1)
        starts, before = list(texts), tuple(texts.values())
        at = starts.index(step.start)
        after = (*before[:at], rules.made(step), *before[at + 2 :])
        possible = rules.candidates(before)
        dropped = {(rank, starts.index(i)) for rank, i in step.dropped if i in starts}
        # The first row is always the chosen merge, even after many skipped ones.
        chosen = (step.rank, at)
        shown = [chosen, *(candidate for candidate in possible if candidate != chosen)][:ROWS]
        rows = tuple(self._row(before, candidate, chosen, dropped) for candidate in shown)
        hidden = len(possible) - len(shown)
        more = count_of(hidden, "more candidate") if hidden else ""
        strips = self._strips(n, before, after, after, (at,))
        note = NoteFrame((f"{len(before):,} → {len(after):,} symbols in this word",))
        made = self.forms[rules.made(step)]
        sentence = self._describe_merge(rules.word, step, possible, made)
        question = None if self.is_random else self._build_question(before, possible, step)
        return Frame(sentence, (TableFrame(rows, more), strips, note), question)

    def _strips(
        self, n: int, before: Split, after: Split, merged: Split, new: tuple[int, ...] = ()
    ) -> StripsFrame:
        """Return the word's strip and, if there are several words, the strip of the text."""
        old, now = self._display_forms(before), self._display_forms(after)
        word = clip_strip(TokenStrip("word", old, now, new, changed=True))
        if len(self.words) == 1:
            return StripsFrame((word,))
        return StripsFrame((word, self.context.strip(n, old, self._display_forms(merged), new)))

    def _row(
        self, split: Split, candidate: tuple[int, int], chosen: tuple[int, int], dropped: set
    ) -> TableRow:
        rank, i = candidate
        cells = (self._display_forms(split[i : i + 2]), rank, f"symbol {i + 1}")
        if candidate == chosen:
            return TableRow(
                cells, "now", ("Chosen: it has the lowest rank of all merges that apply.",)
            )
        if candidate in dropped:
            return TableRow(cells, "rejected", ("BPE-dropout skipped this one.",))
        if rank == chosen[0]:
            return TableRow(cells, "tied", ("The same rank, further right: it comes next.",))
        later = f"It was learned later: rank {rank:,} comes after rank {chosen[0]:,}."
        return TableRow(cells, "", (later,))

    def _describe_merge(
        self, word: str, step: MergeStep, possible: Sequence[tuple[int, int]], new_token: str
    ) -> RichText:
        first, second = self._display_forms(step.pair)
        start: RichText = ("In ", word_segment(word), ", merge ", ("token", first), " and ")
        start += (("token", second), " into ", ("new", new_token), ": ")
        ranks = {rank for rank, _ in possible}
        if step.rank > min(ranks):
            return (*start, "dropout skipped a lower rank, so we apply rank ", _rank(step), ".")
        if len(ranks) == 1:
            return (*start, "the only merge that applies, rank ", _rank(step), ".")
        others = sorted(ranks - {step.rank})
        lowest = f"before {others[0]:,}" if len(others) == 1 else f"the lowest of {len(ranks)} here"
        return (*start, "rank ", _rank(step), f", {lowest}.")

    def _finish(self, n: int) -> Frame:
        rules = self.words[n]
        split = tuple(rules.split(len(rules.steps)).values())
        name = word_segment(rules.word)
        start = "No more merges apply to " if rules.steps else "No merge applies to "
        sentence: list[Segment] = [start, name, ": " if rules.steps else ": it stays as "]
        if rules.is_whole:
            sentence = [name, " is a piece as a whole: "]
        sentence += tokens_text(self._display_forms(rules.tokens)) if rules.tokens else ["nothing"]
        sentence += [*self._difference_note(rules, split), "."]
        strips = self._strips(n, split, rules.tokens, rules.tokens)
        ids = ids_note(rules.ids) if rules.ids else NoteFrame(())
        return Frame(tuple(sentence), (TableFrame((), "No merge applies"), strips, ids))

    def _difference_note(self, rules: WordMerging, split: Split) -> list[Segment]:
        """Explain a difference between the tokens and the result of merging."""
        if split == rules.tokens:
            return []
        if rules.is_whole:
            return [". Merging alone would not make it: only looking it up does"]
        if len(split) != len(rules.tokens):
            return [". What is not in the vocabulary became bytes, or the unknown token"]
        both = zip(split, rules.tokens, strict=True)
        unknown = [self.forms[piece] for piece, token in both if piece != token]
        return [". Not in the vocabulary: ", *join_list([(("token", p),) for p in unknown[:5]])]

    def _build_question(
        self, split: Split, possible: Sequence[tuple[int, int]], step: MergeStep
    ) -> StepQuestion | None:
        pairs = list(dict.fromkeys(split[i : i + 2] for _, i in possible))[:OPTIONS]
        if len(pairs) < 2 or step.pair not in pairs:
            return None
        pairs.sort()
        learned = f" has rank {step.rank:,}: it was learned before the others that apply here."
        why = (*in_row(self._display_forms(step.pair)), learned)
        prompt = (f"Which merge is applied next? {self.hint}",)
        return StepQuestion(
            prompt, tuple(map(self._display_forms, pairs)), (pairs.index(step.pair),), why
        )


def _rank(step: MergeStep) -> Segment:
    return "strong", f"{step.rank:,}"
