"""Answer questions with SentencePiece; run by tests/parity/__init__.py.

The requests are in CALLS; `answering.py` reads them.
An argument on the command line is a folder in which to look for the library first: so is one
version chosen from several. A model crosses as base64 of its file, a score as the exact double of
the library's float32.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false, reportArgumentType=false
# (it is not checked in the environment in which it runs)

import base64
import contextlib
import io
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path[:0] = sys.argv[1:]

import sentencepiece  # noqa: E402
from sentencepiece import sentencepiece_model_pb2  # noqa: E402

# Version 0.2.3 has another name for messages that Python can read.
MESSAGE = "immutable_proto" if sentencepiece.__version__ == "0.2.1" else "proto"


def library():
    """Return where the library was found, and its version."""
    return {"file": sentencepiece.__file__, "version": sentencepiece.__version__}


def train(lines, **options):
    """Train on lines of text; return the model and what the library has logged meanwhile."""
    model = io.BytesIO()
    with tempfile.TemporaryFile() as log:
        before = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(lines), model_writer=model, **options
            )
        finally:
            os.dup2(before, 2)
            os.close(before)
        log.seek(0)
        logged = log.read().decode(errors="replace")
    return {"model": base64.b64encode(model.getvalue()).decode(), "log": logged}


def train_many(runs):
    """Return what `train` does for each run."""
    return [train(**run) for run in runs]


def train_unigram(runs):
    """Train once for each run; return the log, and [piece, score] in the order of the ids.

    Reserved pieces are left out. The log tells the size after each round of EM, and its objective.
    """
    answers = []
    for run in runs:
        trained = train(model_type="unigram", hard_vocab_limit=False, **{"minloglevel": 2, **run})
        rows = [row[:2] for row in pieces(trained["model"]) if row[2] == "NORMAL"]
        answers.append({"pieces": rows, "log": trained["log"]})
    return answers


def run_programs(programs):
    """Return the rows and encodings of each program's `tokenizer`, run in a folder of its own.

    A program that fails gives its error.
    """
    answers = []
    for program in programs:
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                answers.append(_run_program(**program))
            except Exception as error:
                answers.append({"error": f"{type(error).__name__}: {error}"})
    return answers


def _run_program(code, files, texts):
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files.items():
            Path(name).write_bytes(base64.b64decode(content))
        names = {}
        exec(code.replace("train(\n", "train(\n    minloglevel=2,\n"), names)
        made = names["tokenizer"]
        rows = [[made.id_to_piece(n), made.get_score(n)] for n in range(len(made))]
        both = [made.encode(texts, out_type=kind) for kind in (str, int)]
        return {"rows": rows, "encoded": list(map(list, zip(*both, strict=True)))}


def pieces(model):
    """Return [piece, score, kind] in the order of the ids; kinds are NORMAL, UNKNOWN, BYTE …"""
    message = sentencepiece_model_pb2.ModelProto.FromString(base64.b64decode(model))
    name = sentencepiece_model_pb2.ModelProto.SentencePiece.Type.Name
    return [[row.piece, row.score, name(row.type)] for row in message.pieces]


def _processor(model):
    return sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(model))


def encode(model, texts):
    """Return, for every text, the pieces and their ids."""
    processor = _processor(model)
    both = (processor.encode(texts, out_type=kind) for kind in (str, int))
    return list(zip(*both, strict=True))


def encode_with_places(model, texts):
    """Return, for every text, the pieces, their ids and their places in characters.

    That takes the library twenty times as long as `encode`.
    """
    processor = _processor(model)
    return [_places(processor, text) for text in texts]


def _places(processor, text):
    if MESSAGE == "proto":  # whose places are in bytes
        answer = processor.encode(text, return_type="offset_mapping")
        return [answer["pieces"], answer["ids"], list(map(list, answer["offsets"]))]
    rows = processor.encode(text, out_type=MESSAGE).pieces
    places = [[row.begin, row.end] for row in rows]
    return [[row.piece for row in rows], [row.id for row in rows], places]


def n_best(model, texts, n):
    """Return, for every text, the `n` best lists of pieces."""
    processor = _processor(model)
    return [processor.nbest_encode(text, nbest_size=n, out_type=str) for text in texts]


def draw(model, text, alpha, count, n=-1):
    """Return how often each split of a text was drawn, as [pieces joined by spaces, times].

    With `n` of -1 from all splits, otherwise from the `n` best.
    """
    processor = _processor(model)
    options = {"nbest_size": n, "alpha": alpha, "enable_sampling": True, "out_type": str}
    draws = processor.encode([text] * count, num_threads=1, **options)
    return list(Counter(" ".join(pieces) for pieces in draws).items())


def normalize(model, texts):
    """Return every text as the model sees it."""
    processor = _processor(model)
    return [processor.normalize(text) for text in texts]


def normalize_by_rule(rule, texts):
    """Return every text normalized by a rule of that name, and nothing else done to it."""
    normalizer = sentencepiece.SentencePieceNormalizer(
        rule_name=rule,
        add_dummy_prefix=False,
        escape_whitespaces=False,
        remove_extra_whitespaces=False,
    )
    return [normalizer.normalize(text) for text in texts]


def decode(model, many_ids):
    """Return the text of every list of ids."""
    processor = _processor(model)
    return [processor.decode(ids) for ids in many_ids]


CALLS = {
    call.__name__: call
    for call in (
        library, train, train_many, train_unigram, pieces, run_programs,
        encode, encode_with_places, n_best, draw, normalize, normalize_by_rule, decode,
    )
}  # fmt: skip
