"""Encoding, by merges and by the longest match."""

from itertools import pairwise

from pages.shared.export.replay.basics import claim


def replay_merging_a_text(trace):
    """Check that each merge joins the leftmost pair among those with the lowest rank."""
    mark, steps = trace["mark"], 0
    ranks = {(first, second): rank for first, second, rank in trace["ranks"]}
    for word in trace["words"]:
        texts = dict(enumerate(word["symbols"]))
        for step in word["steps"]:
            where = f"step {steps} of the text, in {word['word']!r}"
            there = candidates(texts, ranks)
            claim((step["rank"], step["start"]) in there, f"{where}: that merge is not possible")
            better = [list(one) for one in there if one < (step["rank"], step["start"])]
            claim(better == step["dropped"], f"{where}: {better} would come before it")
            following = min(at for at in texts if at > step["start"])
            texts[step["start"]] += texts.pop(following)[len(mark) :]
            steps += 1
        over = candidates(texts, ranks)
        claim(list(texts.values()) == word["pieces"], f"{word['word']!r} becomes {texts}")
        claim(not over or trace.get("dropout"), f"{word['word']!r}: {over} could still be merged")
    return steps


def candidates(texts, ranks):
    """Return the possible merges as (rank, start), the best first."""
    starts = list(texts)
    found = [(ranks.get((texts[a], texts[b])), a) for a, b in pairwise(starts)]
    return sorted(one for one in found if one[0] is not None)


def replay_matching_a_text(trace):
    """Check that each piece is the longest match at its start."""
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
