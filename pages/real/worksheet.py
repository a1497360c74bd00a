"""A worksheet on which one word is split by hand as a published tokenizer splits it.

The sheet has only those merges, pieces or log probabilities of the file that can apply to the word,
which is enough to split it on paper. Other sheets have made-up words of the same difficulty.
`printout_of` raises UserError for files whose own rules do more than merging.
"""

from pages.bpe import encoding_worksheet
from pages.bpe.encoding_frames import WordMerging
from pages.bpe.encoding_worksheet import MOST_MERGES, MOST_SYMBOLS
from pages.lattice.worksheet import worksheet as lattice_worksheet
from pages.real.frames import rules_of
from pages.real.stepping import as_core
from pages.shared.export.worksheets.content import WorksheetSet
from pages.shared.export.worksheets.tasks.encoding_tasks import merging
from pages.shared.training.words import TokenizedWord
from pages.wordpiece.worksheet import worksheet as matching_worksheet
from tokenizers import bpe
from tokenizers.bpe import merge_steps
from tokenizers.bpe.encoding import split_after
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.runtime.inspection.encoders import Merging, Weighing
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.spelling import is_byte_level
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import BYTE_OF_GLYPH, METASPACE

NOTE = (
    "Pages to print, on A4 or Letter: this word, to split by hand with what this tokenizer has "
    "learned, and after it the answers. Every other sheet has a made-up word and is just as hard. "
    "The same seed gives the same sheets again."
)
_NOT_FOR_PAPER = (
    f"A worksheet is for pencil and paper: it needs a word of 2 to {MOST_SYMBOLS} symbols, in "
    f"which a merge applies, but no more than {MOST_MERGES} can. Choose another word to get one."
)
_NEVER_MERGED = (
    "This tokenizer looks the word up as a whole and never merges it, so there is nothing to do by "
    "hand. Choose another word."
)
_OTHER_RULES = (
    "On paper, with these merges alone, the word would be split in another way: the file's own "
    "rules do more than merging here. Choose another word."
)


HAS_SHEETS = Merging | WordPiece | Weighing
"""The models that have worksheets."""


def printout_of(
    loaded: LoadedTokenizer, word: TokenizedWord, number: int, seed: int
) -> WorksheetSet:
    """Return `number` worksheets of a word. Raises UserError for a word unsuitable for paper."""
    model = loaded.model
    if isinstance(model, Merging):
        return _merged(model, word.text, is_byte_level(loaded), number, seed)
    if isinstance(model, WordPiece):
        return matching_worksheet([word.text], as_core(model), number, seed)
    assert isinstance(model, Weighing)
    return lattice_worksheet(model.lattice(word.text), number, seed)


def _merged(model: Merging, word: str, is_bytes: bool, number: int, seed: int) -> WorksheetSet:
    if len(word) > MOST_SYMBOLS:  # it has at least as many symbols if they are bytes
        raise UserError(_NOT_FOR_PAPER)
    rules = rules_of(model, word)
    symbols = tuple(rules.symbols)
    if rules.is_whole:
        raise UserError(_NEVER_MERGED)
    unmergeable = (
        [glyph for glyph in BYTE_OF_GLYPH if not glyph.isascii()] if is_bytes else [METASPACE]
    )
    if not 1 < len(symbols) <= MOST_SYMBOLS or not rules.candidates(symbols):
        raise UserError(_NOT_FOR_PAPER)
    first = merging([symbols], _all_ranks(rules), unmergeable)
    if len(first.pairs) > MOST_MERGES:  # in this case, only pairs met on the correct path
        first = merging([symbols], rules.ranks_on_path()[0], unmergeable)
    if len(first.pairs) > MOST_MERGES:
        raise UserError(_NOT_FOR_PAPER)
    steps = list(merge_steps(symbols, first.ranks))
    if rules.mark or split_after(symbols, steps) != tuple(rules.tokens):
        raise UserError(_OTHER_RULES)
    base = "bytes" if is_bytes else "metaspace" if METASPACE in symbols[0] else "characters"
    return encoding_worksheet.printout(first, bpe.Settings(base=base), number, seed)


def _all_ranks(rules: WordMerging) -> dict[Pair, int]:
    """Return the ranks of all pairs that can ever be adjacent in the word."""
    symbols = tuple(rules.symbols)
    size = len(symbols)
    found: dict[Pair, int] = {}
    for start in range(size):
        for end in range(start + 2, size + 1):
            for middle in range(start + 1, end):
                pair = "".join(symbols[start:middle]), "".join(symbols[middle:end])
                if (rank := rules.rank_of(pair)) is not None:
                    found[pair] = rank
    return found
