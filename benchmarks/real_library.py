"""Encode with the library of a published tokenizer and time it; run by real.py.

Reads one JSON request a line from stdin: {"library": name, "path": file, "text": string, "answer":
"offsets" or "ids"}, answered by {"seconds": s, "ids": ids of the text}, in processor time. With
"ids", SentencePiece makes no offsets; tiktoken never does. A file is opened once, before the clock
starts; caches are cleared between calls. It must run as `python -I real_library.py`: otherwise the
project's package `tokenizers` is imported.
"""

import base64
import json
import sys
from functools import cache
from pathlib import Path
from time import process_time


@cache
def hugging_face(path):
    """Return functions to encode with Hugging Face's library and to clear its cache."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(path)

    def encode(text, answer):
        found = tokenizer.encode(text, add_special_tokens=False)
        return found.ids, found.offsets

    return encode, getattr(tokenizer.model, "_clear_cache", lambda: None)


@cache
def tiktoken(path):
    """Return the same for tiktoken; the path ends in the name of the encoding."""
    import tiktoken as library
    import tiktoken_ext.openai_public as public

    lines = map(bytes.split, Path(path).read_bytes().splitlines())
    ranks = {base64.b64decode(piece): int(rank) for piece, rank in lines}
    public.load_tiktoken_bpe = lambda *_, **__: ranks
    encoding = library.Encoding(**public.ENCODING_CONSTRUCTORS[Path(path).stem]())
    return lambda text, answer: (encoding.encode_ordinary(text), None), lambda: None


@cache
def sentencepiece(path):
    """Return the same for SentencePiece."""
    import sentencepiece as library

    processor = library.SentencePieceProcessor(model_file=path)

    def encode(text, answer):
        if answer == "ids":
            return processor.encode(text), None
        found = processor.encode(text, return_type="offset_mapping")
        return found["ids"], found["offsets"]

    return encode, lambda: None


LIBRARIES = {"Hugging Face": hugging_face, "tiktoken": tiktoken, "SentencePiece": sentencepiece}

for line in sys.stdin:
    request = json.loads(line)
    encode, clear_cache = LIBRARIES[request["library"]](request["path"])
    clear_cache()
    begin = process_time()
    ids, _ = encode(request["text"], request["answer"])
    print(json.dumps({"seconds": process_time() - begin, "ids": ids}), flush=True)
