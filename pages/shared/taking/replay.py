"""Replay a recorded run and check every step of it: `python replay.py trace.json`.

It needs Python 3.10 or newer and nothing else, and shares no code with the program that made the
file: everything is counted again, in the plainest way that is quick enough. It says which step is
not what the rules give, or how many are. The file's format is described in docs/trace.md.
"""

import json
import math
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path


def claim(is_true, said):
    """Raise AssertionError, also where Python is told to skip `assert`."""
    if not is_true:
        raise AssertionError(said)


def near(value, recorded, tolerance):
    """Tell whether two numbers are the same but for rounding; None stands for minus infinity."""
    recorded = -math.inf if recorded is None else recorded
    return math.isclose(value, recorded, rel_tol=tolerance, abs_tol=tolerance)


# --- Training by merging: BPE and WordPiece -------------------------------------------------------


def replay_merging(trace):
    """Merge again, and check of each step which pair it was, how often it stood, and what tied."""
    mark, counts = trace["mark"], [word["count"] for word in trace["words"]]
    splits = [word["symbols"] for word in trace["words"]]
    pairs, tokens = Counter(), Counter()
    for split, count in zip(splits, counts, strict=True):
        tally(pairs, tokens, split, count)
    vocab = {symbol: number for number, symbol in enumerate(trace["alphabet"])}
    for number, step in enumerate(trace["steps"], start=1):
        pair, where = tuple(step["pair"]), f"step {number}"
        check_choice(trace, where, step, pairs, tokens, splits, vocab)
        token = pair[0] + pair[1][len(mark) :]
        claim(token == step["token"], f"{where} makes {token!r}, not {step['token']!r}")
        merged = 0
        for word, split in enumerate(splits):
            if pair[0] in split and (joined := join(split, pair, token)) != split:
                tally(pairs, tokens, split, -counts[word])
                tally(pairs, tokens, joined, counts[word])
                merged += counts[word] * (len(split) - len(joined))
                splits[word] = joined
        vocab.setdefault(token, len(vocab))
        length = sum(count * len(split) for split, count in zip(splits, counts, strict=True))
        for name, value in (("merged", merged), ("vocab_size", len(vocab)), ("num_tokens", length)):
            claim(value == step[name], f"{where}: {name} is {value}, not {step[name]}")
    return len(trace["steps"])


def tally(pairs, tokens, split, count):
    """Count a word's pairs and symbols, `count` times; a negative number takes them away."""
    for symbol in split:
        tokens[symbol] += count
    for pair in pairwise(split):
        pairs[pair] += count
        if not pairs[pair]:
            del pairs[pair]


def join(split, pair, token):
    """Return the split with the pair joined from left to right."""
    joined, i = [], 0
    while i < len(split):
        is_here = i + 1 < len(split) and (split[i], split[i + 1]) == pair
        joined.append(token if is_here else split[i])
        i += 2 if is_here else 1
    return joined


def check_choice(trace, where, step, pairs, tokens, splits, vocab):
    """Check that no pair was worth more, how many were worth as much, and that the rule chose."""
    pair = tuple(step["pair"])
    first, second = tokens[pair[0]], tokens[pair[1]]
    claim(pairs[pair] == step["count"], f"{where}: the pair occurs {pairs[pair]} times")
    claim([first, second] == step["part_counts"], f"{where}: its parts occur {first}, {second}")
    own = (pairs[pair], first * second)
    tied = []
    for other, count in pairs.items():
        if count < trace["min_count"] or not is_short(trace, other):
            continue
        worth, best = count, own[0]
        if trace["worth"] == "score":  # compared without a fraction
            worth, best = count * own[1], own[0] * tokens[other[0]] * tokens[other[1]]
        claim(worth <= best, f"{where}: {other} is worth more than {pair}")
        if worth == best:
            tied.append(other)
    claim(len(tied) == step["tied"], f"{where}: {len(tied)} pairs tie, not {step['tied']}")
    chosen = choose(trace["ties"], tied, splits, vocab)
    claim(chosen == pair, f"{where}: of those that tie, {chosen} comes before {pair}")


def is_short(trace, pair):
    """Tell whether what the pair makes is no longer than the limit; an end mark does not count."""
    made = "".join(pair).removesuffix(trace["end_mark"])
    return trace["longest"] is None or len(made) <= trace["longest"]


def choose(rule, tied, splits, vocab):
    """Return which of the pairs that tie the rule takes."""
    if rule == "smallest_ids":
        return min(tied, key=lambda pair: (vocab[pair[0]], vocab[pair[1]]))
    if rule == "smallest_string":
        return min(tied)
    among = set(tied)
    return next(pair for split in splits for pair in pairwise(split) if pair in among)


# --- Encoding -------------------------------------------------------------------------------------


def replay_merging_a_text(trace):
    """Check that each merge has the lowest rank that is there, and of that rank is leftmost."""
    mark, steps = trace["mark"], 0
    ranks = {(first, second): rank for first, second, rank in trace["ranks"]}
    for word in trace["words"]:
        texts = dict(enumerate(word["symbols"]))
        for step in word["steps"]:
            said = f"step {steps} of the text, in {word['word']!r}"
            there = candidates(texts, ranks)
            claim((step["rank"], step["start"]) in there, f"{said}: that merge is not possible")
            better = [list(one) for one in there if one < (step["rank"], step["start"])]
            claim(better == step["dropped"], f"{said}: {better} would come before it")
            following = min(at for at in texts if at > step["start"])
            texts[step["start"]] += texts.pop(following)[len(mark) :]
            steps += 1
        over = candidates(texts, ranks)
        claim(list(texts.values()) == word["pieces"], f"{word['word']!r} becomes {texts}")
        claim(not over or trace.get("dropout"), f"{word['word']!r}: {over} could still be merged")
    return steps


def candidates(texts, ranks):
    """Return the merges that are possible, the best first, as rank and start."""
    starts = list(texts)
    found = [(ranks.get((texts[a], texts[b])), a) for a, b in pairwise(starts)]
    return sorted(one for one in found if one[0] is not None)


def replay_matching_a_text(trace):
    """Check that each piece is the longest that fits where it begins."""
    pieces, mark, steps = set(trace["pieces"]), trace["mark"], 0
    for word in trace["words"]:
        text, at = word["word"], 0
        for step in word["steps"]:
            claim(step["start"] == at, f"{text!r}: a step begins at {step['start']}, not at {at}")
            tried = [(mark if at else "") + text[at:end] for end in range(len(text), at, -1)]
            fits = next((one for one in tried if one in pieces), None)
            claim(fits == step["piece"], f"{text!r} at {at}: {fits!r} fits, not {step['piece']!r}")
            wrong = tried if fits is None else tried[: tried.index(fits)]
            claim(wrong == step["rejected"], f"{text!r} at {at}: {wrong} were tried before")
            at = step["end"]
            steps += 1
        is_whole = not word["steps"] or word["steps"][-1]["piece"] is not None
        claim(at == len(text) or not is_whole, f"{text!r} is cut only up to {at}")
    return steps


# --- A lattice ------------------------------------------------------------------------------------


def replay_lattice(trace):
    """Compute the values of every position again, by the maximum, and by sums from both ends."""
    text, edges = trace["text"], trace["edges"]
    for edge in edges:
        claim(
            text[edge["start"] : edge["end"]] == edge["piece"], f"{edge} does not lie in the text"
        )
    arcs = [(edge["start"], edge["end"], edge["log_prob"]) for edge in edges]
    forward, backward = sums(len(text), arcs)
    best = [0.0] + [-math.inf] * len(text)
    for start, end, log_prob in arcs:  # sorted by where they start
        best[end] = max(best[end], best[start] + log_prob)
    computed = {"viterbi": best, "forward": forward, "backward": backward}
    for name, values in computed.items():
        for position, (value, told) in enumerate(zip(values, trace[name], strict=True)):
            where = f"{name} at position {position}: {value}, not {told}"
            claim(near(value, told, 1e-9), where)
    for edge, (start, end, log_prob) in zip(edges, arcs, strict=True):
        through = forward[start] + log_prob + backward[end]
        share = math.exp(through - forward[-1]) if through > -math.inf else 0.0
        claim(near(share, edge["posterior"], 1e-9), f"{edge['piece']!r} has the share {share}")
    total = sum(edges[number]["log_prob"] for number in trace["best"] or ())
    claim(trace["best"] is None or near(total, best[-1], 1e-9), f"the best path has {total}")
    return len(text)


def sums(length, arcs):
    """Return the logs of the sums of all ways to each position, and of all ways on from it."""
    forward, backward = [0.0] + [-math.inf] * length, [-math.inf] * length + [0.0]
    for start, end, log_prob in sorted(arcs):
        forward[end] = log_add(forward[end], forward[start] + log_prob)
    for start, end, log_prob in sorted(arcs, key=lambda arc: -arc[1]):
        backward[start] = log_add(backward[start], backward[end] + log_prob)
    return forward, backward


def log_add(a, b):
    """Return the logarithm of the sum of what these are the logarithms of."""
    most = max(a, b)
    return most if min(a, b) == -math.inf else most + math.log1p(math.exp(min(a, b) - most))


# --- Training by EM and pruning: Unigram ----------------------------------------------------------


def replay_unigram(trace):
    """Check the expectations by forward–backward, the probabilities by their rule, the prunings."""
    single = trace["settings"]["arithmetic"] != "double"
    tolerance = 1e-3 if single else 1e-7  # single precision has seven digits, and sums lose some
    before = None
    for number, step in enumerate(trace["steps"], start=1):
        CHECKS[step["step"]](trace, f"step {number}", step, before, tolerance)
        before = step
    return len(trace["steps"])


def same(where, values, recorded, tolerance):
    """Check a number for each piece."""
    claim(list(values) == list(recorded), f"{where}: other pieces, or in another order")
    for piece, value in values.items():
        told = recorded[piece]
        claim(near(value, told, tolerance), f"{where}, {piece!r}: {value}, not {told}")


def check_seed(trace, where, step, before, tolerance):
    """The first probabilities are in proportion to the counts, or all the same."""
    counts = step["counts"]
    if trace["settings"]["start"] == "uniform":
        counts = dict.fromkeys(counts, 1.0)
    total = math.fsum(counts.values())
    values = {piece: math.log(count / total) for piece, count in counts.items()}
    same(where, values, step["log_probs"], tolerance)


def check_expectation(trace, where, step, before, tolerance):
    """The expected counts: those of each word by forward–backward, as often as it occurs."""
    log_probs = step["log_probs"]
    same(where, log_probs, before["log_probs"], 0.0)
    unknown = min(0.0, *log_probs.values()) - 10.0
    longest = max(map(len, log_probs))
    expected, likelihood, lost = dict.fromkeys(log_probs, 0.0), 0.0, 0.0
    for word, count in trace["words"].items():
        arcs = arcs_of(word, log_probs, longest, unknown)
        forward, backward = sums(len(word), arcs)
        likelihood += count * forward[-1]
        for start, end, log_prob in arcs:
            share = count * math.exp(forward[start] + log_prob + backward[end] - forward[-1])
            piece = word[start:end]
            if piece in log_probs:
                expected[piece] += share
            else:
                lost += share
    claim(near(likelihood, step["log_likelihood"], tolerance), f"{where}: log L is {likelihood}")
    if trace["settings"]["e_step"] == "sum":
        if trace["settings"]["unknown"] == "first_piece":
            expected[next(iter(expected))] += lost
        same(where, expected, step["expected"], tolerance)


def arcs_of(word, log_probs, longest, unknown):
    """Return the pieces in a word, with an arc for each character that is none."""
    arcs = []
    for start in range(len(word)):
        if word[start] not in log_probs:
            arcs.append((start, start + 1, unknown))
        for end in range(start + 1, min(start + longest, len(word)) + 1):
            if word[start:end] in log_probs:
                arcs.append((start, end, log_probs[word[start:end]]))
    return arcs


def check_maximization(trace, where, step, before, tolerance):
    """The probabilities are in proportion to the expected counts, damped where the rule does so."""
    rarest, counts = trace["rarest"], before["expected"]
    expected = {piece: max(counts[piece], rarest) for piece in step["log_probs"]}
    gone = set(counts) - set(expected)
    claim(gone == set(step["dropped"]), f"{where}: {sorted(gone)} are missing")
    log = digamma if trace["settings"]["m_step"] == "digamma" else math.log
    total = log(math.fsum(expected.values()))
    values = {piece: log(count) - total for piece, count in expected.items()}
    same(where, values, step["log_probs"], max(tolerance, 1e-6))


def digamma(x):
    """Return the derivative of log Γ."""
    result = 0.0
    while x < 10:
        result -= 1 / x
        x += 1
    square = 1 / (x * x)
    return result + math.log(x) - 0.5 / x - square * (1 / 12 - square * (1 / 120 - square / 252))


def check_pruning(trace, where, step, before, tolerance):
    """The pieces that went are the last in the order of the losses, which only falls."""
    left, removed = set(step["log_probs"]), set(step["removed"])
    claim(left == set(before["log_probs"]) - removed, f"{where}: what is left is not the rest")
    for (one, more), (other, less) in pairwise(step["order"]):
        claim(more >= less, f"{where}: {one!r} costs {more}, less than {other!r}, {less}")
    gone = [piece in removed for piece, _ in step["order"]]
    claim(gone == sorted(gone), f"{where}: a piece went before one that costs less")
    if trace["settings"]["renormalise"]:
        total = math.fsum(map(math.exp, step["log_probs"].values()))
        claim(not left or near(total, 1.0, max(tolerance, 1e-6)), f"{where}: they sum to {total}")


def check_final(trace, where, step, before, tolerance):
    """The pieces at the end are those before it, without what was cut, with what was added."""
    expected = (set(before["log_probs"]) | set(step["added"])) - set(step["cut"])
    claim(set(step["log_probs"]) <= expected, f"{where}: a piece came from nowhere")


CHECKS = {
    "seed": check_seed,
    "expectation": check_expectation,
    "maximization": check_maximization,
    "pruning": check_pruning,
    "final": check_final,
}
REPLAYS = {
    "merging": replay_merging,
    "merging a text": replay_merging_a_text,
    "matching a text": replay_matching_a_text,
    "lattice": replay_lattice,
    "unigram": replay_unigram,
}


def main(name):
    """Replay the file; say how it went."""
    trace = json.loads(Path(name).read_text("utf-8"))
    claim(trace.get("format") == "piece-by-piece trace", f"{name} is not a trace")
    claim(trace["version"] == 1, "this script reads version 1 of the format")
    number = REPLAYS[trace["kind"]](trace)
    print(f"{trace['kind']}: {number:,} steps replayed, each as it was recorded.")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except AssertionError as error:
        sys.exit(f"Not as recorded: {error}.")
