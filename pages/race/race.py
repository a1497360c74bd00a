"""Train BPE, WordPiece and Unigram on the same words until they reach one vocabulary size.

BPE and WordPiece grow from single characters; Unigram shrinks from its seed. `race` trains all
three and keeps the pieces gained and lost, and the corpus's number of tokens, at every stage. A
*stage* is a merge for BPE and WordPiece, and a recorded size for Unigram. To make pieces
comparable, all learn from the same words, each beginning with `▁`; `comparable` converts
WordPiece's notation. The comparison is in `overlap.py`, the frames are in `frames.py`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from lessons.format.words import RichText, join_list, plain
from lessons.trained import UNIGRAM_LOSS
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import NO_WORDS, CorpusSource, bounded_corpus, find_word
from pages.shared.training.tokenizer_kinds import PRUNINGS
from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import METASPACE, Split
from tokenizers.unigram.settings import Settings, convention_settings
from tokenizers.wordpiece.matching import ends_by_stage, split_at

NAMES = ("BPE", "WordPiece", "Unigram")
PIPELINE = Pipeline((), "punctuation")
LONGEST_TEXT = 100_000  # characters
LONGEST_WORD = 100  # characters, as for BERT
MOST_LETTERS = 60_000  # of all distinct words, because each is split at every stage of Unigram
SMALL = 2_000  # letters up to which Unigram starts from all substrings, because few repeat
MOST_POSITIONS = 400
MOST_AXIS = 5_000  # pieces up to which growing runners are compared with Unigram
MIN_WATCHED_LENGTH = 5  # letters
WATCHED = 3  # words whose splits are shown at every position


RunnerSplits = tuple[tuple[int, ...], tuple[tuple[Split, ...], ...], tuple[Split, ...]]
"""The values of a runner's fields `tokens`, `watched` and `splits`."""


@dataclass(frozen=True, slots=True)
class Runner:
    """One of the three tokenizers and its pieces at every stage, in a form comparable across all.

    `first` has the pieces at stage 0; stage n added `gained[n - 1]` and removed `lost[n - 1]`. BPE
    and WordPiece continue after `goal_stage`, up to the sizes that Unigram starts with. For each
    stage n up to `goal_stage`, `tokens[n]` is the corpus's number of tokens and `watched[n]` has
    the watched words' splits. `splits` has all words' splits at `goal_stage`.
    """

    name: str
    first: frozenset[str]
    gained: tuple[tuple[str, ...], ...]
    lost: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]
    tokens: tuple[int, ...]
    watched: tuple[tuple[Split, ...], ...]
    splits: tuple[Split, ...]
    stopped: str

    @property
    def goal_stage(self) -> int:
        """The stage at which the runner reaches the goal."""
        return len(self.tokens) - 1

    def vocabularies(self) -> Iterator[frozenset[str]]:
        """Yield the pieces of every stage."""
        now = set(self.first)
        yield self.first
        for gained, lost in zip(self.gained, self.lost, strict=True):
            now |= set(gained)
            now -= set(lost)
            yield frozenset(now)

    def vocab(self, stage: int) -> frozenset[str]:
        """Return the pieces at a stage."""
        now = set(self.first)
        for gained, lost in zip(self.gained[:stage], self.lost[:stage], strict=True):
            now |= set(gained)
            now -= set(lost)
        return frozenset(now)

    def stage(self, position: int, last: int) -> int:
        """Return the stage at a position of the race, which all three finish at `last`."""
        return round(position * self.goal_stage / last) if last else self.goal_stage


@dataclass(frozen=True, slots=True)
class Race:
    """Three runners, the words with their counts, and notes on what was left out.

    `watched` has indices of words. Position 0 is the start; at position `last`, all runners have
    reached the goal or ended before it. `merging` has BPE's and WordPiece's runs up to the goal,
    `models` the log probabilities of Unigram's pieces at each of its stages.
    """

    goal: int
    runners: tuple[Runner, Runner, Runner]
    words: Mapping[str, int]
    watched: tuple[int, ...]
    notes: tuple[str, ...]
    merging: tuple[Trace, Trace]
    models: tuple[Mapping[str, float], ...]

    @property
    def last(self) -> int:
        """The last position, i.e. the longest run's number of stages or `MOST_POSITIONS`."""
        return min(max(runner.goal_stage for runner in self.runners), MOST_POSITIONS)

    @property
    def ends(self) -> tuple[int, ...]:
        """The number of pieces that each runner ends with."""
        return tuple([runner.sizes[runner.goal_stage] for runner in self.runners])

    @property
    def has_meeting(self) -> bool:
        """Whether all three end with the goal's number of pieces."""
        return set(self.ends) == {self.goal}

    def stages(self, position: int) -> tuple[int, ...]:
        """Return the stage of each runner at a position."""
        return tuple([runner.stage(position, self.last) for runner in self.runners])


def marked(word: str) -> str:
    """Return the word with `▁` prepended unless it already begins with `▁`.

    >>> marked("low"), marked("▁low")
    ('▁low', '▁low')
    """
    return word if word.startswith(METASPACE) else METASPACE + word


def comparable(piece: str, mark: str = wordpiece.MARK) -> str:
    """Return a piece of WordPiece in the notation of BPE and Unigram.

    >>> comparable("low"), comparable("##est"), comparable("##")
    ('▁low', 'est', '▁##')
    """
    continues = piece.startswith(mark) and len(piece) > len(mark)
    return piece[len(mark) :] if continues else marked(piece)


def race(
    report: ProgressCallback, source: CorpusSource, goal: int, rule: str, follow: str = ""
) -> Race:
    """Train all three to `goal` pieces, or as near as the words allow.

    `rule` is WordPiece's convention, `follow` a word to watch. Raises UserError if word counts are
    malformed or there are no words.
    """
    corpus, notes = _corpus(source)
    watched = _choose_watched(corpus, follow)
    shrinking = _unigram(report, corpus, goal)
    most = max(goal, min(len(shrinking.seed.pieces), MOST_AXIS))
    bpe_settings = bpe.Settings(base="metaspace", vocab_size=most)
    growing = Trace.record(corpus, bpe_settings, lambda done, _: report(done, 3 * most))
    wordpiece_settings = wordpiece.Settings(vocab_size=most, convention=rule)
    matching = Trace.record(
        corpus, wordpiece_settings, lambda done, _: report(most + done, 3 * most)
    )
    runners = (
        _growing_runner(NAMES[0], growing, _splits_by_merges(growing, goal, watched)),
        _growing_runner(
            NAMES[1], matching, _splits_by_matches(matching, goal, watched), comparable
        ),
        _shrinking_runner(report, shrinking, corpus, watched),
    )
    merged = (growing.truncated(runners[0].goal_stage), matching.truncated(runners[1].goal_stage))
    models = tuple([shrinking.state(step) for step in _stages(shrinking)])
    return Race(goal, runners, corpus.word_counts, watched, notes, merged, models)


def missed_goals(race: Race) -> tuple[str, ...]:
    """Say which runners end with more or fewer pieces than the goal, a sentence for each reason."""
    ends: dict[str, list[RichText]] = {}
    for runner, size in zip(race.runners, race.ends, strict=True):
        if size == race.goal:
            continue
        why = runner.stopped
        if size > race.goal:
            why = "fewer are not possible, because every single character is needed"
        elif runner.goal_stage < len(runner.sizes) - 1:
            why = "one more step would overshoot"
        end = f"at {size:,}" if why in ends else f"ends at {count_of(size, 'piece')}"
        ends.setdefault(why, []).append((f"{runner.name} {end}",))
    return tuple([f"{plain(join_list(missed))}: {why}." for why, missed in ends.items()])


def _corpus(source: CorpusSource) -> tuple[Corpus, tuple[str, ...]]:
    corpus, notes = bounded_corpus(source, PIPELINE, LONGEST_TEXT, LONGEST_WORD)
    kept, letters = {}, 0
    for word, count in corpus.word_counts.items():
        letters += len(word)
        if letters > MOST_LETTERS:
            break
        kept[word] = count
    if not kept:
        raise UserError(NO_WORDS)
    if len(kept) < corpus.num_distinct_words:
        of_all = count_of(corpus.num_distinct_words, "distinct word")
        notes = (*notes, f"Only the first {len(kept):,} of {of_all} are used.")
    return Corpus(kept, None, PIPELINE), notes


def _choose_watched(corpus: Corpus, follow: str) -> tuple[int, ...]:
    """Return the indices of the words to watch, i.e. `follow`, then long frequent ones."""
    words = list(corpus.word_counts)
    wanted = find_word(corpus, follow)
    ranked = sorted(range(len(words)), key=lambda n: _weight(words[n], corpus), reverse=True)
    first = [] if wanted is None else [wanted]
    return tuple(dict.fromkeys([*first, *ranked[:WATCHED]]))[:WATCHED]


def _weight(word: str, corpus: Corpus) -> tuple[bool, int]:
    """Return a word's sort key (whether it is long enough, possible cuts times frequency)."""
    return (len(word) >= MIN_WATCHED_LENGTH, (len(word) - 1) * corpus.word_counts[word])


# --- Growing runners (BPE and WordPiece) ----------------------------------------------------------


def _goal_stage(sizes: Sequence[int], goal: int) -> int:
    """Return the last stage that has at most `goal` pieces, or 0; `sizes` rise."""
    return max(bisect_right(sizes, goal) - 1, 0)


def _growing_runner(
    name: str, trace: Trace, cuts: RunnerSplits, display_form: Callable[[str], str] = str
) -> Runner:
    """Return a growing runner; each step gains its piece unless an earlier step made the same."""
    alphabet = tuple(map(display_form, trace.alphabet))
    known, gained = set(alphabet), []
    for piece in map(display_form, trace.tokens):
        gained.append(() if piece in known else (piece,))
        known.add(piece)
    lost, sizes = ((),) * len(trace), tuple(trace.vocab_sizes)
    return Runner(name, frozenset(alphabet), tuple(gained), lost, sizes, *cuts, trace.stop_reason)


def _splits_by_merges(trace: Trace, goal: int, watched: tuple[int, ...]) -> RunnerSplits:
    """Return BPE's splits, which are read from the trace."""
    meets = _goal_stage(trace.vocab_sizes, goal)
    shown = [tuple([trace.split(word, k) for word in watched]) for k in range(meets + 1)]
    return tuple(trace.num_tokens[: meets + 1]), tuple(shown), tuple(trace.state(meets).splits)


def _splits_by_matches(trace: Trace, goal: int, watched: tuple[int, ...]) -> RunnerSplits:
    """Return WordPiece's splits, by longest match; merges only define its pieces."""
    meets, mark = _goal_stage(trace.vocab_sizes, goal), trace.settings.mark
    stage_of = dict.fromkeys(trace.alphabet, 0)
    for stage, token in enumerate(trace.tokens[:meets], start=1):
        stage_of.setdefault(token, stage)
    longest = max(map(len, stage_of), default=0)
    more = [0] * (meets + 1)  # tokens at each stage beyond those of the stage before
    words = [_splits_by_stage(word, stage_of, mark, longest) for word in trace.words]
    for found, count in zip(words, trace.corpus.word_counts.values(), strict=True):
        more[0] += count * len(found[0])
        for before, stage in pairwise(found):
            more[stage] += count * (len(found[stage]) - len(found[before]))
    shown = [_at_every_stage(words[number], meets) for number in watched]
    last = tuple([[*found.values()][-1] for found in words])
    return tuple(accumulate(more)), tuple(zip(*shown, strict=True)), last


def _splits_by_stage(
    word: str, stage_of: Mapping[str, int], mark: str, longest: int
) -> dict[int, Split]:
    """Return the splits of a word at the stages where they may change, as BPE writes pieces."""
    splits: dict[int, Split] = {}
    for stage, ends in ends_by_stage(word, stage_of, mark, longest):
        first, *rest = split_at(word, ends, mark) or (word,)
        splits[stage] = (marked(first), *(piece.removeprefix(mark) for piece in rest))
    return splits


def _at_every_stage(splits: Mapping[int, Split], last: int) -> list[Split]:
    """Return the split at every stage up to `last`, which changes where `splits` says."""
    starts = list(splits)
    return [splits[starts[bisect_right(starts, stage) - 1]] for stage in range(last + 1)]


# --- The shrinking runner (Unigram) ---------------------------------------------------------------


def unigram_settings(goal: int, letters: int) -> Settings:
    """Return Unigram's settings for a race; `letters` is the total length of its words."""
    return replace(
        convention_settings("textbook", goal),
        seed="substrings" if letters <= SMALL else "repeats",
        loss=UNIGRAM_LOSS,
        prunings=PRUNINGS,
    )


def _unigram(report: ProgressCallback, corpus: Corpus, goal: int) -> UnigramTrace:
    counts: dict[str, int] = {}
    for word, count in corpus.word_counts.items():
        counts[marked(word)] = counts.get(marked(word), 0) + count
    trace = UnigramTrace.record(
        Corpus(counts, None, PIPELINE),
        unigram_settings(goal, sum(map(len, counts))),
        lambda done, total: report(done, 3 * max(total, 1)),
    )
    if not trace.steps:
        raise UserError("You stopped it before there was anything to show. Run it again.")
    return trace


def _stages(trace: UnigramTrace) -> list[int]:
    """Return, for each recorded size, the last step that has it."""
    sizes = [len(step.log_probs) for step in trace.steps]
    ends = [k for k, (one, next_) in enumerate(pairwise(sizes), start=1) if one != next_]
    return [*ends, len(sizes)]


def _shrinking_runner(
    report: ProgressCallback, trace: UnigramTrace, corpus: Corpus, watched: tuple[int, ...]
) -> Runner:
    """Return Unigram as a runner; it splits a word in the most probable way."""
    counts, stages = list(corpus.word_counts.values()), _stages(trace)
    splits, tokens, shown = [], [], []
    for n, step in enumerate(stages):
        logs = trace.state(step)
        model = unigram.Model(unigram.vocabulary(logs), logs)
        splits = [unigram.split_word(marked(word), model) for word in corpus.word_counts]
        tokens.append(sum(len(s) * count for s, count in zip(splits, counts, strict=True)))
        shown.append(tuple([splits[word] for word in watched]))
        report(2 * len(stages) + n, 3 * len(stages))
    vocabs = [tuple(trace.steps[step - 1].log_probs) for step in stages]
    return Runner(
        NAMES[2],
        frozenset(vocabs[0]),
        tuple([_without(after, before) for before, after in pairwise(vocabs)]),
        tuple([_without(before, after) for before, after in pairwise(vocabs)]),
        tuple(map(len, vocabs)),
        tuple(tokens),
        tuple(shown),
        tuple(splits),
        trace.stop_reason,
    )


def _without(some: Sequence[str], others: Iterable[str]) -> tuple[str, ...]:
    known = set(others)
    return tuple([piece for piece in some if piece not in known])
