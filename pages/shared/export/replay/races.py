"""A race: BPE and WordPiece trained again, and all three compared at every position."""

import math
from itertools import combinations, pairwise

from pages.shared.export.replay.basics import claim, near
from pages.shared.export.replay.merging import replay_merging
from tokenizers.plain import longest_match

BEGINS = "▁"


def replay_race(trace):
    """Train BPE and WordPiece again; check sizes, tokens and shared pieces at every position.

    Unigram is not trained again. Each of its recorded models must have only pieces of the model
    before it, and segments the words again.
    """
    for name in ("bpe", "wordpiece"):
        replay_merging(trace[name])
    check_models(trace)
    runners = [grown(trace["bpe"], False), grown(trace["wordpiece"], True), shrunk(trace)]
    lasts = [len(vocabularies) - 1 for vocabularies in runners]
    tokens = {}
    for number, position in enumerate(trace["positions"]):
        where, last = f"position {number}", len(trace["positions"]) - 1
        stages = [round(number * one / last) if last else one for one in lasts]
        claim(stages == position["stages"], f"{where}: the stages are {stages}")
        vocabularies = [way[stage] for way, stage in zip(runners, stages, strict=True)]
        for name, stage in enumerate(stages):
            if (name, stage) not in tokens:
                tokens[name, stage] = TOKENS[name](trace, stage)
            fewest, most = tokens[name, stage]
            recorded = position["tokens"][name]
            is_possible = fewest <= recorded <= most
            claim(is_possible, f"{where}: runner {name} needs {most} tokens, not {recorded}")
        found = {
            "sizes": [SIZES[name](trace, stage) for name, stage in enumerate(stages)],
            "shared": [len(one & other) for one, other in combinations(vocabularies, 2)],
            "all_three": len(set.intersection(*vocabularies)),
        }
        for name, value in found.items():
            claim(value == position[name], f"{where}: {name} is {value}, not {position[name]}")
    return len(trace["positions"])


def check_models(trace):
    """Check that BPE and WordPiece stop at the goal, and that Unigram never gains a piece."""
    models = trace["unigram"]["models"]
    for number, (before, after) in enumerate(pairwise(models), start=1):
        new = set(after) - set(before)
        claim(not new, f"model {number} of Unigram has {sorted(new)}, which the one before had not")
    for name in ("bpe", "wordpiece"):
        sizes = [step["vocab_size"] for step in trace[name]["steps"]]
        over = [size for size in sizes if size > trace["goal"]]
        claim(not over, f"{name} has {over} pieces, more than {trace['goal']}")


def grown(run, is_matched):
    """Return the vocabulary after each merge, normalized for comparison (`low` becomes `▁low`)."""
    now = {comparable(piece, run["mark"]) if is_matched else piece for piece in run["alphabet"]}
    ways = [set(now)]
    for step in run["steps"]:
        now.add(comparable(step["token"], run["mark"]) if is_matched else step["token"])
        ways.append(set(now))
    return ways


def comparable(piece, mark):
    """Return a WordPiece piece in the notation of BPE and Unigram."""
    if piece.startswith(mark) and len(piece) > len(mark):
        return piece[len(mark) :]
    return begun(piece)


def begun(word):
    """Return the word with a leading `▁`."""
    return word if word.startswith(BEGINS) else BEGINS + word


def shrunk(trace):
    """Return the vocabulary of each Unigram model."""
    return [set(model) for model in trace["unigram"]["models"]]


def size_of(run, stage):
    """Return the recorded vocabulary size, as `comparable` may make two WordPiece pieces equal."""
    return run["steps"][stage - 1]["vocab_size"] if stage else len(run["alphabet"])


def tokens_of_merges(trace, stage):
    """Return the fewest and the most tokens after a merge, which are the same checked number."""
    run = trace["bpe"]
    count = sum(word["count"] * len(word["symbols"]) for word in run["words"])
    count = run["steps"][stage - 1]["num_tokens"] if stage else count
    return count, count


def tokens_of_matches(trace, stage):
    """Return the fewest and the most tokens by longest match, which are the same number."""
    run = trace["wordpiece"]
    pieces = {*run["alphabet"], *(step["token"] for step in run["steps"][:stage])}
    count = 0
    for word in run["words"]:
        split = longest_match(word["word"], pieces, run["mark"])
        count += word["count"] * len(split or [word])  # an unknown word is one token
    return count, count


def tokens_of_best_paths(trace, stage):
    """Return the fewest and the most tokens that the words' best segmentations may have."""
    log_probs = trace["unigram"]["models"][stage]
    longest, fewest, most = max(map(len, log_probs)), 0, 0
    for word in trace["bpe"]["words"]:
        low, high = best_path(begun(word["word"]), log_probs, longest)
        fewest, most = fewest + word["count"] * low, most + word["count"] * high
    return fewest, most


def best_path(word, log_probs, longest):
    """Return the fewest and the most pieces of a best path; several may be equally probable."""
    best = [(0.0, 0, 0)] + [(-math.inf, 0, 0)] * len(word)
    for end in range(1, len(word) + 1):
        ways = [
            (best[start][0] + log_probs[word[start:end]], best[start][1] + 1, best[start][2] + 1)
            for start in range(max(0, end - longest), end)
            if log_probs.get(word[start:end]) is not None and best[start][0] > -math.inf
        ]
        claim(ways, f"Unigram has no way to cut {word[:end]!r}")
        top = max(value for value, _, _ in ways)
        equal = [way for way in ways if near(way[0], top, 1e-9)]
        best[end] = (top, min(way[1] for way in equal), max(way[2] for way in equal))
    return best[-1][1:]


TOKENS = (tokens_of_merges, tokens_of_matches, tokens_of_best_paths)
SIZES = (
    lambda trace, stage: size_of(trace["bpe"], stage),
    lambda trace, stage: size_of(trace["wordpiece"], stage),
    lambda trace, stage: len(trace["unigram"]["models"][stage]),
)
