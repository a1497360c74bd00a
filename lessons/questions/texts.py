"""Questions about a text in a pipeline, or cut by several tokenizers side by side."""

from lessons.facts.texts import PipelineFacts, SegmentationsFacts
from lessons.format.words import RichText, Tokens, count_of, in_row, tokens_text
from lessons.questions.builders import QuestionContext, QuestionKinds, tokens_hint
from lessons.questions.grading import Question


def tokens_of_text(context: QuestionContext[PipelineFacts]) -> Question:
    """How many tokens does the text have, or one of its pre-tokens?"""
    facts = context.facts
    word = context.text("word", "")
    tokens = facts.split(word) if word else facts.unit_tokens
    cut = word or facts.raw
    mistakes: dict[str, RichText] = {
        f"{len(cut.encode())}": ("That is the number of its bytes.",),
        f"{len(cut)}": ("That is the number of its characters.",),
    }
    prompt: RichText = ("How many tokens does ", ("word", cut), " become?")
    why: RichText = (f"{tokens_text(len(tokens))}: ", *in_row(tokens[:40]), ".")
    return context.number_question(prompt, len(tokens), why, mistakes, hint=tokens_hint(tokens))


def segmentation(context: QuestionContext[PipelineFacts]) -> Question:
    """What does a pre-token become?"""
    facts, word = context.facts, context.text("word")
    right = facts.split(word)
    if right == ("[UNK]",):
        whole = "It is not in the vocabulary, so it becomes [UNK]."
        letters = "Its characters are not in the vocabulary either."
        half = "This list has no parts of words, so it can't take the beginning alone."
    else:
        whole = "It is not in the vocabulary as a whole."
        letters = "It is not split into single characters here."
        half = "Its beginning is not split off here."
    others: dict[Tokens, RichText] = {
        (word,): (whole,),
        (word[: len(word) // 2], "[UNK]"): (half,),
        (word[: len(word) // 2], word[len(word) // 2 :]): (half,),
        tuple(word): (letters,),
        ("[UNK]",): ("Part of it is in the vocabulary.",),
    }
    return context.split_question(word, (right,), others)


def offset(context: QuestionContext[PipelineFacts]) -> Question:
    """At which place in the original text does a token begin, counting from 0?"""
    facts, token = context.facts, context.text("token")
    number = facts.number(context.at, token)
    start, end = facts.offsets[number - 1]
    mistakes: dict[str, RichText] = {
        f"{start + 1}": ("You counted from 1. The first character is number 0.",),
        f"{end}": ("That is where it ends.",),
        f"{number - 1}": ("That is the number of tokens before it. Count characters.",),
    }
    for name, text in facts.stages.items():
        if token in text:
            sentence = f"That is its place after the stage {name}. Count in the original text."
            mistakes.setdefault(f"{text.index(token)}", (sentence,))
    prompt: RichText = ("At which place in the original text does ", ("token", token), " begin? ")
    prompt = (*prompt, "The first character is at place 0.")
    before = facts.raw[:start]
    why: RichText = (f"{count_of(start, 'character')} come before it: ", ("word", before), ".")
    why = why if before else ("Nothing comes before it.",)
    hint: RichText = ("Count the characters of ", ("word", before), ".") if before else ()
    return context.number_question(prompt, start, why, mistakes, shown_at=number, hint=hint)


def tokens_of_kind(context: QuestionContext[SegmentationsFacts]) -> Question:
    """How many tokens does one of the tokenizers make from the text?"""
    facts, kind = context.facts, context.text("tokenizer")
    cut = facts.cut(kind)
    mistakes: dict[str, RichText] = {
        f"{len(facts.text.encode())}": ("That is the number of bytes: some have been merged.",),
        f"{len(facts.text)}": ("That is the number of characters in the text.",),
        f"{len(facts.text.split())}": ("That is the number of words between spaces.",),
    }
    for other in facts.cuts.values():
        mistakes.setdefault(f"{len(other.tokens)}", (f"That is the number for {other.name}.",))
    prompt: RichText = (f"{cut.name}: how many tokens does ", ("word", facts.text), " become?")
    why: RichText = (f"{tokens_text(len(cut.tokens))}: ", *in_row(cut.tokens[:40]), ".")
    hint = tokens_hint(cut.tokens)
    return context.number_question(prompt, len(cut.tokens), why, mistakes, hint=hint)


def fewest(context: QuestionContext[SegmentationsFacts]) -> Question:
    """Which tokenizer makes the fewest tokens? Every one that ties is right."""
    rows = [(cut.name, len(cut.tokens)) for cut in context.facts.cuts.values()]
    prompt = "Which tokenizer makes the fewest tokens?"

    def end(_: int, least: int) -> str:
        return f"; the fewest is {least:,}."

    return context.choose_best(prompt, rows, min, tokens_text, end)


PIPELINE_QUESTIONS: QuestionKinds = {
    "token_count": (tokens_of_text, ("word",)),
    "segmentation": (segmentation, ("word",)),
    "choose_segmentation": (segmentation, ("word",)),
    "offset": (offset, ("token",)),
}
SEGMENTATIONS_QUESTIONS: QuestionKinds = {
    "token_count": (tokens_of_kind, ("tokenizer",)),
    "fewest": (fewest, ()),
}
