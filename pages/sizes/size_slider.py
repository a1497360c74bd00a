"""The vocabulary-size scrubber: one component that goes through all sizes in the browser.

Here: the jobs that make what is drawn, and what the browser's answers mean. Left out: what the
browser is sent (frames.py).
"""

from collections.abc import Sequence

import streamlit as st

from pages.shared.component_state import (
    accept_client_value,
    client_report,
    component_renderer,
    component_state,
    no_op,
    set_from_server,
)
from pages.shared.controls import url_state
from pages.shared.controls.markdown import escape_markdown
from pages.shared.training.published import is_published, published_of
from pages.shared.training.source import Source
from pages.shared.work import jobs
from pages.shared.work.results import answer, key_of
from pages.sizes.frames import SCRUBBER, Filmed, Scrub, film, film_of_published, message
from tokenizers.errors import user_message

_mount = component_renderer(SCRUBBER)
AT = "at_size"
"""The size in the address."""
SPLITTING = "Splitting the text at every size …"
TRAINING = "Training, and splitting the text at every size …"
# Made here, where the file of a model of the pack is open.
_here = st.cache_resource(max_entries=16, show_spinner=SPLITTING)(film_of_published)


def resized(source: Source | None, kinds: Sequence[str], text: str) -> tuple[str, list[Filmed]]:
    """Return `text` at every size of every tokenizer, and a name for all of it.

    Without a source, they are those that were trained ahead. They are made at the same time; the
    page ends here while one is not there yet.
    """
    keys = [key_of("resized", source, kind, text) for kind in kinds]
    started = {
        kind: jobs.run(key, film, source, kind, text)
        for key, kind in zip(keys, kinds, strict=True)
        if not is_published(kind)
    }
    for job in started.values():
        if not jobs.wait_for(job, TRAINING if source else SPLITTING):
            url_state.end_early()
    made = {kind: job.result for kind, job in started.items()}
    for kind in kinds:
        if is_published(kind):
            try:
                model = published_of(kind)
                own = model.opened
                made[kind] = answer(model, film_of_published, text) if own else _here(model, text)
            except ValueError as refusal:
                st.error(escape_markdown(user_message(refusal)))
                url_state.end_early()
    return key_of(*keys), [made[kind] for kind in kinds]


def scrubber(shown: Scrub, name: str, model: tuple[int, str], large: bool) -> int:
    """Show the scrubber and return the size at which it rests; `name` tells this text from others.

    `model` is the width and the number format by which sizes are priced. The size stands in the
    address. The message to the browser stays the same while the visitor moves there, so that
    nothing is sent again; a size that comes with the address is a new visit.
    """
    told, here = url_state.incoming(AT), component_state("sizes")
    if told is not None or here is None or here.name != name:
        began = url_state.parse_natural(told or "", digits=8)
        if began is None:  # what is no size in the address means the beginning
            began = first(shown) if told is not None or here is None else here.current
        here = set_from_server("sizes", name, shown.nearest(began))
    at = here.initial
    match client_report("sizes", "size", here.key):
        case [int(size)]:
            at = size
    at = shown.nearest(at)
    accept_client_value("sizes", at)
    url_state.set_param(AT, str(at) if at != first(shown) else None)
    data = message(shown, here.key, here.initial, model, large)
    _mount(key="sizes", data=data, on_size_change=no_op)
    return at


def first(shown: Scrub) -> int:
    """Return the size at which a visit begins: half way on the logarithmic scale."""
    return shown.nearest(round((shown.sizes[0] * shown.sizes[-1]) ** 0.5))
