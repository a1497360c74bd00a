"""A panel that encodes bytes that are not text with byte-level BPE, and describes the result."""

from collections.abc import Sequence

import streamlit as st

from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, choice
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.phrasing import count_of
from tokenizers import bpe
from tokenizers.bpe.any_bytes import bytes_of_glyphs, encode_bytes
from tokenizers.errors import UserError, user_message

PANEL = "Bytes that are not text"
MAX_BYTES = 500  # bytes
USER_BYTES = "own"
EXAMPLES = {
    "png": ("A picture: how every PNG file begins", "89504E470D0A1A0A0000000D49484452"),
    "half": ("Half a letter: café, cut after 4 bytes", "636166C3"),
    "latin": ("résumé in an old encoding, Latin-1", "72E973756DE9"),
    "text": ("A text like any other", "6C6F7765737420746964652E"),
}


def parse_hex(written: str) -> bytes:
    """Return the bytes that `written` gives in hexadecimal; raise UserError if it is malformed.

    >>> parse_hex("89 50 4e47")
    b'\\x89PNG'
    """
    try:
        return bytes.fromhex(written)
    except ValueError:
        raise UserError(
            "These are no bytes in hexadecimal. Write two digits, 0 to 9 or A to F, for each byte."
        ) from None


def render_bytes(model: bpe.Model) -> None:
    """Ask for bytes, show their tokens, and describe what the tokens decode to."""
    left, right = st.columns(2)
    with left:
        names = {id_: name for id_, (name, _) in EXAMPLES.items()} | {USER_BYTES: "Your own bytes"}
        chosen = choice("The bytes", names, "png", key="bytes")
    with right:
        written = EXAMPLES.get(chosen, EXAMPLES["png"])[1]
        if chosen == USER_BYTES:
            written = st.text_input("In hexadecimal", written, 2 * MAX_BYTES, key="hex", **IN_URL)
    try:
        data = parse_hex(written)[:MAX_BYTES]
    except ValueError as error:
        st.error(escape_markdown(user_message(error)))
        return
    tokens = encode_bytes(data, model)
    st.html(html_tiles(tokens, ids=[hex_of(token) for token in tokens], label="tokens and bytes"))
    st.markdown(escape_markdown(describe_round_trip(data, tokens)))


def hex_of(token: str) -> str:
    """Return the bytes of a token of byte-level glyphs in hexadecimal.

    >>> hex_of("ĠÃ")
    '20 C3'
    """
    return bytes_of_glyphs(token).hex(" ").upper()


def describe_round_trip(data: bytes, tokens: Sequence[str]) -> str:
    """Describe what the tokens decode to, as bytes and as text."""
    back = b"".join(map(bytes_of_glyphs, tokens))
    text = data.decode(errors="replace")
    lost = text.count("\ufffd") - data.decode(errors="ignore").count("\ufffd")
    counts = f"{count_of(len(data), 'byte')}, {count_of(len(tokens), 'token')}."
    same = "exactly the same bytes" if back == data else "fewer bytes: the pipeline drops some"
    quoted = f"“{escape_invisible(text)}”"
    if not lost:
        return f"{counts} Decoded: {same}. They are the text {quoted}."
    return (
        f"{counts} Decoded: {same}. As text they would be {quoted}: a � takes the place of bytes "
        "that are not UTF-8, and no longer says which they were. A tokenizer on characters can't "
        "even be given them."
    )
