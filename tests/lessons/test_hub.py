"""Tokenizers by name, from a server on this machine that speaks the hub's protocol."""

import hashlib
import importlib.util
import json
import re
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from lessons.models import hub, read_files
from pages.real.model_picker import MAX_MEGABYTES
from tokenizers.limits import MAX_FILE_BYTES

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("huggingface_hub") is None,
    reason="huggingface_hub is not installed; get it by: pip install -r requirements-hub.txt",
)

ROOT = Path(__file__).parents[2]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
MERGES = b"#version: 0.2\nh e\n"
REPOSITORIES: dict[str, dict[str, bytes]] = {
    "us/tiny": {
        "config.json": b"{ }",
        "vocab.json": b"{}",
        "merges.txt": MERGES,
        "w.bin": b"0" * 9,
    },
    "us/both": {"vocab.txt": b"[UNK]\n", "tokenizer.json": b'{"model": {}}'},
    "us/words": {"vocab.txt": b"[UNK]\nlow\n##er\n"},
    "us/chat": {
        "additional_chat_templates/rag.jinja": b"r",
        "chat_template.jinja": b"c",
        "onnx/tokenizer_config.json": b"{}",
        "spm.model": read_files("unigram-english").popitem()[1],
        "tokenizer_config.json": b'{"tokenizer_class": "LlamaTokenizer", "add_bos_token": true}',
        "weights/model.bin": b"0" * 9,
    },
    "us/ranks": {"qwen.tiktoken": b"IQ== 0\n"},
    "us/gated": {"tokenizer.json": b"{}"},
    "us/weights": {"model.safetensors": b"0"},
    "us/long": {"tokenizer.json": b"x" * 1_000_000},
    "us/lies": {"tokenizer.json": b"x" * 1_000_000},
}


class Hub(ThreadingHTTPServer):
    """Answers `GET /api/models/…` and `HEAD`/`GET /…/resolve/…`, and remembers what was asked."""

    requests: list[tuple[str, str, dict[str, str]]]

    def handle_error(self, *_: Any) -> None:
        """Stay quiet: whoever stops a download hangs up."""

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        assert isinstance(self.server, Hub)
        self.server.requests.append((self.command, self.path, dict(self.headers)))
        if listed := re.match(r"/api/models/([\w-]+/[\w-]+)(?:/revision/(\w+))?", self.path):
            self.list(listed[1], listed[2] or "main")
        elif file := re.match(r"/([\w-]+/[\w-]+)/resolve/(\w+)/(.+)", self.path):
            self.file(file[1], file[3], with_body)
        else:
            self.refuse(404, "EntryNotFound")

    def list(self, repo: str, revision: str) -> None:
        if repo not in REPOSITORIES:
            return self.refuse(404, "RepoNotFound")
        if revision != "main":
            return self.refuse(404, "RevisionNotFound")
        siblings = [{"rfilename": name} for name in REPOSITORIES[repo]]
        body = json.dumps({"id": repo, "sha": COMMIT, "siblings": siblings}).encode()
        self.send({"Content-Type": "application/json", "Content-Length": str(len(body))}, body)

    def file(self, repo: str, name: str, with_body: bool) -> None:
        if repo == "us/gated" and self.headers.get("Authorization") != "Bearer mine":
            return self.refuse(403, "GatedRepo")
        body = REPOSITORIES[repo][name]
        etag = hashlib.sha256(body).hexdigest()
        headers = {"ETag": f'"{etag}"', "X-Repo-Commit": COMMIT, "X-Xet-Hash": "0" * 64}
        headers["X-Xet-Refresh-Route"] = "/xet"
        if repo == "us/lies":
            headers["Connection"] = "close"  # and no length
        else:
            headers["Content-Length"] = str(len(body))
        self.send(headers, body if with_body else b"")

    def refuse(self, status: int, code: str) -> None:
        self.send({"X-Error-Code": code, "Content-Length": "0"}, b"", status)

    def send(self, headers: dict[str, str], body: bytes, status: int = 200) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(OSError):  # whoever stops a download hangs up
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Write nothing to the screen."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Hub(("127.0.0.1", 0), Answer) as server:
        server.daemon_threads, server.requests = True, []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def download(server: Hub, cache: Path, repo: str, **more: Any) -> hub.TokenizerFiles:
    return hub.download(repo, cache=cache, endpoint=server.endpoint, **more)


def test_the_files_of_a_tokenizer_come_with_their_commit(server: Hub, tmp_path: Path):
    got = download(server, tmp_path, "us/tiny")
    assert got == hub.TokenizerFiles(
        "us/tiny",
        COMMIT,
        {"vocab.json": b"{}", "merges.txt": MERGES, "config.json": b"{ }"},
        False,
    )
    fetched = [path for command, path, _ in server.requests if command == "GET"]
    assert [path.rpartition("/")[2] for path in fetched] == [
        "main",
        *("vocab.json", "merges.txt", "config.json"),
    ]


def test_of_several_kinds_the_one_that_tells_most_is_taken(server: Hub, tmp_path: Path):
    assert list(download(server, tmp_path, "us/both").files) == ["tokenizer.json"]
    assert list(download(server, tmp_path, "us/ranks").files) == ["qwen.tiktoken"]


def test_a_tokenizer_of_the_hub_opens_under_its_name(server: Hub, tmp_path: Path):
    tokenizer = download(server, tmp_path, "us/words").open()
    assert tokenizer.name == "us/words"
    assert tokenizer.encode("Lower").tokens == ("low", "##er")


def test_what_lies_beside_a_tokenizer_comes_with_it(server: Hub, tmp_path: Path):
    names = ["additional_chat_templates/rag.jinja", "chat_template.jinja", "tokenizer_config.json"]
    for endpoint in (server.endpoint, "http://127.0.0.1:9"):  # and without a network
        got = hub.download("us/chat", cache=tmp_path, endpoint=endpoint)
        assert list(got.files) == ["spm.model", *names]
        tokenizer = got.open()
        assert tokenizer.chat_templates == {"default": "c", "rag": "r"}
        assert tokenizer.encode("low").tokens[0] == "<s>"


def test_page_core_and_hub_have_one_limit():
    config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == MAX_MEGABYTES == 64
    assert MAX_MEGABYTES << 20 == hub.MOST_BYTES == MAX_FILE_BYTES
    for file in ("nginx.conf", "kubernetes.yaml"):  # a little more
        assert "66m" in (ROOT / "docs/hosting" / file).read_text(encoding="utf-8")


def test_a_web_address_will_do(server: Hub, tmp_path: Path):
    assert download(server, tmp_path, f"{server.endpoint}/us/both/tree/main").repo == "us/both"


def test_nothing_is_reported_and_nothing_comes_by_another_protocol(server: Hub, tmp_path: Path):
    download(server, tmp_path, "us/both")
    assert all(
        path.startswith(("/api/models/us/both", "/us/both/")) for _, path, _ in server.requests
    )
    assert not any("torch" in headers.get("user-agent", "") for *_, headers in server.requests)
    assert not any("authorization" in map(str.lower, headers) for *_, headers in server.requests)
    from huggingface_hub import constants

    assert constants.HF_HUB_DISABLE_TELEMETRY
    assert constants.HF_HUB_DISABLE_XET


def test_what_was_downloaded_is_not_downloaded_again(server: Hub, tmp_path: Path):
    download(server, tmp_path, "us/both")
    server.requests.clear()
    assert not download(server, tmp_path, "us/both").from_cache
    assert not any(c == "GET" and "resolve" in path for c, path, _ in server.requests)


def test_without_a_network_what_is_kept_opens(server: Hub, tmp_path: Path):
    first = download(server, tmp_path, "us/tiny")
    closed = "http://127.0.0.1:9"  # nothing listens there
    again = hub.download("us/tiny", cache=tmp_path, endpoint=closed)
    assert (again.from_cache, again.files, again.commit) == (True, first.files, COMMIT)
    with pytest.raises(ValueError, match="cannot be reached, and us/both was never downloaded"):
        hub.download("us/both", cache=tmp_path, endpoint=closed)


@pytest.mark.parametrize(
    ("repo", "expected"),
    [
        ("us/missing", "The hub has no us/missing, or it is private"),
        ("us/gated", "us/gated is gated: its owner wants you to accept"),
        ("us/weights", "us/weights has no tokenizer file"),
        ("a b", "“a b” is not a name on the hub"),
        ("us/../../etc", "is not a name on the hub"),
        ("", "is not a name on the hub"),
    ],
)
def test_what_cannot_be_had_is_said(server: Hub, tmp_path: Path, repo: str, expected: str):
    with pytest.raises(ValueError, match=re.escape(expected)):
        download(server, tmp_path, repo)


def test_a_token_opens_a_gated_repository(server: Hub, tmp_path: Path):
    assert download(server, tmp_path, "us/gated", token="mine").files == {"tokenizer.json": b"{}"}


def test_a_revision_that_does_not_exist_is_said(server: Hub, tmp_path: Path):
    with pytest.raises(ValueError, match="us/tiny has no revision “other”"):
        download(server, tmp_path, "us/tiny", revision="other")


def test_a_download_tells_how_far_it_is(server: Hub, tmp_path: Path):
    reports: list[tuple[str, int, int | None]] = []
    download(server, tmp_path, "us/long", on_progress=lambda *now: reports.append(now))
    assert {(name, total) for name, _, total in reports} == {("tokenizer.json", 1_000_000)}
    done = [done for _, done, _ in reports]
    assert done[0] == 0
    assert done[-1] == 1_000_000
    assert len(done) >= 4
    assert done == sorted(done)


def test_a_download_can_be_stopped_and_leaves_nothing(server: Hub, tmp_path: Path):
    class Stopped(Exception):
        pass

    def stop(_: str, done: int, __: int | None) -> None:
        if done:
            raise Stopped

    with pytest.raises(Stopped):
        download(server, tmp_path, "us/long", on_progress=stop)
    assert not [
        path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_size > 1000
    ]


@pytest.mark.parametrize("repo", ["us/long", "us/lies"])
def test_what_is_too_large_is_refused(
    server: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repo: str
):
    """Before the download, if the server tells its size; otherwise during it."""
    monkeypatch.setattr(hub, "MOST_BYTES", 600_000)
    with pytest.raises(ValueError, match=f"The tokenizer of {repo} takes more than"):
        download(server, tmp_path, repo)
    gets = [path for command, path, _ in server.requests if command == "GET" and "resolve" in path]
    assert len(gets) == (repo == "us/lies")


def test_without_the_library_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(ValueError, match=r"pip install -r requirements-hub\.txt"):
        hub.download("us/tiny")
