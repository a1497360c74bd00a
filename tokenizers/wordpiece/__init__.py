"""WordPiece: train by score or by count, encode by the longest match first."""

from tokenizers.wordpiece.encoding import Model, decode, encode, split_word, vocabulary, word_steps
from tokenizers.wordpiece.scores import ranking, score, tied_pairs
from tokenizers.wordpiece.settings import CONVENTIONS, MARK, Settings
from tokenizers.wordpiece.training import model, start, train

__all__ = [
    "CONVENTIONS",
    "MARK",
    "Model",
    "Settings",
    "decode",
    "encode",
    "model",
    "ranking",
    "score",
    "split_word",
    "start",
    "tied_pairs",
    "train",
    "vocabulary",
    "word_steps",
]
