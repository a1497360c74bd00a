"""The essay: every number in its sentences is the core's, and each figure leads to its page.

The page runs in Streamlit's AppTest, as in test_pages.py.
"""

import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs

import pytest

from lessons.models import open_model
from lessons.texts import TEXTS
from pages.essay import figures
from pages.essay.best_split_figure import MAX_SHOWN, describe_split
from pages.essay.figures import FIRST_TEXT
from pages.essay.panels import OPENING, SECTIONS
from pages.languages.study import PASSAGES, halves
from pages.shared.controls.settings import default_settings
from pages.shared.corpus.corpus_picker import corpus_defaults
from tests.pages.opening import HOSTILE, checked, html_of, markdown_of, opened, paste, sent_to
from tokenizers import bpe
from tokenizers.lattice import num_segmentations
from tokenizers.lattice.n_best import segmentations
from tokenizers.text.corpus import Corpus
from tokenizers.wordpiece.matching import match_steps

TEXT = "low lower lowest low lower shells naïve"
MARKS = ["a", "...", "漢字かな交じり文", "[SEP] <|endoftext|>", "x" * 300, "e\u0301 \u200b"]
HEADS = ("A text becomes", "Why not words", "BPE", "WordPiece", "Unigram", "What it costs")


def sentences(app) -> str:
    """All that the page says in HTML, without the tags."""
    return unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "", html_of(app), flags=re.DOTALL))


def links(app) -> dict[str, dict[str, str]]:
    """Where the figures lead: the parameters of each link, by its label."""
    found: Any = [link.proto for link in app.get("page_link")]
    return {
        link.label: {name: one for name, (one,) in parse_qs(link.query_string).items()}
        for link in found
    }


def rows_of(app) -> list[str]:
    """What stands under the names of the strip's rows; the player's data are no JSON."""
    return [count for _, count in sent_to(app, "chunks")["names"]]


def test_six_short_parts_each_with_a_figure_and_a_link():
    app = opened("essay")
    heads = [one.value for one in app.header]
    assert len(heads) == len(HEADS)
    assert all(head.startswith(wanted) for head, wanted in zip(heads, HEADS, strict=True))
    assert len(" ".join([OPENING, *SECTIONS]).split()) <= 700
    to_pages = [label for label in links(app) if label.startswith("Open ")]
    assert len(to_pages) == len(HEADS)


@pytest.mark.parametrize("text", [FIRST_TEXT, TEXT])
def test_the_first_figure_has_the_ids_of_the_tokenizer(text):
    app = opened("essay", text=text)
    model = open_model("o200k")
    ids = model.encode(text).ids
    first = next(one for one in html_of(app).split("<div") if "tokens and their numbers" in one)
    assert [int(one) for one in re.findall(r"<small>(\d+)</small>", first)] == list(ids)
    assert f"GPT-4o reads {len(text)} characters as {len(ids)} numbers" in sentences(app)
    assert f"one of the {len(model.vocab):,} tokens in its vocabulary" in sentences(app)


def test_the_second_figure_counts_what_each_unit_makes():
    app = opened("essay", text=TEXT)
    listed = set((TEXTS["prose"].text or "").split())
    unknown = sum(word not in listed for word in TEXT.split())
    shown = sentences(app)
    assert f"Of 7 words, {unknown} are missing from a list of the {len(listed)} words" in shown
    strange = sum(char not in (TEXTS["prose"].text or "") for char in TEXT)
    assert strange == 1
    assert f"{len(TEXT)} tokens (1 of them unknown), with bytes {len(TEXT.encode())}" in shown
    assert f"it takes {len(open_model('o200k').encode(TEXT).ids)}." in shown
    assert rows_of(app)[:3] == ["7 tokens", f"{len(TEXT)} tokens", f"{len(TEXT.encode())} tokens"]


@pytest.mark.parametrize("k", [0, 1, 3, 5])
def test_the_third_figure_is_a_run_of_bpe_on_the_text(k):
    app = opened("essay", text=TEXT, merge=str(k))
    pipeline, settings = default_settings(corpus_defaults("own"))
    steps = list(bpe.train(Corpus.from_text(TEXT, pipeline), settings))
    first = sum(len(word) + 1 for word in pipeline(TEXT).words)
    tokens = first - sum(step.num_applied for step in steps[:k])
    shown = sentences(app)
    assert app.slider(key="merge").max == len(steps)
    if not k:
        assert f"At the start, your text is {first} single symbols." in shown
        return
    one, other = steps[k - 1].pair
    assert f"Merge {k} of {len(steps)}: {one} and {other} stand side by side " in shown
    assert f"so they become {one}{other}" in shown
    assert f"from {first} symbols to {tokens} tokens." in shown
    row = next(one for one in html_of(app).split("<div") if "after these merges" in one)
    assert row.count('role="listitem"') == tokens


def test_the_third_figure_begins_where_pairs_are_no_longer_repeated():
    trace = figures.merges(TEXT, *default_settings(corpus_defaults("own")))
    k = figures.last_repeated(trace)
    assert trace.counts[k - 1] > 1 == trace.counts[k]
    assert opened("essay", text=TEXT).slider(key="merge").value == k


def test_another_text_begins_with_its_own_last_repeated_merge():
    app = opened("essay", text=TEXT)
    app.slider(key="merge").set_value(app.slider(key="merge").max).run()
    for text in ("h", "hug pug", TEXT):
        paste(app, text)
        checked(app)
        trace = figures.merges(text, *default_settings(corpus_defaults("own")))
        assert app.slider(key="merge").value == figures.last_repeated(trace)


def test_a_shorter_text_shortens_the_slider():
    app = opened("essay", text=TEXT, merge="8")
    checked(app.text_area(key="text_box").set_value("ab ab").run())
    assert "Merge 2 of 2: " in sentences(app)
    assert "merge" not in app.query_params


@pytest.mark.parametrize("word", ["unbelievably", "lowest", "Donaudampfschiff", "😀"])
def test_the_fourth_figure_is_the_longest_match(word):
    app = opened("essay", one_word=word)
    vocab = open_model("bert-uncased").vocab
    steps = list(match_steps(word.lower(), vocab, "##"))
    tried = sum(len(step.rejected) + (step.piece is not None) for step in steps)
    shown = sentences(app)
    if steps[-1].piece is None:
        assert "all of 😀 is [UNK]" in shown
        return
    assert re.search(rf"into {len(steps)} pieces? after {tried} look-ups?\.", shown)
    pieces = [row[2] for row in figures.match_rows(word.lower(), steps)]
    assert pieces == [step.piece for step in steps]


def test_the_fourth_figure_cuts_the_word_in_its_field_or_says_which_of_its_words():
    address = "see https://x.org/a-b"
    app = opened("essay", text=address)
    assert app.text_input(key="one_word").placeholder == "https"
    assert "several words" not in markdown_of(app)
    app = opened("essay", text=address, one_word="https://x.org/a-b")
    assert "reads this as several words. The longest is cut: https" in markdown_of(app)


def test_the_fifth_figure_lists_segmentations_by_probability():
    read = figures.read_word(figures.UNIGRAM_MODEL, "unbelievably")
    assert read
    lattice = figures.lattice_of(read.text)
    assert figures.best_splits(read.text).last == min(MAX_SHOWN, num_segmentations(lattice))
    paths = list(segmentations(lattice))
    assert len(paths) == num_segmentations(lattice)
    shown = [
        "".join(s if isinstance(s, str) else s[1] for s in describe_split(lattice, n, path))
        for n, path in enumerate(paths, start=1)
    ]
    assert shown[0].startswith(f"The best of {len(paths)} ways: ▁un + b + el")
    shares = [re.findall(r"([\d.]+)% of the prob", one)[0] for one in shown]
    assert sum(map(float, shares)) == pytest.approx(100, abs=0.1 * len(shares))
    assert tuple(p.text for p in read.pieces) == lattice.pieces(paths[0])


@pytest.mark.parametrize("code", ["hi", "de", "ta"])
def test_the_sixth_figure_counts_the_same_sentences_in_another_language(code):
    app = opened("essay", second=code, window="1000")
    new, old = (
        {
            one: len(open_model(name).encode(halves(PASSAGES[one]).unseen).ids)
            for one in ("en", code)
        }
        for name in ("o200k", "gpt2")
    )
    shown = sentences(app)
    assert f"take {new['en']} tokens of GPT-4o (o200k) in English, and {new[code]} in" in shown
    assert f": {new[code] / new['en']:.2f} times as many. With GPT-2" in shown
    assert f"it was {old[code] / old['en']:.2f} times." in shown
    tokens = len(open_model("o200k").encode(FIRST_TEXT).ids)
    assert f"A context window of 1,000 has room for it {1000 // tokens} times" in shown


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_box_gets_a_sentence_in_three_figures(text):
    app = opened("essay")
    checked(app.text_area(key="text_box").set_value(text).run())
    assert not app.error
    assert len(app.info) == 3
    assert len(app.header) == len(HEADS)
    assert "BERT cuts unbelievably" in sentences(app)


@pytest.mark.parametrize("text", [*HOSTILE, *MARKS])
def test_any_text_and_any_word_stay_text(text):
    app = opened("essay", text=text, one_word=text)
    assert not app.error
    assert len([label for label in links(app) if label.startswith("Open ")]) >= 4
    inside = re.sub(
        r"<style>.*?</style>|<bdi[^>]*>(?:[^<]|<bdi>[^<]*</bdi>)*</bdi>",
        "",
        html_of(app),
        flags=re.DOTALL,
    )
    assert not re.search(r"<(?:script|img|b)\b", inside)
    for element in (*app.markdown, *app.caption):
        assert "alert" not in element.value


def test_a_long_text_is_shown_in_part_and_goes_along_whole():
    app = paste(opened("essay"), "tide and time " * 400)
    assert "5,600 characters" in app.info[0].value
    to = links(app)
    assert "text" not in to["Open Compare · Side by side →"]
    assert to["Open Real tokenizers →"]["say"] == ("tide and time " * 400)[:1500]
    assert app.text_area(key="text_box").value == "tide and time " * 400


def test_each_link_has_the_text_or_the_word():
    to = links(opened("essay", text=TEXT, merge="3"))
    assert to["Open Real tokenizers →"] == {"model": "o200k", "say": TEXT}
    assert to["Open Compare · Side by side →"]["text"] == TEXT
    assert to["Open BPE · Train →"] == {"corpus": "own", "text": TEXT, "step": "3"}
    assert to["Open WordPiece · Encode →"] == {
        "tokenizer": "bert-uncased",
        "say": TEXT,
        "word": "3",
    }
    to = links(opened("essay", text=TEXT, one_word="unlikely"))
    assert to["Open Unigram · Lattice →"] == {"tokenizer": "unigram-english", "say": "unlikely"}


@pytest.mark.parametrize(
    ("page", "label"),
    [
        ("compare", "Open Compare · Side by side →"),
        ("bpe_train", "Open BPE · Train →"),
        ("real", "Open Real tokenizers →"),
        ("wordpiece_encode", "Open WordPiece · Encode →"),
        ("unigram_lattice", "Open Unigram · Lattice →"),
        ("languages", "Open Compare · Languages →"),
    ],
)
def test_a_link_passes_all_its_parameters(page, label):
    params = links(opened("essay", text=TEXT, merge="3", second="ta"))[label]
    app = opened(page, **params)
    assert not app.error
    assert not app.toast
    here = {"model": "o200k"} | dict(app.query_params)  # the address leaves the first one out
    assert {name: here.get(name) for name in params} == params
    if page == "compare":
        assert re.search(rf">{len(TEXT.encode())}<", html_of(app))
    elif page == "bpe_train":
        assert app.session_state["train.step"].current == 3
