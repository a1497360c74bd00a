"""WordPiece from the top down: thresholds, and the rounds of each."""

from collections import Counter

from pages.shared.export.replay.basics import claim
from tokenizers.plain import longest_match


def replay_top_down(trace):
    """Count the substrings again; check each round's pieces and each threshold's verdict."""
    settings, words = trace["settings"], trace["words"]
    rarest, most_frequent = trace["counts_between"]
    low = max(rarest, settings["min_threshold"])
    high = min(most_frequent, settings["max_threshold"])
    kept, number = characters(words, settings["mark"]), 0
    for place, step in enumerate(trace["steps"], start=1):
        where, threshold = f"step {place}", (low + high) // 2
        claim(step["threshold"] == threshold, f"{where}: the threshold is {threshold}")
        if step["step"] == "round":
            number += 1
            claim(step["number"] == number, f"{where} is round {number}")
            kept = check_round(where, step, words, settings["mark"], kept)
        else:
            claim([low, high] == [step["low"], step["high"]], f"{where}: between {low} and {high}")
            claim(number == settings["rounds"], f"{where}: after {number} rounds")
            low, high = check_verdict(where, step, kept, words, settings, low, high)
            kept, number = characters(words, settings["mark"]), 0
    return len(trace["steps"])


def characters(words, mark):
    """Return a count of 1 for each character of the words, both without and with the mark."""
    return {piece: 1 for word in words for char in word for piece in (char, mark + char)}


def check_round(where, step, words, mark, before):
    """Check a round's candidates; return the pieces after it with their remaining counts."""
    counts = Counter()
    for word, count in words.items():
        for start in begins(word, before, mark) if step["number"] > 1 else range(len(word)):
            for end in range(start + 1, len(word) + 1):
                counts[start > 0, word[start:end]] += count
    left = dict(counts)
    for inside, letters in sorted(counts, key=lambda part: -len(part[1])):
        count = left[inside, letters]  # subtracted from the counts of all its prefixes
        for end in range(1, len(letters)):
            left[inside, letters[:end]] -= count
    claim(len(counts) == step["num_candidates"], f"{where}: {len(counts)} substrings are weighed")
    threshold, pieces = step["threshold"], characters(words, mark)
    found = {}
    for (inside, letters), count in counts.items():
        if count >= threshold:
            rest = left[inside, letters]
            found[mark * inside + letters] = [count, rest, rest >= threshold]
    recorded = {piece: rest for piece, *rest in step["candidates"]}
    for piece, weighed in found.items():
        was = recorded.get(piece)
        claim(was == weighed, f"{where}: {piece!r} has {weighed}, not {was}")
        if weighed[2]:
            pieces[piece] = weighed[1]
    number = len(recorded)
    claim(number == len(found), f"{where}: {len(found)} occur often enough, not {number}")
    claim(len(pieces) == step["size"], f"{where}: {len(pieces)} pieces, not {step['size']}")
    return pieces


def begins(word, pieces, mark):
    """Return the positions in `word` where its pieces start, found by the longest match."""
    at, found = 0, []
    for piece in longest_match(word, pieces, mark) or ():  # every character is a piece
        found.append(at)
        at += len(piece) - (len(mark) if at else 0)
    return found


def check_verdict(where, step, pieces, words, settings, low, high):
    """Check the vocabulary and the verdict of a threshold; return the next search range."""
    letters = sorted({char for word in words for char in word})
    ordered = sorted(pieces, key=lambda piece: (-pieces[piece], piece))
    vocabulary = list(dict.fromkeys([*settings["reserved"], *letters, *ordered]))
    claim(vocabulary == step["vocab"], f"{where}: another vocabulary, or in another order")
    size, goal = len(vocabulary), settings["vocab_size"]
    too_few = goal - size > settings["slack"] * goal
    verdict = "too large" if size > goal else "too small" if too_few else "taken"
    is_last = low >= high or step["threshold"] <= 1
    claim(step["verdict"] == ("taken" if is_last else verdict), f"{where}: {size} is {verdict}")
    return (step["threshold"] + 1, high) if size > goal else (low, step["threshold"] - 1)
