"""A server that is busy for a while, for apps whose messages are to cross on their way."""

import time

from streamlit import runtime

BUSY = 0.5  # seconds


def keep_server_busy() -> None:
    """Send nothing, and receive nothing, for a while from now on."""
    loop = runtime.get_instance()._get_async_objs().eventloop
    loop.call_soon_threadsafe(time.sleep, BUSY)
