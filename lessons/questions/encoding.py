"""Questions about a text being encoded: what is merged or found next, what a word becomes."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from lessons.format.trouble import NotThere
from lessons.format.words import Text, Tokens, count_of, in_row
from lessons.questions.asking import (
    Asked,
    choose_from,
    cut_question,
    number_question,
    text_argument,
)
from lessons.questions.judging import Option, Question
from lessons.records.encoding import EncodingRecord
from tokenizers import bpe, wordpiece
from tokenizers.wordpiece.matching import match_steps, split_by

OPTIONS = 6


def next_pair(asked: Asked[EncodingRecord]) -> Question:
    """Which merge is done next in this word?"""
    record, at = asked.record, asked.at
    model = record.model
    if not isinstance(model, bpe.Model) or at == record.last or not record.moments[at].pair:
        raise NotThere("No pair is merged next here. Set at to the moment before a merge.")
    moment = record.moments[at]
    before = record.moments[at - 1].split if at and not record.moments[at - 1].is_last else ()
    split = before or model.settings.symbols(moment.word)
    possible = dict.fromkeys(split[i : i + 2] for _, i in bpe.candidates(split, model.ranks))
    rivals = [pair for pair in pairwise(split) if pair not in possible]
    offered = sorted(dict.fromkeys([*list(possible)[:OPTIONS], *rivals]))[:OPTIONS]
    if moment.pair not in offered:
        offered = sorted([*offered[:-1], moment.pair or ()])
    options = [
        Option(in_row(pair), pair == moment.pair, _rank(model, pair, moment.rank or 0))
        for pair in offered
    ]
    right = moment.pair or ()
    why: Text = (*in_row(right), f" has rank {moment.rank:,}, the lowest of those that apply.")
    prompt = f"Which pair is merged next in “{moment.word}”?"
    return choose_from(asked, prompt, options, in_row(right), why, at + 1)


def _rank(model: bpe.Model, pair: Tokens, best: int) -> Text:
    rank = model.ranks.get((pair[0], pair[1]))
    if rank is None:
        return (*in_row(pair), ": no such merge was learned.")
    if rank == best:
        return (*in_row(pair), f" has rank {rank:,}, the lowest of those that apply.")
    return (*in_row(pair), f" was learned later: rank {rank:,} > {best:,}.")


def next_piece(asked: Asked[EncodingRecord]) -> Question:
    """Which piece is taken next in this word, by the longest match?"""
    record, at = asked.record, asked.at
    tried: list[str] = []
    for moment in record.moments[at:]:
        if moment.is_last:
            break
        tried.append(moment.piece or moment.rejected or "")
        if moment.piece:
            break
    found = bool(tried) and tried[-1] in record.model.vocab
    if not isinstance(record.model, wordpiece.Model) or not found or len(tried) < 2:
        raise NotThere(
            "There is no choice of a piece here. Set at to a moment before one is tried."
        )
    offered = [*tried[-OPTIONS:], *_shorter(record, tried[-1])][:OPTIONS]
    options = [
        Option((("token", one),), one == tried[-1], _why_not(record, one, tried[-1]))
        for one in offered
    ]
    why: Text = (("token", tried[-1]), f" is the longest of {count_of(len(tried), 'candidate')}.")
    shown = at + len(tried)
    prompt = f"Which piece is taken next in “{record.moments[at].word}”?"
    return choose_from(asked, prompt, options, (("token", tried[-1]),), why, shown)


def _shorter(record: EncodingRecord, piece: str) -> list[str]:
    """Return the pieces of the vocabulary that fit here too, but are shorter."""
    ends = range(len(piece) - 1, 0, -1)
    return [piece[:end] for end in ends if piece[:end] in record.model.vocab][:2]


def _why_not(record: EncodingRecord, candidate: str, right: str) -> Text:
    if candidate == right:
        return (("token", right), " is the longest candidate that is in the vocabulary.")
    if candidate in record.model.vocab:
        return (("token", candidate), " fits, but it is not the longest that does.")
    return (("token", candidate), " is not in the vocabulary.")


def segmentation(asked: Asked[EncodingRecord]) -> Question:
    """What does a word become?"""
    record = asked.record
    word = text_argument(asked, "word") if "word" in asked.values else _word_here(asked)
    right, others = record.split(word), _others(record, word)
    others.pop(right, None)
    shown = None
    if word in record.words:
        ends = [k for k, moment in enumerate(record.moments, 1) if moment.is_last]
        shown = ends[record.words.index(word)]
    pieces = frozenset(record.model.vocab)
    return cut_question(asked, word, (right,), others, shown_at=shown, pieces=pieces)


def _word_here(asked: Asked[EncodingRecord]) -> str:
    """Return the word that the next step is about."""
    moments = asked.record.moments
    if not moments:
        raise NotThere("There is no word here. Write a text to encode.")
    return moments[min(asked.at, len(moments) - 1)].word


def _others(record: EncodingRecord, word: str) -> dict[Tokens, Text]:
    """Return other ways to cut a word, and why they are not its tokens."""
    model = record.model
    if isinstance(model, wordpiece.Model):
        letters, mark = model.letters(word) or "", model.settings.mark
        steps = wordpiece.word_steps(word, model)
        first = tuple(step.piece for step in steps if step.piece)
        marked = (letters[:1], *(mark + letter for letter in letters[1:]))
        found: dict[Tokens, Text] = {marked: ("Longer pieces fit.",)}
        if split_by(steps) is None:
            rest = mark + letters[steps[-1].start] if steps and steps[-1].start else letters[:1]
            why = "A word that cannot be cut wholly is unknown as a whole."
            found[(*first, model.settings.unk)] = (why,)
            found[(*first, rest)] = (("token", rest), " is not in the vocabulary. ", why)
        else:
            found[(model.settings.unk,)] = ("Pieces for the whole word are there.",)
        return found
    symbols = model.settings.symbols(word)
    found = {symbols: ("Some of the merges that were learned apply.",)}
    longest = split_by(list(match_steps("".join(symbols), model.vocab, "")))
    if longest:
        found[longest] = ("That takes the longest piece first. BPE does its merges in order.",)
    steps = list(bpe.merge_steps(symbols, model.ranks))
    for k in range(len(steps) - 1, 0, -1):
        found.setdefault(bpe.split_after(symbols, steps[:k]), ("One more merge applies.",))
    return found


def token_count(asked: Asked[EncodingRecord]) -> Question:
    """Into how many tokens is a word cut, or the whole text?"""
    record = asked.record
    text = asked.values.get("word") or " ".join(record.words)
    tokens = record.split(str(text))
    prompt: Text = ("Into how many tokens is ", ("word", str(text)), " cut?")
    why: Text = (("word", str(text)), " becomes ", *in_row(tokens), ".")
    letters = str(len(str(text)))
    slips: dict[str, Text] = {letters: ("That many characters it has.",)}
    return number_question(asked, prompt, float(len(tokens)), f"{len(tokens):,}", why, slips, None)


ENCODING_QUESTIONS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "next_pair": (next_pair, ()),
    "next_piece": (next_piece, ()),
    "segmentation": (segmentation, ("word",)),
    "choose_segmentation": (segmentation, ("word",)),
    "token_count": (token_count, ("word",)),
}
"""By kind: what makes the question, and which keys it may have."""
