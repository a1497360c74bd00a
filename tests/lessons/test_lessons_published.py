"""Lessons on published tokenizers: what their records say is what the models do.

Beside the records stand the models themselves, and merges that are done one rank after the other.
"""

from itertools import pairwise

import pytest

from lessons.facts.base import PictureFacts
from lessons.facts.published import MergedWordFacts, PublishedFacts
from lessons.facts.vocabularies import VocabulariesFacts
from lessons.format.errors import LessonError, LessonLookupError
from lessons.format.reading import PictureSpec
from lessons.format.words import plain
from lessons.models import open_model
from lessons.pictures.planning import plan
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import Question
from lessons.stops import QUESTIONS
from pages.lesson.pictures.links import link_to
from tests.judge import grade
from tests.lessons.test_lessons import made
from tokenizers.lattice import best_path
from tokenizers.runtime.inspection.encoders import cut_by
from tokenizers.runtime.inspection.segmentation_graph import OTHER_WAYS, graph_of

TEXTS = {"word": "counterexample", "spaced": " counterexample", "hindi": "दादी"}
ROWS = {"models": ["gpt2", "bert-uncased"], "texts": TEXTS}


def facts_for(shows: str, **values) -> PictureFacts:
    return made(PictureSpec("it", shows, values, 1)).facts


def rows(**values) -> PublishedFacts:
    facts = facts_for("published", **(values or ROWS))
    assert isinstance(facts, PublishedFacts)
    return facts


def word(text: str, model: str = "gpt2") -> MergedWordFacts:
    facts = facts_for("published_word", published=model, word=text)
    assert isinstance(facts, MergedWordFacts)
    return facts


def make_question(facts: PictureFacts, kind: str, at: int = 0, **values) -> Question:
    make, _ = QUESTIONS[type(facts)][kind]
    return make(QuestionContext(kind, facts, at, values, {}))


# ---- texts side by side ----


def test_a_row_has_the_ids_of_its_model():
    for row in rows().rows:
        encoded = open_model(row.model).encode(TEXTS[row.name], add_special_tokens=False)
        assert row.ids == encoded.ids
        assert len(row.tokens) == len(row.ids)
    assert plain(rows().field("split", "gpt2 spaced", 0)) == "` count` `ere` `x` `ample`"
    assert plain(rows().field("split", "bert-uncased word", 0)) == "`counter` `##ex` `##amp` `##le`"


@pytest.mark.parametrize(
    ("field", "argument", "expected"),
    [
        ("tokens", "gpt2 spaced", "4"),
        ("tokens", "spaced gpt2", "4"),
        ("characters", "hindi", "4"),
        ("bytes", "hindi", "12"),
        ("vocabulary", "gpt2", "50,257"),
        ("times", "gpt2 hindi over gpt2 spaced", "1.75"),
        ("decoded", "gpt2 hindi", "“दादी”"),
        ("prefix", "gpt2 word of gpt2 spaced", "0"),
        ("back", "gpt2 word of gpt2 spaced", "4"),
        ("prefix", "gpt2 word of gpt2 word", "4"),
    ],
)
def test_what_a_row_says(field, argument, expected):
    assert plain(rows().field(field, argument, 0)) == expected


def test_a_row_that_is_not_there_or_not_alone_is_refused():
    with pytest.raises(LessonLookupError, match="No row is called “zz”"):
        rows().field("tokens", "zz", 0)
    with pytest.raises(LessonLookupError, match="Say which row is meant"):
        rows().field("tokens", "gpt2", 0)


def test_special_tokens_are_one_id_or_text():
    as_id = rows(models=["gpt2"], text="<|endoftext|>")
    as_text = rows(models=["gpt2"], text="<|endoftext|>", special="text")
    assert as_id.rows[0].ids == (50_256,)
    assert as_text.rows[0].tokens == ("<", "|", "end", "of", "text", "|", ">")


def test_each_encoder_spells_the_text():
    facts = rows(models=["gpt2"], text=" counterexample", encoders=["own", "longest", "fewest"])
    assert {"".join(row.tokens) for row in facts.rows} == {" counterexample"}
    own, longest, fewest = (len(row.tokens) for row in facts.rows)
    assert (own, longest, fewest) == (4, 2, 2)


@pytest.mark.parametrize("model", ["cl100k", "gpt2", "mistral-v1", "bert-uncased"])
def test_every_other_way_decodes_to_the_text_and_the_ways_are_counted(model):
    facts = rows(models=[model], text="7 cats", encoders=["own", *OTHER_WAYS])
    assert {row.decoded.lstrip() for row in facts.rows} == {"7 cats"}
    number = graph_of(open_model(model), "7 cats").graph.number
    assert {row.ways for row in facts.rows} == {number}
    assert plain(facts.field("ways", "own", 0)) == f"{number:,}"


def test_ways_are_counted_only_where_another_one_is_shown():
    with pytest.raises(LessonLookupError, match="Ways are counted"):
        rows().field("ways", "gpt2 word", 0)


@pytest.mark.parametrize("encoder", ["longest", "fewest"])
def test_the_other_encoders_refuse_what_they_cannot_spell(encoder):
    with pytest.raises(ValueError, match="no pieces that spell “▁é”"):
        cut_by(open_model("unigram-english"), "▁é", encoder)
    with pytest.raises(ValueError, match="WordPiece marks its pieces"):
        cut_by(open_model("bert-uncased"), "able", encoder)


def test_fewest_and_most_accept_every_tie():
    facts = rows(models=["gpt2", "cl100k", "o200k"], text=" lighthouse")
    few = make_question(facts, "fewest")
    assert {plain(o.text) for o in few.options if o.is_right} == {"GPT-2", "GPT-4o (o200k)"}
    (many,) = [o for o in make_question(facts, "most").options if o.is_right]
    assert plain(many.text) == "GPT-4 (cl100k)"


def test_rows_are_put_in_order_by_their_tokens():
    question = make_question(rows(), "by_length", of="gpt2")
    counts = [len(rows().row(f"gpt2 {name}").tokens) for name in TEXTS]
    shown = {plain(option.text): n for n, option in enumerate(question.options)}
    names = sorted(zip(counts, ("Word", "Spaced", "Hindi"), strict=True))
    right = [shown[next(t for t in shown if t.lower().endswith(n.lower()))] for _, n in names]
    assert grade(question, right).is_right
    assert not grade(question, right[::-1]).is_right
    assert not grade(question, list(range(3))).is_right


def test_a_single_token_is_found_among_several():
    facts = rows(models=["gpt2"], texts={"a": " counter", "b": " counterexample"})
    question = make_question(facts, "whole")
    assert [plain(o.text) for o in question.options if o.is_right] == ["“ counter”"]


@pytest.mark.parametrize("typed", ["count ere x ample", "·count ere x ample", "count|ere|x|ample"])
def test_a_space_in_a_token_is_typed_as_a_dot_or_not_at_all(typed):
    assert grade(make_question(rows(), "segmentation", of="gpt2 spaced"), typed).is_right
    assert grade(make_question(word(" counterexample"), "segmentation"), typed).is_right


def test_one_text_leads_to_the_page_of_real_tokenizers_and_several_do_not():
    one = {"models": ["gpt2", "o200k"], "text": "a<|endoftext|>", "special": "text"}
    link = link_to(plan(PictureSpec("it", "published", one, 1)), 0)
    assert link
    assert link[1] == {"model": "gpt2", "say": "a<|endoftext|>", "special": "text"}
    assert link_to(plan(PictureSpec("it", "published", ROWS, 1)), 0) is None


# ---- one word ----


@pytest.mark.parametrize("model", ["gpt2", "cl100k", "mistral-v1"])
def test_a_word_is_merged_by_the_lowest_rank(model):
    facts = word(" counterexample", model)
    assert facts.last == len(facts.merges) + 1
    for k, merge in enumerate(facts.merges):
        assert facts.waiting[k][0] == (merge.pair, merge.rank)
        assert merge.rank == min(rank for _, rank in facts.waiting[k])
        assert {pair for pair, _ in facts.waiting[k]} <= set(pairwise(facts.split(k)))
        assert len(merge.split) == len(facts.split(k)) - 1
    assert facts.waiting[-1] == ()
    ids = open_model(model).encode(" counterexample", add_special_tokens=False).ids
    assert facts.ids == ids[-len(facts.ids) :]


def test_the_next_pair_has_the_lowest_rank():
    facts = word(" lighthouse", "cl100k")
    for at in range(len(facts.merges) - 1):
        question = make_question(facts, "next_pair", at)
        (right,) = [option for option in question.options if option.is_right]
        assert plain(right.text) == " ".join(f"`{one}`" for one in facts.merges[at].pair)
        assert all(option.why for option in question.options)


def test_moments_of_a_word_are_found_by_what_happens():
    facts = word(" lighthouse", "cl100k")
    assert facts.find_token("th") == facts.find_pair(["t", "h"]) == 4
    with pytest.raises(LessonLookupError, match="never made here"):
        facts.find_token("light")
    with pytest.raises(LessonLookupError, match="never merged here"):
        facts.find_pair(["h", "t"])
    with pytest.raises(LessonLookupError, match="Nothing is merged here"):
        facts.field("rank", "", 0)


def test_several_words_are_not_stepped_as_one():
    with pytest.raises(ValueError, match="not read it as one word, but as “two”, “ words”"):
        word("two words")


def test_a_model_that_does_not_merge_is_refused_with_its_line():
    picture = PictureSpec("it", "published_word", {"published": "bert-uncased", "word": "a"}, 7)
    with pytest.raises(LessonError, match=r"Line 7: .*no such published model.*gpt2"):
        plan(picture)


# ---- other pictures with a published model ----


def test_a_published_wordpiece_is_stepped_by_the_longest_match():
    facts = facts_for("wordpiece_encode", published="bert-uncased", encode="raspberry")
    assert plain(facts.field("split", "raspberry", 0)) == "`ras` `##p` `##berry`"


def test_a_published_unigram_has_its_lattice():
    facts: PictureFacts = facts_for("lattice", published="unigram-english", text="lighthouse")
    lattice = facts.lattice  # type: ignore[attr-defined]
    own = cut_by(open_model("unigram-english"), "▁lighthouse", "own")
    assert lattice.pieces(best_path(lattice)) == own


# ---- vocabularies ----


def test_what_no_text_makes_is_said_with_what_it_becomes():
    facts = facts_for("vocabularies", models=["unigram-japanese"], text="京都")
    assert isinstance(facts, VocabulariesFacts)
    assert plain(facts.field("unreached", "", 0)) == "1"
    assert plain(facts.field("becomes", "unigram-japanese からの", 0)) == "`▁` `から` `の`"
    used = set(open_model("unigram-japanese").encode("京都", add_special_tokens=False).ids)
    assert plain(facts.field("used", "", 0)) == str(len(used))
