"""Questions about encoding a text, e.g. about the next merge or match, or a word's tokens."""

from collections.abc import Mapping
from itertools import pairwise, takewhile

from lessons.facts.encoding import EncodingFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import RichText, Tokens, in_row
from lessons.questions.builders import (
    MOST_OPTIONS,
    QuestionContext,
    QuestionKinds,
    merge_spans,
    rank_text,
    tokens_hint,
)
from lessons.questions.grading import AnswerOption, MergeSpan, Question, missed_merge
from tokenizers import bpe, wordpiece
from tokenizers.wordpiece.matching import longest_matches, pieces_of_matches


def next_pair(context: QuestionContext[EncodingFacts]) -> Question:
    """Which merge is applied next in this word?"""
    facts, at = context.facts, context.at
    model = facts.model
    if not isinstance(model, bpe.Model) or at == facts.last or not facts.moments[at].pair:
        raise LessonLookupError("No pair is merged next here. Set at to the moment before a merge.")
    moment = facts.moments[at]
    right, best = moment.pair or (), moment.rank or 0
    before = facts.moments[at - 1].split if at and not facts.moments[at - 1].is_last else ()
    split = before or model.settings.symbols(moment.word)
    possible = dict.fromkeys(split[i : i + 2] for _, i in bpe.candidates(split, model.ranks))
    rivals = [pair for pair in pairwise(split) if pair not in possible]
    likely = dict.fromkeys([*list(possible)[:MOST_OPTIONS], *rivals])
    offered = sorted(likely)[:MOST_OPTIONS]
    if right not in offered:
        offered = sorted([*offered[:-1], right])
    never = " was never merged in training."
    sentence = {pair: rank_text(pair, model.ranks, best, never) for pair in offered}
    options = [AnswerOption(in_row(pair), pair == right, why) for pair, why in sentence.items()]
    prompt = f"Which pair is merged next in “{moment.word}”?"
    return context.choose_from(prompt, options, sentence[right], shown_at=at + 1)


def next_piece(context: QuestionContext[EncodingFacts]) -> Question:
    """Which piece is taken next in this word, by the longest match?"""
    facts, at = context.facts, context.at
    tried: list[str] = []
    for moment in facts.moments[at:]:
        if moment.is_last:
            break
        tried.append(moment.piece or moment.rejected or "")
        if moment.piece:
            break
    found = bool(tried) and tried[-1] in facts.model.vocab
    if not isinstance(facts.model, wordpiece.Model) or not found or len(tried) < 2:
        sentence = "There is no choice of a piece here. Set at to a moment before one is tried."
        raise LessonLookupError(sentence)
    starts = [tried[-1][:end] for end in range(len(tried[-1]) - 1, 0, -1)]
    shorter = [piece for piece in starts if piece in facts.model.vocab][:2]  # these fit, too
    word = facts.moments[at].word
    inside, mark = word[1:], facts.model.settings.mark
    known = [one for one in facts.model.vocab if one.removeprefix(mark) in inside]
    others = sorted((one for one in known if one not in (*starts, tried[-1])), key=len)[::-1]
    shorter = [*shorter, *others[: 2 - len(shorter)]]  # of the vocabulary, so that it is no help
    offered = [*tried[len(shorter) - MOST_OPTIONS :], *shorter]
    options = [
        AnswerOption((("token", one),), one == tried[-1], _why_not(facts, one, tried[-1]))
        for one in offered
    ]
    why: RichText = (
        ("token", tried[-1]),
        f" is the first candidate found in the vocabulary, after {len(tried) - 1:,} that are not.",
    )
    done = takewhile(lambda moment: not moment.is_last, reversed(facts.moments[:at]))
    order = "next" if any(moment.piece for moment in done) else "first"
    prompt = f"Which piece is taken {order} in “{word}”?"
    return context.choose_from(prompt, options, why, shown_at=at + len(tried))


def _why_not(facts: EncodingFacts, candidate: str, right: str) -> RichText:
    if candidate == right:
        return (("token", right), " is the longest candidate that is in the vocabulary.")
    if candidate in facts.model.vocab and right.startswith(candidate):
        return (("token", candidate), " fits, but a longer piece fits too.")
    if candidate in facts.model.vocab:
        return (("token", candidate), " is in the vocabulary, but does not fit here.")
    return (("token", candidate), " is not in the vocabulary.")


def segmentation(context: QuestionContext[EncodingFacts]) -> Question:
    """What does a word become?"""
    facts = context.facts
    here = facts.moments[context.at :] or facts.moments[-1:]  # what the next step is about
    if not here and "word" not in context.values:
        raise LessonLookupError("There is no word here. Write a text to encode.")
    word = context.text("word", here[0].word if here else "")
    right, shown = facts.split(word), facts.find_word(word) if word in facts.words else None
    why, pieces = _why_unknown(facts, word, right), frozenset(facts.model.vocab)
    merges = () if isinstance(facts.model, wordpiece.Model) else _merges(facts.model, word)
    others = _others(facts, word)
    return context.split_question(word, (right,), others, why, shown, pieces, merges=merges)


def _merges(model: bpe.Model, word: str) -> tuple[MergeSpan, ...]:
    symbols = model.settings.symbols(word)
    return merge_spans(symbols, bpe.merge_steps(symbols, model.ranks))


def _why_unknown(facts: EncodingFacts, word: str, right: Tokens) -> RichText:
    """Return why a word has an unknown token; empty if it has none."""
    model, unk = facts.model, facts.model.settings.unk
    if unk not in right:
        return ()
    becomes: RichText = (("word", word), " becomes ", *in_row(right))
    if isinstance(model, wordpiece.Model):
        start = next((s.start for s in wordpiece.word_steps(word, model) if s.piece is None), 0)
        rest = word[start:]
        return (*becomes, ": no piece matches at ", ("word", rest), ", so the whole word is lost.")
    missing = [one for one in model.settings.symbols(word) if one not in model.vocab]
    are = "is" if len(missing) == 1 else "are"
    return (*becomes, ": ", *in_row(missing), f" {are} not in the vocabulary; the rest is merged.")


def _others(facts: EncodingFacts, word: str) -> dict[Tokens, RichText]:
    """Return plausible wrong splits of a word, with the reason why each is wrong."""
    model = facts.model
    if isinstance(model, wordpiece.Model):
        letters, mark = model.letters(word) or "", model.settings.mark
        steps = wordpiece.word_steps(word, model)
        first = tuple(step.piece for step in steps if step.piece)
        marked = (letters[:1], *(mark + letter for letter in letters[1:]))
        found: dict[Tokens, RichText] = {marked: ("Longer pieces fit, and the longest is taken.",)}
        if pieces_of_matches(steps) is None:
            rest = mark + letters[steps[-1].start] if steps and steps[-1].start else letters[:1]
            why = "If any part cannot be matched, the whole word becomes [UNK]."
            found[(*first, model.settings.unk)] = (why,)
            found[(*first, rest)] = (("token", rest), " is not in the vocabulary. ", why)
        else:
            found[(model.settings.unk,)] = ("There are pieces for the whole word.",)
            found |= _shorter_splits(first, model.vocab, letters, mark)
        return found
    symbols = model.settings.symbols(word)
    merges = _merges(model, word)
    found: dict[Tokens, RichText] = {symbols: missed_merge(merges, symbols)}
    unk = model.settings.unk
    if unk and set(symbols) - set(model.vocab):
        found[(unk,)] = ("Only what is not in the vocabulary becomes unknown, not the whole word.",)
        known = tuple([one if one in model.vocab else unk for one in symbols])
        found[known] = missed_merge(merges, symbols) or ("These are the symbols at the start.",)
    if longest := longest_matches("".join(symbols), model.vocab, ""):
        found[longest] = ("That takes the longest piece first. BPE applies its merges in order.",)
    steps = list(bpe.merge_steps(symbols, model.ranks))
    for k in range(len(steps) - 1, 0, -1):
        cut = bpe.split_after(symbols, steps[:k])
        found.setdefault(cut, missed_merge(merges, cut))
    return {cut: _unknown_in(cut, model) or reply for cut, reply in found.items()}


def _unknown_in(cut: Tokens, model: bpe.Model) -> RichText:
    """Return that a token of a split is not in the vocabulary; empty if all are."""
    known = (*model.vocab, model.settings.unk)
    strange = next((token for token in cut if token not in known), None)
    return (("token", strange), " is not in the vocabulary.") if strange else ()


def _shorter_splits(right: Tokens, vocab: Mapping[str, int], letters: str, mark: str) -> dict:
    """Return splits that take a shorter match somewhere, with replies naming the longest one."""
    found: dict[Tokens, RichText] = {}
    inside = {piece.removeprefix(mark) for piece in vocab if piece.startswith(mark)}
    start = 0
    for n, piece in enumerate(right):
        bare = len(piece) - (len(mark) if n else 0)
        for end in range(start + bare - 1, start, -1):
            short = (mark if n else "") + letters[start:end]
            rest = longest_matches(letters[end:], inside, "")
            if short in vocab and rest is not None:
                ways = (*right[:n], short, *(mark + one for one in rest))
                sentence: RichText = (
                    ("token", short),
                    " fits, but ",
                    ("token", piece),
                    " is longer: the ",
                )
                found[ways] = (*sentence, "longest match takes it.")
        start += bare
    return found


def token_count(context: QuestionContext[EncodingFacts]) -> Question:
    """How many tokens do a word or the whole text become?"""
    facts = context.facts
    text = str(context.values.get("word") or " ".join(facts.words))
    tokens = facts.split(text)
    prompt: RichText = ("How many tokens does ", ("word", text), " become?")
    why: RichText = (("word", text), " becomes ", *in_row(tokens), ".")
    mistakes: dict[str, RichText] = {
        f"{len(text.encode())}": ("That is the number of its bytes: some have been merged.",),
        f"{len(text)}": ("That is the number of its characters.",),
    }
    hint = tokens_hint(tokens)
    return context.number_question(prompt, len(tokens), why, mistakes, hint=hint)


ENCODING_QUESTIONS: QuestionKinds = {
    "next_pair": (next_pair, ()),
    "next_piece": (next_piece, ()),
    "segmentation": (segmentation, ("word",)),
    "choose_segmentation": (segmentation, ("word",)),
    "token_count": (token_count, ("word",)),
}
