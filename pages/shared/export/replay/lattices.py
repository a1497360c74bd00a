"""A lattice: its best path and its sums."""

import math

from pages.shared.export.replay.basics import claim, near


def replay_lattice(trace):
    """Recompute the Viterbi, forward and backward values of every position."""
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
        for position, (value, recorded) in enumerate(zip(values, trace[name], strict=True)):
            where = f"{name} at position {position}: {value}, not {recorded}"
            claim(near(value, recorded, 1e-9), where)
    for edge, (start, end, log_prob) in zip(edges, arcs, strict=True):
        through = forward[start] + log_prob + backward[end]
        share = math.exp(through - forward[-1]) if through > -math.inf else 0.0
        claim(near(share, edge["posterior"], 1e-9), f"{edge['piece']!r} has the share {share}")
    total = sum(edges[number]["log_prob"] for number in trace["best"] or ())
    claim(trace["best"] is None or near(total, best[-1], 1e-9), f"the best path has {total}")
    return len(text)


def sums(length, arcs):
    """Return the forward and backward values (logs of sums over paths) of each position."""
    forward, backward = [0.0] + [-math.inf] * length, [-math.inf] * length + [0.0]
    for start, end, log_prob in sorted(arcs):
        forward[end] = log_add(forward[end], forward[start] + log_prob)
    for start, end, log_prob in sorted(arcs, key=lambda arc: -arc[1]):
        backward[start] = log_add(backward[start], backward[end] + log_prob)
    return forward, backward


def log_add(a, b):
    """Return log(exp(a) + exp(b))."""
    most = max(a, b)
    return most if min(a, b) == -math.inf else most + math.log1p(math.exp(min(a, b) - most))
