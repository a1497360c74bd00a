"""Training by EM and pruning: Unigram."""

import math
from itertools import pairwise

from pages.shared.export.replay.basics import claim, near
from pages.shared.export.replay.lattices import sums


def replay_unigram(trace):
    """Check every step with the function for its kind in `CHECKS`."""
    single = trace["settings"]["arithmetic"] != "double"
    tolerance = 1e-3 if single else 1e-7  # single precision has seven digits, and sums lose some
    before = None
    for number, step in enumerate(trace["steps"], start=1):
        CHECKS[step["step"]](trace, f"step {number}", step, before, tolerance)
        before = step
    return len(trace["steps"])


def same(where, values, recorded, tolerance):
    """Check that `values` has the recorded pieces in order, with equal values up to rounding."""
    claim(list(values) == list(recorded), f"{where}: other pieces, or in another order")
    for piece, value in values.items():
        expected = recorded[piece]
        claim(near(value, expected, tolerance), f"{where}, {piece!r}: {value}, not {expected}")


def check_seed(trace, where, step, before, tolerance):
    """Check that the first probabilities are proportional to the counts, or all equal."""
    counts = step["counts"]
    if trace["settings"]["start"] == "uniform":
        counts = dict.fromkeys(counts, 1.0)
    total = math.fsum(counts.values())
    values = {piece: math.log(count / total) for piece, count in counts.items()}
    same(where, values, step["log_probs"], tolerance)


def check_expectation(trace, where, step, before, tolerance):
    """Check the expected counts, computed by forward–backward for each word."""
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
    """Return the arcs of the pieces in a word, and of each character that is not a piece."""
    arcs = []
    for start in range(len(word)):
        if word[start] not in log_probs:
            arcs.append((start, start + 1, unknown))
        for end in range(start + 1, min(start + longest, len(word)) + 1):
            if word[start:end] in log_probs:
                arcs.append((start, end, log_probs[word[start:end]]))
    return arcs


def check_maximization(trace, where, step, before, tolerance):
    """Check that the probabilities follow from the expected counts, directly or by digamma."""
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
    """Check that the pieces are in descending order of loss and the last ones were removed."""
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
    """Check that each final piece was there before or was added, and that none of them was cut."""
    expected = (set(before["log_probs"]) | set(step["added"])) - set(step["cut"])
    claim(set(step["log_probs"]) <= expected, f"{where}: a piece came from nowhere")


CHECKS = {
    "seed": check_seed,
    "expectation": check_expectation,
    "maximization": check_maximization,
    "pruning": check_pruning,
    "final": check_final,
}
