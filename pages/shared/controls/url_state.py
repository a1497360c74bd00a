"""The state of a page in its URL: copying the URL from the browser copies the state.

Numbers, switches and short texts use Streamlit's own binding: give a widget a `key` and
`**IN_URL`. Its value is then in the URL unless it is the default, survives a change of page,
and falls back to the default if the URL holds an invalid value. `choice` and `choices` do the same
for options: a bound widget with a `format_func` would write the label to the URL instead of the
option's name. `incoming` and `set_param` are for state without a widget, such as the player's step.
Texts too long for a URL are handled by user_text.py.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, NoReturn, TypedDict

import streamlit as st

from pages.shared.controls import outdated_values
from pages.shared.drawing.display_text import escape_invisible
from pages.shared.routes import START
from pages.shared.training.published import names_user_file

PAGE_SPECIFIC = ("text", "kept")
"""Parameters that mean the text to split on some pages, and the training text on others."""
_URL = "URL "
"""The prefix of parameters among the names of `outdated_values`, which has widgets, too."""
ONLY_HERE = ("take", "back", "edit", "teacher")
"""Parameters of the visitor's own way, which no shared link has: a menu to open, a lesson to return
to, a path to change, and whether to show the note for teachers, which has all answers."""
OLD_PRESENTER = "presenter"
FILE_NOT_KEPT = (
    "Your own file isn’t kept after a reload: open it again on *Real tokenizers*. Until then, this "
    "page does without it."
)


class _Bound(TypedDict):
    bind: Literal["query-params"]
    persist_state: Literal["session"]


IN_URL: _Bound = {"bind": "query-params", "persist_state": "session"}


def whole_number(
    label: str,
    low: int,
    high: int,
    default: int,
    *,
    key: str,
    help: str = "",
    **widget_options: Any,
) -> int:
    """Show a number input from `low` to `high` whose value is in the URL."""
    if _is_infinite(st.query_params.get(key, "")):
        # Streamlit 1.67 raises OverflowError when `?key=inf` seeds a whole number.
        del st.query_params[key]
        st.rerun()
    options = {**IN_URL, **widget_options}
    return int(st.number_input(label, low, high, default, key=key, help=help or None, **options))


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
    """Show options by their labels; return the chosen option's name, which is also in the URL.

    `widget` is `st.selectbox` or `st.radio`; for `st.segmented_control` there is `segments`.

    `widget_key` is the key of the widget if other pages use `key` for another kind of widget:
    Streamlit would carry the value over to those pages' widgets.

    `bare_url_default` is the default for a URL without any parameter, if it is to differ from
    `default`, which older links rely on: see `set_implicit`.
    """
    widget_key = widget_key or key
    _widget_keys()[key] = widget_key
    _sync_widget(options, default, key, widget_key, bare_url_default)
    label_here = options[st.session_state[widget_key]]
    if _shown_labels().get(widget_key) not in (None, label_here):
        # The browser keeps the chosen label even if it now belongs to another option.
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
        set_unless_default(key, chosen, "" if bare_url_default else default)
    return chosen


def segments(label: str, options: Mapping[str, str], default: str, *, key: str, **more: Any) -> str:
    """Show a `choice` among a few options side by side."""
    return choice(
        label, options, default, key=key, widget=st.segmented_control, required=True, **more
    )


def _sync_widget(
    options: Mapping[str, str], default: str, key: str, widget_key: str, bare_url_default: str
) -> None:
    """Set the value of a `choice` if it is new on this page or the URL has an incoming value."""
    value, is_new_here = incoming(key), key not in _initialized()
    _initialized().add(key)
    if value in options:
        st.session_state[widget_key] = value
    elif is_new_here or st.session_state.get(widget_key) not in options:
        # At a change of page, Streamlit drops a value that came from a link: the widget then has
        # no value, or the first option.
        previous = last_set(key)
        st.session_state[widget_key] = previous if previous in options else default
        if bare_url_default and previous not in options:
            st.session_state[widget_key] = _implicit()[key] = (
                bare_url_default if is_bare_url() else default
            )


def choices(
    label: str, options: Mapping[str, str], default: tuple[str, ...] = (), *, key: str, **more: Any
) -> tuple[str, ...]:
    """Show options of which any number can be chosen; the URL has the chosen ones, with commas."""
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
    set_unless_default(key, ",".join(chosen), ",".join(default))
    return chosen


def _is_infinite(value: str) -> bool:
    try:
        return math.isinf(float(value))
    except ValueError:
        return False


def incoming(name: str) -> str | None:
    """Return the value of a URL parameter, or None if it is absent or was set by `set_param`.

    An incoming value comes from a link, the browser's Back button, or the URL of a new session. A
    value that `set_param` has replaced is an echo if the browser had not received the change.
    """
    value = st.query_params.get(name)
    return None if value == last_set(name) or _is_echo(name, value) else value


def was_removed(*names: str) -> bool:
    """Return whether this page had set a parameter and the user then went back to before that."""
    were_written = [name for name in names if name in _set_here() and last_set(name) is not None]
    is_there = any(name in st.query_params for name in names)
    is_unreceived = any(_is_echo(name, None) for name in were_written)
    return bool(were_written) and not is_there and not is_unreceived


def _is_echo(name: str, value: str | None) -> bool:
    return outdated_values.is_outdated(_URL + name, value)


def accept_back_navigation(number: int | None) -> None:
    """Stop treating old URL values as echoes if the user has pressed Back.

    `number` is the browser's number of the last time, which comes with each of its requests. A
    callback would not do: Streamlit interrupts it if another request follows.
    """
    if number != st.session_state.get("back_navigation"):
        st.session_state["back_navigation"] = number
        st.session_state["is_navigation"] = True
        outdated_values.forget(_URL)


def take_navigation() -> bool:
    """Return whether the user opened the page, or went back on it, since the last call.

    Otherwise, what is new in the URL was written by the page's own scripts.
    """
    return st.session_state.pop("is_navigation", False)


def set_param(name: str, value: str | None) -> None:
    """Set a URL parameter, or remove it if `value` is None; works inside a fragment, too."""
    _implicit().pop(name, None)
    before, last = st.query_params.get(name), last_set(name)
    _set_values()[name] = value
    _set_here().add(name)
    if value == before and not _is_echo(name, before):
        return
    # The browser may be about to receive what the last run set.
    for replaced in {before, last} - {value}:
        outdated_values.note_replaced(_URL + name, replaced)
    if value == before:
        send_again()
    unreceived = _unreceived_params(name)
    added = {other: known for other, known in unreceived.items() if known is not None}
    if value is not None:
        added |= {name: value, **_implicit()}
    if added:
        st.query_params.update(added)
    for other, known in {**unreceived, name: value}.items():
        if known is None:
            st.query_params.pop(other, None)


def set_unless_default(name: str, value: str, default: str) -> None:
    """Set a URL parameter, or remove it if it has the value that its absence stands for."""
    _shown()[name] = value
    set_param(name, None if value == default else value)


def _unreceived_params(but: str) -> dict[str, str | None]:
    """Return the parameters, `but` one, that a request had as they were before Python set them.

    Streamlit sends the whole URL at a time, as the request had it. A fragment that writes a
    parameter of its own would undo those of a run whose URL the browser had not received.
    """
    return {
        name: value
        for name, value in _set_values().items()
        if name != but and (there := st.query_params.get(name)) != value and _is_echo(name, there)
    }


def set_implicit(name: str, value: str) -> None:
    """Use `value` as the page's default, but write it to the URL only once the URL is non-empty.

    A URL without any parameter (a bare URL) means `value`, but a URL with other parameters and
    without `name` means the old default, as in older links. The player writes implicit values
    itself with its next change (`implicit_params`): Python would add a browser history entry.
    """
    _implicit()[name] = _set_values()[name] = value
    if is_bare_url() == any(other not in _implicit() for other in _page_params()):
        st.query_params.update(_implicit())


def implicit_params() -> dict[str, str]:
    """Return the implicit values, which belong in the URL together with any other parameter."""
    return dict(_implicit())


def step(run: str, last: int) -> int:
    """Return which of a run's `last` steps to show: the URL's step, or else the last one shown.

    `run` is the run's content key. A step past the end becomes `last`, an invalid one 0.
    """
    value = incoming("step")
    number = _steps().get(run, 0) if value is None else parse_natural(value) or 0
    number = min(number, last)
    set_step(run, number)
    return number


def set_step(run: str, number: int) -> None:
    """Store the current step of the run, in the URL too unless it is 0."""
    _steps()[run] = number
    set_unless_default("step", str(number), "0")


def is_on(name: str) -> bool:
    """Return whether a switch is on, according to the URL or else to the last value set."""
    value = incoming(name)
    return (last_set(name) if value is None else value) == "1"


def set_switch(name: str, is_on: bool) -> None:
    """Set a switch's URL parameter if the switch is on, and remove it otherwise."""
    set_unless_default(name, "1" if is_on else "0", "0")


def send_again() -> None:
    """Send the URL to the browser although it is as the browser's request had it."""
    st.query_params.update({})


def begin_page(page: str) -> None:
    """Reset the per-page state if the page has changed; controls then read their values anew."""
    before = st.session_state.get("page")
    if before != page:
        if before is not None:
            send_again()  # the page before may have sent a late change
        st.session_state["page"] = page
        st.session_state["is_navigation"] = True
        st.session_state["initialized"] = set()
        st.session_state["params_set_here"] = set()
        st.session_state["is_bare_url"] = not _page_params()
        # The user didn't choose them for the new page; a link to it may open a menu once more.
        for name in (*_implicit(), *PAGE_SPECIFIC, "take"):
            _set_values().pop(name, None)
        _implicit().clear()
        outdated_values.forget(_URL)  # the URL of a new page holds no echo of the old one


def _page_params() -> list[str]:
    """Return the names of the URL parameters that say what the page shows."""
    return [name for name in st.query_params if name not in ONLY_HERE]


def replace_old_params() -> None:
    """Rename parameters of old links: a page in large type is a page in presenter view now."""
    if (value := st.query_params.get(OLD_PRESENTER)) is not None:
        set_param(OLD_PRESENTER, None)
        set_switch("present", is_on=value == "true" or is_on("present"))


def is_bare_url() -> bool:
    """Return whether the URL had no parameters when this page was opened."""
    return st.session_state.get("is_bare_url", False)


def page() -> str:
    """Return the current page's name in the URL; START for the start page, which has none there."""
    return st.session_state.get("page") or START


def preset_widget(key: str, value: object) -> None:
    """Set the value of a widget from Python, before the widget is created."""
    before = st.session_state.get(key)
    if before != value:
        outdated_values.note_replaced(key, before)
    st.session_state[key] = value
    _initialized().add(key)


def params_on_arrival() -> dict[str, str]:
    """Return the URL parameters in a session's first run; later, return an empty dictionary."""
    is_arrival = "params_on_arrival" not in st.session_state
    st.session_state["params_on_arrival"] = st.query_params.to_dict() if is_arrival else {}
    return st.session_state["params_on_arrival"]


def report_ignored(params: dict[str, str]) -> None:
    """Show which of the URL parameters `params` the page ignored, and whether a file is missing."""
    ignored = {
        name: value
        for name, value in params.items()
        if st.query_params.get(name) != value and not _is_chosen(name, value)
    }
    files = {name for name, value in ignored.items() if names_user_file(name, value)}
    if files:
        st.toast(FILE_NOT_KEPT, duration="long")
    if others := [f"{name}={ignored[name][:40]}" for name in ignored if name not in files]:
        # A backtick or an empty line in the value would end the code span.
        listed = escape_invisible(", ".join(others)).replace("`", "'")
        st.toast(f"The address asks for `{listed}`. That isn't possible here, so we changed it.")


def end_early() -> NoReturn:
    """End the page as `st.stop` does, but report the ignored parameters first."""
    report_ignored(st.session_state.get("params_on_arrival", {}))
    st.stop()


def _is_chosen(name: str, value: str) -> bool:
    """Return whether the page shows `value` for `name`; the URL omits it if it is the default."""
    if value == _shown().get(name):
        return True
    chosen = st.session_state.get(_widget_keys().get(name, name))
    shown = ",".join(chosen) if isinstance(chosen, list) else str(chosen)
    return value.lower() == shown.lower()


def parse_natural(value: str, digits: int = 9) -> int | None:
    """Return a natural number of at most `digits` digits; None for anything else.

    >>> parse_natural("300"), parse_natural("-1"), parse_natural("0000000300")
    (300, None, None)
    """
    return int(value) if value.isascii() and value.isdigit() and len(value) <= digits else None


def _initialized() -> set[str]:
    """Return the names of the controls shown since this page was opened."""
    return st.session_state.setdefault("initialized", set())


def _widget_keys() -> dict[str, str]:
    """Return the widget key of each `choice`, by URL parameter."""
    return st.session_state.setdefault("controls", {})


def _shown_labels() -> dict[str, str]:
    """Return the label that the browser shows for the chosen option, by widget key."""
    return st.session_state.setdefault("labels_shown", {})


def _shown() -> dict[str, str]:
    """Return what the page shows, by URL parameter; the URL itself omits defaults."""
    return st.session_state.setdefault("values_shown", {})


def last_set(name: str) -> str | None:
    """Return the value that `name` was last set to."""
    return _set_values().get(name)


def _implicit() -> dict[str, str]:
    return st.session_state.setdefault("implicit_params", {})


def _set_values() -> dict[str, str | None]:
    return st.session_state.setdefault("set_params", {})


def _set_here() -> set[str]:
    """Return the names of the parameters that were set since this page was opened."""
    return st.session_state.setdefault("params_set_here", set())


def _steps() -> dict[str, int]:
    return st.session_state.setdefault("step_of_run", {})
