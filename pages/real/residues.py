"""Merge residues of a published tokenizer on a text, as plain data that the page shows.

For a visitor's own tokenizer, this module runs in a worker, so it must not import Streamlit.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from lessons.texts import TEXTS
from pages.shared.training.published import PublishedTokenizer
from tokenizers.runtime.inspection.residues import TextResidues
from tokenizers.runtime.spelling import Speller
from tokenizers.text.symbols import Split

LONG_TEXT = "python"
"""The id of the bundled text that is long enough to use thousands of pieces."""
MOST_ROWS = 1_000  # residues in the table
MOST_CHANGED = 8  # words shown before and after


@dataclass(frozen=True, slots=True)
class ResidueReport:
    """What a text shows of a vocabulary of `size` tokens, and what removing the residues changes.

    The text has `num_tokens` tokens, of which its merges made `num_made` kinds. `table` has the
    residues in columns, the most often made first. Without the residues, the text has `more` tokens
    more. `changed` has the most frequent of the words that change: the count, and the tokens before
    and after, as text.
    """

    size: int
    num_tokens: int
    num_made: int
    num_residues: int
    table: Mapping[str, list[object]]
    more: int
    num_changed: int
    changed: tuple[tuple[int, Split, Split], ...]


@lru_cache(16)
def find_residues(model: PublishedTokenizer, text: str | None, share: float) -> ResidueReport:
    """Return the residues of a text, or of the long bundled text if it is None.

    A residue is left at most in a `share` of the cases in which it was made. Raises UserError for a
    model that does not merge.
    """
    loaded = model.loaded
    found = TextResidues(loaded, (TEXTS[LONG_TEXT].text or "") if text is None else text)
    uses, display_form = found.uses, Speller(loaded).display_form
    residues = sorted(found.residues(share), key=lambda token: -uses.made[token])
    changed = sorted(found.changed_by_removing(set(residues)), key=lambda word: -word.count)
    shown = residues[:MOST_ROWS]
    table: dict[str, list[object]] = {
        "token": [display_form(token) for token in shown],
        "id": [loaded.vocab[token] for token in shown],
        "made": [uses.made[token] for token in shown],
        "left": [uses.left.get(token, 0) for token in shown],
    }
    return ResidueReport(
        len(loaded.vocab),
        found.num_tokens,
        len(uses.made),
        len(residues),
        table,
        sum(word.count * (len(word.after) - len(word.before)) for word in changed),
        len(changed),
        tuple(
            (
                word.count,
                tuple(map(display_form, word.before)),
                tuple(map(display_form, word.after)),
            )
            for word in changed[:MOST_CHANGED]
        ),
    )
