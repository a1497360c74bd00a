"""The values of pairs for the plain training loop if settings exclude some of the pairs."""

from tokenizers import plain


def often_enough(worth, min_count):
    """Return `worth` for the pairs that are seen at least `min_count` times."""

    def worth_of_some(splits, word_counts):
        counts = plain.count_pairs(splits, word_counts)
        known = worth(splits, word_counts)
        return {pair: known[pair] for pair in known if counts[pair] >= min_count}

    return worth_of_some


def may_merge(settings):
    """Return the counts of the pairs that the settings of a BPE run let merge."""

    def worth(splits, word_counts):
        counts = often_enough(plain.count_pairs, settings.min_count)(splits, word_counts)
        return {pair: count for pair, count in counts.items() if settings.allows(pair)}

    return worth
