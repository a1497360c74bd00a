"""How published tokenizers read special tokens that stand in a text: asked where it matters."""

from collections.abc import Iterable

from pages.shared.controls.address import segments
from pages.shared.controls.plain import as_is
from pages.shared.learning.published import specials_in
from tokenizers.loaded.tokenizer import Special


def special(text: str, names: Iterable[str], who: str = "Read") -> Special:
    """Ask how these tokenizers read the special tokens in a text, if there are any."""
    if not (found := specials_in(text, names)):
        return "control"
    options = {"control": "Special tokens", "text": "Plain text"}
    label = as_is(f"{who} {' '.join(found)} as")
    chosen = segments(label, options, "control", key="special")
    return "text" if chosen == "text" else "control"
