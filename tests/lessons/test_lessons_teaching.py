"""What makes a lesson worth taking: no typed numbers, no answers to guess, one idea at a stop."""

import re
from collections import Counter
from collections.abc import Iterator
from statistics import median

import pytest

from lessons import LESSONS, lesson
from lessons.facts.unigram import UnigramFacts
from lessons.format.prose import Block
from lessons.format.words import plain
from lessons.paths import PATHS, WITHOUT_PATH, minutes, words
from lessons.question_minutes import QUESTION_MINUTES
from lessons.questions.grading import Given, Question
from lessons.stops import QUESTIONS
from tests.judge import grade
from tests.lessons.test_lessons import FORMAT, made, resolved_stops_of
from tests.lessons.transcript import transcript, tried

COURSE = [slug for slug in LESSONS if slug != FORMAT]
NAMES = (
    r"GPT-[234]o?|T5|UTF-8|float32|“5 : 00”|“5:00”|2018|2019|2016|2012|202[0-6]|1967|1994"
    r"|0\.2\.[13]"
)
"""Names with digits, times that a text says, and the years and versions of what others made."""
TYPED = {
    "morphemes": "1 2",  # in a formula: F1, twice the product
    "no-tokenizer": "256",  # the bytes there are
    "one-number": "1",  # in a formula: 1 - α
    "pieces-nobody-uses": "256",  # the bytes there are
    "the-pipeline": "2",  # a length to choose
    "bpe-bytes": "255 256",  # the bytes there are
    "unigram-sampling": "0 0.1 0.2 1 5",  # powers to choose
    "unigram-three-losses": "1",  # in a formula: m - 1
    "sentencepiece-details": "1 2",  # digits as characters
    "what-a-vocabulary-costs": "768",  # a width to choose
    "what-a-language-pays": "24",  # in the sentence itself
    "measuring-tokenizers": "24",  # the same
    "beyond-words": "131,000",  # what the source reports
    "long-pieces": "14 18 64",  # the same
    "who-chooses-the-pair": "89",  # what the source reports
    "how-much-work": "1 2",  # in a formula: n · (n + 1) / 2
}
"""All other digits that a lesson may have; every other number is a field."""
IN_QUESTIONS = {"unigram-sampling": {"100"}, "long-pieces": {"4"}}  # percent; a length
"""The same of its questions."""
MOST_WORDS = 120  # at one stop


def typed(block: Block) -> Iterator[str]:
    """Yield the numbers of a block that are typed: in text, not in tokens, code or fields."""
    source = re.sub(r"\{\{.*?\}\}|v'?_[\w{}]+|\\\\\[[\d.]+em\]", "", block.source)
    lines = ["".join(p.text for p in line if p.kind == "text") for line in block.lines]
    for text in [source if block.kind == "formula" else "", *lines]:
        yield from re.findall(r"\d[\d.,]*\d|\d", re.sub(NAMES, "", text))


def typed_in(slug: str) -> set[str]:
    return {n for stop in lesson(slug).stops for block in stop.prose for n in typed(block)}


def test_every_number_is_computed_but_for_these():
    more = {slug: typed_in(slug) - set(TYPED.get(slug, "").split()) for slug in COURSE}
    assert {slug: numbers for slug, numbers in more.items() if numbers} == {}
    headings = [stop.heading for slug in COURSE for stop in lesson(slug).stops]
    assert [heading for heading in headings if re.search(r"\d", heading)] == []


def test_no_number_is_allowed_that_no_lesson_has():
    assert {slug: typed_in(slug) for slug in TYPED} == {
        slug: set(numbers.split()) for slug, numbers in TYPED.items()
    }


def questions_of(slug: str) -> list[Question]:
    return [resolved.question for resolved in resolved_stops_of(slug) if resolved.question]


def given(question: Question, habit: str) -> Given | None:
    """What somebody with a habit answers; None where nothing is to be chosen."""
    last = len(question.options) - 1
    if question.form == "order":
        return list(range(last + 1)) if habit == "untouched" else None
    if question.form not in ("choice", "several"):
        return None
    chosen = {"first": 0, "second": 1, "last": last}.get(habit)
    if chosen is None:
        return None
    return chosen if question.form == "choice" else [chosen]


@pytest.mark.parametrize("habit", ["first", "second", "last", "untouched"])
def test_nobody_passes_by_always_choosing_the_same(habit):
    passed = {}
    for slug in COURSE:
        questions = questions_of(slug)
        answers = [(question, given(question, habit)) for question in questions]
        right = [q for q, answer in answers if answer is not None and grade(q, answer).is_right]
        if len(right) > (0 if habit == "untouched" else len(questions) / 2):
            passed[slug] = [question.prompt for question in right]
    assert passed == {}


@pytest.mark.parametrize("truth", [True, False])
@pytest.mark.parametrize("habit", ["first", "last", "longest", "shortest"])
def test_no_fixed_strategy_gets_half_of_a_lesson(habit, truth):
    over = {slug: share for slug in COURSE if (share := strategy_share(slug, habit, truth)) > 0.5}
    assert over == {}


def test_the_best_fixed_strategy_gets_three_tenths_of_the_median_lesson():
    habits = [(h, t) for h in ("first", "last", "longest", "shortest") for t in (True, False)]
    best = [max(strategy_share(slug, *habit) for habit in habits) for slug in COURSE]
    assert median(best) <= 0.3


def strategy_share(slug: str, habit: str, truth: bool) -> float:
    """The share of a lesson's questions that a habit gets right; it types nothing."""
    right = 0
    for question in questions_of(slug):
        if question.form == "choice":
            sizes = [len(plain(option.text)) for option in question.options]
            chosen = {
                "first": 0,
                "last": len(sizes) - 1,
                "longest": sizes.index(max(sizes)),
                "shortest": sizes.index(min(sizes)),
            }[habit]
            if question.kind == "true_false":
                chosen = int(not truth)
            right += grade(question, chosen).is_right
    return right / len(questions_of(slug))


def test_no_choice_of_splits_is_left_when_the_extremes_are_struck_out():
    """The whole word, and its single characters."""
    decided = []
    for slug in COURSE:
        for question in questions_of(slug):
            if question.kind == "choose_segmentation":
                cuts = [
                    [part[1] for part in option.text if not isinstance(part, str)]
                    for option in question.options
                ]
                extreme = [
                    len(cut) == 1
                    or all(
                        len(piece.removeprefix("##").removesuffix("</w>").strip("▁Ġ ")) <= 1
                        for piece in cut
                    )
                    for cut in cuts
                ]
                right = [option.is_right for option in question.options].index(True)
                if extreme.count(False) == 1 and not extreme[right]:
                    decided.append((slug, plain(question.prompt)))
    assert decided == []


def test_every_lesson_asks_for_a_reason_and_ten_ask_for_a_prediction():
    kinds = {slug: Counter(question.kind for question in questions_of(slug)) for slug in COURSE}
    assert [slug for slug in COURSE if not kinds[slug]["reason"]] == []
    assert sum(count["predict"] for count in kinds.values()) >= 10


def test_a_right_and_a_wrong_answer_get_different_words_and_a_reason():
    silent = []
    for slug in COURSE:
        for question in questions_of(slug):
            replies: dict[bool, set[str]] = {True: set(), False: set()}
            for answer in tried(question):
                verdict = grade(question, answer)
                replies[verdict.is_right].add(plain(verdict.text))
            if not question.why or "" in replies[True] or replies[True] & replies[False]:
                silent.append((slug, plain(question.prompt)))
    assert silent == []


def test_a_true_or_false_question_says_what_misleads():
    wrong = [
        plain(option.why)
        for slug in COURSE
        for question in questions_of(slug)
        if question.kind == "true_false"
        for option in question.options
        if not option.is_right
    ]
    assert all(wrong)


def test_the_words_of_a_question_have_no_typed_numbers():
    """Numbers that a question's sentences tell come from the record, too."""
    more = {}
    for slug in COURSE:
        for stop in lesson(slug).stops:
            for text in sentences(dict(stop.ask.values) if stop.ask else {}):
                bare = re.sub(r"\{[^}]*\}|`[^`]*`|“[^”]*”", "", text)
                known = set(TYPED.get(slug, "").split()) | IN_QUESTIONS.get(slug, set())
                if numbers := set(re.findall(r"\d[\d.,]*\d|\d", re.sub(NAMES, "", bare))) - known:
                    more.setdefault(slug, set()).update(numbers)
    assert more == {}


def sentences(value: object) -> Iterator[str]:
    """Yield what a learner reads of a question's values."""
    if isinstance(value, dict):
        for key, inside in value.items():
            if key in ("asks", "says", "why", "hint", "slip", "reply") and isinstance(inside, str):
                yield inside
            elif key == "instead":
                yield from inside.values()
            else:
                yield from sentences(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from sentences(inside)


def test_at_most_a_quarter_is_true_or_false():
    kinds = Counter(question.kind for slug in COURSE for question in questions_of(slug))
    assert kinds["true_false"] <= kinds.total() / 4


def test_a_stop_has_one_idea_in_so_many_words():
    stops = [(slug, stop) for slug in COURSE for stop in lesson(slug).stops]
    long = {(slug, s.heading): words(s) for slug, s in stops if words(s) > MOST_WORDS}
    assert long == {}


def test_the_question_is_not_in_what_is_marked():
    """A word to be split is not marked in the pieces that it is split into, and no others."""
    given_away = [
        (slug, resolved.stop.heading)
        for slug in COURSE
        for resolved in resolved_stops_of(slug)
        if (requests := resolved.question)
        and requests.form == "text"
        and len(requests.splits[0]) > 1
        if set(resolved.stop.mark) == set(requests.splits[0])
    ]
    assert given_away == []


def test_every_lesson_is_in_one_path():
    in_paths = Counter(slug for path in PATHS.values() for slug in path.slugs)
    assert set(in_paths) | WITHOUT_PATH == set(LESSONS)
    assert set(in_paths.values()) == {1}


def test_a_path_goes_on_as_the_lessons_are_numbered_where_one_needs_another():
    for first, then in [
        ("bpe-by-hand", "bpe-bytes"),
        ("unigram-best-path", "unigram-margins-sums-ties"),
        ("special-tokens", "what-a-prompt-costs"),
        ("unigram-margins-sums-ties", "unigram-all-paths"),
        ("unigram-all-paths", "unigram-em"),
        ("unigram-what-a-piece-is-worth", "unigram-three-losses"),
    ]:
        (slugs,) = [path.slugs for path in PATHS.values() if first in path.slugs]
        assert slugs.index(first) < slugs.index(then)


def test_a_lesson_names_no_lesson_that_comes_later_in_its_path():
    """Except by a link, or as an exception that is shown elsewhere."""
    titles = {lesson(slug).title: slug for slug in COURSE}
    ahead = []
    for path in PATHS.values():
        for place, slug in enumerate(path.slugs):
            text = " ".join(LESSONS[slug].read_text("utf-8").split())
            later = path.slugs[place + 1 :]
            ahead += [
                (slug, t) for t, other in titles.items() if other in later and f"*{t}*" in text
            ]
    assert ahead == []


def test_no_three_stops_in_a_row_are_only_read():
    dull = []
    for slug in COURSE:
        asks = [stop.ask is not None for stop in lesson(slug).stops]
        dull += [slug for n in range(len(asks) - 2) if not any(asks[n : n + 3])]
    assert dull == []


def test_minutes_are_those_of_reading_and_thinking():
    one = lesson("bpe-by-hand")
    kinds = [stop.ask.kind for stop in one.stops if stop.ask]
    assert len(kinds) == len(questions_of("bpe-by-hand"))
    questions = sum(QUESTION_MINUTES[kind] for kind in kinds)
    assert minutes(one) == round(sum(map(words, one.stops)) / 180 + questions)
    assert 75 <= PATHS["essentials"].minutes <= 90


def test_every_kind_of_question_has_its_minutes():
    kinds = {kind for kinds in QUESTIONS.values() for kind in kinds}
    assert set(QUESTION_MINUTES) == kinds
    assert all(0.5 <= each <= 4 for each in QUESTION_MINUTES.values())


def test_a_question_takes_as_long_as_its_form_does():
    """A choice is the shortest; whoever has to type or to sort needs a minute at least."""
    least = {"choice": 0.5, "several": 1.0, "order": 1.0, "number": 1.0, "text": 1.5}
    for slug in COURSE:
        for resolved in resolved_stops_of(slug):
            if resolved.question and resolved.stop.ask:
                given_to = QUESTION_MINUTES[resolved.stop.ask.kind]
                assert given_to >= least[resolved.question.form], (slug, resolved.stop.heading)


def test_pencil_and_paper_takes_two_to_four_minutes():
    by_hand = ("pair_score", "log_prob", "ways", "patch_count", "expected_count", "probability")
    assert all(2 <= QUESTION_MINUTES[kind] <= 4 for kind in by_hand)


def test_a_run_goes_on_until_its_goal_is_reached():
    """A conclusion drawn from a run that was cut short may be one of the cut."""
    cut = {}
    for slug in COURSE:
        for name, picture in lesson(slug).pictures.items():
            facts = made(picture).facts
            if isinstance(facts, UnigramFacts) and "reached" not in facts.trace.stop_reason:
                cut[slug, name] = facts.trace.stop_reason
    assert cut == {}


def test_no_odd_space_is_shown_by_its_number():
    played = {slug: transcript(lesson(slug), resolved_stops_of(slug)) for slug in LESSONS}
    assert [slug for slug, text in played.items() if re.search("[\u00a0\u2009]", text)] == []
