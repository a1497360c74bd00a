"""What a worker process does for a lesson's pictures of what research has asked.

A picture is a record, and rows of what it shows: what each is, in words, and HTML. They have no
steps.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from lessons.format.words import Tokens, count_of
from lessons.pictures.plan import Plan
from lessons.records.best_merges import BestMergesRecord, Order
from pages.shared.drawing.markup import html, joined
from pages.shared.drawing.tiles import html_tiles
from tokenizers.experiments.best_merges import (
    best_merges,
    greedy_merges,
    splits_after,
    tokens_in,
)
from tokenizers.merging.state import Pair
from tokenizers.plain import count_pairs

Rows = tuple[tuple[str, str], ...]

_STYLE = Markup(
    "<style>.pp-words{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem}"
    ".pp-words>span{display:flex;gap:.4rem;align-items:center}</style>"
)


# --- The best merges ------------------------------------------------------------------------------


def merged_both_ways(plan: Plan) -> BestMergesRecord:
    """Merge a tiny corpus greedily and in the best order. Raises ValueError for a larger one."""
    counts, most = plan.counts or {}, plan.settings.num_merges
    best = best_merges(counts, most)
    pairs = count_pairs(splits_after(counts, ()), list(counts.values()))
    after = {pair: best_merges(counts, most, (pair,)).tokens for pair in pairs} if most else {}
    return BestMergesRecord(
        counts,
        {
            "greedy": _order("Greedy, as BPE does it", counts, greedy_merges(counts, most)),
            "best": _order("The best order", counts, best.merges),
        },
        {pair: (pairs[pair], tokens) for pair, tokens in after.items()},
        best.orders,
        best.as_good,
    )


def _order(title: str, counts: Mapping[str, int], merges: Sequence[Pair]) -> Order:
    splits = tuple([splits_after(counts, merges[:k]) for k in range(len(merges) + 1)])
    tokens = tuple([tokens_in(words, list(counts.values())) for words in splits])
    return Order(title, tuple(merges), splits, tokens)


def html_orders(record: BestMergesRecord) -> Rows:
    """Return the words after each merge of both orders."""
    rows = []
    for order in record.taken.values():
        for k, (pair, words) in enumerate(zip(order.merges, order.splits[1:], strict=True), 1):
            tokens = count_of(order.tokens[k], "token")
            saved = f"{order.tokens[k - 1] - order.tokens[k]:,} fewer"
            said = f"{order.title}: merge {k}, {pair[0]} + {pair[1]} · {tokens}, {saved}"
            rows.append((said, _html_words(record.word_counts, words)))
    return tuple(rows)


def _html_words(counts: Mapping[str, int], splits: Sequence[Tokens]) -> str:
    words = (
        html("<span>{:,} × {}</span>", count, Markup(html_tiles(split, label=f"tokens of {word}")))
        for (word, count), split in zip(counts.items(), splits, strict=True)
    )
    return _STYLE + html('<div class="pp-words">{}</div>', joined(words))
