"""Questions about bytes that are hard to guess, and the patches that begin there."""

from lessons.facts.patches import PatchesFacts, in_patches
from lessons.format.errors import LessonLookupError
from lessons.format.words import Text, Tokens, decimal, in_row
from lessons.questions.builders import QuestionContext, QuestionKinds
from lessons.questions.grading import Option, Question

OFFERED = 4  # places to choose from
STEP = 0.5  # how far off the thresholds of wrong answers are


def least_sure(context: QuestionContext[PatchesFacts]) -> Question:
    """Where is the next byte the hardest to guess? The start of the text does not count."""
    text = context.facts.text
    firsts = [text[:n] for n in range(1, len(text))]  # no character is cut in two
    beginnings = {before: context.facts.hard[len(before.encode())] for before in firsts}
    if len(beginnings) < OFFERED:
        raise LessonLookupError(
            "The text is too short to choose a place. Give it ten letters or more."
        )
    ranked = sorted(beginnings, key=lambda before: -beginnings[before])
    spread = [ranked[n * (len(ranked) - 1) // (OFFERED - 1)] for n in range(OFFERED)]
    best = beginnings[spread[0]]

    def why_not(before: str) -> Text:
        entropy = beginnings[before]
        highest = "" if entropy == best else f" The highest is {decimal(best)}."
        return ("After ", ("word", before), f", the entropy is {decimal(entropy)}.{highest}")

    options = [
        Option(("after ", ("word", before)), beginnings[before] == best, why_not(before))
        for before in spread
    ]
    answer: Text = ("after ", ("word", spread[0]))
    why: Text = (f"The entropy there is {decimal(best)}.",)
    return context.choose_from("Where is the next byte the hardest to guess?", options, why, answer)


def patch_count(context: QuestionContext[PatchesFacts]) -> Question:
    """How many patches is the text cut into?"""
    record = context.facts
    count = len(record.cut())
    slips: dict[str, Text] = {
        f"{len(record.text)}": ("That is the number of characters.",),
        f"{count - 1}": ("That is the number of cuts. There is one patch more.",),
        f"{len(record.text.split())}": ("That is the number of words.",),
    }
    slips[f"{len(record.raw)}"] = ("That is the number of bytes.",)
    for off in (-STEP, STEP):
        other = record.threshold + off
        said: Text = (f"That is what a threshold of {other:g} gives.",)
        slips.setdefault(f"{len(record.cut(other))}", said)
    prompt: Text = ("How many patches does ", ("word", record.text), " become?")
    why: Text = (f"{in_patches(count)}: ", *in_row(record.cut()))
    return context.number_question(prompt, count, (*why, "."), slips)


def segmentation(context: QuestionContext[PatchesFacts]) -> Question:
    """Which patches is the text cut into?"""
    record = context.facts
    others: dict[Tokens, Text] = {}
    for off in (-STEP, STEP, 2 * STEP):
        other = record.threshold + off
        others.setdefault(record.cut(other), (f"That is what a threshold of {other:g} gives.",))
    words = record.text.split(" ")
    spaced = (*(f"{word} " for word in words[:-1]), words[-1])
    others.setdefault(tuple(spaced), ("That cuts at every space, whatever the entropy.",))
    prompt: Text = ("Which patches does ", ("word", record.text), " become?")
    return context.split_question(record.text, (record.cut(),), others, prompt=prompt)


PATCHES_QUESTIONS: QuestionKinds = {
    "least_sure": (least_sure, ()),
    "patch_count": (patch_count, ()),
    "choose_segmentation": (segmentation, ()),
}
