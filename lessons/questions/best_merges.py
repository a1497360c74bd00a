"""Questions about the best order of merges, found by exhaustive search."""

from lessons.facts.best_merges import BestMergesFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, count_of, in_row, join_list
from lessons.questions.builders import MOST_OPTIONS, QuestionContext, QuestionKinds
from lessons.questions.grading import AnswerOption, Question
from tokenizers.merging.state import Pair


def first_merge(context: QuestionContext[BestMergesFacts]) -> Question:
    """With which first merge can the fewest tokens be reached? Every one that ties is right."""
    facts = context.facts
    if not (merges := facts.by_name["greedy"].merges):
        raise LessonLookupError("Nothing can be merged here. Give words of two letters or more.")
    fewest = facts.by_name["best"].tokens[-1]

    def fits(pair: Pair) -> bool:
        return facts.first_pairs[pair][1] == fewest

    often = sorted(
        facts.first_pairs, key=lambda pair: (pair != merges[0], -facts.first_pairs[pair][0])
    )
    offered = often[:MOST_OPTIONS]
    if not any(map(fits, offered)):  # the best first merge is a rare pair
        offered[-1] = next(filter(fits, often))
    options = [
        AnswerOption(in_row(pair), fits(pair), _result_text(facts, pair)) for pair in offered
    ]
    of = count_of(len(merges), "merge")
    prompt = f"{of[:1].upper()}{of[1:]} in all. Which one may come first, to end with the fewest "
    best = next(filter(fits, offered))
    return context.choose_from(f"{prompt}tokens?", options, _result_text(facts, best))


def _result_text(facts: BestMergesFacts, pair: Pair) -> RichText:
    count, tokens = facts.first_pairs[pair]
    seen = (*in_row(pair), f" occurs {count_of(count, 'time')}. ")
    fewest = facts.by_name["best"].tokens[-1]
    if tokens == fewest:
        return (*seen, f"The best that can follow leaves {tokens:,} tokens, the fewest of all.")
    return (*seen, f"The best that can follow leaves {tokens:,} tokens; {fewest:,} are possible.")


def token_count(context: QuestionContext[BestMergesFacts]) -> Question:
    """How many tokens does the best order of merges leave?"""
    orders = context.facts.by_name
    count = orders["best"].tokens[-1]
    mistakes: dict[str, RichText] = {
        f"{orders['greedy'].tokens[-1]}": ("That is what the greedy merges leave.",),
        f"{orders['best'].saved}": ("That is how many tokens the best merges save.",),
        f"{orders['best'].tokens[0]}": ("That is the number of characters, before any merge.",),
        f"{sum(map(len, orders['best'].splits[-1]))}": ("That counts each word once.",),
    }
    of = count_of(len(orders["best"].merges), "merge")
    prompt: RichText = (f"How many tokens are left after the best {of}?",)
    pairs = join_list([in_row(pair) for pair in orders["best"].merges])
    why: RichText = ("Merging ", *pairs, f" leaves {count:,} tokens.")
    first = in_row(orders["best"].merges[0])
    hint: RichText = ("One of the best orders begins with ", *first, ".")
    return context.number_question(prompt, count, why, mistakes, hint=hint)


BEST_MERGES_QUESTIONS: QuestionKinds = {
    "first_merge": (first_merge, ()),
    "token_count": (token_count, ()),
}
