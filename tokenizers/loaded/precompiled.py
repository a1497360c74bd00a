"""The character map of a SentencePiece model, as Hugging Face's library applies it.

It differs from SentencePiece: a letter with its marks (a grapheme cluster) of less than 6 bytes is
replaced as a whole by what the *shortest* rule for its beginning writes; any other cluster is
replaced character by character. The map itself is read in `tokenizers.formats.charsmap`.
"""

from array import array
from dataclasses import dataclass

import regex

from tokenizers.loaded.sentencepiece.charsmap import CharsMap
from tokenizers.text.alignment import Aligned

_CLUSTER = regex.compile(r"\X")
_FEW_BYTES = 6


@dataclass(frozen=True, slots=True)
class Precompiled:
    """A normalizer that replaces by a character map."""

    charsmap: CharsMap

    def __call__(self, aligned: Aligned) -> Aligned:
        clusters = _CLUSTER.findall(aligned.text)
        new = {cluster: self._written(cluster) for cluster in set(clusters)}
        if all(written == [(c, 1) for c in cluster] for cluster, written in new.items()):
            return aligned
        texts, places, at = [], [], 0  # for each new character, which old one has its place
        for cluster in clusters:
            for written, old in new[cluster]:
                texts.append(written)
                places += [at + min(n, old - 1) for n in range(len(written))]
                at += old
        starts, ends = (
            array("I", map(whole.__getitem__, places)) for whole in (aligned.starts, aligned.ends)
        )
        return Aligned("".join(texts), starts, ends)

    def _written(self, cluster: str) -> list[tuple[str, int]]:
        """Return what is written for a cluster, each with the number of characters it is for."""
        if len(cluster.encode()) < _FEW_BYTES and (rule := self.charsmap.first(cluster)):
            return [(rule[1], len(cluster))]
        rules = [(character, self.charsmap.first(character)) for character in cluster]
        return [(rule[1] if rule else character, 1) for character, rule in rules]

    def says(self) -> str:
        return "Replaces characters by the map of a SentencePiece model, mostly as NFKC does."
