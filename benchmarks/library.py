"""Train with the PyPI library `tokenizers` and time it; run by training.py and wordpiece.py.

Reads one JSON request a line from stdin: {"texts": string or list of strings, "num_merges": n} for
BPE over bytes, answered by {"seconds": s, "merges": one merge a line}; {"texts": ...,
"vocab_size": n} for WordPiece, answered by {"seconds": s, "pieces": n}. It must run as
`python -I library.py`: otherwise the project's package of that name is imported.
"""

import json
import sys
from time import perf_counter

from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def train_bpe(texts, num_merges):
    """Return the training time, from the texts to the finished merges, and the merges."""
    begin = perf_counter()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + num_merges,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    seconds = perf_counter() - begin
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    return {"seconds": seconds, "merges": "\n".join(map(" ".join, merges))}


def train_wordpiece(texts, vocab_size):
    """Return the training time, from the texts to the vocabulary, and its size."""
    begin = perf_counter()
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=vocab_size, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return {"seconds": perf_counter() - begin, "pieces": tokenizer.get_vocab_size()}


for line in sys.stdin:
    request = json.loads(line)
    if isinstance(request["texts"], str):
        request["texts"] = [request["texts"]]
    train = train_bpe if "num_merges" in request else train_wordpiece
    print(json.dumps(train(**request)), flush=True)
