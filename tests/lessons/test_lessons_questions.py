"""Questions: what the record has is right, every tie is accepted, wrong answers get reasons.

Beside the questions stand plain recounts of the words, and all permutations.
"""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import accumulate, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeSearchFacts, SegmentationListFacts
from lessons.facts.merging import MergeFacts
from lessons.facts.texts import PipelineFacts
from lessons.facts.unigram import UnigramFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import plain
from lessons.progress import merge_marks, read_marks, score
from lessons.questions.beliefs import BELIEF_CHECKS, COUNTEREXAMPLE_SEARCH
from lessons.questions.builders import QuestionContext, two_digits
from lessons.questions.grading import AnswerOption, Question, read_number
from lessons.stops import QUESTIONS
from tests.judge import call, grade
from tokenizers import bpe, wordpiece
from tokenizers.experiments.beliefs.counterexamples import BELIEFS
from tokenizers.lattice import Lattice, best_path, expected_counts
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation, Prune

B1 = {"cat": 10, "bat": 5, "bag": 12, "tag": 4, "cats": 5}
U4 = {"run": 3, "bug": 5, "fun": 13, "sun": 10}
words = st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), min_size=1,
                        max_size=5)  # fmt: skip


def run_of(counts, **settings) -> MergeFacts:
    return MergeFacts(Trace.record(Corpus.from_counts(counts), bpe.Settings(**settings)))


def scored(counts, **settings) -> MergeFacts:
    return MergeFacts(Trace.record(Corpus.from_counts(counts), wordpiece.Settings(**settings)))


def make_question(facts, kind: str, at: int = 0, others=None, **values) -> Question:
    make, _ = QUESTIONS[type(facts)][kind]
    return make(QuestionContext(kind, facts, at, values, others or {}))


def right_options(question: Question) -> set[str]:
    return {plain(option.text) for option in question.options if option.is_right}


# ---- merges ----


@given(words)
def test_the_next_pair_is_any_of_the_most_frequent(counts):
    facts = run_of(counts)
    for at in range(facts.last):
        pairs: Counter[tuple[str, str]] = Counter()
        for n, count in enumerate(counts.values()):
            for pair in pairwise(facts.trace.split(n, at)):
                pairs[pair] += count
        best = {f"`{a}` `{b}`" for (a, b), n in pairs.items() if n == max(pairs.values())}
        try:
            question = make_question(facts, "next_pair", at)
        except LessonLookupError:
            assert len(pairs) == len(best) or len(pairs) < 2 or len(best) >= 4
            continue
        assert right_options(question) <= best
        assert plain(question.answer) in right_options(question)
        assert all(option.why for option in question.options)


@given(words, st.integers(0, 5))
def test_a_pair_is_counted_as_by_hand(counts, at):
    facts = run_of(counts)
    at = min(at, facts.last)
    for (a, b), seen in list(facts.trace.state(at).pair_counts.items())[:4]:
        by_hand = sum(
            count * sum(pair == (a, b) for pair in pairwise(facts.trace.split(n, at)))
            for n, count in enumerate(counts.values())
        )
        assert by_hand == seen
        if a != b:  # of one that overlaps itself, joined places are fewer
            question = make_question(facts, "pair_count", at, pair=[a, b])
            assert question.value == seen
            assert grade(question, str(seen)).is_right
            assert not grade(question, str(seen + 1)).is_right


def test_an_order_may_change_only_among_ties():
    question = make_question(run_of(B1), "order_merges", 0, tokens=["cats", "bat", "bag", "tag"])
    names = [plain(option.text) for option in question.options]
    accepted = {
        tuple(names[n] for n in order)
        for order in permutations(range(4))
        if grade(question, list(order)).is_right
    }
    assert accepted == {
        ("`bag`", "`bat`", "`cats`", "`tag`"),
        ("`bag`", "`cats`", "`bat`", "`tag`"),
    }


def test_wordpiece_says_why_not_the_most_frequent():
    counts = {"sunflower": 1, "sun": 2, "flower": 1, "flow": 1, "flowers": 1, "flowing": 2,
              "flows": 2, "flowed": 1}  # fmt: skip
    question = make_question(scored(counts), "next_pair")
    assert right_options(question) == {"`s` `##u`"}
    (often,) = [one for one in question.options if plain(one.text) == "`##l` `##o`"]
    assert "it is more frequent, but so are its parts" in plain(often.why)
    question = make_question(scored(counts), "next_pair", 1)
    assert right_options(question) == {"`##e` `##d`", "`##e` `##r`"}


def test_two_conventions_part():
    ours, theirs = run_of(B1), run_of(B1, ties="smallest_ids")
    first = next(
        (k for k, (a, b) in enumerate(zip(ours.trace.pairs, theirs.trace.pairs, strict=True), 1)
         if a != b), None)  # fmt: skip
    values = {"against": "other"}
    if first is None:
        with pytest.raises(LessonLookupError, match="The two runs do the same"):
            make_question(ours, "first_difference", 0, {"other": theirs}, **values)
    else:
        question = make_question(ours, "first_difference", 0, {"other": theirs}, **values)
        assert (question.value, question.hides_answer) == (first, False)


@pytest.mark.parametrize(
    ("belief", "facts", "holds"),
    [
        ("most_frequent", run_of(B1), True),
        ("highest_score", run_of(B1), False),
        ("most_frequent", scored({"flowing": 2, "sun": 1, "flow": 3}), False),
        ("no_ties", run_of(B1), False),
        ("no_ties", run_of({"ab": 2}), True),
    ],
)
def test_beliefs_about_merges(belief, facts, holds):
    question = make_question(facts, "true_false", says="So it is.", belief=belief)
    assert right_options(question) == {str(holds)}
    assert (
        BELIEF_CHECKS[MergeFacts][belief](QuestionContext("true_false", facts, 0, {}, {}))[0]
        is holds
    )


def test_the_longest_match_is_refuted_by_a_word():
    facts = run_of({"ab": 5, "bc": 4, "abc": 1, "xbcd": 3}, num_merges=3)
    question = make_question(facts, "true_false", facts.last, says="x", belief="longest_match")
    assert plain(question.why)


@pytest.mark.parametrize(
    ("kind", "values", "masked_parts"),
    [("next_pair", {}, "tables"), ("pair_count", {"pair": ["a", "t"]}, "tables"),
     ("order_merges", {"tokens": ["at", "ag"]}, "tables"), ("token_count", {}, "notes"),
     ("true_false", {"says": "x", "belief": "no_ties"}, "sentence notes")],
)  # fmt: skip
def test_what_tells_the_answer_at_the_start_is_hidden(kind, values, masked_parts):
    assert make_question(run_of(B1), kind, **values).masked_parts == tuple(masked_parts.split())


def test_what_is_past_is_not_hidden():
    assert make_question(run_of(B1), "next_pair", 1).masked_parts == ()
    assert make_question(run_of(B1), "pair_count", 1, pair=["c", "at"]).masked_parts == ()


def test_how_many_ways_there_are_is_hidden_while_it_is_asked():
    lattice = Lattice.build("ab", {"a": -1.0, "b": -1.0, "ab": -1.0})
    assert make_question(LatticeSearchFacts(lattice, {}), "ways").masked_parts == (
        "sentence",
        "tables",
    )
    assert make_question(LatticeSearchFacts(lattice, {}), "log_prob", path=["ab"]).masked_parts == (
        "sentence",
        "tables",
    )


@pytest.mark.parametrize(
    "says",
    ["Not every step merges the most frequent pair.", "Some steps don't.", "It never does.",
     "It is done without counting."],
)  # fmt: skip
def test_a_belief_cannot_be_denied(says):
    with pytest.raises(LessonLookupError, match="This denies the belief"):
        make_question(run_of(B1), "true_false", says=says, belief="most_frequent")


def test_a_belief_states_itself():
    question = make_question(run_of(B1), "true_false", belief="most_frequent")
    assert plain(question.prompt).endswith("Every step merges a most frequent pair.")
    question = make_question(run_of(B1), "true_false", belief="one_piece", word="isn't")
    assert plain(question.prompt).endswith("The word “isn't” is one token now.")
    assert make_question(
        run_of(B1), "true_false", belief="one_piece", word="isn't", says="“isn't” is one."
    )


@pytest.mark.parametrize(
    ("facts", "belief", "search"),
    [(scored({"flowing": 2, "sun": 1, "flow": 3}), "most_frequent", "score_is_tie_breaker"),
     (run_of(B1), "most_frequent", ""), (run_of(B1), "no_ties", "")],
)  # fmt: skip
def test_a_belief_that_fails_has_its_smallest_counterexample(facts, belief, search):
    assert make_question(facts, "true_false", says="x", belief=belief).counterexample == search


def test_every_counterexample_can_be_searched_for():
    assert set(COUNTEREXAMPLE_SEARCH.values()) <= set(BELIEFS)
    assert all(belief in BELIEF_CHECKS[kind] for kind, belief in COUNTEREXAMPLE_SEARCH)


def test_two_significant_digits_are_enough():
    question = make_question(scored({"ab": 3, "cab": 4}), "pair_score", pair=["a", "##b"])
    assert "Two significant digits" in plain(question.prompt)
    assert grade(question, f"{question.value:.2g}").is_right
    assert not grade(question, f"{question.value:.1g}5").is_right


@given(st.floats(1e-6, 1e4))
def test_a_number_of_two_digits_is_near_enough(value):
    assert abs(float(f"{value:.2g}") - value) <= two_digits(value) * (1 + 1e-9)
    assert two_digits(value) <= 0.0501 * value


@pytest.mark.parametrize(
    ("compare", "holds"),
    [
        (["count:a+t", "more than", "count:a+g"], True),
        (["count:a+t", "less than", "20"], False),
        (["count:a+t", "equal to", "20"], True),
    ],
)
def test_two_fields_are_compared(compare, holds):
    question = make_question(run_of(B1), "true_false", says="x", compare=compare)
    assert right_options(question) == {str(holds)}


# ---- encoding ----


@given(words, st.text("abcx", min_size=1, max_size=8))
def test_encoding_ends_as_the_core_ends(counts, word):
    for facts in (run_of(counts), scored(counts)):
        model = facts.trace.model()
        encoding = EncodingFacts.of(word, model)
        assert encoding.moments[-1].split == encoding.split(word)
        question = make_question(encoding, "segmentation")
        assert grade(question, " ".join(encoding.split(word))).is_right


# ---- Unigram and lattices ----


@pytest.fixture(scope="module")
def em() -> UnigramFacts:
    settings = convention_settings("textbook", 9)
    return UnigramFacts(UnigramTrace.record(Corpus.from_counts(U4), settings))


def test_expected_counts_are_those_of_the_next_e_step(em: UnigramFacts):
    for at in range(1, em.last):
        rest = [step for step in em.trace.steps[at:] if isinstance(step, Expectation)]
        if rest:
            question = make_question(em, "expected_count", at, piece="u")
            assert question.value == rest[0].expected_counts["u"]


@pytest.mark.parametrize("e_step", ["sum", "max"])
def test_the_reason_for_an_expected_count_adds_up_to_it(e_step: str):
    settings = replace(convention_settings("textbook", 9), e_step=e_step)
    facts = UnigramFacts(UnigramTrace.record(Corpus.from_counts(U4), settings))
    question = make_question(facts, "expected_count", 1, piece="un")
    terms = re.findall(r"([\d.]+) · ([\d.]+) for", plain(question.why))
    assert sum(float(n) * float(share) for n, share in terms) == pytest.approx(question.value, 1e-3)


def test_a_word_that_is_split_in_two_ways_equally_well_is_told_so():
    settings = replace(convention_settings("textbook", 9), seed="strict_substrings")
    facts = UnigramFacts(UnigramTrace.record(Corpus.from_counts(U4), settings))
    question = make_question(facts, "choose_segmentation", 1, word="fun")
    assert right_options(question) == {"`f` `un`", "`fu` `n`"}
    assert all(cut in plain(question.why) for cut in right_options(question))


def test_all_that_go_have_to_be_found(em: UnigramFacts):
    (k, step) = next((k, s) for k, s in enumerate(em.trace.steps, 1) if isinstance(s, Prune))
    question = make_question(em, "pruned", k - 1)
    wanted = [n for n in range(len(question.options)) if grade(question, n).is_right]
    assert 0 < len(wanted) < len(question.options)
    assert {plain(question.options[n].text)[1:-1] for n in wanted} <= set(step.removed)
    assert question.shown_at == k


def test_a_segmentation_that_ties_is_right():
    lattice = Lattice.build("run", {"ru": -1.0, "n": -2.0, "r": -2.0, "un": -1.0})
    question = make_question(LatticeSearchFacts(lattice, {}), "segmentation")
    assert grade(question, "ru n").is_right
    assert grade(question, "r un").is_right
    assert not grade(question, "r u n").is_right


@given(st.text("ab", min_size=2, max_size=7), st.lists(st.floats(-5, -0.5), min_size=6, max_size=6))
def test_lattice_answers_are_those_of_the_core(text, logs):
    names = ("a", "b", "ab", "ba", "aa", "bb")
    lattice = Lattice.build(text, dict(zip(names, logs, strict=True)))
    for facts in (LatticeSearchFacts(lattice, {}), SegmentationListFacts(lattice, {})):
        best = lattice.pieces(best_path(lattice) or ())
        assert grade(make_question(facts, "segmentation"), " ".join(best)).is_right
        piece = best[0]
        question = make_question(facts, "expected_count", piece=piece)
        assert question.value == expected_counts(lattice)[piece]


# ---- judging ----

NUMBER = Question("n", "number", ("?",), ("3/16",), ("so",), value=0.1875, tolerance=0.005)
ONE = Question("c", "choice", ("?",), ("a",), ("so",),
               options=(AnswerOption(("a",), True),
                        AnswerOption(("b",), False, ("no",))))  # fmt: skip


@pytest.mark.parametrize(
    "written", ["0.1875", "3/16", " 0,19 ", "0.185", ".19", "1.875e-1", "3 / 16"]
)
def test_a_number_may_be_written_in_many_ways(written):
    assert grade(NUMBER, written).is_right


@pytest.mark.parametrize(("written", "reply"), [("1", "high"), ("0.1", "low"), ("-0.1875", "sign")])
def test_a_wrong_number_gets_a_reason(written, reply):
    verdict = grade(NUMBER, written)
    assert not verdict.is_right
    assert reply in plain(verdict.text)


@pytest.mark.parametrize("written", ["", "x", "1/0", "nan", "inf", "1e999", "--1", "1/2/3", "١/٠"])
def test_what_is_no_number_is_no_answer(written):
    with pytest.raises(ValueError, match="That is not a number"):
        grade(NUMBER, written)


@pytest.mark.parametrize("form", ["choice", "several"])
def test_nothing_chosen_is_no_answer(form):
    with pytest.raises(ValueError, match="Choose an answer first"):
        grade(replace(ONE, form=form), None if form == "choice" else [])


@given(st.text(max_size=12))
def test_any_text_is_judged_or_refused(written):
    for question in (NUMBER, make_question(run_of(B1), "segmentation", 3, word="bags")):
        with suppress(ValueError):  # it is no answer
            assert grade(question, written).text


@pytest.mark.parametrize(
    ("written", "reply"),
    [("b a g s", "You missed a merge: `a` `g` becomes `ag` here."),
     ("bag s", "the split after step 4"),
     ("b ag", "Those pieces spell “bag”, not"),
     ("ba gs", "`ba` is not in the vocabulary.")],
)  # fmt: skip
def test_a_wrong_cut_gets_a_reason(written, reply):
    verdict = grade(make_question(run_of(B1), "segmentation", 3, word="bags"), written)
    assert not verdict.is_right
    assert reply in plain(verdict.text)


@given(st.floats(-1e6, 1e6, allow_nan=False))
def test_numbers_are_read_as_they_are_written(value):
    assert read_number(f"{value!r}") == value


def test_tokens_are_read_with_spaces_or_bars():
    question = Question("t", "text", ("?",), (), (), splits=(("a", "b", "c"),))
    assert grade(question, " a |b  c| ").is_right
    with pytest.raises(ValueError, match="Nothing is written yet"):
        grade(question, " | ")


# ---- progress ----

MARKS = st.text("-o12xy", min_size=4, max_size=4)


@given(MARKS, MARKS, MARKS)
def test_marks_are_joined_in_any_order(a, b, c):
    assert merge_marks(a, b) == merge_marks(b, a)
    assert merge_marks(merge_marks(a, b), c) == merge_marks(a, merge_marks(b, c))
    assert merge_marks(a, a) == a == read_marks(a, 4)


@pytest.mark.parametrize(
    ("before", "answers", "after"),
    [("-", [True], "1"), ("o", [False, True], "2"), ("o", [False, False], "x"),
     ("x", [True], "y"), ("x", [False, True], "y"), ("x", [False, False], "x"),
     ("1", [False, False], "1")],
)  # fmt: skip
def test_two_tries(before, answers, after):
    for tries, is_right in enumerate(answers, start=1):
        before = call("afterAnswer", before, tries, is_right, 2)
    assert before == after


def test_a_question_with_one_try_shows_its_answer_after_it():
    assert call("afterAnswer", "o", 1, False, 1) == "x"


@pytest.mark.parametrize(
    ("form", "rights", "tries"),
    [("choice", [True, False], 1), ("choice", [True, True, False], 1),
     ("choice", [True, False, False], 2), ("several", [True, False], 2), ("number", [], 2)],
)  # fmt: skip
def test_a_second_try_is_given_where_it_still_asks_something(form, rights, tries):
    options = tuple(AnswerOption((f"{n}",), is_right) for n, is_right in enumerate(rights))
    assert Question("k", form, ("?",), ("!",), (), options).tries == tries


def test_a_lesson_is_done_when_all_of_it_was_seen_and_answered():
    assert (
        score("o1x-", [False, True, True, True]).describe()
        == "3 of 4 stops, 1 of 3 questions right"
    )
    assert score("o12y", [False, True, True, True]).is_done
    assert not score("o1xy", [False, True, True, True]).is_done  # an answer is only shown
    assert not score("oooo", [False, True, True, True]).is_done  # skipped through
    assert score("oo", [False, False]).is_done


def test_an_answer_that_was_shown_is_right_apart():
    asks = [True] * 5
    assert call("isPassed", "1121y", asks)
    assert not call("isPassed", "112yy", asks)
    assert not call("isPassed", "1121x", asks)
    assert not call("isPassed", "yyyyy", asks)
    copied = score("yyyyy", asks)
    assert (copied.is_done, copied.right, copied.made_good) == (True, 0, 5)
    again = call("beginAgain", "o12xy")
    assert again == "---xx"
    assert {call("afterAnswer", sign, 1, True, 2) for sign in again[3:]} == {"y"}


@given(MARKS)
def test_the_browser_and_the_list_agree_on_what_is_done(marks):
    asks = [False, True, True, True]
    assert call("isDone", marks, asks) == score(marks, asks).is_done


# ---- likelihood, tensors, hidden states ----


def test_the_likeliest_merge_is_neither_the_most_frequent_nor_that_of_the_score():
    facts = scored({"low": 5, "lower": 2, "newest": 6, "widest": 3})
    question = make_question(facts, "likeliest")
    assert right_options(question) == {"`##s` `##t`"}
    shown = {plain(one.text): plain(one.why) for one in question.options}
    for pair, often, gain in (("`##e` `##s`", 9, "16.26"), ("`w` `##i`", 3, "12.75")):
        reply = f"{pair} occurs {often} times, and gains {gain} nats. The highest is 28.02."
        assert shown[pair] == reply
    assert plain(facts.field("gain", "##s+##t", 0)) == "28.02"


@given(st.text("abc", min_size=1, max_size=7), st.data())
def test_hidden_states_are_those_of_all_ways(text, data):
    """Of each way and each character: the piece that holds it, and how far."""
    parts = sorted({text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)})
    drawn = data.draw(st.sets(st.sampled_from(parts)))
    lattice = Lattice.build(text, dict.fromkeys([*drawn, *text], -1.0))
    facts = LatticeSearchFacts(lattice, {})
    place = data.draw(st.integers(1, len(text)))
    states = set()
    for pieces in facts.ranked():
        ends = list(accumulate(map(len, pieces)))
        n = next(n for n, end in enumerate(ends) if end >= place)
        states.add((pieces[n], place - ends[n] + len(pieces[n])))
    assert plain(facts.field("states", f"{place}", 0)) == f"{len(states)}"
    finished = sum(done == len(piece) for piece, done in states)
    assert plain(facts.field("finished", f"{place}", 0)) == f"{finished}"
    assert int(plain(facts.field("so_far", f"{place}", 0))) >= len(states)


@pytest.mark.parametrize(
    ("field", "argument", "expected"),
    [
        ("x", "4", "5, 6, 5, 7"),
        ("y", "4", "6, 5, 7, 8"),
        ("given", "3", "5"),
        ("next", "3", "7"),
        ("sequences", "2", "2"),
        ("fitting", "2", "3"),
        ("overlapping", "2", "4"),
    ],
)
def test_the_tensors_of_a_text(field, argument, expected):
    ids = (5, 6, 5, 7, 8, 9)
    facts = PipelineFacts({"raw": "x"}, (), (), ids, (), (), "x", 9)
    assert plain(facts.field(field, argument, 0)) == expected
    for wrong in ("0", "6"):
        with pytest.raises(LessonLookupError, match="There are 6 ids"):
            facts.field(field, wrong, 0)
