"""Alternative encoders, which are other ways to split a word into a vocabulary's pieces.

They are for BPE and Unigram, but not for WordPiece, which marks its pieces inside a word.
"""

from collections.abc import Mapping

from tokenizers.errors import UserError
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.models.unigram import Unigram
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import Split
from tokenizers.wordpiece.matching import longest_matches

Merging = BPE | ByteBPE | SentencePieceBPE
"""The models that merge symbols, each by the rule of its file format."""
Weighing = Unigram | SentencePieceUnigram
"""The models with a lattice of scored pieces."""

ENCODERS: Mapping[str, str] = {
    "own": "as the model does it",
    "longest": "longest prefix first",
    "fewest": "fewest tokens",
}
"""The encoders with their labels. URLs contain "own", which merges by rank or runs Viterbi."""


def cut_by(loaded: LoadedTokenizer, word: str, encoder: str) -> Split:
    """Return a word's pieces by `encoder`, one of `ENCODERS`.

    `word` is spelled as the model receives it after pre-tokenization. Raises UserError if the
    vocabulary cannot spell the word, or if the model is WordPiece and the encoder is not "own".
    """
    model = loaded.model
    if encoder == "own":
        return tuple([piece.text for piece in model.cut(word)])
    if isinstance(model, WordPiece):
        raise UserError("WordPiece marks its pieces inside a word, so only its own way fits them.")
    spelled = "".join(model.symbols(word)) if isinstance(model, Merging) else word
    found: Split | None
    if isinstance(model, BPE) and not model.can_spell(word):
        found = None  # its symbols omit unknown characters
    elif encoder == "longest":
        found = longest_matches(spelled, model.vocab, "")
    else:
        found = fewest_pieces(spelled, model.vocab)
    if found is None:
        raise UserError(f"The vocabulary has no pieces that spell “{word}” by this encoder.")
    return found
