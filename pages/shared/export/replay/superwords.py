"""Merges across spaces: which neighbors may be merged now."""

import unicodedata


def merge_rule(crossing, done):
    """Return whether the symbols i and i + 1 of a split may merge, after `done` merges."""

    def may_merge(split, i):
        if crossing is None or not is_border(split[i], split[i + 1]):
            return True
        if crossing["rule"] == "after":
            return done >= crossing["inside"]
        begins = i == 0 or is_border(split[i - 1], split[i])
        ends = i + 2 == len(split) or is_border(split[i + 1], split[i + 2])
        return begins and ends and all(map(is_all_letters, split[i : i + 2]))

    return may_merge


def is_border(left, right):
    """Return whether a new word begins between two symbols: at a space, or at another kind."""
    if left[-1] == "▁" or right[0] == "▁":
        return right[0] == "▁"
    return kind_of(left[-1]) != kind_of(right[0])


def is_all_letters(symbol):
    """Return whether a symbol has letters, and besides them spaces alone."""
    kinds = [kind_of(character) for character in symbol if character != "▁"]
    return set(kinds) == {"letter"} and any(map(str.isalpha, symbol))


def kind_of(character):
    """Return whether a character is a letter (or a mark, ' or _), a number, or another."""
    kind = unicodedata.category(character)[0]
    return "letter" if kind in "LM" or character in "_'’" else "number" if kind == "N" else "other"


def merge_where(split, pair, may_merge):
    """Join `pair` wherever it may be merged, from left to right."""
    joined, i = [], 0
    while i < len(split):
        if split[i : i + 2] == pair and may_merge(split, i):
            joined.append("".join(pair))
            i += 2
        else:
            joined.append(split[i])
            i += 1
    return tuple(joined)
