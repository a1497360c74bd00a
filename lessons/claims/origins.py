"""Computations for the claims on where BPE comes from, and on what comes after tokens."""

from collections.abc import Mapping, Sequence

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.format.words import join_list, percent, plain
from lessons.models import MODELS, open_model
from lessons.texts import LANGUAGES, TEXTS
from tokenizers.experiments.research.chunks import boundary_probabilities
from tokenizers.experiments.research.codebooks import bits_per_second, tokens_per_second
from tokenizers.experiments.research.compression import (
    ENTRY,
    compress,
    lzw_size,
    with_table,
)
from tokenizers.measures.power_laws import by_rank, fit_zipf
from tokenizers.record.trace import Trace


def compare_with_lzw(corpora: Mapping[str, int], block: int, bits: int, within: float) -> Computed:
    """Whether the beginnings of corpora, compressed by blocks, are about as short as by LZW.

    `corpora` maps corpora to the numbers of bytes to take; `within` is a share of LZW's size.
    """
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"block": block, "bits": bits, "within": percent(within)}
    for corpus, length in corpora.items():
        data = (TEXTS[corpus].text or "").encode()[:length]
        pairs = sum(_packed_size(data[n : n + block]) for n in range(0, len(data), block))
        lzw = lzw_size(data, bits)
        values[f"{TEXTS[corpus].title}: at most {percent(within)} longer"] = yes_or_no(
            pairs <= (1 + within) * lzw
        )
        facts |= {f"{corpus}_bytes": len(data), f"{corpus}_pairs": pairs, f"{corpus}_lzw": lzw}
    return Computed(values, facts)


def _packed_size(block: bytes) -> int:
    steps = list(compress(block))
    return with_table(len(steps[-1].data) if steps else len(block), len(steps))


def pays_from(example: str) -> Computed:
    """The number of times from which on replacing a pair makes data and table shorter."""
    pays = next(n for n in range(1, 100) if _gain(b"ab".join([b"."] * (n + 1))) > 0)
    steps = list(compress(example.encode(), threshold=2))
    sizes = [len(example), *(with_table(len(step.data), k) for k, step in enumerate(steps, 1))]
    facts: dict[str, Value] = {"entry": ENTRY, "example": example}
    facts |= {"sizes": _listed(sizes), "counts": _listed([step.count for step in steps])}
    return Computed({"times": pays}, facts)


def _listed(numbers: Sequence[int]) -> str:
    return plain(join_list([(f"{number:,}",) for number in numbers]))


def _gain(data: bytes) -> int:
    """Return by how many bytes replacing the pair `ab` makes data and table shorter."""
    return len(data) - with_table(len(data.replace(b"ab", b"\xff")), 1)


def zipf_by_merges(corpus: str, merges: Sequence[int]) -> Computed:
    """Whether the frequencies of pieces are nearer to a power of the rank after more merges."""
    sample = TEXTS[corpus]
    trace = Trace.record(sample.corpus(), sample.bpe_settings(num_merges=max(merges)))
    laws = [fit_zipf(by_rank(trace.state(k).token_counts)) for k in merges]
    fits = [law.r2 for law in laws if law]
    values: dict[str, Value] = {
        "nearer at the end than at the start": yes_or_no(fits[-1] > fits[0]),
    }
    facts: dict[str, Value] = {
        "merges": ", ".join(f"{k:,}" for k in merges),
        "fits": ", ".join(f"{fit:.2f}" for fit in fits),
    }
    return Computed(values, facts)


def zipf_exponents(corpora: Sequence[str]) -> Computed:
    """Zipf's exponent of the words of corpora."""
    values: dict[str, Value] = {}
    for corpus in corpora:
        law = fit_zipf(by_rank(TEXTS[corpus].corpus().word_counts))
        assert law is not None
        values[TEXTS[corpus].title] = -law.exponent
    return Computed(values)


def bytes_and_tokens(models: Sequence[str]) -> Computed:
    """Whether the same passage has more bytes than tokens in every language."""
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"languages": len(LANGUAGES)}
    for model in models:
        encode, title = open_model(model).encode, MODELS[model].title
        ratios = {
            one.name: len(one.text.encode()) / len(encode(one.text).tokens) for one in LANGUAGES
        }
        least, most = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
        values[f"than with {title}, in every language"] = yes_or_no(ratios[least] > 1)
        facts |= {f"{model}_least": f"{ratios[least]:.2f} in {least}"}
        facts |= {f"{model}_most": f"{ratios[most]:.2f} in {most}"}
    return Computed(values, facts)


def chunk_rule(pairs: Mapping[str, Sequence[Sequence[int]]]) -> Computed:
    """The probability that a chunk begins at the second of two vectors, by name of the pair."""
    values: dict[str, Value] = {
        name: boundary_probabilities(vectors, vectors)[1] for name, vectors in pairs.items()
    }
    return Computed(values)


def codec_rates(rate: int, hop: int, entries: int, codebooks: Sequence[int]) -> Computed:
    """The kilobits that a second of sound needs with some numbers of codebooks."""
    values: dict[str, Value] = {
        f"{n} codebooks": bits_per_second(rate, hop, n, entries) / 1_000 for n in codebooks
    }
    facts: dict[str, Value] = {"rate": rate, "hop": hop, "entries": entries}
    facts |= {"frames": tokens_per_second(rate, hop)}
    return Computed(values, facts)
