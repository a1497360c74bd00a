"""Unigram training: the published examples with every figure, and its parts one by one."""

import math
import pickle
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lessons.texts import TEXTS
from tokenizers import plain
from tokenizers.lattice import Lattice, best_path
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.normalizers import normalize
from tokenizers.unigram import seeds
from tokenizers.unigram.em import digamma
from tokenizers.unigram.pruning import _renormalize
from tokenizers.unigram.sentencepiece_parity import arithmetic
from tokenizers.unigram.sentencepiece_parity import text as sentencepiece_text
from tokenizers.unigram.settings import CHOICES, CONVENTIONS, Settings, convention_settings
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, Prune, Seed

SLIDES = Corpus.from_counts({"run": 3, "bug": 5, "fun": 13, "sun": 10})
TEXT = (
    "This is the Hugging Face Course. This chapter is about tokenization. This section shows"
    " several tokenizer algorithms. Hopefully, you will be able to understand how they are trained"
    " and generate tokens."
)
COURSE = Corpus.from_counts(Counter(f"▁{word}" for word in TEXT.split()))
PROSE = Corpus.from_text((TEXTS["prose"].text or "")[:3000], Pipeline((), "metaspace"))
LINES = "\n".join(
    ["low lower lowest newest widest", "the lower the slower", "new news newer 2020 knows"] * 3
)


def record(corpus, convention="textbook", vocab_size=12, **changes) -> Any:
    return UnigramTrace.record(corpus, convention_settings(convention, vocab_size, **changes))


def of_kind(trace, kind):
    return [step for step in trace.steps if isinstance(step, kind)]


def base10(nats):
    return nats / math.log(10)


# --- U4, U5: the slides ---------------------------------------------------------------------------


def test_u4_seeds_of_the_slides():
    seed = record(SLIDES, "slides").seed
    frequencies = {"r": 3, "u": 31, "n": 26, "ru": 3, "un": 26, "b": 5, "g": 5, "bu": 5, "ug": 5}
    assert seed.counts.dict() == {**frequencies, "f": 13, "fu": 13, "s": 10, "su": 10}
    assert seed.counts.array.sum() == 155
    assert math.exp(seed.pieces["ru"] + seed.pieces["n"]) == pytest.approx(0.00325, abs=1e-5)


def test_u4_loss_and_the_cost_of_removing_a_piece():
    first, prune = record(SLIDES, "slides").steps[1:3]
    assert base10(-first.best_log_prob) == pytest.approx(66.1089, abs=5e-5)
    assert prune.losses.dict() == dict.fromkeys(["un", "fu", "su", "bu", "ug", "ru"], 0.0)
    assert prune.removed == ("un",)


def test_u4_removing_has_a_cost_with_renormalisation():
    prune = record(SLIDES, "slides", renormalise=True).steps[2]
    losses = {piece: 66.1089 + base10(loss) for piece, loss in prune.losses.items()}
    expected = {"ru": 65.58, "un": 61.16, "bu": 65.23, "ug": 65.23, "fu": 63.75, "su": 64.31}
    assert losses == pytest.approx(expected, abs=0.005)


def test_u5_the_second_round_of_the_slides():
    trace = record(SLIDES, "slides", 11)
    second, prune = trace.steps[3:5]
    loss = base10(-second.best_log_prob)
    assert loss == pytest.approx(61.1649, abs=5e-5)
    losses = {piece: loss + base10(nats) for piece, nats in prune.losses.items()}
    expected = {"ru": 63.0226, "bu": 61.1649, "ug": 61.1649, "fu": 69.2149, "su": 67.3572}
    assert losses == pytest.approx(expected, abs=5e-5)
    assert math.exp(second.log_probs["u"]) == pytest.approx(31 / 129)


# --- U7, U8: EM -----------------------------------------------------------------------------------


def test_u7_the_log_likelihood_is_q_and_the_entropy():
    steps = of_kind(record(SLIDES, vocab_size=10), Expectation)
    assert len(steps) > 4
    for step in steps:
        assert step.log_likelihood == pytest.approx(step.q + step.entropy, rel=1e-9)
        assert step.q <= step.log_likelihood + 1e-9


def test_u8_one_round_of_em_by_hand():
    # Uniform: ab has probability 1/3, a b has 1/9, so that ab takes 3/4 of the word.
    corpus = Corpus.from_counts({"ab": 2})
    _, e_step, m_step, *_ = record(corpus, start="uniform").steps
    assert e_step.expected_counts.dict() == pytest.approx({"a": 0.5, "b": 0.5, "ab": 1.5})
    assert e_step.log_likelihood == pytest.approx(2 * math.log(4 / 9))
    assert e_step.entropy == pytest.approx(-2 * (0.75 * math.log(0.75) + 0.25 * math.log(0.25)))
    new = {piece: math.exp(log) for piece, log in m_step.after.items()}
    assert new == pytest.approx({"a": 0.2, "b": 0.2, "ab": 0.6})
    assert m_step.before.dict() == e_step.log_probs.dict()


def test_u8_the_log_likelihood_rises_while_nothing_is_pruned():
    steps = of_kind(record(SLIDES, vocab_size=100, sub_iterations=30), Expectation)
    rises = [after.log_likelihood - before.log_likelihood for before, after in pairwise(steps)]
    assert len(rises) == 29
    assert min(rises) > -1e-9
    assert rises[0] > 1


def test_digamma():
    euler = 0.5772156649015329
    values = {1.0: -euler, 0.5: -euler - 2 * math.log(2), 2.0: 1 - euler, 10.0: 2.251752589066721}
    assert digamma(np.array(list(values))) == pytest.approx(list(values.values()), abs=1e-9)


def test_hard_em_counts_the_best_segmentations():
    step = record(SLIDES, e_step="max", loss="expected_count").steps[1]
    assert step.expected_counts.dict() == step.viterbi_counts.dict()
    assert step.viterbi_counts.array.sum() == step.num_tokens
    soft = record(SLIDES, loss="expected_count").steps[1]
    assert soft.expected_counts.dict() != soft.viterbi_counts.dict()


def test_pieces_below_the_minimum_count_are_dropped_but_characters_spared():
    corpus = Corpus.from_counts({"aab": 30, "ac": 1})
    step = record(corpus, min_expected=2.0, loss="expected_count").steps[2]
    assert "ac" in step.dropped
    assert "c" in step.spared
    assert "c" in step.after
    assert min(step.after.array) == step.after["c"]
    libraries = record(corpus, min_expected=2.0, loss="expected_count", keep_characters=False)
    assert "c" in libraries.steps[2].dropped


# --- U9: the losses -------------------------------------------------------------------------------

NATIONS = Corpus.from_counts(
    {
        **{"internationalization": 2, "international": 3, "inter": 12, "national": 14},
        **{"nation": 9, "nationalization": 5, "organization": 8, "internal": 6, "global": 7},
    }
)


def losses_of(loss, **changes):
    trace = record(NATIONS, loss=loss, vocab_size=60, max_rounds=1, **changes)
    return of_kind(trace, Prune)[0]


def test_u9_the_best_alternative_of_international_is_its_parts():
    prune = losses_of("best_alternative")
    assert prune.alternatives["international"] == ("inter", "national")
    assert "".join(prune.alternatives["nationalization"]) == "nationalization"


def test_u9_three_losses_rank_alike_but_not_the_same():
    exact, by_count, by_split = map(losses_of, ("exact", "expected_count", "best_alternative"))
    orders = [prune.order for prune in (exact, by_count, by_split)]
    assert len(set(orders)) == 3
    top = [set(order[:12]) for order in orders]
    assert len(top[0] & top[2]) >= 6  # the short cut of SentencePiece finds most of the best
    assert all("national" in pieces for pieces in top)


@pytest.mark.parametrize("prunings", [3, 4, 5, 7])
def test_u9_equal_steps_reach_the_size_in_n_prunings(prunings):
    trace = record(NATIONS, vocab_size=40, prunings=prunings, loss="expected_count")
    prunes = of_kind(trace, Prune)
    number = math.ceil((len(trace.seed.pieces) - 40) / prunings)
    assert [len(prune.removed) for prune in prunes[:-1]] == [number] * (len(prunes) - 1)
    assert len(prunes) <= prunings
    assert prunes[-1].size_after == 40


@pytest.mark.parametrize("convention", ["hugging_face", "hugging_face_repaired"])
def test_u9_the_bug_uses_the_number_of_all_pieces_instead_of_parts(convention):
    prune = of_kind(record(PROSE, convention, 120), Prune)[0]
    counts = prune.frequencies.dict()
    total = sum(counts.values())
    for piece in prune.order[:20]:
        count, parts = counts[piece], prune.alternatives[piece]
        more = len(prune.before) if convention == "hugging_face" else len(parts) - 1
        apart = sum(math.log(counts.get(part, 0) + count) for part in parts)
        apart -= len(parts) * math.log(total + count * more)
        loss = count / PROSE.num_words * (math.log(count) - math.log(total) - apart)
        assert prune.losses[piece] == pytest.approx(loss, rel=1e-9)


@pytest.mark.parametrize("loss", CHOICES["loss"])
def test_prune_records_are_consistent(loss):
    trace = record(NATIONS, loss=loss, vocab_size=40)
    for prune in of_kind(trace, Prune):
        assert set(prune.after) | set(prune.removed) == set(prune.before)
        assert not set(prune.after) & set(prune.removed)
        assert set(prune.kept_reasons) == set(prune.after)
        assert set(prune.removed_reasons) == set(prune.removed)
        assert list(prune.order) == sorted(prune.order, key=lambda piece: -prune.losses[piece])
        by_rank = [p for p, why in prune.kept_reasons.items() if why == "rank"]
        assert sorted(by_rank) == sorted(prune.order[: len(by_rank)])
        for piece in prune.order:
            parts = prune.alternatives[piece]
            assert "".join(parts) == piece
            assert piece not in parts


def test_reasons_for_keeping_and_removing_pieces():
    prune = of_kind(record(PROSE, "sentencepiece", 120), Prune)[0]
    kept, removed = prune.kept_reasons, prune.removed_reasons
    assert {why for piece, why in kept.items() if len(piece) == 1} == {"no alternative"}
    assert "never used" in set(removed.values())
    assert all(prune.frequencies[piece] == 0 for piece in removed if removed[piece] == "never used")
    assert all(len(prune.alternatives[piece]) > 1 for piece in kept if kept[piece] == "rank")
    characters = losses_of("exact").kept_reasons
    assert {characters[char] for char in "glob"} == {"single character"}


# --- U11: SentencePiece ---------------------------------------------------------------------------


def test_u11_settings_of_sentencepiece():
    classic, newer = CONVENTIONS["sentencepiece_classic"], CONVENTIONS["sentencepiece"]
    assert (classic.sub_iterations, classic.shrinking_factor, classic.min_expected) == (
        2,
        0.75,
        0.5,
    )
    assert (classic.m_step, classic.loss) == ("digamma", "best_alternative")
    assert classic.character_coverage == 0.9995
    assert (classic.prune_last, newer.prune_last) == (False, True)


def test_u11_pieces_stay_within_words_and_scripts():
    text = "новый new 新しい 2020-12\n" * 4 + LINES
    trace = record(Corpus.from_text(text), "sentencepiece", 200)
    pieces = trace.state(len(trace))
    assert "▁new" in pieces
    assert all("▁" not in piece[1:] for piece in pieces)
    scripts = [{sentencepiece_text.script_of(c) for c in p if c != "▁"} for p in pieces]
    assert max(map(len, scripts)) == 1


@pytest.mark.parametrize(
    ("char", "same_as"),
    [("か", "漢"), ("ー", "漢"), ("1", "։"), ("\U00018af3", "1"), ("\U00017000", "\U00018800")],
)
def test_scripts_are_those_of_unicode_9(char, same_as):
    assert sentencepiece_text.script_of(char) == sentencepiece_text.script_of(same_as)
    assert sentencepiece_text.script_of("\U00017000") != sentencepiece_text.COMMON  # Tangut


def test_characters_too_rare_become_unknown():
    corpus = Corpus.from_text("aaaa bbbb\n" * 50 + "q")
    loaded = sentencepiece_text.load(corpus, 0.99, [])
    assert list(loaded.required) == ["a", "b", "▁"]
    assert loaded.left_out == {"q": 1}
    assert loaded.word_counts["▁▅"] == 1


@pytest.mark.parametrize("coverage", [1.0, 0.7])
def test_words_may_contain_tabs_and_line_feeds(coverage):
    words = {"a\tb": 3, "\n": 2, "c\nd": 1}
    loaded = sentencepiece_text.from_words(Corpus.from_counts(words), coverage)
    if coverage == 1:
        assert (loaded.word_counts, loaded.left_out) == (words, {})
        assert set(loaded.required) == set("ab\tcd\n")
    else:
        assert loaded.word_counts == {"a\tb": 3, "\n": 2, "▅\n▅": 1}


def test_a_word_of_a_table_may_contain_a_line_feed():
    loaded = sentencepiece_text.load(Corpus.from_counts({"a\nb": 2}), 1.0, [])
    assert loaded.word_counts == {"▁a\nb": 2}


def test_skipped_lines_and_names_of_reserved_pieces():
    text = "\n".join(["a <s> b", "", "x" * 4193, "▅", "é" * 2097, "ok"])
    loaded = sentencepiece_text.load(Corpus.from_text(text), 1.0, ["<s>", "<unk>"])
    assert loaded.lines == (["▁a", "▁▅", "▁b"], ["▁ok"])


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("  two   words ", "two words"),
        ("a▁ ▁", "a"),
        ("  ", ""),
        (" ▁", ""),
        ("a\u3000 b", "a\u3000 b"),
    ],
)
def test_sentencepiece_spaces(raw, expected):
    assert normalize(raw, ["sentencepiece_spaces"]).text == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("ﬁ²\u200b①\x01", "fi2 1"),
        ("ｶﾞ", "ガ"),
        ("ﾡￂ", "가"),
        ("e\u0301\u0323", "é\u0323"),  # NFKC would put the marks in another order
        ("～▁", "～ "),
    ],
)
def test_nmt_nfkc(raw, expected):
    assert normalize(raw, ["nmt_nfkc"]).text == expected


def test_normalizers_keep_offsets():
    aligned = normalize(" ﬁ  ｶﾞ ", ["nmt_nfkc", "sentencepiece_spaces"])
    assert aligned.text == "fi ガ"
    assert [aligned.span(n, n + 1) for n in range(4)] == [(1, 2), (1, 2), (2, 4), (4, 6)]


# --- The course of Hugging Face -------------------------------------------------------------------


def course() -> Any:
    return record(COURSE, "hf_course", 100)


def test_the_course_starts_from_300_pieces():
    seed = course().seed
    assert len(seed.pieces) == 300
    # Its Viterbi starts at 1, not at 0: one more for each word.
    for word, score in (("Hopefully", 41.5157494601402), ("This", 6.288267030694535)):
        lattice = Lattice.build(word, seed.pieces.dict())
        assert 1 - lattice.log_prob(best_path(lattice) or ()) == pytest.approx(score, abs=1e-9)


def test_the_losses_of_the_course():
    _, e_step, prune, *_ = course().steps
    num_words = sum(COURSE.word_counts.values())
    assert num_words - e_step.best_log_prob == pytest.approx(413.10377642940875, abs=1e-9)
    assert prune.losses["ll"] == pytest.approx(6.376412403623874, abs=1e-9)
    assert prune.losses["his"] == 0.0
    assert len(prune.removed) == 30


def test_the_segmentation_at_the_end_of_the_course():
    trace = course()
    pieces = trace.state(len(trace))
    words = ["▁This", "▁is", "▁the", "▁Hugging", "▁Face", "▁course."]
    lattices = [Lattice.build(word, pieces) for word in words]
    split = [piece for lattice in lattices for piece in lattice.pieces(best_path(lattice) or ())]
    assert split == [*words[:-1], "▁", "c", "ou", "r", "s", "e", "."]


# --- Seeds ----------------------------------------------------------------------------------------


def repeats_by_definition(texts, longest, key: Callable[[str], str] = str):
    """Return the repeats from a plain list of all parts and what follows each."""
    following = {}
    for text in texts:
        ended = [*map(key, text), "end"]
        for start in range(len(text)):
            for end in range(start + 2, min(start + longest, len(text)) + 1):
                following.setdefault(text[start:end], []).append(ended[end])
    return {part: len(ends) for part, ends in following.items() if len(set(ends)) > 1}


@pytest.mark.parametrize("texts", [["banana", "bandana"], ["aaaa", "aab"], ["ab"], [], ["a", ""]])
def test_repeats(texts):
    assert seeds.repeats(texts, 3) == repeats_by_definition(texts, 3)


def test_repeats_by_bytes_compare_only_the_first_byte():
    texts = ["xyé", "xyè", "zwé", "zwa", "▁"]  # é and è begin with the same byte
    assert set(seeds.repeats(texts, 8)) == {"xy", "zw"}
    by_bytes = seeds.repeats(texts, 8, by_bytes=True)
    assert by_bytes == repeats_by_definition(texts, 8, lambda char: str(char.encode()[0]))
    assert set(by_bytes) == {"zw"}


def test_the_end_of_the_last_line_counts_twice_by_bytes():
    # abc stands before the end of a line twice: what follows that end differs.
    assert seeds.repeats(["abc", "▁abc"], 8, within_script=True, by_bytes=True)["abc"] == 2


def test_bpe_seeds_are_the_tokens_of_a_bpe_run():
    found = record(SLIDES, seed="bpe").seed
    assert {"un", "fun", "sun"} <= set(found.pieces)
    assert "fu" not in found.pieces
    assert found.counts["un"] == 26


def test_the_seed_size_counts_the_characters():
    assert len(record(NATIONS, seed_size=30, loss="expected_count").seed.pieces) == 30


def test_the_start_can_be_uniform_or_weigh_the_length():
    uniform = record(SLIDES, start="uniform").seed
    assert set(uniform.pieces.array) == {-math.log(len(uniform.pieces))}
    assert record(SLIDES, start="frequency_times_length").seed.counts["fun"] == 39


# --- Runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("convention", "corpus", "size"),
    [
        ("textbook", NATIONS, 60),
        ("slides", SLIDES, 9),
        ("hugging_face", PROSE, 120),
        ("hugging_face_repaired", PROSE, 120),
        ("sentencepiece_classic", PROSE, 120),
        ("sentencepiece", PROSE, 120),
    ],
)
def test_every_convention_learns(convention, corpus, size):
    trace = record(corpus, convention, size)
    assert isinstance(trace.steps[0], Seed)
    assert isinstance(trace.steps[-1], Finalize)
    assert trace.stop_reason == f"the vocabulary has reached its {size} pieces"
    assert len(trace.state(len(trace))) == trace.settings.num_pieces
    sizes = [len(step.log_probs) for step in trace.steps[:-1]]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("text", ["", " \n ", "a", "a" * 40, "\U0001f600 \0", "<b>&"])
def test_any_text_can_be_trained_on(convention, text):
    trace = record(Corpus.from_text(text), convention, 9)
    assert trace.stop_reason
    if not text.strip():
        assert trace.stop_reason == "there are no words to train on" or len(trace) > 1


def test_a_vocabulary_larger_than_the_text_allows():
    trace = record(Corpus.from_text("ab ab"), "sentencepiece", 1000)
    reason = (
        "the seed has only 5 candidates, fewer than the 997 pieces asked for besides the 3 reserved"
    )
    assert trace.stop_reason.startswith(reason)
    trace = record(Corpus.from_text("ab ab"), "textbook", 1000)
    assert not any(isinstance(step, Prune) for step in trace.steps)
    assert trace.stop_reason == (
        "the seed has only 3 candidates, fewer than the 1,000 pieces asked for, "
        "so none had to be pruned"
    )


def test_characters_dropped_by_em_are_restored():
    trace = record(Corpus.from_text("aaaa aaa aa zq"), "sentencepiece_classic", 9)
    final = trace.steps[-1]
    assert set(final.added) <= set(trace.seed.required)
    assert set(trace.seed.required) <= set(final.pieces)
    assert list(final.pieces.values()) == sorted(final.pieces.values(), reverse=True)


def test_restored_characters_differ_slightly_in_score():
    rare = "".join(map(chr, range(0x4E00, 0x4E06)))
    text = f"{rare} {rare} " + "low lower slow " * 30
    corpus = Corpus.from_text(text, Pipeline((), "metaspace"))
    added = record(corpus, "hugging_face", 30).steps[-1].added
    assert len(added) > 1
    for one, next_one in pairwise(added.values()):
        assert next_one - one == pytest.approx(0.0001)


def test_hugging_face_pieces_differ_without_the_bug():
    with_slip, without = (
        set(record(PROSE, name, 120).steps[-1].pieces)
        for name in ("hugging_face", "hugging_face_repaired")
    )
    assert with_slip != without


def test_rounds_can_be_limited():
    trace = record(NATIONS, loss="expected_count", vocab_size=30, prunings=50, max_rounds=2)
    assert len(of_kind(trace, Prune)) == 2
    assert trace.stop_reason == "all 2 rounds are done"


def test_a_run_can_be_stopped_within_the_exact_loss():
    shares = []

    def stop(done, total):
        shares.append(done / total)
        return len(shares) > 12

    corpus = Corpus.from_text(" ".join(f"w{n:x}ord{n % 7}s" for n in range(400)))
    trace: Any = UnigramTrace.record(corpus, convention_settings("textbook", 100), stop)
    assert trace.stop_reason == f"you stopped it after {len(trace)} steps"
    assert not of_kind(trace, Prune)
    assert shares == sorted(shares)
    assert max(shares) < 1


def test_a_record_survives_pickling():
    trace = record(NATIONS, loss="expected_count", vocab_size=60)
    copy = pickle.loads(pickle.dumps(trace))
    assert copy.stop_reason == trace.stop_reason
    for k in range(1, len(trace) + 1):
        assert copy.state(k) == trace.state(k)
    assert copy.steps[3].log_probs["inter"] == trace.steps[3].log_probs["inter"]


def test_tables_behave_like_dictionaries():
    table = record(SLIDES).seed.counts
    plain = table.dict()
    assert dict(table) == plain
    assert [table[piece] for piece in plain] == list(plain.values())
    assert "un" in table
    assert "nu" not in table
    assert table.get("nu") is None
    assert table.ranked(2) == ["u", "n"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"loss": "none"},
        {"vocab_size": 0},
        {"shrinking_factor": 0},
        {"schedule": "fraction", "shrinking_factor": 1},
        {"min_expected": -1},
        {"overshoot": 0.5},
    ],
)
def test_invalid_settings(wrong):
    with pytest.raises(ValueError, match=list(wrong)[-1]):
        Settings(**wrong)


def test_unknown_convention():
    with pytest.raises(ValueError, match="Choose from: textbook"):
        convention_settings("other", 100)


def test_each_step_starts_from_the_model_of_the_last():
    for trace in (record(NATIONS, vocab_size=40), record(NATIONS, "sentencepiece", 60)):
        for before, after in pairwise(trace.steps[:-1]):
            start = after.log_probs if isinstance(after, Expectation) else after.before
            assert start.dict() == before.log_probs.dict()


def test_rounding_adds_in_order():
    numbers = np.array([1e8, 1, 1, 1, 1, 1, 1, 1, 1], np.float32)
    assert arithmetic.total(numbers) == 1e8  # each one is lost by itself
    assert arithmetic.total(numbers[::-1]) == np.float32(100000008)


def test_m_steps_sum_to_one_with_maximum_likelihood():
    for step in of_kind(record(NATIONS, vocab_size=40), Maximization):
        assert math.fsum(map(math.exp, step.after.array)) == pytest.approx(1)
    assert plain.expected_counts({"ab": 1}, {"a": 1, "b": 1}) == {"a": 1, "b": 1}


@pytest.mark.parametrize(
    "choices",
    [
        {"convention": "hugging_face", "arithmetic": "single_throughout", "loss": "viterbi"},
        {"convention": "sentencepiece_classic", "seed": "bpe", "counts_unknown": True},
        {"convention": "sentencepiece", "loss": "exact", "renormalise": True},
        {"convention": "slides", "arithmetic": "single", "renormalise": True},
        {"schedule": "share", "shrinking_factor": 0.01, "keep_characters": False},
        {"schedule": "share", "shrinking_factor": 0.01, "loss": "best_alternative"},
    ],
)
@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("text", ["low lower lowest", "a", "aaaa"])
def test_settings_that_leave_hardly_any_piece(choices, size, text):
    trace = record_by(text, **{"convention": "textbook", "vocab_size": size} | choices)
    assert isinstance(trace.steps[-1], Finalize)
    assert all(math.isfinite(score) for score in trace.state(len(trace)).values())


def record_by(text, convention, vocab_size, **changes):
    settings = convention_settings(convention, vocab_size, **changes)
    return UnigramTrace.record(Corpus.from_text(text, Pipeline((), "metaspace")), settings)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"sub_iterations": 1_000_000}, "sub_iterations is 1000000; it must be .* to 1,000"),
        ({"sub_iterations": 1.5}, "sub_iterations is 1.5; it must be a whole number"),
        ({"overshoot": math.inf}, "overshoot is inf; it must be a number from 1 to 1,000"),
        ({"overshoot": math.nan}, "overshoot is nan; it must be a number"),
        ({"vocab_size": 10**400}, "vocab_size is beyond all bounds; it must be"),
        ({"keep_split": "yes"}, "keep_split is 'yes'; it must be true or false"),
        ({"reserved": (1, 2)}, r"reserved is \(1, 2\); it must be a list of texts"),
        ({"seed": 3}, "seed is 3; it must be a text"),
    ],
)
def test_settings_of_wrong_type_or_out_of_range(changes, sentence):
    with pytest.raises(ValueError, match=sentence):
        Settings(**changes)


def test_time_does_not_depend_on_the_count_of_a_word():
    trace = record(Corpus.from_counts({"low": 10**9, "lower": 10**8}), "sentencepiece", 20)
    assert trace.seed.counts["▁low"] == len("▁low") * (10**9 + 10**8)


@pytest.mark.parametrize("by_bytes", [False, True])
def test_counts_of_texts_equal_copies(by_bytes):
    words = {"abab": 3, "aba": 2, "b": 1, "éè": 4}
    copies = [word for word, count in words.items() for _ in range(count)]
    rows = [(w, n) for w, count in words.items() for n in ([count - 1, 1] if count > 1 else [1])]
    found = seeds.repeats([w for w, _ in rows], 9, True, by_bytes, [n for _, n in rows])
    assert found == seeds.repeats(copies, 9, True, by_bytes)


def test_too_many_substrings_are_rejected():
    long = Corpus({"ab" * 400: 1})
    settings = convention_settings("hf_course", 30)
    with pytest.raises(ValueError, match="Ask for shorter pieces, or cut the text into shorter"):
        UnigramTrace.record(long, settings)


def test_a_run_can_be_stopped_during_the_search_for_seeds():
    corpus = Corpus.from_text("low lower lowest")
    trace = UnigramTrace.record(
        corpus, convention_settings("textbook", 9, seed="bpe"), lambda done, total: True
    )
    assert not trace.steps


def test_a_table_supports_the_whole_mapping_protocol():
    table = record(NATIONS, vocab_size=40).steps[0].log_probs
    assert dict(table.items()) == table.dict() == {piece: table[piece] for piece in table}
    assert list(table.values()) == table.array.tolist()


def test_underflowing_probabilities_still_sum_to_one():
    """What is left may have had none of the probability: its shares are of that, not of one."""
    model = SimpleNamespace(log_probs=np.array([0.0, -800.0, -801.0]))
    settings = SimpleNamespace(m_step="plain", renormalise=True)
    run: Any = SimpleNamespace(model=model, settings=settings)
    left = _renormalize(run, np.array([1, 2]))[1:]
    assert np.exp(left).sum() == pytest.approx(1.0)
    assert left[0] - left[1] == pytest.approx(1.0)
