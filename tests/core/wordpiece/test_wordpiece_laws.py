"""Laws of WordPiece that hold for every corpus, vocabulary and text, tried on thousands of drawn.

The alphabets are small, so that pairs overlap themselves and tie; the rest is real Unicode. Words
that spell the mark are drawn too: then a symbol inside a word can be called like one that begins
another.
"""

from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.call_counts import examples
from tests.core.bpe.test_laws import REAL, WORDS, check_counts, undone, without
from tests.oracles import often_enough
from tokenizers import bpe, plain
from tokenizers.merging.queue import TIE_RULES
from tokenizers.merging.state import token_count_deltas
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import UNK
from tokenizers.wordpiece import (
    CONVENTIONS,
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
)
from tokenizers.wordpiece.automaton import Automaton
from tokenizers.wordpiece.matching import match_steps, pieces_of_matches
from tokenizers.wordpiece.settings import BASES

many = examples(400)
thousands = examples(3000)

MARKS = st.sampled_from(["##", "##", "", "_", "a", "ab", "aab"])
MARKED_WORDS = st.one_of(WORDS, st.text("#a", min_size=1, max_size=8))
CORPORA = st.builds(
    Corpus.from_counts, st.dictionaries(MARKED_WORDS, st.integers(1, 4), min_size=0, max_size=6)
)
# Scores so near to each other that floating point cannot tell them apart.
HUGE = st.builds(
    Corpus.from_counts, st.dictionaries(WORDS, st.integers(10**15, 10**15 + 3), max_size=6)
)


def settings(conventions=CONVENTIONS):
    return st.builds(
        Settings,
        mark=MARKS,
        min_count=st.sampled_from([0, 1, 1, 2, 3]),
        ties=st.sampled_from(TIE_RULES),
        convention=st.sampled_from(conventions),
        base=st.sampled_from(BASES),
    )


SETTINGS, BY_SCORE = settings(), settings(["score"])
TEXTS = st.text(st.one_of(st.sampled_from("ab c#"), REAL), max_size=30)


# --- Training -------------------------------------------------------------------------------------


@many
@given(CORPORA | HUGE, BY_SCORE)
def test_training_is_the_textbooks(corpus, settings):
    first = start(corpus, settings)
    worth = often_enough(plain.scores, settings.min_count)
    expected = plain.train_merges(
        first.splits, first.word_counts, worth, settings.ties, settings.mark
    )
    trace, k = Trace.record(corpus, settings), 0
    for k, (pair, best, tied, splits) in enumerate(expected, start=1):
        step = trace.step(k)
        assert (step.pair, step.score, step.num_tied) == (pair, best, len(tied))
        assert sorted(tied_pairs(trace.state(k - 1), pair, settings)) == sorted(tied)
        assert trace.state(k).splits == splits
    assert len(trace) == k


@many
@given(CORPORA, st.sampled_from(TIE_RULES), st.sampled_from([0, 1, 2, 3]))
def test_without_a_mark_hugging_face_is_bpe(corpus, ties, min_count):
    """Only the order of the base symbols could differ: here, both sort the characters."""
    ours = Settings(mark="", ties=ties, min_count=min_count, convention="hugging_face")
    trace = Trace.record(corpus, ours)
    other = Trace.record(corpus, bpe.Settings("characters", ties=ties, min_count=min_count))
    assert [trace.step(k + 1) for k in range(len(trace))] == [
        other.step(k + 1) for k in range(len(other))
    ]
    assert trace.stop_reason == other.stop_reason


@many
@given(CORPORA, SETTINGS)
def test_counts_are_those_of_a_recount(corpus, settings):
    state = start(corpus, settings)
    check_counts(state)
    for step in train(corpus, settings):
        state.apply(step)
        check_counts(state)


@many
@given(CORPORA, SETTINGS)
def test_nothing_is_lost(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(len(trace) + 1):
        for word, split in zip(trace.words, trace.state(k).splits, strict=True):
            joined = split[0] + "".join(symbol[len(settings.mark) :] for symbol in split[1:])
            assert joined == word + (settings.end_mark if settings.base == "end_of_word" else "")
            assert all(symbol.startswith(settings.mark) for symbol in split[1:])


@many
@given(CORPORA, SETTINGS)
def test_a_record_can_be_replayed(corpus, settings):
    trace, state = Trace.record(corpus, settings), start(corpus, settings)
    for k in range(len(trace) + 1):
        if k:
            state.apply(trace.step(k))
        then = trace.state(k)
        assert then.splits == state.splits
        assert then.pair_counts == state.pair_counts
        assert then.token_counts == state.token_counts
        assert then.vocab == list(state.vocab)
        assert trace.num_tokens[k] == sum(state.token_counts.values())


@many
@given(CORPORA, SETTINGS)
def test_a_step_describes_what_it_saw(corpus, settings):
    state = start(corpus, settings)
    for step in train(corpus, settings):
        first, second = step.pair
        assert step.count == state.pair_counts[step.pair] >= settings.min_count
        assert step.part_counts == (state.token_counts[first], state.token_counts[second])
        assert step.score == score(state, step.pair)
        assert step.pair in tied_pairs(state, step.pair, settings)
        assert step.num_tied == len(tied_pairs(state, step.pair, settings))
        state.apply(step)


@many
@given(CORPORA, BY_SCORE)
def test_the_ranking_is_that_of_the_fractions(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(len(trace)):
        state = trace.state(k)
        ranked = ranking(state, min_count=settings.min_count)
        exact = [score(state, pair) for pair in ranked]
        assert exact == sorted(exact, reverse=True)
        assert exact[0] == trace.step(k + 1).score
        assert ranking(state, 2, settings.min_count) == ranked[:2]
        assert sorted(ranked) == sorted(
            pair for pair, count in state.pair_counts.items() if count >= settings.min_count
        )


@many
@given(CORPORA, SETTINGS)
def test_a_step_can_be_undone(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in range(1, len(trace) + 1):
        step, before, after = trace.step(k), trace.state(k - 1), trace.state(k)
        assert [undone(step, w, s) for w, s in enumerate(after.splits)] == before.splits
        assert without(after.pair_counts, step.pair_count_deltas) == before.pair_counts
        assert (
            without(after.token_counts, token_count_deltas(step.pair, step.token, step.num_applied))
            == before.token_counts
        )


@many
@given(CORPORA, SETTINGS, st.data())
def test_a_short_run_is_the_beginning_of_a_long_one(corpus, settings, data):
    whole = list(train(corpus, settings))
    k = data.draw(st.integers(0, len(whole)))
    names = ("mark", "min_count", "ties", "convention", "base")
    options = {name: getattr(settings, name) for name in names}
    assert list(train(corpus, Settings(**options, num_merges=k))) == whole[:k]


@many
@given(CORPORA, SETTINGS)
def test_a_run_ends_only_where_nothing_is_left(corpus, settings):
    trace = Trace.record(corpus, settings)
    left = trace.state(len(trace)).pair_counts
    assert max(left.values(), default=0) < max(settings.min_count, 1)
    assert ("no pair is left" in trace.stop_reason) == (not left)


# --- Encoding -------------------------------------------------------------------------------------


@many
@given(CORPORA, SETTINGS)
def test_a_word_of_the_corpus_is_never_unknown(corpus, settings):
    trace = Trace.record(corpus, settings)
    for k in {0, len(trace) // 2, len(trace)}:
        model = trace.model(k)
        for word in trace.words:
            split = split_word(word, model)
            assert split is not None
            joined = split[0] + "".join(piece[len(settings.mark) :] for piece in split[1:])
            assert joined == model.letters(word)


PIECES = st.one_of(
    st.text("ab", min_size=1, max_size=5),
    st.text("ab#", min_size=1, max_size=5),
    st.text("ab", min_size=1, max_size=4).map("##{}".format),
)
VOCABULARIES = st.sets(PIECES, max_size=14)
MATCHED = st.one_of(st.text("ab", max_size=14), st.text("ab#", max_size=10), st.text("ab#éc"))


@thousands
@given(VOCABULARIES, MATCHED, MARKS)
def test_linmaxmatch_is_longest_match_first(pieces, word, mark):
    expected = plain.longest_match(word, pieces, mark)
    assert pieces_of_matches(match_steps(word, pieces, mark)) == expected
    assert Automaton(pieces, mark).split(word) == expected


@thousands
@given(st.sets(st.text("ab", min_size=1, max_size=6), max_size=12), st.text("ab", max_size=30))
def test_linmaxmatch_where_every_piece_can_stand_anywhere(stems, word):
    pieces = {*stems, *(f"##{stem}" for stem in stems), "a", "##a", "##b"}
    assert Automaton(pieces).split(word) == plain.longest_match(word, pieces, "##")


@many
@given(CORPORA, SETTINGS, TEXTS)
def test_linmaxmatch_with_a_learned_vocabulary(corpus, settings, text):
    model = Trace.record(corpus, settings).model()
    automaton = model.automaton()
    for word in [*corpus.word_counts, *text.split()]:
        assert automaton.split(model.letters(word) or "") == split_word(word, model)


@many
@given(VOCABULARIES, MATCHED, MARKS)
def test_a_walk_reads_every_character_once(pieces, word, mark):
    moves = list(Automaton(pieces, mark).walk(word))
    read = "".join(move.read for move in moves)
    assert word.startswith(read)
    assert (read == word and moves[-1].target == 1 if moves else not word) or moves[
        -1
    ].target is None
    assert len(moves) <= 2 * len(word) + 1


@many
@given(VOCABULARIES, MATCHED, MARKS)
def test_every_rejected_candidate_is_named(pieces, word, mark):
    for step in match_steps(word, pieces, mark):
        in_front = mark if step.start else ""
        all_ends = range(len(word), step.start, -1)
        candidates = [in_front + word[step.start : end] for end in all_ends]
        shown = [*step.rejected, *([] if step.piece is None else [step.piece])]
        assert shown == candidates[: len(shown)]
        assert not pieces.intersection(step.rejected)
        assert (step.piece is None and len(shown) == len(candidates)) or step.piece in pieces


@many
@given(VOCABULARIES, TEXTS, st.sampled_from(["spaces", "bert"]))
def test_offsets_and_ids(pieces, text, pre_tokenizer):
    model = Model(vocabulary(pieces), pipeline=Pipeline((), pre_tokenizer))
    encoding = encode(text, model)
    for token, id_, place, piece in zip(
        encoding.tokens, encoding.ids, encoding.offsets, encoding.pieces, strict=True
    ):
        raw = text[slice(*place)]
        assert piece in (raw, f"##{raw}")
        assert model.vocab[token] == id_
        assert token in (piece, UNK)
    unknown = Counter(w for t, w in zip(encoding.tokens, encoding.words, strict=True) if t == UNK)
    assert all(encoding.words.count(word) == 1 for word in unknown)


@many
@given(TEXTS)
def test_words_come_back(text):
    assume("#" not in text)
    pipeline = Pipeline(("bert",), "bert")
    trace = Trace.record(Corpus.from_text(text, pipeline), Settings(num_merges=5))
    words = pipeline(text).words
    assert decode(encode(text, trace.model()).ids, trace.model()) == " ".join(words)
