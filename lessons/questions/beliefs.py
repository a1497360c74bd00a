"""Beliefs: common opinions, each checked against the facts of a picture.

Each check takes a `QuestionContext` and returns whether the belief holds in that picture, and a
reason or counterexample. The first line of its docstring is the statement shown to learners.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from lessons.facts.base import PictureFacts
from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.published import MergedWordFacts, PublishedFacts
from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.facts.unigram import UnigramFacts
from lessons.facts.vocabularies import VocabulariesFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, estimated, in_row, small, tokens_text
from lessons.questions.builders import QuestionContext
from lessons.questions.study_beliefs import STUDY_CHECKS, BeliefResult
from tokenizers import wordpiece
from tokenizers.lattice import TIE_EPS
from tokenizers.unigram.steps import Prune
from tokenizers.wordpiece.matching import longest_matches

# --- About training by merging --------------------------------------------------------------------


def _most_frequent(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """Every step merges a most frequent pair."""
    trace = context.facts.trace
    for k, (pair, count) in enumerate(zip(trace.pairs, trace.counts, strict=True), 1):
        counts = trace.state(k - 1).pair_counts
        most = max(counts, key=counts.__getitem__)
        if counts[most] > count:
            merged: RichText = (
                f"At step {k:,} ",
                *in_row(pair),
                f" is merged, with count {count:,}; ",
            )
            return False, (*merged, *in_row(most), f" has count {counts[most]:,}.")
    return True, (f"It is true at every one of the {len(trace):,} steps.",)


def _highest_score(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """Every step merges a pair with the highest WordPiece score."""
    trace = context.facts.trace
    for k, pair in enumerate(trace.pairs, 1):
        state = trace.state(k - 1)
        best = wordpiece.ranking(state, 1)[0]
        high, here = wordpiece.score(state, best), wordpiece.score(state, pair)
        if high > here:
            score = f" is merged, with score {small(float(here))}; "
            merged: RichText = (f"At step {k:,} ", *in_row(pair), score)
            return False, (*merged, *in_row(best), f" has {small(float(high))}.")
    return True, (f"It is true at every one of the {len(trace):,} steps.",)


def _no_ties(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """At no step do several pairs tie for the best."""
    ties = [k for k, tied in enumerate(context.facts.trace.num_tied, 1) if tied > 1]
    if not ties:
        return True, ("No two pairs ever tie for the best.",)
    tied = context.facts.trace.num_tied[ties[0] - 1]
    return False, (f"At step {ties[0]:,}, {tied:,} pairs tie.",)


def _takes_longest(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """Every word is split as the longest match would split it.

    Looked at are the words of the corpus, and `word` if it is given.
    """
    facts = context.facts
    model = facts.trace.model(context.at)
    if isinstance(model, wordpiece.Model):
        return True, ("WordPiece encodes by the longest match, whatever was merged.",)
    given = [context.text("word")] if "word" in context.values else []
    for word in [*given, *facts.trace.words]:
        longest = longest_matches("".join(model.settings.symbols(word)), model.vocab, "")
        cut = facts.split(context.at, word)
        if longest and longest != cut and model.settings.unk not in cut:
            merged: RichText = (("word", word), ": the merges give ", *in_row(cut))
            return False, (*merged, ", the longest match ", *in_row(longest), ".")
    return True, ("Both split every word here the same way. That need not be true elsewhere.",)


def _one_piece(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """The word `word` is one token now."""
    word = context.text("word")
    cut = context.facts.split(context.at, word)
    return len(cut) == 1, (("word", word), " becomes ", *in_row(cut), ".")


def _is_made(context: QuestionContext[MergeFacts]) -> BeliefResult:
    """The token `token` is in the vocabulary at the end of the run."""
    token = context.text("token")
    born = context.facts.trace.created_at(token)
    if born is None:
        return False, ("No step makes ", ("token", token), ".")
    if not born:
        return True, (("token", token), " is a base symbol.")
    return True, (f"Step {born:,} makes ", ("token", token), ".")


# --- About Unigram --------------------------------------------------------------------------------


def _never_falls(context: QuestionContext[UnigramFacts]) -> BeliefResult:
    """The log-likelihood never falls from one E step to the next."""
    falls = context.facts.falls()
    if not falls:
        return True, ("It never falls in this run.",)
    k = falls[0]
    before, now = (context.facts.field_log_likelihood(at, "")[0] for at in (k - 1, k))
    return False, (f"At step {k:,} it falls from {before} to {now}.",)


def _sums_to_one(context: QuestionContext[UnigramFacts]) -> BeliefResult:
    """The probabilities of all pieces sum to one now."""
    total = math.fsum(
        math.exp(log) for log in dict(context.facts.step(context.at).log_probs).values()
    )
    return math.isclose(total, 1, rel_tol=1e-6), (f"They sum to {total:.4g}.",)


def _rarest_go(context: QuestionContext[UnigramFacts]) -> BeliefResult:
    """Pruning removes the least probable pieces."""
    for step in context.facts.trace.steps:
        if isinstance(step, Prune) and step.removed:
            before = step.before
            likeliest = max(step.removed, key=before.__getitem__)
            bound = before[likeliest] - 1e-12
            rarer = [piece for piece in step.after if len(piece) > 1 and before[piece] < bound]
            if rarer:
                first, other = (estimated(math.exp(before[p])) for p in (likeliest, rarer[0]))
                goes: RichText = (("token", likeliest), f" goes, p = {first}; ")
                stays: RichText = (("token", rarer[0]), f" stays, p = {other}.")
                return False, (f"In round {step.round:,} ", *goes, *stays)
    return True, ("In this run the rarest go each time. That need not be true elsewhere.",)


def _survives(context: QuestionContext[UnigramFacts]) -> BeliefResult:
    """The piece `piece` is in the vocabulary at the end of the run."""
    piece, trace = context.text("piece"), context.facts.trace
    if trace.steps and piece in trace.steps[-1].log_probs:
        return True, (("token", piece), " is in the vocabulary at the end.")
    for step in trace.steps:
        if isinstance(step, Prune) and piece in step.removed:
            return False, (("token", piece), f" is pruned in round {step.round:,}.")
    return False, (("token", piece), " is not in the vocabulary at the end.")


# --- About a lattice ------------------------------------------------------------------------------


def _fewest_pieces(context: QuestionContext[LatticeFacts]) -> BeliefResult:
    """The most probable segmentation has the fewest pieces."""
    cuts = context.facts.ranked()
    best, shortest = cuts[0], min(cuts, key=len)
    if len(shortest) < len(best):
        sentence: RichText = ("The most probable is ", *in_row(best), "; ", *in_row(shortest))
        return False, (*sentence, " has fewer pieces.")
    return True, ("It is true here: ", *in_row(best), ". That need not be true elsewhere.")


def _longest_first(context: QuestionContext[LatticeFacts]) -> BeliefResult:
    """The longest match finds the most probable segmentation."""
    lattice = context.facts.lattice
    longest = longest_matches(lattice.text, set(context.facts.tokens()), "")
    best = lattice.pieces(context.facts.best())
    if longest is None:
        return False, ("The longest match gets stuck; the most probable is ", *in_row(best), ".")
    if context.facts.is_tied(lattice.path(longest)):
        return True, ("Both are ", *in_row(longest), ".")
    sentence: RichText = ("The longest match is ", *in_row(longest), ", the most probable ")
    return False, (*sentence, *in_row(best), ".")


def _one_best(context: QuestionContext[LatticeFacts]) -> BeliefResult:
    """One segmentation is more probable than all the others: there is no tie."""
    cuts = context.facts.ranked(2)
    if len(cuts) > 1 and context.facts.is_tied(context.facts.lattice.path(cuts[1])):
        return False, (*in_row(cuts[0]), " and ", *in_row(cuts[1]), " are equally probable.")
    return True, (*in_row(cuts[0]), " is more probable than any other.")


def _prior_decides(context: QuestionContext[LatticeFacts]) -> BeliefResult:
    """This prior changes which segmentations are best."""
    facts, lattice = context.facts, context.facts.lattice
    logs = {cut: lattice.log_prob(lattice.path(cut)) for cut in facts.ranked()}
    prior = {length: math.log(share) for length, share in facts.prior.items() if share > 0}
    without = _highest(logs)
    found = _highest({cut: log + prior[len(cut)] for cut, log in logs.items() if len(cut) in prior})
    if not found:
        raise LessonLookupError(
            "Its prior allows no segmentation. Write: prior = { 1 = 0.9, 3 = 0.1 }"
        )
    sentence: RichText = ("Without the prior the best is ", *without, "; with it, ", *found, ".")
    if without == found:
        sentence = ("With the prior and without it, the best is ", *found, ".")
    return without != found, sentence


def _highest(logs: Mapping[Tokens, float]) -> RichText:
    """Return the best segmentations, joined by "or"."""
    most = max(logs.values(), default=0.0)
    best = [in_row(cut) for cut, log in logs.items() if log > most - TIE_EPS]
    return tuple([part for cut in best for part in (*cut, " or ")][:-1])


# --- About encoding -------------------------------------------------------------------------------


def _encodes_longest(context: QuestionContext[EncodingFacts]) -> BeliefResult:
    """The longest match would split every word of the text the same way."""
    facts = context.facts
    mark = facts.model.settings.mark if isinstance(facts.model, wordpiece.Model) else ""
    for word in facts.words:
        letters = "".join(facts.model.settings.symbols(word)) if not mark else word
        longest, cut = (
            longest_matches(letters, facts.model.vocab, mark),
            facts.split(word),
        )
        if longest and longest != cut:
            sentence: RichText = (
                ("word", word),
                " becomes ",
                *in_row(cut),
                "; the longest match is ",
            )
            return False, (*sentence, *in_row(longest), ".")
    return True, ("It is true of every word here.",)


def _all_known(context: QuestionContext[Any]) -> BeliefResult:
    """Nothing in the text is unknown."""
    facts: PictureFacts = context.facts
    if isinstance(facts, EncodingFacts):
        unknown_words = [w for w in facts.words if facts.model.settings.unk in facts.split(w)]
        if unknown_words:
            word = unknown_words[0]
            return False, (("word", word), " becomes ", *in_row(facts.split(word)), ".")
        return True, ("Every part of it is in the vocabulary.",)
    if isinstance(facts, SegmentationsFacts):
        number = facts.cut(context.text("tokenizer")).unknown
    else:
        assert isinstance(facts, PipelineFacts)
        number = facts.unknown()
    are = "is" if number == 1 else "are"
    return not number, (f"{tokens_text(number)} {are} unknown.",)


def _comes_back(context: QuestionContext[PipelineFacts | PublishedFacts]) -> BeliefResult:
    """Decoding the ids gives back exactly the original text."""
    if isinstance(context.facts, PipelineFacts):
        text, decoded = context.facts.raw, context.facts.decoded
    else:
        row = context.facts.row(context.text("of", ""))
        text, decoded = row.text, row.decoded
    if decoded == text:
        return True, ("The ids decode to exactly the original text.",)
    return False, (("word", text), " comes back as ", ("word", decoded), ".")


# --- About published tokenizers -------------------------------------------------------------------


def _merges_longest(context: QuestionContext[MergedWordFacts]) -> BeliefResult:
    """The longest match would split the word the same way."""
    facts = context.facts
    if facts.final == facts.longest:
        return True, ("Both are ", *in_row(facts.final), ".")
    sentence: RichText = ("The merges give ", *in_row(facts.final), "; the longest match gives ")
    return False, (*sentence, *in_row(facts.longest), ".")


def _all_reached(context: QuestionContext[VocabulariesFacts]) -> BeliefResult:
    """Some text makes every token of the vocabulary."""
    one = context.facts.summary(context.text("of", ""))
    if not one.unreached:
        return True, ("Each of its tokens came out of some text.",)
    token, becomes = next(iter(one.unreached.items()))
    return False, ("The text of ", ("token", token), " becomes ", *in_row(becomes), ".")


BeliefCheck = Callable[[Any], BeliefResult]
BELIEF_CHECKS: Mapping[type, Mapping[str, BeliefCheck]] = {
    MergeFacts: {
        "most_frequent": _most_frequent,
        "highest_score": _highest_score,
        "longest_match": _takes_longest,
        "no_ties": _no_ties,
        "one_piece": _one_piece,
        "made": _is_made,
    },
    EncodingFacts: {"longest_match": _encodes_longest, "all_known": _all_known},
    UnigramFacts: {
        "never_falls": _never_falls,
        "sums_to_one": _sums_to_one,
        "rarest_go": _rarest_go,
        "survives": _survives,
    },
    LatticeFacts: {
        "fewest_pieces": _fewest_pieces,
        "longest_match": _longest_first,
        "one_best": _one_best,
        "prior_decides": _prior_decides,
    },
    PipelineFacts: {"comes_back": _comes_back, "all_known": _all_known},
    SegmentationsFacts: {"all_known": _all_known},
    PublishedFacts: {"comes_back": _comes_back},
    MergedWordFacts: {"longest_match": _merges_longest},
    VocabulariesFacts: {"all_reached": _all_reached},
    **STUDY_CHECKS,
}


COUNTEREXAMPLE_SEARCH: Mapping[tuple[type, str], str] = {
    (MergeFacts, "longest_match"): "longest_match",
    (EncodingFacts, "longest_match"): "longest_match",
    (MergeFacts, "most_frequent"): "score_is_tie_breaker",
    (LatticeFacts, "fewest_pieces"): "fewest_is_likeliest",
}
"""By facts and belief: its search in tokenizers/experiments/beliefs/counterexamples.py."""


def counterexample(context: QuestionContext[Any]) -> str:
    """Return the name of the search for the smallest counterexample; "" if there is none."""
    for (kind, belief), search in COUNTEREXAMPLE_SEARCH.items():
        if isinstance(context.facts, kind) and context.values.get("belief") == belief:
            return search
    return ""
