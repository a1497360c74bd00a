"""Write fixtures/files: published tokenizer files, cut to their first pieces.

Run by hand from the project's directory: `python -m tests.parity.make_file_fixtures`. It downloads
each package with pip or npm, verifies its SHA-256, and stores the cut file with its licence.
`clip.json` has what open_clip's own tokenizer makes of texts with the cut list of merges.
"""

import gzip
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from lessons.models import Package
from lessons.models.fetch import download, member

from .corpora import random_strings

FOLDER = Path(__file__).with_name("fixtures") / "files"
PIECES, UNUSED = 1_500, 100
ANSWERED = 300
CLIP_TEXTS = (
    "a photo of a CAT's &amp;lt;b&gt; &notit; &#x41; &#0; &",
    "ΑΣ. ΣΑΣ Σ İI ﬁ",
    "\x1c a\x1d\x85b\u3000 \u2028\n",
    "it'ſ we'LL don'T 123",
)


def cut_tekken(data: bytes) -> bytes:
    """Keep the first pieces, and more of them than the configuration uses, as the whole file."""
    file = json.loads(data)
    config = file["config"]
    file["vocab"] = file["vocab"][:PIECES]
    config["num_vocab_tokens"] = PIECES
    config["default_vocab_size"] = config["default_num_special_tokens"] + PIECES - UNUSED
    return json.dumps(file, ensure_ascii=False, separators=(",", ":")).encode()


def cut_bpe_ranks(data: bytes) -> bytes:
    """Keep the first pieces of a file whose ranks are one text: a mark, the first rank, pieces."""
    file = json.loads(data)
    file["bpe_ranks"] = " ".join(file["bpe_ranks"].split(" ")[: PIECES + 2])
    return json.dumps(file, ensure_ascii=False).encode()


def cut_lines(data: bytes) -> bytes:
    """Keep the first lines and the last, which is unusual in Whisper's list."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:PIECES], lines[-1]])


def cut_merges(data: bytes) -> bytes:
    """Keep the first lines of a compressed list of merges."""
    return b"".join(gzip.decompress(data).splitlines(keepends=True)[:PIECES])


def _package(name: str, registry: str, version: str, licence: str, sha256: str, source=False):
    return Package(name, registry, version, "", licence, sha256, {}, source)


CUT: dict[str, tuple[Package, str, Callable[[bytes], bytes]]] = {
    "tekken.json": (
        _package(
            "mistral-common",
            "PyPI",
            "1.13.1",
            "mistral_common-1.13.1.dist-info/licenses/LICENSE",
            "98b4d0755b8d90bf4691fa8f1b70cb3b4a8cd4dc1653c4ed08ef3d1c7d2c29af",
        ),
        "mistral_common/data/tekken_240911.json",
        cut_tekken,
    ),
    "claude.json": (
        _package(
            "@anthropic-ai/tokenizer",
            "npm",
            "0.0.4",
            "package/LICENSE",
            "197ba0ae81d3abb68de9ed0bd5d4c474db866a98cc70a830c8559420ea59768f",
        ),
        "package/claude.json",
        cut_bpe_ranks,
    ),
    "multilingual.tiktoken": (
        _package(
            "openai-whisper",
            "PyPI",
            "20250625",
            "openai_whisper-20250625/LICENSE",
            "37a91a3921809d9f44748ffc73c0a55c9f366c85a3ef5c2ae0cc09540432eb96",
            source=True,
        ),
        "openai_whisper-20250625/whisper/assets/multilingual.tiktoken",
        cut_lines,
    ),
    "bpe_simple_vocab_16e6.txt": (
        _package(
            "open_clip_torch",
            "PyPI",
            "3.3.0",
            "open_clip_torch-3.3.0.dist-info/licenses/LICENSE",
            "c549ad5ed6bfc119cc11105033c0a2b9d7a2a4afeb40a58a09aab3da1a0043ce",
        ),
        "open_clip/bpe_simple_vocab_16e6.txt.gz",
        cut_merges,
    ),
}
"""The package that has each file, the file's path in it, and how it is cut."""


def clip_answers(source: str, merges: bytes, texts: list[str]) -> list[tuple[list[int], str]]:
    """Return the ids and the decoded text that open_clip's tokenizer.py makes of each text.

    Its imports that only matter for networks, and ftfy, which isn't part of this program, are
    replaced: a text is not repaired.
    """
    torch, ftfy = ModuleType("torch"), ModuleType("ftfy")
    vars(torch).update(LongTensor=list, Tensor=list)
    vars(ftfy).update(fix_text=str)
    with (
        tempfile.NamedTemporaryFile(suffix=".gz") as file,
        mock.patch.dict(sys.modules, torch=torch, ftfy=ftfy),
    ):
        file.write(gzip.compress(merges.rstrip(b"\n")))  # an empty line would be a piece
        file.flush()
        # At its end the module opens a list beside it, which isn't there.
        program = source.partition("_tokenizer = SimpleTokenizer()")[0]
        names: dict[str, Any] = {"__file__": file.name, "__name__": "open_clip"}
        exec(program, names)
        tokenizer = names["SimpleTokenizer"](file.name)
        return [(ids := tokenizer.encode(text), tokenizer.decode(ids)) for text in texts]


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, (package, path, cut) in CUT.items():
        with tempfile.TemporaryDirectory() as folder:
            archive = download(package, Path(folder))
            data = cut(member(archive, path))
            (FOLDER / name).write_bytes(data)
            (FOLDER / f"{name}.LICENSE").write_bytes(member(archive, package.licence_file))
            if package.name == "open_clip_torch":
                texts = [*CLIP_TEXTS, *random_strings(2_000, seed=5)[-ANSWERED:]]
                source = member(archive, "open_clip/tokenizer.py").decode()
                rows = zip(texts, clip_answers(source, data, texts), strict=True)
                lines = ",\n".join(
                    json.dumps([text, *answer], ensure_ascii=False) for text, answer in rows
                )
                FOLDER.with_name("clip.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
