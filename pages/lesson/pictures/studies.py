"""Build pictures for lessons on research questions; they are rows of tokens, without steps."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from lessons.facts.best_merges import BestMergesFacts, Order
from lessons.facts.efficiency import EfficiencyFacts, Usage
from lessons.facts.not_text import NotTextFacts, bytes_of_hex
from lessons.facts.patches import PatchesFacts, display_form, in_patches
from lessons.format.words import Tokens, count_of, decimal, percent
from lessons.pictures.plan import Plan
from lessons.pictures.studies import MOST_COPIED, EfficiencySettings, PatchSettings
from pages.lesson.pictures.lesson_picture import HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html, joined
from pages.shared.training.run_and_record import train
from pages.shared.training.source import CorpusSource
from tokenizers import bpe
from tokenizers.bpe.any_bytes import bytes_of_glyphs
from tokenizers.experiments.research.best_merges import (
    best_merges,
    greedy_merges,
    num_tokens,
    splits_after,
)
from tokenizers.experiments.research.patches import ByteModel, entropies
from tokenizers.measures.efficiency import with_copies, with_split_tokens
from tokenizers.merging.state import Pair
from tokenizers.plain import count_pairs
from tokenizers.progress import ProgressCallback

FEW = 6  # number of distinct tokens up to which all of them are named
MOST_TOKENS = 24  # tokens shown in a row


# --- The best merges ------------------------------------------------------------------------------


def greedy_and_best(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Merge a corpus greedily and in the best order. Raises UserError if it is too large."""
    counts, most = plan.counts or {}, plan.settings.num_merges
    best = best_merges(counts, most)
    pairs = count_pairs(splits_after(counts, ()), list(counts.values()))
    after = {pair: best_merges(counts, most, (pair,)).tokens for pair in pairs} if most else {}
    facts = BestMergesFacts(
        counts,
        {
            "greedy": _order("Greedy, as BPE does it", counts, greedy_merges(counts, most)),
            "best": _order("The best order", counts, best.merges),
        },
        {pair: (pairs[pair], tokens) for pair, tokens in after.items()},
        best.num_orders,
        best.num_optimal,
    )
    words = ", ".join(f"{n} × {word}" for word, n in counts.items())
    before = (("The words", escape_invisible(words)),)
    return LessonPicture(plan, facts, rows=tuple(_html_orders(facts)), preview=before)


def _order(title: str, counts: Mapping[str, int], merges: Sequence[Pair]) -> Order:
    splits = tuple([splits_after(counts, merges[:k]) for k in range(len(merges) + 1)])
    tokens = tuple([num_tokens(words, list(counts.values())) for words in splits])
    return Order(title, tuple(merges), splits, tokens)


def _html_orders(facts: BestMergesFacts) -> Iterator[HtmlRow]:
    """Yield the split words after each merge, for both orders."""
    for order in facts.by_name.values():
        for k, (pair, words) in enumerate(zip(order.merges, order.splits[1:], strict=True), 1):
            tokens = count_of(order.tokens[k], "token")
            saved = f"{order.tokens[k - 1] - order.tokens[k]:,} fewer"
            caption = f"{order.title}: merge {k}, {pair[0]} + {pair[1]} · {tokens}, {saved}"
            yield caption, _html_words(facts.word_counts, words)


def _html_words(counts: Mapping[str, int], splits: Sequence[Tokens]) -> str:
    words = (
        html("<span>{:,} × {}</span>", count, html_tiles(split, label=f"tokens of {word}"))
        for (word, count), split in zip(counts.items(), splits, strict=True)
    )
    return html('<div class="pp-words">{}</div>', joined(words))


# --- How evenly tokens are used -------------------------------------------------------------------


def usages(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Count the tokens for every row. Raises UserError if the user stops it."""
    facts = EfficiencyFacts(_usages(report, plan))
    before = tuple(
        [(row.title, escape_invisible(_preview_text(row))) for row in facts.rows.values()]
    )
    return LessonPicture(plan, facts, rows=tuple(_html_usages(facts)), preview=before)


def _usages(report: ProgressCallback, plan: Plan) -> dict[str, Usage]:
    wanted: EfficiencySettings = plan.settings
    if wanted.samples:
        plain = {name: Usage(name.capitalize(), one) for name, one in wanted.samples.items()}
        first = next(iter(plain.values()))
        return plain | _with_copies(first, wanted.copies)
    source = CorpusSource(text=plan.text or "", counts=plan.counts)
    settings = bpe.Settings(base="end_of_word", vocab_size=max(wanted.sizes))
    trace, _ = train(report, source, plan.pipeline, settings)
    rows: dict[str, Usage] = {}
    for size in wanted.sizes:
        step = max(bisect_right(trace.vocab_sizes, size) - 1, 0)
        counts = {token: n for token, n in trace.state(step).token_counts.items() if n}
        rows[f"{size}"] = Usage(f"BPE, {count_of(size, 'piece')}", counts)
    first = next(iter(rows.values()))
    rows |= _with_copies(first, wanted.copies)
    if wanted.without:
        parts = dict(zip(trace.tokens, trace.pairs, strict=True))
        counts = with_split_tokens(first.counts, wanted.without, parts)
        rows["without"] = Usage(f"Without {count_of(len(wanted.without), 'piece')}", counts)
    return rows


def _with_copies(row: Usage, copies: int) -> dict[str, Usage]:
    if copies < 2:
        return {}
    often = sorted(row.counts, key=row.counts.__getitem__, reverse=True)[:MOST_COPIED]
    counts = with_copies(row.counts, often, copies)
    which = "twins" if copies == 2 else f"{copies} copies"
    return {"copied": Usage(f"With {which} of the frequent tokens", counts)}


def _preview_text(row: Usage) -> str:
    """Return a row's preview, which lists the counts if there are few, or else has their sum."""
    if len(row.counts) > FEW:
        return count_of(row.tokens, "token")
    return ", ".join(f"{count:,} × {token}" for token, count in row.counts.items())


def _html_usages(facts: EfficiencyFacts) -> Iterator[HtmlRow]:
    """Yield, for each row, a caption with its numbers, and its most frequent tokens with counts."""
    for row in facts.rows.values():
        often = sorted(row.counts, key=row.counts.__getitem__, reverse=True)[:MOST_TOKENS]
        caption = f"{row.title} · efficiency {percent(row.efficiency)} · "
        of = f"{count_of(row.tokens, 'token')} of {len(row.counts):,} kinds"
        more = "; the most frequent ones" if len(often) < len(row.counts) else ""
        counts = [row.counts[token] for token in often]
        tiles = html_tiles(often, ids=counts, label=f"tokens of {row.title}, with counts")
        yield f"{caption}{of}{more}", tiles


# --- Bytes and patches ----------------------------------------------------------------------------


def byte_patches(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Train a byte model, and cut a text into patches by the entropy of each byte."""
    wanted: PatchSettings = plan.settings
    model = ByteModel.learn((plan.text or "").encode(), wanted.order)
    hard = tuple(entropies(model, plan.input_text.encode()))
    facts = PatchesFacts(plan.input_text, hard, wanted.threshold, wanted.order)
    before = (("The text", escape_invisible(plan.input_text)),)
    return LessonPicture(plan, facts, rows=tuple(_html_patches(facts)), preview=before)


def split_bytes(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Train byte-level BPE and split arbitrary bytes. Raises UserError if the user stops it."""
    trace, _ = train(report, CorpusSource(text=plan.text or ""), plan.pipeline, plan.settings)
    facts = NotTextFacts(bytes_of_hex(plan.input_text), trace.model())
    tokens = facts.split()
    numbers = [bytes_of_glyphs(token).hex(" ").upper() for token in tokens]
    caption = f"{count_of(len(tokens), 'token')}, with their bytes in hexadecimal"
    rows = ((caption, html_tiles(tokens, ids=numbers, label="tokens and bytes")),)
    return LessonPicture(plan, facts, rows=rows, preview=(("The bytes", facts.hexadecimal()),))


def _html_patches(facts: PatchesFacts) -> Iterator[HtmlRow]:
    """Yield a text's bytes, each with its entropy, and then its patches."""
    raw, cut = facts.raw, facts.cut()
    display_forms = [display_form(raw[n : n + 1]) for n in range(len(raw))]
    numbers = [decimal(entropy, 1) for entropy in facts.entropies]
    starts = [n for n, entropy in enumerate(facts.entropies) if n == 0 or entropy > facts.threshold]
    each = html_tiles(display_forms, ids=numbers, new=starts, label="bytes, with entropies")
    yield f"{count_of(len(raw), 'byte')}, and how hard each is to guess (entropy, in nats)", each
    caption = f"{in_patches(len(cut))}: a new one where the entropy is above {facts.threshold:g}"
    yield caption, html_tiles(cut)
