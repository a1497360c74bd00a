"""Lessons on what research asks: what their records say, and what is said to every answer."""

import pytest

from lessons.facts.base import PictureFacts
from lessons.facts.parity import ParityFacts
from lessons.facts.superwords import SuperwordsFacts
from lessons.format.errors import LessonError, LessonLookupError
from lessons.format.reading import PictureSpec
from lessons.format.words import percent, plain
from lessons.pictures.planning import plan
from lessons.questions.builders import QuestionContext
from lessons.questions.grading import Question
from lessons.stops import QUESTIONS
from lessons.texts import LANGUAGES
from tests.judge import grade
from tests.lessons.test_lessons import made


def facts_for(shows: str, **values) -> PictureFacts:
    return made(PictureSpec("it", shows, values, 1)).facts


def field_text(facts: PictureFacts, field: str) -> str:
    name, _, argument = field.partition(":")
    return plain(facts.field(name, argument, 0))


def make_question(facts: PictureFacts, kind: str, **values) -> Question:
    make, keys = QUESTIONS[type(facts)][kind]
    assert set(values) <= set(keys)
    return make(QuestionContext(kind, facts, 0, values, {}))


def reply_to(question: Question, given) -> tuple[bool, str]:
    verdict = grade(question, given)
    return verdict.is_right, plain(verdict.text)


def answers(question: Question) -> dict[str, tuple[bool, str]]:
    return {plain(one.text): reply_to(question, n) for n, one in enumerate(question.options)}


# ---- the best merges ----

FORTH = {"thorn": 3, "art": 4, "forth": 3}


def merged(counts=FORTH, most=2) -> PictureFacts:
    return facts_for("best_merges", counts=counts, num_merges=most)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("start", "42"),  # 15 + 12 + 15
        ("tokens:greedy", "31"),  # r t 7, a rt 4
        ("tokens:greedy 1", "35"),
        ("tokens:best", "30"),  # t h 6, o r 6
        ("saved:best", "12"),
        ("part", "91.7%"),  # 11 / 12
        ("merges:greedy", "`r` `t` and `a` `rt`"),
        ("split:best forth", "`f` `or` `th`"),
        ("firsts", "7"),
        ("neighbors", "10"),
        ("words", "3 × “thorn”, 4 × “art” and 3 × “forth”"),
    ],
)
def test_what_the_best_merges_say(field, text):
    assert field_text(merged(), field) == text


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("tokens:worst", "no order of merges called"),
        ("tokens:best 3", "only 2 merges"),
        ("tokens:best one", "a whole number"),
        ("split:best north", "not a word here"),
        ("saved:", "needs something after a colon"),
    ],
)
def test_what_the_best_merges_do_not_say(field, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(merged(), field)


def test_a_wrong_first_merge_is_told_what_it_leads_to():
    replies = answers(make_question(merged(), "first_merge"))
    assert replies["`t` `h`"][0]
    assert replies["`o` `r`"][0]
    assert replies["`r` `t`"] == (
        False,
        "`r` `t` occurs 7 times. The best that can follow leaves 31 tokens; 30 are possible.",
    )


def test_the_fewest_tokens_with_each_slip():
    question = make_question(merged(), "token_count")
    assert reply_to(question, "30")[0]
    assert reply_to(question, "31") == (False, "That is what the greedy merges leave.")
    assert reply_to(question, "12") == (False, "That is how many tokens the best merges save.")
    assert reply_to(question, "9") == (False, "That counts each word once.")


def test_greed_is_best_or_not():
    believed = make_question(merged(), "true_false", belief="greedy_is_best")
    assert reply_to(believed, 1) == (
        True,
        "They leave 31 tokens. The best order of merges leaves 30.",
    )
    assert reply_to(make_question(merged({"low": 1}), "true_false", belief="greedy_is_best"), 0)[0]


def test_best_merges_need_words_and_few_merges():
    for values in ({}, {"counts": FORTH, "num_merges": 7}):
        with pytest.raises(LessonError, match="needs words, and at most 6 merges"):
            plan(PictureSpec("it", "best_merges", values, 1))
    with pytest.raises(LessonLookupError, match="Nothing can be merged"):
        make_question(merged({"a": 2}), "first_merge")


# ---- bytes that are not text ----

BROKEN = "6E C3 A9 20 6E C3"  # né n, and half an é


def broken(written: str = BROKEN, merges: int = 6) -> PictureFacts:
    return facts_for("not_text", text="né née nés résumé", bytes=written, num_merges=merges)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("data", "“6E C3 A9 20 6E C3”"),
        ("bytes", "6"),
        ("merges", "6"),
        ("split", "`nÃ©` `Ġ` `n` `Ã`"),
        ("tokens", "4"),
        ("tokens:6E C3 A9 20 6E C3 A9", "2"),
    ],
)
def test_what_bytes_that_are_not_text_say(field, text):
    assert field_text(broken(), field) == text


@pytest.mark.parametrize("written", ["6E C", "né", "", "00" * 61])
def test_what_are_no_bytes(written):
    with pytest.raises(LessonError, match="two digits from 0 to F"):
        broken(written)
    if written:
        with pytest.raises(LessonLookupError, match="two digits from 0 to F"):
            field_text(broken(), f"tokens:{written}")


def test_bytes_need_not_be_tokens_of_their_own():
    assert not reply_to(make_question(broken(), "true_false", belief="byte_by_byte"), 0)[0]
    assert reply_to(make_question(broken(merges=0), "true_false", belief="byte_by_byte"), 0)[0]


# ---- how even it is ----

SAMPLES = {"even": {"low": 4, "tide": 4}, "uneven": {"low": 6, "tide": 1, "moon": 1}}


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("tokens:even", "8"),
        ("kinds:uneven", "3"),
        ("most:uneven", "`low`"),
        ("share:uneven", "75%"),
        ("efficiency:even", "100%"),
        ("shannon:even", "100%"),
        ("effective:even", "2.0"),
        ("effective:uneven", "1.6"),  # (0.75^2.5 + 2 · 0.125^2.5) ^ (-1 / 1.5)
        ("shannon:uneven", "67%"),  # (0.75 ln(4/3) + 0.25 ln 8) / ln 3
        ("alpha", "2.5"),
    ],
)
def test_what_the_efficiency_says(field, text):
    assert field_text(facts_for("efficiency", samples=SAMPLES), field) == text


def test_rows_of_a_corpus_are_its_sizes_copies_and_what_is_taken_apart():
    facts = facts_for("efficiency", corpus="b2", sizes=[18], copies=2, without=["est</w>"])
    plain_one, twice = (int(field_text(facts, f"tokens:{row}")) for row in ("18", "copied"))
    assert plain_one == twice
    assert (
        int(field_text(facts, "tokens:without")) - plain_one == 9
    )  # newest 6 times, widest 3 times
    with pytest.raises(LessonLookupError, match="no row called"):
        field_text(facts, "tokens:19")


def test_the_most_even_row_and_their_order():
    facts = facts_for("efficiency", samples=SAMPLES)
    replies = answers(make_question(facts, "most_even"))
    assert replies["Even"] == (True, "Even: 100%. The highest is 100%.")
    uneven = field_text(facts, "efficiency:uneven")
    assert replies["Uneven"] == (False, f"Uneven: {uneven}. The highest is 100%.")
    order = make_question(facts, "by_efficiency")
    assert [plain(one.text) for one in order.options] == ["Even", "Uneven"]
    assert reply_to(order, [1, 0])[0]
    assert reply_to(order, [0, 1]) == (False, f"Uneven comes before Even: {uneven}, then 100%.")


def test_even_is_short_or_not():
    longer = {"even": {"low": 9, "tide": 9}, "uneven": {"low": 6, "tide": 1}}
    for samples, holds in ((SAMPLES, True), (longer, False)):
        facts = facts_for("efficiency", samples=samples)
        assert reply_to(make_question(facts, "true_false", belief="even_is_short"), 0)[0] is holds


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"samples": {}},
        {"samples": {"even": {}}},
        {"samples": SAMPLES, "corpus": "b2"},
        {"corpus": "b2", "sizes": []},
        {"corpus": "b2", "sizes": ["a"]},
        {"corpus": "b2", "sizes": [9] * 7},
    ],
)
def test_an_efficiency_needs_a_source_and_sizes(values):
    with pytest.raises(LessonError, match=r"needs either samples or a corpus|sizes is a list"):
        plan(PictureSpec("it", "efficiency", values, 1))


# ---- bytes and patches ----

ISLAND = "They walked to the island."


def cut_at(threshold=1.5, text=ISLAND) -> PictureFacts:
    return facts_for("patches", corpus="prose", text=text, threshold=threshold)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("bytes", "26"),
        ("words", "5"),
        ("patches", "5"),
        ("split", "`They ` `walked ` `to ` `the ` `island.`"),
        ("per_patch", "5.2"),
        ("pairs", "3.7%"),  # (5 / 26)²
        ("byte:4", "` `"),
        ("threshold", "1.5"),
        ("order", "4"),
    ],
)
def test_what_patches_say(field, text):
    assert field_text(cut_at(), field) == text


def test_bytes_that_are_no_characters_are_shown_by_number():
    facts = cut_at(text="Zoë")
    assert (field_text(facts, "characters"), field_text(facts, "bytes")) == ("3", "4")
    assert field_text(facts, "byte:2") == "`<0xC3>`"
    with pytest.raises(LessonLookupError, match="only 4 bytes"):
        field_text(facts, "entropy:4")


def test_the_hardest_place_and_the_others():
    replies = answers(make_question(cut_at(), "least_sure"))
    right = [why for is_right, why in replies.values() if is_right]
    assert right == ["After “They walked to the ”, the entropy is 2.65."]
    wrong = [why for is_right, why in replies.values() if not is_right]
    assert all(why.endswith("The highest is 2.65.") for why in wrong)
    with pytest.raises(LessonLookupError, match="too short"):
        make_question(cut_at(text="ab"), "least_sure")


def test_how_many_patches_with_each_slip():
    question = make_question(cut_at(1), "patch_count")
    assert reply_to(question, "7")[0]
    assert reply_to(question, "26") == (False, "That is the number of bytes.")
    assert reply_to(question, "6") == (
        False,
        "That is the number of cuts. There is one patch more.",
    )
    assert reply_to(question, "5") == (False, "That is the number of words.")


def test_a_wrong_cut_is_that_of_another_threshold():
    replies = answers(make_question(cut_at(1), "choose_segmentation"))
    assert replies["`The` `y ` `wa` `lked ` `to ` `the ` `island.`"][0]
    assert "That is what a threshold of 1.5 gives." in [why for _, why in replies.values()]


def test_patches_are_words_or_not():
    assert reply_to(make_question(cut_at(), "true_false", belief="words_are_patches"), 0)[0]
    is_right, why = reply_to(make_question(cut_at(1), "true_false", belief="words_are_patches"), 1)
    assert is_right
    assert why.endswith("`The` is not a word.")


def test_patches_need_a_corpus_that_is_a_text():
    for values, why in (({"corpus": "b2"}, "table of words"), ({"corpus": "prose"}, "1 to 200")):
        with pytest.raises(LessonError, match=why):
            plan(PictureSpec("it", "patches", values, 1))


# ---- morphemes ----

FOUR = ["unbreakable", "kindness", "unhappiness", "readers"]


def meant(words=FOUR, **values) -> PictureFacts:
    return facts_for("morphemes", words=words, **values)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("words", "4"),
        ("boundaries", "7"),
        ("boundaries:readers", "2"),
        ("morphemes:readers", "`read` `er` `s`"),
        ("split:bpe unhappiness", "`un` `happ` `in` `e` `ss</w>`"),
        ("cuts:bpe", "10"),  # 2 + 3 + 4 + 1
        ("right:bpe", "5"),  # 2 + 1 + 1 + 1
        ("wrong:bpe unhappiness", "3"),
        ("missed:bpe unhappiness", "1"),
        ("precision:bpe", "50%"),
        ("recall:bpe", "71.4%"),  # 5 / 7
        ("f1:bpe", "58.8%"),  # 2 · 5 / (10 + 7)
        ("whole:bpe", "0"),
        ("exact:bpe", "1"),
        ("everywhere", "21.2%"),  # 7 / (10 + 7 + 10 + 6)
    ],
)
def test_what_morphemes_say(field, text):
    assert field_text(meant(), field) == text


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("cuts:gpt2", "no row called"),
        ("cuts:bpe table", "no word"),
        ("split:bpe", "no word"),
        ("morphemes:low", "no word"),
    ],
)
def test_what_morphemes_cannot_say(field, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(meant(), field)


def test_morphemes_are_written_and_each_slip_is_told():
    question = make_question(meant(), "morphemes", word="readers")
    assert reply_to(question, "read er s")[0]
    assert reply_to(question, "readers") == (False, "There is more than one part in it.")
    assert reply_to(question, "read ers") == (False, "That is how BPE on characters cuts it.")
    with pytest.raises(LessonLookupError, match="no word"):
        make_question(meant(), "morphemes", word="low")


def test_a_cut_is_offered_without_the_marks_that_would_tell_whose_it_is():
    replies = answers(make_question(meant(), "choose_segmentation", of="bpe", word="kindness"))
    assert replies["`k` `ind` `ne` `ss`"][0]
    assert replies["`kind` `n` `es` `s`"] == (False, "That is how Unigram cuts it.")
    assert replies["`kind` `ness`"] == (False, "Those are the morphemes.")


def test_the_highest_measure():
    replies = answers(make_question(meant(), "highest", measure="recall"))
    assert replies["Unigram"] == (True, "Unigram: 100%.")
    assert replies["BPE on characters"] == (
        False,
        "BPE on characters: 71.4%. The highest is 100%.",
    )
    for values, why in (({"measure": "length"}, "no measure"), ({"measure": 3}, "no measure")):
        with pytest.raises(LessonLookupError, match=why):
            make_question(meant(), "highest", **values)
    with pytest.raises(LessonLookupError, match="2 to 6 rows"):
        make_question(meant(kinds=["bpe"]), "highest")


def test_words_cut_into_just_their_morphemes():
    question = make_question(meant(), "exact", of="bpe")
    replies = answers(question)
    assert reply_to(question, [n for n, one in enumerate(question.options) if one.is_right])[0]
    assert (
        replies["“kindness”"][1] == "“kindness” becomes `k` `ind` `ne` `ss</w>`: 2 cuts too many."
    )
    assert replies["“readers”"][1] == "“readers” becomes `read` `ers</w>`: 1 cut missing."
    with pytest.raises(LessonLookupError, match="no row"):
        make_question(meant(), "exact", of="zz")
    with pytest.raises(LessonLookupError, match="2 to 6 words"):
        make_question(meant([]), "exact", of="bpe")


def test_short_is_right_or_not():
    is_right, why = reply_to(make_question(meant(), "true_false", belief="short_is_right"), 1)
    assert is_right
    assert why.endswith("Unigram has 19 tokens, and 63.6%.")
    assert reply_to(make_question(meant(kinds=["bpe"]), "true_false", belief="short_is_right"), 0)[
        0
    ]


@pytest.mark.parametrize("values", [{"words": ["low"]}, {"kinds": ["words"]}, {"kinds": []}])
def test_morphemes_are_of_our_list_and_tokenizers_trained_ahead(values):
    with pytest.raises(LessonError, match=r"no word|trained ahead"):
        plan(PictureSpec("it", "morphemes", values, 1))


# ---- beyond words ----


def crossed(until=(0, 150), text=ISLAND, merges=300) -> SuperwordsFacts:
    given = {"corpus": "prose", "text": text, "num_merges": merges, "until": list(until)}
    facts = facts_for("superwords", **given)
    assert isinstance(facts, SuperwordsFacts)
    return facts


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("words", "5"),
        ("merges:150", "300"),
        ("lifted:150", "150"),
        ("lifted:words", "300"),
        ("tokens:words 0", "4,469"),  # 4,482 characters, 28 line ends, and a space for 15 lines
        ("merged:words 1", "`▁t`"),
        ("merged:0 1", "`e▁`"),
        ("split:words", "`▁They` `▁walked` `▁to` `▁the` `▁is` `l` `and` `.`"),
        ("length:words", "8"),
        ("superwords:words", "0"),
    ],
)
def test_what_superwords_say(field, text):
    assert field_text(crossed(), field) == text


def test_what_superwords_say_goes_together():
    facts = crossed()
    tokens = {
        name: int(field_text(facts, f"tokens:{name}").replace(",", "")) for name in facts.rows
    }
    assert tokens["150"] < tokens["words"] < tokens["0"]
    assert field_text(facts, "tokens:150 150") == field_text(facts, "tokens:words 150")
    share = 100 * (1 - tokens["150"] / tokens["words"])
    assert field_text(facts, "fewer:150") == f"{share:.1f}%"
    elsewhere = [int(field_text(facts, f"elsewhere:{name}")) for name in ("150", "words")]
    assert field_text(facts, "fewer_elsewhere:150") == percent(1 - elsewhere[0] / elsewhere[1])
    assert field_text(facts, "per_token:150") == f"{4482 / tokens['150']:.2f}"
    made = [step.token for step in facts.rows["150"].merges]
    assert field_text(facts, "superwords:150") == str(sum("▁" in token[1:] for token in made))
    assert (
        field_text(facts, "longest:150") == f"`{max((t for t in made if '▁' in t[1:]), key=len)}`"
    )


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("tokens:9", "no row called"),
        ("tokens:words 301", "only 300 merges"),
        ("tokens:words x", "a whole number"),
        ("merged:words 0", "numbered from 1"),
        ("longest:words", "No piece of this row"),
    ],
)
def test_what_superwords_cannot_say(field, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(crossed(), field)


def test_the_first_pair_across_and_the_less_frequent_ones():
    question = make_question(crossed(), "first_across", of="150")
    replies = answers(question)
    assert [why for is_right, why in replies.values() if is_right] == [plain(question.why)]
    assert plain(question.why).endswith("and no pair more often.")
    assert all("occurs" in why for _, why in replies.values())
    with pytest.raises(LessonLookupError, match="crosses a space"):
        make_question(crossed(), "first_across", of="words")


def test_a_wrong_cut_is_that_of_another_run():
    replies = answers(make_question(crossed(), "choose_segmentation", of="words"))
    assert replies["`▁They` `▁walked` `▁to` `▁the` `▁is` `l` `and` `.`"][0]
    assert (False, "That is “Across spaces at once”.") in replies.values()
    assert (False, "That cuts at every space, and nowhere else.") in replies.values()


def test_the_fewest_tokens_of_the_page():
    replies = answers(make_question(crossed(), "fewest"))
    assert replies["Across spaces after 150 merges"][0]
    assert "The fewest are" in replies["Only inside words"][1]


def test_crossing_helps_or_not():
    assert not reply_to(make_question(crossed(), "true_false", belief="crossing_helps"), 0)[0]
    assert reply_to(make_question(crossed([150]), "true_false", belief="crossing_helps"), 0)[0]
    with pytest.raises(LessonLookupError, match="No merge crosses spaces in this picture"):
        make_question(crossed([]), "true_false", belief="crossing_helps")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"corpus": "python", "text": "a"}, "no text of at most"),
        ({"corpus": "b2", "text": "a"}, "no text of at most"),
        ({"corpus": "prose"}, "1 to 200"),
        ({"corpus": "prose", "text": "a", "until": [1, 2, 3, 4, 5, 6]}, "at most 5 numbers"),
        ({"corpus": "prose", "text": "a", "until": [-1]}, "at most 5 numbers"),
    ],
)
def test_superwords_need_a_short_page_and_a_text(values, why):
    with pytest.raises(LessonError, match=why):
        plan(PictureSpec("it", "superwords", values, 1))


# ---- surgery ----


def operated(text="lowest lower", **values) -> PictureFacts:
    return facts_for("surgery", corpus="b2", num_merges=10, text=text, **values)


@pytest.mark.parametrize(
    ("values", "field", "text"),
    [
        ({"keep": 6}, "split:old", "`low` `est</w>` `low` `e` `r` `</w>`"),
        ({"keep": 4}, "split:new", "`lo` `w` `est</w>` `lo` `w` `e` `r` `</w>`"),
        ({"keep": 4}, "vocabulary:old", "22"),  # 11 symbols, [UNK] and 10 merges
        ({"keep": 4}, "vocabulary:new", "16"),
        ({"keep": 4}, "gone", "6"),
        ({"without": ["lo"]}, "ids:old", "16, 14, 16, 3, 8, 1"),
        ({"without": ["lo"]}, "id:new ne", "17"),
        ({"without": ["lo"], "ids": "renumbered"}, "id:new ne", "15"),
        ({"without": ["lo"], "ids": "renumbered"}, "read", "`new` `est</w>` `new` `e` `r` `</w>`"),
        ({"without": ["es"]}, "gone", "4"),
        ({"without": ["es"]}, "made:newest</w>", "`new` `est</w>`"),
        ({"add": ["west"]}, "id:new west", "22"),
        ({"add": ["west"]}, "tokens:new", "7"),  # lo </w> west low e r </w>
    ],
)
def test_what_surgery_says(values, field, text):
    assert field_text(operated(**values), field) == text


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("split:newer", "no row called"),
        ("id:new lo", "has no piece"),
        ("made:x", "No merge makes"),
        ("read", "no piece for one of the old ids"),
    ],
)
def test_what_surgery_cannot_say(field, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(operated(without=["lo"]), field)


def test_what_goes_along_and_what_stays():
    question = make_question(operated(without=["es"]), "gone_too")
    replies = answers(question)
    right = {plain(one.text) for one in question.options if one.is_right}
    assert right == {"`est`", "`est</w>`", "`newest</w>`"}
    assert replies["`wi`"] == (False, "`wi` was merged from `w` `i`.")
    with pytest.raises(LessonLookupError, match="No other piece goes"):
        make_question(operated(without=["wi"]), "gone_too")


def test_old_ids_read_by_a_new_vocabulary():
    replies = answers(make_question(operated(without=["lo"], ids="renumbered"), "read_back"))
    assert replies["`new` `est</w>` `new` `e` `r` `</w>`"][0]
    wrong = "Only the old vocabulary reads them like this."
    assert replies["`low` `est</w>` `low` `e` `r` `</w>`"] == (False, wrong)
    with pytest.raises(LessonLookupError, match="Close the gaps"):
        make_question(operated(without=["lo"]), "read_back")


def test_a_wrong_cut_undoes_too_much_or_nothing():
    replies = answers(make_question(operated("lowest", keep=6), "choose_segmentation", of="new"))
    assert replies["`low` `est</w>`"][0]
    assert replies["`lo` `w` `est` `</w>`"] == (False, "Those merges are still there.")
    replies = answers(make_question(operated("lowest", keep=2), "choose_segmentation"))
    assert replies["`low` `est</w>`"] == (False, "That is “Before”.")


def test_old_ids_hold_or_not():
    held = {"lowest lower": False, "newest widest": True}
    for text, holds in held.items():
        facts = operated(text, without=["lo"])
        assert reply_to(make_question(facts, "true_false", belief="old_ids_hold"), 0)[0] is holds
    facts = operated(without=["lo"], ids="renumbered")
    assert not reply_to(make_question(facts, "true_false", belief="old_ids_hold"), 0)[0]


def test_what_was_trained_ahead_is_changed_too():
    facts = facts_for("surgery", corpus="python", text="start the art", add=["art"])
    assert field_text(facts, "split:new") == "`st` `art` `Ġthe` `Ġ` `art`"
    assert field_text(facts, "id:new art") == field_text(facts, "vocabulary:old").replace(",", "")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"text": "low"}, "one of add, without and keep"),
        ({"text": "low", "keep": 3, "add": ["a"]}, "one of add, without and keep"),
        ({"keep": 3}, "1 to 200"),
        ({"text": "low", "keep": 3, "ids": "lost"}, "Ids cannot be"),
    ],
)
def test_surgery_needs_a_text_and_one_operation(values, why):
    with pytest.raises(LessonError, match=why):
        plan(PictureSpec("it", "surgery", {"corpus": "b2", **values}, 1))


@pytest.mark.parametrize(
    ("values", "why"), [({"without": ["l"]}, "not made by a merge"), ({"add": [""]}, "is empty")]
)
def test_what_no_surgery_can_do(values, why):
    with pytest.raises(ValueError, match=why):
        operated(**values)


# ---- who chooses the pair ----


def fair(**values) -> ParityFacts:
    facts = facts_for("parity", **{"languages": ["en", "hi"], "share": 10} | values)
    assert isinstance(facts, ParityFacts)
    return facts


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("merges", "60"),
        ("characters:hi", "668"),
        ("bytes:en", "606"),
        ("bytes:hi", "1,678"),
        ("byte_premium:hi", "2.77"),
        ("published:hi", "2.37"),
        ("cost:usual hi", "452"),
        ("cost:parity hi", "318"),
        ("times:usual hi en", "1.92"),
        ("total:usual", "688"),
        ("total:parity", "593"),
        ("change", "−13.8%"),
        ("grows", "0%"),
        ("worst:parity", "Hindi"),
        ("most:parity", "318"),
        ("gini:usual", "0.157"),
        ("gini:parity", "0.036"),
        ("gini_falls", "76.9%"),
        ("gini_left", "23.1%"),
        ("chooser:1", "Hindi"),
        ("count:1", "666"),
        ("paid:1 hi", "786"),
        ("paid:1 en", "286"),
        ("turns:hi", "50"),
        ("first_turn:en", "31"),
        ("together", "0"),
    ],
)
def test_what_parity_says(field, text):
    assert field_text(fair(), field) == text


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("cost:best hi", "no rule called"),
        ("cost:usual zz", "no language called"),
        ("bytes:zz", "no language called"),
        ("chooser:0", "numbered from 1 to 60"),
        ("chooser:x", "a whole number"),
        ("first_turn:zz", "No merge was chosen"),
    ],
)
def test_what_parity_does_not_say(field, why):
    with pytest.raises(LessonLookupError, match=why):
        field_text(fair(), field)


def test_who_chooses_is_asked_of_the_languages():
    question = make_question(fair(), "chooses", merge=31)
    assert [plain(o.text) for o in question.options if o.is_right] == ["English"]
    replies = {plain(option.text): plain(option.why) for option in question.options}
    assert replies["Hindi"] == "Hindi: 285 tokens."
    assert replies["English"].startswith("English has the most tokens, 286.")
    with pytest.raises(LessonLookupError, match="All languages choose"):
        make_question(fair(together=2), "chooses", merge=1)


def test_a_picture_of_parity_needs_two_languages():
    with pytest.raises(LessonError, match="2 languages or more"):
        fair(languages=["en", "en"])
    with pytest.raises(LessonError, match="no language"):
        fair(languages=["en", "zz"])
    with pytest.raises(LessonError, match="at most 500 merges"):
        fair(num_merges=501)


def test_parity_costs_or_not():
    assert not reply_to(make_question(fair(), "true_false", belief="parity_costs"), 0)[0]
    many = fair(languages=[passage.code for passage in LANGUAGES], share=90)
    assert reply_to(make_question(many, "true_false", belief="parity_costs"), 0)[0]
