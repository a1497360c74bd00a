"""Computations for the claims about texts, bytes, sizes and true-or-false beliefs."""

from collections.abc import Sequence

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.texts import LANGUAGES, PIPELINES, TEXTS
from tokenizers import baselines, bpe
from tokenizers.experiments.beliefs.counterexamples import search
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.text.normalizers import normalize
from tokenizers.text.stemming import stem

FLOAT32 = 4  # bytes per number


def pre_tokens(
    text: str,
    normalizers: Sequence[str] = (),
    split: str = "spaces",
    letters_only: bool = False,
    listed: Sequence[str] = (),
) -> Computed:
    """The pre-tokens of a text; with `letters_only`, without punctuation.

    `listed` contains words that a source claims to be among the pre-tokens.
    """
    words = Pipeline(tuple(normalizers), split).words(text)
    kept = tuple([word for word in words if not letters_only or any(map(str.isalnum, word))])
    there = {f"{word} is one": yes_or_no(word in kept) for word in listed}
    return Computed({"words": kept, "number": len(kept), **there}, {"all": kept})


def normalized(text: str, normalizers: Sequence[str]) -> Computed:
    """Whether the `normalizers` leave a text unchanged."""
    after = normalize(text, tuple(normalizers)).text
    return Computed({"text unchanged": yes_or_no(after == text)}, {"before": text, "after": after})


def looked_up(text: str, known: str, unit: str = "words") -> Computed:
    """The tokens of a text under the vocabulary of all words or characters of `known`."""
    tokens = baselines.encode(text, baselines.train(known, unit)).tokens
    return Computed({"tokens": tokens, "number": len(tokens), "unknown": tokens.count(UNK)})


def characters_of(corpus: str, words: int) -> Computed:
    """The average number of characters in `words` words of a corpus, with and without spaces."""
    text = TEXTS[corpus].text or ""
    found = text.split()
    number, bare = (round(words * len(part) / len(found)) for part in (text, "".join(found)))
    values: dict[str, Value] = {"2,500 or more, with the spaces": yes_or_no(number >= 2_500)}
    return Computed(values, {"tokens": number, "bare": bare})


def stems(words: Sequence[str]) -> Computed:
    """The stems of words, and whether the first two words have the same stem."""
    found = {word: stem(word) for word in words}
    first, second, *_ = words
    values = {f"{first} and {second} are one": yes_or_no(found[first] == found[second])}
    return Computed(values, dict(found))


def bytes_encoded() -> Computed:
    """The byte-level BPE tokens of texts in every language and of an emoji, without merges."""
    texts = {passage.name: passage.text for passage in LANGUAGES} | {"emoji": PIPELINES["b6"].text}
    model = Trace.record(Corpus.from_text(""), bpe.Settings(base="bytes")).model()
    tokens = {name: bpe.encode(text, model).tokens for name, text in texts.items()}
    cost = {name: len(tokens[name]) / len("".join(texts[name].split())) for name in texts}
    hindi, english = cost["Hindi"], cost["English"]
    values: dict[str, Value] = {
        "texts with [UNK]": sum(UNK in pieces for pieces in tokens.values()),
        "Hindi costs more bytes a character than English": yes_or_no(hindi > english),
    }
    return Computed(values, {"texts": len(texts), "hindi": hindi, "english": english})


def unknown_by_base(text: str, learned_from: str) -> Computed:
    """The number of `[UNK]` tokens of a text with BPE on characters and on bytes."""
    corpus = Corpus.from_text(learned_from)
    values: dict[str, Value] = {}
    for base in ("characters", "bytes"):
        model = Trace.record(corpus, bpe.Settings(base=base)).model()
        values[f"[UNK] with {base}"] = bpe.encode(text, model).tokens.count(UNK)
    return Computed(values)


def embedding(vocabulary: int, dimensions: int) -> Computed:
    """The parameters of an embedding table, in millions, and its size in float32."""
    numbers = vocabulary * dimensions
    size = numbers * FLOAT32
    values: dict[str, Value] = {"million parameters": numbers / 1e6, "MB": size / 1e6}
    return Computed(values, {"mebibytes": size / 2**20, "megabytes": size / 1e6})


def belief(name: str) -> Computed:
    """Whether a true-or-false belief holds on all corpora searched, and where it first fails."""
    found = search(name)
    values: dict[str, Value] = {"it holds": yes_or_no(found.example is None)}
    if found.example is None:
        return Computed(values)
    rows = ", ".join(f"{word} {count}" for word, count in found.example.word_counts.items())
    facts: dict[str, Value] = {"corpus": rows, "size": found.size}
    for n, side in enumerate(found.example.outcomes, start=1):
        facts[f"side_{n}"] = "+".join(side.tokens)
        for what, number in side.numbers.items():
            facts[f"{what}_{n}"] = number
    return Computed(values, facts)
