"""A small app around the player, for the browser tests: `?film=...&step=...&presenter=1`."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import streamlit as st

from pages.figures.film import (
    Ask,
    Column,
    Film,
    Frame,
    Mark,
    NoteAt,
    Part,
    Row,
    Strip,
    StripsAt,
    TableAt,
    make_film,
)
from pages.widgets.player import move, player

Words = dict[tuple[str, ...], int]
PARTS = (
    Part("table", "Pairs before this step", (
        Column("pair", "tokens"), Column("count", "number"), Column("", "bar"),
    ), when="before"),
    Part("strips", "Words after it"),
    Part("note", ""),
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


def row_of(pair: tuple[str, str], count: int, best: tuple[str, str], top: int) -> Row:
    if pair == best:
        return Row((pair, count, count), "now", ("It was seen most often: ", ("strong", str(top))))
    if count == top:
        why = (("tie", "Tied"), f" at {count}; it lost on order to ", ("token", "".join(best)), ".")
        return Row((pair, count, count), "tied", why)
    return Row((pair, count, count), "", (f"It was seen {count} times, {top - count} fewer.",))


def frames_of(counts: dict[str, int], steps: int) -> Iterator[Frame]:
    words: Words = {(*word, "</w>"): count for word, count in counts.items()}
    strips = StripsAt(tuple(Strip(f"{n} ×", w, w) for w, n in words.items()))
    yield Frame(("Every word is split into characters.",), (TableAt(()), strips, NoteAt(())))
    for _ in range(steps):
        pairs = pairs_of(words).most_common()
        if not pairs:
            return
        best, top = pairs[0]
        tied = [pair for pair, count in pairs if count == top]
        after = {word: merged(word, best) for word in words}
        table = TableAt(
            tuple(row_of(pair, count, best, top) for pair, count in pairs[:9]),
            more=f"{len(pairs) - 9} more, counts 1 to {pairs[9][1]}" if len(pairs) > 9 else "",
        )
        strips = StripsAt(tuple(
            Strip(f"{n} ×", w, after[w][0], tuple(after[w][1]), bool(after[w][1]))
            for w, n in words.items()
        ))  # fmt: skip
        tokens = sum(len(splits) * words[word] for word, (splits, _) in after.items())
        token = "".join(best)
        tie = (" ", ("tie", f"{len(tied)} pairs are tied"), "; the first seen wins.")
        say = (
            "Merge ", ("token", best[0]), " and ", ("token", best[1]), " into ", ("new", token),
            ": seen ", ("strong", str(top)), " times, the most often in ",
            ("word", next("".join(w[:-1]) if w[-1] == "</w>" else "".join(w)
                          for w in words if after[w][1])), ".",
            *(tie if len(tied) > 1 else ()),
        )  # fmt: skip
        options = tuple(sorted(pair for pair, _ in pairs[:5]))
        right = tuple(i for i, pair in enumerate(options) if pair in tied)
        why = (("token", best[0]), ("token", best[1]), f" is seen {top} times, none more often.")
        ask = Ask(("Which pair is merged next?",), options, right, why)
        yield Frame(say, (table, strips, NoteAt((f"{tokens} tokens in all.",))), token, ask)
        words = {after[word][0]: count for word, count in words.items()}


def bpe_film(counts: dict[str, int], steps: int) -> Film:
    frames = list(frames_of(counts, steps))
    ties = [k for k, f in enumerate(frames) if f.ask and len(f.ask.right) > 1]
    tops = [frame.say[7] for frame in frames[1:]]  # how often the pair was seen
    falls = [k + 2 for k, (one, other) in enumerate(pairwise(tops)) if one != other]
    marks = (Mark("there is a tie", tuple(ties), tick=True), Mark("the count falls", tuple(falls)))
    return make_film("BPE", PARTS, frames, marks)


def long_film(last: int, rows: int = 10) -> Film:
    """An invented film: full frames, cheap to make, each saying its own number."""

    def frame(k: int) -> Frame:
        texts = [f"t{(k + i) % 3000}" for i in range(12)]
        table = tuple(
            Row(((texts[i], texts[i + 1]), 100 - i, 100 - i), "now" if i == 0 else "",
                (f"Row {i} of step {k}.",))
            for i in range(rows)
        )  # fmt: skip
        strips = tuple(
            Strip(f"{i} ×", tuple(texts), tuple(texts[1:]), (i,), i % 2 == 0) for i in range(rows)
        )
        say = ("Step number ", ("strong", str(k)), " makes ", ("new", f"t{k}"), ".")
        parts = (TableAt(table, "and more"), StripsAt(strips), NoteAt((f"Note {k}",)))
        return Frame(say, parts, f"t{k}")

    ticks = Mark("it is a round number", tuple(range(0, last + 1, 100)), tick=True)
    return make_film("long", PARTS, (frame(k) for k in range(last + 1)), (ticks,))


@st.cache_resource
def film_called(name: str) -> Film:
    match name:
        case "rich":
            return bpe_film(RICH, 150)
        case "long":
            return long_film(2000)
        case "longer":
            return long_film(6000, rows=2)
    return bpe_film(CLASSIC, 30)


def stage(key: str, name: str) -> None:
    step = int(st.query_params.get("step", 0))
    runs = st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    presenter = "presenter" in st.query_params or st.session_state.get("large", False)
    rest = player(film_called(name), key=key, step=step, presenter=presenter)
    if rest != step:
        st.query_params["step"] = str(rest)
    st.text(f"rests at {rest}, run {runs}")
    st.text_input("A text box")
    st.button("Run again")
    st.checkbox("Large type", key="large")
    st.button("To step 3", on_click=move, args=(key, 3))
    st.button("To address 5", on_click=lambda: st.query_params.update(step="5"))


def first() -> None:
    stage("first", st.query_params.get("film", "classic"))


def second() -> None:
    stage("second", "long")


if __name__ == "__main__":  # not when doctests are looked for
    st.set_page_config(layout="wide")
    st.navigation([st.Page(first, default=True), st.Page(second)], position="top").run()
