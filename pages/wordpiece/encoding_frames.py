"""Frames of a WordPiece encoding, which go through a text's words one candidate at a time.

The first candidate is the rest of the word after the last piece; it loses its last letter until it
is in the vocabulary. Each frame shows one candidate, accepted or not, or the result for a word.
For LinMaxMatch see automaton.py.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from lessons.format.words import RichText, join_list
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
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import Model, word_steps
from tokenizers.wordpiece.matching import Match, pieces_of_matches

ROWS = 8  # candidates shown at a step
OPTIONS = 5  # candidates offered in predict mode
HINTS = 8  # pieces of the vocabulary named in a question

PARTS = (
    PicturePart(
        "table",
        "Candidates tried here",
        (
            Column("candidate", "tokens"),
            Column("letters", "number"),
            Column("in the vocabulary?", "text"),
        ),
    ),
    PicturePart("strips", "The word and the text around it"),
    PicturePart("note", ""),
)


def record_wordpiece_encoding(words: Sequence[str], model: Model) -> Recording:
    """Record the encoding of `words`, one word after the other."""
    frames = _MatchingFrames(words, model)
    found = [end for word in frames.words for end, match in word.matches() if match.piece]
    unknown = [word.last for word in frames.words if word.split is None]
    marks = [
        JumpTarget("a word is done", tuple(word.last for word in frames.words), has_tick=True),
        JumpTarget("a piece is found", tuple(found)),
        JumpTarget("a word becomes [UNK]", tuple(unknown)),
    ]
    return record("WordPiece encoding", PARTS, frames, marks)


@dataclass(frozen=True, slots=True)
class _Word:
    """Word `n` of the text and its `split`; `letters` is None if it is too long to be matched.

    Its frames begin after position `begin`.
    """

    n: int
    text: str
    letters: str | None
    steps: Sequence[Match]
    split: Split | None
    begin: int

    @property
    def last(self) -> int:
        """The position of the word's result."""
        return self.begin + sum(map(_num_tried, self.steps)) + 1

    def matches(self) -> Iterator[tuple[int, Match]]:
        """Yield each match, and the position of the last candidate that it tries."""
        tried = accumulate(map(_num_tried, self.steps))
        yield from zip((self.begin + number for number in tried), self.steps, strict=True)

    def last_attempt(self) -> Split:
        """Return the split at the point where no candidate is left to try."""
        if self.split is not None or self.letters is None:
            return self.split or (self.text,)
        *found, failed = self.steps
        pieces = [step.piece or "" for step in found]
        return (*pieces, failed.rejected[-1], *self.letters[failed.start + 1 :])


class _MatchingFrames(FrameSource):
    """The frames of an encoding: for each word its candidates, then its result."""

    def __init__(self, words: Sequence[str], model: Model) -> None:
        self.words: list[_Word] = []
        for n, text in enumerate(words):
            letters, steps = model.letters(text), word_steps(text, model)
            split = None if letters is None else pieces_of_matches(steps)
            begin = self.words[-1].last if n else 0
            self.words.append(_Word(n, text, letters, steps, split, begin))
        self.mark, self.unk = model.settings.mark, model.settings.unk
        final = [(self.unk,) if word.split is None else word.split for word in self.words]
        self.context = TextContext([(word,) for word in words], final)
        self.first = self._first(model)
        self.max_word_length = model.max_word_length
        # A vocabulary may have many more pieces, and may be one that this process must not hold.
        matches = [match for word in self.words for match in word.steps]
        tried = {candidate for match in matches for candidate in _tried(match)}
        pieces = {match.piece for match in matches if match.piece}
        tried |= {piece[:end] for piece in pieces for end in range(1, len(piece))}
        tried |= {self._other_form(candidate) for candidate in tried}
        shown = sorted(tried.union(*final))
        self.vocab = {piece: model.vocab[piece] for piece in shown if piece in model.vocab}
        alike = _by_beginning(model)
        self.hints = {
            (word.n, match.start): _hint(alike, self._beginning(match), self._fitting(match))
            for word in self.words
            for match in word.steps
        }

    def __len__(self) -> int:
        return self.words[-1].last + 1 if self.words else 1

    def frame(self, k: int) -> Frame:
        """Return the first frame, that of a candidate, or that of a word's result."""
        if not k:
            return self.first
        word = self.words[bisect_left(self.words, k, key=lambda word: word.last)]
        if k == word.last:
            return self._finish(word)
        done: Split = ()
        for end, match in word.matches():
            if k <= end:
                return self._candidate(word, match, done, k - (end - _num_tried(match)) - 1)
            done += (match.piece or "",)
        raise AssertionError("every frame of a word is that of a candidate or of the result")

    @property
    def content(self) -> object:
        words = [(word.text, word.letters, word.split) for word in self.words]
        return self.first, words, self.vocab, self.hints  # from which all candidates follow

    @property
    def largest(self) -> Collection[int]:
        if not self.words:
            return ()
        most = max(self.words, key=lambda word: len(word.split or ()))
        longest = max(self.words, key=lambda word: word.last - word.begin)
        return {most.last, longest.last - 1, longest.last}

    @property
    def new_tokens(self) -> Sequence[str | None]:
        made: list[str | None] = []
        for word in self.words:
            for match in word.steps:
                made += [*[None] * len(match.rejected), *[match.piece] * bool(match.piece)]
            made.append(None)
        return made

    def _first(self, model: Model) -> Frame:
        pieces = [piece for piece in model.vocab if piece != self.unk]
        pieces.sort(key=self._size, reverse=True)
        sentence = (
            ("strong", count_of(len(self.words), "word")),
            ", and a vocabulary of ",
            ("strong", count_of(len(pieces), "piece")),
            ". From left to right, we always take the longest piece that fits.",
        )
        why: RichText = (
            "It is in the vocabulary. Where it fits, it is taken before any shorter piece.",
        )
        rows = tuple(
            TableRow(((piece,), self._size(piece), "yes"), "", why) for piece in pieces[:ROWS]
        )
        table = TableFrame(rows, _more(len(pieces) - ROWS), "The longest pieces of the vocabulary")
        text = StripsFrame((self.context.start_strip(),), "", "The text at the start")
        return Frame(sentence, (table, text, NoteFrame(())))

    def _size(self, piece: str) -> int:
        """Return the number of letters of a piece, without its mark."""
        return len(piece.removeprefix(self.mark))

    def _candidate(self, word: _Word, match: Match, done: Split, i: int) -> Frame:
        """Return the frame of candidate `i` of a match, after the pieces `done` of the word."""
        tried, rest = _tried(match), tuple((word.letters or "")[match.start :])
        after = (*done, tried[i], *rest[len(rest) - i :])
        before = (*done, tried[i - 1], *rest[len(rest) - i + 1 :]) if i else (*done, *rest)
        strips = self._strips(word.n, before, after, (len(done),))
        parts = (self._table(match, tried[: i + 1]), strips, NoteFrame(()))
        question = None if i else self._build_question(word.n, match, tried)
        if tried[i] != match.piece:
            return Frame(self._describe_rejection(tried[i], i + 1 == len(rest)), parts, question)
        found = " is in the vocabulary: the longest match here."
        return Frame((("new", tried[i]), found), parts, question)

    def _strips(self, n: int, before: Split, after: Split, new: tuple[int, ...]) -> StripsFrame:
        word = clip_strip(TokenStrip("word", before, after, new, changed=True))
        return StripsFrame((word, self.context.strip(n, before, after, new)))

    def _describe_rejection(self, candidate: str, is_last: bool) -> RichText:
        then = ", and there is nothing shorter to try." if is_last else ": drop the last letter."
        absent = " is not in the vocabulary"
        return (("token", candidate), absent, *self._other_form_note(candidate), then)

    def _other_form_note(self, candidate: str) -> RichText:
        """Return a note if the letters are a piece only in the other form, with or without `##`."""
        other = self._other_form(candidate)
        if not other or candidate == self.mark or other == candidate or other not in self.vocab:
            return ()
        where = "can only begin a word" if len(other) < len(candidate) else "can only continue one"
        return (" (", ("token", other), f" is, but it {where})")

    def _other_form(self, candidate: str) -> str:
        bare = candidate.removeprefix(self.mark)
        return bare if bare != candidate else self.mark + candidate

    def _table(self, match: Match, tried: Sequence[str]) -> TableFrame:
        rows = tuple(self._row(match, candidate) for candidate in tried[-ROWS:])
        hidden = len(tried) - len(rows)
        return TableFrame(rows, f"after {count_of(hidden, 'longer candidate')}" if hidden else "")

    def _row(self, match: Match, candidate: str) -> TableRow:
        size = len(candidate) - len(self.mark) * (match.start > 0)
        if candidate == match.piece:
            longer = count_of(len(match.rejected), "longer candidate")
            why: RichText = (f"Chosen: it is in the vocabulary, unlike {longer}.",)
            if not match.rejected:
                why = ("Chosen: it is in the vocabulary, and nothing longer could be tried.",)
            return TableRow(((candidate,), size, "yes"), "now", why)
        why = (
            ("token", candidate),
            " is not in the vocabulary",
            *self._other_form_note(candidate),
            ".",
        )
        return TableRow(((candidate,), size, "no"), "rejected", why)

    def _finish(self, word: _Word) -> Frame:
        tokens = (self.unk,) if word.split is None else word.split
        new = (0,) if word.split is None else ()
        strips = self._strips(word.n, word.last_attempt(), tokens, new)
        rows = tuple(self._match_row(step) for step in word.steps)
        table = TableFrame(rows[:ROWS], _more(len(rows) - ROWS), "Pieces found in this word")
        ids = ids_note([self.vocab[token] for token in tokens])
        return Frame(self._describe_outcome(word), (table, strips, ids))

    def _match_row(self, step: Match) -> TableRow:
        tries = count_of(len(step.rejected) + bool(step.piece), "candidate")
        tried = f"Tried {tries} from letter {step.start + 1:,}"
        if step.piece is None:
            why = f"{tried}: none is in the vocabulary."
            return TableRow((step.rejected[-1:], 1, "no"), "rejected", (why,))
        size = step.end - step.start
        return TableRow(((step.piece,), size, "yes"), "", (f"{tried}: this one fits.",))

    def _describe_outcome(self, word: _Word) -> RichText:
        if word.split is not None:
            return word_segment(word.text), " is done: ", *tokens_text(word.split), "."
        becomes: RichText = "the whole word becomes ", ("new", self.unk), "."
        if word.letters is None:
            size, most = len(word.text), self.max_word_length
            too_long = f" has {size:,} characters; words over {most:,} are not tried: "
            return word_segment(word.text), too_long, *becomes
        at = f"Nothing matches at letter {word.steps[-1].start + 1:,} of "
        return at, word_segment(word.text), ", so ", *becomes

    def _beginning(self, match: Match) -> str:
        """Return the letter with which a piece must begin here, after the mark if there is one."""
        return _tried(match)[0][: len(self.mark) * (match.start > 0) + 1]

    def _fitting(self, match: Match) -> list[str]:
        """Return the pieces that fit here, the longest first."""
        piece, shortest = match.piece or "", len(self._beginning(match))
        fits = (piece[:end] for end in range(len(piece), shortest - 1, -1))
        return [candidate for candidate in fits if candidate in self.vocab]

    def _build_question(self, n: int, match: Match, tried: Sequence[str]) -> StepQuestion:
        """Build the question which piece matches, asked before the first candidate is tried."""
        # Pieces that fit but are too short are the best wrong answers, then the nearest misses.
        chosen = [*self._fitting(match)[:3], *reversed(match.rejected)][: OPTIONS - 1]
        answers = [*sorted(chosen, key=len, reverse=True), self.unk]
        right = answers.index(match.piece or self.unk)
        why: RichText = ("No piece in the vocabulary fits here.",)
        if match.piece:
            why = ("token", match.piece), " is the longest piece in the vocabulary that fits here."
        prompt = ("Which piece matches here? ", *self.hints[n, match.start])
        options = tuple((answer,) for answer in answers)
        return StepQuestion(prompt, options, (right,), why, after=len(match.rejected))


def _tried(match: Match) -> Split:
    """Return the candidates of a match, longest first."""
    return match.rejected if match.piece is None else (*match.rejected, match.piece)


def _num_tried(match: Match) -> int:
    return len(match.rejected) + bool(match.piece)


def _hint(alike: Mapping[str, Mapping[str, int]], begin: str, fits: Sequence[str]) -> RichText:
    """Name pieces that begin with `begin`, among them all pieces in `fits`."""
    others = alike.get(begin, {})
    number = len(others) + sum(piece not in others for piece in fits)
    if not number:
        return "Nothing in the vocabulary begins with ", ("token", begin), "."
    known = dict.fromkeys((*fits, *islice(others, HINTS + len(fits))))
    phrase = join_list([(("token", piece),) for piece in sorted(islice(known, HINTS))])
    if number == 1:
        return "Only ", *phrase, " in the vocabulary begins this way."
    more = f", and {number - HINTS:,} more" if number > HINTS else ""
    return "These pieces in the vocabulary begin this way: ", *phrase, more, "."


def _by_beginning(model: Model) -> Mapping[str, Mapping[str, int]]:
    """Return the pieces grouped by their first letter, including a mark before the letter."""
    mark = model.settings.mark
    by_beginning: dict[str, dict[str, int]] = defaultdict(dict)
    for piece, number in model.vocab.items():
        if piece != model.settings.unk:
            beginning = piece[: len(mark) + 1 if piece.startswith(mark) else 1]
            by_beginning[beginning][piece] = number
    return by_beginning


def _more(hidden: int) -> str:
    return count_of(hidden, "more piece") if hidden > 0 else ""
