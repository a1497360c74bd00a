"""The recordings that pages show now: the server sends their windows on request.

A window comes faster this way than by another run of the page. The registry keeps no recording: it
knows one as long as the pool does.
"""

from weakref import WeakValueDictionary

from pages.shared.recording.frame_types import Recording

_shown: WeakValueDictionary[str, Recording] = WeakValueDictionary()


def register(recording: Recording) -> None:
    """Make the windows of a recording available by its key, which is a hash of its content."""
    _shown[recording.key] = recording


def find_window(key: str, index: int) -> bytes | None:
    """Return a window of a recording that a page shows, making it if needed, or None."""
    recording = _shown.get(key)
    if recording is None or index >= len(recording.windows):
        return None
    return recording.windows[index]
