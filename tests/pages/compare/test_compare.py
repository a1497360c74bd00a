"""Tokenizers side by side: nothing is drawn twice or lost, and what is said is what is drawn."""

from functools import cache
from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from lessons.texts import COMPARISONS, KIND_DESCRIPTIONS, LANGUAGES, PUBLISHED, TEXTS
from pages.compare import scorecard, seen_words, selection, stability
from pages.compare.scripts import (
    count_scripts,
    html_lines,
    html_scripts,
    lengths_chart,
    lengths_finding,
    shares,
)
from pages.compare.selection import TokenizerSpec, parse, serialize
from pages.compare.tables import agreement, costs, ranked, text_table
from pages.shared.aligned.layout import AFTER, BEFORE, MAX_COLUMN_CHARS, TEXT, token_stretches
from pages.shared.aligned.side_by_side import (
    MAX_DRAWN_CHARS,
    MAX_DRAWN_WORDS,
    Comparison,
    NamedTokenizer,
    compare,
    describe_agreement,
)
from pages.shared.drawing.prices import WIDTHS, memory_text
from pages.shared.training.published import PACK, published_tokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS, decode, train_kind
from pages.start import trained_here
from pages.start.quick_compare import MAX_TILES, TokenizerRequest, train_and_split
from tests.pages.opening import columns_of
from tokenizers import bpe
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding

PROSE = CorpusSource(text=TEXTS["prose"].text or "")
TIDE = "The lower the tide, the wider the shore."
HOSTILE = "<script>alert(1)</script> **b** \u202e x $y$ 👩🏽‍🚀 नमस्ते مرحبا"
DRAWN = st.text(alphabet="lowertides ,.\n\t_é漢🦊\u0301م", max_size=40)
SOME = st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=4)


def never(done: int, total: int) -> bool:
    return False


@cache
def named_tokenizer(kind: str, size: int = 600) -> NamedTokenizer:
    learned = train_kind(never, PROSE, kind, size)
    return NamedTokenizer(f"{kind} {size}", kind, learned.model(size))


def compared(text: str, *kinds: str, first: int = 0) -> Comparison:
    return compare(never, text, [named_tokenizer(kind) for kind in kinds], first)


# ---- the strip ----


@given(st.sampled_from(list(KINDS)), DRAWN)
def test_every_token_is_held_once_in_order(kind, text):
    found = named_tokenizer(kind).model.encode(text)
    held = token_stretches(found, len(text))
    tokens = [token for one in held for token in one.tokens]
    assert tokens == list(range(len(found.tokens)))
    assert all((one.start < one.end) == (one.kind == TEXT) for one in held)
    assert all(one.stop <= two.begin for one, two in pairwise(held))
    for one in held:
        assert all(one.start <= found.offsets[n][0] <= one.end for n in one.tokens)


@given(SOME, DRAWN)
def test_the_whole_text_is_drawn_and_every_token_under_its_characters(kinds, text):
    shown = compared(text, *kinds)
    drawn = [[tile for c in shown.chunks for cell in c.rows[n] for tile in cell.tiles]
             for n in range(len(kinds))]  # fmt: skip
    assert "".join(part for chunk in shown.chunks for _, _, part in chunk.raw) == text
    for kind, row in zip(kinds, drawn, strict=True):
        found = named_tokenizer(kind).model.encode(text)
        if text:
            whole = [tile for tile in row if not tile.text.startswith("…")]
            assert [tile.id for tile in whole] == list(found.ids)
            unknown = [t != p for t, p in zip(found.tokens, found.pieces, strict=True)]
            assert [tile.is_unknown for tile in whole] == unknown
    for chunk in shown.chunks:
        assert all(one[1] <= two[0] for one, two in pairwise(chunk.raw))
        assert all(0 <= a < b for a, b, _ in chunk.raw)
        for row in chunk.rows:
            assert all(0 <= cell.first < cell.last for cell in row)
            assert all(one.last <= two.first for one, two in pairwise(row))


@given(SOME, DRAWN)
def test_what_is_calm_is_cut_alike(kinds, text):
    shown = compared(text, *kinds)
    ways = [chunk.num_splits for chunk in shown.chunks]
    assert shown.alike + shown.alike_unknown <= shown.words
    assert all(way == 1 for way in ways) == (shown.alike + shown.alike_unknown == shown.words)
    if len(set(kinds)) == 1:
        assert not any(t.is_unique for c in shown.chunks for r in c.rows for x in r for t in x.tiles
                       if len(kinds) > 1)  # fmt: skip


def test_a_token_lies_under_its_characters():
    shown = compared("lower tides", "bpe", "unigram")
    lower, tides = shown.chunks
    assert lower.raw == ((1, 2, "lower"),), "beside the ▁ that Unigram puts in front"
    assert [[tile.text for tile in cell.tiles] for cell in lower.rows[0]] == [["lower</w>"]]
    assert "".join(text for _, _, text in tides.raw) == " tides"
    assert tides.rows[0][0].first == 1, "nothing lies under the space that BPE drops"
    assert tides.num_splits == 2


@given(st.lists(st.sampled_from(list(PACK)), min_size=1, max_size=3), DRAWN)
@example(["real.unigram-english"], " \u0301")
def test_a_token_for_no_character_is_under_no_character(kinds, text):
    chosen = [NamedTokenizer(kind, kind, published_tokenizer(kind, added=True)) for kind in kinds]
    chunks = compare(never, text, chosen, 0).chunks
    for n, one in enumerate(chosen):
        found = one.encode(text)
        above = {
            tile.token: any(a < cell.last and cell.first < b for a, b, _ in chunk.raw)
            for chunk in chunks
            for cell in chunk.rows[n]
            for tile in cell.tiles
        }
        starts = {0, len(text), *(one.start() for one in regex.finditer(r"\X", text))}
        inside = {
            token
            for held in token_stretches(found, len(text))
            if held.kind == TEXT or held.start not in starts  # no character is cut for a token
            for token in held.tokens
        }
        assert above == (
            {token: token in inside for token in range(len(found.ids))} if text else {}
        )


def test_what_a_model_puts_around_a_text_is_at_its_ends_and_in_no_word():
    text = " def f():\n"
    kinds = "real.bert-uncased", "real.mistral-v1", "real.gpt2"
    chosen = [NamedTokenizer(kind, kind, published_tokenizer(kind, added=True)) for kind in kinds]
    shown = compare(never, text, chosen, 0)
    first, last = shown.chunks[0], shown.chunks[-1]
    assert [tile.text for tile in first.rows[0][0].tiles] == ["[CLS]"]
    assert [tile.text for tile in first.rows[1][0].tiles] == ["<s>", "·"]
    assert first.rows[0][0][:2] == first.rows[1][0][:2] == (0, 1)
    assert first.raw[0][0] == 1
    assert [tile.text for tile in last.rows[0][-1].tiles] == ["[SEP]"]
    assert last.rows[0][-1].first == last.raw[-1][1]
    plain = compare(never, text, [NamedTokenizer(k, k, published_tokenizer(k)) for k in kinds], 0)
    for more, less, added in zip(shown.figures, plain.figures, (2, 1, 0), strict=True):
        assert more.metrics.tokens == less.metrics.tokens + added
        assert more.metrics.fertility == less.metrics.fertility


def test_tokens_for_nothing_lie_on_the_side_that_they_belong_to():
    found = Encoding(
        ("lo", "</w>", "▁", "w", "</w>"),
        (0, 1, 2, 3, 1),
        ((0, 2), (2, 2), (2, 2), (3, 4), (4, 4)),
        ("lo", "</w>", "▁", "w", "</w>"),
        (0, 0, 1, 1, 1),
    )
    assert [one.begin for one in token_stretches(found, 4)] == [
        (0, TEXT), (2, AFTER), (2, BEFORE), (3, TEXT), (4, AFTER),
    ]  # fmt: skip


def test_bytes_of_one_character_share_its_place():
    (chunk,) = compared("🦊", "bytes").chunks
    (cell,) = chunk.rows[0]
    assert (cell.first, cell.last, len(cell.tiles)) == (0, 1, 4)


def test_an_emoji_of_parts_is_one_stretch_of_the_text():
    (chunk,) = compared("👩🏽‍🚀", "characters", "bytes").chunks
    assert [text for _, _, text in chunk.raw] == ["👩🏽‍🚀"]


def test_long_texts_are_drawn_in_part():
    text = "tide and time " * 1000
    shown = compared(text, "bpe")
    assert (shown.words, shown.first, shown.last) == (3000, 0, MAX_DRAWN_WORDS - 1)
    later = compared(text, "bpe", first=2990)
    assert (later.first, later.last) == (2990, 2999)
    assert (
        "".join(t for c in later.chunks for _, _, t in c.raw)
        == " " + " ".join(text.split()[2990:]) + " "
    )
    assert compared(text, "bpe", first=10**9).first == 2999


def test_a_word_without_end_is_cut_for_the_eye():
    shown = compared("x" * 20_000, "words")
    (chunk,) = shown.chunks
    lengths = [len(text) for _, _, text in chunk.raw]
    assert max(lengths) <= MAX_COLUMN_CHARS, "a line can begin at each"
    assert (sum(lengths), shown.hidden) == (MAX_DRAWN_CHARS, 20_000 - MAX_DRAWN_CHARS)
    assert compared("low " + "x" * 20_000, "words", first=1).hidden == 20_001 - MAX_DRAWN_CHARS
    assert compared("low tide", "words").hidden == 0


def test_unknown_text_is_shown_instead_of_unk():
    (chunk,) = compared("漢字", "wordpiece", "unigram").chunks
    for row in chunk.rows:
        shown = [tile for cell in row for tile in cell.tiles if tile.text != "▁"]
        assert "".join(tile.text for tile in shown) == "漢字"
        assert all(tile.is_unknown for tile in shown)


def test_a_line_feed_ends_a_line():
    assert [chunk.ends_line for chunk in compared("low\ntide\n", "bpe").chunks] == [True, True]


def test_nothing_and_white_space_are_no_trouble():
    assert compared("", "bpe").chunks == ()
    assert compared(" \n ", *KINDS).words == 0


# ---- in words ----


def test_agreement_excludes_words_and_characters():
    shown = compared(TIDE, "words", "characters", "bpe", "unigram", "wordpiece")
    assert shown.counted == (2, 3, 4)
    sentence = describe_agreement(shown)
    assert sentence == (
        "The three tokenizers agree on 0 of the 8 words. bpe 600 and unigram 600 agree most: on 5."
    )


@pytest.mark.parametrize(("text", "alike"), [("a", "agree"), ("Xylophones", "do not agree")])
def test_the_best_agreement_is_named_only_if_above_that_of_all(text, alike):
    sentence = describe_agreement(compared(text, "bpe", "bytes", "unigram"))
    assert sentence == f"The three tokenizers {alike} on the one word."


def test_text_unknown_to_all_is_no_agreement():
    shown = compared("مرحبا a", "wordpiece", "unigram")
    assert (shown.words, shown.alike, shown.alike_unknown) == (2, 1, 1)
    sentence = describe_agreement(shown)
    assert sentence == (
        "wordpiece 600 and unigram 600 agree on 1 of the 2 words. "
        "In 1 more word, all of them have the same [UNK], which is no agreement."
    )


def test_words_and_characters_are_counted_if_alone():
    assert describe_agreement(compared("a b cd", "words", "characters")) == (
        "words 600 and characters 600 agree on 1 of the 3 words."
    )
    assert describe_agreement(compared("a b", "words")) == ""


def test_what_comes_back():
    rows = compared("low  tide", *KINDS).figures
    for kind, row in zip(KINDS, rows, strict=True):
        model = named_tokenizer(kind).model
        again = decode(model.encode("low  tide"), model)
        assert (row.first_loss == -1) == (again == "low  tide")
    assert dict(zip(KINDS, [row.first_loss for row in rows], strict=True))["bytes"] == -1


# ---- tables ----


def test_the_tables_have_every_figure():
    shown = compared(TIDE, "words", "bpe", "bytes")
    table = text_table(shown.figures)
    assert table.count('<th scope="row"') == 3
    lost = [row.metrics.lost > 0 for row in shown.figures]
    assert lost == [True, False, False], "whole words have fewest tokens, and lose some"
    fewest = min(row.metrics.tokens for row in shown.figures[1:])
    assert f"<td><b>{fewest}</b> <small>best</small></td>" in table
    prices = costs(shown.figures, 768, "float32")
    assert f"{601 * 768:,}" in prices
    assert memory_text(601 * 768 * WIDTHS["float32"]) in prices
    assert f"{601 * shown.figures[1].metrics.tokens:,}" in prices, "the logits"
    assert agreement(shown).count("%</small>") == 6


def share_text(count: int, whole: int) -> str:
    return f"{count} ({100 * count / whole:.1f}%)" if count else "0"


def test_every_figure_is_under_its_heading():
    figures = compared("The tide, wider é漢", "words", "wordpiece", "bpe", "bytes").figures
    found = [row.metrics for row in figures]
    became = columns_of(text_table(figures))
    unknown, lost = became["Unknown tokens"], became["Characters lost"]
    assert unknown != lost, "a text in which the two differ"
    assert unknown == [share_text(m.unknown, m.tokens) for m in found]
    assert lost == [share_text(m.lost, m.characters) for m in found]
    assert became["Tokens"] == [f"{m.tokens}" for m in found]
    assert became["Tokens per character"] == [f"{m.tokens / m.characters:.2f}" for m in found]
    assert became["Characters per token"] == [f"{m.characters / m.tokens:.2f}" for m in found]
    assert became["Tokens per word"] == [f"{m.in_words / m.words:.2f}" for m in found]
    assert became["Pieces"] == [f"{m.vocabulary:,}" for m in found]
    priced = columns_of(costs(figures, 64, "float32"))
    assert priced["Ids V"] == [f"{row.num_ids:,}" for row in figures]
    assert priced["Numbers V · d"] == [f"{row.num_ids * 64:,}" for row in figures]
    assert priced["Memory"] == [memory_text(row.num_ids * 256) for row in figures]
    assert priced["Logits T · V"] == [f"{row.metrics.tokens * row.num_ids:,}" for row in figures]
    assert priced["Pairs of positions T²"] == [f"{m.tokens**2:,}" for m in found]
    shares = [f"{100 * m.tokens**2 / m.characters**2:.1f}%" for m in found]
    assert priced["T² beside that of characters"] == shares


def test_the_best_is_marked_unless_meaningless():
    assert [cell.is_best for cell in ranked([2, 1, None], ["2", "1", "–"])] == [False, True, False]
    assert not any(cell.is_best for cell in ranked([0, 0, 0, 1], list("0001")))
    assert not any(cell.is_best for cell in ranked([1, 1], list("11")))
    assert [cell.is_best for cell in ranked([1, 2], list("12"), largest=True)] == [False, True]


def test_names_and_texts_are_no_html():
    rows = seen_words.split_by_seen(never, HOSTILE, [named_tokenizer("bytes")], [PROSE])
    assert "<script" not in seen_words.html_heat(rows[0].words, "<script>")
    assert "<script" not in html_scripts(count_scripts(never, HOSTILE, [named_tokenizer("bytes")]))


# ---- seen and unseen ----


def test_words_are_seen_or_unseen_in_training():
    (row,) = seen_words.split_by_seen(
        never,
        "“Low,” tides low zzz …",
        [named_tokenizer("bpe")],
        [CorpusSource(text="the tides. Low …")],
    )
    assert [(word.text, word.is_seen) for word in row.words] == [
        ("“Low,”", True), ("tides", True), ("low", False), ("zzz", False), ("…", True),
    ]  # fmt: skip
    assert row.seen
    assert row.unseen
    assert (row.seen.words, row.unseen.words) == (3, 2)


@given(st.sampled_from(list(KINDS)), DRAWN)
def test_seen_and_unseen_are_all_words(kind, text):
    (row,) = seen_words.split_by_seen(never, text, [named_tokenizer(kind)], [PROSE])
    metrics = compared(text, kind).figures[0].metrics
    assert row.seen
    assert row.unseen
    assert row.seen.words + row.unseen.words == metrics.words
    assert row.seen.tokens + row.unseen.tokens == metrics.in_words


@pytest.mark.parametrize(("tokens", "level"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_how_broken_up_a_word_is(tokens, level):
    assert seen_words.HeatWord("shells", tokens, False, True).level == level


def test_word_counts_are_a_training_text_too():
    counted = CorpusSource(counts={"low": 5, "tide": 2})
    (row,) = seen_words.split_by_seen(never, "low tide shore", [named_tokenizer("bpe")], [counted])
    assert row.seen
    assert row.seen.words == 2


# ---- scripts and lengths ----


def test_bytes_write_every_script_in_parts():
    text = "tide 漢字 щ"
    words, pieces = count_scripts(never, text, [named_tokenizer("words"), named_tokenizer("bytes")])
    assert list(words.scripts) == ["Latin", "Common", "Han", "Cyrillic"]
    assert words.scripts["Han"] == {"unknown": 2}
    assert pieces.scripts["Han"] == {"parts": 2}
    assert "100.0%<br><small>100.0% in parts</small>" in html_scripts([words, pieces])


def test_lengths_are_shares_of_the_words():
    rows = count_scripts(never, "a shell, electroencephalography", [named_tokenizer("characters")])
    assert rows[0].lengths == {1: 1, 6: 1, 22: 1}
    assert sum(shares(rows[0])) == pytest.approx(1)
    assert shares(rows[0])[-1] == pytest.approx(1 / 3)
    chart = lengths_chart(rows).to_dict()
    assert chart["data"][0]["name"] == "characters 600"
    assert lengths_finding(rows) == "Most words as one token: characters 600, 33.3% of them"
    assert (
        lengths_finding(count_scripts(never, "", [named_tokenizer("bpe")])) == "There are no words"
    )


# ---- one letter ----


def test_a_text_of_characters_has_no_word_that_is_too_long():
    text = "low tide " * 2_000
    assert train_kind(never, CorpusSource(text=text), "characters", 600).notes == ()
    assert train_kind(never, CorpusSource(text="x" * 12_000), "words", 600).notes != ()


def test_one_changed_letter():
    chosen = [named_tokenizer("characters"), named_tokenizer("bpe")]
    found = stability.measure_stability(never, "slowest", chosen, 5)
    assert (found.word, found.changed_word) == ("slowest", "slowfst")
    assert [change.changed for change in found.changes] == [1, 3]
    assert found.letters == 7
    assert found.samples[0].mean == 1
    first = stability.first_letter("the slowest tide")
    assert stability.letter_offsets("the slowest tide")[first - 1] == 7


def test_a_sample_is_the_mean_of_its_letters():
    one = named_tokenizer("bpe")
    before = one.model.encode(TIDE).tokens
    places = [n for n, letter in enumerate(TIDE) if letter.isalpha()]
    changes = list(stability.distances(TIDE, one, places))
    assert all(changes)
    assert len(changes) == len(places)
    assert one.model.encode(TIDE).tokens == before
    found = stability.measure_stability(never, TIDE, [one], 1)
    assert found.samples[0].mean == pytest.approx(sum(changes) / len(changes))


def test_without_a_letter_nothing_is_changed():
    found = stability.measure_stability(never, "1 2 3", [named_tokenizer("bpe")], 1)
    assert found.changes == found.samples == ()
    assert stability.describe_change(found) == ""
    assert stability.first_letter("") == 1


def test_lines_are_sequences_of_a_batch():
    kinds = ("characters", "bytes")
    rows = count_scripts(never, "ab\n\nabcd\nabcdef", [named_tokenizer(kind) for kind in kinds])
    assert rows[0].lines == [2, 4, 6]
    assert "<td>2</td><td>4</td><td>6</td><td>6</td><td>33.3%</td>" in html_lines(rows)
    assert html_lines(count_scripts(never, "one line", [named_tokenizer("bytes")])) == ""
    assert html_lines(()) == ""


# ---- wishes ----


def test_cuts_between_stem_and_ending():
    words = {"lower": 3, "walking": 4}
    assert scorecard.count_suffix_cuts(named_tokenizer("words"), words) == scorecard.SuffixCuts(
        2, 0, 0
    )
    letters = scorecard.count_suffix_cuts(named_tokenizer("characters"), words)
    assert letters == scorecard.SuffixCuts(2, 4 + 6, 2)
    assert scorecard.SuffixCuts(0, 0, 0).share is None


def test_fairness_excludes_lossy_languages():
    ratio, languages = scorecard.fairness(named_tokenizer("bytes"))
    assert languages == len(LANGUAGES)
    lengths = [
        len(named_tokenizer("bytes").model.encode(passage.text).tokens) for passage in LANGUAGES
    ]
    assert ratio == max(lengths) / min(lengths)
    assert scorecard.fairness(named_tokenizer("words"))[0] is None


def test_every_criterion_is_measured():
    rows = scorecard.score_all(never, TIDE, [named_tokenizer(kind) for kind in KINDS])
    table = scorecard.html_scorecard(rows)
    assert table.count('<th scope="row"') == len(KINDS)
    assert all(row.coverage == 1 for row in rows if row.kind in ("bytes", "characters"))
    assert all(row.microseconds and row.stability for row in rows)
    empty = scorecard.score_all(never, "", [named_tokenizer("bpe")])[0]
    assert (empty.coverage, empty.compression, empty.stability) == (None, None, None)


def test_published_models_are_shown_with_their_nearest():
    table = scorecard.html_published(compared(TIDE, "bytes"))
    assert table.count('<th scope="row"') == len(PUBLISHED)
    assert "not shown: add WordPiece" in table
    assert "bytes 600: " in table
    assert all(kind in KINDS for row in PUBLISHED for kind in row.kinds)


def test_claims_about_a_kind_are_shown_with_measurements():
    chosen = [named_tokenizer("bytes"), named_tokenizer("characters")]
    rows, found = scorecard.score_all(never, TIDE, chosen), compared(TIDE, "bytes", "characters")
    table = scorecard.html_kind_claims(rows, found)
    assert table.count('<th scope="row"') == len(KIND_DESCRIPTIONS)
    assert f"{found.figures[0].metrics.tokens} tokens, 0 unknown" in table
    assert "not shown: add WordPiece" in table
    assert sorted(kind for one in KIND_DESCRIPTIONS for kind in one.kinds) == sorted(KINDS)


# ---- the short form ----


def test_white_space_that_is_lost_is_counted():
    code = "def f():\n    return 0\n"
    by = {
        unit: train_and_split(never, PROSE, code, (TokenizerRequest(unit),))[0]
        for unit in ("words", "characters")
    }
    assert by["words"].lost_white_space == 8, "words do not say what stood between them"
    assert by["characters"].lost_white_space == 0
    figures = {
        unit: trained_here.TrainedRow("", short, "", {}, "").figures for unit, short in by.items()
    }
    assert "8 characters of white space lost" in figures["words"]
    assert "lost" not in figures["characters"]


def test_the_quick_result_keeps_the_counts_of_all_tokens():
    source = CorpusSource(text="low lower lowest " * 200)
    chosen = TokenizerRequest(bpe.Settings(num_merges=3), Pipeline((), "spaces"))
    words, pieces = train_and_split(never, source, source.text, [TokenizerRequest("words"), chosen])
    assert (words.metrics.tokens, len(words.tokens)) == (600, MAX_TILES)
    assert (pieces.steps, pieces.metrics.vocabulary) == (3, 10)
    assert pieces.metrics.tokens > words.metrics.tokens


# ---- the set in the address ----

ENTRIES = st.lists(
    st.builds(
        TokenizerSpec,
        st.sampled_from(list(KINDS)),
        st.sampled_from(list(selection.CORPORA)),
        st.integers(selection.MIN_SIZE, selection.MAX_SIZE),
    ),
    min_size=1,
    max_size=selection.MAX_TOKENIZERS,
)


@given(ENTRIES)
def test_a_set_comes_back_from_the_address(entries):
    assert serialize(parse(serialize(entries))) == serialize(entries)


@given(st.text(alphabet="bpeunigramwords.,-1²٣ 90own", max_size=40))
def test_any_address_is_read(written):
    assert all(isinstance(entry, TokenizerSpec) for entry in parse(written))


@pytest.mark.parametrize(
    "nonsense",
    [
        "",
        "bpe",
        "bpe.prose.9",
        "bpe.prose.99999",
        "bpe.none.300",
        "words.prose.300",
        "bpe.prose.300.1",
        "bpe.own.000000300" + "9" * 5_000,
        "bpe.own.0000003009999", "bpe.own.1234567890",
        "bpe.prose.²", "bpe.prose.-5", "....", "BPE.prose.300",
    ],
)  # fmt: skip
def test_invalid_specs_are_dropped(nonsense):
    assert parse(nonsense) == ()


def test_a_set_is_no_longer_than_fits():
    assert len(parse(",".join(["bpe.prose.300"] * 50))) == selection.MAX_TOKENIZERS


def test_every_sample_text_is_worth_comparing():
    for sample in COMPARISONS.values():
        assert sample.text.strip("\n") == sample.text
        assert sample.note.endswith((".", "?"))
        assert sample.id not in TEXTS
