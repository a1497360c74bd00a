"""Patches of private parts of Streamlit and asyncio, applied when the server starts.

A patch is applied only if everything it touches has the expected names and parameters. Otherwise,
one line is logged, and Streamlit's own behavior remains.
"""

import socket
import time
from collections.abc import Callable
from functools import wraps
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from pages.shared.controls import outdated_values
from pages.shared.work.internals import find, log_unavailable

SESSION = "streamlit.runtime.app_session:AppSession"
STATE = "streamlit.runtime.state.session_state"
FILES = "streamlit.runtime.media_file_manager:MediaFileManager"


def apply() -> None:
    """Apply every patch that fits the installed release of Streamlit."""
    for patch in PATCHES:
        try:
            patch()
        except LookupError as error:
            log_unavailable(f"the patch {patch.__name__}", error)


def enable_tcp_nodelay() -> None:
    """Set TCP_NODELAY on every connection where uvloop is not used (on Windows).

    asyncio sets it only on a socket that names its protocol. Streamlit's sockets don't, nor do
    sockets accepted on macOS or Windows: https://github.com/python/cpython/issues/148783. A
    response written in two parts then waits for the acknowledgment of the first part, which delays
    many of a page's scripts, and each step that the player reports, by 40 ms.
    """
    find("asyncio.base_events:_set_nodelay", "sock")

    def set_nodelay(sock: socket.socket) -> None:
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    find("asyncio:base_events")._set_nodelay = set_nodelay


def fix_fragment_reruns() -> None:
    """Rerun the whole page if a fragment's request changes widgets outside.

    The browser sends simultaneous changes in one message that names only the first one's fragment:
    a menu opened just as the player reports its step stays empty. This is not reported upstream.
    To reproduce it, change two components in one call of a component's script:

        @st.fragment
        def part(key):
            st.write(mount(key=key, on_value_change=lambda: None))
        part("one")
        part("two")  # its new value is not drawn until the page runs again
    """
    session, request = find(SESSION), find(f"{SESSION}.request_rerun", "self client_state")
    find(f"{SESSION}.session_state")
    has_changes_elsewhere = _compare_widgets()
    _need_fields("ClientState", "fragment_id widget_states")

    @wraps(request)
    def request_rerun(self: Any, client_state: Any) -> None:
        if client_state and client_state.fragment_id and has_changes_elsewhere(client_state, self):
            client_state.fragment_id = ""
        request(self, client_state)

    session.request_rerun = request_rerun


def _compare_widgets() -> Callable[[Any, Any], bool]:
    """Return a function that tells whether a request changes widgets outside its fragment."""
    widget_states = find(f"{STATE}:WStates", "states widget_metadata")
    find(f"{STATE}:WStates.set_widget_from_proto", "self widget_state")
    find(f"{STATE}:WStates.get")
    find(f"{STATE}:SessionState._new_widget_state")
    find("streamlit.runtime.state.common:WidgetMetadata.fragment_id")

    def has_changes_elsewhere(client_state: Any, session: Any) -> bool:
        kept = session.session_state._new_widget_state
        # They are copies because reading an object changes it while a run may be using it.
        known = widget_states(dict(kept.states), dict(kept.widget_metadata))
        new = widget_states(widget_metadata=dict(kept.widget_metadata))
        for widget in client_state.widget_states.widgets:
            new.set_widget_from_proto(widget)

        def has_changed(name: str) -> bool:
            try:
                return bool(new.get(name) != known.get(name))
            except (LookupError, TypeError, ValueError):  # the run reports the error
                return True

        return any(
            widget.fragment_id != client_state.fragment_id
            and not name.endswith(outdated_values.RUN_BOX)
            and name in new
            and name in known
            and has_changed(name)
            for name, widget in list(new.widget_metadata.items())
        )

    return has_changes_elsewhere


def keep_chosen_page() -> None:
    """Show the chosen page, though the page that is left reports something after the click.

    Until the browser receives the new page, it sends every change on behalf of the old one. If a
    component reports just after the user has clicked a link (a long text is stored, the player has
    come to rest), Streamlit runs the old page, or a fragment of it, in place of the new one: the
    click is lost, or the new page stays empty. So the whole page's request is replaced by that of
    the link, and a fragment's is dropped. This is not reported upstream. To reproduce it, put a
    component onto one of two pages, and click the link to the other:

        js = "export default (at) => { onclick = () => at.setStateValue('time', Date.now()); }"
        component("late", js=js)(on_time_change=lambda: None)
    """
    session, request = find(SESSION), find(f"{SESSION}.request_rerun", "self client_state")
    find(f"{SESSION}.page_script_hash")
    _need_fields("ClientState", "fragment_id page_script_hash widget_states")
    chosen: WeakKeyDictionary[Any, tuple[Any, set[str]]] = WeakKeyDictionary()
    """The request for the page chosen last, and the pages left for it."""

    def widgets(client_state: Any) -> set[str]:
        names = {widget.id for widget in client_state.widget_states.widgets}
        return {name for name in names if not name.endswith(outdated_values.RUN_BOX)}

    @wraps(request)
    def request_rerun(self: Any, client_state: Any) -> None:
        if client_state and client_state.page_script_hash:
            page, here = client_state.page_script_hash, self.page_script_hash
            link, left = chosen.get(self, (None, set()))
            # Unlike a report, a link's request has only the widgets that are on every page.
            if page in left and (client_state.fragment_id or widgets(client_state) - widgets(link)):
                if client_state.fragment_id:
                    return
                client_state.CopyFrom(link)
            elif not client_state.fragment_id:
                asked = type(client_state)()
                asked.CopyFrom(client_state)
                chosen[self] = asked, set() if page == here else {*left, here} - {page}
        request(self, client_state)

    session.request_rerun = request_rerun


def limit_cached_message_refs() -> None:
    """Only send cached-message references that the browser is certain to still hold.

    A browser reports with each request which messages it has cached, and drops messages not used in
    `maxCachedMessageAge` runs. If it drops a message after it has reported it, it may get a
    reference to the dropped message, and the page is dead: "Cached ForwardMsg MISS",
    https://github.com/streamlit/streamlit/issues/15816. So this patch refers only to messages used
    in half as many past runs. Without it, every message is sent whole (.streamlit/config.toml).
    """
    session, flush = find(SESSION), find(f"{SESSION}.flush_browser_queue", "self")
    request = find(f"{SESSION}.request_rerun", "self client_state")
    set_option = find("streamlit.config:set_option", "key value where_defined")
    _need_fields("ClientState", "cached_message_hashes")
    _need_fields("ForwardMsg", "hash ref_hash metadata script_finished")
    sent: WeakKeyDictionary[Any, dict[str, int]] = WeakKeyDictionary()
    """The number of runs since each message was used."""

    @wraps(flush)
    def flush_browser_queue(self: Any) -> list[Any]:
        messages = flush(self)
        ages = sent.setdefault(self, {})
        for message in messages:
            if message.WhichOneof("type") == "script_finished":
                last = st.get_option("global.maxCachedMessageAge") // 2
                ages = {name: age + 1 for name, age in ages.items() if age < last}
                sent[self] = ages
            elif message.ref_hash or message.metadata.cacheable:
                ages[message.ref_hash or message.hash] = 0
        return messages

    @wraps(request)
    def request_rerun(self: Any, client_state: Any) -> None:
        if client_state:
            known = sent.get(self, {})
            kept = [name for name in client_state.cached_message_hashes if name in known]
            client_state.cached_message_hashes[:] = kept
        request(self, client_state)

    session.flush_browser_queue = flush_browser_queue
    session.request_rerun = request_rerun
    set_option("global.minCachedMessageSize", SMALLEST_CACHED)


SMALLEST_CACHED = 10_000.0
"""Bytes of the smallest message that is cached by the browser: Streamlit's own default."""


def keep_fragment_deltas() -> None:
    """Do not drop queued deltas of a fragment when its next run starts.

    Streamlit drops them since https://github.com/streamlit/streamlit/pull/9381, but keeps the
    deltas of nested fragments. Their delta paths then follow siblings that the browser never got,
    and the whole page turns white ("Cannot set a node at a delta path").
    tests/browser/busy_app.py reproduces it. A run of a whole page still drops everything.
    """
    session = find(SESSION)
    clear = find(f"{SESSION}._clear_queue", "self fragment_ids_this_run")

    @wraps(clear)
    def clear_queue(self: Any, fragment_ids_this_run: list[str] | None = None) -> None:
        clear(self, None if fragment_ids_this_run is None else [])

    session._clear_queue = clear_queue


def keep_unused_files() -> None:
    """Keep the files and download buttons that no page refers to any more for a minute.

    Streamlit deletes a file made for a download once two runs of any pages have ended, even if the
    browser has yet to fetch it: in a class, others' clicks cancel a download. And from the start of
    a page's run, the end of any other run disables the download buttons that the browser still
    shows. Neither is reported upstream. To reproduce the first problem, delay the response to
    `/media/` by some seconds, press the button, and load the page in another tab twice:

        st.download_button("Download", lambda: "made on request")
    """
    files = find(FILES, "storage")
    remove = find(f"{FILES}.remove_orphaned_files", "self")
    needed = {"_file_metadata", "_deferred_callables", "_files_by_session_and_coord", "_lock"}
    if lacking := needed - set(vars(files(None))):
        raise LookupError(f"{FILES} has no {', '.join(sorted(lacking))}")
    unused: WeakKeyDictionary[Any, dict[str, tuple[Any, float]]] = WeakKeyDictionary()
    """Since when each file is unused; a file made again is another object of the same name."""

    @wraps(remove)
    def remove_orphaned_files(self: Any) -> None:
        now = time.monotonic()
        with self._lock:
            pages = self._files_by_session_and_coord
            pages.pop(UNUSED, None)
            used = {name for names in pages.values() for name in names.values()}
            before = unused.get(self, {})
            unused[self] = after = {}
            for name, file in (*self._file_metadata.items(), *self._deferred_callables.items()):
                if name not in used:
                    known, since = before.get(name, (None, now))
                    after[name] = file, since if known is file else now
            # Streamlit keeps what a session refers to.
            pages[UNUSED] = {
                name: name for name, (_, since) in after.items() if now - since < UNUSED_SECONDS
            }
        remove(self)

    files.remove_orphaned_files = remove_orphaned_files


UNUSED = "unused files"  # the name of a session that refers to them
UNUSED_SECONDS = 60.0


PATCHES = (
    enable_tcp_nodelay,
    fix_fragment_reruns,
    keep_chosen_page,
    limit_cached_message_refs,
    keep_fragment_deltas,
    keep_unused_files,
)


def _need_fields(message: str, names: str) -> None:
    """Raise LookupError unless a message of Streamlit's protocol has these fields."""
    fields = find(f"streamlit.proto.{message}_pb2:{message}.DESCRIPTOR").fields_by_name
    if lacking := set(names.split()) - set(fields):
        raise LookupError(f"{message} has no {', '.join(sorted(lacking))}")
