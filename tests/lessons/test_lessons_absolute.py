"""What a lesson says without exception, each with the law or the record that holds it up.

And every run of a lesson is run on without its limits: where it would have gone on, the lesson has
to say that it was told to stop.
"""

import re
from dataclasses import replace

import pytest

from lessons import LESSONS, lesson
from lessons.facts.merging import MergeFacts
from lessons.facts.unigram import UnigramFacts
from lessons.pictures.plan import Plan
from lessons.pictures.planning import plan
from pages.lesson.pictures.build_pictures import build_picture
from tests.lessons.test_lessons import FORMAT, made, resolved_stops_of
from tests.lessons.transcript import plain_prose

COURSE = [slug for slug in LESSONS if slug != FORMAT]
ABSOLUTE = re.compile(r"\b(never|always|nothing|safe|harmless)\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z“`(])")

HELD_UP = {
    ("why-not-words", "A list of whole words is never complete"): "new words come up in any text",
    ("why-not-characters", "A word list is never complete"): "new words come up in any text",
    ("why-not-characters", "means almost nothing"): "almost",
    ("why-not-characters", "may seem harmless"): "the next sentence takes it back",
    ("the-pipeline", "they change nothing"): "open_model: these three have no normalizer",
    ("the-pipeline", "does nothing else"): "the picture's setting: spaces",
    ("the-pipeline", "they change nothing and keep"): "the definition of lossless",
    ("where-words-end", "The sentence never closes it"): "the text of the picture",
    ("where-words-end", "no unknown tokens, loses nothing"): "what is kept in tokens is decoded",
    ("bpe-by-hand", "Nothing is counted now"): "encoding reads ranks, no counts",
    ("bpe-ends-of-words", "will never contain it"): "the mark stands at the end of a word",
    ("bpe-knowing", "“nothing” is not in the text"): "a word, quoted",
    ("bpe-order-and-ties", "never happens"): "the record: no step merges `es` and `t`",
    ("bpe-bytes", "were always together"): "the record: both bytes have the count of the pair",
    ("wordpiece-score", "doesn't always mean a high score"): "denied, with an example",
    ("wordpiece-score", "had nothing to do with each other"): "an assumption",
    (
        "unigram-best-path",
        "Nothing more has to be computed",
    ): "Viterbi: only back pointers are left",
    ("unigram-em", "has nothing"): "the record: its expected count is zero",
    ("unigram-em", "the log-likelihood never falls"): "the theorem on EM; the run shows where not",
    ("unigram-em", "never make the corpus less likely"): "the theorem on EM",
    ("unigram-what-a-piece-is-worth", "replacing it costs nothing"): "the record: loss below zero",
    ("unigram-what-a-piece-is-worth", "Nothing is renormalized"): "the picture's setting",
    ("unigram-three-losses", "as if nothing could replace it"): "a comparison",
    ("unigram-sampling", "Which way is always taken"): "Viterbi without draws",
    ("unigram-sampling", "Never skipping"): "p = 0: the definition of dropout",
    ("unigram-sampling", "Always skipping"): "p = 1: the definition of dropout",
    ("sentencepiece-details", "not always followed by the same"): "SentencePiece's suffix array",
    ("sentencepiece-details", "nothing has been pruned yet"): "the record, before the first prune",
    ("sentencepiece-details", "always at least ten percent more"): "SentencePiece's desired size",
    ("sentencepiece-details", "Plain EM never lowers"): "the theorem on EM",
    ("measuring-tokenizers", "To BPE on bytes, nothing is unknown"): "all bytes are base symbols",
    ("how-much-work", "where nothing happened"): "the simple method counts all",
    ("how-much-work", "always has fewer pairs than symbols"): "n symbols have n - 1 pairs",
    ("how-much-work", "have nothing to do with the word"): "most",
    ("the-pattern-first", "is always the ones, the tens"): "commas count from the right",
    ("special-tokens", "nothing to do with it"): "what the marker is meant to say",
    ("several-encoders", "Does the longest prefix always win"): "a question; the answer is no",
    ("greedy-and-optimal", "that nothing is better still"): "a question; all orders are tried",
    ("no-tokenizer", "if it never saw those"): "a condition",
    ("no-tokenizer", "It splits what is text as always"): "the same model",
    ("morphemes", "probably never seen"): "probably",
    ("morphemes", "there is nothing to cut"): "one morpheme has no boundary",
    ("morphemes", "nothing is found"): "without cuts, recall is zero",
    ("surgery", "can never be made again"): "a merge needs both of its parts",
    ("a-vector-for-a-new-token", "at most its fair share"): "Jensen's inequality for exp",
    ("unigram-margins-sums-ties", "but not always"): "denied, with an example",
    ("unigram-margins-sums-ties", "often win, not always"): "denied, with an example",
}
"""By lesson and part of the sentence: the law or record behind it."""


def absolute_sentences(slug: str) -> list[str]:
    lines = [
        line
        for resolved in resolved_stops_of(slug)
        for line in plain_prose(resolved.prose).split("\n")
    ]
    sentences = [sentence for line in lines for sentence in SENTENCE.split(line)]
    return [sentence for sentence in sentences if ABSOLUTE.search(sentence)]


def test_every_sentence_without_exception_has_a_law_or_a_record():
    said = [(slug, sentence) for slug in COURSE for sentence in absolute_sentences(slug)]
    known = [(slug, part) for slug, part in HELD_UP]
    loose = [
        (slug, sentence)
        for slug, sentence in said
        if not any(slug == one and part in sentence for one, part in known)
    ]
    assert loose == []
    assert [
        key for key in known if not any(key[0] == slug and key[1] in text for slug, text in said)
    ] == []


def without_limits(wanted: Plan) -> Plan:
    """Return a plan with no limit on its merges or rounds."""
    names = type(wanted.settings).__slots__
    free = {name: None for name in ("num_merges", "max_rounds") if name in names}
    return replace(wanted, settings=replace(wanted.settings, **free))


@pytest.mark.parametrize("slug", COURSE)
def test_a_run_that_was_cut_short_says_so(slug):
    """A run that goes on without its limits is told by its number of steps, or as cut."""
    untold = []
    for name, picture in lesson(slug).pictures.items():
        facts = made(picture).facts
        if not isinstance(facts, MergeFacts | UnigramFacts):
            continue
        on = build_picture(lambda done, total: False, without_limits(plan(picture))).facts
        assert isinstance(on, MergeFacts | UnigramFacts)
        ends = [
            plain_prose(resolved.prose)
            for resolved in resolved_stops_of(slug)
            if resolved.stop.picture == name and resolved.at == facts.last
        ]
        if on.last > facts.last and ends and not any(told(text, facts) for text in ends):
            untold.append((name, facts.last, on.last, facts.trace.stop_reason))
    assert untold == []


def told(text: str, facts: MergeFacts | UnigramFacts) -> bool:
    """Whether a text says how many steps the run has."""
    count = f"{facts.last:,}"
    return re.search(rf"\b{count} (?:\w+ )?(?:merge|step|round|piece)s?\b", text) is not None
