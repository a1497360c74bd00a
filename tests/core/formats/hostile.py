"""Open damaged and hostile files in separate processes, and report the outcomes.

    python -m tests.core.formats.hostile tokenizer.json 2000 1
    python -m tests.core.formats.hostile growing 2000 1

The arguments are the kind of file, the number of mutated ones, and a seed; hand-made files of that
kind come first. Files of the kind `growing` are valid, but demand much: see `growing_files.py`. The
output is JSON: the number of files, how many were rejected, messages that are not sentences, the
longest processor time of one file in seconds, and the peak memory of a process in MB.
"""

import gc
import json
import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple, NoReturn

from pages.shared.work.worker import GC_THRESHOLDS
from tests.core.formats import test_byte_pieces, test_sentencepiece_files, test_tokenizer_json
from tests.core.formats.growing_files import growing
from tests.core.formats.test_opening import CHANGES, GOOD, HOSTILE, ON_BYTES, OURS, Change
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.runtime.sentencepiece import protobuf

Files = dict[str, bytes]
TEXT = "lowest café <|end|> [MASK] zz lo-w <s> ﬃ~☃\0" + "a" * 50
LONG = f"{TEXT} 漢ﷺक्{' ' * 50}<s> " * 5
"""For files that make texts grow."""
MOST_SECONDS, MOST_MEGABYTES = 2, 300
BATCH_FILES, BATCH_BYTES = 50, 1_000_000
LEFT_BEHIND = 16
"""How many MB files may leave in a process before another one is started."""

GOOD_JSON = (
    json.dumps(test_tokenizer_json.FILE, ensure_ascii=False).encode(),
    write_tokenizer_json(ON_BYTES).encode(),
)
MODEL = test_sentencepiece_files.DATA


def with_pattern(pattern: str) -> bytes:
    """Return a `tokenizer.json` that cuts by a pattern."""
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return test_tokenizer_json.changed("pre_tokenizer", to={**split, "invert": False}).encode()


def with_model(**changes: object) -> bytes:
    """Return a `tokenizer.json` with another model."""
    model = {**test_tokenizer_json.FILE["model"], **changes}
    return test_tokenizer_json.changed("model", to=model).encode()


def handmade_json() -> Iterator[bytes]:
    """Yield files of the kind `tokenizer.json`."""
    yield b'{"a":' * 200_000
    yield b"[" * 1_000_000
    yield b'{"model": ' + b"9" * 1_000_000 + b"}"
    yield with_pattern("(a*)*b")
    yield with_pattern("(a|a)*b")
    yield with_pattern("((a{1000}){1000}){1000}")
    yield with_pattern("(?R)")
    yield with_pattern("(" * 9_000 + "a" + "){1,2}+" * 1_000)
    yield with_model(vocab={"": 0, "a": 1}, merges=[["", "a"], ["a", ""]])
    yield with_model(vocab={"a": 0, "b": 0})
    yield with_model(vocab={"a": 10**40})
    yield with_model(vocab={f"{n}": n for n in range(500_000)})
    yield with_model(merges=[["l", "o"]] * 500_000)
    yield b'{"model": [' + b"7," * 15_000_000 + b"7]}"
    yield b'{"model": [' + b"7," * 2_400_000 + b"7]}"
    yield '{"model": "😀'.encode() + b"a" * 35_000_000 + b'"}'
    yield b" " * 64_000_000
    yield with_model(vocab={f"piece {n}": n for n in range(480_000)})


def handmade_model() -> Iterator[bytes]:
    """Yield files of the kind `tokenizer.model`, of SentencePiece."""
    yield protobuf.write_varint(10) + protobuf.write_varint(2**62) + b"a"
    yield b"\x0a" + b"\xff" * 9 + b"\x01"
    yield MODEL + protobuf.write(1, b"\x0a\xff\xff\xff\xff\x0f")
    yield MODEL + protobuf.write(3, protobuf.write(2, b"\xff\xff\xff\xff" + b"\0" * 99))
    yield MODEL + protobuf.write(3, protobuf.write(2, b"\x08\0\0\0" + b"\xff" * 8 + b"x"))
    yield protobuf.write(1, protobuf.write(1, "a")) * 300_000
    yield protobuf.write(1, protobuf.write(1, "a")) * 4_000_000
    yield b"\0" * 5_000_000


TEKKEN, CLAUDE = map(test_byte_pieces.written, (test_byte_pieces.TEKKEN, test_byte_pieces.CLAUDE))


def handmade_tekken() -> Iterator[bytes]:
    """Yield files of the kind `tekken.json`."""
    config = test_byte_pieces.TEKKEN["config"]
    piece = b'{"rank": 0, "token_bytes": "AA==", "token_str": ""}'
    start = b'{"config": ' + json.dumps(config).encode() + b', "vocab": ['
    yield start + piece + (b"," + piece) * 160_000 + b"]}"
    yield start + b'{"token_bytes": "' + b"A" * 35_000_000 + b'"}]}'
    yield start + b"{}," * 1_400_000 + b"{}]}"
    huge = {**config, "default_vocab_size": 2**32 - 1, "default_num_special_tokens": 100_000}
    yield TEKKEN.replace(json.dumps(config).encode(), json.dumps(huge).encode())
    yield TEKKEN.replace(b'"v3"', b'"v' + b"9" * 5_000 + b'"')


def handmade_bpe_ranks() -> Iterator[bytes]:
    """Yield files of the kind `claude.json`."""
    yield CLAUDE.replace(b"! 5 ", b"! " + b"9" * 5_000 + b" ")
    yield CLAUDE.replace(b"! 5 ", b"! 5 " + b"AA== " * 300_000)
    yield CLAUDE.replace(b"! 5 ", b"! 5 " + b"A A " * 450_000)
    yield CLAUDE.replace(b"! 5 ", rb"! 5 AA==\n" * 200_000)


def json_of(name: str, data: bytes) -> Callable[[random.Random], Files]:
    """Return a function that mutates one JSON file."""

    def mutate(rng: random.Random) -> Files:
        changed = data
        for change in changes(rng):
            changed = change(rng, changed or b"\0")
        return {name: changed}

    return mutate


BY_HAND = {
    "tokenizer.json": handmade_json,
    "tokenizer.model": handmade_model,
    "tekken.json": handmade_tekken,
    "claude.json": handmade_bpe_ranks,
}


def changes(rng: random.Random) -> list[Change]:
    """Draw what is done to a file: one change or two, seldom one that cuts it off."""
    return rng.choices(CHANGES, (1, 1, 5, 5, 5), k=rng.choice((1, 1, 2)))


def json_mutated(rng: random.Random) -> Files:
    """Return a `tokenizer.json` with some bytes changed, or cut off."""
    data = rng.choice(GOOD_JSON)
    for change in changes(rng):
        data = change(rng, data or b"\0")
    return {"tokenizer.json": data}


def listed_mutated(number: int) -> Callable[[random.Random], Files]:
    """Return a function that mutates one of the files of `test_opening.GOOD`."""

    def mutate(rng: random.Random) -> Files:
        files = dict(GOOD[number])
        name = rng.choice(list(files))
        for change in changes(rng):
            files[name] = change(rng, files[name] or b"\0")
        return files

    return mutate


MUTATE: dict[str, Callable[[random.Random], Files]] = {
    "tokenizer.json": json_mutated,
    "tokenizer.model": lambda rng: {"tokenizer.model": test_sentencepiece_files.mutated(rng)},
    "ours.tiktoken": listed_mutated(0),
    "vocab.json": listed_mutated(1),
    "vocab.txt": listed_mutated(2),
    "tekken.json": json_of("tekken.json", TEKKEN),
    "claude.json": json_of("claude.json", CLAUDE),
    "growing": growing,
}
"""Functions that mutate a file, by file name."""


def hostile(kind: str, mutated: int, seed: int) -> Iterator[Files]:
    """Yield the files: those made by hand, then mutated ones."""
    yield from ({kind: data} for data in BY_HAND.get(kind, tuple)())
    yield from (files for files, _ in HOSTILE.values() if kind in files)
    rng = random.Random(seed)
    for _ in range(mutated):
        yield MUTATE[kind](rng)


def message_of(files: Files) -> str:
    """Return the error of files that do not open, or whose tokenizer fails on a text."""
    scheme = OURS if any(name.endswith("tiktoken") for name in files) else None
    try:
        tokenizer = open_tokenizer(files, scheme=scheme)
        tokenizer.decode(tokenizer.encode(TEXT).ids)
        tokenizer.decode(tokenizer.encode(LONG, pair=TEXT).ids, skip_special_tokens=False)
    except ValueError as error:
        return str(error)
    return ""


class Outcome(NamedTuple):
    """The outcome of opening files: the message, the seconds, and the MB of the process."""

    message: str
    seconds: float
    megabytes: float


def batches(many: Iterable[Files]) -> Iterator[list[Files]]:
    """Yield the files in lists: to start a process takes longer than to open most files."""
    batch: list[Files] = []
    size = 0
    for files in many:
        batch.append(files)
        size += sum(map(len, files.values()))
        if size > BATCH_BYTES or len(batch) == BATCH_FILES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def opened(batch: list[Files]) -> list[Outcome]:
    """Open files in a forked process, which has all modules loaded; if it ends, in another."""
    outcomes: list[Outcome] = []
    while rest := batch[len(outcomes) :]:
        reader, writer = os.pipe()
        if not (child := os.fork()):
            open_here(rest, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            outcomes += [Outcome(*json.loads(line)) for line in pipe]
        if os.waitpid(child, 0)[1]:
            outcomes.append(Outcome("The process died", 0, 0))
    return outcomes


def open_here(batch: list[Files], writer: int) -> NoReturn:
    """Write the outcomes of files, and end this process: after one that left much behind.

    What a file leaves behind is counted as memory of those after it.
    """
    before, data_before = memory("VmRSS"), memory("VmData")
    for files in batch:
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak memory
        began = process_time()
        try:
            message = message_of(files)
        except Exception as error:  # a bug: the message has no full stop
            message = f"{type(error).__name__}: {error}"
        found = message[:1_000], process_time() - began, BARE + memory("VmHWM") - before
        os.write(writer, json.dumps(found).encode() + b"\n")
        if memory("VmData") - data_before > LEFT_BEHIND:  # also what the system has paged out
            break
    os._exit(0)


def memory(key: str) -> float:
    """Return the memory of this process, in MB."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith(key)) / 1024


message_of(dict(GOOD[0]))  # warm up: lazy imports must not count
BARE = memory("VmRSS")
"""The memory of a process before it opens a file, in MB."""


def main(kind: str, mutated: int, seed: int) -> None:
    """Open the files and print the outcomes."""
    gc.set_threshold(*GC_THRESHOLDS)  # as in the worker that opens the files of visitors
    outcomes = [one for batch in batches(hostile(kind, mutated, seed)) for one in opened(batch)]
    message, seconds, megabytes = zip(*outcomes, strict=True)
    found = {
        "files": len(message),
        "refused": sum(map(bool, message)),
        "faults": [one for one in message if one and not (one.endswith(".") and len(one) < 500)],
        "slowest": max(seconds),
        "megabytes": max(megabytes),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
