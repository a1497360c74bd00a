"""Record how a file's model splits one word, depending on the kind of model.

BPE merges by rank, WordPiece tries the longest match first, Unigram fills in its lattice. If a word
is too long, only its beginning is stepped through, and a note says so.
"""

from dataclasses import dataclass

from pages.lattice.filling import record_filling
from pages.real.frames import word_recording
from pages.shared.recording.frame_types import Recording
from pages.shared.training.words import TokenizedWord
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from tokenizers import wordpiece
from tokenizers.lattice import Lattice, Path
from tokenizers.runtime.inspection.encoders import Merging, Weighing
from tokenizers.runtime.models.byte_bpe import ByteBPE, bytes_of
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.lookup import SentencePieceChar
from tokenizers.runtime.spelling import Speller, is_byte_level
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.encoding import UNK

MAX_MERGED_CHARS = 200
MAX_LATTICE_CHARS = 60


@dataclass(frozen=True, slots=True)
class WordSteps:
    """The recording of a word, and notes on its limits; no recording for a model without steps."""

    recording: Recording | None
    notes: tuple[str, ...] = ()


def step_word(loaded: LoadedTokenizer, word: TokenizedWord) -> WordSteps:
    """Return the recording of how the model splits a word. Raises what the model raises."""
    model = loaded.model
    if word.is_added:
        return WordSteps(None, ("This token was added to the vocabulary: it is found as a whole.",))
    if isinstance(model, Merging):
        shown, notes = _window(word.text, MAX_MERGED_CHARS)
        recording = word_recording(
            readable(loaded, shown), shown, model, Speller(loaded).display_form
        )
        return WordSteps(recording, notes)
    if isinstance(model, WordPiece):
        shown, notes = _window(word.text, MAX_MERGED_CHARS)
        return WordSteps(record_wordpiece_encoding([shown], as_core(model)), notes)
    if isinstance(model, Weighing):
        shown, notes = _window(word.text, MAX_LATTICE_CHARS)
        return WordSteps(record_filling(model.lattice(shown)), notes)
    if isinstance(model, SentencePieceChar):
        return WordSteps(None, ("This model makes each character a token: there are no steps.",))
    return WordSteps(None, ("This model looks a word up as a whole, so there are no steps.",))


def lattice_of(loaded: LoadedTokenizer, word: TokenizedWord) -> Lattice:
    """Return the lattice of the part of a word that is stepped through."""
    assert isinstance(loaded.model, Weighing)
    return loaded.model.lattice(word.text[:MAX_LATTICE_CHARS])


def best_segmentations(
    loaded: LoadedTokenizer, word: TokenizedWord, most: int
) -> tuple[Lattice, list[Path]]:
    """Return a word's lattice (see `lattice_of`), and up to `most` best paths through it."""
    lattice = lattice_of(loaded, word)
    assert isinstance(loaded.model, Weighing)
    return lattice, loaded.model.best_paths(lattice, most)


def readable(loaded: LoadedTokenizer, word: str) -> str:
    """Return a word as a person writes it, if the pre-tokenizer wrote it in byte-level glyphs."""
    if not is_byte_level(loaded) or isinstance(loaded.model, ByteBPE):
        return word.replace("▁", " ")
    try:
        return bytes_of(word).decode()
    except (KeyError, UnicodeDecodeError):
        return word


def _window(word: str, longest: int) -> tuple[str, tuple[str, ...]]:
    if len(word) <= longest:
        return word, ()
    return word[:longest], (
        f"This word has {len(word):,} characters. You step through the first {longest}, as if they "
        "were the whole word; at the end they may be cut in another way.",
    )


def as_core(model: WordPiece) -> wordpiece.Model:
    """Return the model as the core's own class, where the unknown token is named [UNK]."""
    vocab = dict(model.vocab)
    if model.unk in vocab:
        vocab.setdefault(UNK, vocab[model.unk])
    settings = wordpiece.Settings(mark=model.mark)
    return wordpiece.Model(vocab, settings, max_word_length=model.max_word_length)
