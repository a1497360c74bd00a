"""Frames of a WordPiece encoding, which go through a text's words one candidate at a time.

The first candidate is the rest of the word after the last piece; it loses its last letter until it
is in the vocabulary. Each frame shows one candidate, accepted or not, or the result for a word.
For LinMaxMatch see automaton.py.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lessons.format.words import join_list
from pages.shared.drawing.phrasing import RichText, count_of, word_segment
from pages.shared.recording.frame_types import (
    Column,
    Frame,
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
from pages.shared.recording.packing import pack_frames
from pages.shared.recording.text_context import TextContext, ids_note, tokens_text
from tokenizers.text.symbols import Split
from tokenizers.wordpiece import Model, word_steps
from tokenizers.wordpiece.matching import Match, pieces_of_matches

ROWS = 8  # candidates shown at a step
OPTIONS = 5  # candidates offered in predict mode
HINTS = 8  # pieces of the vocabulary named in a question
MOST_STEPS = 5_000  # after so many, only the result for each word is shown

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
    packed = list(frames)
    marks = [
        JumpTarget("a word is done", tuple(frames.finished), has_tick=True),
        JumpTarget("a piece is found", tuple(frames.found)),
        JumpTarget("a word becomes [UNK]", tuple(frames.unknown)),
    ]
    return pack_frames("WordPiece encoding", PARTS, packed, marks)


@dataclass(frozen=True, slots=True)
class _Word:
    """Word `n` of the text and its `split`; `letters` is None if it is too long to be matched."""

    n: int
    text: str
    letters: str | None
    steps: Sequence[Match]
    split: Split | None

    def last_attempt(self) -> Split:
        """Return the split at the point where no candidate is left to try."""
        if self.split is not None or self.letters is None:
            return self.split or (self.text,)
        *found, failed = self.steps
        pieces = [step.piece or "" for step in found]
        return (*pieces, failed.rejected[-1], *self.letters[failed.start + 1 :])


class _MatchingFrames:
    """The frames of an encoding; iterating fills `finished`, `found` and `unknown`."""

    def __init__(self, words: Sequence[str], model: Model) -> None:
        self.words, self.model, self.mark = words, model, model.settings.mark
        self.context = TextContext([(word,) for word in words])
        self.pieces_by_beginning = _by_beginning(model)
        self.finished: list[int] = []
        self.found: list[int] = []
        self.unknown: list[int] = []
        self.position = 0

    def __iter__(self) -> Iterator[Frame]:
        yield self._first()
        for n, text in enumerate(self.words):
            letters, steps = self.model.letters(text), word_steps(text, self.model)
            split = None if letters is None else pieces_of_matches(steps)
            word = _Word(n, text, letters, steps, split)
            if self.position < MOST_STEPS:
                done: Split = ()
                for match in steps:
                    yield from self._match(word, match, done)
                    done += (match.piece,) if match.piece else ()
            self.position += 1
            self.finished.append(self.position)
            if split is None:
                self.unknown.append(self.position)
            yield self._finish(word)

    def _first(self) -> Frame:
        pieces = [piece for piece in self.model.vocab if piece != self.model.settings.unk]
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

    def _match(self, word: _Word, match: Match, done: Split) -> Iterator[Frame]:
        """Yield a frame for every candidate tried in `match`, longest first."""
        tried = match.rejected if match.piece is None else (*match.rejected, match.piece)
        rest = tuple((word.letters or "")[match.start :])
        question, before = self._build_question(match, tried), (*done, *rest)
        for i, candidate in enumerate(tried):
            self.position += 1
            after = (*done, candidate, *rest[len(rest) - i :])
            table = self._table(match, tried[: i + 1])
            parts = (table, self._strips(word.n, before, after, (len(done),)), NoteFrame(()))
            if candidate == match.piece:
                self.found.append(self.position)
                sentence: RichText = (
                    ("new", candidate),
                    " is in the vocabulary: the longest match here.",
                )
                yield Frame(sentence, parts, candidate, question)
            else:
                yield Frame(
                    self._describe_rejection(candidate, i + 1 == len(rest)), parts, None, question
                )
            before, question = after, None

    def _strips(self, n: int, before: Split, after: Split, new: tuple[int, ...]) -> StripsFrame:
        word = clip_strip(TokenStrip("word", before, after, new, changed=True))
        return StripsFrame((word, self.context.strip(n, before, after, new)))

    def _describe_rejection(self, candidate: str, is_last: bool) -> RichText:
        then = ", and there is nothing shorter to try." if is_last else ": drop the last letter."
        absent = " is not in the vocabulary"
        return (("token", candidate), absent, *self._other_form_note(candidate), then)

    def _other_form_note(self, candidate: str) -> RichText:
        """Return a note if the letters are a piece only in the other form, with or without `##`."""
        bare = candidate.removeprefix(self.mark)
        other = bare if bare != candidate else self.mark + candidate
        if not bare or other == candidate or other not in self.model.vocab:
            return ()
        where = "can only begin a word" if other == bare else "can only continue one"
        return (" (", ("token", other), f" is, but it {where})")

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
        unk = self.model.settings.unk
        tokens = (unk,) if word.split is None else word.split
        new = (0,) if word.split is None else ()
        strips = self._strips(word.n, word.last_attempt(), tokens, new)
        self.context.finish(tokens)
        rows = tuple(self._match_row(step) for step in word.steps)
        table = TableFrame(rows[:ROWS], _more(len(rows) - ROWS), "Pieces found in this word")
        ids = ids_note([self.model.vocab[token] for token in tokens])
        return Frame(self._describe_outcome(word, unk), (table, strips, ids))

    def _match_row(self, step: Match) -> TableRow:
        tries = count_of(len(step.rejected) + bool(step.piece), "candidate")
        tried = f"Tried {tries} from letter {step.start + 1:,}"
        if step.piece is None:
            why = f"{tried}: none is in the vocabulary."
            return TableRow((step.rejected[-1:], 1, "no"), "rejected", (why,))
        size = step.end - step.start
        return TableRow(((step.piece,), size, "yes"), "", (f"{tried}: this one fits.",))

    def _describe_outcome(self, word: _Word, unk: str) -> RichText:
        if word.split is not None:
            return word_segment(word.text), " is done: ", *tokens_text(word.split), "."
        becomes: RichText = "the whole word becomes ", ("new", unk), "."
        if word.letters is None:
            size, most = len(word.text), self.model.max_word_length
            too_long = f" has {size:,} characters; words over {most:,} are not tried: "
            return word_segment(word.text), too_long, *becomes
        at = f"Nothing matches at letter {word.steps[-1].start + 1:,} of "
        return at, word_segment(word.text), ", so ", *becomes

    def _build_question(self, match: Match, tried: Sequence[str]) -> StepQuestion:
        """Build the question which piece matches, asked before the first candidate is tried."""
        whole, vocab, unk = tried[0], self.model.vocab, self.model.settings.unk
        first = len(self.mark) * (match.start > 0) + 1
        shorter = tried[-1] if match.piece else ""
        fits = [shorter[:end] for end in range(len(shorter), first - 1, -1)]
        fits = [candidate for candidate in fits if candidate in vocab]
        # Pieces that fit but are too short are the best wrong answers, then the nearest misses.
        chosen = [*fits[:3], *reversed(match.rejected)][: OPTIONS - 1]
        answers = [*sorted(chosen, key=len, reverse=True), unk]
        right = answers.index(match.piece or unk)
        why: RichText = ("No piece in the vocabulary fits here.",)
        if match.piece:
            why = ("token", match.piece), " is the longest piece in the vocabulary that fits here."
        prompt = ("Which piece matches here? ", *self._hint(whole[:first], fits))
        return StepQuestion(prompt, tuple((answer,) for answer in answers), (right,), why)

    def _hint(self, begin: str, fits: Sequence[str]) -> RichText:
        """Name pieces that begin with `begin`, among them all pieces in `fits`."""
        known = list(dict.fromkeys([*fits, *self.pieces_by_beginning.get(begin, ())]))
        if not known:
            return "Nothing in the vocabulary begins with ", ("token", begin), "."
        phrase = join_list([(("token", piece),) for piece in sorted(known[:HINTS])])
        if len(known) == 1:
            return "Only ", *phrase, " in the vocabulary begins this way."
        more = f", and {len(known) - HINTS:,} more" if len(known) > HINTS else ""
        return "These pieces in the vocabulary begin this way: ", *phrase, more, "."


def _by_beginning(model: Model) -> Mapping[str, Sequence[str]]:
    """Return the pieces grouped by their first letter, including a mark before the letter."""
    mark = model.settings.mark
    by_beginning: dict[str, list[str]] = defaultdict(list)
    for piece in model.vocab:
        if piece != model.settings.unk:
            by_beginning[piece[: len(mark) + 1 if piece.startswith(mark) else 1]].append(piece)
    return by_beginning


def _more(hidden: int) -> str:
    return count_of(hidden, "more piece") if hidden > 0 else ""
