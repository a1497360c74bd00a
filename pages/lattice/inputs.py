"""The lattice page's inputs, which are the text, the pieces and the user's own path.

The user's path is written as the text with bars where it is split, as in `hel|lo`. The URL has it
in this form whether it was typed, chosen from the list or clicked in the picture.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.texts import TEXTS, VOCABULARIES, Vocabulary
from lessons.trained import LEARNED_FROM, SIZE, open_trained
from pages.shared.controls import url_state, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input, short_text
from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.phrasing import count_of
from tokenizers import unigram
from tokenizers.errors import UserError, user_message
from tokenizers.lattice import Lattice, Path
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Pipeline
from tokenizers.unigram import UNKNOWN_PENALTY

BAR = "|"
VOCABULARY_NAMES = {id_: vocabulary.title for id_, vocabulary in VOCABULARIES.items()} | {
    LEARNED_FROM: f"Trained on {TEXTS[LEARNED_FROM].title}",
    "learned": "Trained on a text you choose",
}
SWITCH_TO_LEARNED = {
    "pieces_from": "learned",
    "cut_by": "learned",
    "prior": "",
    "cut": "",
    "odds": "",
}
"""URL parameters that switch to learned pieces and keep the text."""
LONGEST_CHANGES = 1_000  # characters
LONGEST_FIRST = 12  # characters of the word that is shown first
FIRST_PRETRAINED = "unbelievably"
OPENING_TEXT = "simplest"  # `simple` and `st` are nearly as good as `simpl` and `est`
WHOLE_TEXT_SPLITS = ("none", "metaspace")  # pre-tokenizers that keep all characters


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces with their log probabilities in nats, and a suggested prior on their number."""

    log_probs: Mapping[str, float]
    prior: Mapping[int, float]

    @property
    def unknown(self) -> float:
        """The log probability of a character that is not a piece."""
        return min(self.log_probs.values(), default=0.0) - UNKNOWN_PENALTY

    def occurring_in(self, text: str) -> dict[str, float]:
        """Return the pieces that occur in `text`, with their log probabilities."""
        longest = max(map(len, self.log_probs), default=0)
        parts = (text[i : i + n] for i in range(len(text)) for n in range(1, longest + 1))
        return {part: self.log_probs[part] for part in parts if part in self.log_probs}


def apply_changes(log_probs: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    """Return `log_probs` with the probabilities in `changes` applied; 0 removes a piece.

    >>> apply_changes({"a": -1.0, "b": -2.0}, {"a": 0, "c": 1.0})
    {'b': -2.0, 'c': 0.0}
    """
    new = dict(log_probs)
    for piece, probability in changes.items():
        if probability:
            new[piece] = math.log(probability)
        else:
            new.pop(piece, None)
    return new


def parse_changes(text: str, example: str = "piece 0.2") -> dict[str, float]:
    """Parse changes, which are pieces, each followed by its new probability.

    >>> parse_changes("hell 0.2 lo 3/16")
    {'hell': 0.2, 'lo': 0.1875}

    Raises UserError if a probability is missing (the message then shows `example`) or invalid.
    """
    words = text.split()
    if len(words) % 2:
        raise UserError(f"“{words[-1]}” has no probability after it. Write: {example}")
    pairs = zip(words[::2], words[1::2], strict=True)
    return {piece: _parse_probability(number, piece) for piece, number in pairs}


def _parse_probability(number: str, piece: str) -> float:
    above, _, below = number.partition("/")
    try:
        value = float(above) / float(below or 1)
    except (ValueError, ZeroDivisionError):
        value = math.nan
    if not 0 <= value <= 1:
        raise UserError(
            f"“{number}” is not a probability for “{piece}”. Write a number from 0 to 1, or 3/16."
        )
    return value


def format_changes(changes: Mapping[str, float]) -> str:
    """Return changes as the user would type them.

    >>> format_changes({"hell": 0.2, "lo": 0})
    'hell 0.2 lo 0'
    """
    return " ".join(f"{piece} {number:.6g}" for piece, number in changes.items())


def parse_prior(text: str) -> dict[int, float]:
    """Parse a prior on the number of pieces, written as numbers, each with its probability.

    >>> parse_prior("1 0.9 3 0.1")
    {1: 0.9, 3: 0.1}

    Raises UserError if a number of pieces or a probability is invalid.
    """
    prior, example = {}, "1 0.9 3 0.1"
    for length, probability in parse_changes(text, example).items():
        if not length.isascii() or not length.isdigit() or len(length) > 6:
            raise UserError(f"“{length}” is not a number of pieces. Write: {example}")
        prior[int(length)] = probability
    return prior


def format_prior(prior: Mapping[int, float]) -> str:
    """Return a prior as the user would type it."""
    return format_changes({str(length): probability for length, probability in prior.items()})


# --- The user's path ------------------------------------------------------------------------------


def format_path(lattice: Lattice, edges: Sequence[int]) -> str:
    """Return the text with bars around the pieces of `edges`.

    >>> format_path(Lattice.build("hello", {"he": -1, "ll": -1}), [1])
    'he|ll|o'
    """
    cuts = {at for n in edges for at in (lattice.edges[n].start, lattice.edges[n].end)}
    text = lattice.text
    return "".join(BAR * (0 < at < len(text) and at in cuts) + text[at] for at in range(len(text)))


def parse_path(text: str, cut: str) -> list[str] | None:
    """Return the parts between the bars of `cut`; None if `cut` is not `text` with bars.

    An invisible character may be written as it is displayed, e.g. a space as `·`.

    >>> parse_path("hello", "he||llo|"), parse_path("a|b", "a||b"), parse_path("hello", "hallo")
    (['he', 'llo'], ['a|', 'b'], None)
    >>> parse_path("a b", "a|·|b")
    ['a', ' ', 'b']
    """
    parts, at, rest = [""], 0, cut
    while rest:
        forms = (text[at], show_spaces(text[at])) if at < len(text) else ()
        form = next((form for form in forms if rest.startswith(form)), "")
        if form:
            parts[-1] += text[at]
            at += 1
        elif rest.startswith(BAR):
            parts.append("")
        else:
            return None
        rest = rest[len(form or BAR) :]
    return [part for part in parts if part] if at == len(text) else None


def find_edges(lattice: Lattice, parts: Sequence[str]) -> Path:
    """Return the edges for these parts of the text; parts that are not pieces have no edge."""
    edges, at = [], 0
    for part in parts:
        if at < len(lattice.text):
            edges += [n for n in lattice.leaving[at] if lattice.edges[n].end == at + len(part)]
        at += len(part)
    return tuple(edges)


# --- The controls ---------------------------------------------------------------------------------


def choose_vocabulary() -> tuple[str, Vocabulary | None]:
    """Ask for the vocabulary; return its id and, for an example vocabulary, the example.

    The other ids mean pieces that are pretrained (`LEARNED_FROM`) or trained here ("learned").
    """
    first = next(iter(VOCABULARIES))
    id_ = choice(
        "Pieces", VOCABULARY_NAMES, first, key="pieces_from", bare_url_default=LEARNED_FROM
    )
    example = VOCABULARIES.get(id_)
    if example:
        st.caption(example.note)
    elif id_ == LEARNED_FROM:
        size = len(TEXTS[id_].text or "")
        st.caption(f"{SIZE:,} pieces, trained ahead on {size:,} characters of English.")
    return id_, example


def example_pieces(example: Vocabulary) -> Pieces:
    """Return the pieces of an example vocabulary."""
    logs = {piece: math.log(probability) for piece, probability in example.pieces.items()}
    return Pieces(logs, example.prior)


def pretrained_pieces() -> tuple[str, Pieces, Pipeline]:
    """Return the name of the pretrained pieces, the pieces, and their pipeline."""
    model = open_trained("unigram")
    assert isinstance(model, unigram.Model)
    return VOCABULARY_NAMES[LEARNED_FROM], Pieces(model.log_probs, {}), model.pipeline


def learned_pieces(trace: UnigramTrace) -> tuple[str, Pieces]:
    """Ask for a step of a training run; return the name and the pieces after that step."""
    last = len(trace)
    step = whole_number("After step (0: at the end)", 0, last, 0, key="round") or last
    when = "" if step == last else f", after step {step:,} of {last:,}"
    return f"Trained on a text{when}", Pieces(trace.state(step), {})


def pick_first_word(trace: UnigramTrace) -> str:
    """Return the corpus word to show first, the longest one of at most `LONGEST_FIRST` letters."""
    words = [word for word in trace.word_counts if len(word) <= LONGEST_FIRST]
    return max(words, key=len, default="")


def reset_for_pieces(prior: Mapping[int, float]) -> None:
    """Reset the inputs that depend on the pieces when these change, except those set by a link."""
    chosen = st.session_state["pieces_from"]
    if chosen == st.session_state.setdefault("cut_by", chosen):
        return
    st.session_state["cut_by"] = chosen
    if url_state.incoming("say") is None:
        user_text.set_split_text(None)  # pieces bring their own text, as examples do
    for name, value in {"prior": format_prior(prior), "cut": "", "odds": ""}.items():
        if url_state.incoming(name) in (None, st.session_state.get(name)):
            st.session_state[name] = value


def text_input(row: DeltaGenerator, default: str, opening: str, pipeline: Pipeline) -> str:
    """Ask in `row` for the text; return it, or one of its words if pieces cannot span words.

    `default` is the initial text; `opening`, if not "", is shown instead under the page's bare URL.
    """
    text = short_text("Text to split", default, key="say", bare_url_default=opening, row=row)
    words = pipeline(text).words
    if pipeline.pre_tokenizer in WHOLE_TEXT_SPLITS or len(words) < 2:
        return "".join(words)
    labels = {word: show_spaces(word) for word in words}
    with row:
        return choice("Word", labels, words[0], key="word_cut", label_visibility="collapsed")


def changes_input(pieces: Pieces, error_slot: DeltaGenerator) -> Pieces:
    """Ask for changed probabilities and return the pieces with them.

    Errors appear in `error_slot`, because the text box may be in a closed popover.
    """
    text = line_input(
        "Change probabilities",
        LONGEST_CHANGES,
        key="odds",
        placeholder="for example: hell 0.2 lo 0",
        hint="A piece and its new probability, as many as you like. A 0 removes the piece.",
    )
    try:
        changes = parse_changes(text)
    except ValueError as error:
        error_slot.error(escape_markdown(user_message(error)))
        return pieces
    return Pieces(apply_changes(pieces.log_probs, changes), pieces.prior)


def describe_pieces(pieces: Pieces) -> str:
    """Return a line that says how many pieces there are and what their probabilities sum to."""
    if not pieces.log_probs:
        return "no pieces are left: every character is unknown"
    total = math.fsum(math.exp(log) for log in pieces.log_probs.values())
    text = f"{count_of(len(pieces.log_probs), 'piece')}; their probabilities sum to {total:.4g}"
    if math.isclose(total, 1, rel_tol=1e-6):
        return text
    return f"{text}, not to 1: we still find the best path, and shares are shares of the sum"


def user_path(lattice: Lattice) -> tuple[list[str] | None, Path]:
    """Return the parts of the user's path and their edges.

    The parts are None as long as the user has typed nothing or another text.
    """
    # On the first run the text box, further down the page, has not read the URL yet.
    cut = st.session_state.get("cut", st.query_params.get("cut", ""))
    parts = parse_path(lattice.text, cut) or None
    return parts, find_edges(lattice, parts) if parts else ()


def set_user_path(lattice: Lattice, edges: Path) -> None:
    """Make a path that the user clicked or chose the user's path."""
    st.session_state["cut"] = format_path(lattice, edges) if edges else ""
