"""What tests of rooms share: a real Redis on a free port, and questions."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import RedisError

from tests.browser.conftest import free_port, missing


@contextmanager
def redis_server(folder: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run a Redis that writes nothing to a disk: its process and its URL."""
    program = shutil.which("redis-server")
    if program is None:
        missing("There is no redis-server: apt-get install redis-server")
    port = port or free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly"]
    server = subprocess.Popen([*command, "no", "--dir", str(folder)], stdout=subprocess.DEVNULL)
    try:
        wait_for_redis(port)
        yield server, f"redis://127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait(timeout=20)


def wait_for_redis(port: int) -> None:
    end = time.monotonic() + 20
    while True:
        try:
            with Redis(port=port) as client:
                client.ping()
            return
        except RedisError:
            assert time.monotonic() < end, "Redis did not start"
            time.sleep(0.05)


@pytest.fixture(scope="module")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Redis of this module's tests."""
    with redis_server(tmp_path_factory.mktemp("redis")) as (_, url):
        yield url


def question(key: str = "step 3", form: str = "choice", options: int = 3) -> dict[str, Any]:
    """Return a question as a teacher's screen sends it."""
    texts = [[["token", chr(97 + n), n], ["text", " first"]] for n in range(options)]
    return {"key": key, "form": form, "prompt": [["text", "Which?"]], "options": texts}
