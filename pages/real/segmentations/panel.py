"""The panel *Other ways to split it*: segmentations that are not the tokenizer's own.

It shows one of them beside the tokenizer's own, what a filter for a word sees of them, two numbers
cut from the right, and what the longest would cost.
"""

from collections.abc import Callable, Mapping

import streamlit as st

from lessons.claims import CLAIMS
from lessons.claims.values import list_values
from lessons.format.words import rounded_number
from pages.real import model_picker
from pages.real.model_picker import PickedTokenizer
from pages.real.segmentations import finding, picture
from pages.real.segmentations.finding import OWN, WAYS, FoundWay, ShownTokens
from pages.shared.controls import costs, terms, url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input
from pages.shared.controls.url_state import segments, whole_number
from pages.shared.drawing.display_text import html_table, html_tiles, plain_table
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.tables import ExportTable, as_csv
from pages.shared.training.published import PublishedTokenizer, apply_to_loaded
from pages.shared.work.results import call_or_end_page
from tokenizers.runtime.inspection.segmentation_graph import MAX_UNITS
from tokenizers.runtime.tokenizer import Special

ROOM = 16  # bytes that a normalizer or a space in front may add
MAX_WORD_CHARS = 60
MAX_TILES = 120  # of the longest segmentation
SEED = "ways_seed"
FINER, BY_CHARACTER, BASE = "R5-4", "R5-5", "R5-6"  # what was measured, in claims.toml
_EXPLAINED: Mapping[str, str] = {
    "random": "Each of the {number} segmentations had the same chance.",
    "finer": "Drawn from the {finer} that only cut the tokenizer’s own tokens further, each with "
    "the same chance. Such tokens were given to models, as told below.",
    "characters": "A token for each character, or the fewest for a character that is none.",
    "farthest": "No other segmentation has fewer boundaries in common with the tokenizer’s own.",
    "word": "As near to the tokenizer’s own as possible, but the word has other tokens.",
    "most": "No other segmentation has more tokens.",
}


def show(chosen: PickedTokenizer, text: str, special: Special) -> None:
    """Show the panel for a text."""
    shown = text.encode()[: MAX_UNITS - ROOM].decode(errors="ignore")
    if len(shown) < len(text):
        st.caption(f"The first {len(shown):,} of {len(text):,} characters are used here.")
    parts: Mapping[str, tuple[str, Callable[[], None]]] = {
        "one": ("One of them", lambda: _one(chosen.model, shown, special)),
        "filter": ("What a filter sees", lambda: _filter(chosen, shown, special)),
        "digits": ("Digits from the right", lambda: _digits(chosen.model)),
        "price": ("What it would cost", lambda: _price(chosen.model, shown, special)),
    }
    labels = {name: label for name, (label, _) in parts.items()}
    part = segments("Show", labels, "one", key="ways", label_visibility="collapsed")
    if part != "digits":
        if not shown:
            st.caption("There is no text to split yet.")
            return
        if problem := call_or_end_page(
            chosen.model, apply_to_loaded, finding.why_not, shown, special
        ):
            st.info(escape_markdown(problem))
            return
    parts[part][1]()


# --- One of them ----------------------------------------------------------------------------------


def _one(model: PublishedTokenizer, text: str, special: Special) -> None:
    first, second = st.columns([7, 3], vertical_alignment="bottom")
    with first:
        way = segments("Way to split it", WAYS, "random", key="way")
    with second:
        word = ""
        if way in ("random", "finer"):
            _choose_seed()
        elif way == "word":
            word = _choose_word(text)
    seed = st.session_state.get(SEED, 1)
    found = call_or_end_page(
        model, apply_to_loaded, finding.find_way, text, special, way, seed, word
    )
    st.markdown(_describe(found, way))
    st.html(picture.blocks_html(found.blocks, (OWN, WAYS[way])))
    if found.hidden:
        st.caption(f"{count_of(found.hidden, 'more token')} not drawn; the file has all.")
    _numbers(found)
    with st.container(horizontal=True):
        _exact_numbers(found)
        _save(found, way)
    _what_models_do()


def _choose_seed() -> None:
    number, again = st.columns([3, 2], vertical_alignment="bottom")
    with again:
        if st.button("Draw another", key="ways_again"):
            url_state.preset_widget(SEED, finding.draw_seed())
    with number:
        whole_number("Draw number", 1, 1_000, 1, key=SEED)


def _choose_word(text: str) -> str:
    longest = finding.longest_word(text)
    written = line_input("Word", MAX_WORD_CHARS, key="blocked", placeholder=longest)
    return written.strip() or longest


def _describe(found: FoundWay, way: str) -> str:
    why = _EXPLAINED[way].format(
        number=rounded_number(found.number), finer=rounded_number(found.finer)
    )
    return (
        f"**{count_of(len(found.other.ids), 'token')}** in place of {len(found.own.ids):,}, and "
        f"the same text when decoded. It has {found.shared:,} of the {found.inner:,} boundaries of "
        f"the tokenizer’s own. {why}"
    )


def _numbers(found: FoundWay) -> None:
    noun = "way" if found.number == 1 else "ways"
    st.markdown(
        f"This vocabulary has **{rounded_number(found.number)}** {noun} to write this text. In "
        f"{rounded_number(found.inside)} of them, no token crosses the border of a pre-token; "
        f"{rounded_number(found.finer)} only cut the tokenizer’s own tokens further."
    )


def _exact_numbers(found: FoundWay) -> None:
    with st.popover("Exact numbers"):
        st.code(
            f"all              {found.number:,}\ninside pre-tokens {found.inside:,}\n"
            f"finer            {found.finer:,}",
            language=None,
            wrap_lines=True,
        )
        rows = [(word, rounded_number(number)) for word, number in found.words]
        st.html(html_table("Ways to split each pre-token", ("pre-token", "ways"), rows))
        st.caption(
            "The ways of the pre-tokens multiply to the number of those that stay inside them. "
            f"Counted over {found.unit}s by dynamic programming, in whole numbers."
        )


def _save(found: FoundWay, way: str) -> None:
    st.download_button(
        "Save both as a table",
        lambda: as_csv(ways_table(found, way)),
        "segmentations.csv",
        on_click="ignore",
    )


def ways_table(found: FoundWay, way: str) -> ExportTable:
    """Return the tokens and ids of both segmentations."""
    rows = [
        (title, number, token, id_)
        for title, one in ((OWN, found.own), (WAYS[way], found.other))
        for number, (token, id_) in enumerate(zip(one.tokens, one.ids, strict=True), start=1)
    ]
    return ExportTable("Segmentations", ("segmentation", "number", "token", "id"), rows)


def _what_models_do() -> None:
    kept, letters, base = (
        list_values(CLAIMS[name].claimed) for name in (FINER, BY_CHARACTER, BASE)
    )
    terms.caption(
        "What a model makes of such tokens can’t be computed here: that needs the model. Zheng and "
        "others (2025) gave models texts cut finer at random, and report how much of their "
        f"accuracy in 20 benchmarks they kept, in percent: {kept}. With a token for each "
        f"character: {letters}. These models were tuned to follow instructions. Without that "
        "tuning they could not go on sensibly; at best this share of what they wrote was words of "
        f"a list: {base}. “Check the sources” has these claims."
    )


# --- A filter -------------------------------------------------------------------------------------


def _filter(chosen: PickedTokenizer, text: str, special: Special) -> None:
    first, second = st.columns(2, vertical_alignment="bottom")
    with first:
        word = _choose_word(text)
    with second:
        other = model_picker.pick_another(chosen)
    if not word:
        st.caption("Write a word that the filter looks for.")
        return
    model, seed = chosen.model, st.session_state.get(SEED, 1)
    view = call_or_end_page(model, apply_to_loaded, finding.filter_view, text, special, seed, word)
    elsewhere = call_or_end_page(other.model, apply_to_loaded, finding.sees_word, text, word)
    missed = sum(not row.ids for row in view.rows)
    st.markdown(
        f"A filter looks for the usual ids of “{escape_markdown(word)}”. In the ids as they come, "
        f"it misses the word in **{missed} of {len(view.rows)}** segmentations of the same text. "
        "Decoded to text first, they are all alike."
    )
    runs = [
        html_tiles(run.tokens, ids=run.ids, label="usual tokens of the word") for run in view.runs
    ]
    for run in runs:
        st.html(run)
    columns = (
        "segmentation",
        "tokens",
        "looks for ids, as they come",
        f"decodes, cuts again with {chosen.model.title}",
        f"decodes, cuts with {other.model.title}",
        "decodes, looks for the letters",
    )
    rows = [
        (row.title, row.tokens, *map(_seen, (row.ids, view.again, elsewhere, True)))
        for row in view.rows
    ]
    st.html(plain_table("Does the filter see the word?", columns, rows))
    terms.caption(
        "Ids mean something to one tokenizer only, so a filter with another one has to decode "
        "them, and then cuts the text its own way. It can miss a word whose tokens depend on what "
        "surrounds it. To look at the decoded text is safe against other segmentations, though not "
        "against other spellings. Geh and others (2025) report that what models learned to refuse, "
        "from usual tokens, they refuse less reliably in others. A service that takes text, not "
        "ids, cuts it itself: there nobody else can choose the tokens."
    )


def _seen(is_seen: bool) -> str:
    return "yes" if is_seen else "no"


# --- Digits ---------------------------------------------------------------------------------------


def _digits(model: PublishedTokenizer) -> None:
    first, second = st.columns(2)
    with first:
        one = line_input("First number", 40, key="sum_a", placeholder="1234567").strip()
    with second:
        other = line_input("Second number", 40, key="sum_b", placeholder="89012").strip()
    schemes = call_or_end_page(
        model, apply_to_loaded, finding.digit_schemes, one or "1234567", other or "89012"
    )
    for column, scheme in zip(st.columns(len(schemes)), schemes, strict=True):
        with column:
            st.markdown(f"**{scheme.title}**")
            st.html(picture.digits_html(scheme.rows, scheme.title))
            st.caption(
                "The tokens line up: each has digits of the same places."
                if scheme.lined_up
                else "The tokens do not line up: places are cut differently in each row."
            )
    terms.caption(
        "A tokenizer that cuts digits in threes from the left cuts 1234 as 123|4: its first token "
        "means hundreds there, and hundreds of thousands in 123456. From the right, the same "
        "vocabulary has groups that line up. Commas do that, too, but they are another text with "
        "more tokens. Singh and Strouse (2024) report that models add better with commas, Zheng "
        "and others (2025) with such ids. Both need the model, so they aren’t computed here."
    )


# --- A price --------------------------------------------------------------------------------------


def _price(model: PublishedTokenizer, text: str, special: Special) -> None:
    first, second = st.columns(2)
    with first:
        splits = whole_number("Tokens to split in two", 0, MAX_UNITS, 3, key="splits")
    with second:
        per_million = costs.price("Output price, in $ per million tokens", "output_price")
    ways = call_or_end_page(model, apply_to_loaded, finding.priced_ways, text, special, splits)
    count = max(len(ways.own.ids), 1)
    table = [
        (title, len(one.ids), f"× {len(one.ids) / count:.2f}", _cost(one, per_million))
        for title, one in (
            (OWN, ways.own),
            ("A few tokens split in two", ways.split),
            ("Most tokens", ways.longest),
        )
    ]
    st.markdown(
        f"All three are the same {count_of(ways.characters, 'character')}. Paid by the token, the "
        f"longest costs **{len(ways.longest.ids) / count:.2f} times** as much; paid by the "
        "character, they cost the same."
    )
    st.html(plain_table("The price of one text", ("", "tokens", "times", "price"), table))
    for title, one in (("A few tokens split in two", ways.split), ("Most tokens", ways.longest)):
        hidden = len(one.ids) - MAX_TILES
        more = f", and {count_of(hidden, 'more token')}" if hidden > 0 else ""
        st.caption(f"{title}{more}")
        here = slice(MAX_TILES)
        new = [n for n in one.new if n < MAX_TILES]
        st.html(html_tiles(one.tokens[here], ids=one.ids[here], new=new, label=title))
    terms.caption(
        "You see the text of an answer, and the number of tokens on the bill. Velasco and others "
        "(2025) point out that you can’t check that number: a longer segmentation is the same "
        "text. Their heuristic splits the token with the highest id in two, a few times, and "
        "reports the result if the model could have written it. The splits are shown here; whether "
        "the model could have written them needs the model. They show that it could be done, not "
        "that any provider does it, and propose to pay by the character."
    )


def _cost(one: ShownTokens, per_million: float | None) -> str:
    return costs.dollars(None if per_million is None else len(one.ids) * per_million / 1e6)
