"""The app's end of the pipe to a worker process; worker.py is the other end."""

import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

ROOT = Path(__file__).parents[3]


class WorkerProcess:
    """A worker process and the messages received from it.

    Raises OSError or RuntimeError if the system is out of processes, files or threads.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pages.shared.work.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._messages: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        try:
            threading.Thread(target=self._listen, daemon=True).start()
        except RuntimeError:
            self.kill()
            raise
        self.send(sys.path)

    def send(self, message: object) -> None:
        """Send one message; if the process has died, `receive` reports it."""
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):  # ValueError: the pipe was closed by `_listen`
            self._process.stdin.write(pickle.dumps(message))
            self._process.stdin.flush()

    def receive(self, seconds: float) -> tuple[str, Any]:
        """Return the next message; ("silence", None) if none comes within `seconds`."""
        try:
            return self._messages.get(timeout=seconds)
        except Empty:
            return "silence", None

    def is_alive(self) -> bool:
        """Return whether the process can take another job."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process and wait until it has ended."""
        self._process.kill()
        self._process.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        assert self._process.stdin is not None
        try:
            while True:
                self._messages.put(pickle.load(self._process.stdout))
        except (EOFError, pickle.UnpicklingError):
            pass  # the process is gone, perhaps in the middle of a message
        finally:
            self.kill()
            self._process.stdout.close()
            with suppress(OSError):  # unwritten data is lost
                self._process.stdin.close()
            self._messages.put(("died", self._process.returncode))
