"""Rebuild the text and the pretrained tokenizers with `python -m lessons.trained.make`, by hand.

It needs no network, but it writes nothing unless it runs under the Python version in python.toml,
because other versions have different help pages. The compressed text goes to lessons/texts, the
compressed tokenizers into this folder. The command prints the hashes to enter into python.toml.
"""

import hashlib
import lzma
import platform
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lessons.texts import PYTHON_TEXT
from lessons.trained import FOLDER, SETTINGS, SIZE, TABLE, Model, prefix_models
from lessons.trained.pydoc_corpus import text
from tokenizers.errors import UserError
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import Settings as UnigramSettings


def is_the_python() -> bool:
    """Return whether this is the Python version whose help pages make up the text."""
    return platform.python_version() == TABLE["python"]


def train(kind: str, learned: str, size: int = SIZE) -> Model:
    """Train the tokenizer of a kind on a text, to `size` pieces."""
    training = SETTINGS[kind]
    corpus = Corpus.from_text(learned, training.pipeline)
    settings = replace(training.settings, vocab_size=size)
    if isinstance(settings, UnigramSettings):
        return UnigramTrace.record(corpus, settings).model()
    return Trace.record(corpus, settings).model()


def files(learned: str) -> Iterator[tuple[Path, bytes]]:
    """Yield each file's path and its content before compression."""
    yield PYTHON_TEXT, learned.encode()
    for kind in SETTINGS:
        yield FOLDER / f"{kind}.json.xz", write_tokenizer_json(train(kind, learned)).encode()
    yield prefix_models.FILE, prefix_models.to_json(prefix_models.shrink()).encode()


def main() -> None:
    """Write all files, and print their hashes.

    Raises UserError if this is another Python version.
    """
    if not is_the_python():
        raise UserError(
            f"The text is made from Python {TABLE['python']}, and this is Python "
            f"{platform.python_version()}. Run that one, or change python.toml first."
        )
    for path, data in files(text()):
        path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
        print(f'"{path.name}" = "{hashlib.sha256(data).hexdigest()}"')


if __name__ == "__main__":
    main()
