"""Training by merging: BPE and WordPiece."""

from collections import Counter
from itertools import pairwise

from pages.shared.export.replay.basics import claim
from pages.shared.export.replay.superwords import merge_rule, merge_where
from tokenizers.plain import merge


def replay_merging(trace):
    """Repeat the merges, and check the pair, the counts and the ties of each step."""
    mark, counts = trace["mark"], [word["count"] for word in trace["words"]]
    splits = [tuple(word["symbols"]) for word in trace["words"]]
    crossing, pairs, tokens = trace.get("crossing"), Counter(), Counter()
    may_merge = merge_rule(crossing, 0)
    for split, count in zip(splits, counts, strict=True):
        tally(pairs, tokens, split, count, may_merge)
    vocab = {symbol: number for number, symbol in enumerate(trace["alphabet"])}
    for number, step in enumerate(trace["steps"], start=1):
        pair, where = tuple(step["pair"]), f"step {number}"
        check_choice(trace, where, step, pairs, tokens, splits, vocab, may_merge)
        token = pair[0] + pair[1][len(mark) :]
        claim(token == step["token"], f"{where} makes {token!r}, not {step['token']!r}")
        merged = 0
        for word, split in enumerate(splits):
            if pair[0] not in split:
                continue
            joined = merge_where(split, pair, may_merge) if crossing else merge(split, pair, mark)
            if joined != split:
                tally(pairs, tokens, split, -counts[word], may_merge)
                tally(pairs, tokens, joined, counts[word], may_merge)
                merged += counts[word] * (len(split) - len(joined))
                splits[word] = joined
        if crossing and number == crossing["inside"]:  # from now on, pairs count across spaces, too
            may_merge, pairs, tokens = merge_rule(crossing, number), Counter(), Counter()
            for split, count in zip(splits, counts, strict=True):
                tally(pairs, tokens, split, count, may_merge)
        vocab.setdefault(token, len(vocab))
        length = sum(count * len(split) for split, count in zip(splits, counts, strict=True))
        for name, value in (("merged", merged), ("vocab_size", len(vocab)), ("num_tokens", length)):
            claim(value == step[name], f"{where}: {name} is {value}, not {step[name]}")
    return len(trace["steps"])


def tally(pairs, tokens, split, count, may_merge):
    """Add `count`, which may be negative, to the counts of a word's pairs and symbols."""
    for symbol in split:
        tokens[symbol] += count
    for i, pair in enumerate(pairwise(split)):
        if not may_merge(split, i):
            continue
        pairs[pair] += count
        if not pairs[pair]:
            del pairs[pair]


def check_choice(trace, where, step, pairs, tokens, splits, vocab, may_merge):
    """Check that no pair is worth more, how many tie, and that the tie rule takes this pair."""
    pair = tuple(step["pair"])
    first, second = tokens[pair[0]], tokens[pair[1]]
    claim(pairs[pair] == step["count"], f"{where}: the pair occurs {pairs[pair]} times")
    claim([first, second] == step["part_counts"], f"{where}: its parts occur {first}, {second}")
    pair_worth = (pairs[pair], first * second)
    tied = []
    for other, count in pairs.items():
        if count < trace["min_count"] or not is_short(trace, other):
            continue
        worth, best = count, pair_worth[0]
        if trace["worth"] == "score":  # compared without a fraction
            worth, best = count * pair_worth[1], pair_worth[0] * tokens[other[0]] * tokens[other[1]]
        claim(worth <= best, f"{where}: {other} is worth more than {pair}")
        if worth == best:
            tied.append(other)
    claim(len(tied) == step["tied"], f"{where}: {len(tied)} pairs tie, not {step['tied']}")
    chosen = choose(trace["ties"], tied, splits, vocab, may_merge)
    claim(chosen == pair, f"{where}: of those that tie, {chosen} comes before {pair}")


def is_short(trace, pair):
    """Return whether the merged pair is within the length limit, not counting an end mark."""
    made = "".join(pair).removesuffix(trace["end_mark"])
    return trace["longest"] is None or len(made) <= trace["longest"]


def choose(rule, tied, splits, vocab, may_merge):
    """Return the tied pair that the tie-breaking `rule` takes."""
    if rule == "smallest_ids":
        return min(tied, key=lambda pair: (vocab[pair[0]], vocab[pair[1]]))
    if rule == "smallest_string":
        return min(tied)
    if rule == "largest_string":
        return max(tied)
    among = set(tied)
    return next(
        pair
        for split in splits
        for i, pair in enumerate(pairwise(split))
        if pair in among and may_merge(split, i)
    )
