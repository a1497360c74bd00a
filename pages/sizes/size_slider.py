"""The vocabulary-size slider, a component that moves through all sizes in the browser.

This module starts the jobs for the slider's message and handles the values that the browser
reports. The message is in size_message.py.
"""

from collections.abc import Sequence

import streamlit as st

from pages.shared.component import pack_message
from pages.shared.component_state import (
    component_renderer,
    current_state,
    no_op,
    sync_component,
)
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.synced_state import header_of, parse_int
from pages.shared.training.published import is_published, published_tokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.work import jobs
from pages.shared.work.results import call, key_of
from pages.sizes.size_message import (
    SIZE_SLIDER,
    PackedTokenizer,
    SizeComparison,
    message,
    pack_by_size,
    pack_published,
)
from tokenizers.errors import user_message

_mount = component_renderer(SIZE_SLIDER)
AT = "at_size"
"""The name of the URL parameter for the size."""
SPLITTING = "Splitting the text at every size …"
TRAINING = "Training, and splitting the text at every size …"
# Runs in this process, because it has the files of the published models open.
_here = st.cache_resource(max_entries=16, show_spinner=SPLITTING)(pack_published)


def segment_all(
    source: CorpusSource | None, kinds: Sequence[str], text: str
) -> tuple[str, list[PackedTokenizer]]:
    """Return a key, and `text` segmented by every tokenizer at all its sizes.

    Without a source, the pretrained tokenizers are used. Jobs run in parallel; this call stops the
    page's script while a job is unfinished.
    """
    keys = [key_of("resized", source, kind, text) for kind in kinds]
    started = {
        kind: jobs.run(key, pack_by_size, source, kind, text)
        for key, kind in zip(keys, kinds, strict=True)
        if not is_published(kind)
    }
    for job in started.values():
        if not jobs.wait_for(job, TRAINING if source else SPLITTING):
            url_state.end_early()
    packed = {kind: job.result for kind, job in started.items()}
    for kind in kinds:
        if is_published(kind):
            try:
                model = published_tokenizer(kind)
                user_tokenizer = model.info
                packed[kind] = (
                    call(model, pack_published, text) if user_tokenizer else _here(model, text)
                )
            except ValueError as error:
                st.error(escape_markdown(user_message(error)))
                url_state.end_early()
    return key_of(*keys), [packed[kind] for kind in kinds]


def render_slider(comparison: SizeComparison, name: str, model: tuple[int, str]) -> int:
    """Show the slider and return its size; `name` identifies the text and the tokenizers.

    `model` has the embedding dimension and the number format for costs. The URL has the size. While
    the user moves the slider, the message stays the same, so that it is not sent again; a new size
    in the URL resets the component's state.
    """
    incoming, before = url_state.incoming(AT), current_state("sizes", "size")
    default = default_size(comparison)
    number = url_state.parse_natural(incoming or "", digits=8)
    state = sync_component(
        "sizes",
        "size",
        name,
        before.current if before else default,
        parse=parse_int,
        address=None if incoming is None else default if number is None else number,
        fit=comparison.nearest,
    )
    url_state.set_unless_default(AT, str(state.current), str(default))
    header = message(comparison, model) | header_of(state)
    data = pack_message(header, [one.packed for one in comparison.tokenizers])
    _mount(key="sizes", data=data, on_size_change=no_op)
    return state.current


def default_size(comparison: SizeComparison) -> int:
    """Return the initial size, which is in the middle of the logarithmic scale."""
    return comparison.nearest(round((comparison.sizes[0] * comparison.sizes[-1]) ** 0.5))
