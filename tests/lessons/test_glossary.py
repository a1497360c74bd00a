"""The glossary: one plain sentence for each term, and no term explained by an unknown one."""

import re
from graphlib import TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from lessons import LESSONS, lesson
from lessons.format.prose import read_prose
from lessons.glossary import GLOSSARY, MARKS, used
from pages.lesson.text import html_prose
from pages.shared.drawing.terms import first_occurrence_marker, html_glossary, html_marks

EVERYDAY = {
    "text", "model", "length", "add", "sum", "draw", "exact", "counterexample", "share",
    "characters", "bytes", "probabilities", "distinct", "strong", "field", "loss", "pattern",
    "arc", "logarithms", "after", "encoding", "forward", "seed", "how often",
}  # fmt: skip
"""What lessons print in bold and everybody knows, or its sentence has explained in passing."""

INTRODUCED = {
    piece.text.lower()
    for slug in LESSONS
    for stop in lesson(slug).stops
    for block in stop.prose
    for line in block.lines
    for piece in line
    if piece.style == "strong" and piece.kind == "text" and re.fullmatch(r"[\w –-]+", piece.text)
}
"""What the lessons introduce: they print a term in bold the first time."""

FOREIGN = (
    "algorithm", "argmax", "automaton", "distribution", "dynamic", "gradient", "graph", "hash",
    "hyperparameter", "iteration", "latent", "parameter", "perplexity", "regex", "vector",
    "string", "substring", "softmax", "prior", "marginal", "variable",
)  # fmt: skip
"""Words of the field or of mathematics that are no terms of the glossary."""


def uses(says: str) -> set[str]:
    return {term.name for _, term in used(says) if term}


def is_plain(says: str) -> bool:
    of_a_sentence = re.fullmatch(r"(?:[^.!?]|\.(?=\d))+\.", says)
    return 4 <= len(says.split()) <= 30 and says[0].isupper() and bool(of_a_sentence)


def test_a_term_is_said_in_one_plain_sentence():
    assert [term for term in GLOSSARY.values() if not is_plain(term.says)] == []


def test_a_sentence_uses_no_term_that_is_not_explained():
    known = {form.lower() for one in GLOSSARY.values() for form in one.forms}
    strangers = {*FOREIGN, *INTRODUCED} - EVERYDAY - known
    stranger = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(strangers)))})s?\b")
    expected = {
        name: " ".join(re.findall(r"[\w–-]+", term.says.lower())) for name, term in GLOSSARY.items()
    }
    assert {
        name: found for name, words in expected.items() if (found := stranger.findall(words))
    } == {}


def test_terms_are_not_explained_in_a_circle():
    tuple(
        TopologicalSorter({name: uses(one.says) for name, one in GLOSSARY.items()}).static_order()
    )


def test_each_form_belongs_to_one_term():
    forms = [form.lower() for term in GLOSSARY.values() for form in term.forms]
    assert len(forms) == len(set(forms))


def test_the_terms_that_lessons_introduce_are_in_it():
    """The heart of them; what one lesson alone needs, it explains itself."""
    assert {"pair", "merge", "rank", "piece", "token", "vocabulary", "pre-token"} <= set(GLOSSARY)
    assert {"lattice", "Viterbi", "forward–backward", "E step", "M step", "nat"} <= set(GLOSSARY)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Merges and merging", ["merge", "merge"]),
        ("a special token", ["special token"]),
        ("pre-tokens are no tokens", ["pre-token", "token"]),
        ("repair, tokenizer’s, e step, EMU, em, piecewise", ["tokenizer"]),
        ("Log probabilities in nats", ["log probability", "nat"]),
        ("re-merge it", []),
    ],
)
def test_terms_are_found_as_whole_words(text, terms):
    assert [term.name for _, term in used(text) if term] == terms


BITS = st.sampled_from(["pair", " ", "<b>", "&", "-", "merges", "\u202e", "é", "\n"])


@given(st.lists(BITS, max_size=8).map("".join))
def test_nothing_of_a_text_is_lost(parts):
    assert "".join(words for words, _ in used(parts)) == parts


def test_code_tokens_links_and_words_are_left_alone():
    source = "``merge`` `pair` [the lattice](/lattice) {field}"
    made = html_prose(read_prose([source], 1), mark_terms=first_occurrence_marker("text"))
    assert "pp-term" not in made


def test_a_term_is_marked_once_and_hostile_text_stays_text():
    mark_terms = first_occurrence_marker("text")
    lines = ["A pair <script>alert(1)</script> and a **pair**.", "", "- pairs & <pair>"]
    made = html_prose(read_prose(lines, 1), mark_terms=mark_terms)
    assert made.count('class="pp-term"') == 1
    assert "<script" not in made
    assert "&lt;pair&gt;" in made
    assert "pp-term" not in mark_terms("one more pair")


def test_a_lesson_reads_the_same_with_its_terms_marked():
    """Without the hidden sentences and the buttons, it is the very same HTML."""
    marked_somewhere = 0
    for slug in LESSONS:
        for stop in lesson(slug).stops:
            made = html_prose(stop.prose, mark_terms=first_occurrence_marker("text"))
            marked_somewhere += made.count('class="pp-term"')
            without = re.sub(r'(?s)<span class="pp-definition".*?</span>', "", made)
            without = re.sub(r'<span role="button".*?>(.*?)</span>', r"\1", without)
            assert without == html_prose(stop.prose), (slug, stop.heading)
            ids = re.findall(r'id="(.*?)"', made)
            assert len(ids) == len(set(ids)), (slug, stop.heading)
    assert marked_somewhere > 100


def test_a_mark_is_explained_along_with_those_that_it_is_taken_for():
    card = GLOSSARY["end-of-word mark"].bubble
    assert [mark.sign for mark in MARKS] == ["·", "Ġ", "▁", "##", "</w>"]
    assert all(f"\n{mark.sign}  {mark.says}" in card for mark in MARKS)
    mark_terms = first_occurrence_marker("text")
    assert escape(GLOSSARY["continuation mark"].bubble) in mark_terms("Here ## continues a word")
    assert GLOSSARY["pair"].bubble == GLOSSARY["pair"].says
    assert all(escape(mark.sign) in html_marks() for mark in MARKS)


def test_the_list_holds_every_term():
    made = html_glossary(GLOSSARY.values())
    assert made.count("<dt>") == made.count("<dd>") == len(GLOSSARY) > 40
