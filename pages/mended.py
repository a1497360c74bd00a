"""What is changed of Streamlit while the server lives: what it does slowly, or loses.

Each change is small, has its reason, and can go when Streamlit does it by itself.
"""

import socket
from asyncio import base_events
from weakref import WeakKeyDictionary

from streamlit import config
from streamlit.components.v2.bidi_component import main as components
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.state.session_state import WStates


def mend() -> None:
    """Make all the changes."""
    answer_at_once()
    hear_browsers_right()
    keep_theme()
    plain_components()
    refer_to_what_is_kept()
    send_all_of_parts()


def hear_browsers_right() -> None:
    """Have run what a browser means, where it names a part of a page that alone is to run.

    What changes within one moment it sends together, and names the part of the first change: a menu
    that was opened just as a player came to rest would stay empty. So the whole page runs when
    another part has changed, too. And a player says where it rests as a link is pressed, which is
    heard after the link: the part of the page that was left would do away with the new page, and
    nothing be shown. So it does not run.
    """
    request = AppSession.request_rerun
    left: WeakKeyDictionary[AppSession, str] = WeakKeyDictionary()

    def heard(session: AppSession, told: ClientState | None) -> None:
        if told and told.fragment_id:
            if told.page_script_hash == left.get(session):
                return
            if _is_of_more_than_its_part(told, session):
                told.fragment_id = ""
        elif told and told.page_script_hash:
            here = session.page_script_hash
            left[session] = here if here != told.page_script_hash else ""
        request(session, told)

    AppSession.request_rerun = heard  # pyright: ignore[reportAttributeAccessIssue]


def _is_of_more_than_its_part(told: ClientState, session: AppSession) -> bool:
    kept = session.session_state._new_widget_state  # pyright: ignore[reportPrivateUsage]
    # Copies: to read one writes into it, and a run may be changing the one that is kept.
    known = WStates(dict(kept.states), dict(kept.widget_metadata))
    new = WStates(widget_metadata=dict(kept.widget_metadata))
    for widget in told.widget_states.widgets:
        new.set_widget_from_proto(widget)

    def has_changed(name: str) -> bool:
        try:
            return bool(new.get(name) != known.get(name))
        except (LookupError, TypeError, ValueError):  # what is wrong with it, the run says
            return True

    return any(
        what.fragment_id != told.fragment_id and name in new and name in known and has_changed(name)
        for name, what in list(new.widget_metadata.items())
    )


def keep_theme() -> None:
    """Have Streamlit make each part of its theme once, and not all six for every run of a page.

    Making them is a third of what a rest at a step costs the server. Left out: a theme that is
    edited while the server runs is seen when it starts anew.
    """
    make = app_session._populate_theme_msg
    made: dict[str, CustomThemeConfig | None] = {}

    def fill(theme: CustomThemeConfig, section: str = "theme") -> None:
        if section not in made:
            around = CustomThemeConfig()
            make(around.light, section)
            made[section] = around.light if around.HasField("light") else None
        if (known := made[section]) is not None:  # else it is left unset, which means as usual
            theme.SetInParent()
            theme.MergeFrom(known)

    app_session._populate_theme_msg = fill


def plain_components() -> None:
    """Have Streamlit hand out what a component has told as it is.

    It defines a class for every reading, and each run of a page reads several times what every
    component on it has told. Left out, for nobody uses it: to change that from Python.
    """
    components.make_bidi_component_presenter = lambda *_: None  # pyright: ignore


def refer_to_what_is_kept() -> None:
    """Have a browser referred only to what it still has of what it was sent.

    It tells with each request which messages it keeps, and forgets what has not come up in so many
    runs. If the run that ends meanwhile was the last of these, it would be referred to what it has
    forgotten, and Streamlit ends the connection for good: the page is dead. So it is referred to
    what has come up in half as many runs.
    """
    flush, request = AppSession.flush_browser_queue, AppSession.request_rerun
    sent: WeakKeyDictionary[AppSession, dict[str, int]] = WeakKeyDictionary()
    """How many runs ago each message came up."""

    def flushed(session: AppSession) -> list[ForwardMsg]:
        messages = flush(session)
        ages = sent.setdefault(session, {})
        for message in messages:
            if message.WhichOneof("type") == "script_finished":
                last = config.get_option("global.maxCachedMessageAge") // 2
                ages = {name: age + 1 for name, age in ages.items() if age < last}
                sent[session] = ages
            elif message.ref_hash or message.metadata.cacheable:
                ages[message.ref_hash or message.hash] = 0
        return messages

    def heard(session: AppSession, told: ClientState | None) -> None:
        if told:
            kept = [name for name in told.cached_message_hashes if name in sent.get(session, {})]
            told.cached_message_hashes[:] = kept
        request(session, told)

    AppSession.flush_browser_queue = flushed  # pyright: ignore[reportAttributeAccessIssue]
    AppSession.request_rerun = heard  # pyright: ignore[reportAttributeAccessIssue]


def send_all_of_parts() -> None:
    """Have a browser sent all that was drawn of a part of a page, though it runs again already.

    Streamlit drops what is not yet sent of the run before, but not what was drawn by a part inside
    that part. This then has places behind others that the browser never hears of, at which it gives
    up: the whole page turns white. Left out: a run of a whole page still drops all.
    """
    clear = AppSession._clear_queue  # pyright: ignore[reportPrivateUsage]

    def cleared(session: AppSession, parts: list[str] | None = None) -> None:
        clear(session, None if parts is None else [])

    AppSession._clear_queue = cleared  # pyright: ignore[reportAttributeAccessIssue]


def answer_at_once() -> None:
    """Have each answer sent as soon as it is written.

    asyncio sees to that where a socket names its protocol, and Streamlit's does not. What is
    written in two pieces, as answers are, then waits for the receipt of the first one: 40 ms for
    many of a page's scripts, and for each rest at a step.
    """

    def without_delay(connection: socket.socket) -> None:
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    base_events._set_nodelay = without_delay  # pyright: ignore
