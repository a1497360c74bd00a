"""What a wrong answer is told: the mistake that was made, by the record; nothing said twice."""

import pytest

from lessons.facts.encoding import EncodingFacts
from lessons.facts.lattices import LatticeSearchFacts
from lessons.facts.merging import MergeFacts
from lessons.format.errors import LessonLookupError
from lessons.format.words import plain
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import Question, answer_text, retry_text
from lessons.stops import QUESTIONS
from tests.judge import grade
from tokenizers import bpe, wordpiece
from tokenizers.lattice import Lattice
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

B1 = {"cat": 10, "bat": 5, "bag": 12, "tag": 4, "cats": 5}


def merging(**settings) -> MergeFacts:
    return MergeFacts(Trace.record(Corpus.from_counts(B1), bpe.Settings(**settings)))


def matching(word: str, *pieces: str) -> EncodingFacts:
    return EncodingFacts.of(word, wordpiece.Model(wordpiece.vocabulary(pieces)))


def make_question(facts, kind: str, at: int = 0, **values) -> Question:
    make, _ = QUESTIONS[type(facts)][kind]
    return make(QuestionContext(kind, facts, at, values, {}))


def reply_to(question: Question, written: str) -> str:
    verdict = grade(question, written)
    assert not verdict.is_right
    return plain(verdict.text)


SUPERBAD = matching("superbad", "super", "superb", "##bad", "##a", "##b", "##d")
AFFORD = matching("unaffordable", "un", "afford", "##afford", "##able", "able")


@pytest.mark.parametrize(
    ("facts", "written", "expected"),
    [
        (SUPERBAD, "super ##bad",
         "`super` fits, but `superb` is longer: the longest match takes it."),
        (SUPERBAD, "super bad", "`bad` can only begin a word. Inside a word, write `##bad`."),
        (SUPERBAD, "##superb ##a ##d", "`##superb` can only stand inside a word"),
        (SUPERBAD, "superb ##ad", "`##ad` is not in the vocabulary."),
        (SUPERBAD, "superb ##a", "Those pieces spell “superba”, not “superbad”."),
        (AFFORD, "un ##afford able", "`able` can only begin a word. Inside a word, write `##able`"),
        (AFFORD, "unaffordable", "The letters are right, but a mark is missing."),
    ],
)  # fmt: skip
def test_a_wrong_split_is_told_its_mistake(facts, written, expected):
    assert expected in reply_to(make_question(facts, "segmentation"), written)


def test_an_unknown_letter_is_named():
    facts = EncodingFacts.of("mat", merging(num_merges=3).trace.model())
    question = make_question(facts, "segmentation")
    assert plain(question.why) == (
        "“mat” becomes `[UNK]` `at`: `m` is not in the vocabulary; the rest is merged."
    )
    assert reply_to(question, "m at") == "`m` is not in the vocabulary."
    lost = make_question(matching("unable", "un", "##able", "##y"), "segmentation")
    assert "lost" not in plain(lost.why)
    lost = make_question(matching("unsay", "un", "##s"), "segmentation")
    assert "no piece matches at “ay”, so the whole word is lost." in plain(lost.why)


@pytest.mark.parametrize(
    ("kind", "at", "values", "written", "expected"),
    [
        ("pair_count", 1, {"pair": ["c", "at"]}, "2", "That counts each word once."),
        ("pair_count", 1, {"pair": ["c", "at"]}, "10", "That counts “cat” alone."),
        ("pair_count", 2, {"pair": ["b", "at"]}, "1", "That counts each word once."),
        ("token_count", 0, {}, "16", "You counted each word once."),
        ("token_count", 1, {"word": "cats"}, "4", "That is the number at the start."),
    ],
)
def test_a_wrong_number_is_told_what_it_would_be_right_for(kind, at, values, written, expected):
    assert expected in reply_to(make_question(merging(), kind, at, **values), written)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("3", "That is the count of the pair."),
        ("3/10", "Multiply the counts of the parts; you added them."),
        ("3/3", "You divided by the first count only. Divide by the second, too."),
        ("3/7", "You divided by the second count only. Divide by the first, too."),
    ],
)
def test_a_wrong_score_is_told_which_step_is_wrong(written, expected):
    corpus = Corpus.from_counts({"ab": 3, "cab": 4})
    facts = MergeFacts(Trace.record(corpus, wordpiece.Settings()))
    question = make_question(facts, "pair_score", pair=["a", "##b"])  # 3 / (3 · 7)
    assert expected in reply_to(question, written)


def test_a_count_of_before_or_of_overlapping_places_is_named():
    facts = MergeFacts(Trace.record(Corpus.from_counts({"aaab": 3, "ab": 4}), bpe.Settings()))
    question = make_question(facts, "pair_count", 0, pair=["a", "a"])
    assert (question.value, reply_to(question, "6")) == (
        3,
        "Places that overlap can be merged only once.",
    )
    counts = Corpus.from_counts({"abc": 3, "bc": 1, "abcab": 1})
    facts = MergeFacts(Trace.record(counts, bpe.Settings()))
    assert facts.trace.pairs[0] == ("a", "b")
    question = make_question(facts, "pair_count", 1, pair=["b", "c"])
    assert reply_to(question, "5") == "That was its count one step earlier. Recount."


HAT = LatticeSearchFacts(Lattice.build("hat", {"h": -2.0, "a": -2.0, "t": -2.0, "ha": -1.5}), {})


def test_a_share_or_another_way_is_named():
    assert reply_to(make_question(HAT, "log_prob", path=["ha", "t"]), "-6") == (
        "That is the log probability of `h` `a` `t`."
    )
    share = HAT.field("share", "h a t", 0)[0]
    assert share == "7.6%"
    assert reply_to(make_question(HAT, "expected_count", piece="ha"), "0.0759").startswith(
        "That is everything"
    )


def test_any_field_may_be_asked_for():
    values = {"asks": "How many pieces are there?", "field": "vocabulary",
              "why": "`a` and {vocabulary} in all, after {step} merges = {vocabulary}.",
              "instead": {"tokens": "That is every token of the words."}}  # fmt: skip
    question = make_question(merging(), "number", 0, **values)
    assert (question.value, plain(question.answer)) == (6, "6")
    assert plain(question.why) == "`a` and 6 in all, after 0 merges = 6."
    assert plain(retry_text(question, ())) == " `a` and 6 in all, after 0 merges = … One more try."
    assert grade(question, "6").is_right
    assert (
        reply_to(question, str(merging().trace.num_tokens[0]))
        == "That is every token of the words."
    )
    assert question.masked_parts == ("sentence", "notes", "tables")


def test_a_percentage_may_have_its_sign_and_is_no_fraction():
    values = {"asks": "What is the share?", "field": "share:h a t"}
    question = make_question(HAT, "number", 0, **values)
    assert grade(question, "7.6%").is_right
    assert grade(question, "7.6").is_right
    assert reply_to(question, "0.076") == "That is the share of one. Write a percentage."


def test_a_share_may_be_written_as_a_percentage():
    question = make_question(HAT, "expected_count", piece="ha")
    share = question.value
    assert 0 < share < 1
    for written in (f"{share:.3f}", f"{100 * share:.1f}%", f"{100 * share:.1f} %"):
        assert grade(question, written).is_right, written
    assert not grade(question, f"{100 * share:.1f}").is_right


def test_nothing_is_said_twice():
    question = make_question(HAT, "true_false", belief="one_best")
    wrong = grade(question, 1)
    assert plain(answer_text(question, wrong.text)) == (
        "The answer: True. `ha` `t` is more probable than any other."
    )
    question = make_question(merging(), "pair_count", 1, pair=["c", "at"])
    expected = plain(answer_text(question, grade(question, "2").text))
    assert expected.startswith("That counts each word once.")
    assert expected.endswith(
        "The answer: 15. `c` `at` occurs 15 times: 10 in “cat” and 5 in “cats”."
    )


def test_the_answer_is_called_so_after_what_is_said_of_the_last_try():
    question = make_question(merging(), "next_pair", 0)
    wrong = next(n for n, option in enumerate(question.options) if not option.is_right)
    expected = plain(answer_text(question, grade(question, wrong).text))
    assert expected.startswith("Not ")
    assert expected.index(". The answer: ") > expected.index("Not ")


def test_a_question_says_the_numbers_that_it_needs():
    values = {"asks": "There are {pieces}. What is the share?", "field": "share:h a t"}
    expected = plain(make_question(HAT, "number", 0, **values).prompt)
    assert expected.startswith("There are `h` `ha` `a` `t`. What is the share?")
    with pytest.raises(LessonLookupError):
        make_question(HAT, "number", 0, **values | {"asks": "What is {nothing}?"})


def test_an_order_never_starts_solved_and_the_right_option_is_anywhere():
    tokens = ["bag", "bat", "cats", "tag"]
    for some in (tokens, tokens[::-1], ["tag", "bag"], ["bag", "tag"]):
        question = make_question(merging(), "order_merges", 3, tokens=some)
        assert not grade(question, list(range(len(some)))).is_right
    places = set()
    for word in ("unable", "unaffordable", "affordable", "aunable", "ununable"):
        facts = matching(word, "un", "afford", "##afford", "##able", "able", "##a", "a", "##un")
        options = make_question(facts, "next_piece").options
        places |= {n / (len(options) - 1) for n, one in enumerate(options) if one.is_right}
    assert len(places) > 1


def test_a_prior_counts_where_it_is_asked_for():
    lattice = Lattice.build("cat", {"cat": -3.0, "c": -1.0, "a": -1.0, "t": -0.5})
    facts = LatticeSearchFacts(lattice, {1: 0.9, 3: 0.1})
    assert grade(make_question(facts, "segmentation"), "c a t").is_right
    assert grade(make_question(facts, "segmentation", prior=True), "cat").is_right
    assert "1.70 nats behind the best" in reply_to(
        make_question(facts, "segmentation", prior=True), "c a t"
    )
