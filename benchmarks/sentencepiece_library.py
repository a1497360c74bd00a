"""Encode with SentencePiece and time it; run by unigram_encoding.py.

Reads one JSON request a line from stdin: {"model": base64 of its file, "text": string, "answer":
"offset_mapping" for pieces, ids and offsets, "ids" for only ids}, answered by {"seconds": s,
"ids": ids of the text}, in processor time. The model is loaded before the clock starts.
"""

import base64
import json
import sys
from time import process_time

import sentencepiece


def encode(model, text, answer):
    """Return the seconds of one call, and the ids."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=base64.b64decode(model))
    kind = int if answer == "ids" else answer
    begin = process_time()
    encoding = processor.encode(text, return_type=kind)
    seconds = process_time() - begin
    return {"seconds": seconds, "ids": encoding if answer == "ids" else encoding["ids"]}


for line in sys.stdin:
    print(json.dumps(encode(**json.loads(line))), flush=True)
