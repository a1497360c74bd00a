"""Merge residues of published tokenizers: what the panel says is what the core counts."""

import pytest

from lessons.models import open_model
from lessons.texts import TEXTS
from pages.real.residues import LONG_TEXT, find_residues
from pages.shared.training.published import PublishedTokenizer
from tests.pages.opening import html_of, markdown_of, opened, texts_of
from tokenizers.runtime.inspection.residues import TextResidues


def test_a_report_has_what_the_core_counts():
    found = find_residues(PublishedTokenizer("gpt2"), None, 0.05)
    core = TextResidues(open_model("gpt2"), TEXTS[LONG_TEXT].text or "")
    assert found.num_tokens == core.num_tokens
    assert found.num_residues == len(core.residues(0.05))
    residues = set(core.residues(0.05))
    for token, made, left in zip(
        *(found.table[name] for name in ("id", "made", "left")), strict=True
    ):
        assert left <= 0.05 * made
        assert open_model("gpt2").token_of(token) in residues
    kept = sum(len(word.after) * word.count for word in core.changed_by_removing(residues))
    gone = sum(len(word.before) * word.count for word in core.changed_by_removing(residues))
    assert found.more == kept - gone > 0


def test_what_is_never_left_can_go_without_a_change():
    found = find_residues(PublishedTokenizer("mistral-v1"), "The lowest tide of the week", 0)
    assert found.num_residues > 0
    assert (found.more, found.num_changed, found.changed) == (0, 0, ())


@pytest.mark.parametrize("model", ["gpt2", "mistral-v1"])
def test_the_panel_says_what_removing_changes(model: str):
    app = opened("real", panel="Merge residues", model=model, residue_limit="0.1", width="100")
    text = markdown_of(app)
    found = find_residues(PublishedTokenizer(model), None, 0.1)
    assert f"{found.num_tokens:,} tokens" in text
    assert f"{100 * found.num_residues:,} parameters" in text
    assert "makes them" in text
    assert "without residues" in html_of(app)


def test_it_is_measured_on_the_text_above():
    app = opened("real", panel="Merge residues", model="gpt2", residues_on="own", say="lowest")
    assert "does not change one of them" in markdown_of(app)
    assert "without the text that it was trained on" in html_of(app)
    assert any("No word of this text" in text for text in texts_of(app.caption))


def test_only_bpe_has_them():
    app = opened("real", panel="Merge residues", model="bert-uncased")
    assert "Choose another one above" in html_of(app)
