"""Show a corpus's words during training as strips, and name the words in which a pair merged."""

from collections.abc import Sequence

from lessons.format.words import join_list
from pages.shared.drawing.phrasing import RichText, count_of, word_segment
from pages.shared.recording.frame_types import StripsFrame, TokenStrip, clip_strip
from tokenizers.merging.state import Merge, Positions, join_at
from tokenizers.record.trace import Trace
from tokenizers.text.symbols import Split

MAX_WORDS = 8  # words shown at a step; a smaller corpus is shown whole, in fixed order
MAX_NAMED = 3  # words named in a sentence


class WordStrips:
    """The current splits of all words; `apply` advances the splits by one step.

    At most `most` words are shown, the one with the index `watched` always.
    """

    most = MAX_WORDS

    def __init__(self, trace: Trace, watched: int | None) -> None:
        self.texts, self.watched = trace.words, watched
        self._counts = list(trace.corpus.word_counts.values())
        self._splits = [trace.settings.symbols(word) for word in trace.words]

    def start(self) -> StripsFrame:
        """Return the strips before the first step."""
        most = sorted(range(len(self.texts)), key=lambda word: -self._counts[word])
        strips = tuple(self._strip(word, self._splits[word]) for word in self._select_words(most))
        return StripsFrame(strips, _more(len(self.texts) - len(strips)), "Words at the start")

    def apply(self, step: Merge) -> StripsFrame:
        """Apply the merge and return the strips of the step."""
        before = {word: self._splits[word] for word in step.changed_words}
        for word, positions in step.changed_words.items():
            self._splits[word] = join_at(self._splits[word], positions, step.token)
        shown = self._select_words(sorted(step.changed_words, key=lambda word: -self._counts[word]))
        strips = tuple(
            self._strip(word, before.get(word, self._splits[word]), step.changed_words.get(word))
            for word in shown
        )
        hidden = len(step.changed_words) - sum(word in step.changed_words for word in shown)
        return StripsFrame(strips, _more(hidden, "that changed"))

    def _select_words(self, ranked: Sequence[int]) -> Sequence[int]:
        if len(self.texts) <= self.most:
            return range(len(self.texts))
        shown = ranked[: self.most]
        if self.watched is None or self.watched in shown:
            return shown
        return [self.watched, *shown[: self.most - 1]]

    def _strip(self, word: int, before: Split, positions: Positions | None = None) -> TokenStrip:
        label = f"{self._counts[word]:,} ×"
        new = tuple(position - already for already, position in enumerate(positions or ()))
        return clip_strip(
            TokenStrip(label, before, self._splits[word], new, changed=positions is not None)
        )

    def where_text(self, step: Merge) -> RichText:
        """Return ", " and the words in which the pair of `step` was merged, with counts."""
        seen = {word: self._counts[word] * len(at) for word, at in step.changed_words.items()}
        if len(seen) == 1:
            (word,) = seen
            return (
                ", all in " if step.num_applied > 1 else ", in ",
                word_segment(self.texts[word]),
            )
        most = sorted(seen, key=lambda word: -seen[word])[:MAX_NAMED]
        items: list[RichText] = [
            (f"{seen[word]:,} in ", word_segment(self.texts[word])) for word in most
        ]
        if len(seen) > len(most):
            rest = step.num_applied - sum(seen[word] for word in most)
            items.append((f"{rest:,} in {count_of(len(seen) - len(most), 'other word')}",))
        return (", ", *join_list(items))


def _more(hidden: int, which: str = "") -> str:
    return f"and {count_of(hidden, 'more word')} {which}".rstrip() if hidden > 0 else ""
