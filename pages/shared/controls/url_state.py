"""The address holds the state: what is chosen, and where one is, can be copied from the browser.

Numbers, switches and short texts use Streamlit's own binding: give a widget a `key` and
`**IN_ADDRESS`. Its value is then in the address unless it is the default, survives a change of
page, and falls back to the default when the address holds nonsense. The same holds for `choice` and
`choices`, which exist because a bound widget with a `format_func` would put the label, not the
option, in the address. The rest is for what no widget holds: the step of the player, the text.
Texts too long for an address are the business of user_text.py.
"""

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn, TypedDict

import streamlit as st

from pages.shared.drawing.display_text import escape_invisible
from pages.shared.routes import START
from pages.shared.training.published import names_user_file

PAGE_SPECIFIC = ("text", "kept")
"""Names that are of the text to split on one page, and of a text to learn from on another."""
ECHO_SECONDS = 2.0
"""How long a browser may still send the address that it had before `write`."""
FILE_NOT_KEPT = (
    "Your own file isn’t kept after a reload: open it again on *Real tokenizers*. Until then, this "
    "page does without it."
)


class _Bound(TypedDict):
    bind: Literal["query-params"]
    persist_state: Literal["session"]


IN_ADDRESS: _Bound = {"bind": "query-params", "persist_state": "session"}


def whole_number(label: str, low: int, high: int, default: int, *, key: str, help: str = "") -> int:
    """A number input from `low` to `high` whose value is in the address."""
    if _is_infinite(st.query_params.get(key, "")):
        # Streamlit 1.67 raises OverflowError when `?key=inf` seeds a whole number.
        del st.query_params[key]
        st.rerun()
    return st.number_input(label, low, high, default, key=key, help=help or None, **IN_ADDRESS)


def choice(
    label: str,
    options: Mapping[str, str],
    default: str,
    *,
    key: str,
    widget: Callable[..., Any] = st.selectbox,
    bare_url_default: str = "",
    widget_key: str = "",
    **widget_options: Any,
) -> str:
    """One of the options, which are shown by their labels; the option's own name is in the address.

    `widget` is `st.selectbox` or `st.radio`; for `st.segmented_control` there is `segments`.

    `control` is the key of the widget where other pages have a widget of another kind under `key`:
    Streamlit would show there what is chosen here.

    `opens_with` is for a page that begins with another option than it once did. An address that
    asks for something, but not for this, then still means `default`; one that asks for nothing
    means `opens_with`. See `lend` for how the two are told apart.
    """
    widget_key = widget_key or key
    _widget_keys()[key] = widget_key
    _sync_widget(options, default, key, widget_key, bare_url_default)
    label_here = options[st.session_state[widget_key]]
    if _shown_labels().get(widget_key) not in (None, label_here):
        # The browser keeps the label that was chosen, also when it now stands for something else.
        st.session_state[widget_key] = st.session_state[widget_key]
    _shown_labels()[widget_key] = label_here
    chosen = widget(
        label,
        list(options),
        key=widget_key,
        format_func=options.__getitem__,
        persist_state="session",
        **widget_options,
    )
    if chosen == _implicit().get(key):
        set_implicit(key, chosen)
    else:
        set_param(key, None if chosen == default and not bare_url_default else chosen)
    return chosen


def segments(label: str, options: Mapping[str, str], default: str, *, key: str, **more: Any) -> str:
    """A `choice` among a few options, all of which are seen side by side."""
    return choice(
        label, options, default, key=key, widget=st.segmented_control, required=True, **more
    )


def _sync_widget(
    options: Mapping[str, str], default: str, key: str, widget_key: str, bare_url_default: str
) -> None:
    """Set what a `choice` shows, where it is new on this page or the address has news of it."""
    told, is_new_here = incoming(key), key not in _initialized()
    _initialized().add(key)
    if told in options:
        st.session_state[widget_key] = told
    elif is_new_here or st.session_state.get(widget_key) not in options:
        # Streamlit forgets at a change of page what a link, and not a hand, has chosen: then there
        # is nothing, or the first of the options.
        previous = last_set(key)
        st.session_state[widget_key] = previous if previous in options else default
        if bare_url_default and previous not in options:
            st.session_state[widget_key] = _implicit()[key] = (
                bare_url_default if is_bare_url() else default
            )


def choices(
    label: str, options: Mapping[str, str], default: tuple[str, ...] = (), *, key: str, **more: Any
) -> tuple[str, ...]:
    """Any of the options, in the order chosen; in the address with commas between them."""
    value = incoming(key)
    if value is not None:
        names = [name for name in dict.fromkeys(value.split(",")) if name in options]
        st.session_state[key] = names if names or not value else list(default)
    elif key not in st.session_state:
        previous = last_set(key)
        st.session_state[key] = previous.split(",") if previous else list(default)
    chosen = tuple(
        st.pills(
            label,
            list(options),
            selection_mode="multi",
            key=key,
            format_func=options.__getitem__,
            persist_state="session",
            **more,
        )
    )
    set_param(key, None if chosen == default else ",".join(chosen))
    return chosen


def _is_infinite(value: str) -> bool:
    try:
        return math.isinf(float(value))
    except ValueError:
        return False


def incoming(name: str) -> str | None:
    """What the address says of `name`, unless it was `write` that put it there.

    News comes from a link, from the browser's Back button, or from the address a visit starts with.
    What `write` replaced a moment ago is no news either: the browser had not heard of it yet.
    """
    value = st.query_params.get(name)
    return None if value == last_set(name) or _is_echo(name, value) else value


def was_removed(*names: str) -> bool:
    """Whether this page wrote one of them, and the browser went back to before that."""
    were_written = [name for name in names if last_set(name) is not None]
    is_there = any(name in st.query_params for name in names)
    is_unheard = any(_is_echo(name, None) for name in were_written)
    return bool(were_written) and not is_there and not is_unheard


def _is_echo(name: str, value: str | None) -> bool:
    """Whether the browser may not have heard yet that `write` has replaced this value."""
    replaced_at = _replaced_at().get((name, value), float("-inf"))
    return time.monotonic() - replaced_at < ECHO_SECONDS


def accept_back_navigation() -> None:
    """Take the address at its word from now on: the visitor, not a late echo, went back to it."""
    st.session_state["replaced_in_address"] = {}


def set_param(name: str, value: str | None) -> None:
    """Put `name` in the address, or take it out of it; also from inside a fragment."""
    _implicit().pop(name, None)
    before = st.query_params.get(name)
    if value != before:
        now = time.monotonic()
        recent = {key: at for key, at in _replaced_at().items() if now - at < ECHO_SECONDS}
        st.session_state["replaced_in_address"] = recent | {(name, before): now}
    _set_values()[name] = value
    if value is None:
        st.query_params.pop(name, None)
    elif value != before:
        st.query_params.update({name: value, **_implicit()})


def set_implicit(name: str, value: str) -> None:
    """Show `value` though nobody asked for it: what a page begins with that once began otherwise.

    An address that asks for nothing then means another value than one that leaves out `name`. So
    the value is put in the address as soon as it would otherwise mean the other. The player does
    so at once (`lent`): Python would make a new entry in the browser's history of it.
    """
    _implicit()[name] = _set_values()[name] = value
    if is_bare_url() == any(other not in _implicit() for other in st.query_params):
        st.query_params.update(_implicit())


def implicit_params() -> dict[str, str]:
    """What is lent, and so belongs into the address with all that is written there."""
    return dict(_implicit())


def step(run: str, last: int) -> int:
    """The step to show of a run of `last` steps: the address's, or where this visitor left the run.

    `run` is the content key of the run. A step past the end is the last one, nonsense is step 0.
    """
    value = incoming("step")
    number = _steps().get(run, 0) if value is None else parse_natural(value) or 0
    number = min(number, last)
    set_step(run, number)
    return number


def set_initial_step(run: str, number: int) -> None:
    """Begin at this step of a new run, where the address asked for nothing: the first one only."""
    if st.session_state.pop("begins", False) and _steps().setdefault(run, number) == number:
        _implicit()["step"] = str(number)


def set_step(run: str, number: int) -> None:
    """Remember that this visitor is at step `number` of the run; the address leaves out step 0."""
    _steps()[run] = number
    if _implicit().get("step") == str(number):
        set_implicit("step", str(number))
    else:
        set_param("step", str(number) if number else None)


def is_on(name: str) -> bool:
    """Whether the address, or what was written to it last, has the switch `name` on."""
    value = incoming(name)
    return (last_set(name) if value is None else value) == "1"


def set_switch(name: str, is_on: bool) -> None:
    """Put a switch in the address while it is on."""
    set_param(name, "1" if is_on else None)


def begin_page(page: str) -> None:
    """Take notice of the page that is shown now: what was chosen before is looked up anew."""
    before = st.session_state.get("page")
    if before != page:
        if before is not None:
            # Its own address, whatever the page that was left had still sent of another.
            st.query_params.update({})
        st.session_state["page"] = page
        st.session_state["settled"] = set()
        st.session_state["opens"] = st.session_state["begins"] = not st.query_params
        for name in (
            *_implicit(),
            *PAGE_SPECIFIC,
        ):  # nobody chose it here: the next page has its own
            _set_values().pop(name, None)
        _implicit().clear()
        accept_back_navigation()  # no echo of what the page before wrote comes with the address of another


def is_bare_url() -> bool:
    """Whether the address asked for nothing when the visitor came to this page."""
    return st.session_state.get("opens", False)


def page() -> str:
    """The page that is shown now, by its name in the address; the first one's is not there."""
    return st.session_state.get("page") or START


def preset_widget(key: str, value: object) -> None:
    """Set what a control shows, from Python: before the control is made."""
    st.session_state[key] = value
    _initialized().add(key)


def params_on_arrival() -> dict[str, str]:
    """What the address asks for when a visit begins; afterwards nothing."""
    is_arrival = "asked" not in st.session_state
    st.session_state["asked"] = st.query_params.to_dict() if is_arrival else {}
    return st.session_state["asked"]


def report_ignored(params: dict[str, str]) -> None:
    """Say which settings of the address the page could not use, and if a file is missing."""
    ignored = {
        name: value
        for name, value in params.items()
        if st.query_params.get(name) != value and not _is_chosen(name, value)
    }
    files = {name for name, value in ignored.items() if names_user_file(name, value)}
    if files:
        st.toast(FILE_NOT_KEPT, duration="long")
    if others := [f"{name}={ignored[name][:40]}" for name in ignored if name not in files]:
        # Backticks and empty lines in the value would end the code span and let Markdown in.
        listed = escape_invisible(", ".join(others)).replace("`", "'")
        st.toast(f"The address asks for `{listed}`. That isn't possible here, so we changed it.")


def end_early() -> NoReturn:
    """End a page that has no more to show now, as `st.stop` does, but tell what was ignored."""
    report_ignored(st.session_state.get("asked", {}))
    st.stop()


def _is_chosen(name: str, value: str) -> bool:
    """Whether the widget `name` shows `value`: a default is left out of the address."""
    chosen = st.session_state.get(_widget_keys().get(name, name))
    shown = ",".join(chosen) if isinstance(chosen, list) else str(chosen)
    return value.lower() == shown.lower()


def parse_natural(value: str, digits: int = 9) -> int | None:
    """The whole number written in at most so many digits; None for anything else.

    >>> natural("300"), natural("-1"), natural("0000000300")
    (300, None, None)
    """
    return int(value) if value.isascii() and value.isdigit() and len(value) <= digits else None


def _initialized() -> set[str]:
    """The controls that have been shown since the visitor came to this page."""
    return st.session_state.setdefault("settled", set())


def _widget_keys() -> dict[str, str]:
    """The key of the widget that shows what is chosen under a name, where `choice` made it."""
    return st.session_state.setdefault("controls", {})


def _shown_labels() -> dict[str, str]:
    """What the browser shows of the option that is chosen in each control."""
    return st.session_state.setdefault("labels_shown", {})


def last_set(name: str) -> str | None:
    """What was put in the address for `name` last."""
    return _set_values().get(name)


def _implicit() -> dict[str, str]:
    return st.session_state.setdefault("lent_to_address", {})


def _set_values() -> dict[str, str | None]:
    return st.session_state.setdefault("written_to_address", {})


def _replaced_at() -> dict[tuple[str, str | None], float]:
    return st.session_state.setdefault("replaced_in_address", {})


def _steps() -> dict[str, int]:
    return st.session_state.setdefault("step_of_run", {})
