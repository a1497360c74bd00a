"""Record how one word is split by a file's merges, the lowest rank first.

The recording differs from a trained model's (pages/bpe/encoding_frames.py) only in its opening. It
covers the three ways in which files do BPE, and their rules besides merging, such as looking up a
whole word first.
"""

from collections.abc import Callable, Mapping
from functools import partial

from lessons.format.words import RichText
from pages.bpe.encoding_frames import ROWS, WordMerging, record_merging
from pages.shared.drawing.phrasing import count_of, word_segment
from pages.shared.recording.frame_types import (
    Frame,
    NoteFrame,
    Recording,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
    clip_strip,
)
from tokenizers.bpe import merge_steps
from tokenizers.merging.state import Pair
from tokenizers.runtime.inspection.encoders import Merging
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE

HINT = "Think of what is frequent in many texts."


def word_recording(
    name: str, word: str, model: Merging, display_form: Callable[[str], str] = str
) -> Recording:
    """Return the recording of splitting `word`, shown as `name`; `display_form` shows tokens."""
    rules = rules_of(model, word, name)
    title = "BPE with the ranks of the file"
    return record_merging(title, [rules], _opening(rules, display_form), HINT, display_form)


def rules_of(model: Merging, word: str, name: str = "") -> WordMerging:
    """Return the rules by which a model merges a word."""
    symbols, pieces = model.symbols(word), model.cut(word)
    ends = tuple(piece.text for piece in pieces), [piece.id for piece in pieces]
    if isinstance(model, BPE):
        steps = list(merge_steps(symbols, model.ranks, mark=model.prefix))
        is_whole = model.ignore_merges and word in model.vocab
        return WordMerging(name, symbols, steps, model.ranks.get, *ends, model.prefix, is_whole)
    if isinstance(model, ByteBPE):
        glyphs = "".join(symbols)
        steps, is_whole = model.merge_steps(glyphs), glyphs in model.vocab
        return WordMerging(name, symbols, steps, model.merges.get, *ends, is_whole=is_whole)
    rank_of = partial(_rank_of_piece, model.ranks, model.vocabulary.user_defined)
    return WordMerging(name, symbols, list(model.steps(word)), rank_of, *ends)


def _rank_of_piece(ranks: dict[str, int], frozen: Mapping[str, int], pair: Pair) -> int | None:
    """Return the rank of a pair's merged piece; user-defined symbols, `frozen`, never merge."""
    return None if frozen and not frozen.keys().isdisjoint(pair) else ranks.get("".join(pair))


def _opening(rules: WordMerging, display_form: Callable[[str], str]) -> Frame:
    possible = rules.candidates(rules.symbols)
    start = count_of(len(rules.symbols), "symbol")
    text: RichText = (word_segment(rules.word), " starts as ", ("strong", start), ". ")
    if rules.is_whole:
        text += ("It is a piece as a whole, so it is looked up and never merged. ",)
        text += ("Here is what merging would do.",) if possible else ()
    elif possible:
        text += (f"{count_of(len(possible), 'merge')} can be done; the lowest rank goes first.",)
    else:
        text += ("No merge applies.",)
    symbols = tuple(map(display_form, rules.symbols))
    rows = tuple(
        TableRow(
            (symbols[at : at + 2], rank, f"symbol {at + 1}"), "", ("The lowest rank goes first.",)
        )
        for rank, at in possible[:ROWS]
    )
    hidden = len(possible) - len(rows)
    table = TableFrame(rows, count_of(hidden, "more merge") if hidden else "")
    return Frame(
        text,
        (table, StripsFrame((clip_strip(TokenStrip("word", symbols, symbols)),)), NoteFrame(())),
    )
