"""Train with the PyPI library `tokenizers` and time it; run by training.py.

Reads one JSON request a line from stdin, {"texts": string or list of strings, "num_merges": n}, and
answers each with {"seconds": s, "merges": one merge a line}. It must run as `python -I library.py`:
otherwise the project's own package of that name is found.
"""

import json
import sys
from time import perf_counter

from tokenizers import Tokenizer, models, pre_tokenizers, trainers


def train(texts, num_merges):
    """Return how long training took, from the texts to the finished merges, and the merges."""
    texts = [texts] if isinstance(texts, str) else texts
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


for line in sys.stdin:
    print(json.dumps(train(**json.loads(line))), flush=True)
