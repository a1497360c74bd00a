"""The pieces that a run makes only as parts of longer ones, in its table of pieces."""

from tests.pages.opening import opened, texts_of


def table_of(app):
    return next(frame.value for frame in app.dataframe if "made at step" in frame.value)


def test_the_vocabulary_marks_what_is_only_a_part():
    app = opened("bpe_train", corpus="b2", panel="Vocabulary", merges="10", step="10")
    table = table_of(app)
    residues = table[table["only a part"] == "merge residue"]
    assert "es" in set(residues["piece"])  # every `es` has become `est`
    assert set(residues["in the text now"]) == {0}
    assert min(residues["made in all"]) > 0
    listed = opened(
        "bpe_train", corpus="b2", panel="Vocabulary", merges="10", step="10", residues="true"
    )
    assert list(table_of(listed)["piece"]) == list(residues["piece"])
    captions = texts_of(listed.caption)
    assert any(f"{len(residues)} merge residues after step 10" in text for text in captions)


def test_without_a_merge_nothing_is_a_residue():
    app = opened("bpe_train", corpus="b2", panel="Vocabulary", step="0", residues="true")
    assert set(table_of(app)["only a part"]) == {""}


def test_wordpiece_has_no_merges_to_leave_residues():
    app = opened("wordpiece_train", corpus="b2", panel="Vocabulary", step="5")
    assert "only a part" not in table_of(app)
