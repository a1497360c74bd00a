"""Questions about a BPE or WordPiece training run's next merge, counts and order of merges."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, pairwise

from lessons.facts.base import are_texts
from lessons.facts.merging import MergeFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import (
    RichText,
    Tokens,
    count_of,
    decimal,
    in_row,
    join_list,
    small,
    tokens_text,
)
from lessons.questions.builders import (
    MOST_OPTIONS,
    TWO_DIGITS,
    QuestionContext,
    QuestionKinds,
    merge_spans,
    shuffle_options,
    tokens_hint,
    two_digits,
)
from lessons.questions.grading import AnswerOption, MergeSpan, Question, missed_merge
from tokenizers import bpe, wordpiece
from tokenizers.experiments.research import corpus_edit
from tokenizers.merging.queue import TIE_RULE_REASONS
from tokenizers.merging.state import Pair
from tokenizers.wordpiece.likelihood import TIE_EPS
from tokenizers.wordpiece.matching import longest_matches


def next_pair(context: QuestionContext[MergeFacts]) -> Question:
    """Which pair is merged next? Every pair that ties for the best is right."""
    facts, at = context.facts, context.at
    if at == facts.last:
        raise LessonLookupError(
            "The run ends here: no pair is merged next. Set at to an earlier moment."
        )
    step, best = facts.step(at + 1), facts.best(at)
    if step.pair not in best:  # impossible while the run follows its rule
        raise LessonLookupError("This run does not merge the best pair next. Ask something else.")
    offered = _candidates(facts, at, best)
    options = [
        AnswerOption(in_row(pair), pair in best, _why(facts, at, pair, best)) for pair in offered
    ]
    why = _why(facts, at, step.pair, best)
    prompt = "Which pair is merged next?"
    question = context.choose_from(prompt, options, why, in_row(step.pair), at + 1)
    return replace(question, masked_parts=context.masked_at_start)


def likeliest(context: QuestionContext[MergeFacts]) -> Question:
    """Which merge raises the likelihood of the corpus most?"""
    facts, at = context.facts, context.at
    found = facts.gains(at)
    if not found:
        raise LessonLookupError("There is no pair left here. Set at to an earlier moment.")
    most = max(found.values())
    best = [pair for pair in found if found[pair] > most - TIE_EPS]
    by_rule = dict.fromkeys([*best, *facts.best(at), *_candidates(facts, at, best)])
    offered = list(by_rule)[:MOST_OPTIONS]

    def why(pair: Pair) -> RichText:
        often = count_of(facts.trace.state(at).pair_counts[pair], "time")
        more = "" if pair in best else f" The highest is {decimal(most)}."
        return (*in_row(pair), f" occurs {often}, and gains {decimal(found[pair])} nats.{more}")

    options = [AnswerOption(in_row(pair), pair in best, why(pair)) for pair in offered]
    prompt = "Which merge raises the likelihood of the corpus most?"
    return context.choose_from(prompt, options, why(best[0]), in_row(best[0]))


def _candidates(facts: MergeFacts, at: int, best: list[Pair]) -> list[Pair]:
    """Return the pairs to choose from, i.e. the best, the most frequent, and the runners-up."""
    counts = facts.trace.state(at).pair_counts
    frequent = sorted(counts, key=lambda pair: -counts[pair])[:2]
    likely = dict.fromkeys([*best[: MOST_OPTIONS - 2], *frequent, *facts.ranked(at)])
    offered = list(likely)[:MOST_OPTIONS]
    if len(offered) < 2:
        raise LessonLookupError(
            "There is only one pair here: nothing to choose. Ask something else."
        )
    return offered


def _why(facts: MergeFacts, at: int, pair: Pair, best: list[Pair]) -> RichText:
    """Return why a pair is or is not merged after step `at`."""
    state = facts.trace.state(at)
    worth, most = facts.worth(at, pair), facts.worth(at, best[0])
    if facts.by_score:
        shown = f"its score is {facts.parts(at, pair)} = {small(float(worth))}"
        if pair not in best:
            often = state.pair_counts[pair] > state.pair_counts[best[0]]
            frequent = "it is more frequent, but so are its parts: " if often else ""
            than = f"; the highest is {small(float(most))}"
            return ("Not ", *in_row(pair), f": {frequent}{shown}{than}.")
    else:
        shown = f"it occurs {count_of(int(worth), 'time')}"
        if pair not in best:
            counts = f": its count is {int(worth):,}; the highest is {int(most):,}."
            return ("Not ", *in_row(pair), counts)
    if len(best) == 1:
        return (*in_row(pair), f": {shown}, more than any other.")
    merged = facts.step(at + 1).pair
    others = "1 other pair ties" if len(best) == 2 else f"{len(best) - 1:,} other pairs tie"
    tie = f": {shown}. {others}, so any of them is right. "
    rule = TIE_RULE_REASONS[facts.trace.settings.ties]
    return (*in_row(pair), tie, "This run takes ", *in_row(merged), f": {rule}.")


def _pair(context: QuestionContext[MergeFacts]) -> Pair:
    value = context.values.get("pair")
    if not are_texts(value) or len(value) != 2:
        raise LessonLookupError('This question needs a pair. Write: pair = ["e", "s"]')
    return context.facts.pair_of(context.at, "+".join(value))


def pair_count(context: QuestionContext[MergeFacts]) -> Question:
    """How often is a pair seen after this step, each word as often as it occurs?"""
    facts, at, pair = context.facts, context.at, _pair(context)
    held = facts.holders(at, pair)
    count = sum(number * places for _, number, places in held)
    mistakes = _count_mistakes(facts, at, pair, held)
    terms = join_list([(f"{n * places:,} in ", ("word", word)) for word, n, places in held])
    why: RichText = (*in_row(pair), f" occurs {count_of(count, 'time')}: ", *terms, ".")
    prompt: RichText = ("How often does ", *in_row(pair), " occur now?")
    hint: RichText = ("It is in ", *join_list([(("word", word),) for word, _, _ in held]), ".")
    question = context.number_question(
        prompt, count, why, mistakes, masked_parts=context.masked_at_start
    )
    return replace(question, hint=hint)


def _count_mistakes(
    facts: MergeFacts, at: int, pair: Pair, held: list[tuple[str, int, int]]
) -> dict[str, RichText]:
    """Return replies to plausible wrong counts; the first for a number takes precedence."""
    words = count_of(len(held), "distinct word")
    each = "and each of them counts as often as it occurs"
    kinds = sum(places for _, _, places in held)
    mistakes: dict[str, RichText] = {
        f"{kinds}": (f"That counts each word once. {words} have it, {each}.",)
    }
    overlapping = sum(
        count * list(pairwise(facts.trace.split(n, at))).count(pair)
        for n, count in enumerate(facts.trace.corpus.word_counts.values())
    )
    mistakes.setdefault(f"{overlapping}", ("Places that overlap can be merged only once.",))
    for k, when in ((at - 1, "one step earlier"), (0, "at the start")):
        if k >= 0 and (seen := facts.trace.state(k).pair_counts.get(pair)):
            mistakes.setdefault(f"{seen}", (f"That was its count {when}. Recount.",))
    for word, number, _ in held if len(held) > 1 else ():
        alone: RichText = (
            "That counts ",
            ("word", word),
            " alone. Other words have the pair too.",
        )
        mistakes.setdefault(f"{number}", alone)
    return mistakes


def pair_score(context: QuestionContext[MergeFacts]) -> Question:
    """What is the WordPiece score of a pair after this step?"""
    facts, at, pair = context.facts, context.at, _pair(context)
    state = facts.trace.state(at)
    score = float(wordpiece.score(state, pair))
    count = state.pair_counts[pair]
    one, two = (state.token_counts[part] for part in pair)
    mistakes: dict[str, RichText] = {
        f"{count}": (
            "That is the count of the pair. Divide it by the product of the counts of its parts.",
        ),
        f"{count / (one + two):.6f}": ("Multiply the counts of the parts; you added them.",),
        f"{count / one:.6f}": ("You divided by the first count only. Divide by the second, too.",),
        f"{count / two:.6f}": ("You divided by the second count only. Divide by the first, too.",),
    }
    start = facts.trace.state(0)
    if pair in start.pair_counts and wordpiece.score(start, pair) != wordpiece.score(state, pair):
        first = float(wordpiece.score(start, pair))
        sentence = "That was its score at the start. Merges have changed the counts."
        mistakes[f"{first:.6f}"] = (sentence,)
    why: RichText = (*in_row(pair), f": {facts.parts(at, pair)} = {small(score)}.")
    prompt: RichText = (
        "What is the score of ",
        *in_row(pair),
        " now? You can write a fraction, ",
    )
    prompt = (*prompt, "such as 3/16.", TWO_DIGITS)
    shown, near, masked_parts = small(score), two_digits(score), context.masked_at_start
    return context.number_question(
        prompt, score, why, mistakes, shown, tolerance=near, masked_parts=masked_parts
    )


def token_count(context: QuestionContext[MergeFacts]) -> Question:
    """How many tokens do a word, or all the words together, have after this step?"""
    if "word" in context.values:
        return _tokens_of_word(context, context.text("word"))
    trace, at = context.facts.trace, context.at
    count, symbols = trace.num_tokens[at], trace.num_tokens[0]
    once = sum(len(trace.split(n, at)) for n in range(len(trace.words)))
    mistakes: dict[str, RichText] = {
        f"{once}": ("You counted each word once. Count it as often as it occurs.",),
        f"{symbols}": ("That was the number at the start. Each merge has removed some.",),
    }
    gone = f"{symbols:,} at the start, less the {symbols - count:,} that merges have removed."
    why = (gone if at else f"{symbols:,} characters: at the start, each is a token.",)
    prompt = "How many tokens do all the words have now, each word counted as often as it occurs?"
    word, number = next(iter(trace.corpus.word_counts.items()))
    alone = f" alone makes {tokens_text(number * len(trace.split(0, at)))}."
    hint: RichText = (("word", word), alone)
    return context.number_question(
        (prompt,), count, why, mistakes, masked_parts=("notes",), hint=hint
    )


def _tokens_of_word(context: QuestionContext[MergeFacts], word: str) -> Question:
    facts, at, mistakes = context.facts, context.at, dict[str, RichText]()
    tokens = facts.split(at, word)
    for k in (0, at - 1, at + 1, facts.last):
        if 0 <= k <= facts.last:
            when = f"after step {k:,}" if k else "at the start"
            mistakes.setdefault(f"{len(facts.split(k, word))}", (f"That is the number {when}.",))
    prompt: RichText = ("How many tokens does ", ("word", word), " have now?")
    why: RichText = (("word", word), " becomes ", *in_row(tokens), ".")
    hint = tokens_hint(tokens)
    return context.number_question(prompt, len(tokens), why, mistakes, hint=hint)


def segmentation(context: QuestionContext[MergeFacts]) -> Question:
    """How does the tokenizer learned so far split a word?"""
    facts, at = context.facts, context.at
    word = context.text("word")
    model, right = facts.trace.model(at), (facts.split(at, word),)
    pieces, merges = frozenset(model.vocab), _merges(model, word)
    others = _others(facts, at, word, merges)
    return context.split_question(word, right, others, pieces=pieces, merges=merges)


def _merges(model: bpe.Model | wordpiece.Model, word: str) -> tuple[MergeSpan, ...]:
    """Return the merges that split a word; WordPiece splits without merges."""
    if isinstance(model, wordpiece.Model):
        return ()
    symbols = model.settings.symbols(word)
    return merge_spans(symbols, bpe.merge_steps(symbols, model.ranks))


def _others(
    facts: MergeFacts, at: int, word: str, merges: tuple[MergeSpan, ...]
) -> Mapping[Tokens, RichText]:
    """Return splits of a word at other steps, with the reason why each is wrong."""
    model = facts.trace.model(at)
    found: dict[Tokens, RichText] = {}
    if not isinstance(model, wordpiece.Model):
        symbols = "".join(model.settings.symbols(word))
        if longest := longest_matches(symbols, model.vocab, ""):
            sentence = "That takes the longest piece first. BPE applies its merges in order."
            found[longest] = (sentence,)
    for k in sorted({0, at // 2, at - 1, at + 1, facts.last} & set(range(facts.last + 1))):
        when = f"after step {k:,}" if k else "at the start"
        cut = facts.split(k, word)
        not_now: RichText = (f"That is the split {when}, not now.",)
        found.setdefault(cut, missed_merge(merges, cut) or not_now)
    return found


def order_merges(context: QuestionContext[MergeFacts]) -> Question:
    """In which order are these tokens made? Tokens that tie may be in either order."""
    facts, tokens = context.facts, context.values.get("tokens")
    if not (isinstance(tokens, list) and 2 <= len(set(map(str, tokens))) == len(tokens) <= 8):
        raise LessonLookupError(
            'This question needs two to eight tokens. Write: tokens = ["at", "ag"]'
        )
    steps = [facts.find_token(token) for token in tokens]
    if min(steps) <= context.at:
        early = tokens[steps.index(min(steps))]
        sentence = f"“{early}” has already been made at this stop. Set at to an earlier moment."
        raise LessonLookupError(sentence)
    made = dict(zip(tokens, steps, strict=True))
    ranked = sorted(tokens, key=made.__getitem__)
    options, before = _unsolved(facts, made)
    why: RichText = (
        *join_list([(("token", one), f" at step {made[one]:,}") for one in ranked]),
        ".",
    )
    prompt: RichText = (
        "Put these tokens in the order in which they are made, the first at the top.",
    )
    return Question(
        "order_merges",
        "order",
        prompt,
        in_row(ranked),
        why,
        options,
        before=before,
        shown_at=max(steps),
        masked_parts=context.masked_at_start,
    )


def _unsolved(
    facts: MergeFacts, made: Mapping[str, int]
) -> tuple[tuple[AnswerOption, ...], tuple[tuple[int, int], ...]]:
    """Return the tokens in a wrong order, and the pairs (earlier, later) of their indices."""
    ordered_pairs = [
        (a, b)
        for a, b in combinations(sorted(made, key=made.__getitem__), 2)
        if facts.trace.pairs[made[b] - 1] not in facts.best(made[a] - 1)
    ]
    names = shuffle_options(list(made), "")
    if all(names.index(a) < names.index(b) for a, b in ordered_pairs):
        names.reverse()
    options = [AnswerOption((("token", name),), why=(_when(facts, made[name]),)) for name in names]
    return tuple(options), tuple([(names.index(a), names.index(b)) for a, b in ordered_pairs])


def _when(facts: MergeFacts, step: int) -> str:
    merge = facts.step(step)
    worth = f"score {small(float(merge.score))}" if facts.by_score else f"count {merge.count:,}"
    return f"step {step:,}, {worth}"


def first_difference(context: QuestionContext[MergeFacts]) -> Question:
    """At which step do two runs first merge different pairs?"""
    ours, theirs = context.facts.trace.pairs, context.other(MergeFacts).trace.pairs
    k = corpus_edit.first_difference(ours, theirs)
    if k is None:
        raise LessonLookupError("The two runs do the same. Choose a picture with other settings.")
    if k > min(len(ours), len(theirs)):
        why: RichText = (f"Through step {k - 1:,} both do the same; then one of them stops.",)
    else:
        here, there = in_row(ours[k - 1]), in_row(theirs[k - 1])
        why = (f"At step {k:,} this run merges ", *here, ", the other ", *there, ".")
    prompt: RichText = (
        f"At which step do this run and “{context.values['against']}” first differ?",
    )
    mistakes: dict[str, RichText] = {
        f"{n}": (f"At step {n:,} both runs merge ", *in_row(ours[n - 1]), ". Look further on.")
        for n in range(1, k)
    }
    hint: RichText = (f"Through step {k // 2:,} both do the same.",) if k > 1 else ()
    question = context.number_question(
        prompt, k, why, mistakes, shown_at=min(k, context.facts.last), hint=hint
    )
    return replace(question, hides_answer=False)


def only_parts(context: QuestionContext[MergeFacts]) -> Question:
    """Which pieces have all become parts of longer ones, so that none is left in the text?"""
    uses = context.facts.uses(context.at)
    residues = uses.residues()
    others = [token for token in uses.made if token not in residues]
    half = MOST_OPTIONS // 2
    options = [
        AnswerOption(
            in_row([token]),
            token in residues,
            (
                *in_row([token]),
                f" was made {count_of(uses.made[token], 'time')}, and "
                f"{uses.left.get(token, 0):,} of these are left.",
            ),
        )
        for token in [*residues[:half], *others[-half:]]
    ]
    why: RichText = ("Each of them went into a longer piece wherever it was made.",)
    prompt = "Which of these pieces are left nowhere in the text?"
    return context.choose_from(prompt, options, why, form="several")


MERGE_QUESTIONS: QuestionKinds = {
    "next_pair": (next_pair, ()),
    "likeliest": (likeliest, ()),
    "pair_count": (pair_count, ("pair",)),
    "pair_score": (pair_score, ("pair",)),
    "token_count": (token_count, ("word",)),
    "segmentation": (segmentation, ("word",)),
    "choose_segmentation": (segmentation, ("word",)),
    "order_merges": (order_merges, ("tokens",)),
    "first_difference": (first_difference, ("against",)),
    "only_parts": (only_parts, ()),
}
