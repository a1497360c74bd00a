"""The minutes that a class needs for a question, by its kind.

They are a lecturer's estimates for students who meet the question for the first time: reading it,
thinking, answering, and reading the reply. The lesson's text is counted apart, see `paths.py`.
"""

from collections.abc import Mapping

CHOOSE = 0.5  # read the options and pick one
SORT_OUT = 1.0  # judge every option by itself, or bring them into order
COUNT = 1.0  # count in the picture, or divide two of its numbers, and type the result
WRITE = 1.5  # work out the pieces of a word and type them
COMPUTE = 2.0  # a few lines with a pencil
ESTIMATE = 3.0  # the probabilities of several paths, their sum, and the shares
RE_ESTIMATE = 4.0  # the same for every word, before one division

QUESTION_MINUTES: Mapping[str, float] = {
    "choose_segmentation": CHOOSE,
    "chooses": CHOOSE,
    "fewest": CHOOSE,
    "first_across": CHOOSE,
    "first_merge": CHOOSE,
    "highest": CHOOSE,
    "least_sure": CHOOSE,
    "most": CHOOSE,
    "most_even": CHOOSE,
    "most_unreached": CHOOSE,
    "next_pair": CHOOSE,  # the table has the counts
    "next_piece": CHOOSE,
    "predict": CHOOSE,
    "read_back": CHOOSE,
    "reason": CHOOSE,
    "true_false": CHOOSE,
    "winner": CHOOSE,
    "by_efficiency": SORT_OUT,
    "by_length": SORT_OUT,
    "exact": SORT_OUT,
    "gone_too": SORT_OUT,
    "order_merges": SORT_OUT,
    "pruned": SORT_OUT,  # weigh each piece against the pieces that can replace it
    "whole": SORT_OUT,
    "chunk_count": COUNT,  # the probabilities are there, or a sign of a product
    "first_difference": COUNT,
    "number": COUNT,
    "offset": COUNT,
    "pair_count": COUNT,
    "token_count": COUNT,
    "morphemes": WRITE,
    "segmentation": WRITE,
    "likeliest": COMPUTE,  # the gain in likelihood of each pair
    "log_prob": COMPUTE,
    "pair_score": COMPUTE,  # three counts, a product and a quotient
    "patch_count": COMPUTE,  # each byte against the threshold
    "ways": COMPUTE,  # every path, one after the other
    "expected_count": ESTIMATE,
    "probability": RE_ESTIMATE,
}
"""The minutes for each kind of question (the keys of `lessons.stops.QUESTIONS`)."""


def question_minutes(kind: str) -> float:
    """Return the minutes for a question; those of a choice if the kind is unknown.

    >>> question_minutes("reason"), question_minutes("expected_count")
    (0.5, 3.0)
    """
    return QUESTION_MINUTES.get(kind, CHOOSE)  # a custom lesson's error is reported elsewhere
