"""The race of three: every number recomputed from the runs, by plain means."""

import json
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import TEXTS
from pages.race import exports, overlap
from pages.race.charts import (
    finding,
    html_agreement,
    html_pairs,
    html_regions,
    shares_chart,
    shares_finding,
    sizes_chart,
    sizes_finding,
)
from pages.race.frames import _RaceFrames, record_race, run_race
from pages.race.race import NAMES, PIPELINE, Race, comparable, marked, race, unigram_settings
from pages.shared.export import trace_json
from pages.shared.export.replay.races import replay_race
from pages.shared.training.source import CorpusSource
from tests.call_counts import examples
from tests.pages.opening import columns_of, lines_of
from tokenizers import bpe, unigram, wordpiece
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus

PROSE = CorpusSource(text=TEXTS["prose"].text or "")
COURSE = CorpusSource(counts=TEXTS["course"].counts)


def never(done: int, total: int) -> bool:
    return False


def raced(source: CorpusSource, goal: int, rule: str = "score", follow: str = "") -> Race:
    return race(never, source, goal, rule, follow)


@pytest.fixture(scope="module")
def prose() -> Race:
    """The page of prose, to 150 pieces."""
    return raced(PROSE, 150)


sources = st.dictionaries(
    st.text("abc▁#", min_size=1, max_size=5), st.integers(1, 9), min_size=1, max_size=5
).map(lambda counts: CorpusSource(counts=counts))


def test_all_three_arrive_at_the_same_size_together(prose):
    assert [runner.sizes[stage] for runner, stage in _at(prose, prose.last)] == [150] * 3
    assert [stage for _, stage in _at(prose, 0)] == [0] * 3
    assert prose.last == max(runner.goal_stage for runner in prose.runners)
    bpe_, wordpiece_, unigram_ = prose.runners
    assert bpe_.sizes[0] < 150 < unigram_.sizes[0]
    assert wordpiece_.sizes[0] < 150


def _at(found: Race, position: int):
    return list(zip(found.runners, found.stages(position), strict=True))


def test_the_stages_only_ever_go_on(prose):
    stages = [prose.stages(position) for position in range(prose.last + 1)]
    for runner in range(len(NAMES)):
        walked = [stage[runner] for stage in stages]
        assert walked == sorted(walked)


def test_the_vocabularies_are_those_of_the_models_themselves(prose):
    """Each trained again separately, and made comparable by the plain rule."""
    corpus = Corpus.from_text(TEXTS["prose"].text or "", PIPELINE)
    grown = Trace.record(corpus, bpe.Settings(base="metaspace", vocab_size=150))
    assert prose.runners[0].vocab(prose.runners[0].goal_stage) == set(grown.state(len(grown)).vocab)
    matched = Trace.record(corpus, wordpiece.Settings(vocab_size=150))
    pieces = {
        piece[2:] if piece.startswith("##") and piece != "##" else "▁" + piece
        for piece in matched.state(len(matched)).vocab
    }
    assert prose.runners[1].vocab(prose.runners[1].goal_stage) == pieces
    counts = {"▁" + word: n for word, n in corpus.word_counts.items()}
    shrunk = UnigramTrace.record(Corpus(counts), unigram_settings(150, sum(map(len, counts))))
    assert prose.runners[2].vocab(prose.runners[2].goal_stage) == set(shrunk.state(len(shrunk)))


@given(sources, st.integers(1, 30), st.sampled_from(["score", "hugging_face"]))
@examples(40)
def test_every_stage_spells_every_word(source, goal, rule):
    found = raced(source, goal, rule)
    words = list(found.words)
    for runner in found.runners:
        assert runner.goal_stage + 1 == len(runner.tokens) == len(runner.watched)
        assert len(runner.sizes) == len(runner.gained) + 1 == len(runner.lost) + 1
        for word, split in zip(words, runner.splits, strict=True):
            assert "".join(split) == marked(word)
        for cuts in runner.watched:
            assert ["".join(cut) for cut in cuts] == [marked(words[n]) for n in found.watched]


@given(sources, st.integers(1, 30))
@examples(40)
def test_the_regions_hold_every_piece_once(source, goal):
    found = raced(source, goal)
    met = overlap.overlap_at(found, found.last)
    pieces = [piece for some in met.regions.values() for piece in some]
    assert len(pieces) == len(set(pieces)) == met.num_in_any
    for pair in overlap.PAIRS:
        both = [p for p in met.vocabs[pair[0]] if p in met.vocabs[pair[1]]]
        either = len(met.vocabs[pair[0]]) + len(met.vocabs[pair[1]]) - len(both)
        assert met.num_shared(pair) == len(both)
        assert met.share(pair) == pytest.approx(len(both) / either)
    assert met.num_in_all == len([p for p in met.vocabs[0] if all(p in v for v in met.vocabs)])


def test_the_tokens_of_the_corpus_are_those_of_encoding_it(prose):
    """The first and last stage of each, by the encoders that the other pages use."""
    corpus = Corpus.from_counts(prose.words, PIPELINE)
    grown = Trace.record(corpus, bpe.Settings(base="metaspace", vocab_size=150))
    matched = Trace.record(corpus, wordpiece.Settings(vocab_size=150))
    for runner, trace in zip(prose.runners, (grown, matched), strict=False):
        for stage in (0, 20, runner.goal_stage):
            model = trace.model(stage)
            total = sum(
                len(model.encode(word).tokens) * count for word, count in prose.words.items()
            )
            assert runner.tokens[stage] == total
    for runner in prose.runners:
        counts = prose.words.values()
        total = sum(len(split) * n for split, n in zip(runner.splits, counts, strict=True))
        assert runner.tokens[runner.goal_stage] == total


def test_unigram_splits_into_the_most_probable_pieces():
    found = raced(COURSE, 14)
    counts = {marked(word): n for word, n in found.words.items()}
    trace = UnigramTrace.record(Corpus(counts), unigram_settings(14, sum(map(len, counts))))
    logs = trace.state(len(trace))
    model = unigram.Model(unigram.vocabulary(logs), logs)
    expected = [model.lattice(word) for word in counts]
    for lattice, split in zip(expected, found.runners[2].splits, strict=True):
        score = sum(logs[piece] for piece in split)
        best = max(
            sum(logs[piece] for piece in way)
            for way in _segmentations(lattice.text)
            if all(piece in logs for piece in way)
        )
        assert score == pytest.approx(best)


def _segmentations(word: str):
    """Every segmentation of a word."""
    for size in range(len(word)):
        for cuts in combinations(range(1, len(word)), size):
            ends = [0, *cuts, len(word)]
            yield [word[a:b] for a, b in pairwise(ends)]


def test_the_walk_is_the_vocabulary_of_every_position(prose):
    for position, met in enumerate(overlap.iter_overlaps(prose)):
        if position % 10 == 0 or position == prose.last:
            assert met == overlap.overlap_at(prose, position)


def test_the_shares_are_recounted(prose):
    for pair in overlap.PAIRS:
        points = overlap.shares_by_size(prose, pair)
        sizes = [size for size, _, _ in points]
        assert sizes == sorted(set(sizes))
        for size, both, share in points[:: max(len(points) // 5, 1)]:
            vocabs = [_of_size(prose.runners[n], size) for n in pair]
            assert both == len([p for p in vocabs[0] if p in vocabs[1]])
            assert share == pytest.approx(both / (2 * size - both))


def _of_size(runner, size: int) -> frozenset[str]:
    stage = max(n for n, found in enumerate(runner.sizes) if found == size)
    return runner.vocab(stage)


def test_words_cut_alike(prose):
    found = overlap.words(prose)
    assert sum(word.count for word in found) == sum(prose.words.values())
    for word in found:
        same = [pair for pair in overlap.PAIRS if word.splits[pair[0]] == word.splits[pair[1]]]
        assert (len(same) == 3) == (len(word.agreeing) == 3)
        assert (len(same) == 0) == (word.agreeing == ())
        if len(same) == 1:
            assert word.agreeing == same[0]


def test_by_the_count_wordpiece_has_nearly_the_pieces_of_bpe():
    """The rule is then the same; pairs differ only at the beginnings of words."""
    by_score, by_count = (
        overlap.overlap_at(found, found.last).share((0, 1))
        for found in (raced(PROSE, 200), raced(PROSE, 200, "hugging_face"))
    )
    assert by_count > 2 * by_score


@pytest.mark.parametrize(
    ("piece", "expected"),
    [("low", "▁low"), ("##est", "est"), ("##", "▁##"), ("▁", "▁"), ("#", "▁#"), ("###", "#")],
)
def test_pieces_of_wordpiece_made_comparable(piece, expected):
    assert comparable(piece) == expected


def test_a_size_that_cannot_be_met_is_not_passed(prose):
    few = raced(PROSE, 1)
    assert few.runners[0].goal_stage == few.runners[1].goal_stage == 0
    many = raced(COURSE, 5_000)
    assert many.runners[0].stopped == "every word is a single piece, so no pair is left"
    assert many.last >= 1
    assert prose.goal == 150


def test_the_sentences_tell_where_each_of_them_ends(prose):
    assert "They meet at 150." in sentence_of(prose, 0)
    assert sentence_of(prose, prose.last).endswith(" This is where they meet.")
    words = "Kaiserslautern Kaiser Kaiserslautern laut lauter lauter Kaisers"
    short = raced(CorpusSource(text=words), 60)
    bpe_size, wordpiece_size, unigram_size = (len(r.vocab(r.goal_stage)) for r in short.runners)
    assert bpe_size < wordpiece_size < unigram_size == 60
    ends = f"BPE ends at {bpe_size}, WordPiece at {wordpiece_size}, Unigram at 60"
    start, end = sentence_of(short, 0), sentence_of(short, short.last)
    assert start.endswith(f" The target is 60: {ends}.")
    missed = f"BPE ends at {bpe_size} pieces and WordPiece at {wordpiece_size}"
    assert end.endswith(f" {missed}: every word is a single piece, so no pair is left.")
    assert "meet" not in start + end + finding(short, overlap.overlap_at(short, short.last), 1)


def sentence_of(found: Race, position: int) -> str:
    sentence = _RaceFrames(found).frame(position).sentence
    return "".join(part if isinstance(part, str) else part[1] for part in sentence)


def test_the_word_that_is_followed_comes_first():
    found = raced(PROSE, 100, follow="low")
    assert list(found.words)[found.watched[0]] == "low"
    assert len(found.watched) == len(set(found.watched)) == 3


def test_nothing_to_learn_from_is_a_sentence():
    with pytest.raises(ValueError, match="no words to train on"):
        raced(CorpusSource(text=" "), 100)


def test_a_long_text_is_bounded(monkeypatch):
    monkeypatch.setattr("pages.race.race.MOST_LETTERS", 12)
    found = raced(CorpusSource(counts={f"{n:04d}": 1 for n in range(5)}), 20)
    assert list(found.words) == ["0000", "0001", "0002"]
    assert found.notes == ("Only the first 3 of 5 distinct words are used.",)
    found = raced(CorpusSource(text="ab " * 40_000), 20)
    assert found.words == {"ab": 33_333, "a": 1}


# ---- film, charts, tables ----


def test_there_is_a_frame_for_every_position(prose):
    recording = record_race(prose)
    assert recording.last == prose.last
    assert record_race(raced(CorpusSource(text="a"), 5)).last >= 0


def test_the_finding_has_the_numbers(prose):
    met = overlap.overlap_at(prose, prose.last)
    alike = sum(len(word.agreeing) == 3 for word in overlap.words(prose))
    text = finding(prose, met, alike)
    assert f"{met.num_in_all:,} of {met.num_in_any:,} pieces" in text
    assert "BPE and Unigram are closest" in text
    assert f"{alike:,} of {len(prose.words):,} distinct words" in text


def test_the_charts_draw_what_is_on_record(prose):
    ways = sizes_chart(prose)
    for n, runner in enumerate(prose.runners):
        drawn = list(lines_of(ways)[n]["y"])
        assert (drawn[0], drawn[-1]) == (runner.sizes[0], runner.sizes[runner.goal_stage])
    assert sizes_finding(prose, prose.last).endswith("BPE 150, WordPiece 150, Unigram 150")
    run = run_race(never, PROSE, 150, "score", "")
    lines = shares_chart(run.shares, 150)
    assert list(lines_of(lines)[1]["x"]) == [size for size, _, _ in run.shares[0, 2]]
    assert "From 86 to 621 pieces, what BPE and WordPiece share" in shares_finding(run.shares)
    assert "too few sizes" in shares_finding({key: [] for key in overlap.PAIRS})


def test_the_tables_keep_text_as_text():
    met = overlap.Overlap((frozenset(["<b>", "x"]), frozenset("x"), frozenset("y")))
    table = html_regions({have: sorted(p) for have, p in met.regions.items()}, "<i>")
    assert "<b>" not in table
    assert "&lt;b&gt;" in table
    assert "&lt;i&gt;</span></caption>" in table
    assert "1 / 2 = 0.500" in html_pairs(met)
    assert "&lt;x&gt;" in html_agreement([("<x>", 1, 2)])


def test_the_numbers_of_the_tables_are_under_their_headings():
    met = overlap.Overlap((frozenset("xz"), frozenset("x"), frozenset("y")))
    pairs = columns_of(html_pairs(met))
    assert (pairs["both have"][0], pairs["either has"][0]) == ("1", "2")
    alike = columns_of(html_agreement([("all", 3, 7)]))
    assert (alike["distinct words"], alike["of the text"]) == (["3"], ["7"])


# ---- the trace ----


@examples(40)
@given(sources, st.integers(1, 40), st.sampled_from(["score", "hugging_face"]))
def test_its_trace_can_be_replayed_whatever_the_words(source, goal, rule):
    found = raced(source, goal, rule)
    trace = json.loads(trace_json.as_json(exports.race_trace(found)))
    assert replay_race(trace) == found.last + 1
    assert len(trace["unigram"]["models"]) == found.runners[2].goal_stage + 1
