"""Time to open published tokenizers and to encode, compared to their libraries.

    python benchmarks/real.py

Opening: each repeat is a fresh process that reads a file of the pack (compressed, warm disk cache),
builds the tokenizer and encodes one word. Printed are the seconds and the growth of the peak memory
of the process, both without the imports.

Encoding: 100 kB of text in one call, with tokens, ids and offsets here. tiktoken returns only ids;
SentencePiece is timed with offsets and for only ids. The English text is Python's help pages. The
Japanese text is sampled from the 8,000 pieces of SentencePiece's Japanese model, for realistic word
frequencies, since the program contains no text of this length. Caches are cleared between calls.
Times are processor time, of which a busy machine takes less away, since all of these run in one
thread; our runs and the library's are interleaved. ORACLE_PYTHON is the interpreter with the
libraries. Only the ids are checked: see tests/parity/ for more.
"""

import json
import random
import subprocess
import sys
from dataclasses import replace
from functools import partial
from math import exp
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import NamedTuple

from common import ROOT, interleave, library, options

from lessons.models import open_model, read_files
from pages.shared.work.worker import tune_memory
from tests.parity.corpora import english_prose
from tests.parity.pack import as_tokenizer_json
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.tokenizer import LoadedTokenizer

SIZE = 100_000  # bytes of a text
WARM_UP = "Hello " * 300  # a long text, so that all that is made only for such a text is there

OPENING = {"o200k": (2.0, 150), "mistral-v1": (0.5, 40)}
"""The maximum seconds and MB for opening a tokenizer."""

OPEN_ONE = """
import sys
from time import perf_counter
sys.path.insert(0, sys.argv[1])
from lessons.models import open_model

def most_memory():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

before, begin = most_memory(), perf_counter()
open_model(sys.argv[2]).encode("Hello")
print(perf_counter() - begin, most_memory() - before)
"""


class PairedRun(NamedTuple):
    """A tokenizer of the pack, a text, a library, the highest acceptable ratio, and its answer."""

    name: str
    text: str
    library: str
    limit: float
    answer: str = "offsets"


COMPARISONS = [
    *(PairedRun("o200k", text, "Hugging Face", 4) for text in ("English", "Japanese")),
    PairedRun("o200k", "English", "tiktoken", 6, "ids"),
    PairedRun("o200k", "Japanese", "tiktoken", 8, "ids"),
    *(PairedRun("gpt2", text, "Hugging Face", 8) for text in ("English", "Japanese")),
    *(PairedRun("mistral-v1", text, "SentencePiece", 8) for text in ("English", "Japanese")),
    *(PairedRun("bert-uncased", text, "Hugging Face", 6) for text in ("English", "Japanese")),
    PairedRun("unigram-english", "English", "SentencePiece", 6),
    PairedRun("unigram-japanese", "Japanese", "SentencePiece", 6),
    PairedRun("unigram-japanese", "Japanese", "SentencePiece", 10, "ids"),
]


def japanese() -> str:
    """Return Japanese of `SIZE` bytes; a line ends after each full stop."""
    model = open_model("unigram-japanese").model
    assert isinstance(model, SentencePieceUnigram)
    scores = model.vocabulary.scores
    drawn = random.Random(1).choices(list(scores), list(map(exp, scores.values())), k=SIZE)
    text = "".join(drawn).replace("▁", "").replace("。", "。\n")
    return text.encode()[:SIZE].decode(errors="ignore")


# --- Opening --------------------------------------------------------------------------------------


def measure_opening(name: str) -> tuple[float, float]:
    """Return the seconds and the MB for opening a tokenizer in a fresh process."""
    command = [sys.executable, "-c", OPEN_ONE, str(ROOT), name]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def time_opening(repeats: int) -> None:
    """Print the time and memory for opening."""
    times = interleave({name: partial(measure_opening, name) for name in OPENING}, repeats)
    print(f"{'opening':18}{'best':>8}{'median':>9}{'at most':>10}{'memory':>9}{'at most':>10}")
    for name, its in times.items():
        seconds, megabytes = zip(*its, strict=True)
        most_seconds, most_megabytes = OPENING[name]
        print(
            f"{name:18}{min(seconds):6.2f} s{median(seconds):7.2f} s{most_seconds:8.1f} s"
            f"{median(megabytes):6.0f} MB{most_megabytes:7} MB"
        )


# --- Encoding -------------------------------------------------------------------------------------


def file_of(run: PairedRun, folder: Path) -> Path:
    """Return the file that the library opens; write it on first use."""
    if run.library == "Hugging Face":
        path = folder / f"{run.name}.json"
        if not path.exists():
            path.write_text(json.dumps(as_tokenizer_json(run.name)), encoding="utf-8")
        return path
    ((name, data),) = read_files(run.name).items()
    path = folder / run.name / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return path


def without_cache(tokenizer: LoadedTokenizer) -> LoadedTokenizer:
    """Return a copy of a tokenizer without cached words."""
    model = tokenizer.model
    if isinstance(model, SentencePieceUnigram):
        return replace(tokenizer, model=replace(model, _cache={}))
    return tokenizer


def encode_here(run: PairedRun, text: str) -> tuple[float, list[int]]:
    """Return the seconds of one call here, and the ids."""
    tokenizer = without_cache(open_model(run.name))
    tokenizer.encode(WARM_UP)  # lazy initialization belongs to opening
    begin = process_time()
    encoding = tokenizer.encode(text, special="text", add_special_tokens=False)
    return process_time() - begin, list(encoding.ids)


def time_encoding(repeats: int) -> None:
    """Print the encoding time of each tokenizer and of a library."""
    texts = {"English": english_prose()[:SIZE], "Japanese": japanese()}
    ours: dict[PairedRun, list[float]] = {run: [] for run in COMPARISONS}
    theirs: dict[PairedRun, list[float]] = {run: [] for run in COMPARISONS}
    with TemporaryDirectory() as folder, library("real_library.py") as encode_there:
        for repeat in range(repeats + 1):
            for run in COMPARISONS:
                seconds, ids = encode_here(run, texts[run.text])
                path = str(file_of(run, Path(folder)))
                answer = encode_there(
                    library=run.library, path=path, text=texts[run.text], answer=run.answer
                )
                assert answer["ids"] == ids, f"{run.library} gives other ids for {run.name}"
                if repeat:  # the first time warms up
                    ours[run].append(seconds)
                    theirs[run].append(answer["seconds"])
    print(
        f"\n{'encoding 100 kB':18}{'text':10}{'ours':>14}{'theirs':>16}  "
        f"{'beside':23}{'best':>6}{'median':>8}{'at most':>9}"
    )
    for run in COMPARISONS:
        here, there = ours[run], theirs[run]
        beside = run.library + ", ids alone" * (run.answer == "ids")
        print(
            f"{run.name:18}{run.text:10}{1000 * min(here):6.1f} {1000 * median(here):6.1f}"
            f"{1000 * min(there):9.1f} {1000 * median(there):6.1f}  {beside:23}"
            f"{min(here) / min(there):6.2f}{median(here) / median(there):8.2f}{run.limit:9}"
        )
    print("best and median, in ms of processor time and as a ratio")


def main() -> None:
    """PairedRun both benchmarks."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=9, help="how often each runs")
    repeats = parser.parse_args().repeats
    tune_memory()  # as in the app: all these tokenizers are open at once
    time_opening(repeats)
    time_encoding(repeats)


if __name__ == "__main__":
    main()
