"""The pipeline page: its controls, the model, and the panels below the stages."""

from dataclasses import replace

import streamlit as st

from lessons.texts import PIPELINES, TEXTS, Example
from lessons.trained import LEARNED_FROM as LARGE
from lessons.trained import SETTINGS as PRETRAINED
from lessons.trained import open_trained
from pages.pipeline.pipeline_view import PipelineView, build_view
from pages.pipeline.published import describe_stages, normalizer_names
from pages.pipeline.ruler_strip import html_rulers, visible_bytes
from pages.pipeline.stage_trace import MODEL, WORDS
from pages.pipeline.tensors import describe_prediction, describe_shapes, html_shifted
from pages.shared.controls import settings, sources, terms, url_state, user_text, user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import choice, choices, whole_number
from pages.shared.corpus.corpus_picker import CORPUS_TITLES, USER_TEXT, corpus_defaults
from pages.shared.training.published import (
    REAL,
    PublishedTokenizer,
    apply_to_loaded,
    is_published,
    published_tokenizer,
)
from pages.shared.training.run_and_record import train
from pages.shared.training.source import AnySettings, CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, Model, train_kind
from pages.shared.work import results
from tokenizers import baselines
from tokenizers.progress import ignore_progress
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.unigram.settings import Settings as UnigramSettings

DEFAULT_EXAMPLE = "p1"
EXAMPLE = "example"
STAGES_ON = "stages_on"
TRY_IT = "Switch a stage off to see the damage."
TRAINED_WITH_ALL = "The model was trained with all stages on."

MASKS = ("[MASK]", "<mask>")
"""Special tokens that replace a token that the model must predict."""
DEFAULT_SEQUENCE, MAX_SEQUENCE = 6, 64


def example() -> Example:
    """Choose the example to start from; apply its stages when it changes."""
    examples = {id_: (row.title, row.text) for id_, row in PIPELINES.items()}
    label = "Start from an example"
    chosen, is_new = user_text.example_choice(
        label, examples, DEFAULT_EXAMPLE, key=EXAMPLE, label_visibility="collapsed"
    )
    if is_new:
        _apply_example(PIPELINES[chosen])
    return PIPELINES[chosen]


def _apply_example(chosen: Example) -> None:
    """Set the stages of an example, except stages given in the URL."""
    stages = chosen.stages
    for key, value in (
        ("normalize", list(stages["normalizers"])),
        ("split_at", stages["pre_tokenizer"]),
        ("model", stages["model"]),
        ("learned", stages["learned"]),
    ):
        if url_state.incoming(key) is None:
            st.session_state[key] = value
    if url_state.incoming("off") is None:
        url_state.set_param("off", None)
        st.session_state.pop(STAGES_ON, None)


def pipeline(chosen: Example, kind: str) -> Pipeline:
    """Choose the stages before the model in the sidebar; a published model has its own."""
    if is_published(kind):
        return Pipeline()
    stages = chosen.stages
    with st.sidebar:
        st.subheader("The stages")
        normalizers = settings.NORMALIZERS
        before = tuple(stages["normalizers"])
        names = choices("Clean the text (normalization)", normalizers, before, key="normalize")
        if "accents" in names:
            st.caption("Removing accents also removes vowel signs in scripts such as Devanagari.")
        splits = settings.PRE_TOKENIZERS
        split = choice("Split the text at", splits, stages["pre_tokenizer"], key="split_at")
    return Pipeline(tuple(name for name in normalizers if name in names), split)


def model_and_corpus(chosen: Example) -> tuple[str, str]:
    """Choose the model and its training text."""
    models = {name: kind.name for name, kind in KINDS.items()} | user_tokenizer.published_kinds()
    kind = choice(
        "Model", models, chosen.stages["model"], key="model", on_change=_apply_default_split
    )
    if is_published(kind):
        st.selectbox("Trained on", ["its file does not say"], key="learned.none", disabled=True)
        return kind, ""
    options = CORPUS_TITLES | ({EXAMPLE: "the text of the example"} if chosen.material else {})
    return kind, sources.source_control(
        "Trained on", options, chosen.stages["learned"], key="learned"
    )


def _apply_default_split() -> None:
    """Select the pre-tokenizer that the chosen model is used with."""
    if (kind := st.session_state["model"]) in KINDS:
        st.session_state["split_at"] = KINDS[kind].split


def size_of(model: Model | PublishedTokenizer) -> int:
    """Return the vocabulary size of a model."""
    return model.size if isinstance(model, PublishedTokenizer) else len(model.vocab)


def name_of(kind: str) -> str:
    """Return the name of a kind of model."""
    return published_tokenizer(kind).title if is_published(kind) else KINDS[kind].name


def matches_example(
    chosen: Example, kind: str, corpus: str, used: Pipeline, off: tuple[str, ...]
) -> bool:
    """Whether the stages match the example's stages, as the example's note assumes."""
    stages = chosen.stages
    same_model = (kind, corpus) == (stages["model"], stages["learned"])
    same_normalizers = set(used.normalizers) == set(stages["normalizers"])
    same_stages = same_normalizers and used.pre_tokenizer == stages["pre_tokenizer"]
    return same_model and same_stages and not off


def disabled_stages(used: Pipeline, kind: str) -> tuple[str, ...]:
    """Choose the stages that are on; return the others, none for a published model.

    The URL holds the stages that are off, as its parameter `off`.
    """
    if is_published(kind):
        st.caption("The stages are those of the file: none can be changed or switched off.")
        return ()
    options = {name: settings.NORMALIZERS[name] for name in used.normalizers}
    options |= {WORDS: "Pre-tokens", MODEL: "The model’s pieces"}
    _sync_stages(tuple(options))
    on = st.pills(
        "Stages that are on",
        list(options),
        selection_mode="multi",
        key=STAGES_ON,
        format_func=options.__getitem__,
        persist_state="session",
        label_visibility="collapsed",
        wrap=True,
    )
    off = tuple(name for name in options if name not in on)
    url_state.set_param("off", ",".join(off) or None)
    return off


def _sync_stages(stages: tuple[str, ...]) -> None:
    """Set the stages that are on if the URL names others; a stage that was just added is on."""
    value = url_state.incoming("off")
    before = st.session_state.get("pipeline.stages", stages)
    st.session_state["pipeline.stages"] = stages
    if value is not None or STAGES_ON not in st.session_state:
        off = (value or url_state.last_set("off") or "").split(",")
    else:
        on = st.session_state[STAGES_ON]
        off = [name for name in before if name not in on]
    st.session_state[STAGES_ON] = [name for name in stages if name not in off]


def published(kind: str, text: str) -> PublishedTokenizer | None:
    """Return the published model of a kind; None for a model that is trained here."""
    if not is_published(kind):
        return None
    return published_tokenizer(
        kind, user_tokenizer.special_tokens_control(text, [kind.removeprefix(REAL)]), added=True
    )


def published_stages(model: Model | PublishedTokenizer) -> None:
    """Describe the stages of a published model; does nothing for a model that is trained here."""
    if not isinstance(model, PublishedTokenizer):
        return
    with st.expander("What each stage does"):
        descriptions = results.call_or_end_page(model, apply_to_loaded, describe_stages)
        st.markdown(
            "\n".join(f"{n}. {escape_markdown(one)}" for n, one in enumerate(descriptions, start=1))
        )
        st.markdown("\n".join(f"- {escape_markdown(sentence)}" for sentence in model.warnings))


def trained(kind: str, corpus: str, text: str, chosen: Example, used: Pipeline) -> Model:
    """Train the model, or find it; the page run ends here while it is being trained."""
    samples = {USER_TEXT: text, EXAMPLE: chosen.material}
    material = samples[corpus] if corpus in samples else TEXTS[corpus].text or ""
    source, defaults = CorpusSource(text=material), corpus_defaults(corpus)
    if kind in baselines.UNITS:
        return _baseline(kind, material, used)
    if corpus == LARGE and kind in PRETRAINED:
        return _pretrained(kind, source, used)
    if kind == "unigram":
        return _unigram(source, int(defaults["size"]), used)
    if kind == "wordpiece":
        return _merged(source, used, settings.default_wordpiece(defaults)[1])
    base = "bytes" if kind == "bytes" else str(defaults["base"])
    if kind == "bpe" and base == "bytes":
        base = "end_of_word"
    return _merged(source, used, replace(settings.default_settings(defaults)[1], base=base))


def _pretrained(kind: str, source: CorpusSource, used: Pipeline) -> Model:
    """Return the pretrained model; train it anew if the stages before it differ."""
    training = PRETRAINED[kind]
    if used == training.pipeline:
        return open_trained(kind)
    if isinstance(training.settings, UnigramSettings):
        return _unigram(source, training.settings.vocab_size, used)
    return _merged(source, used, training.settings)


def _unigram(source: CorpusSource, size: int, used: Pipeline) -> Model:
    wanted = source, "unigram", size, used
    key = results.key_of("learn", *wanted)
    return results.result_of(key, train_kind, "Training Unigram …", *wanted).model()


def _merged(source: CorpusSource, used: Pipeline, wanted: AnySettings) -> Model:
    key = results.key_of("trace", source, used, wanted)
    trace, _ = results.result_of(key, train, "Training …", source, used, wanted)
    results.show_notes((), bool(trace.words))
    return trace.model()


def _baseline(unit: str, material: str, used: Pipeline) -> baselines.Model:
    """Return a vocabulary of the words, or their characters, that the pipeline produces."""
    words = used.words(material)
    found = words if unit == "words" else (letter for word in words for letter in word)
    vocab = {UNK: 0} | {piece: n for n, piece in enumerate(dict.fromkeys(found), start=1)}
    return baselines.Model(unit, vocab, used)


def normalizer_titles(used: Pipeline, model: Model | PublishedTokenizer) -> dict[str, str]:
    """Return the titles of the normalizers, in order."""
    if isinstance(model, PublishedTokenizer):
        return results.call_or_end_page(model, apply_to_loaded, normalizer_names)
    return {name: settings.NORMALIZERS[name] for name in used.normalizers}


def view_of_text(
    text: str,
    model: Model | PublishedTokenizer,
    off: tuple[str, ...],
    first: int,
    names: dict[str, str],
) -> tuple[str, PipelineView]:
    """Return a cache key and the traced text, shown starting at token `first`."""
    key = results.key_of("pipeline", text, model, off, first, names)
    if isinstance(model, PublishedTokenizer) and not model.info:
        return key, _view_here(text, model, first, names)
    args = text, model, off, first, names
    return key, results.result_of(key, build_view, "Following the text …", *args)


@st.cache_resource(max_entries=16, show_spinner="Following the text …")
def _view_here(
    text: str, model: PublishedTokenizer, first: int, names: dict[str, str]
) -> PipelineView:
    """Trace a text in this process, in which published models are open."""
    return build_view(ignore_progress, text, model, (), first, names)


# --- Below the table ------------------------------------------------------------------------------


def rulers(view: PipelineView, at: int) -> None:
    """Show four rulers around the chosen token, and sentences on characters that tokens split."""
    st.markdown("**Four rulers around the chosen token**")
    if not view.rulers.tokens:
        st.caption("There is no token here.")
        return
    token = at - view.first_ruler_token
    st.html(html_rulers(view.rulers, visible_bytes(view.rulers, token), token))
    terms.caption(
        "Each column is a byte of UTF-8. A dashed frame: several tokens hold a part of it. "
        "Tokens that overlap hold what was one character before normalization."
    )
    st.markdown(" ".join(map(escape_markdown, view.cut_sentences)))


def model_inputs(view: PipelineView, model: Model | PublishedTokenizer) -> None:
    """Show the ids as a language model is trained on them: x, and y, which is x shifted by one.

    For a model that fills in gaps, as BERT does, explain that it is not trained this way.
    """
    st.markdown("**What a language model is given**")
    ids = size_of(model)  # including the unknown token
    specials = model.specials if isinstance(model, PublishedTokenizer) else {}
    if mask := next((token for token in MASKS if token in specials), None):
        st.caption(
            f"This vocabulary has {escape_markdown(mask)}. Models with such a token, BERT for "
            "example, are not trained to predict the next token. Some tokens of a text are "
            "replaced by it, and the model learns to name them from what stands on both sides."
        )
        return
    count, tiles = view.metrics.tokens, view.table.tiles
    if count < 2 or len(tiles) < 2:
        st.caption("It takes two tokens or more: what comes next is what a model learns.")
        return
    with st.columns([2, 5])[0]:
        most = min(MAX_SEQUENCE, count - 1)
        first = min(DEFAULT_SEQUENCE, most)
        length = whole_number("Tokens in a sequence, T", 1, most, first, key="block")
    st.html(html_shifted(tiles, length))
    st.markdown(escape_markdown(describe_prediction(tiles, length)))
    terms.caption(describe_shapes(count, length, ids))
