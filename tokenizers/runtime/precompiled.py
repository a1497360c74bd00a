"""Apply a SentencePiece model's character map as Hugging Face's library does.

Unlike in SentencePiece, a grapheme cluster of less than 6 bytes is replaced as a whole by the
output of the *shortest* rule that matches its beginning; any other cluster is replaced character
by character. The map itself is read in `sentencepiece.charsmap`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, pairwise

import regex

from tokenizers.limits import GrowthLimit
from tokenizers.runtime.offsets import CharacterChange, with_offsets
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.text.alignment import AlignedText
from tokenizers.text.unicode_versions import CLUSTERS, hide_newer

_CLUSTER = regex.compile(r"\X")
# A virama joins only two consonants of these six scripts, whereas `regex` joins more.
_VIRAMA = "[\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d]"
_CONSONANT = r"[\p{InCB=Consonant}&&[\u0900-\u0dff]]"
_NOT_JOINED = regex.compile(
    rf"(?<=.)(?<!{_CONSONANT}[\p{{Mn}}\u200d]*{_VIRAMA}[\p{{Mn}}\u200d]*)(?=\p{{InCB=Consonant}})",
    regex.DOTALL | regex.V1,
)
_FEW_BYTES = 6


@dataclass(frozen=True, slots=True)
class Precompiled:
    """A normalizer that applies a character map."""

    charsmap: CharsMap

    def __call__(self, aligned: AlignedText) -> AlignedText:
        clusters = _clusters(aligned.text)
        new = {whole: self._rewrite_whole(whole) for whole in set(clusters)}
        if all(written == [(c, 1) for c in cluster] for cluster, written in new.items()):
            return aligned
        made = {cluster: sum([len(text) for text, _ in new[cluster]]) for cluster in new}
        GrowthLimit(len(aligned.text)).check(sum(map(made.__getitem__, clusters)))
        return with_offsets(
            aligned, _changes(rule for cluster in clusters for rule in new[cluster])
        )

    def _rewrite_whole(self, whole: str) -> list[tuple[str, int]]:
        """Return the replacements of what `regex` takes for one cluster."""
        if len(whole) == 1:  # by far the most, and many times as fast
            return [(self.charsmap.singles.get(whole, whole), 1)]
        return [rule for cluster in _NOT_JOINED.split(whole) for rule in self._rewrite(cluster)]

    def _rewrite(self, cluster: str) -> list[tuple[str, int]]:
        """Return a cluster's replacements, each with the number of characters that it replaces."""
        if len(cluster.encode()) < _FEW_BYTES and (rule := self.charsmap.first(cluster)):
            return [(rule[1], len(cluster))]
        rules = [(character, self.charsmap.first(character)) for character in cluster]
        return [(rule[1] if rule else character, 1) for character, rule in rules]

    def describe(self) -> str:
        return "Replaces characters by the map of a SentencePiece model, mostly as NFKC does."


def _clusters(text: str) -> list[str]:
    """Return the grapheme clusters of a text, as of the library's version of Unicode."""
    clusters = _CLUSTER.findall(hide_newer(text, CLUSTERS))
    ends = accumulate(map(len, clusters), initial=0)
    return [text[start:end] for start, end in pairwise(ends)]


def _changes(rules: Iterable[tuple[str, int]]) -> list[CharacterChange]:
    """Return the replacements character by character, as the library tracks them.

    Removed characters are recorded on the last character written. If none has been written yet, the
    library loses them, so all later offsets are too low by the number of removed characters.
    """
    changes: list[CharacterChange] = []
    for written, old in rules:
        more = len(written) - old
        changes += [(character, int(n >= old)) for n, character in enumerate(written)]
        if more < 0 and changes:
            character, change = changes.pop()
            changes.append((character, change + more))
    return changes
