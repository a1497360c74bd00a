"""The corpus line: what is trained on, folded to one row, and the box in which to change it."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import trained
from lessons.texts import TEXTS
from pages.shared.controls import settings, url_state, user_text
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line
from pages.shared.controls.sources import USER_TEXT, is_chosen_by_hand, source
from pages.shared.corpus import uploads, user_table
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.limits import MOST_MERGES
from pages.shared.training.source import Source
from pages.shared.training.tokenizer_kinds import large_said
from pages.shared.work import jobs, results
from tokenizers.errors import user_message
from tokenizers.text.corpus import Pipeline

AnySettings = TypeVar("AnySettings", bound=settings.AnySettings)
TABLE = "table"
CHANGE = "Change the training text"
NAMES = {id_: sample.title for id_, sample in TEXTS.items()} | {
    USER_TEXT: "Your own text",
    TABLE: "Your own table of words and counts",
}
SLOTS: dict[str, user_text.Slot] = {USER_TEXT: user_text.TRAINING, TABLE: user_text.TABLE}
LARGE = ("python", "prose", "languages")
LEARNED_FROM = {USER_TEXT: "this very text"} | {id_: TEXTS[id_].title for id_ in LARGE}
SUITED = {
    "base": "end_of_word",
    "end_mark": "</w>",
    "split": "punctuation",
    "merges": 200,
    "size": 60,
    "counted": 0,
    "seeds": "substrings",
}
"""The settings that suit a text nobody has seen before."""
PLAIN: settings.CorpusDefaults = {"pieces": 0, "rule": "score"}
"""What only tokenizers that were trained ahead have otherwise."""
BROUGHT = ("base", "end_mark", "split", "merges", *PLAIN)
LONGEST_FOLLOWED = 100  # characters of a word
MOST_SEEN = 20_000  # characters of a sample that are sent to the browser
A_MOMENT = 0.3  # seconds in which most tables are read: until then nothing is said
READING = "Reading the table …"
FIRST_TEXT = (
    "The lower the tide, the wider the shore. The lowest tides are the slowest, and the newest "
    "shells lie where the water was lowest."
)
FIRST_TABLE = "word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n"


def suited(corpus: str, ahead: str = "") -> Mapping[str, str | int]:
    """Return the settings that suit a corpus, or with which the kind `ahead` was trained ahead."""
    if corpus not in TEXTS:
        return SUITED | {"counted": int(corpus == TABLE)}
    sample = TEXTS[corpus]
    values = {"seeds": SUITED["seeds"], **sample.settings}
    alphabet = set(sample.text or "".join(sample.counts or ()))
    values["split"] = values["pre_tokenizer"]
    values["size"] = len(alphabet) + int(values["merges"]) // 2
    values["counted"] = int(sample.counts is not None)
    return values | (_ahead(ahead) if corpus == trained.LEARNED_FROM else {})


def _ahead(kind: str) -> dict[str, str | int]:
    """Return the settings with which a kind was trained ahead; for no kind, the size alone."""
    values: dict[str, str | int] = {"size": trained.SIZE}
    if kind:
        values |= {"merges": MOST_MERGES, "pieces": trained.SIZE, "rule": "hugging_face"}
        values["split"] = trained.SETTINGS[kind].pipeline.pre_tokenizer
    return values


def corpus_line(
    ask: Callable[[settings.CorpusDefaults], tuple[Pipeline, AnySettings]],
    first: str = "b2",
    row: tuple[DeltaGenerator, DeltaGenerator] | None = None,
    ahead: str = "",
) -> tuple[Source, Pipeline, AnySettings]:
    """Show what is trained on and how, and let it be changed; return it.

    `ask` is that of the algorithm, in settings.py; `first` the corpus of an address without one.
    `row` are the places of both, where a page has more in that row. With `ahead`, as in `suited`, a
    visit that asks for nothing begins with what was trained ahead.
    """
    left, right = row or st.columns([4, 1], vertical_alignment="center")
    below = st.container()
    told = url_state.incoming("corpus")
    if told is not None and told not in NAMES:
        _say_unknown(told, below)
    with right, st.popover(CHANGE, width="stretch"):
        opening = _opening(first) if ahead else ""
        corpus = source("Train on", NAMES, first, key="corpus", bare_url_default=opening)
        before = _adopt(corpus, ahead, is_by_hand=told is None)
        learned_from = _own(corpus, below) if corpus in (USER_TEXT, TABLE) else _sample(corpus)
    pipeline, chosen = ask(suited(corpus, ahead))
    if before and user_table.is_wanted():
        user_table.ask(before, pipeline)
    user_table.fill(corpus == TABLE)
    name = f"**{NAMES[corpus]}**"
    if corpus == trained.LEARNED_FROM:
        name += f", {large_said()}"
    left.markdown(f"Trained on {name} · {settings.describe_settings(pipeline, chosen)}")
    return learned_from, pipeline, chosen


def in_words(pipeline: Pipeline, chosen: Any) -> str:
    """Return in one line what is trained on and how, as `corpus_line` has asked for it."""
    return f"{NAMES[st.session_state['corpus']]} · {settings.describe_settings(pipeline, chosen)}"


def _say_unknown(told: str, place: DeltaGenerator) -> None:
    """Say that a link asks for a corpus that there is not, and what is shown in its place."""
    asked = escape_invisible(told[:40]).replace("`", "'")
    place.warning(f"The link asks for the text `{asked}`, which is not here. Another one is shown.")


def _opening(first: str) -> str:
    """Return with which corpus to open: with `first` where it was set to the visitor's liking."""
    corpus, _ = st.session_state.get("adopted", ("", ""))
    is_theirs = corpus == first and (is_chosen_by_hand() or _is_changed())
    return first if is_theirs else trained.LEARNED_FROM


def _is_changed() -> bool:
    """Whether one of the settings that the corpus brought along is another one by now."""
    values = {**PLAIN, **suited(*st.session_state["adopted"])}
    return any(st.session_state.get(name, values[name]) != values[name] for name in BROUGHT)


def _adopt(corpus: str, ahead: str, is_by_hand: bool) -> Source | None:
    """Bring along the settings of a corpus that was just chosen, here or by a link.

    What was trained ahead brings those of its kind. One's own table, chosen by hand, is another
    view of the corpus before: that is returned, and the settings stay.
    """
    now = corpus, ahead if corpus == trained.LEARNED_FROM else ""
    before, kind = st.session_state.setdefault("adopted", now)
    if corpus == before and (kind == now[1] or _is_changed()):
        return None
    st.session_state["adopted"] = now
    if corpus != TABLE or not is_by_hand:
        plain = PLAIN if before == trained.LEARNED_FROM else {}
        settings.apply_corpus_defaults({**plain, **suited(corpus, ahead)})
        return None
    user_table.keep_settings(suited(before))
    if before == USER_TEXT:
        return Source(text=st.session_state.get(user_text.TRAINING) or FIRST_TEXT)
    return Source(text=TEXTS[before].text or "", counts=TEXTS[before].counts)


def follow_word() -> str:
    """Ask for a word to keep an eye on."""
    with st.sidebar:
        st.subheader("Follow a word")
        return line("A word to show at every step", LONGEST_FOLLOWED, key="word").strip()


def _sample(corpus: str) -> Source:
    sample = TEXTS[corpus]
    st.caption(sample.note)
    if sample.counts is not None:
        st.dataframe(
            {"word": list(sample.counts), "count": list(sample.counts.values())}, hide_index=True
        )
        return Source(counts=sample.counts)
    text = sample.text or ""
    st.text_area("The text", text[:MOST_SEEN], height=240, disabled=True)
    if len(text) > MOST_SEEN:
        st.caption(f"You see the first {MOST_SEEN:,} of {len(text):,} characters.")
    return Source(text=text)


def _own(corpus: str, place: DeltaGenerator) -> Source:
    is_table = corpus == TABLE
    if is_table:
        _take_table(place)
    own = user_text.text_box(
        "Rows of word,count" if is_table else "Paste or write a text",
        FIRST_TABLE if is_table else FIRST_TEXT,
        240,
        place,
        SLOTS[corpus],
    )
    st.file_uploader(
        "or choose a file",
        uploads.TABLE_TYPES if is_table else uploads.TEXT_TYPES,
        key=f"file_{corpus}",
        on_change=_take_file,
        args=(corpus,),
    )
    if problem := st.session_state.pop("file_problem", ""):
        st.error(escape_markdown(problem))
    if is_table:
        taken, left_out = st.session_state.get("table_left_out", ("", ""))
        if left_out and taken == own.text:
            place.info(escape_markdown(left_out))
        st.caption(
            "If your corpus is too large for this page, count its words where it lies: "
            "`python -m tokenizers.text.count *.txt -o counts.parquet` in this program's folder. "
            "Its docs/counting has the same for a cluster and for databases."
        )
    if own.state == "asking":
        url_state.end_early()
    return Source(text=own.text, is_table=is_table)


def _take_file(corpus: str) -> None:
    """Take what was chosen: a text at once, a table when the page runs and a worker has read it."""
    file = st.session_state[f"file_{corpus}"]
    content = uploads.content_of(file)
    if content is None:
        return
    if corpus == TABLE:
        st.session_state["table_file"] = content, file.name
        return
    try:
        user_text.set_training_text(uploads.text_of_file(content, file.name))
    except ValueError as error:
        st.session_state["file_problem"] = user_message(error)


def _take_table(place: DeltaGenerator) -> None:
    """Take the table that was chosen; the page ends here while it is being read."""
    if (chosen := st.session_state.get("table_file")) is None:
        return
    key = results.key_of("table", hashlib.sha256(chosen[0]).hexdigest(), chosen[1])
    job = jobs.run(key, uploads.read_table, *chosen)
    with place:
        if not (jobs.done_within(job, A_MOMENT) or jobs.wait_for(job, READING, 0) or job.wait()):
            url_state.end_early()
    del st.session_state["table_file"]
    if job.result is None:
        st.session_state["file_problem"] = (
            job.problem or "Reading the table was stopped before the end."
        )
    else:
        st.session_state["table_left_out"] = job.result.text, job.result.left_out
        user_text.store_text(job.result.text, user_text.TABLE)
