"""WordPiece: the worked examples figure by figure, and every rule on a small case.

The examples are those that published introductions use. Where a publication prints another figure
than the one here, counting gives the one here.
"""

from fractions import Fraction
from itertools import pairwise, product

import pytest

from lessons.texts import TEXTS
from tokenizers import bpe, plain
from tokenizers.merging.state import merged_token, token_count_deltas
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.wordpiece import (
    MARK,
    Model,
    Settings,
    decode,
    encode,
    ranking,
    score,
    split_word,
    start,
    tied_pairs,
    train,
    vocabulary,
    word_steps,
)
from tokenizers.wordpiece.automaton import Automaton, Move
from tokenizers.wordpiece.matching import Match, match_steps

W1 = {
    **{"sunflower": 1, "sun": 2, "flower": 1, "flow": 1, "flowers": 1},
    **{"flowing": 2, "flows": 2, "flowed": 1},
}
HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
COURSE = (
    "This is the Hugging Face Course. "
    "This chapter is about tokenization. "
    "This section shows several tokenizer algorithms. "
    "Hopefully, you will be able to understand how they are trained and generate tokens."
)


def record(counts, **settings):
    return Trace.record(Corpus.from_counts(counts), Settings(**settings))


def learn(text, normalizers=(), pre_tokenizer="spaces", **settings):
    corpus = Corpus.from_text(text, Pipeline(normalizers, pre_tokenizer))
    return Trace.record(corpus, Settings(**settings)).model()


def by_hand(pieces, **settings):
    return Model(vocabulary(pieces.split()), Settings(**settings))


def log(trace):
    """Write a run as `e+s 1/9:3`: the pair, its score, how many pairs were as good."""
    steps = (trace.step(k) for k in range(1, len(trace) + 1))
    return " ".join(f"{'+'.join(step.pair)} {step.score}:{step.num_tied}" for step in steps)


def tokens(text, model):
    return " ".join(encode(text, model).tokens)


# --- W1: sunflower --------------------------------------------------------------------------------


def test_w1_base_symbols():
    state = record(W1).state(0)
    assert " ".join(state.vocab) == "##d ##e ##f ##g ##i ##l ##n ##o ##r ##s ##u ##w f s"
    assert state.split(0) == ("s", *(f"##{letter}" for letter in "unflower"))
    assert (state.token_counts["s"], state.token_counts["##n"]) == (3, 5)


@pytest.mark.parametrize(
    ("k", "pair", "count", "parts", "printed"),
    [
        (0, "s ##u", 3, (3, 3), 0.33),
        (0, "##u ##n", 3, (3, 5), 0.2),
        (0, "##n ##f", 1, (5, 1), 0.2),
        (0, "##f ##l", 1, (1, 9), 0.11),
        (0, "##l ##o", 9, (9, 9), 0.11),
        (0, "##e ##r", 3, (4, 3), 0.25),
        (0, "##e ##d", 1, (4, 1), 0.25),
        (1, "su ##n", 3, (3, 5), 0.2),
        (1, "##n ##f", 1, (5, 1), 0.2),
        (1, "##e ##r", 3, (4, 3), 0.25),
        (1, "##e ##d", 1, (4, 1), 0.25),
        (2, "##e ##d", 1, (1, 1), 1),
        (2, "su ##n", 3, (3, 5), 0.2),
    ],
)
def test_w1_scores_as_printed(k, pair, count, parts, printed):
    state, (first, second) = record(W1).state(k), pair.split()
    assert state.pair_counts[first, second] == count
    assert (state.token_counts[first], state.token_counts[second]) == parts
    assert score(state, (first, second)) == Fraction(count, parts[0] * parts[1])
    assert round(float(score(state, (first, second))), 2) == printed


def test_w1_run():
    trace = record(W1)
    assert log(trace) == (
        "s+##u 1/3:1 ##e+##r 1/4:2 ##e+##d 1:1 su+##n 1/5:4 ##i+##n 1/2:2 ##in+##g 1/2:1"
        " sun+##f 1/3:1 sunf+##l 1/9:8 f+##l 1/8:1 sunfl+##o 1/9:7 fl+##o 1/8:1 sunflo+##w 1/9:6"
        " sunflow+##er 1/3:1 ##er+##s 1/6:1 flo+##w 1/8:6 flow+##er 1/8:5 flow+##ers 1/7:4"
        " flow+##ing 1/6:3 flow+##s 1/4:2 flow+##ed 1/2:1"
    )
    assert trace.tokens[:3] == ["su", "##er", "##ed"]
    assert trace.stop_reason == "every word is a single piece, so no pair is left"


def test_w1_second_merge_is_a_tie():
    trace = record(W1)
    assert set(tied_pairs(trace.state(1), ("##e", "##r"), trace.settings)) == {
        ("##e", "##r"),
        ("##e", "##d"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [("fused", "f ##u ##s ##ed"), ("funny", UNK), ("fused funny", "f ##u ##s ##ed [UNK]")],
)
def test_w1e_after_three_merges(text, expected):
    assert tokens(text, record(W1).model(3)) == expected


def test_w1e_what_was_tried():
    steps = word_steps("funny", record(W1).model(3))
    assert [(step.start, step.piece) for step in steps] == [
        (0, "f"), (1, "##u"), (2, "##n"), (3, "##n"), (4, None),
    ]  # fmt: skip
    assert steps[0] == Match(0, 1, ("funny", "funn", "fun", "fu"), "f")
    assert steps[-1] == Match(4, 4, ("##y",), None)


# --- W2: unaffordable -----------------------------------------------------------------------------


def test_w2():
    model = by_hand("un afford ##afford ##able able car")
    assert tokens("unaffordable", model) == "un ##afford ##able"
    assert tokens("able affordable unable", model) == "able afford ##able un ##able"
    assert tokens("cars", model) == UNK
    assert [len(step.rejected) for step in word_steps("unaffordable", model)] == [10, 4, 0]


# --- W3: scores without marks ---------------------------------------------------------------------

W3 = Settings(mark="", base="end_of_word")


@pytest.mark.parametrize(
    ("pair", "fraction", "rounded"),
    [
        ("ry", (1, 3), 0.3333),
        ("ba", (1, 6), 0.1667),
        ("ad", (1, 6), 0.1667),  # a source prints 0.16 and calls it the highest
        ("ab", (1, 6), 0.1667),
        ("no", (1, 39), 0.0256),  # ... 0.020
        ("in", (7, 130), 0.0538),  # ... 0.050
        ("kn", (1, 13), 0.0769),  # ... 0.076
    ],
)
def test_w3_scores(pair, fraction, rounded):
    state = start(Corpus.from_text(TEXTS["b3"].text or ""), W3)
    assert score(state, (pair[0], pair[1])) == Fraction(*fraction)
    assert round(float(score(state, (pair[0], pair[1]))), 4) == rounded


def test_w3_what_is_merged_first():
    trace = Trace.record(Corpus.from_text(TEXTS["b3"].text or ""), W3)
    state = trace.state(0)
    assert (trace.pairs[0], trace.step(1).score, trace.num_tied[0]) == (
        ("r", "y"),
        Fraction(1, 3),
        1,
    )
    assert ranking(state, 1) == [("r", "y")]
    assert set(ranking(state, 4)[1:]) == {("b", "a"), ("a", "d"), ("a", "b")}
    assert set(tied_pairs(state, ("a", "d"), trace.settings)) == set(ranking(state, 4)[1:])


# --- W4: the score is not BPE's tie-breaker -------------------------------------------------------


def partitions(n, most):
    """Yield the lengths of words that make `n` letters, the longest first."""
    if n == 0:
        yield ()
    for length in range(min(n, most), 0, -1):
        for rest in partitions(n - length, length):
            yield (length, *rest)


def corpora(n):
    """Yield every corpus of `n` letters out of at most four, those that are alike left out."""
    for lengths in partitions(n, n):
        for letters in product("abcd", repeat=n):
            first_seen = list(dict.fromkeys(letters))
            if first_seen == sorted(first_seen):
                rest = iter(letters)
                yield tuple("".join(next(rest) for _ in range(length)) for length in lengths)


def picks(words, mark):
    """Return what BPE and WordPiece merge first; None unless all counts and all scores differ."""
    splits, ones = [plain.characters(word, mark) for word in words], [1] * len(words)
    counts, scores = plain.count_pairs(splits, ones), plain.scores(splits, ones)
    if not counts or len(counts) > min(len(set(counts.values())), len(set(scores.values()))):
        return None
    return max(counts, key=counts.__getitem__), max(scores, key=scores.__getitem__)


def refutes(words, mark, doubles):
    if not doubles and any(a == b for word in words for a, b in pairwise(word)):
        return False
    both = picks(words, mark)
    return both is not None and both[0] != both[1]


@pytest.mark.parametrize(
    ("mark", "doubles", "smallest"),
    [
        ("##", True, ("aaaa",)),  # ##a+##a twice, but ##a is in everything: a+##a scores 1/3
        ("", True, ("aaab",)),
        ("##", False, ("aba", "ab", "a")),
        ("", False, ("abc", "ab", "a")),
    ],
)
def test_w4_the_smallest_corpus_where_the_two_part_without_any_tie(mark, doubles, smallest):
    found = (words for n in range(1, 8) for words in corpora(n) if refutes(words, mark, doubles))
    assert next(found) == smallest


@pytest.mark.parametrize("mark", ["##", ""])
def test_w4_as_the_core_has_it(mark):
    corpus = Corpus.from_counts({"ab": 2, "cd": 1})
    by_count = Trace.record(corpus, bpe.Settings(base="characters"))
    by_score = Trace.record(corpus, Settings(mark=mark))
    assert (by_count.tokens[0], by_score.tokens[0]) == ("ab", "cd")
    assert (by_count.num_tied[0], by_score.num_tied[0]) == (1, 1)
    assert (by_count.step(1).count, by_count.step(1).score) == (2, Fraction(1, 2))
    assert (by_score.step(1).count, by_score.step(1).score) == (1, Fraction(1))


# --- The Hugging Face course ----------------------------------------------------------------------


def test_course_hug_table():
    trace = record(HUG)
    state = trace.state(0)
    assert " ".join(state.vocab) == "##g ##n ##s ##u b h p"
    assert score(state, ("##g", "##s")) == Fraction(1, 20)
    others = [pair for pair in state.pair_counts if pair != ("##g", "##s")]
    assert {score(state, pair) for pair in others} == {Fraction(1, 36)}
    assert (trace.tokens[:2], trace.num_tied[:2]) == (["##gs", "hu"], [1, 6])


def test_course_hug_third_merge():
    """The course prints hug here: (hu, ##g) with 2/45. But (hu, ##gs) scores more."""
    trace = record(HUG)
    state = trace.state(2)
    assert score(state, ("hu", "##g")) == Fraction(2, 45)
    assert score(state, ("hu", "##gs")) == Fraction(1, 15) == trace.step(3).score
    assert trace.tokens[2] == "hugs"


def test_course_four_sentences():
    corpus = Corpus.from_text(COURSE, Pipeline((), "bert"))
    trace = Trace.record(corpus, Settings(num_merges=25))
    assert " ".join(trace.tokens) == (
        "ab ##fu Fa Fac ##ct ##ful ##full ##fully Th ch ##hm cha chap chapt ##thm Hu Hug Hugg sh"
        " th is ##thms ##za ##zat ##ut"
    )
    model = trace.model()
    assert len(model.vocab) == 66  # 70 in the course, which has four more special tokens
    assert tokens("Hugging HOgging", model) == "Hugg ##i ##n ##g [UNK]"
    assert tokens("This is the Hugging Face course!", model) == (
        "Th ##i ##s is th ##e Hugg ##i ##n ##g Fac ##e c ##o ##u ##r ##s ##e [UNK]"
    )


def test_course_four_sentences_as_the_library_does_it():
    corpus = Corpus.from_text(COURSE, Pipeline((), "bert"))
    options = Settings(num_merges=25, ties="smallest_ids", convention="hugging_face")
    assert " ".join(Trace.record(corpus, options).tokens) == (
        "##er to ##en Th ##is ##ken ##nd ##ou token This ab is se th ##at ##in ##io ##iz ##ll ##ow"
        " tokeniz the ##ion Cou Fa"
    )


# --- Conventions and settings ---------------------------------------------------------------------


def test_hugging_face_begins_with_every_character_without_the_mark():
    state = record({"ba": 1, "cab": 1}, convention="hugging_face", num_merges=0).state(0)
    assert state.vocab == ["a", "b", "c", "##a", "##b"]
    assert record({"ba": 1, "cab": 1}, num_merges=0).state(0).vocab == ["##a", "##b", "b", "c"]


def test_hugging_face_merges_by_count():
    counts = {"ab": 2, "cd": 1}
    assert record(counts, convention="hugging_face").tokens == ["ab", "cd"]
    trace = record({"ab": 1, "cb": 1}, convention="hugging_face", ties="smallest_ids")
    assert tied_pairs(trace.state(0), ("a", "##b"), trace.settings) == [("a", "##b"), ("c", "##b")]


@pytest.mark.parametrize(
    ("mark", "split", "first"),
    [
        ("##", "a ##b ##c", "ab"),
        ("_", "a _b _c", "ab"),
        ("", "a b c", "ab"),
        ("b", "a bb bc", "ab"),
    ],
)
def test_the_mark_can_be_chosen(mark, split, first):
    trace = record({"abc": 1}, mark=mark)
    assert trace.split(0, 0) == tuple(split.split())
    assert trace.tokens == [first, "abc"]
    assert trace.split(0, 2) == ("abc",)


@pytest.mark.parametrize(
    ("pair", "token"),
    [(("su", "##n"), "sun"), (("##f", "##l"), "##fl"), (("#", "###"), "##"), (("a", "##"), "a")],
)
def test_what_a_pair_makes(pair, token):
    assert merged_token(pair, MARK) == token


def test_a_token_that_is_also_a_part_of_its_pair():
    """A word that begins with the mark: its ## and the x behind make what ##x is called too."""
    assert token_count_deltas(("##", "##x"), "##x", 2) == {"##": -2, "##x": 0}
    trace = record({"##x": 2, "ax": 1})
    assert trace.split(0, len(trace)) == ("##x",)
    for k in range(len(trace) + 1):
        splits = trace.state(k).splits
        assert trace.state(k).token_counts == plain.count_tokens(splits, [2, 1])


@pytest.mark.parametrize(
    ("options", "merges", "why"),
    [
        ({"num_merges": 2}, 2, "all 2 merges are done"),
        ({"num_merges": 0}, 0, "you asked for 0 merges"),
        ({"vocab_size": 17}, 3, "the vocabulary has reached 17 pieces"),
        ({"vocab_size": 3}, 0, "the vocabulary already has 14 pieces, more than the 3 you"),
        ({"min_count": 9}, 2, "the most frequent pair left occurs 8 times, below"),
        ({"min_count": 0}, 20, "no pair is left"),
        ({"min_count": 10}, 0, "occurs 9 times, below the minimum of 10"),
        ({}, 20, "every word is a single piece, so no pair is left"),
    ],
)  # fmt: skip
def test_when_a_run_stops(options, merges, why):
    trace = record(W1, **options)
    assert len(trace) == merges
    assert why in trace.stop_reason


def test_the_minimum_keeps_rare_pairs_out_whatever_their_score():
    assert log(record({"ab": 2, "cd": 1}, min_count=2)) == "a+##b 1/2:1"
    assert log(record({"ab": 2, "cd": 2, "ef": 1}, min_count=2)).startswith("a+##b 1/2:2")


@pytest.mark.parametrize("convention", ["score", "hugging_face"])
def test_nothing_to_learn_from(convention):
    trace = record({}, convention=convention)
    assert (len(trace), trace.stop_reason) == (
        0,
        "every word is a single piece, so no pair is left",
    )
    assert list(trace.model().vocab) == [UNK]
    assert encode("a", trace.model()).tokens == (UNK,)


def test_the_reason_is_what_the_generator_returns():
    run = train(Corpus.from_counts({"ab": 1}), Settings(num_merges=1))
    assert next(run).token == "ab"
    with pytest.raises(StopIteration) as end:
        next(run)
    assert end.value.value == "the one merge you asked for is done"


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        ("first_seen", "dc"),
        ("smallest_ids", "fe"),
        ("smallest_string", "ba"),
        ("largest_string", "fe"),
    ],
)
def test_each_tie_rule_takes_another_pair(rule, first):
    corpus, settings = Corpus.from_counts({"dc": 2, "ba": 2, "fe": 2}), Settings(ties=rule)
    state = start(corpus, settings)
    state.vocab = {symbol: n for n, symbol in enumerate(reversed(state.vocab))}
    step = next(train(corpus, settings, state))
    assert (step.token, step.num_tied) == (first, 3)


def test_the_position_of_a_pair_is_counted_in_letters():
    """So it stays the same when pairs to its left are merged, and marks vanish."""
    state = start(Corpus.from_counts({"abcdef": 1}), Settings())
    assert state.first_position(("##e", "##f")) == (0, 4)
    for pair in (("##b", "##c"), ("a", "##bc")):
        state.apply(state.merge(pair))
        assert state.first_position(("##e", "##f")) == (0, 4)
    assert state.splits == [("abc", "##d", "##e", "##f")]


def test_a_token_that_inside_other_words_is_there_already():
    """With the mark ab, a word that begins with ab can make a token that others have inside."""
    corpus, mark = Corpus.from_counts({"abaca": 1, "ac": 2}), "ab"
    first = start(corpus, Settings(mark=mark))
    run = plain.train_merges(first.splits, first.word_counts, plain.scores, mark=mark)
    expected = [(pair, best, len(tied)) for pair, best, tied, _ in run]
    steps = train(corpus, Settings(mark=mark))
    assert [(step.pair, step.score, step.num_tied) for step in steps] == expected


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"base": "bytes"}, "base is 'bytes'; it must be one of characters, end_of_word"),
        ({"ties": "random"}, "ties is 'random'; it must be one of first_seen"),
        ({"convention": "google"}, "convention is 'google'; it must be one of score"),
        ({"end_mark": ""}, "end-of-word mark is empty"),
        ({"num_merges": -1}, "num_merges is -1"),
        ({"vocab_size": -1}, "vocab_size is -1"),
        ({"min_count": -1}, "min_count is -1"),
    ],
)
def test_settings_that_mean_nothing(wrong, message):
    with pytest.raises(ValueError, match=message):
        Settings(**wrong)


def test_scores_that_floating_point_cannot_tell_apart():
    """(c, d) comes first in the corpus, so a tie would go to it; but (a, b) scores a hair more."""
    i = j = 10**5
    m = i * j - 1
    counts = {"cd": m, "c": i, "d": j, "ab": m + i + j + 1}
    trace = record(counts, mark="")
    cd, ab = (score(trace.state(0), pair) for pair in (("c", "d"), ("a", "b")))
    assert float(cd) == float(ab)
    assert cd < ab
    assert (trace.pairs[0], trace.num_tied[0]) == (("a", "b"), 1)
    assert tied_pairs(trace.state(0), ("a", "b"), trace.settings) == [("a", "b")]
    assert ranking(trace.state(0)) == [("a", "b"), ("c", "d")]


def test_ranking():
    state = record(W1).state(1)
    ranked = ranking(state)
    scores = [score(state, pair) for pair in ranked]
    assert scores == sorted(scores, reverse=True)
    assert set(ranked) == set(state.pair_counts)
    assert ranking(state, 3) == ranked[:3]
    assert ranking(state, min_count=9) == [("##l", "##o"), ("##o", "##w")]


# --- Encoding -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "offsets"),
    [
        ("unable", "un ##able", [(0, 2), (2, 6)]),
        ("  able unabl able", "able [UNK] able", [(2, 6), (7, 12), (13, 17)]),
        ("", "", []),
        ("un", "un", [(0, 2)]),
        ("##able", "##able", [(0, 6)]),  # spelled out in the text it is found as it is
        ("##ableable", "##able ##able", [(0, 6), (6, 10)]),
    ],
)
def test_encoding_and_offsets(text, expected, offsets):
    encoding = encode(text, by_hand("un able ##able"))
    assert " ".join(encoding.tokens) == expected
    assert list(encoding.offsets) == offsets


def test_what_an_encoding_holds():
    encoding = encode("unable able x", by_hand("un able ##able"))
    assert encoding.tokens == ("un", "##able", "able", UNK)
    assert encoding.ids == (1, 3, 2, 0)
    assert encoding.pieces == ("un", "##able", "able", "x")
    assert encoding.words == (0, 0, 1, 2)


@pytest.mark.parametrize(("length", "expected"), [(100, "a " + "##a " * 99), (101, UNK)])
def test_words_that_are_too_long(length, expected):
    model = by_hand("a ##a")
    assert tokens("a" * length, model) == expected.strip()


def test_a_long_word_is_unknown_even_if_it_is_in_the_vocabulary():
    model = Model(vocabulary(["abcd", "a"]), max_word_length=3)
    assert encode("abcd a", model).tokens == (UNK, "a")
    assert word_steps("abcd", model) == []
    assert split_word("abcd", model) is None
    assert split_word("", model) == ()


def test_an_end_mark_is_matched_with_its_word():
    model = by_hand("low </w> lower</w>", mark="", base="end_of_word")
    encoding = encode("low lower lo", model)
    assert encoding.tokens == ("low", "</w>", "lower</w>", UNK)
    assert encoding.offsets == ((0, 3), (3, 3), (4, 9), (10, 12))
    assert decode(encoding.ids, model) == "low lower [UNK]"


def test_unknown_however_its_beginning_is_spelled():
    assert tokens("low", by_hand("low", mark="", base="end_of_word")) == UNK


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unable able", "unable able"),
        ("able, unable!", "able , unable !"),
        ("able xyz", "able [UNK]"),
        ("##able", "##able"),
        ("", ""),
    ],
)
def test_decoding(text, expected):
    vocab = vocabulary(["un", "able", "##able", ",", "!"])
    model = Model(vocab, pipeline=Pipeline((), "bert" if "#" not in text else "spaces"))
    assert decode(encode(text, model).ids, model) == expected


def test_decoding_refuses_ids_that_are_not_there():
    with pytest.raises(ValueError, match="of 2 pieces has no id 7"):
        decode([7], by_hand("a"))


def test_offsets_lead_to_the_raw_text():
    model = learn("tokyo 東", ("bert",), "bert")
    encoding = encode("Tōkyō　東京\u0301 TOKYO", model)
    assert encoding.tokens == ("tokyo", "東", UNK, "tokyo")
    assert encoding.offsets == ((0, 5), (6, 7), (7, 8), (10, 15))


# --- LinMaxMatch ----------------------------------------------------------------------------------

SONG = ["a", "abcdx", "##b", "##c", "##cdy", "##dz"]  # the vocabulary of the paper's figure


def test_linmaxmatch_as_in_the_paper():
    automaton = Automaton(SONG)
    nodes = {node.text: (node.pops, node.failure) for node in automaton.nodes}
    failure = {text: link and automaton.nodes[link].text for text, (_, link) in nodes.items()}
    assert {text: nodes[text][0] for text in ("a", "ab", "abc", "abcd", "abcdx")} == {
        "a": ("a",),
        "ab": ("a",),
        "abc": ("a", "##b"),
        "abcd": ("a", "##b"),
        "abcdx": ("abcdx",),
    }
    assert failure["ab"] == "##b"
    assert failure["abc"] == "##c"
    assert failure["abcd"] == "##cd"
    assert failure["abcdx"] == "##"
    assert failure["##cd"] == "##d"
    assert automaton.split("abcdz") == ("a", "##b", "##c", "##dz")
    assert automaton.split("abcd") is None


def test_a_walk_move_by_move():
    automaton = Automaton(["a", "ab", "##c", "##bd"])
    moves = list(automaton.walk("abd"))
    texts = [node.text for node in automaton.nodes]
    assert [(move.position, texts[move.node], move.read, move.pops) for move in moves] == [
        (0, "", "a", ()), (1, "a", "b", ()), (2, "ab", "", ("ab",)), (2, "##", "", ()),
    ]  # fmt: skip
    assert moves[-1] == Move(2, 1, "", (), None)
    assert automaton.split("abd") is None  # as longest match first takes ab and gets stuck
    assert automaton.split("abc") == ("ab", "##c")


@pytest.mark.parametrize("word", ["##", "##q", "#", "###", "####q", "q", ""])
def test_linmaxmatch_where_a_word_spells_the_mark(word):
    vocab = {"#", "###", "##q", "q"}
    steps = [step.piece for step in match_steps(word, vocab)]
    expected = None if None in steps else tuple(steps)
    assert Automaton(vocab).split(word) == expected == plain.longest_match(word, vocab, MARK)


def test_the_mark_alone_is_no_piece_inside_a_word():
    automaton = Automaton(["##", "a", ""])
    assert [node.text for node in automaton.nodes if node.piece] == ["##", "a"]
    assert not automaton.nodes[1].piece
    assert automaton.split("##") == ("##",)


def test_walks_are_linear():
    for length in (10, 100, 1000):
        word = "a" * length
        moves = list(Automaton(["a", "##a", "##" + "a" * 50 + "b"]).walk(word))
        assert len(moves) <= 4 * length
