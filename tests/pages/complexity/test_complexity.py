"""Operations: counts against plain recounts and closed forms; the page with any text."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.complexity import counting, exports, findings
from pages.complexity.counts import (
    FORMS,
    OPERATIONS,
    CountRequest,
    GrowthClaim,
    OperationCount,
    OperationGrowth,
    claimed_exponent,
    measured_exponent,
)
from tests.pages.opening import HOSTILE, checked, html_of, markdown_of, opened, paste, sent_to
from tests.pages.opening import texts_of as said_in
from tokenizers import bpe
from tokenizers.experiments.complexity import operations
from tokenizers.experiments.complexity.operations import exponent
from tokenizers.lattice import Lattice
from tokenizers.plain import merge
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.unigram.settings import convention_settings
from tokenizers.unigram.steps import Expectation
from tokenizers.wordpiece.automaton import Automaton
from tokenizers.wordpiece.matching import match_steps

PAGE = "complexity"
HALVES = [" ".join(HOSTILE[n::2]) for n in range(2)]  # few pages to open, every text in one
PROSE = TEXTS["prose"].text or ""

words = st.text("abc", min_size=1, max_size=12)
corpora = st.dictionaries(words, st.integers(1, 4), min_size=1, max_size=6)


def never(done: int, total: int) -> bool:
    return False


def counted(request: CountRequest, operation: str) -> OperationGrowth:
    return counting.count(never, request, operation)


@pytest.fixture(scope="module")
def growths():
    request = {form: CountRequest(PROSE, form, 20, 512) for form in FORMS}
    return {form: counting.count_all(never, one) for form, one in request.items()}


def named(growths, operation: str, series: str):
    (growth,) = (growth for growth in growths if growth.operation == operation)
    (found,) = (one for one in growth.series if one.name == series)
    return growth, found


# ---- the counts, done again the plain way ----


@given(corpora, st.integers(0, 12))
def test_training_is_counted_as_a_plain_trainer_would(counts, merges):
    trace = Trace.record(Corpus.from_counts(counts), bpe.Settings(num_merges=merges))
    splits = [tuple(word) for word in counts]
    text, different, changed = [], [], []
    for pair in trace.pairs:
        lengths = [len(list(pairwise(split))) for split in splits]
        text.append(sum(n * count for n, count in zip(lengths, counts.values(), strict=True)))
        different.append(sum(lengths))
        after = [merge(split, pair) for split in splits]
        both = zip(splits, after, strict=True)
        changed.append(sum(len(a) - 1 for a, b in both if a != b))
        splits = after
    assert operations.pairs_in_text(trace) == tuple(text)
    assert operations.pairs_in_words(trace) == tuple(different)
    assert operations.pairs_in_changed(trace) == tuple(changed)


@given(corpora, st.integers(0, 12))
def test_what_training_keeps(counts, merges):
    trace = Trace.record(Corpus.from_counts(counts), bpe.Settings(num_merges=merges))
    pairs = {pair for word in counts for pair in pairwise(word)}
    pieces = {letter for word in counts for letter in word} | set(trace.tokens)
    symbols, kept, size = operations.kept_in_training(trace)
    assert (symbols, kept) == (sum(map(len, counts)), len(pairs))
    assert size - len(pieces) in (0, 1), "one for the unknown"


def test_memory_grows_with_the_text_and_the_vocabulary_does_not(growths):
    growth, symbols = named(growths["words"], "bpe_space", "symbols of words")
    _, pieces = named(growths["words"], "bpe_space", "vocabulary")
    assert claimed_exponent(growth, symbols) == pytest.approx(0)
    assert findings.verdict(growth, symbols) == "more steeply than O(V) at these sizes"
    assert symbols.counts[-1] > 4 * symbols.counts[0]
    assert pieces.counts[-1] < 4 * pieces.counts[0]
    assert "fewer values at the largest size" in findings.finding(growth)


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ((10, 6_257), (100, 87_946), "takes 14 times as many steps at the largest size, 10 times"),
        ((90, 8_000), (30, 1_000), "takes 8.0 times fewer steps at the largest size, 3.0 times"),
        ((90, 8_000), (30, 8_001), "takes as many steps at the largest size, 3.0 times fewer"),
        ((30, 8_000), (30, 8_001), "takes as many steps, at the smallest size and at the largest"),
        ((0, 8_000), (0, 80), "takes 100 times fewer steps at the largest size"),
    ],
)
def test_two_counts_are_compared_by_their_amounts(first, last, sentence):
    claim = GrowthClaim("O(n)", "us", (1.0, 2.0))
    counts = [
        OperationCount(name, "", "", claim, one) for name, one in (("one", first), ("two", last))
    ]
    growth = OperationGrowth("bpe_train", "n", (1, 2), tuple(counts), unit="step")
    assert f"“two” {sentence}" in findings.finding(growth)


@given(corpora, words)
def test_encoding_is_counted_as_plain_encoders_would(counts, word):
    trace = Trace.record(Corpus.from_counts(counts), bpe.Settings(num_merges=10))
    steps = list(bpe.merge_steps(word, trace.model().ranks))
    split, looked = tuple(word), 0
    for pair in trace.pairs:  # every rule in its turn
        looked += len(split) - 1
        split = merge(split, pair)
    assert split == bpe.split_after(word, steps)
    assert operations.pairs_rule_by_rule(len(word), len(trace), steps) == looked
    scanned = 0
    for done in range(len(steps) + 1):  # the best of all pairs, until there is none
        scanned += len(bpe.split_after(word, steps[:done])) - 1
    assert operations.pairs_scanned(len(word), len(steps)) == scanned
    at_most = len(word) - 1 + 2 * len(steps)
    assert len(word) - 1 <= operations.pairs_looked_up(len(word), steps) <= at_most


def test_lookups_after_a_merge_are_those_of_its_neighbours():
    ranks = {("b", "c"): 0}
    looked = [
        operations.pairs_looked_up(len(word), list(bpe.merge_steps(word, ranks)))
        for word in ("abcd", "bcd", "abc", "bc", "b", "")
    ]
    assert looked == [3 + 2, 2 + 1, 2 + 1, 1, 0, 0]


@given(st.text("ab", max_size=12), st.sets(st.text("ab", min_size=1, max_size=3)))
def test_edges_are_the_substrings_that_are_pieces(word, pieces):
    logs = dict.fromkeys(pieces, -1.0)
    (edges,) = operations.edges_of([word], logs, -9.0)
    ends = [(i, j) for i in range(len(word)) for j in range(i + 1, len(word) + 1)]
    unknown = sum(letter not in pieces for letter in word)
    assert edges == sum(word[i:j] in pieces for i, j in ends) + unknown
    longest = max(map(len, pieces), default=1)
    assert operations.substrings(len(word), longest) == sum(j - i <= longest for i, j in ends)


def test_edges_in_training_are_those_of_the_lattices():
    corpus = Corpus.from_counts({"hug": 10, "pug": 5, "hugs": 5})
    trace = UnigramTrace.record(corpus, convention_settings("textbook", 7))
    steps = [step for step in trace.steps if isinstance(step, Expectation)]
    counts = [
        sum(
            len(Lattice.build(word, step.log_probs.dict(), -99.0).edges)
            for word in corpus.word_counts
        )
        for step in steps
    ]
    assert operations.edges_in_training(trace) == tuple(counts)
    assert len(set(counts)) > 1


# ---- closed forms ----


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_closed_forms_of_a_word_of_one_letter(n):
    vocab, word = {"a": 1, "##a": 2}, "a" * n
    assert operations.candidates_tried(match_steps(word, vocab)) == n * (n + 1) // 2
    assert len(list(Automaton(vocab).walk(word))) == 2 * n
    assert operations.substrings(n, n) == n * (n + 1) // 2
    assert operations.substrings(n, 1) == n
    assert operations.pairs_scanned(n, n - 1) == n * (n - 1) // 2
    every = {"a" * k: -1.0 for k in range(1, n + 1)}
    assert list(operations.edges_of([word, word], every, -9.0)) == [n * (n + 1) // 2] * 2


@pytest.mark.parametrize("power", [0, 0.5, 1, 2, 3])
def test_the_exponent_of_a_power_is_the_power(power):
    sizes = [32, 64, 128, 256]
    assert exponent(sizes, [7 * n**power for n in sizes]) == pytest.approx(power)


@pytest.mark.parametrize(("sizes", "counts"), [([], []), ([1], [2]), ([1, 2], [0, 3])])
def test_no_exponent(sizes, counts):
    assert exponent(sizes, counts) is None


# ---- growth ----


def test_the_sources_bounds_hold(growths):
    bounds = {"all pairs of the text", "rule by rule", "substrings", "edges, first E step"}
    for found in growths.values():
        for growth in found:
            for series in growth.series:
                if series.name in bounds:
                    below = zip(series.counts, series.claim.values, strict=True)
                    assert all(count <= claim + 1 for count, claim in below)  # ▁ is one more


def test_every_operation_is_counted_at_every_size(growths):
    for found in growths.values():
        assert [growth.operation for growth in found] == list(OPERATIONS)
        for growth in found:
            for series in growth.series:
                assert len(series.counts) == len(series.claim.values) == len(growth.sizes)
                assert list(series.counts) == sorted(series.counts)


def test_what_the_worst_inputs_are_there_for(growths):
    growth, tried = named(growths["repeats"], "wordpiece_encode", "longest match")
    assert tried.counts == tuple(n * (n + 1) // 2 for n in growth.sizes)
    assert measured_exponent(growth, tried) == pytest.approx(2, abs=0.05)
    assert findings.verdict(growth, tried) == "as O(n²) says"
    growth, scanned = named(growths["repeats"], "bpe_encode", "best of all pairs")
    assert scanned.counts == tuple(n * (n - 1) // 2 for n in growth.sizes)
    growth, tried = named(growths["words"], "wordpiece_encode", "longest match")
    assert findings.verdict(growth, tried) == "less than O(n²) allows"
    growth, tried = named(growths["unmatched"], "wordpiece_encode", "longest match")
    assert tried.counts == growth.sizes
    growth, moves = named(growths["unmatched"], "wordpiece_encode", "LinMaxMatch")
    assert set(moves.counts) == {1}


def test_claims_have_the_exponent_they_should(growths):
    exponents = {"O(n²)": 2, "O(n·m)": 1, "O(n·k)": 1, "O(n)": 1}
    for growth in growths["words"]:
        for series in growth.series:
            if series.claim.formula in exponents:
                assert claimed_exponent(growth, series) == pytest.approx(
                    exponents[series.claim.formula]
                )


@pytest.mark.parametrize(
    ("merges", "note"),
    [
        (3, "V is 3 merges."),
        (20, "V is 20 merges; the shortest text has pairs for only 18."),
        (400, "V is 400 merges; the shortest text has pairs for only 18, the longest for 56."),
    ],
)
def test_the_note_tells_which_texts_run_out_of_pairs(merges, note):
    assert counted(CountRequest(PROSE, "words", merges, 128), "bpe_train").note == note


def test_the_digits_of_the_number_of_segmentations():
    growth = counted(CountRequest(PROSE, "words", 5, 64), "unigram_encode")
    assert f"a number of {len(str(2**63))} digits" in growth.note


@pytest.mark.parametrize("text", ["", "short", "x" * 63, " " * 100], ids=len)
def test_too_short_a_text_gets_a_sentence(text):
    with pytest.raises(ValueError, match="too short to grow"):
        counted(CountRequest(text), "bpe_train")


def test_stopping_gets_a_sentence():
    with pytest.raises(ValueError, match="stopped"):
        counting.count_all(lambda done, total: done == 2, CountRequest(PROSE, largest=64))


# ---- the page ----


def test_the_exported_tables_have_every_count(growths):
    every = growths["words"]
    growth = every[0]
    rows = exports.sizes(growth).rows
    assert [row[0] for row in rows] == list(growth.sizes)
    for n, series in enumerate(growth.series, start=1):
        assert [row[n] for row in rows] == list(series.counts)
        assert [row[n + len(growth.series)] for row in rows] == list(series.claim.values)
    claims = exports.claims(every).rows
    assert len(claims) == sum(len(one.series) for one in every)
    assert {row[6] for row in claims} == {
        "" if (found := measured_exponent(one, series)) is None else found
        for one in every
        for series in one.series
    }


def test_the_menu_offers_the_chart_and_the_tables():
    app = opened(PAGE)
    app.session_state["export"] = True
    checked(app.run())
    assert not app.error
    (files,) = [one for one in app.selectbox if one.key == "export_file"]
    assert files.options == [
        "The chart as SVG", "The chart as PNG", "Every size as CSV",
        "What is counted as CSV", "Claims and counts as CSV",
    ]  # fmt: skip


def test_the_page_opens_with_its_finding():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    sentence = (
        r"When N doubles, “all pairs of the text” takes [\d.]+ times as many operations, "
        r"as O\(N·V\) says\."
    )
    view = sent_to(app, "finding")
    assert re.search(sentence, view["finding"])
    assert view["chart"].count("<path d=") > 3
    assert "logarithmic scales" in view["chart"].split("</title>")[0]
    assert html_of(app).count('<th scope="row"><bdi>BPE encoding</bdi></th>') == 3


@pytest.mark.parametrize("form", FORMS)
def test_every_form_and_operation(form):
    for operation in OPERATIONS:
        app = opened(PAGE, form=form, operation=operation, largest="128", rules="10")
        assert not app.error
        assert not app.toast
        one = "value" if operation == "bpe_space" else "operation"
        assert f"what one {one} is" in sent_to(app, "finding")["table"]


@pytest.mark.parametrize("panel", ["Claims and counts", "Every size", "The code"])
def test_a_cold_deep_link_to_every_panel(panel):
    app = opened(PAGE, panel=panel, form="repeats", operation="wordpiece_encode", largest="256")
    assert not app.error
    if panel == "Every size":
        cells = '<th scope="row" class="n">256</th><td class="n">32,896</td><td class="n">512'
        assert cells in html_of(app)


@pytest.mark.parametrize(
    ("name", "value"),
    [("form", "x"), ("operation", "sort"), ("largest", "1e9"), ("rules", "inf"), ("grows", "b2")],
)
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened(PAGE, **{name: value})
    assert sent_to(app, "finding")["finding"].startswith(
        "When N doubles, “all pairs of the text” takes"
    )
    assert not app.error


@pytest.mark.parametrize("text", ["", " ", "short", "\n" * 80, "\u3000" * 100], ids=len)
def test_a_text_that_cannot_grow_gets_a_sentence(text):
    app = opened(PAGE, grows="own", text=text)
    assert len(app.error) == 1
    assert re.search("too short to grow", said_in(app.error)[0])


@pytest.mark.parametrize("text", [*HALVES, "👩🏽‍🚀", "नमस्ते "])
def test_any_text_grows_and_stays_text(text):
    app = opened(PAGE, grows="own", text=(text * 40)[:1_400], largest="128", rules="10")
    assert not app.error
    for part in ("alert", "evil", "**b**", "\u202e"):
        assert part not in markdown_of(app) + html_of(app) + str(sent_to(app, "finding"))


def test_a_long_text_is_used_in_part():
    app = paste(opened(PAGE, grows="own", largest="128"), "the lowest tide " * 2_000)
    assert "The text has 32,000 characters; the first 16,384 are used." in said_in(app.info)
    assert not checked(app).error
