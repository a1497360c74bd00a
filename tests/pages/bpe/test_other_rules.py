"""The panels of BPE · Train that compare a run with other rules; every number against a recount."""

import pytest

from lessons.texts import TEXTS
from pages.bpe.other_rules import compare_crossings, compare_lengths
from tests.pages.opening import checked, columns_under, html_of, opened, trace
from tokenizers import bpe
from tokenizers.bpe.superwords import LINES, SuperwordSettings
from tokenizers.measures.efficiency import renyi_efficiency
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus, Pipeline

PROSE = TEXTS["prose"].text or ""
ACROSS, LONGER = "The same text by three rules", "As many pieces, and what they leave"


def report(done: int, total: int) -> bool:
    return False


def test_the_three_rules_are_those_of_the_trainer():
    found = compare_crossings(report, PROSE, (), bpe.Settings(), 200, 80)
    corpus = Corpus.from_text(PROSE, LINES)
    assert [run.crossing for run in found.runs] == ["never", "after", "whole_words"]
    for run, settings in zip(
        found.runs,
        (
            SuperwordSettings(num_merges=200, crossing="after", inside=200),
            SuperwordSettings(num_merges=200, crossing="after", inside=80),
            SuperwordSettings(num_merges=200),
        ),
        strict=True,
    ):
        trace = Trace.record(corpus, settings)
        assert run.tokens == trace.num_tokens[-1]
        assert run.efficiency == renyi_efficiency(trace.state(200).token_counts)
        assert run.superwords == sum("▁" in token[1:] for token in trace.tokens)
    splits = {run.model.encode(found.sample).pieces for run in found.runs}
    assert len(splits) == 3
    assert found.sample in PROSE


def test_never_stays_inside_words_though_nothing_is_left_there():
    never, after, _ = compare_crossings(report, "ab ab ab", (), bpe.Settings(), 9, 1).runs
    assert (never.tokens, never.superwords) == (3, 0)
    assert after.tokens < 3


@pytest.mark.parametrize("base", ["characters", "end_of_word", "bytes", "metaspace"])
@pytest.mark.parametrize("worth", ["length", "saved"])
def test_no_way_to_split_loses_anything_and_the_fewest_are_the_fewest(base: str, worth: str):
    split = {"bytes": "gpt2", "metaspace": "metaspace"}.get(base, "punctuation")
    corpus = Corpus.from_text(PROSE, Pipeline((), split))
    trace = Trace.record(corpus, bpe.Settings(base=base, num_merges=150))
    found = compare_lengths(report, trace, worth)
    assert found.pieces == 150 == len(found.learned)
    assert found.tokens["merges"] == trace.num_tokens[150]
    assert found.tokens["fewest"] <= found.tokens["merges"]
    assert found.tokens["length_max"] <= found.tokens["longest"]
    assert found.mean[0] == sum(map(trace.settings.length, trace.tokens)) / 150
    for word, *splits in found.different:
        whole = "".join(trace.settings.symbols(word))
        assert ["".join(split) for split in splits] == [whole] * 3


def test_the_panels_show_the_numbers_and_open_by_url():
    app = checked(opened("bpe_train", corpus="prose", merges="200", panel="Across spaces"))
    found = compare_crossings(report, PROSE, (), bpe.Settings(), 200, 100)
    columns = columns_under(app, ACROSS)
    assert columns["Tokens of the text"] == [f"{run.tokens:,}" for run in found.runs]
    app = checked(opened("bpe_train", corpus="prose", merges="200", panel="Longer pieces"))
    before = columns_under(app, LONGER)["Tokens"][0]
    saved = checked(
        opened("bpe_train", corpus="prose", merges="200", panel="Longer pieces", worth="saved")
    )
    assert columns_under(saved, LONGER)["Tokens"][0] == before
    assert columns_under(saved, LONGER)["Tokens"] != columns_under(app, LONGER)["Tokens"]
    assert "with their count × tokens saved" in html_of(saved)


def test_a_table_a_run_without_merges_and_lines_get_a_sentence():
    def captions(**query: str) -> str:
        return " ".join(one.value for one in checked(opened("bpe_train", **query)).caption)

    assert "has no neighbors" in captions(corpus="b2", panel="Across spaces")
    assert "merges nothing" in captions(corpus="prose", merges="0", panel="Across spaces")
    assert "merges nothing" in captions(corpus="prose", merges="0", panel="Longer pieces")
    lines = captions(corpus="prose", crossing="whole_words", panel="Longer pieces")
    assert "inside words" in lines
    once = captions(corpus="own", text="abc", panel="Longer pieces")
    assert "occurs twice" in once


def test_hostile_sentences_are_shown_as_text():
    say = "<b>x</b> & the sea"
    app = checked(opened("bpe_train", corpus="prose", panel="Across spaces", across_say=say))
    assert "<b>x" not in html_of(app)


def test_a_button_steps_through_the_rule():
    app = checked(opened("bpe_train", corpus="prose", merges="60", panel="Across spaces"))
    (button,) = [one for one in app.button if one.label == "Step through SuperBPE"]
    button.click().run()
    settings = trace(checked(app)).settings
    assert settings == SuperwordSettings(num_merges=60, crossing="after", inside=30)
