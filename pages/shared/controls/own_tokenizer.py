"""The tokenizer that a visitor brought as a file or from the hub, kept for this visit.

It is chosen on the page Real tokenizers. Covers keeping it, and offering it where those of the pack
are offered, and asking how published tokenizers read special tokens and whether they add some. No
other visitor can choose it.
"""

import hashlib
from collections.abc import Iterable

import streamlit as st

from pages.shared.controls.address import IN_ADDRESS, segments
from pages.shared.controls.plain import as_is
from pages.shared.learning.published import OWN, PACK, REAL, Own, Published, bring, specials_in
from tokenizers.loaded.tokenizer import Loaded, Special

OWN_KIND = REAL + OWN
"""The visitor's own, whichever it is: in an address, and in what is chosen."""
_KEPT = "own_tokenizer"


def keep(key: str, loaded: Loaded, about: str) -> None:
    """Keep a tokenizer instead of the one before; `key` tells it from any other."""
    own = Own(f"{OWN}-{hashlib.sha256(key.encode()).hexdigest()[:12]}", loaded, about)
    st.session_state[_KEPT] = own


def kept() -> Own | None:
    """Return the tokenizer of this visit, if there is one."""
    own: Own | None = st.session_state.get(_KEPT)
    if own:
        bring(own)  # another visit with the same file may have ended
    return own


def kinds() -> dict[str, str]:
    """Return the kinds of all published tokenizers, the visitor's own last, by their titles."""
    own = kept()
    return PACK | ({OWN_KIND: Published(own.name).title} if own else {})


def known_kind(kind: str) -> str:
    """Return the kind that tells the visitor's own from everybody else's; any other as it is."""
    own = kept()
    return REAL + own.name if own and kind == OWN_KIND else kind


def special(text: str, names: Iterable[str], who: str = "Read") -> Special:
    """Ask how these tokenizers read the special tokens in a text, if there are any."""
    if not (found := specials_in(text, names)):
        return "control"
    options = {"control": "Special tokens", "text": "Plain text"}
    label = as_is(f"{who} {' '.join(found)} as")
    chosen = segments(label, options, "control", key="special")
    return "text" if chosen == "text" else "control"


def added(names: Iterable[str]) -> bool:
    """Ask whether a text gets the tokens that these tokenizers put around it, if any does.

    Without them, all count the same: the text itself.
    """
    models = [Published(name) for name in names]
    listed = [f"{as_is(one.title)}: {one.adds}" for one in models if one.adds]
    if not listed:
        return False
    label = f"Include the tokens that a model puts around a text ({'; '.join(listed)})"
    return st.toggle(label, key="added", **IN_ADDRESS)
