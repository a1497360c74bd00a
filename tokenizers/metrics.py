"""What a segmentation costs: figures counted from an `Encoding`."""

from dataclasses import dataclass
from operator import ne

from tokenizers.encoding import Encoding


@dataclass(frozen=True, slots=True)
class Metrics:
    """Tokens, raw characters and what follows from the two."""

    tokens: int
    characters: int
    unknown: int
    vocabulary: int

    @property
    def characters_per_token(self) -> float | None:
        """Raw characters for each token, spaces included; None when there is no token."""
        return self.characters / self.tokens if self.tokens else None


def measure(text: str, encoding: Encoding, vocabulary: int) -> Metrics:
    """Count the tokens of `encoding`, which is that of the raw `text`.

    `vocabulary` is the number of pieces of the model, that for the unknown not counted.
    """
    unknown = sum(map(ne, encoding.tokens, encoding.pieces))  # what became [UNK] or <unk>
    return Metrics(len(encoding.tokens), len(text), unknown, vocabulary)
