"""The panel *Ids*: ids to copy, a text in parts, and what the file's truncation and padding do."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.real import inputs
from pages.real.ids import parts, reading
from pages.real.ids.decoding import DecodedIds
from pages.real.ids.lengths import FittedRow, fit_to_length
from pages.real.ids.parts import TextPart
from pages.real.splitting import SplitText
from pages.shared.controls import terms, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import full_text
from pages.shared.controls.url_state import segments, whole_number
from pages.shared.drawing.display_text import html_table, html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.limits import MAX_COMPARED_CHARS, MAX_TEXT_CHARS
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.work.results import call_or_end_page, key_of, result_of
from tokenizers.progress import ignore_progress
from tokenizers.runtime.tokenizer import Special
from tokenizers.text.id_list import FORMS, write_ids

MAX_COPIED = 20_000  # ids shown to copy; the files have all
MAX_ROWS = 50  # parts in the table
PART_TOKENS, OVERLAP = 16, 4  # few enough that the page's first text has several parts
ENDS = 30  # characters shown of the beginning and of the end of a part
MAX_PART_TOKENS = 1_000_000


def show(
    model: PublishedTokenizer,
    text: str,
    special: Special,
    split: SplitText,
    decoded: DecodedIds | None,
) -> None:
    """Show the ids of a text; with `decoded`, those that are in the box."""
    if decoded and decoded.difference:
        reading.show_difference(decoded.difference)
    _copy(decoded.ids if decoded else split.encoding.ids, is_in_box=decoded is not None)
    _lengths(model, text, special)
    _parts(model, text if decoded else _whole_text(), special)


def _whole_text() -> str:
    """Return the text of the box, beyond what the page splits."""
    return full_text(inputs.FIRST_TEXT, "say", "")[:MAX_TEXT_CHARS]


# --- To copy --------------------------------------------------------------------------------------


def _copy(ids: Sequence[int], *, is_in_box: bool) -> None:
    st.markdown("**Copy the ids**")
    form = segments("As", FORMS, "python", key="ids_form", label_visibility="collapsed")
    if len(ids) > MAX_COPIED:
        st.caption(f"The first {MAX_COPIED:,} of {len(ids):,} ids; *Take it with you* has all.")
    st.code(
        write_ids(ids[:MAX_COPIED], form),
        "python" if form == "python" else None,
        wrap_lines=True,
        height=160 if len(ids) > 200 else "content",
    )
    if not is_in_box and ids:
        if st.button(
            "Read these ids back", on_click=_read_back, args=(tuple(ids),), key="read_ids_back"
        ):
            st.rerun()  # the box is outside the fragment of the panels
        terms.caption(
            "This puts the ids into the box above. Any other ids can be pasted there as well: a "
            "list of Python or JSON, numbers with spaces or commas, a printed array or tensor."
        )


def _read_back(ids: tuple[int, ...]) -> None:
    user_text.set_split_text(write_ids(ids, "json"))
    reading.set_switch(True)


# --- The lengths of the file ----------------------------------------------------------------------


def _lengths(model: PublishedTokenizer, text: str, special: Special) -> None:
    fitted = call_or_end_page(model, apply_to_loaded, fit_to_length, text, special)
    if fitted is None:
        return
    st.markdown("**As the file fits it to its model**")
    for sentence in fitted.rules:
        st.markdown(f"- {escape_markdown(sentence)}")
    if fitted.problem:
        st.error(escape_markdown(fitted.problem))
        return
    for n, row in enumerate(fitted.rows):
        _fitted_row("What the model gets" if not n else f"What is cut off, piece {n:,}", row)
    if (more := fitted.count - len(fitted.rows)) > 0:
        st.caption(f"{count_of(more, 'more piece')} cut off.")


def _fitted_row(title: str, row: FittedRow) -> None:
    pads = f", {row.num_pads:,} of them padding" if row.num_pads else ""
    hidden = row.count - len(row.ids)
    more = f". The first {len(row.ids):,} are shown" if hidden else ""
    st.caption(f"{title}: {count_of(row.count, 'token')}{pads}{more}")
    st.html(html_tiles(row.tokens, ids=row.ids, label=title))


# --- In parts -------------------------------------------------------------------------------------


def _parts(model: PublishedTokenizer, text: str, special: Special) -> None:
    st.markdown("**Cut the text into parts**, such as a model or a search index takes")
    first, second, third = st.columns([2, 2, 3], vertical_alignment="bottom")
    with first:
        most = whole_number(
            "Tokens in a part, at most", 1, MAX_PART_TOKENS, PART_TOKENS, key="part_tokens"
        )
    with second:
        overlap = whole_number(
            "Overlap, in tokens", 0, MAX_PART_TOKENS, OVERLAP, key="part_overlap"
        )
    with third:
        titles = {name: title for name, (title, *_) in parts.FILES.items()}
        form = segments("File", titles, "jsonl", key="part_file")
    found = _cut(model, text, special, most, overlap)
    if found is None:
        return
    if not found:
        st.caption("There is no text to cut yet.")
        return
    _, name, make = parts.FILES[form]
    st.download_button("Save the parts", partial(make, found), name, on_click="ignore")
    st.caption(escape_markdown(_describe(found, most)))
    rows = [
        (n, f"{part.start:,}–{part.end:,}", len(part.ids), part.shared, _ends(part.text))
        for n, part in enumerate(found[:MAX_ROWS], start=1)
    ]
    more = f" (the first {MAX_ROWS} of {len(found):,})" * (len(found) > MAX_ROWS)
    columns = ("part", "characters", "tokens", "shared", "text")
    st.html(html_table(f"The parts{more}", columns, rows))


def _cut(
    model: PublishedTokenizer, text: str, special: Special, most: int, overlap: int
) -> list[TextPart] | None:
    """Return the parts of a text; a long one is cut by a worker."""
    arguments = model, text, special, most, overlap
    if len(text) > MAX_COMPARED_CHARS:
        key = key_of("parts", *arguments)
        return result_of(key, parts.cut_into_parts, "Cutting the text …", *arguments)
    return call_or_end_page(model, _cut_now, *arguments[1:])


def _cut_now(
    model: PublishedTokenizer, text: str, special: Special, most: int, overlap: int
) -> list[TextPart]:
    return parts.cut_into_parts(ignore_progress, model, text, special, most, overlap)


def _describe(found: Sequence[TextPart], most: int) -> str:
    """Return sentences on how long the parts are, and on what may surprise in them."""
    longest = max(len(part.ids) for part in found)
    said = [f"{count_of(len(found), 'part')}; the longest has {count_of(longest, 'token')}."]
    around = len(found[0].ids) - (found[0].num_own)
    if around:
        said.append(f"That counts {around:,} that the model puts around each part.")
    if lossy := sum(not part.comes_back for part in found):
        said.append(
            f"In {lossy:,} of {len(found):,}, the ids decode to a text that is not exactly the "
            "part’s: this tokenizer changes texts, or the first token of a text."
        )
    else:
        said.append("The ids of each part decode to exactly its text.")
    if over := [part.num_alone for part in found if part.num_alone > most]:
        said.append(
            f"Encoded on its own, the text of {len(over):,} gives more than {most:,} tokens, up to "
            f"{max(over):,}, because the cut changes how it splits: use the ids, or cut shorter."
        )
    return " ".join(said)


def _ends(text: str) -> str:
    """Return the beginning and the end of a text."""
    return text if len(text) <= 2 * ENDS else f"{text[:ENDS]}…{text[-ENDS:]}"
