"""Exams: each question can be answered from its sheet alone, and all sheets are equally hard."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from lessons import LESSONS, lesson
from lessons.exams.drawing import (
    EXIT_QUESTIONS,
    EXIT_WORK,
    LONG_KINDS,
    MOST_QUESTIONS,
    Exam,
    Form,
    PlayedLesson,
    Slot,
    draw_exam,
    hardest,
    slots_of,
)
from lessons.exams.standalone import CONCEPTS
from lessons.format.words import RichText, plain
from lessons.paths import IN_ORDER, PATHS
from lessons.questions.grading import read_number
from tests.judge import grade
from tests.lessons.test_lessons import facts_of, made, resolved_stops_of
from tokenizers.errors import UserError

Splits = list[tuple[int, list[str]]]
LEANS = (
    "the picture", "this text", "this sentence", "this line", "this run", "these ids", "before",
    "as you saw", "the third", "the post", "the published",
)  # fmt: skip
"""What a question says that speaks of something above it."""


@cache
def slots(slug: str, quick: bool = False) -> list[Slot]:
    one = lesson(slug)
    plans = {name: made(picture).plan for name, picture in one.pictures.items()}
    return slots_of(PlayedLesson(one, resolved_stops_of(slug), plans, facts_of(one)), quick=quick)


def exam_of(slugs: Sequence[str], questions: int, sheets: int, seed: int, quick=False) -> Exam:
    return draw_exam("Exam", [slots(slug, quick) for slug in slugs], questions, sheets, seed)


def shown(exam: Exam) -> list[list[tuple]]:
    return [
        [(form.key, form.points, tuple(o.text for o in form.question.options)) for form in row]
        for row in exam.sheets
    ]


# ---- a student who has nothing but the sheet ----


def tokens(item: RichText) -> list[str]:
    return [part[1] for part in item if not isinstance(part, str) and part[0] == "token"]


def line(form: Form, label: str) -> Sequence[RichText]:
    """The items of the line with that label; none if there is no such line."""
    return next((items for name, items in form.given.lines if name.startswith(label)), ())


def counted_splits(form: Form) -> Splits:
    items = line(form, "The words")
    return [(int(str(item[0]).split(" ×")[0].replace(",", "")), tokens(item)) for item in items]


def count_pairs(splits: Splits) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for number, split in splits:
        at = 0
        while at < len(split) - 1:
            counts[split[at], split[at + 1]] += number
            # "aaa" holds the pair (a, a) once: a merge leaves no second one
            at += 2 if split[at : at + 3] == [split[at]] * 3 else 1
    return counts


def score(splits: Splits, pair: tuple[str, str]) -> float:
    of_symbols = Counter[str]()
    for number, split in splits:
        for symbol in split:
            of_symbols[symbol] += number
    return count_pairs(splits)[pair] / (of_symbols[pair[0]] * of_symbols[pair[1]])


def by_merges(symbols: list[str], merges: Sequence[RichText]) -> list[str]:
    for first, second in map(tokens, merges):
        found, at = [], 0
        while at < len(symbols):
            is_pair = symbols[at : at + 2] == [first, second]
            found.append(first + second if is_pair else symbols[at])
            at += 2 if is_pair else 1
        symbols = found
    return symbols


def by_longest_match(
    word: str, vocabulary: set[str], mark: str, is_whole: bool = True
) -> list[str]:
    """The pieces of a word; without `is_whole`, those found before nothing fits."""
    found, at = [], 0
    while at < len(word):
        fits = [(mark if at else "") + word[at:end] for end in range(len(word), at, -1)]
        piece = next((one for one in fits if one in vocabulary), None)
        if piece is None:
            return ["[UNK]"] if is_whole else found
        found.append(piece)
        at += len(piece.removeprefix(mark))
    return found


def numbers(form: Form) -> dict[str, float]:
    """Each piece with its number, as the sheet states them."""
    items = line(form, "The pieces and") or line(form, "The expected counts")
    return {item[0][1]: read_number(str(item[1])) for item in items}


def all_ways(text: str, pieces: Sequence[str]) -> Iterator[tuple[str, ...]]:
    if not text:
        yield ()
    for piece in pieces:
        if text.startswith(piece):
            yield from ((piece, *rest) for rest in all_ways(text[len(piece) :], pieces))


def solve(form: Form) -> object | None:
    """The answer worked out from the sheet alone; None for a kind that is not tried here."""
    question, kind = form.question, form.question.kind
    asked, splits = tokens(question.prompt), counted_splits(form)
    if splits and kind == "pair_count":
        return count_pairs(splits)[asked[0], asked[1]]
    if splits and kind == "pair_score":
        return score(splits, (asked[0], asked[1]))
    if splits and kind == "next_pair":
        counts = count_pairs(splits)
        rule = plain(line(form, "The next pair")[0])
        least = 2 if "2 or more" in rule else 1
        worth = {
            pair: score(splits, pair) if "score" in rule else n
            for pair, n in counts.items()
            if n >= least
        }
        pairs = [(a, b) for a, b in (tokens(option.text) for option in question.options)]
        return next(
            n for n, pair in enumerate(pairs) if worth.get(pair, 0) > max(worth.values()) - 1e-12
        )
    word = plain(question.prompt).partition("“")[2].partition("”")[0]
    if merges := line(form, "The merges"):
        return _by_merges(form, merges)
    if vocabulary := line(form, "The vocabulary"):
        known = {tokens(item)[0] for item in vocabulary}
        mark = "##" if "##" in plain(line(form, "The rule")[0]) else ""
        if kind == "next_piece":
            taken = [token for item in line(form, "Taken") for token in tokens(item)]
            piece = by_longest_match(word, known, mark, is_whole=False)[len(taken)]
            return [tokens(option.text) for option in question.options].index([piece])
        return _as_given(form, by_longest_match(word, known, mark))
    text = "".join(part[1] for item in line(form, "The text") for part in item)
    if kind == "ways":
        return len(list(all_ways(text, [tokens(item)[0] for item in line(form, "The pieces")])))
    if kind == "log_prob":
        return sum(numbers(form)[piece] for piece in asked)
    if kind == "expected_count":
        values = numbers(form)
        ways = {way: math.prod(values[one] for one in way) for way in all_ways(text, list(values))}
        return sum(p * way.count(asked[0]) for way, p in ways.items()) / sum(ways.values())
    if kind == "probability":
        return numbers(form)[asked[0]] / sum(numbers(form).values())
    return None


def _by_merges(form: Form, merges: Sequence[RichText]) -> object | None:
    base = [token for item in line(form, "The base symbols") for token in tokens(item)]
    if not base:  # the next merge of a word
        here = [token for name, items in form.given.lines[1:] for token in tokens(items[0])]
        there = set(pairwise(here))
        pair = next(one for one in map(tokens, merges) if tuple(one) in there)
        return [tokens(option.text) for option in form.question.options].index(pair)
    unknown = {token for item in line(form, "Not in the vocabulary") for token in tokens(item)}
    return _as_given(form, ["[UNK]" if one in unknown else one for one in by_merges(base, merges)])


def _as_given(form: Form, split: list[str]) -> object:
    question = form.question
    if question.form == "number":
        return len(split)
    if question.form == "text":
        return " ".join(split)
    return [tokens(option.text) for option in question.options].index(split)


@pytest.mark.parametrize("slug", IN_ORDER)
def test_a_student_can_work_out_each_answer_from_the_sheet_alone(slug):
    for form in (form for slot in slots(slug) for form in slot):
        answer = solve(form)
        if answer is None:
            continue
        given_answer = answer if isinstance(answer, int) else f"{answer}"
        if form.question.form in ("number", "text"):
            given_answer = f"{answer}"
        verdict = grade(form.question, given_answer)
        assert verdict.is_right, (slug, form.key, answer, plain(form.question.answer))


def test_most_kinds_are_worked_out_above():
    forms = [form for slug in IN_ORDER for slot in slots(slug) for form in slot]
    kinds = {form.question.kind for form in forms if solve(form) is not None}
    assert kinds >= {
        "pair_count", "pair_score", "next_pair", "segmentation", "choose_segmentation",
        "token_count", "next_piece", "log_prob", "ways", "expected_count", "probability",
    }  # fmt: skip
    assert sum(solve(form) is not None for form in forms) > 0.7 * len(forms)


# ---- laws ----


@pytest.mark.parametrize("slug", IN_ORDER)
def test_the_forms_of_a_slot_are_of_one_kind_and_equally_hard(slug):
    found = slots(slug)
    for slot in found:
        works = [form.given.work for form in slot]
        assert max(works) <= hardest(min(works))
        assert len({(form.question.kind, form.question.form) for form in slot}) == 1
        assert len({form.points for form in slot}) == 1
    keys = [form.key for slot in found for form in slot]
    assert len(keys) == len(set(keys))  # nothing is in two slots


@pytest.mark.parametrize("slug", IN_ORDER)
def test_every_question_has_its_key_and_leans_on_nothing_above_it(slug):
    for form in (form for slot in slots(slug) for form in slot):
        question, prompt = form.question, plain(form.question.prompt)
        assert plain(question.answer)
        if question.form == "choice":
            assert any(option.is_right for option in question.options)
            assert not all(option.is_right for option in question.options)
        assert not any(phrase in prompt for phrase in LEANS), prompt
        is_idea = form.resolved.stop.heading in CONCEPTS.get(slug, ())
        assert bool(form.given.lines) != is_idea, prompt


def test_the_questions_about_ideas_are_there():
    for slug, headings in CONCEPTS.items():
        stops = {stop.heading: stop for stop in lesson(slug).stops}
        for heading in headings:
            assert heading in stops, (slug, heading)
            assert stops[heading].ask, (slug, heading)


LIKELY = [slug for slug in LESSONS if slug in IN_ORDER and slug.startswith(("bpe", "word", "uni"))]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(LIKELY), min_size=1, max_size=5, unique=True),
    st.integers(1, MOST_QUESTIONS),
    st.integers(2, 9),
    st.integers(1, 9_999),
)
def test_an_exam_obeys_its_laws(slugs, questions, sheets, seed):
    try:
        exam = exam_of(slugs, questions, sheets, seed)
    except UserError as error:
        event(str(error))
        return
    assert shown(exam) == shown(exam_of(slugs, questions, sheets, seed))
    assert shown(exam_of(slugs, questions, sheets + 2, seed))[:sheets] == shown(exam)
    for row in exam.sheets:
        assert len(row) == questions
        assert sum(form.points for form in row) == exam.points
        for form, slot in zip(row, exam.slots, strict=True):
            assert form.key in {one.key for one in slot}
            for other in row:
                assert form is other or not form.given.gives_away(other.given)
    works = [sum(form.given.work for form in row) for row in exam.sheets]
    assert max(works) <= sum(hardest(min(f.given.work for f in slot)) for slot in exam.slots)
    for before, after in pairwise(exam.sheets):
        for slot, one, other in zip(exam.slots, before, after, strict=True):
            assert len(slot) == 1 or one.key != other.key


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(list(PATHS)[:2]), st.integers(1, 9_999))
def test_an_exit_ticket_has_three_quick_questions(path, seed):
    exam = exam_of(PATHS[path].slugs, EXIT_QUESTIONS, 5, seed, quick=True)
    for form in (form for row in exam.sheets for form in row):
        assert form.given.work <= EXIT_WORK
        assert form.question.kind not in LONG_KINDS


def test_another_seed_gives_another_exam():
    slugs = PATHS["algorithms"].slugs
    assert shown(exam_of(slugs, 6, 4, 1)) != shown(exam_of(slugs, 6, 4, 2))


def test_too_few_questions_are_refused_in_a_sentence():
    with pytest.raises(UserError, match=r"give only 5 questions .* Ask for 5, or choose more"):
        exam_of(["bpe-by-hand", "surgery"], 12, 2, 3)
    with pytest.raises(UserError, match="Choose another lesson"):
        exam_of(["why-not-words"], 1, 2, 1)


def test_a_merge_that_one_question_lists_is_not_asked_for_by_another():
    listing, asking = (
        next(form for slot in slots("bpe-by-hand") for form in slot if test(form))
        for test in (
            lambda form: form.given.merges >= 3,
            lambda form: form.given.asks_merge == 1,
        )
    )
    assert listing.given.gives_away(asking.given)
    assert not asking.given.gives_away(listing.given)
