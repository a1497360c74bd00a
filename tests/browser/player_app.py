"""A small app around the player, for the browser tests: `?recording=...&step=...`.

A `then=recording=rich&step=5` in the address is a button that changes the address by this. With
`busy=5` what a run at step 5 writes to the address arrives half a second later.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from urllib.parse import parse_qs

import streamlit as st

from lessons.format.words import RichText
from pages.shared.controls import url_state
from pages.shared.player import (
    Guide,
    current_rule,
    go_to_step,
    player,
    set_user_path,
    user_path,
)
from pages.shared.recording.frame_types import (
    Arc,
    Column,
    Frame,
    JumpTarget,
    LatticeFrame,
    NoteFrame,
    PicturePart,
    Recording,
    StepQuestion,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
)
from tests.browser.busy_server import keep_server_busy
from tests.recordings import record_frames
from tokenizers.lattice import (
    Lattice,
    NodeScore,
    best_path,
    forward_steps,
    posteriors,
    viterbi_steps,
)

Words = dict[tuple[str, ...], int]
PARTS = (
    PicturePart("table", "Pairs before this merge", (
        Column("pair", "tokens"), Column("count", "number"), Column("", "bar"),
    ), when="before"),
    PicturePart("strips", "Words after it"),
    PicturePart("note", ""),
)  # fmt: skip
CLASSIC = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
RICH = {
    "internationalization": 9,
    "characteristically": 8,
    "हिन्दी": 7,
    "السلام": 6,
    "👩🏽‍🚀🚀🎉🎉": 5,
    "<b>bold</b>": 5,
    "**stars**": 4,
    "<script>alert(1)</script>": 4,
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenfx": 3,
    "transubstantiation": 2,
    "Straßenbahn fährt": 2,
    "naïve\u202ecafé": 2,
}


def pairs_of(words: Words) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for splits, count in words.items():
        for pair in pairwise(splits):
            counts[pair] += count
    return counts


def merged(splits: tuple[str, ...], pair: tuple[str, str]) -> tuple[tuple[str, ...], list[int]]:
    out: list[str] = []
    new: list[int] = []
    i = 0
    while i < len(splits):
        if splits[i : i + 2] == pair:
            new.append(len(out))
            out.append("".join(pair))
            i += 2
        else:
            out.append(splits[i])
            i += 1
    return tuple(out), new


def row_of(pair: tuple[str, str], count: int, best: tuple[str, str], top: int) -> TableRow:
    if pair == best:
        return TableRow(
            (pair, count, count), "now", ("It was seen most often: ", ("strong", str(top)))
        )
    if count == top:
        why = (("tie", "Tied"), f" at {count}; it lost on order to ", ("token", "".join(best)), ".")
        return TableRow((pair, count, count), "tied", why)
    return TableRow((pair, count, count), "", (f"It was seen {count} times, {top - count} fewer.",))


def frames_of(counts: dict[str, int], steps: int) -> Iterator[tuple[Frame, str]]:
    words: Words = {(*word, "</w>"): count for word, count in counts.items()}
    strips = StripsFrame(tuple(TokenStrip(f"{n} ×", w, w) for w, n in words.items()))
    start = Frame(
        ("Every word is split into characters.",), (TableFrame(()), strips, NoteFrame(()))
    )
    yield start, ""
    for _ in range(steps):
        pairs = pairs_of(words).most_common()
        if not pairs:
            return
        best, top = pairs[0]
        tied = [pair for pair, count in pairs if count == top]
        after = {word: merged(word, best) for word in words}
        table = TableFrame(
            tuple(row_of(pair, count, best, top) for pair, count in pairs[:9]),
            more=f"{len(pairs) - 9} more, counts 1 to {pairs[9][1]}" if len(pairs) > 9 else "",
        )
        strips = StripsFrame(tuple(
            TokenStrip(f"{n} ×", w, after[w][0], tuple(after[w][1]), bool(after[w][1]))
            for w, n in words.items()
        ))  # fmt: skip
        tokens = sum(len(splits) * words[word] for word, (splits, _) in after.items())
        token = "".join(best)
        tie = (" ", ("tie", f"{len(tied)} pairs are tied"), "; the first seen wins.")
        sentence = (
            "Merge ", ("token", best[0]), " and ", ("token", best[1]), " into ", ("new", token),
            ": seen ", ("strong", str(top)), " times, the most often in ",
            ("word", next("".join(w[:-1]) if w[-1] == "</w>" else "".join(w)
                          for w in words if after[w][1])), ".",
            *(tie if len(tied) > 1 else ()),
        )  # fmt: skip
        options = tuple(sorted(pair for pair, _ in pairs[:5]))
        correct = tuple(i for i, pair in enumerate(options) if pair in tied)
        why = (("token", best[0]), ("token", best[1]), f" is seen {top} times, none more often.")
        question = StepQuestion(("Which pair is merged next?",), options, correct, why)
        note = NoteFrame((f"{tokens} tokens in all.",))
        yield Frame(sentence, (table, strips, note), question), token
        words = {after[word][0]: count for word, count in words.items()}


def bpe_recording(counts: dict[str, int], steps: int) -> Recording:
    frames, created = zip(*frames_of(counts, steps), strict=True)
    ties = [k for k, f in enumerate(frames) if f.question and len(f.question.correct) > 1]
    tops = [frame.sentence[7] for frame in frames[1:]]  # how often the pair was seen
    falls = [k + 2 for k, (one, other) in enumerate(pairwise(tops)) if one != other]
    marks = (
        JumpTarget("there is a tie", tuple(ties), has_tick=True),
        JumpTarget("the count falls", tuple(falls)),
    )
    return record_frames("BPE", PARTS, frames, marks, (), created[1:])


def long_recording(last: int, rows: int = 10) -> Recording:
    """An invented recording: full frames, cheap to make, each saying its own number."""

    def frame(k: int) -> Frame:
        texts = [f"t{(k + i) % 3000}" for i in range(12)]
        table = tuple(
            TableRow(((texts[i], texts[i + 1]), 100 - i, 100 - i), "now" if i == 0 else "",
                (f"Row {i} of step {k}.",))
            for i in range(rows)
        )  # fmt: skip
        strips = tuple(
            TokenStrip(f"{i} ×", tuple(texts), tuple(texts[1:]), (i,), i % 2 == 0)
            for i in range(rows)
        )
        sentence = ("Step number ", ("strong", str(k)), " makes ", ("new", f"t{k}"), ".")
        parts = (TableFrame(table, "and more"), StripsFrame(strips), NoteFrame((f"Note {k}",)))
        return Frame(sentence, parts)

    ticks = JumpTarget("it is a round number", tuple(range(0, last + 1, 100)), has_tick=True)
    created = [f"t{k}" for k in range(1, last + 1)]
    return record_frames("long", PARTS, map(frame, range(last + 1)), (ticks,), (), created)


HELLO = {
    "h": -2.9, "e": -1.5, "l": -1.6, "o": -2.0, "he": -1.6, "el": -2.5, "lo": -2.2, "ll": -2.3,
    "hell": -2.1,
}  # fmt: skip
LATTICES = {
    "hello": "hello",
    "twelve": "tokenization",
    "sixty": "the international organization of unbelievable tokenizations",
    "huge": "the international organization of unbelievable tokenizations" * 4,
    "hindi": "हिन्दी",
    "emoji": "👩🏽‍🚀🎉🎉",
    "arabic": "السلام عليكم",
    "marks": "e\u0301a\u0308o\u0302\u0301",
    "unknown": "aßa",
    "hostile": "<b>&amp;</b>\u202e*x*",
}
RULES = ("Best path (max)", "All paths (sum)")
LATTICE_COLUMNS = (Column("piece", "tokens"), Column("total", "number"), Column("", "bar"))


SHARED = ("to", "ok", "en", "ni", "iz", "at", "ti", "on", "io", "tok", "ken", "ion", "ati", "iza")
TOKENIZATION = (*"tokeniza", *SHARED, "token", "tion", "zation", "ization")


def invented_pieces(text: str, share: int = 90) -> dict[str, float]:
    """Every character, and of the longer pieces some: the shorter the more."""
    pieces = {}
    for start in range(len(text)):
        for end in range(start + 1, min(start + 10, len(text)) + 1):
            piece = text[start:end]
            luck = sum(ord(char) * 31**i for i, char in enumerate(piece)) % 97
            if len(piece) == 1 or luck < share - 12 * min(len(piece), 7):
                pieces[piece] = -(2.5 + len(piece) * 0.9 + luck / 40)
    return pieces


def pieces_for(name: str, text: str) -> dict[str, float]:
    if name == "hello":
        return HELLO
    if name == "unknown":
        return {"a": -1.0}
    if name == "twelve":
        return {piece: -2.5 - 0.3 * len(piece) - ord(piece[-1]) % 7 / 5 for piece in TOKENIZATION}
    return invented_pieces(text, 120 if name == "huge" else 90)


def lattice_frame(
    lattice: Lattice, step: NodeScore, states: str, values: list[float], why: tuple[RichText, ...]
) -> Frame:
    """The frame of one arrival, at which the arcs are in these states."""
    totals = [round(total, 2) for total in step.totals]
    rows = tuple(
        TableRow(((lattice.edges[n].piece,), total, 10 + total), "now" if n == step.best else "")
        for n, total in zip(step.edges, totals, strict=True)
    )
    shares = "".join(str(int(9 * share)) for share in posteriors(lattice))
    nodes = [f"{value:.2f}".replace("-", "−") for value in values[: step.position + 1]]
    nodes += [""] * (len(values) - len(nodes))
    best = lattice.edges[step.best or 0].piece
    options = tuple((lattice.edges[n].piece,) for n in step.edges)
    right = (step.edges.index(step.best or 0),)
    question = StepQuestion(
        (f"Which piece wins at position {step.position}?",), options, right, ("It costs least.",)
    )
    sentence = (f"Position {step.position}: ", ("token", best), " arrives with the most.")
    picture = LatticeFrame(states, shares, tuple(nodes), step.position, why)
    parts = (picture, TableFrame(rows), NoteFrame((f"{len(rows)} arrive.",)))
    return Frame(sentence, parts, question)


def lattice_frames(lattice: Lattice, is_sum: bool) -> Iterator[Frame]:
    steps = list(forward_steps(lattice) if is_sum else viterbi_steps(lattice))
    values = [0.0, *(step.value for step in steps)]
    states = ["."] * len(lattice.edges)
    why: list[RichText] = [("Not looked at yet.",)] * len(states)
    none = ("",) * len(steps)
    start = LatticeFrame("".join(states), "4" * len(states), ("0", *none), 0, tuple(why))
    name = "All paths" if is_sum else "The best path"
    yield Frame((f"{name}, from the left.",), (start, TableFrame(()), NoteFrame(())))
    for step in steps:
        for n in step.edges:
            states[n] = "c" if is_sum or n != step.best else "n"
            lag = step.value - step.totals[step.edges.index(n)]
            why[n] = (f"{lag:.2f} nats behind at position {step.position}.",)
        yield lattice_frame(lattice, step, "".join(states), values, tuple(why))
        for n in step.edges:
            states[n] = "k" if is_sum or n == step.best else "o"
    path = best_path(lattice) or ()
    ends = "".join("b" if n in path else state for n, state in enumerate(states))
    nodes = tuple(f"{value:.2f}".replace("-", "−") for value in values)
    whole = LatticeFrame(ends, "4" * len(ends), nodes)
    yield Frame((f"{name} is known.",), (whole, TableFrame(()), NoteFrame(())))


def lattice_recording(name: str) -> Recording:
    text = LATTICES[name]
    lattice = Lattice.build(text, pieces_for(name, text), unknown=-9.0)
    arcs = tuple(
        Arc(
            edge.start, edge.end, edge.piece,
            f"{edge.log_prob:.2f}".replace("-", "−"),
            edge.known,
        )
        for edge in lattice.edges
    )  # fmt: skip
    parts = (
        PicturePart("lattice", "Every piece that fits, and its log probability in nats",
             letters=tuple(text), arcs=arcs),
        PicturePart("table", "What arrives", LATTICE_COLUMNS, side="right"),
        PicturePart("note", ""),
    )  # fmt: skip
    by_sum = lattice_frames(lattice, True)
    frames = [
        Frame(one.sentence, one.parts, one.question, other)
        for one, other in zip(lattice_frames(lattice, False), by_sum, strict=True)
    ]
    return record_frames(name, parts, frames, (), RULES)


@st.cache_resource
def recording_named(name: str) -> Recording:
    match name:
        case name if name in LATTICES:
            return lattice_recording(name)
        case "rich":
            return bpe_recording(RICH, 150)
        case "long":
            return long_recording(2000)
        case "longer":
            return long_recording(6000, rows=2)
    return bpe_recording(CLASSIC, 30)


def to_address(query: str) -> None:
    st.query_params.update(parse_qs(query))
    st.session_state["moves"] = True  # as if somebody had gone back


def stage(key: str, name: str) -> None:
    step = int(st.query_params.get("step", 0))
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    recording = recording_named(name)
    if given := st.session_state.pop("given", None):
        set_user_path(key, recording, given)
    params = {"step": "step", "rule": "sum"}
    asked = {name: url_state.incoming(param) for name, param in params.items()}
    rest = player(
        recording,
        key=key,
        step=step,
        step_param="step",
        rule=int(st.query_params.get("sum", current_rule(key))),
        rule_param="sum",
        address={name: int(value) for name, value in asked.items() if value is not None},
        is_own_address=not st.session_state.pop("moves", False),
        guide=Guide(
            tuple(st.query_params.get_all("spot")),
            int(st.query_params["until"]) if "until" in st.query_params else None,
        ),
    )
    url_state.set_param("step", str(rest) if rest else None)
    if str(rest) == st.query_params.get("busy"):
        keep_server_busy()
        url_state.set_param("was", "busy")
    st.text(f"rests at {rest}, run {runs}")
    st.text(f"rule {current_rule(key)}, path {user_path(key, recording)}")
    st.text_input("A text box")
    st.button("Run again")
    st.button("To step 3", on_click=go_to_step, args=(key, 3))
    st.button("To address 5", on_click=to_address, args=("step=5",))
    st.button("Give a path", on_click=lambda: st.session_state.update(given=(0, 3)))
    st.button("Give another", on_click=lambda: st.session_state.update(given=(0,)))
    for query in st.query_params.get_all("then"):
        st.button(f"Then {query}", on_click=to_address, args=(query,))


def first() -> None:
    stage("first", st.query_params.get("recording", "classic"))


def second() -> None:
    stage("second", "long")


def third() -> None:
    stage("third", "hello")


if __name__ == "__main__":  # not when doctests are looked for
    st.set_page_config(layout="wide")
    pages = [st.Page(first, default=True), st.Page(second), st.Page(third)]
    st.navigation(pages, position="top").run()
