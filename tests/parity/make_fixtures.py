"""Write fixtures/*.json: answers of the libraries, for tests without them.

Run from the project's directory, with ORACLE_PYTHON set and both versions of SentencePiece
installed (see __init__.py): `python -m tests.parity.make_fixtures`.
The corpora are small and stored as well, independent of later edits of the lessons.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from lessons.texts import TEXTS

from . import ask, ask_sentencepiece
from .corpora import random_strings

FOLDER = Path(__file__).with_name("fixtures")
PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
COURSE = (
    "This is the Hugging Face Course. This chapter is about tokenization. This section shows"
    " several tokenizer algorithms. Hopefully, you will be able to understand how they are trained"
    " and generate tokens."
)
FEW = [
    "",
    " ",
    "lower lowestness",
    "bags, mat",
    "aaaaaaaab",
    "[UNK] </w> ▁",
    "Ｗｉｄｅ naïve 👩🏽‍🚀",
]


@cache
def strings() -> list[str]:
    """Return the strings to encode; drawn on call, not on import."""
    return [*FEW, *random_strings(20, seed=7)]


def _words(counts: Mapping[str, int]) -> str:
    return " ".join(word for word, count in counts.items() for _ in range(count))


def _runs() -> Iterator[dict]:
    """Yield name, text, base and the options of Hugging Face's trainer."""
    for name in ("b1", "b2", "b3", "b4", "b5"):
        text = TEXTS[name].text or _words(TEXTS[name].counts or {})
        yield {"name": name, "text": text, "base": "characters", "vocab_size": 1000}
    overlaps = _words({"aaaaaaa": 2, "aabaaab": 3, "baaaa": 1, "a": 9, "bb": 1, "abababab": 2})
    for limit in (2, 3, 4, 9):
        options = {"vocab_size": 1000, "max_token_length": limit, "min_frequency": 2}
        yield {"name": f"limit {limit}", "text": overlaps, "base": "characters", **options}
    prose, languages = TEXTS["prose"].text or "", (TEXTS["languages"].text or "")[::3]
    yield {"name": "prose", "text": prose, "base": "characters", "vocab_size": 300}
    yield {"name": "bytes", "text": languages, "base": "bytes", "vocab_size": 556}
    yield {"name": "nothing", "text": "", "base": "characters", "vocab_size": 10}


def hugging_face() -> list[dict]:
    """Train and encode; the vocabulary is stored in the order of its ids."""
    cases = []
    for run in _runs():
        answer = ask("train_bpe", **{key: run[key] for key in run if key != "name"})
        texts = strings() if run["name"] in ("bytes", "prose") else FEW
        encodings = ask("encode_bpe", base=run["base"], texts=texts, **answer)
        assert sorted(answer["vocab"].values()) == list(range(len(answer["vocab"])))
        vocab = sorted(answer["vocab"], key=answer["vocab"].__getitem__)
        rows = [[text, *row] for text, row in zip(texts, encodings, strict=True)]
        cases.append({**run, "merges": answer["merges"], "vocab": vocab, "encodings": rows})
    return cases


def wordpiece() -> list[dict]:
    """Train and encode as BERT does; the base symbols get their ids sorted by code point."""
    cases = []
    runs = [
        ("course", COURSE, 95),
        ("prose", TEXTS["prose"].text or "", 400),
        ("marks", "#a ##a", 9),
    ]
    for name, text, vocab_size in runs:
        ((*words,),) = ask("pre_tokenize", name="bert", texts=[text])
        symbols = sorted({symbol for word, *_ in words for symbol in word})
        symbols += sorted({f"##{symbol}" for word, *_ in words for symbol in word[1:]})
        run = {"text": text, "vocab_size": vocab_size}
        vocab = ask("train_wordpiece", symbols=symbols, **run)
        ids = {piece: n for n, piece in enumerate(vocab)}
        texts = strings() if name == "prose" else FEW
        answers = ask("encode_wordpiece", vocab=ids, texts=texts, normalizer="bert")
        rows = [[text, *row] for text, row in zip(texts, answers, strict=True)]
        cases.append({"name": name, **run, "vocab": vocab, "encodings": rows})
    return cases


def tiktoken() -> dict:
    """Train with the educational trainer, encode with the real encoder; tokens are hex bytes."""
    text = TEXTS["prose"].text or ""
    tokens = ask("train_tiktoken", text=text, vocab_size=400, pattern=PATTERN)
    ranks = [[token, rank] for rank, token in enumerate(tokens)]
    encodings = ask("encode_tiktoken", ranks=ranks, pattern=PATTERN, texts=strings())
    merged = [bytes(token).hex() for token in tokens[256:]]
    return {
        "text": text,
        "merged": merged,
        "encodings": list(map(list, zip(strings(), encodings, strict=True))),
    }


def sentencepiece() -> list[dict]:
    """Train a small model with each version; encode, and list the five best of some strings."""
    cases = []
    options = {"vocab_size": 100, "normalization_rule_name": "identity", "minloglevel": 2}
    texts = [
        "lower lowestness",
        "the same ** ***** line",
        "naïve 👩🏽‍🚀 ▁",
        "*" * 40,
        *strings()[7:10],
    ]
    for version in ("0.2.1", "0.2.3"):
        lines = (TEXTS["prose"].text or "").split("\n")
        model = ask_sentencepiece(version, "train", lines=lines, **options)["model"]
        pieces = ask_sentencepiece(version, "pieces", model=model)
        encodings = ask_sentencepiece(version, "encode", model=model, texts=texts)
        rows = [[text, ids] for text, (_, ids) in zip(texts, encodings, strict=True)]
        n_best = ask_sentencepiece(version, "n_best", model=model, texts=texts[:2], n=5)
        lists = [[" ".join(best) for best in answer] for answer in n_best]
        cases.append({"version": version, "pieces": pieces, "encodings": rows, "n_best": lists})
    return cases


def made() -> dict[str, object]:
    """Return the contents of all fixtures by file name."""
    return {
        "hugging_face.json": hugging_face(),
        "wordpiece.json": wordpiece(),
        "tiktoken.json": tiktoken(),
        "sentencepiece.json": sentencepiece(),
    }


def stored(name: str):
    """Return what a fixture holds."""
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    for name, contents in made().items():
        text = json.dumps(contents, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / name).write_text(text + "\n", encoding="utf-8")
