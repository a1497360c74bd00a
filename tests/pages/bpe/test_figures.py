"""Sentences and drawings of a run agree with the run, and show hostile tokens as text."""

import gc
import html
import re
import weakref
from itertools import pairwise

import graphviz
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from plotly.io import to_json

from lessons.format.words import join_list
from lessons.texts import TEXTS
from pages.bpe import runs
from pages.bpe.encoding_frames import record_bpe_encoding
from pages.bpe.training_frames import record_bpe_training
from pages.shared.drawing.charts import (
    MAX_POINTS,
    growth_chart,
    growth_finding,
    pair_chart,
    pair_finding,
)
from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.formulas import count_formula, count_terms
from pages.shared.drawing.phrasing import count_of, times, word_segment
from pages.shared.drawing.trees import MAX_NODES, made_by, merge_tree
from pages.shared.recording.frame_types import Recording, TokenStrip, clip_strip, plain_text
from pages.shared.recording.words import WITHHELD, WordStrips
from pages.shared.training.source import CorpusSource, bounded_corpus, find_word
from tests.call_counts import examples
from tests.pages.opening import lines_of
from tests.recordings import opened, unpacked
from tokenizers import bpe, plain
from tokenizers.bpe import Dropout, Settings
from tokenizers.merging.queue import TIE_RULES
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.symbols import BASES

HOSTILE = ['"', "\\", "<b>", "&amp;", "</w>", "a\nb", '\\"', "\\n", "{x|y}", "\u202e", "%s", "$x$"]

words = st.text("ab<é ", min_size=1, max_size=6)
corpora = st.dictionaries(words, st.integers(1, 9), min_size=1, max_size=6).map(Corpus.from_counts)
all_settings = st.builds(
    Settings,
    base=st.sampled_from(BASES),
    num_merges=st.integers(0, 12),
    min_count=st.sampled_from([1, 1, 1, 3]),
    max_token_length=st.sampled_from([None, None, 2, 3]),
    ties=st.sampled_from(TIE_RULES),
)
slowly = examples(60, suppress_health_check=[HealthCheck.too_slow])


class Frame:
    """A frame as the user sees it: tokens are their displayed texts."""

    def __init__(self, packed, tokens):
        def row(numbers):
            return tuple(tokens[n][0] for n in numbers)

        def segments_of(text):
            parts = [("", part) if isinstance(part, str) else part for part in text]
            return [(kind, tokens[x][0] if kind in TOKENS else x) for kind, x in parts]

        table, strips, note = packed["parts"][:3]  # an encoding shows no code
        self.segments = segments_of(packed["sentence"])
        self.text = "".join(text for _, text in self.segments)
        self.rows = [(row(c[0]), c[1], mark, segments_of(why)) for c, mark, why in table["lines"]]
        self.more, self.more_words = table["more"], strips["more"]
        self.strips = [
            (label, row(before), row(after or before), new, bool(changed))
            for label, before, after, new, changed, *_ in strips["lines"]
        ]
        self.note = "".join(text for _, text in segments_of(note["text"]))
        question = packed.get("question")
        self.options = [row(option) for option in question["options"]] if question else []
        self.right = {self.options[n] for n in question["correct"]} if question else set()

    def kind(self, kind):
        return [text for k, text in self.segments if k == kind]


TOKENS = ("token", "new")


SPACES = Pipeline()


def frames_of(recording: Recording) -> list[Frame]:
    head, frames = unpacked(recording)
    return [Frame(packed, head["tokens"]) for packed in frames]


def marks_of(recording: Recording) -> dict[str, list[int]]:
    return {name: positions for name, positions, _ in opened(recording.head)["jumpTargets"]}


def shown(tokens):
    return tuple(show_spaces(token) for token in tokens)


def counts_before(trace: Trace, k: int):
    """The pairs recounted before step k: all, and those that may be merged."""
    pairs = plain.count_pairs(trace.state(k - 1).splits, list(trace.corpus.word_counts.values()))
    return pairs, {pair: n for pair, n in pairs.items() if trace.settings.allows(pair)}


# ---- the film of a training run ----


@slowly
@given(corpora, all_settings)
def test_every_row_of_every_step_is_what_a_recount_finds(corpus, chosen):
    trace = Trace.record(corpus, chosen)
    for k, frame in enumerate(frames_of(record_bpe_training(trace))[1:], start=1):
        pairs, allowed = counts_before(trace, k)
        step = trace.step(k)
        most = max(allowed.values())
        assert pairs[step.pair] == step.count == most
        by_look = {shown(pair): pair for pair in pairs}
        assert frame.rows[0][:3] == (shown(step.pair), most, "now")
        others = [count for _, count, _, _ in frame.rows[1:]]
        assert others == sorted(others, reverse=True)
        for look, count, mark, _ in frame.rows[1:]:
            pair = by_look[look]
            assert count == pairs[pair]
            expected = "rejected" if pair not in allowed else "tied" if count == most else ""
            assert mark == expected
        assert len({look for look, *_ in frame.rows}) == len(frame.rows) == min(16, len(pairs))
        hidden = sorted(pairs.values(), reverse=True)
        for _, count, *_ in frame.rows:
            hidden.remove(count)
        if hidden:
            assert frame.more.startswith(
                f"{count_of(len(hidden), 'more pair')}, count {hidden[0]:,}"
            )
        else:
            assert frame.more == ""


@slowly
@given(corpora, all_settings)
def test_the_sentence_of_every_step_describes_the_merge(corpus, chosen):
    trace = Trace.record(corpus, chosen)
    for k, frame in enumerate(frames_of(record_bpe_training(trace))[1:], start=1):
        pairs, allowed = counts_before(trace, k)
        step = trace.step(k)
        assert frame.kind("token") == list(shown(step.pair))
        assert frame.kind("new") == [show_spaces(step.token)]
        assert frame.kind("strong") == [times(step.count)]
        tied = sum(count == step.count for count in allowed.values())
        assert frame.kind("tie") == (
            [f"{count_of(tied - 1, 'other pair')} {'is' if tied == 2 else 'are'} tied with it"]
            if tied > 1
            else []
        )
        if "No other pair is seen as often" in frame.text:
            assert sum(count >= step.count for count in pairs.values()) == 1
        numbers = [int(n.replace(",", "")) for n in re.findall(r"(\d[\d,]*) in ", frame.text)]
        assert not numbers or sum(numbers) == step.num_applied
        assert ("overlaps itself" in frame.text) == (step.num_applied < step.count)
        assert (f"Training stops here: {trace.stop_reason}." in frame.text) == (k == len(trace))


@slowly
@given(corpora, all_settings, st.integers(0, 5))
def test_the_strips_are_the_splits_before_and_after(corpus, chosen, number):
    trace = Trace.record(corpus, chosen)
    watched = number % len(trace.words)
    recording = record_bpe_training(trace, watched)
    counts = list(corpus.word_counts.values())
    frames = frames_of(recording)
    splits = [trace.split(w, 0) for w in range(len(counts))]
    assert [strip[1] for strip in frames[0].strips] == [shown(split) for split in splits]
    for k, frame in enumerate(frames[1:], start=1):
        token = show_spaces(trace.tokens[k - 1])
        after = [trace.split(w, k) for w in range(len(counts))]
        assert [strip[0] for strip in frame.strips] == [f"{count} ×" for count in counts]
        assert [strip[1] for strip in frame.strips] == [shown(split) for split in splits]
        assert [strip[2] for strip in frame.strips] == [shown(split) for split in after]
        for (*_, changed), old, new in zip(frame.strips, splits, after, strict=True):
            assert changed == (old != new)
        for _, _, tokens, new, _ in frame.strips:
            assert {tokens[n] for n in new} <= {token}
        splits = after
    stages = [trace.split(watched, k) for k in range(len(trace) + 1)]
    changes = [k for k, (old, new) in enumerate(pairwise(stages), start=1) if old != new]
    assert list(marks_of(recording).values())[2] == changes


@slowly
@given(corpora, all_settings)
def test_every_tied_answer_is_right_and_no_other(corpus, chosen):
    trace = Trace.record(corpus, chosen)
    for k, frame in enumerate(frames_of(record_bpe_training(trace))[1:], start=1):
        if not frame.options:
            continue
        _, allowed = counts_before(trace, k)
        by_look = {shown(pair): count for pair, count in allowed.items()}
        assert frame.right == {o for o in frame.options if by_look[o] == max(allowed.values())}
        assert shown(trace.pairs[k - 1]) in frame.right
        assert 2 <= len(frame.options) <= 6


@slowly
@given(corpora, all_settings)
def test_the_marks_are_at_the_steps_they_name(corpus, chosen):
    trace = Trace.record(corpus, chosen)
    marks = marks_of(record_bpe_training(trace))
    ties, drops = [], []
    for k in range(1, len(trace) + 1):
        _, allowed = counts_before(trace, k)
        if list(allowed.values()).count(trace.counts[k - 1]) > 1:
            ties.append(k)
        if k > 1 and trace.counts[k - 1] < trace.counts[k - 2]:
            drops.append(k)
    assert marks == {"there is a tie": ties, "the count drops": drops}


def test_a_run_of_nothing_gives_a_reason():
    trace = Trace.record(Corpus.from_counts({"a": 3}), Settings("characters"))
    (only,) = frames_of(record_bpe_training(trace))
    assert only.text == (
        "Start: 3 words (1 distinct), split into single characters: 1 base symbol. "
        "Nothing can be merged: every word is a single piece, so no pair is left."
    )


def test_the_sentences_of_the_classic_example():
    trace = trace_of("b2")
    frame = frames_of(record_bpe_training(trace))[3]
    assert frame.text == (
        "Merge est and </w> into est</w>: it occurs 9 times, 6 in newest and 3 in widest. "
        "No other pair occurs as often."
    )
    assert frame.note == "Vocabulary 13 → 14 · the text of 16 words: 77 → 68 tokens"


def test_a_pair_too_long_does_not_count_as_less_frequent():
    """With a limit on the length, a more frequent pair may be rejected."""
    corpus = Corpus.from_counts({"abc": 9, "xy": 2, "pq": 1})
    trace = Trace.record(corpus, Settings("characters", max_token_length=2))
    frame = frames_of(record_bpe_training(trace))[2]
    assert frame.rows[0][0] == ("x", "y")
    assert (("ab", "c"), 9, "rejected") in [row[:3] for row in frame.rows]
    assert "No other pair is seen as often" not in frame.text
    why = "".join(text for _, text in frame.rows[0][3])
    assert why == "Chosen: it occurs twice, more often than any other pair that is short enough."


def test_a_long_corpus_shows_eight_words_and_counts_the_others():
    trace = trace_of("prose", merges=60)
    for k, frame in enumerate(frames_of(record_bpe_training(trace))[1:], start=1):
        changed = len(trace.step(k).changed_words)
        assert len(frame.strips) == min(8, changed)
        expected = f"and {count_of(changed - 8, 'more word')} that changed" if changed > 8 else ""
        assert frame.more_words == expected


def test_a_question_withholds_words_that_would_give_the_answer_away():
    corpus = Corpus.from_counts({"aaaa": 9} | {f"{letter}x": 1 for letter in "cdefghijklm"})
    trace = Trace.record(corpus, Settings("characters", num_merges=1))
    _, frames = unpacked(record_bpe_training(trace))
    strips = frames[1]["parts"][1]
    assert len(strips["lines"]) == 1  # the only word with the answer
    assert strips["withheld"] == WITHHELD.format("word")
    assert "Count" not in frames[1]["question"]["prompt"][0]
    small = Trace.record(Corpus.from_counts({"aaaa": 9, "xy": 1}), Settings("characters"))
    _, frames = unpacked(record_bpe_training(small))
    assert "withheld" not in frames[1]["parts"][1]
    assert "Count the pairs" in frames[1]["question"]["prompt"][0]


# ---- the film of an encoding ----

dropouts = st.none() | st.builds(
    Dropout, st.sampled_from([0.3, 0.7, 1.0]), st.integers(0, 9), st.booleans()
)


@slowly
@given(corpora, all_settings, st.lists(words, max_size=4), dropouts)
def test_the_frames_of_an_encoding_end_in_the_tokens_of_the_core(corpus, chosen, sentence, dropout):
    pipeline = Pipeline((), "gpt2")
    model = Trace.record(Corpus(corpus.word_counts, None, pipeline), chosen).model()
    text = " ".join(sentence)
    recording = record_bpe_encoding(model.pipeline(text).words, model, dropout)
    frames = frames_of(recording)
    encoding = bpe.encode(text, model, dropout)
    finished = [frames[k] for k in marks_of(recording)["a word is done"]]
    tokens = [token for frame in finished for token in frame.strips[0][2]]
    assert tokens == list(shown(encoding.tokens))
    ids = ", ".join(frame.note.removeprefix("ids ") for frame in finished)
    assert ids == ", ".join(f"{i:,}" for i in encoding.ids)
    if len(finished) > 1:  # then the text is under the word, with the same tokens
        text = finished[-1].strips[1][2]
        assert text[-len(finished[-1].strips[0][2]) :] == finished[-1].strips[0][2]
        assert "…" in text or list(text) == tokens
    for k in marks_of(recording)["several merges compete"]:
        assert len(frames[k].rows) > 1


@slowly
@given(corpora, all_settings, words)
def test_the_lowest_rank_is_chosen_and_the_others_give_a_reason(corpus, chosen, word):
    model = Trace.record(corpus, chosen).model()
    recording = record_bpe_encoding([word], model)
    split = model.settings.symbols(word)
    for frame in frames_of(recording)[1:-1]:
        possible = bpe.candidates(split, model.ranks)
        rank, at = possible[0]
        assert [row[1] for row in frame.rows] == [r for r, _ in possible][:8]
        assert frame.rows[0][2] == "now"
        assert frame.rows[0][0] == shown(split[at : at + 2])
        assert frame.kind("strong") == [f"{rank:,}"]
        assert frame.strips[0][1] == shown(split)
        split = (*split[:at], split[at] + split[at + 1], *split[at + 2 :])
        assert frame.strips[0][2] == shown(split)
        if frame.options:
            assert frame.right == {frame.rows[0][0]}
            assert len(frame.options) >= 2


def test_an_encoding_of_nothing_is_one_frame():
    model = trace_of("b2").model()
    (frame,) = frames_of(record_bpe_encoding((), model))
    assert frame.text.startswith("0 words, 0 symbols.")


def test_what_is_not_in_the_vocabulary_is_named():
    model = trace_of("b2").model()
    *_, last = frames_of(record_bpe_encoding(("zoo",), model))
    assert last.strips[0][1:3] == (("z", "o", "o", "</w>"), ("[UNK]", "o", "o", "</w>"))
    assert "Not in the vocabulary: z." in last.text


# ---- runs: what a worker does ----


def trace_of(corpus: str, merges: int | None = None) -> Trace:
    sample = TEXTS[corpus]
    chosen = Settings(
        str(sample.settings["base"]), num_merges=merges or int(sample.settings["merges"])
    )
    pipeline = Pipeline((), str(sample.settings["pre_tokenizer"]))
    counted, _ = bounded_corpus(CorpusSource(sample.text or "", counts=sample.counts), pipeline)
    return Trace.record(counted, chosen)


def train(source: CorpusSource, pipeline: Pipeline = SPACES, follow: str = "", **chosen):
    return runs.train(lambda done, total: False, source, pipeline, Settings(**chosen), follow)


def test_a_text_of_five_megabytes_is_truncated_with_a_note():
    corpus, notes = bounded_corpus(CorpusSource("word " * 1_000_000), Pipeline())
    assert corpus.word_counts == {"word": 200_000}
    assert notes == ("The text has 5,000,000 characters; the first 1,000,000 are used.",)


def test_a_word_of_a_hundred_thousand_letters_is_truncated_with_a_note():
    text = "x" * 100_000 + " " + "ab" * 7_000 + " short"
    corpus, (note,) = bounded_corpus(CorpusSource(text), Pipeline())
    assert max(map(len, corpus.word_counts)) == 10_000
    assert sum(len(word) * count for word, count in corpus.word_counts.items()) == len(text) - 2
    assert note.startswith("2 words longer than 10,000 characters are cut off there.")


def test_a_table_with_too_many_rows_is_truncated_with_a_note():
    table = "".join(f"w{n},{1 + (n == 200_000)}\n" for n in range(200_001))
    corpus, (note,) = bounded_corpus(CorpusSource(table, is_table=True), Pipeline())
    assert corpus.num_distinct_words == 200_000
    assert set(corpus.word_counts) == {f"w{n}" for n in range(200_001)} - {"w199999"}
    assert note.startswith("The table has 200,001 words; the 200,000 most frequent are used.")
    assert note.endswith("They make up over 99.9% of all that it counts.")


def test_half_a_character_raises_a_user_error():
    with pytest.raises(ValueError, match=r"Character 3 in line 2 of the text is half a character"):
        train(CorpusSource("first\nab\ud800c"))
    with pytest.raises(ValueError, match="the word in row 1"):
        train(CorpusSource(counts={"\udfff": 1}))


@pytest.mark.parametrize(
    "text", ["", " \n\t", "x", "aaaaaaaa", "\0\0", "👩🏽‍🚀👩🏽‍🚀", "שלום \u202eabc\u202c"]
)
@pytest.mark.parametrize("base", BASES)
def test_any_text_makes_a_run(text, base):
    run = train(CorpusSource(text), base=base, num_merges=20)
    assert run.recording.last == len(run.trace) == len(frames_of(run.recording)) - 1
    assert run.notes == ()


def test_a_stopped_run_keeps_its_steps():
    sample = CorpusSource(TEXTS["prose"].text or "")
    run = runs.train(lambda done, total: done >= 7, sample, Pipeline(), Settings(), "")
    assert len(run.trace) == run.recording.last == 7
    last = frames_of(run.recording)[7]
    assert last.text.endswith("Training stops here: you stopped it after 7 merges.")


def test_progress_rises_to_the_end():
    reported: list[float] = []
    chosen = Settings(num_merges=10)
    counts = TEXTS["b2"].counts
    runs.train(
        lambda done, total: reported.append(done / total) or False,
        CorpusSource(counts=counts),
        Pipeline(),
        chosen,
        "",
    )
    assert reported == sorted(reported)
    assert reported[-1] == 1


def test_a_word_is_found_with_and_without_its_space():
    text = CorpusSource("low lower low")
    plain_corpus = bounded_corpus(text, Pipeline())[0]
    assert find_word(plain_corpus, "lower") == 1
    assert find_word(plain_corpus, "nowhere") is find_word(plain_corpus, "") is None
    assert find_word(bounded_corpus(text, Pipeline((), "gpt2"))[0], "lower") == 1
    assert find_word(bounded_corpus(text, Pipeline((), "metaspace"))[0], "lower") == 1


def test_a_followed_word_is_always_shown():
    source = CorpusSource(TEXTS["prose"].text or "")
    run = train(source, Pipeline((), "punctuation"), "tide", num_merges=40)
    number = list(run.trace.words).index("tide")
    for k, frame in enumerate(frames_of(run.recording)):
        split = shown(run.trace.split(number, k))
        assert split in [strip[2] for strip in frame.strips]
        words = {"".join(before) for _, before, *_ in frame.strips}
        assert len(words) == len(frame.strips) <= 8  # none twice
    assert marks_of(run.recording)["tide changes"] == list(run.trace.word_merges(number))


def test_only_the_beginning_of_a_long_text_is_stepped():
    model = trace_of("b2").model()
    recording = runs.encode_bpe(lambda done, total: False, "low " * 10_000, model, None)
    assert len(marks_of(recording)["a word is done"]) == 500


# ---- formulas ----


@slowly
@given(corpora, all_settings)
def test_the_terms_add_up_to_the_count(corpus, chosen):
    trace = Trace.record(corpus, chosen)
    for k in range(1, len(trace) + 1):
        terms = count_terms(trace, k)
        assert sum(count * inside for _, count, inside in terms) == trace.counts[k - 1]
        assert all(trace.corpus.word_counts[word] == count for word, count, _ in terms)
        assert count_formula(terms).splitlines()[3] == rf"&= {trace.counts[k - 1]}\text{{ times}}"


def test_many_words_are_summed_up_in_the_formula():
    terms = [(f"w{n}", 1, 1) for n in range(20)]
    assert r"\underbrace{14}_{\text{the other words}}" in count_formula(terms)


# ---- charts ----


def test_the_growth_chart_draws_the_run():
    trace = trace_of("b2")
    merged, tokens, pieces = lines_of(growth_chart(trace))
    assert list(merged["y"]) == trace.counts
    assert list(merged["x"]) == list(range(1, 11))
    assert list(tokens["y"]) == trace.num_tokens
    assert list(pieces["y"]) == trace.vocab_sizes
    assert growth_finding(trace, 0) == "The text starts with 95 tokens"
    assert growth_finding(trace, 3) == "After 3 of 10 merges: 28.4% fewer tokens"


def test_a_chart_is_made_once_for_a_run_and_forgotten_with_it():
    trace = Trace.record(Corpus.from_counts({"<b>&": 4, "<b": 2}), Settings("characters"))
    chart = growth_chart(trace)
    assert growth_chart(trace) is chart
    assert growth_chart(trace_of("b2")) is not chart
    made_again = growth_chart.__wrapped__(trace)  # type: ignore[attr-defined]
    assert to_json(chart) == to_json(chart) == to_json(made_again)
    of_pair = pair_chart(trace, ("<", "b"))
    assert pair_chart(trace, ("<", "b")) is of_pair
    assert lines_of(pair_chart(trace, ("b", ">"))) != lines_of(of_pair)
    run = weakref.ref(trace)
    del trace
    gc.collect()
    assert run() is None


def test_a_chart_of_no_merge_is_drawn():
    trace = Trace.record(Corpus.from_counts({"a": 3}), Settings("characters"))
    assert list(lines_of(growth_chart(trace))[0]["y"]) == []
    assert growth_finding(trace, 0) == "The text starts with 3 tokens"


def test_a_long_run_is_thinned_but_ends_at_its_end():
    text = " ".join(f"{n:x}" for n in range(6000))
    trace = Trace.record(Corpus.from_text(text), Settings(num_merges=2 * MAX_POINTS + 1))
    steps = list(lines_of(growth_chart(trace))[1]["x"])
    assert len(steps) <= MAX_POINTS + 2
    assert steps[-1] == len(trace) == 2 * MAX_POINTS + 1


def test_the_history_of_a_pair_is_that_of_the_trace():
    trace = Trace.record(Corpus.from_counts({"<b>&": 4, "<b": 2}), Settings("characters"))
    (line,) = lines_of(pair_chart(trace, ("<", "b")))
    assert list(zip(line["x"], line["y"], strict=True)) == [(0, 6), (1, 0), (len(trace), 0)]
    assert pair_finding(trace, ("<", "b"), 0) == "< + b occurs 6 times after step 0"
    assert pair_finding(trace, ("<", "b"), 1) == "< + b no longer occurs after step 1"


# ---- trees ----

QUOTED = r'"((?:[^"\\]|\\.)*)"'


def labels_of(graph: graphviz.Digraph) -> list[list[str]]:
    """The lines of every node's label, parsed as DOT: quotes, escapes, entities."""
    labels = []
    for raw in re.findall(rf"label={QUOTED}|label=([^\s\]]+)", graph.source):
        quoted = raw[0].replace('\\"', '"') if raw[0] else raw[1]
        lines = [""]
        for part in re.findall(r"\\.|[^\\]", quoted, re.DOTALL):
            if part == "\\n":
                lines.append("")
            else:
                lines[-1] += part[-1] if part[0] == "\\" else part
        labels.append([html.unescape(line) for line in lines])
    return labels


@pytest.mark.parametrize("token", HOSTILE)
def test_a_hostile_token_is_text_in_a_tree(token):
    tree = merge_tree("x" + token, {"x" + token: (7, ("x", token))})
    assert labels_of(tree) == [[show_spaces("x" + token), "step 7"], ["x"], [show_spaces(token)]]
    assert "<b>" not in re.sub(QUOTED, "", tree.source)


@slowly
@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8))
def test_any_token_is_text_in_a_tree(left, right):
    tree = merge_tree(left + right, {left + right: (1, (left, right))})
    assert labels_of(tree)[0] == [show_spaces(left + right), "step 1"]


def test_a_tree_is_made_of_the_merges_of_the_run():
    trace = trace_of("b2")
    made = made_by(trace)
    assert made["est</w>"] == (3, ("est", "</w>"))
    labels = labels_of(merge_tree("est</w>", made))
    assert labels == [
        ["est</w>", "step 3"], ["est", "step 2"], ["</w>"], ["es", "step 1"], ["t"], ["e"], ["s"],
    ]  # fmt: skip


def test_a_tree_too_large_is_truncated_with_a_note():
    text = "a" * 200
    made = {"a" * n: (n, ("a" * (n - 1), "a")) for n in range(2, 201)}
    labels = labels_of(merge_tree(text, made))
    assert len(labels) == MAX_NODES
    assert labels[-2][1].endswith("…")


# ---- phrases ----


def test_lists_read_like_lists():
    assert "".join(map(str, join_list([("a",)]))) == "a"
    assert join_list([]) == ()
    assert word_segment("x" * 30) == ("word", "x" * 23 + "…")
    assert (times(0), times(3)) == ("0 times", "3 times")


def test_a_long_strip_is_cut_around_the_change():
    before = tuple(map(str, range(200)))
    after = (*before[:150], "150151", *before[152:])
    strip = clip_strip(TokenStrip("", before, after, (150,), True))
    assert strip.after[strip.new[0]] == "150151"
    assert strip.before == ("…", *before[135:195], "…")


def test_the_only_other_word_of_a_pair_is_named_as_well():
    counts = {"abc": 5, "abd": 4, "abe": 3, "abf": 2}
    trace = Trace.record(Corpus.from_counts(counts), Settings(num_merges=1))
    assert "and 2 in abf" in plain_text(WordStrips(trace, None).where_text(trace.step(1)))
    trace = Trace.record(Corpus.from_counts({**counts, "abg": 1}), Settings(num_merges=1))
    assert "3 in 2 other words" in plain_text(WordStrips(trace, None).where_text(trace.step(1)))
