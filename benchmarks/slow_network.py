"""A slow network between a browser and a server on this machine, to measure what is sent."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from urllib.parse import urlsplit

PACKET = 4_096  # bytes
DELAY = 0.02  # seconds, each way
UP = 0.5  # how fast a browser sends, compared to what it receives


@contextmanager
def slowed(url: str, megabits: float) -> Iterator[str]:
    """Yield the address at which a server answers as if it were `megabits` per second away."""
    loop, bytes_per_second = asyncio.new_event_loop(), megabits * 1e6 / 8
    there = urlsplit(url)

    async def serve(reader: StreamReader, writer: StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection(there.hostname, there.port)
        await asyncio.gather(
            _pass_on(reader, to_server, bytes_per_second * UP),
            _pass_on(from_server, writer, bytes_per_second),
        )

    server = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0))
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _pass_on(reader: StreamReader, writer: StreamWriter, bytes_per_second: float) -> None:
    """Write what is read, each packet when a slow network would have brought it."""
    loop, sent = asyncio.get_running_loop(), 0.0
    with suppress(ConnectionError):
        while packet := await reader.read(PACKET):
            sent = max(sent, loop.time()) + len(packet) / bytes_per_second
            loop.call_at(sent + DELAY, _write, writer, packet)
    loop.call_at(max(sent, loop.time()) + DELAY, writer.close)


def _write(writer: StreamWriter, packet: bytes) -> None:
    if not writer.is_closing():
        writer.write(packet)
