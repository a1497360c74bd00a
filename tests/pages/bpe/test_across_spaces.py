"""BPE · Train with merges across spaces: the setting, the frames, and what cannot be exported."""

import pytest

from pages.bpe.exports import merging_exports
from pages.bpe.training_frames import PARTS_OF_LINES, BpeFrames
from pages.bpe.worksheet import worksheet
from pages.shared.export import tokenizer_files
from pages.shared.recording.frame_types import StripsFrame
from pages.shared.recording.words import MAX_LINES, SYMBOLS_OF_LINE
from pages.shared.training.script import NoScriptError, merging_script
from tests.pages.opening import checked, opened, trace
from tokenizers.bpe.superwords import LINES, SuperwordSettings, is_border
from tokenizers.errors import UserError
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

TEXT = "of the sea\nof the tide\nthe tide of the sea\n"


def record(text: str = TEXT, **settings) -> Trace[SuperwordSettings]:
    return Trace.record(Corpus.from_text(text, LINES), SuperwordSettings(**settings))


def sentence(run: Trace, k: int) -> str:
    parts = BpeFrames(run, None).frame(k).sentence
    return "".join(part if isinstance(part, str) else str(part[1]) for part in parts)


def note(run: Trace, k: int) -> str:
    return str(BpeFrames(run, None).frame(k).parts[2])


def test_the_sentence_says_that_whole_words_are_joined():
    run = record()
    across = [k for k, pair in enumerate(run.pairs, start=1) if is_border(*pair)]
    assert across
    for k in range(1, len(run) + 1):
        assert sentence(run, k).startswith("Merge the whole words ") == (k in across)
        assert ", in 1 line" in sentence(
            run, k
        ) or f", in {len(run.step(k).changed_words)} lines" in (sentence(run, k))
    assert "3 lines" in sentence(run, 0)


def test_the_note_says_from_which_step_on_spaces_may_be_crossed():
    run = record(crossing="after", inside=4)
    said = [k for k in range(len(run) + 1) if "merges may cross spaces" in note(run, k)]
    assert said == [4]
    used_up = record(crossing="after", inside=999)
    (last,) = [k for k in range(len(used_up)) if "merges may cross spaces" in note(used_up, k)]
    assert not any(is_border(*pair) for pair in used_up.pairs[:last])
    assert is_border(*used_up.pairs[last])


def test_long_lines_are_cut_around_the_change():
    run = record("\n".join(f"{'z ' * n}ab {'y ' * 60}" for n in range(9)), num_merges=1)
    _, strips, *_ = BpeFrames(run, None).frame(1).parts
    assert isinstance(strips, StripsFrame)
    assert len(strips.strips) == MAX_LINES
    assert all(len(strip.after) <= SYMBOLS_OF_LINE + 2 for strip in strips.strips)
    assert PARTS_OF_LINES[1].caption == "Lines after this merge"


def test_what_has_no_words_is_refused_with_a_sentence():
    run = record()
    with pytest.raises(UserError, match="To get one, set Merges may cross spaces to Never"):
        worksheet(run, 1, 1)
    with pytest.raises(NoScriptError, match="To get it, set Merges may cross spaces"):
        merging_script(run)
    (item,) = tokenizer_files.items(run.model())
    with pytest.raises(UserError, match="Set Merges may cross spaces to Never"):
        item.make()


def test_every_file_is_made_or_refused_with_a_sentence():
    refused = []
    for item in merging_exports(record(), 3).items:
        try:
            assert item.make()
        except UserError as why:
            refused.append(str(why))
    assert refused
    assert all("Merges may cross spaces" in why for why in refused)


@pytest.mark.parametrize("crossing", ["after", "whole_words"])
def test_every_panel_opens(crossing: str):
    app = checked(opened("bpe_train", corpus="own", text=TEXT, crossing=crossing, step="3"))
    panels = app.button_group(key="panel").options
    assert len(panels) > 5
    for panel in panels:
        checked(opened("bpe_train", corpus="own", text=TEXT, crossing=crossing, panel=str(panel)))
    missing = checked(opened("bpe_train", corpus="own", text=TEXT, crossing=crossing, panel="Zz"))
    assert trace(missing).settings.crossing == crossing


@pytest.mark.parametrize("crossing", ["after", "whole_words"])
def test_the_page_trains_across_spaces_by_its_url(crossing: str):
    app = checked(opened("bpe_train", corpus="own", text=TEXT, crossing=crossing, inside="3"))
    run = trace(app)
    assert run.words == ("▁of▁the▁sea", "▁of▁the▁tide", "▁the▁tide▁of▁the▁sea")
    inside = 3 if crossing == "after" else 0
    assert run.settings == SuperwordSettings(
        num_merges=run.settings.num_merges, crossing=crossing, inside=inside
    )


def test_never_is_what_a_link_without_the_setting_means():
    app = checked(opened("bpe_train", corpus="own", text=TEXT))
    assert app.selectbox(key="crossing").value == "never"
    assert not isinstance(trace(app).settings, SuperwordSettings)
    app.selectbox(key="crossing").set_value("whole_words").run()
    assert isinstance(trace(checked(app)).settings, SuperwordSettings)


def test_a_table_of_words_has_no_neighbors_to_join():
    run = trace(checked(opened("bpe_train", corpus="b2", crossing="whole_words")))
    assert not any(is_border(*pair) for pair in run.pairs)
