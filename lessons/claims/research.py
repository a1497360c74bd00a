"""Computations for the claims of research papers, some by exhaustive search on small cases."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lessons.claims.values import Computed, Value, yes_or_no
from lessons.format.words import percent
from lessons.texts import LANGUAGES, MORPHEMES, TEXTS
from lessons.texts.parallel import PASSAGES, RuleComparison, byte_premium, compare_rules
from lessons.trained import open_trained
from tokenizers import bpe
from tokenizers.bpe.superwords import LINES, SuperwordSettings, is_border, is_superword, words_of
from tokenizers.experiments.beliefs.small_corpora import words
from tokenizers.experiments.research import length_max
from tokenizers.experiments.research.best_merges import (
    best_merges,
    greedy_merges,
    num_tokens,
    splits_after,
)
from tokenizers.experiments.research.patches import ByteModel, entropies
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.measures.boundaries import boundary_scores, segment_word
from tokenizers.measures.efficiency import renyi_efficiency, with_copies, with_split_tokens
from tokenizers.plain import segmentations
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus


def greedy_share(length: int, letters: str, merges: int) -> Computed:
    """The smallest ratio of greedy to optimal savings, over all texts of a given length."""
    shares: dict[str, float] = {}
    for text in words(length, letters):
        if letters.startswith("".join(dict.fromkeys(text))):  # others are equal up to renaming
            left = num_tokens(splits_after({text: 1}, greedy_merges({text: 1}, merges)), [1])
            shares[text] = (length - left) / (length - best_merges({text: 1}, merges).tokens)
    worst = min(shares, key=shares.__getitem__)
    values: dict[str, Value] = {"at least 0.333": yes_or_no(shares[worst] >= 1 / 3)}
    less = sum(share < 1 for share in shares.values())
    facts: dict[str, Value] = {"texts": len(shares), "less": less, "worst": worst}
    return Computed(values, facts | {"share": shares[worst], "length": length, "merges": merges})


def efficiency_raised(corpus: str, size: int, most: int, without: Sequence[str]) -> Computed:
    """Whether duplicating frequent tokens or removing pieces raises the Rényi efficiency."""
    sample = TEXTS[corpus]
    trace = Trace.record(sample.corpus(), sample.bpe_settings(vocab_size=size))
    counts = {token: n for token, n in trace.state(len(trace)).token_counts.items() if n}
    often = sorted(counts, key=counts.__getitem__, reverse=True)[:most]
    steps = [renyi_efficiency(with_copies(counts, often, copies)) for copies in (1, 2, 3, 4)]
    apart = with_split_tokens(counts, without, dict(zip(trace.tokens, trace.pairs, strict=True)))
    less = renyi_efficiency(apart)
    values: dict[str, Value] = {
        "copies raise it": yes_or_no(all(a < b for a, b in pairwise(steps))),
        "taking pieces away raises it": yes_or_no(less > steps[0]),
    }
    facts: dict[str, Value] = dict(zip(("before", "two", "three", "four"), steps, strict=True))
    facts |= {"less": less, "more": sum(apart.values()) - sum(counts.values())}
    return Computed(values, facts | {"size": size, "most": most, "without": ", ".join(without)})


def hard_to_guess(corpus: str, passage: str, order: int) -> Computed:
    """A byte model's entropy before the first and last letters of words in an unseen text."""
    model = ByteModel.learn((TEXTS[corpus].text or "").encode(), order)
    raw = next(one.text for one in LANGUAGES if one.name == passage).encode()
    hard = entropies(model, raw)
    spans = [match.span() for match in re.finditer(rb"[A-Za-z]{2,}", raw)]
    first = sum(hard[start] for start, _ in spans) / len(spans)
    last = sum(hard[end - 1] for _, end in spans) / len(spans)
    values: dict[str, Value] = {"ends are easier": yes_or_no(last < first)}
    return Computed(values, {"order": order, "words": len(spans), "first": first, "last": last})


def morphemes_matched(kinds: Mapping[str, str], against: str) -> Computed:
    """Whether Unigram's cuts match morphemes better than other tokenizers' cuts do.

    All are pretrained. `kinds` maps the other tokenizers to their names in the claim.
    """
    found = {
        kind: boundary_scores(
            [segment_word(open_trained(kind), parts).boundaries for parts in MORPHEMES]
        )
        for kind in (against, *kinds)
    }
    best = found[against]
    values: dict[str, Value] = {}
    facts: dict[str, Value] = {"words": len(MORPHEMES)}
    for kind, one in found.items():
        facts |= {f"{kind}_precision": one.precision, f"{kind}_recall": one.recall}
    for kind, label in kinds.items():
        values[f"higher precision than {label}"] = yes_or_no(best.precision > found[kind].precision)
        values[f"higher recall than {label}"] = yes_or_no(best.recall > found[kind].recall)
    return Computed(values, facts)


def beyond_words(corpus: str, passage: str, merges: int, until: int) -> Computed:
    """Whether merging across spaces, after merging inside words, saves tokens at equal size."""
    text = TEXTS[corpus].text or ""
    other = next(one.text for one in LANGUAGES if one.name == passage)
    usual, usual_other = _in_lines(text, other, merges, merges)
    page, page_other = _in_lines(text, other, merges, until)
    values: dict[str, Value] = {
        "fewer on the page learned from": yes_or_no(page < usual),
        "fewer on another text": yes_or_no(page_other < usual_other),
    }
    facts: dict[str, Value] = {"merges": merges, "until": until, "usual": usual, "page": page}
    facts |= {"usual_other": usual_other, "other": page_other}
    facts |= {"share": percent(1 - page / usual)}
    facts |= {"share_other": percent(1 - page_other / usual_other)}
    return Computed(values, facts)


def whole_words_joined(corpus: str, merges: int) -> Computed:
    """Whether BoundlessBPE uses its tokens more evenly than BPE, and has more bytes per token."""
    lines = Corpus.from_text(TEXTS[corpus].text or "", LINES)
    inside = SuperwordSettings(num_merges=merges, crossing="after", inside=merges)
    usual = Trace.record(lines, inside)
    whole = Trace.record(lines, SuperwordSettings(num_merges=merges))
    even_usual, even = (renyi_efficiency(one.state(merges).token_counts) for one in (usual, whole))
    more = usual.num_tokens[-1] / whole.num_tokens[-1] - 1  # of the same bytes
    values: dict[str, Value] = {
        "more evenly used": yes_or_no(even > even_usual),
        "more bytes per token": yes_or_no(more > 0),
        "about 20% more": yes_or_no(0.15 <= more <= 0.25),
    }
    facts: dict[str, Value] = {"merges": merges, "even": even, "even_usual": even_usual}
    return Computed(values, facts | {"more": percent(more)})


def starts_with_whole_words(corpus: str, merges: int) -> Computed:
    """Whether every superword of BoundlessBPE consists of pieces that were whole words before."""
    lines = Corpus.from_text(TEXTS[corpus].text or "", LINES)
    run = Trace.record(lines, SuperwordSettings(num_merges=merges))
    words = {"".join(word) for line in lines.word_counts for word in words_of(tuple(line))}
    across = [(n, pair) for n, pair in enumerate(run.pairs) if is_border(*pair)]
    parts = {part for _, pair in across for part in pair}
    joined = {token for token in run.tokens if is_superword(token)}
    values: dict[str, Value] = {"every part is a whole word": yes_or_no(parts <= words | joined)}
    facts: dict[str, Value] = {"superwords": len(across), "first": across[0][0] + 1}
    return Computed(values, facts | {"merges": merges})


def longer_pieces(corpus: str, passage: str, pieces: int) -> Computed:
    """Whether Length-MAX, with as many pieces as BPE, leaves fewer tokens of words."""
    words = _words(corpus)
    usual = Trace.record(Corpus(words), bpe.Settings(num_merges=pieces))
    learned, _ = length_max.train(words, pieces)
    known = set(length_max.vocabulary(words, learned))
    other = next(one.text for one in LANGUAGES if one.name == passage)
    unseen = [word for line in LINES(other).words for word in words_of(tuple(line))]
    model = usual.model()
    bpe_there = sum(len(bpe.split_word("".join(word), model)) for word in unseen)
    there = sum(len(fewest_pieces("".join(word), known) or word) for word in unseen)
    here = sum(len(fewest_pieces(word, known) or ()) * n for word, n in words.items())
    saved = 1 - here / usual.num_tokens[-1]
    values: dict[str, Value] = {
        "fewer tokens": yes_or_no(saved > 0),
        "14 to 18% fewer": yes_or_no(0.135 <= saved < 0.185),
    }
    facts: dict[str, Value] = {"pieces": len(learned), "saved": percent(saved), "here": here}
    facts |= {"usual": usual.num_tokens[-1], "there": there, "usual_there": bpe_there}
    return Computed(values, facts)


def fewest_of_all(corpus: str, pieces: int, longest: int) -> Computed:
    """Whether the search for the fewest pieces finds the minimum; short words are tried in full."""
    words = _words(corpus)
    run = Trace.record(Corpus(words), bpe.Settings(num_merges=pieces))
    model, known = run.model(), set(run.state(len(run)).vocab)
    found = {word: len(fewest_pieces(word, known) or ()) for word in words}
    short = [word for word in words if len(word) <= longest]
    probs = dict.fromkeys(known, 1)
    least = {word: min(map(len, segmentations(word, probs))) for word in short}
    merged = {word: len(bpe.split_word(word, model)) for word in words}
    values: dict[str, Value] = {
        "the minimum": yes_or_no(all(found[word] == least[word] for word in short)),
        "never more than by merges": yes_or_no(all(found[word] <= merged[word] for word in words)),
    }
    facts: dict[str, Value] = {"short": len(short), "longest": longest}
    facts["better"] = sum(found[word] < merged[word] for word in words)
    return Computed(values, facts | {"words": len(words)})


def _words(corpus: str) -> dict[str, int]:
    """Count the words of a text, with `▁` for the space before each."""
    counts: Counter[str] = Counter()
    for line, count in Corpus.from_text(TEXTS[corpus].text or "", LINES).word_counts.items():
        for word in words_of(tuple(line)):
            counts["".join(word)] += count
    return dict(counts)


def _in_lines(text: str, other: str, merges: int, until: int) -> tuple[int, int]:
    """Train line by line; return the numbers of tokens of the training text and of `other`."""
    settings = SuperwordSettings(num_merges=merges, crossing="after", inside=until)
    trace = Trace.record(Corpus.from_text(text, LINES), settings)
    return trace.num_tokens[-1], len(trace.model().encode(other).tokens)


def worst_off_chooses(share: int, merges: int) -> Computed:
    """What all languages pay if the language worst off chooses each merge, and by frequency."""
    found = compare_rules(tuple(PASSAGES), share, merges)
    of_two = compare_rules(("en", "hi"), 10, 60)
    usual, parity = found.usual, found.parity
    most_usual, most_parity = (one.costs[one.worst] for one in (usual, parity))
    values: dict[str, Value] = {
        "the Gini coefficient falls": yes_or_no(parity.gini < usual.gini),
        "the most expensive language pays less": yes_or_no(most_parity < most_usual),
        "more tokens in all with nineteen languages": yes_or_no(_change(found) > 0),
        "more tokens in all with two": yes_or_no(_change(of_two) > 0),
    }
    facts: dict[str, Value] = {"languages": len(PASSAGES), "merges": merges}
    facts |= {"gini_usual": usual.gini, "gini_parity": parity.gini}
    facts |= {"falls": percent(1 - parity.gini / usual.gini)}
    facts |= {"most_usual": most_usual, "most_parity": most_parity}
    facts["change"] = _more_or_fewer(_change(found))
    facts["change_of_two"] = _more_or_fewer(_change(of_two))
    return Computed(values, facts)


def _change(found: RuleComparison) -> float:
    """Return the relative change of all tokens together, by parity."""
    return sum(found.parity.costs.values()) / sum(found.usual.costs.values()) - 1


def _more_or_fewer(change: float) -> str:
    return f"{percent(abs(change))} {'more' if change > 0 else 'fewer'}"


def byte_premiums(large: Sequence[str], small: Sequence[str], factor: int, near: int) -> Computed:
    """Which languages need several times as many bytes as English for the same passage."""
    names = {code: PASSAGES[code].name for code in (*large, *small)}
    found = {code: byte_premium(passage) for code, passage in PASSAGES.items()}
    values: dict[str, Value] = {
        f"{names[code]} more than twice": yes_or_no(found[code] > factor) for code in large
    }
    values |= {f"{names[code]} fewer": yes_or_no(found[code] < 1) for code in small}
    off = [abs(found[code] / one.byte_premium - 1) for code, one in PASSAGES.items()]
    within = sum(part <= near / 100 for part in off) - 1  # English is 1 by definition
    facts: dict[str, Value] = {code.replace("-", "_"): found[code] for code in names}
    return Computed(values, facts | {"languages": len(found) - 1, "within": within, "near": near})
