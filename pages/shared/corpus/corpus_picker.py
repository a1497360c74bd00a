"""The corpus picker: one's own words and examples in one row, and a popover with all texts."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons import trained
from lessons.texts import TEXTS
from pages.shared.controls import live, outdated_values, settings, typed_text, url_state, user_text
from pages.shared.controls.heading import controls_row
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input
from pages.shared.controls.sources import USER_TEXT, source_control
from pages.shared.controls.sources import choose as choose_source
from pages.shared.corpus import uploads, user_table
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.limits import MAX_MERGES, MAX_TEXT_FILE_MB
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import pretraining_text_label
from pages.shared.work import jobs, results
from tokenizers.errors import user_message
from tokenizers.text.corpus import Pipeline

AnySettings = TypeVar("AnySettings", bound=settings.AnySettings)
TABLE = "table"
CHANGE = "Training text"
OWN_WORDS = "Your own words"
ROWS = "Rows of word,count"
NAMES = {id_: sample.title for id_, sample in TEXTS.items()} | {
    USER_TEXT: "Your own text",
    TABLE: "Your own table of words and counts",
}
SLOTS: dict[str, user_text.Slot] = {USER_TEXT: user_text.TRAINING, TABLE: user_text.TABLE}
LARGE = ("python", "prose", "languages")
CORPUS_TITLES = {USER_TEXT: "this very text"} | {id_: TEXTS[id_].title for id_ in LARGE}
USER_CORPUS_DEFAULTS = {
    "base": "end_of_word",
    "end_mark": "</w>",
    "split": "punctuation",
    "merges": 200,
    "size": 60,
    "counted": 0,
    "seeds": "substrings",
}
"""The default settings of the user's own text or table."""
UNPRETRAINED_DEFAULTS: settings.CorpusDefaults = {"pieces": 0, "rule": "score"}
"""Settings that only pretrained tokenizers set otherwise."""
CORPUS_SETTINGS = ("base", "end_mark", "split", "merges", *UNPRETRAINED_DEFAULTS)
LONGEST_FOLLOWED = 100  # characters of a word
MOST_SEEN = 20_000  # characters of a sample sent to the browser
QUIET_SECONDS = 0.3  # seconds in which most tables are read: no progress is shown until then
READING = "Reading the table …"
FIRST_TEXT = (
    "The lower the tide, the wider the shore. The lowest tides are the slowest, and the newest "
    "shells lie where the water was lowest."
)
FIRST_TABLE = "word,count\nlow,5\nlower,2\nnewest,6\nwidest,3\n"


def corpus_defaults(corpus: str, pretrained_kind: str = "") -> Mapping[str, str | int]:
    """Return a corpus's defaults; the pretraining text's depend on the tokenizer's kind."""
    if corpus not in TEXTS:
        return USER_CORPUS_DEFAULTS | {"counted": int(corpus == TABLE)}
    sample = TEXTS[corpus]
    values = {"seeds": USER_CORPUS_DEFAULTS["seeds"], **sample.settings}
    alphabet = set(sample.text or "".join(sample.counts or ()))
    values["split"] = values["pre_tokenizer"]
    values["size"] = len(alphabet) + int(values["merges"]) // 2
    values["counted"] = int(sample.counts is not None)
    return values | (
        _pretrained_defaults(pretrained_kind) if corpus == trained.LEARNED_FROM else {}
    )


def _pretrained_defaults(kind: str) -> dict[str, str | int]:
    """Return the settings of the pretrained tokenizer of a kind; for "", only its size."""
    values: dict[str, str | int] = {"size": trained.SIZE}
    if kind:
        values |= {"merges": MAX_MERGES, "pieces": trained.SIZE, "rule": "hugging_face"}
        values["split"] = trained.SETTINGS[kind].pipeline.pre_tokenizer
    return values


def pick_corpus(
    render_settings: Callable[[settings.CorpusDefaults], tuple[Pipeline, AnySettings]],
    default: str = "b2",
    actions: DeltaGenerator | None = None,
    examples: tuple[str, ...] = (),
    pretrained_kind: str = "",
) -> tuple[CorpusSource, Pipeline, AnySettings]:
    """Show the corpus and the settings with the controls to change them; return both.

    `render_settings` is a function of settings.py; `default` is the corpus if the URL names none.
    `actions` is the end of the page's heading, for the popover with all texts. With `examples`,
    the row below the heading has a box for the user's own words and these corpora as chips. With a
    `pretrained_kind`, the pretraining text has the settings of that tokenizer.
    """
    actions = actions or st.container(horizontal=True, vertical_alignment="center")
    row = controls_row() if examples else None
    below = st.container()
    incoming_corpus = url_state.incoming("corpus")
    if incoming_corpus is not None and incoming_corpus not in NAMES:
        _warn_unknown(incoming_corpus, below)
    if examples and typed_text.has_missed_input("text_box", user_text.TRAINING):
        _accept_words(user_text.TRAINING)
    summary = actions.container(width="content")
    with actions, st.popover(CHANGE):
        corpus = source_control("Train on", NAMES, default, key="corpus")
        before = _apply_defaults(corpus, pretrained_kind, is_by_hand=incoming_corpus is None)
        if corpus in (USER_TEXT, TABLE):
            learned_from = _user_corpus(corpus, below, row)
        else:
            learned_from = _sample(corpus)
    if row:
        with row:
            if corpus not in (USER_TEXT, TABLE):
                _words_box(USER_TEXT, below, is_empty=True)
            _example_chips(corpus, examples)
    pipeline, chosen = render_settings(corpus_defaults(corpus, pretrained_kind))
    if before and user_table.is_wanted():
        user_table.request(before, pipeline)
    user_table.make_if_requested(corpus == TABLE)
    name = f"**{NAMES[corpus]}**"
    if corpus == trained.LEARNED_FROM:
        name += f", {pretraining_text_label()}"
    with summary, st.popover(":material/info:", help="What it is trained on, and how"):
        st.markdown(f"Trained on {name}.")
        st.markdown(_conventions(pipeline, chosen))
        st.caption("*Training text* changes the text; *Settings* changes the rest.")
    return learned_from, pipeline, chosen


def _conventions(pipeline: Pipeline, chosen: settings.AnySettings) -> str:
    """Describe the settings of a run as a Markdown list."""
    return "\n".join(f"- {part}" for part in settings.parts_of_settings(pipeline, chosen))


def _example_chips(corpus: str, examples: tuple[str, ...]) -> None:
    """Show corpora as chips, together with the current one and the user's own text, if any."""
    own = [USER_TEXT] if st.session_state.get(user_text.TRAINING) else []
    others = [] if corpus in examples else [corpus]
    options = list(dict.fromkeys((*own, *others, *examples)))
    url_state.preset_widget("corpus_example", corpus)
    st.pills(
        "Examples",
        options,
        format_func=NAMES.__getitem__,
        key="corpus_example",
        on_change=_choose_example,
        label_visibility="collapsed",
        wrap=False,
    )


def _choose_example() -> None:
    chosen = st.session_state["corpus_example"]
    if chosen and not outdated_values.is_outdated("corpus_example", chosen):
        choose_source("corpus", chosen)


def _words_box(
    corpus: str, container: DeltaGenerator, *, is_empty: bool = False
) -> user_text.UserText:
    """Show the user's text or table in one line, which grows while it has the focus."""
    slot = SLOTS[corpus]
    user_corpus = user_text.text_box(
        ROWS if corpus == TABLE else OWN_WORDS,
        FIRST_TABLE if corpus == TABLE else FIRST_TEXT,
        40,
        container,
        slot,
        is_empty=is_empty,
        placeholder=ROWS if corpus == TABLE else "Type your own words or a sentence",
        label_visibility="collapsed",
        on_change=_accept_words,
        args=(slot,),
    )
    if corpus == USER_TEXT:  # a row that is half typed is no row
        live.apply_while_typing()
    return user_corpus


def _accept_words(slot: user_text.Slot) -> None:
    """Take the text of the box, and train on it."""
    user_text.accept_box(slot)
    if slot == user_text.TRAINING:
        choose_source("corpus", USER_TEXT)


def describe_corpus(pipeline: Pipeline, chosen: Any) -> str:
    """Describe the picked corpus and the settings in one line."""
    return f"{NAMES[st.session_state['corpus']]} · {settings.describe_settings(pipeline, chosen)}"


def _warn_unknown(corpus: str, container: DeltaGenerator) -> None:
    """Warn in `container` that a link names an unknown `corpus`, so another one is shown."""
    name = escape_invisible(corpus[:40]).replace("`", "'")
    container.warning(
        f"The link asks for the text `{name}`, which is not here. Another one is shown."
    )


def _is_changed() -> bool:
    """Return whether one of the corpus's default settings has been changed."""
    values = {**UNPRETRAINED_DEFAULTS, **corpus_defaults(*st.session_state["adopted"])}
    return any(st.session_state.get(name, values[name]) != values[name] for name in CORPUS_SETTINGS)


def _apply_defaults(corpus: str, pretrained_kind: str, is_by_hand: bool) -> CorpusSource | None:
    """Apply the default settings of a corpus that was just chosen, here or by a link.

    The pretraining text's settings depend on `pretrained_kind`. If the user's table is chosen by
    hand, it starts as a copy of the previous corpus: return this corpus and keep the settings.
    """
    now = corpus, pretrained_kind if corpus == trained.LEARNED_FROM else ""
    before, kind = st.session_state.setdefault("adopted", now)
    if corpus == before and (kind == now[1] or _is_changed()):
        return None
    st.session_state["adopted"] = now
    if corpus != TABLE or not is_by_hand:
        plain = UNPRETRAINED_DEFAULTS if before == trained.LEARNED_FROM else {}
        settings.apply_corpus_defaults({**plain, **corpus_defaults(corpus, pretrained_kind)})
        return None
    user_table.keep_settings(corpus_defaults(before))
    if before == USER_TEXT:
        return CorpusSource(text=st.session_state.get(user_text.TRAINING) or FIRST_TEXT)
    return CorpusSource(text=TEXTS[before].text or "", counts=TEXTS[before].counts)


def follow_word() -> str:
    """Show the input for a word to follow through the steps; return the word."""
    with st.sidebar:
        st.subheader("Follow a word")
        return line_input("A word to show at every step", LONGEST_FOLLOWED, key="word").strip()


def _sample(corpus: str) -> CorpusSource:
    sample = TEXTS[corpus]
    st.caption(sample.note)
    if sample.counts is not None:
        st.dataframe(
            {"word": list(sample.counts), "count": list(sample.counts.values())}, hide_index=True
        )
        return CorpusSource(counts=sample.counts)
    text = sample.text or ""
    st.text_area("The text", text[:MOST_SEEN], height=240, disabled=True)
    if len(text) > MOST_SEEN:
        st.caption(f"You see the first {MOST_SEEN:,} of {len(text):,} characters.")
    return CorpusSource(text=text)


def _user_corpus(
    corpus: str, container: DeltaGenerator, row: DeltaGenerator | None
) -> CorpusSource:
    """Show the user's text or table, in `row` if there is one, and a way to open a file."""
    is_table = corpus == TABLE
    if is_table:
        _accept_table(container)
    if row:
        with row:
            user_corpus = _words_box(corpus, container)
    else:
        user_corpus = user_text.text_box(
            ROWS if is_table else "Paste or write a text",
            FIRST_TABLE if is_table else FIRST_TEXT,
            240,
            container,
            SLOTS[corpus],
        )
    st.file_uploader(
        "or choose a file",
        uploads.TABLE_TYPES if is_table else uploads.TEXT_TYPES,
        max_upload_size=MAX_TEXT_FILE_MB,
        key=f"file_{corpus}",
        on_change=_accept_file,
        args=(corpus,),
    )
    if problem := st.session_state.pop("file_problem", ""):
        st.error(escape_markdown(problem))
    if is_table:
        table_text, left_out = st.session_state.get("table_left_out", ("", ""))
        if left_out and table_text == user_corpus.text:
            container.info(escape_markdown(left_out))
        st.caption(
            "If your corpus is too large for this page, count its words where it lies: "
            "`python -m tokenizers.text.count *.txt -o counts.parquet` in this program's folder. "
            "Its docs/counting has the same for a cluster and for databases."
        )
    if user_corpus.state == "asking":
        url_state.end_early()
    return CorpusSource(text=user_corpus.text, is_table=is_table)


def _accept_file(corpus: str) -> None:
    """Accept an uploaded text; leave a table to the page run, which has a worker read it."""
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


def _accept_table(container: DeltaGenerator) -> None:
    """Accept an uploaded table; end the page while a worker reads it."""
    if (chosen := st.session_state.get("table_file")) is None:
        return
    key = results.key_of("table", hashlib.sha256(chosen[0]).hexdigest(), chosen[1])
    job = jobs.run(key, uploads.read_table, *chosen)
    with container:
        if not (
            jobs.done_within(job, QUIET_SECONDS) or jobs.wait_for(job, READING, 0) or job.wait()
        ):
            url_state.end_early()
    del st.session_state["table_file"]
    if job.result is None:
        st.session_state["file_problem"] = (
            job.problem or "Reading the table was stopped before the end."
        )
    else:
        st.session_state["table_left_out"] = job.result.text, job.result.left_out
        user_text.store_text(job.result.text, user_text.TABLE)
