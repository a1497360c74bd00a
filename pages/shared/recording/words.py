"""Show a corpus's words during training as strips, and name the words in which a pair merged."""

from collections.abc import Sequence

from lessons.format.words import RichText, join_list
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.frame_types import StripsFrame, TokenStrip, clip_strip
from tokenizers.bpe.superwords import SuperwordSettings
from tokenizers.merging.state import Merge, Positions, join_at
from tokenizers.record.trace import Trace

MAX_WORDS = 8  # words shown at a step; a smaller corpus is shown whole, in fixed order
MAX_LINES, SYMBOLS_OF_LINE = 4, 24  # lines shown, if lines are not cut into words
MAX_NAMED = 3  # words named in a sentence
WITHHELD = "The {}s come with the answer: those that fit here all contain it."


def unit_of(trace: Trace) -> str:
    """Return what the trace counts symbols in: `word`, or `line` if merges may cross spaces."""
    return "line" if isinstance(trace.settings, SuperwordSettings) else "word"


class WordStrips:
    """The splits of words at any step of a trace.

    At most `most` words are shown, the one with the index `watched` always.
    """

    most = MAX_WORDS

    def __init__(self, trace: Trace, watched: int | None) -> None:
        self.trace, self.watched, self.unit = trace, watched, unit_of(trace)
        if self.unit == "line":
            self.most = MAX_LINES
        self.texts, self._counts = trace.words, tuple(trace.corpus.word_counts.values())

    def start(self) -> StripsFrame:
        """Return the strips before the first step."""
        most = sorted(range(len(self.texts)), key=lambda word: -self._counts[word])
        strips = tuple(self._strip(word, 0) for word in self._select_words(most))
        more = self._more(len(self.texts) - len(strips))
        return StripsFrame(strips, more, f"{self.unit.capitalize()}s at the start")

    def at(self, k: int, step: Merge) -> StripsFrame:
        """Return the strips of step `k`, which is `step`."""
        shown = self._select_words(sorted(step.changed_words, key=lambda word: -self._counts[word]))
        changed = step.changed_words
        strips = tuple(self._strip(word, k, changed.get(word, ()), step.token) for word in shown)
        hidden = len(changed) - sum(word in changed for word in shown)
        withheld = "" if self.are_all_shown else WITHHELD.format(self.unit)
        return StripsFrame(strips, self._more(hidden, "that changed"), withheld=withheld)

    @property
    def are_all_shown(self) -> bool:
        """Whether every step shows all words, so that they can be counted."""
        return len(self.texts) <= self.most

    def _select_words(self, ranked: Sequence[int]) -> Sequence[int]:
        if self.are_all_shown:
            return range(len(self.texts))
        shown = ranked[: self.most]
        if self.watched is None or self.watched in shown:
            return shown
        return [self.watched, *shown[: self.most - 1]]

    def _strip(self, word: int, k: int, positions: Positions = (), token: str = "") -> TokenStrip:
        """Return a word's strip at step `k`, which joins its split into `token` at `positions`."""
        before = self.trace.split(word, max(k - 1, 0))
        after = join_at(before, positions, token)
        new = tuple(position - already for already, position in enumerate(positions))
        label = f"{self._counts[word]:,} ×"
        strip = TokenStrip(label, before, after, new, changed=bool(positions))
        return clip_strip(strip, SYMBOLS_OF_LINE) if self.unit == "line" else clip_strip(strip)

    def where_text(self, step: Merge) -> RichText:
        """Return ", " and the words in which the pair of `step` was merged, with counts."""
        seen = {word: self._counts[word] * len(at) for word, at in step.changed_words.items()}
        if self.unit == "line":  # too long to be named
            return (f", in {count_of(len(seen), 'line')}",) if len(self.texts) > 1 else ()
        if len(seen) == 1:
            (word,) = seen
            return (
                ", all in " if step.num_applied > 1 else ", in ",
                word_segment(self.texts[word]),
            )
        most = sorted(seen, key=lambda word: -seen[word])
        if len(most) > MAX_NAMED + 1:  # the only other word can be named as well
            most = most[:MAX_NAMED]
        items: list[RichText] = [
            (f"{seen[word]:,} in ", word_segment(self.texts[word])) for word in most
        ]
        if len(seen) > len(most):
            rest = step.num_applied - sum(seen[word] for word in most)
            items.append((f"{rest:,} in {len(seen) - len(most):,} other words",))
        return (", ", *join_list(items))

    def _more(self, hidden: int, which: str = "") -> str:
        if hidden <= 0:
            return ""
        return f"and {count_of(hidden, f'more {self.unit}')} {which}".rstrip()
