"""Questions about the entropy of bytes, and the patches that begin where it is high."""

from lessons.facts.patches import PatchesFacts, in_patches
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, decimal, in_row
from lessons.questions.builders import QuestionContext, QuestionKinds, tokens_hint
from lessons.questions.grading import AnswerOption, Question

OFFERED = 4  # positions to choose from
STEP = 0.5  # difference of the wrong answers' thresholds


def least_sure(context: QuestionContext[PatchesFacts]) -> Question:
    """Where is the next byte the hardest to guess? The start of the text does not count."""
    text = context.facts.text
    prefixes = [text[:n] for n in range(1, len(text))]  # whole characters only
    beginnings = {before: context.facts.entropies[len(before.encode())] for before in prefixes}
    if len(beginnings) < OFFERED:
        raise LessonLookupError(
            "The text is too short to choose a place. Give it ten letters or more."
        )
    ranked = sorted(beginnings, key=lambda before: -beginnings[before])
    spread = [ranked[n * (len(ranked) - 1) // (OFFERED - 1)] for n in range(OFFERED)]
    best = beginnings[spread[0]]

    def why_not(before: str) -> RichText:
        entropy = beginnings[before]
        highest = "" if entropy == best else f" The highest is {decimal(best)}."
        return ("After ", ("word", before), f", the entropy is {decimal(entropy)}.{highest}")

    options = [
        AnswerOption(("after ", ("word", before)), beginnings[before] == best, why_not(before))
        for before in spread
    ]
    answer: RichText = ("after ", ("word", spread[0]))
    why: RichText = (f"The entropy there is {decimal(best)}.",)
    return context.choose_from("Where is the next byte the hardest to guess?", options, why, answer)


def patch_count(context: QuestionContext[PatchesFacts]) -> Question:
    """How many patches is the text cut into?"""
    facts = context.facts
    count = len(facts.cut())
    mistakes: dict[str, RichText] = {
        f"{len(facts.text)}": ("That is the number of characters.",),
        f"{count - 1}": ("That is the number of cuts. There is one patch more.",),
        f"{len(facts.text.split())}": ("That is the number of words.",),
    }
    mistakes[f"{len(facts.raw)}"] = ("That is the number of bytes.",)
    for off in (-STEP, STEP):
        other = facts.threshold + off
        sentence: RichText = (f"That is what a threshold of {other:g} gives.",)
        mistakes.setdefault(f"{len(facts.cut(other))}", sentence)
    prompt: RichText = ("How many patches does ", ("word", facts.text), " become?")
    why: RichText = (f"{in_patches(count)}: ", *in_row(facts.cut()))
    hint = tokens_hint(facts.cut())
    return context.number_question(prompt, count, (*why, "."), mistakes, hint=hint)


def segmentation(context: QuestionContext[PatchesFacts]) -> Question:
    """Which patches is the text cut into?"""
    facts = context.facts
    others: dict[Tokens, RichText] = {}
    for off in (-STEP, STEP, 2 * STEP):
        other = facts.threshold + off
        others.setdefault(facts.cut(other), (f"That is what a threshold of {other:g} gives.",))
    words = facts.text.split(" ")
    spaced = (*(f"{word} " for word in words[:-1]), words[-1])
    others.setdefault(tuple(spaced), ("That cuts at every space, whatever the entropy.",))
    prompt: RichText = ("Which patches does ", ("word", facts.text), " become?")
    return context.split_question(facts.text, (facts.cut(),), others, prompt=prompt)


PATCHES_QUESTIONS: QuestionKinds = {
    "least_sure": (least_sure, ()),
    "patch_count": (patch_count, ()),
    "choose_segmentation": (segmentation, ()),
}
