"""Languages: how passages are cut in two and mixed, what is counted, the page with any address."""

import re
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.texts import LANGUAGES
from lessons.texts.parallel import TRAINING_CHARS, byte_premium, halves, repeated
from pages.languages import findings
from pages.languages.panels import COMPARED_KINDS
from pages.languages.study import (
    MEASURES,
    OTHERS,
    PARITY,
    PASSAGES,
    SHARES,
    UNSPACED,
    MixRequest,
    Study,
    burden,
    cost,
    measure_mixes,
    mixed_text,
    num_words,
    ratio,
    split_sentences,
)
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, train_kind
from tests.pages.opening import checked, html_of, notes_of, opened, sent_to

PAGE = "languages"
every_language = pytest.mark.parametrize("passage", LANGUAGES, ids=PASSAGES)
FIFTH = {
    **{"en": "A boy", "sw": "Mvulana", "ar": "ويعدّ ولد", "he": "ילד אחד", "hi": "एक लड़का"},
    **{
        "ta": "ஒரு சிறுவன்",
        "th": "เด็กชาย",
        "ja": "男の子が",
        "zh-Hans": "一个小男孩",
        "ko": "한 남자",
    },
}
"""How the fifth sentence begins: a boy counts his coins."""


def never(done: int, total: int) -> bool:
    return False


@pytest.fixture(scope="module")
def study() -> Study:
    return measure_mixes(never, MixRequest("bytes", 60))


# ---- the sentences ----


@every_language
def test_the_halves_are_the_passage_and_share_no_sentence(passage):
    both = halves(passage)
    assert passage.text.replace(" ", "") == (both.training + both.unseen).replace(" ", "")
    assert 0.3 < len(both.training) / len(passage.text) < 0.7
    assert both.unseen.startswith(FIFTH.get(passage.code, ""))
    sentences = [part for part in re.split(r"(?<=[.।。])\s*", both.unseen) if part]
    assert not any(part in both.training for part in sentences)


@every_language
def test_words_are_counted_where_spaces_part_them(passage):
    words = num_words(passage)
    assert (words is None) == (passage.script in UNSPACED)
    assert words is None or 40 < words < 90


# ---- the mix ----


@given(st.text(min_size=1, max_size=30), st.integers(0, 200))
def test_a_text_is_repeated_to_the_very_length(text, length):
    made = repeated(text, length)
    assert len(made) == length
    assert (f"{text} " * (length + 1)).startswith(made)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("second", ["hi", OTHERS])
def test_the_mix_has_the_shares_by_characters(share, second):
    request = MixRequest("bytes", 60, second=second)
    parts = request.mix(share)
    assert sum(parts.values()) == pytest.approx(1)
    assert parts.get("en", 0) == pytest.approx(1 - share / 100)
    lines = mixed_text(parts).split("\n")
    assert len(lines) == len(parts)
    assert abs(sum(map(len, lines)) - TRAINING_CHARS) <= len(parts)
    assert len(lines[0]) == round(next(iter(parts.values())) * TRAINING_CHARS)


def test_the_unseen_sentences_are_never_learned_from():
    text = mixed_text(MixRequest("bytes", 60, second=OTHERS).mix(50))
    assert not any(halves(passage).unseen[:30] in text for passage in LANGUAGES)


# ---- what is measured ----


def test_more_hindi_in_training_makes_hindi_cheaper_and_english_dearer(study):
    hindi = [trained.tokens("hi") for trained in study.mixes]
    english = [trained.tokens("en") for trained in study.mixes]
    assert hindi == sorted(hindi, reverse=True)
    assert english[1:] == sorted(english[1:])
    assert (english[0], hindi[0], english[5], hindi[5]) == (237, 891, 254, 357)
    assert ratio(study.mixes[5], study.request) == 357 / 254


@pytest.mark.parametrize("kind", COMPARED_KINDS)
def test_the_counts_are_those_of_a_tokenizer_trained_alone(kind):
    request = MixRequest(kind, 40, "de", "ru")
    here = measure_mixes(never, request).mixes[3]
    if kind == "unigram":
        size = here.pieces
        learned = train_kind(
            never, CorpusSource(mixed_text(request.mix(30))), kind, here.alphabet + 40
        )
    else:
        size = here.alphabet + 40
        learned = train_kind(never, CorpusSource(mixed_text(request.mix(30))), kind, size)
    for code in ("de", "ru", "th"):
        encoding = learned.model(size).encode(halves(PASSAGES[code]).unseen)
        assert here.cuts[code].tokens == encoding.tokens
        assert here.tokens(code) == len(encoding.tokens)


@pytest.mark.parametrize("kind", COMPARED_KINDS)
def test_every_learned_piece_is_for_someone_or_no_one(kind):
    for trained in measure_mixes(never, MixRequest(kind, 25)).mixes:
        users = trained.piece_use
        learned = trained.pieces - trained.alphabet
        assert users.first + users.both + users.second + users.neither == learned
        assert learned <= 25 or kind == "unigram"


@every_language
def test_costs_are_the_tokens_by_their_unit(study, passage):
    trained, unseen = study.mixes[5], halves(passage).unseen
    tokens = trained.tokens(passage.code)
    assert cost(trained, passage.code, "tokens") == tokens
    assert cost(trained, passage.code, "characters") == tokens / len(unseen)
    assert cost(trained, passage.code, "bytes") == tokens / len(unseen.encode())
    assert cost(trained, passage.code, "premium") == tokens / trained.tokens("en")
    words = cost(trained, passage.code, "words")
    assert words is None or words == tokens / len(unseen.split())


def test_unknown_characters_are_weighed():
    model = train_kind(never, CorpusSource("ab ab"), "characters", 9).model()
    cut = split_sentences("abcd", model.encode)
    assert cut.unknown == {2, 3}
    assert cut.unknown_share == 0.5
    assert findings.tiles(cut, "characters")[2][::2] == ("c", "unknown")


def test_bytes_that_are_parts_of_a_character_are_shown_as_bytes():
    model = train_kind(never, CorpusSource("aa aa"), "bytes", 257).model()
    cut = split_sentences("aaक", model.encode)
    tiles = findings.tiles(cut, "bytes")
    assert [tile[0] for tile in tiles] == ["aa", "⟨E0⟩", "⟨A4⟩", "⟨95⟩"]
    assert [tile[2] for tile in tiles] == ["", "part", "part", "part"]


def test_stopping_gets_a_sentence():
    with pytest.raises(ValueError, match="stopped"):
        measure_mixes(lambda done, total: True, MixRequest("bytes", 5))


# ---- what is said ----


def test_the_sentences_hold_the_numbers(study):
    assert findings.describe_share(study, 1) == (
        "90% English, 10% Hindi: Hindi needs 1.92 times as many tokens as English (452 for 236). "
        "Half and half, it is 1.41 times."
    )
    assert findings.finding(study).startswith("From 10 to 90% Hindi, English goes from 236 to 311")
    assert findings.describe_piece_use(study.request, study.mixes[1]) == (
        "316 pieces: 256 single bytes and 60 learned."
    )


def test_unknown_text_is_not_compared():
    study = measure_mixes(never, MixRequest("wordpiece", 60))
    assert "97% of the characters in Hindi are unknown" in findings.describe_share(study, 0)
    assert "cannot be compared" in findings.describe_share(study, 0)


@pytest.mark.parametrize("measure", MEASURES)
def test_rows_are_sorted_within_their_group_and_none_is_missing(study, measure):
    rows = findings.groups(study, measure)
    assert [row.code for row in rows[0][1]] == ["en", "hi"]
    assert sorted(row.code for _, group in rows for row in group) == sorted(PASSAGES)
    for _, group in rows[1:]:
        means = [sum(v or 0 for v in row.values) for row in group]
        assert means == sorted(means)


# ---- the page ----


def sent(app) -> dict:
    """What the stage was given to draw."""
    return sent_to(app, "mixes")


def test_the_page_opens_with_its_finding():
    app = opened(PAGE)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    data = sent(app)
    assert (data["state"][1][0], data["cut"], data["most"]) == (1, "hi", 1133)
    assert len(data["mixes"]) == len(data["cuts"]) == len(data["sentences"]) == 11
    assert [len(cut) for cut in data["cuts"]][:2] == [891, 452]
    assert "which they have not seen" in " ".join(notes_of(app))


def test_a_cold_deep_link():
    app = opened(PAGE, kind="wordpiece", first="de", second="fr", mix="70", cut="th", pays="bytes")
    data = sent(app)
    assert (data["state"][1][0], data["cut"], data["first"], data["second"]) == (
        7,
        "th",
        "German",
        "French",
    )
    assert data["unit"] == MEASURES["bytes"]
    assert app.query_params["mix"] == "70"
    assert app.query_params["cut"] == "th"
    assert not app.toast


def test_the_state_from_the_browser_is_kept():
    app = opened(PAGE)
    app.session_state["languages"] = {"chosen": [[8, "ta"], sent(app)["state"][0]]}
    app = checked(app.run())
    assert app.query_params["mix"] == "80"
    assert app.query_params["cut"] == "ta"
    assert sent(app)["title"] == "The unseen sentences in Tamil"
    app.session_state["languages"] = {"chosen": [[2, "en"], 99]}
    assert checked(app.run()).query_params["mix"] == "80"
    app.selectbox(key="kind").select("bpe").run()
    assert checked(app).query_params["mix"] == "80"


@pytest.mark.parametrize(
    ("name", "value"),
    [("mix", "55"), ("mix", "-10"), ("cut", "<b>"), ("cut", "xx"), ("kind", "gpt"),
     ("first", "zz"), ("second", "zz"), ("extra", "inf"), ("extra", "-1"), ("pays", "money")],
)  # fmt: skip
def test_nonsense_in_the_address_means_the_default(name, value):
    app = opened(PAGE, **{name: value})
    data = sent(app)
    assert (data["state"][1][0], data["cut"], data["first"], data["second"]) == (
        1,
        "hi",
        "English",
        "Hindi",
    )
    assert not app.error


def test_a_language_is_not_mixed_with_itself():
    app = opened(PAGE, first="hi", second="hi")
    assert (sent(app)["first"], sent(app)["second"]) == ("Hindi", "English")


def test_all_the_others():
    app = opened(PAGE, kind="bpe", second=OTHERS, extra="10")
    assert sent(app)["second"] == "the others"
    assert sent(app)["cut"] == "en"
    assert not app.error


@pytest.mark.parametrize(
    "panel", ["Three training texts", "All four tokenizers", "The sentences", "The code"]
)
def test_every_panel(panel):
    app = opened(PAGE, panel=panel, cut="ar")
    assert not app.error
    if panel == "All four tokenizers":
        assert all(f">{KINDS[kind].name}</th>" in html_of(app) for kind in COMPARED_KINDS)
    if panel == "The sentences":
        assert '<td lang="ar" dir="rtl">' in html_of(app)
    if panel == "Three training texts":
        assert "Trained on English alone, Tamil pays most: 4.78 tokens" in html_of(app)


# ---- the language worst off chooses ----


@pytest.fixture(scope="module")
def by_parity() -> Study:
    return measure_mixes(never, MixRequest("bytes", 60, rule=PARITY))


def test_hindi_gets_cheaper_english_dearer_and_both_pay_more_alike(study, by_parity):
    here, before = (one.mixes[1] for one in (by_parity, study))
    assert (here.tokens("en"), here.tokens("hi")) == (275, 318)
    assert (before.tokens("en"), before.tokens("hi")) == (236, 452)
    paid = burden(here, by_parity.request), burden(before, study.request)
    assert [one.worst for one in paid] == ["hi", "hi"]
    assert [one.gini for one in paid] == [43 / 1186, 216 / 1376]
    assert findings.burden_rows(by_parity, study, 1) == [
        ("Mean", "296", "344"),
        ("Pays most", "Hindi 318", "Hindi 452"),
        ("Gini coefficient", "0.036", "0.157"),
    ]
    assert findings.describe_rules(by_parity, study, 1) == (
        "90% English, 10% Hindi: if the language worst off chooses, Hindi pays 318 tokens, not 452,"
        " and English 275, not 236."
    )


def test_before_the_first_merge_every_language_pays_its_bytes(by_parity):
    for mix in by_parity.mixes:
        run = mix.run
        assert run
        assert run.turns[0].lengths == tuple(
            len(halves(PASSAGES[code]).training.encode()) for code in run.languages
        )
        assert mix.pieces == 256 + 60


def test_the_worst_off_chooses_and_its_sentences_get_shorter(by_parity):
    run = by_parity.mixes[1].run
    assert run
    for turn, after in pairwise(run.turns):
        chooser = run.languages.index(turn.language)
        assert turn.lengths[chooser] == max(turn.lengths)
        assert all(a >= b for a, b in zip(turn.lengths, after.lengths, strict=True))
        assert turn.lengths[chooser] > after.lengths[chooser]


def test_chosen_by_all_together_it_is_the_usual_rule(study):
    together = measure_mixes(never, MixRequest("bytes", 60, rule=PARITY, together=60))
    for here, before in zip(together.mixes, study.mixes, strict=True):
        assert here.cuts == before.cuts
        assert here.piece_use == before.piece_use


@pytest.mark.parametrize("at", range(len(SHARES)))
def test_with_all_languages_none_pays_more_than_the_worst_did_before(at):
    request = MixRequest("bytes", 60, second=OTHERS, rule=PARITY)
    here, before = measured(request).mixes[at], measured(request.by_frequency).mixes[at]
    now, then = burden(here, request), burden(before, request)
    assert len(now.costs) == len(PASSAGES)
    assert now.costs[now.worst] <= then.costs[then.worst]
    assert now.gini <= then.gini


measured = cache(lambda request: measure_mixes(never, request))


def test_the_page_shows_both_rules_and_who_chose_each_merge():
    app = opened(PAGE, rule=PARITY, turn="12")
    data = sent(app)
    assert not app.toast
    assert data["state"][1] == [1, "hi", 12]
    assert app.query_params["turn"] == "12"
    rules = data["rules"]
    assert rules["burden"][1][2] == ["Gini coefficient", "0.036", "0.157"]
    assert rules["languages"][1] == ["en", "hi"]
    assert len(rules["turns"][1]) == 60
    assert rules["turns"][1][0] == [1, "⟨E0⟩", "⟨A4⟩", 666, [286, 786]]
    hindi = next(row for _, rows in data["groups"] for row in rows if row["code"] == "hi")
    assert (hindi["shown"][1], hindi["usual"][1], hindi["ticks"][1]) == ("318", "452", 452)
    assert "parity-aware BPE (Foroutan and others, 2025)" in " ".join(notes_of(app))
    app.selectbox(key="rule").select("The most frequent pair").run()
    assert sent(checked(app))["rules"] is None
    assert "rule" not in app.query_params
    assert "turn" not in app.query_params


def test_the_code_has_the_one_thing_that_differs():
    code = " ".join(block.value for block in opened(PAGE, rule=PARITY, panel="The code").code)
    assert "def train_plainly(" in code
    assert "max(able, key=lengths.__getitem__)" in code
    assert "def train_plainly(" not in " ".join(
        block.value for block in opened(PAGE, panel="The code").code
    )


def test_only_bpe_has_two_rules():
    app = opened(PAGE, kind="unigram", rule=PARITY)
    assert not app.error
    assert sent(app)["rules"] is None
    assert not [box for box in app.selectbox if box.key == "rule"]


@pytest.mark.parametrize(
    ("name", "value"), [("rule", "<b>"), ("turn", "x"), ("turn", "0"), ("together", "-1")]
)
def test_nonsense_about_the_rule_means_the_default(name, value):
    app = opened(PAGE, **({"rule": PARITY} | {name: value}))
    assert not app.error
    assert sent(app)["state"][1] == [1, "hi", 1]


def test_merges_by_frequency_come_first():
    app = opened(PAGE, rule=PARITY, together="2")
    assert [turn[0] for turn in sent(app)["rules"]["turns"][1][:3]] == [-1, -1, 1]


# ---- bytes ----


def test_byte_premiums_are_the_bytes_of_the_passage_by_those_of_english():
    english = len(PASSAGES["en"].text.encode())
    for passage in LANGUAGES:
        assert byte_premium(passage) == len(passage.text.encode()) / english
        assert 0.9 < passage.byte_premium < 3
    far = {p.code for p in LANGUAGES if abs(byte_premium(p) / p.byte_premium - 1) > 0.2}
    assert far == {"ta"}


def test_the_bars_that_compare_with_english_have_a_mark_for_the_bytes():
    data = sent(opened(PAGE, pays="premium"))
    marks = {row["code"]: row["bytes"] for _, rows in data["groups"] for row in rows}
    assert marks == {code: byte_premium(passage) for code, passage in PASSAGES.items()}
    assert "◆ bytes for each English byte" in data["marks"]
    assert {row["bytes"] for _, rows in sent(opened(PAGE))["groups"] for row in rows} == {None}


def test_the_panel_of_byte_premiums_has_the_published_ones_too():
    app = opened(PAGE, panel="Byte premiums")
    page = html_of(app)
    assert "Tamil needs 3.65 bytes for each English byte of the same passage" in page
    assert re.search(r"Hindi.*?1,678.*?2\.77.*?2\.37", page, flags=re.DOTALL)
    assert "Arnett and others, 2024" in " ".join(notes_of(app))
