"""Train with SentencePiece and time it; run by unigram.py.

Reads one JSON request a line from stdin: the trainer's options, including `lines`. Each is answered
by {"seconds": s, "pieces": n}. Command-line arguments are folders to search for the library first.
It must run as `python -I unigram_library.py`.
"""

import io
import json
import sys
from time import perf_counter

sys.path[:0] = sys.argv[1:]

import sentencepiece  # noqa: E402


def train(lines, **options):
    """Return the training time, from the lines to the finished model, and its size."""
    model = io.BytesIO()
    begin = perf_counter()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, minloglevel=2, **options
    )
    seconds = perf_counter() - begin
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return {"seconds": seconds, "pieces": processor.get_piece_size()}


for line in sys.stdin:
    print(json.dumps(train(**json.loads(line))), flush=True)
