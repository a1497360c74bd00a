"""Every tie rule has its texts wherever one is chosen, described, done by hand or replayed."""

import json
from pathlib import Path

from pages.bpe.worksheet import TIES_BY_HAND
from pages.shared.controls.settings import LABELS, TIE_NOTES, TIES
from pages.shared.controls.unigram_settings import LOSS_TIES
from pages.what_if.changes import TIE_RULE_TEXTS
from tokenizers.merging.queue import TIE_RULES
from tokenizers.unigram.settings import CHOICES

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/trace.schema.json").read_text())


def test_every_tie_rule_of_merging_has_all_its_texts():
    assert tuple(TIES) == tuple(TIE_NOTES) == tuple(TIES_BY_HAND) == TIE_RULES
    assert LABELS.keys() >= set(TIE_RULES)
    assert SCHEMA["$defs"]["merging"]["properties"]["ties"]["enum"] == list(TIE_RULES)


def test_every_tie_rule_of_pruning_has_all_its_texts():
    assert set(LOSS_TIES) == set(CHOICES["ties"])


def test_what_if_has_texts_for_both_kinds_of_tie_rules():
    assert TIE_RULE_TEXTS.keys() == {*TIE_RULES, *LOSS_TIES}
