"""What the page of real tokenizers offers to take along: the word at hand, and the whole text."""

from pages.lattice.taking import of_lattice
from pages.real.film import rules_of
from pages.real.stepping import LONGEST_LATTICE, LONGEST_MERGED
from pages.real.worksheet import handout
from pages.shared.learning.words import Word
from pages.shared.taking import traces
from pages.shared.taking.offer import Offer, trace_items
from pages.shared.taking.tables import of_tokens
from tokenizers.loaded.encoders import Merging, Weighing
from tokenizers.loaded.parts import LoadedEncoding
from tokenizers.loaded.tokenizer import Loaded
from tokenizers.loaded.wordpiece import WordPiece


def of_word(loaded: Loaded, word: Word, encoding: LoadedEncoding) -> Offer:
    """Offer the steps of a word, as far as it is stepped through, and the tokens of the text."""
    offered = _steps(loaded, word)
    tables = {**offered.tables, "Tokens": lambda: of_tokens(encoding)}
    return Offer(offered.items, tables, handout(loaded, word))


def _steps(loaded: Loaded, word: Word) -> Offer:
    model, shown = loaded.model, word.text[:LONGEST_MERGED]
    if isinstance(model, Merging):
        rules = rules_of(model, shown)
        told = [(shown, tuple(rules.symbols), rules.steps)]
        return Offer(trace_items(lambda: traces.of_merged_words(told, rules.rank_of, rules.mark)))
    if isinstance(model, WordPiece):
        vocab, mark = model.vocab, model.mark
        return Offer(trace_items(lambda: traces.of_matched_words([shown], vocab, mark)))
    if isinstance(model, Weighing):
        lattice = model.lattice(word.text[:LONGEST_LATTICE])
        return of_lattice(lattice, lattice)
    return Offer()
