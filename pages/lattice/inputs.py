"""What the lattice page asks for: the text, the pieces, a path of one's own.

A path of one's own is written as the text with bars where it is cut: `hel|lo`. That is also what
the address holds, whether it was written, chosen from the list or clicked in the picture.
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
from pages.shared.controls.short_text import line, short_text
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
LEARNED = {"pieces_from": "learned", "cut_by": "learned", "prior": "", "cut": "", "odds": ""}
"""What is chosen where learned pieces take the place of others, but the text stays."""
LONGEST_CHANGES = 1_000  # characters
LONGEST_FIRST = 12  # characters of the word that is shown first
FIRST_AHEAD = "unbelievably"
OPENING = "simplest"  # `simple` and `st` are nearly as good as `simpl` and `est`
WHOLE = ("none", "metaspace")  # ways to words that lose nothing between them


@dataclass(frozen=True, slots=True)
class Pieces:
    """Pieces with their log probabilities in nats, and what an unknown character costs."""

    log_probs: Mapping[str, float]
    prior: Mapping[int, float]

    @property
    def unknown(self) -> float:
        """The log probability of a character that is no piece."""
        return min(self.log_probs.values(), default=0.0) - UNKNOWN_PENALTY

    def that_occur(self, text: str) -> dict[str, float]:
        """Return those of them that occur in a text."""
        longest = max(map(len, self.log_probs), default=0)
        parts = (text[i : i + n] for i in range(len(text)) for n in range(1, longest + 1))
        return {part: self.log_probs[part] for part in parts if part in self.log_probs}


def changed(log_probs: Mapping[str, float], changes: Mapping[str, float]) -> dict[str, float]:
    """Return the log probabilities with some probabilities changed; one of 0 takes a piece away.

    >>> changed({"a": -1.0, "b": -2.0}, {"a": 0, "c": 1.0})
    {'b': -2.0, 'c': 0.0}
    """
    new = dict(log_probs)
    for piece, probability in changes.items():
        if probability:
            new[piece] = math.log(probability)
        else:
            new.pop(piece, None)
    return new


def read_changes(text: str, example: str = "piece 0.2") -> dict[str, float]:
    """Return the changes that somebody has written: pieces, each followed by its probability.

    >>> read_changes("hell 0.2 lo 3/16")
    {'hell': 0.2, 'lo': 0.1875}

    Raises ValueError, in a sentence, where a probability is missing (with an `example`) or none.
    """
    words = text.split()
    if len(words) % 2:
        raise UserError(f"“{words[-1]}” has no probability after it. Write: {example}")
    pairs = zip(words[::2], words[1::2], strict=True)
    return {piece: _probability(number, piece) for piece, number in pairs}


def _probability(number: str, piece: str) -> float:
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


def write_changes(changes: Mapping[str, float]) -> str:
    """Return changes as they are written.

    >>> write_changes({"hell": 0.2, "lo": 0})
    'hell 0.2 lo 0'
    """
    return " ".join(f"{piece} {number:.6g}" for piece, number in changes.items())


def read_prior(text: str) -> dict[int, float]:
    """Return a prior on the number of pieces: numbers, each followed by its probability.

    >>> read_prior("1 0.9 3 0.1")
    {1: 0.9, 3: 0.1}

    Raises ValueError, in a sentence, for a number that is none, or no probability.
    """
    prior, example = {}, "1 0.9 3 0.1"
    for length, probability in read_changes(text, example).items():
        if not length.isascii() or not length.isdigit() or len(length) > 6:
            raise UserError(f"“{length}” is not a number of pieces. Write: {example}")
        prior[int(length)] = probability
    return prior


def write_prior(prior: Mapping[int, float]) -> str:
    """Return a prior as it is written."""
    return write_changes({str(length): probability for length, probability in prior.items()})


# --- A path of one's own --------------------------------------------------------------------------


def written(lattice: Lattice, edges: Sequence[int]) -> str:
    """Return the text with bars around these edges.

    >>> written(Lattice.build("hello", {"he": -1, "ll": -1}), [1])
    'he|ll|o'
    """
    cuts = {at for n in edges for at in (lattice.edges[n].start, lattice.edges[n].end)}
    text = lattice.text
    return "".join(BAR * (0 < at < len(text) and at in cuts) + text[at] for at in range(len(text)))


def segments(text: str, cut: str) -> list[str] | None:
    """Return the parts into which bars cut the text; None if it is another text.

    What cannot be seen may be written as it is shown: a space as `·`.

    >>> segments("hello", "he||llo|"), segments("a|b", "a||b"), segments("hello", "hallo")
    (['he', 'llo'], ['a|', 'b'], None)
    >>> segments("a b", "a|·|b")
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


def edges_of(lattice: Lattice, parts: Sequence[str]) -> Path:
    """Return the edges that are these parts of the text; fewer where some part is no piece."""
    edges, at = [], 0
    for part in parts:
        if at < len(lattice.text):
            edges += [n for n in lattice.leaving[at] if lattice.edges[n].end == at + len(part)]
        at += len(part)
    return tuple(edges)


# --- The controls ---------------------------------------------------------------------------------


def vocabulary() -> tuple[str, Vocabulary | None]:
    """Ask which pieces to cut by, and return the name of the choice, with its example if it is one.

    The others were learned from a text: `LEARNED_FROM` ahead, "learned" on the page.
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


def of_example(example: Vocabulary) -> Pieces:
    """Return the pieces of an example."""
    logs = {piece: math.log(probability) for piece, probability in example.pieces.items()}
    return Pieces(logs, example.prior)


def ahead() -> tuple[str, Pieces, Pipeline]:
    """Return the name of the pieces that were trained ahead, themselves, and how words are cut."""
    model = open_trained("unigram")
    assert isinstance(model, unigram.Model)
    return VOCABULARY_NAMES[LEARNED_FROM], Pieces(model.log_probs, {}), model.pipeline


def learned(trace: UnigramTrace) -> tuple[str, Pieces]:
    """Ask after which step of a training run; return the name and the pieces as they are then."""
    last = len(trace)
    step = whole_number("After step (0: at the end)", 0, last, 0, key="round") or last
    when = "" if step == last else f", after step {step:,} of {last:,}"
    return f"Trained on a text{when}", Pieces(trace.state(step), {})


def a_word_of(trace: UnigramTrace) -> str:
    """Return a word of the corpus to begin with: the longest that can be taken in at once."""
    words = [word for word in trace.word_counts if len(word) <= LONGEST_FIRST]
    return max(words, key=len, default="")


def begin_with(prior: Mapping[int, float]) -> None:
    """Put in place what goes with pieces that were just chosen, but for what a link asks for."""
    chosen = st.session_state["pieces_from"]
    if chosen == st.session_state.setdefault("cut_by", chosen):
        return
    st.session_state["cut_by"] = chosen
    if url_state.incoming("say") is None:
        user_text.set_split_text(None)  # as other examples do, they bring along a text of their own
    for name, value in {"prior": write_prior(prior), "cut": "", "odds": ""}.items():
        if url_state.incoming(name) in (None, st.session_state.get(name)):
            st.session_state[name] = value


def text_to_cut(default: str, opening: str, pipeline: Pipeline) -> str:
    """Ask for the text and return it as the pieces see it: its words, if they may not join them.

    `default` and `opening` are the texts to begin with, as in `short_text`.
    """
    text = short_text("Text to split", default, key="say", bare_url_default=opening)
    words = pipeline(text).words
    if pipeline.pre_tokenizer in WHOLE or len(words) < 2:
        return "".join(words)
    return choice("Word", {word: show_spaces(word) for word in words}, words[0], key="word_cut")


def with_changes(pieces: Pieces, beside: DeltaGenerator) -> Pieces:
    """Ask for changes of probabilities and return the pieces with them.

    What is wrong with them is said `beside`: the box may stand in a popover that is closed.
    """
    text = line(
        "Change probabilities",
        LONGEST_CHANGES,
        key="odds",
        placeholder="for example: hell 0.2 lo 0",
        hint="A piece and its new probability, as many as you like. A 0 removes the piece.",
    )
    try:
        changes = read_changes(text)
    except ValueError as error:
        beside.error(escape_markdown(user_message(error)))
        return pieces
    return Pieces(changed(pieces.log_probs, changes), pieces.prior)


def in_words(pieces: Pieces) -> str:
    """Return how many pieces there are and what their probabilities sum to, in one line."""
    if not pieces.log_probs:
        return "no pieces are left: every character is unknown"
    total = math.fsum(math.exp(log) for log in pieces.log_probs.values())
    said = f"{count_of(len(pieces.log_probs), 'piece')}; their probabilities sum to {total:.4g}"
    if math.isclose(total, 1, rel_tol=1e-6):
        return said
    return f"{said}, not to 1: we still find the best path, and shares are shares of the sum"


def own(lattice: Lattice) -> tuple[list[str] | None, Path]:
    """Return the parts of the path of one's own, and the edges among them.

    The parts are None while nothing is written, or another text.
    """
    # On arrival the box, which comes further down, has not read the address yet.
    cut = st.session_state.get("cut", st.query_params.get("cut", ""))
    parts = segments(lattice.text, cut) or None
    return parts, edges_of(lattice, parts) if parts else ()


def keep(lattice: Lattice, edges: Path) -> None:
    """Take a path that was clicked or chosen for one's own."""
    st.session_state["cut"] = written(lattice, edges) if edges else ""


def follow(lattice: Lattice, film: str, laid: Path) -> Path:
    """Return the edges of the path of one's own to draw, once a new one that was `laid` is kept.

    `laid` are the edges that are chosen in the picture of this film.
    """
    before, known = st.session_state.get("laid", (film, laid))
    if before == film and known != laid:
        keep(lattice, laid)
    _, edges = own(lattice)
    st.session_state["laid"] = (film, edges)
    return edges
