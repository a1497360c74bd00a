"""Every page with every setting, hostile URLs, texts, tables and files: never an exception.

The pages run in Streamlit's AppTest, without a browser, and jobs run in this process (`at_once`).
What the browser draws is tested in tests/browser.
"""

import io
import re

import numpy
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as parquet_files
from streamlit.runtime.uploaded_file_manager import DeletedFile

from lessons.texts import TEXTS
from pages.shared.controls.settings import BASES, PRE_TOKENIZERS, TIES
from pages.shared.corpus import uploads
from pages.shared.routes import NEXT
from pages.shared.training import source
from tests.pages.opening import (
    HOSTILE,
    NO_WORDS,
    PAGES,
    POOL,
    at,
    chart_of,
    checked,
    html_of,
    last,
    links_of,
    markdown_of,
    opened,
    paste,
    rests,
    texts_of,
    trace,
)

PANELS = (
    "The count, word by word",
    "All pairs",
    "Vocabulary",
    "As compression (1994)",
    "Zipf and Heaps",
    "The code",
)


# ---- every page, every corpus, every setting ----


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(page):
    app = opened(page)
    assert not app.error
    assert not app.toast
    assert dict(app.query_params) == {}
    assert "<h1>" in html_of(app)
    assert not {one for one in links_of(app) if one.startswith("/")}, (
        "the app may live under a path"
    )
    assert app.get("page_link")[-1].proto.page == NEXT[page]  # the last thing on the page
    assert html_of(app).count('class="pp-keys"') == 1


@pytest.mark.parametrize("corpus", [*TEXTS, "own", "table"])
@pytest.mark.parametrize("page", ["bpe_train", "bpe_encode", "wordpiece_train"])
def test_every_corpus_can_be_trained_on(page, corpus):
    of_its_own = {"say": "ABABC"} if (page, corpus) == ("bpe_encode", "gage") else {}
    app = opened(page, corpus=corpus, step="2", **of_its_own)
    assert not app.error
    assert not app.toast
    if page == "bpe_train":
        assert at(app) == 2
        merges = TEXTS[corpus].settings["merges"] if corpus in TEXTS else 200
        assert trace(app).settings.num_merges == merges


@pytest.mark.parametrize("split", PRE_TOKENIZERS)
@pytest.mark.parametrize("base", BASES)
def test_every_setting_makes_a_run(base, split):
    app = opened("bpe_train", corpus="b3", base=base, split=split, merges="12", step="5")
    for ties in TIES:
        app.selectbox(key="ties").select(ties)
        checked(app.run())
        run = trace(app)
        assert (run.settings.base, run.corpus.pipeline.pre_tokenizer) == (base, split)
        assert run.settings.ties == ties
        assert not app.error
        app = rests(app, "train", 5)
        assert at(app) == 5


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("step", ["0", "1", "10"])
def test_every_panel_at_the_start_inside_and_at_the_end(panel, step):
    app = opened("bpe_train", panel=panel, step=step)
    assert app.query_params.get("panel") == panel or panel == PANELS[0]
    assert not app.error


@pytest.mark.parametrize("learned", ["own", "prose", "languages"])
def test_the_start_page_cuts_a_text_three_ways(learned):
    app = opened("start", text="the lowest tide zzz", **{"from": learned})
    rows = [text for text in texts_of(app.markdown) if "characters per token" in text]
    assert [re.findall(r"\w+", row)[0] for row in rows] == [
        "Words", "Characters", "BPE", "WordPiece", "Unigram",
    ]  # fmt: skip
    assert ("unknown" in rows[0]) == (learned != "own")
    assert html_of(app).count('role="list"') == 5


# ---- the player ----


def test_the_step_of_the_player_is_the_step_of_the_page():
    app = rests(opened("bpe_train", step="3"), "train", 7)
    assert at(app) == 7
    assert app.query_params["step"] == "7"
    finding, svg, rule = chart_of(app, "growth")
    assert finding.startswith("After 7 of 10 merges: ")
    assert 'data-last="10"' in svg
    assert rule == 0.7
    assert rests(app, "train", 0).query_params.get("step") is None


def test_the_step_is_kept_when_a_word_is_followed():
    app = rests(opened("bpe_train"), "train", 4)
    app.text_input(key="word").input("widest").run()
    assert at(checked(app)) == 4


def test_another_corpus_begins_at_its_own_step():
    app = rests(opened("bpe_train"), "train", 4)
    app.selectbox(key="corpus").select("b1").run()
    assert at(checked(app)) == 0
    app.selectbox(key="corpus").select("b2").run()
    assert at(checked(app)) == 4


def test_the_encoding_has_a_step_of_its_own():
    app = opened("bpe_encode", say="lowest", step="2")
    assert at(app, "encode") == 2
    assert at(rests(app, "encode", 3), "encode") == 3


# ---- addresses ----

NONSENSE = [
    ("step", "abc"), ("step", "-4"), ("step", ""), ("step", "1e3"), ("step", "９"),
    ("merges", "1e99"), ("merges", "-5"), ("merges", "inf"), ("merges", ""), ("merges", "10001"),
    ("least", "0"), ("longest", "-1"), ("pieces", "many"),
    ("corpus", "nonsense"), ("corpus", ""), ("corpus", "../../etc/passwd"),
    ("ties", "<script>"), ("base", ""), ("split", "b2"), ("change", "nonsense"),
    ("panel", "nonsense"), ("presenter", "maybe"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), NONSENSE)
def test_an_invalid_parameter_means_the_default(name, value):
    app = opened("bpe_train", **{name: value})
    run = trace(app)
    assert (run.settings.num_merges, at(app), last(app)) == (10, 0, 10)
    assert run.settings.ties == "first_seen"
    assert list(run.words) == ["low", "lower", "newest", "widest"]
    assert not app.error
    if value:
        assert name not in app.query_params


def test_a_step_past_the_end_is_the_last():
    app = opened("bpe_train", step="99999999")
    assert at(app) == 10
    assert app.query_params["step"] == "10"
    assert texts_of(app.toast) == [
        "The address asks for `step=99999999`. That isn't possible here, so we changed it."
    ]


STEPPED = ("bpe_train", "bpe_encode", "wordpiece_train", "wordpiece_encode", "unigram_train",
           "unigram_lattice", "race", "surgery", "real")  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_default_that_the_address_names_is_accepted_silently(page):
    state = opened(page).session_state

    def kept(key, otherwise):
        return state[key] if key in state else otherwise  # noqa: SIM401  it has no `get`

    shown, controls = kept("values_shown", {}), kept("controls", {})
    named = {}
    for name in (name for name, value in kept("set_params", {}).items() if value is None):
        value = shown[name] if name in shown else kept(controls.get(name, name), None)
        if value is not None:
            named[name] = ",".join(value) if isinstance(value, list) else str(value)
    assert "step" in named or page not in STEPPED
    assert texts_of(opened(page, **named).toast) == []


def test_nonsense_is_repeated_without_its_markup():
    app = opened("bpe_train", step="`\n\n![x](http://evil.test/)\n\n<b>", base="$x$")
    (toast,) = app.toast
    assert toast.value.count("`") == 2
    assert "\n" not in toast.value


@pytest.mark.parametrize("value", ["", "nowhere", "<script>alert(1)</script>", "\0\u202e", "**b**"])
def test_words_and_tokens_may_be_anything(value):
    app = opened("bpe_train", word=value, token=value, step="3")
    assert at(app) == 3
    assert len(app.get("graphviz_chart")) == (not value)
    assert ("No merge made that token." in " ".join(texts_of(app.caption))) == bool(value)
    assert "alert" not in markdown_of(app) + html_of(app)


def test_a_token_is_found_by_its_look_and_by_itself():
    for token in ("est</w>", "Ġthe", "·the"):
        if token == "est</w>":
            app = opened("bpe_train", token=token)
        else:
            text = "on the sea in the bay by the way"
            app = opened(
                "bpe_train", corpus="own", text=text, token=token, split="gpt2",
                base="bytes" if token[0] == "Ġ" else "characters",
            )  # fmt: skip
        (graph,) = app.get("graphviz_chart")
        assert token in graph.proto.spec


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("drop", "101"),
        ("drop", "x"),
        ("seed", "-1"),
        ("passed", "zz"),
        ("step", "x"),
        ("panel", "z"),
    ],
)
def test_nonsense_on_the_encoding_page_means_the_default(name, value):
    query = {"drop": "10"} if name in ("seed", "passed") else {}
    app = opened("bpe_encode", **query | {name: value})
    assert name not in app.query_params
    assert at(app, "encode") == 0


@pytest.mark.parametrize(
    "say", ["", " ", "x", "lowest", "ъ", "<b>**x**</b>", "\0", "👩🏽‍🚀", "x" * 1500]
)
@pytest.mark.parametrize("drop", ["0", "100"])
def test_any_text_can_be_encoded(say, drop):
    app = opened("bpe_encode", say=say, drop=drop)
    assert not app.error
    assert texts_of(app.markdown)[-1].startswith("**")
    assert "<b>" not in html_of(app).replace("<b></b>", "").replace("<bdi", "")


def test_a_parameter_that_is_too_long_is_cut_with_a_message():
    app = opened("bpe_encode", say="x" * 1501, end_mark="longer than eight")
    assert any("The text has 1,501 characters" in text for text in texts_of(app.warning))
    assert app.text_input(key="end_mark").value == "longer t"
    assert len(app.toast) == 1


@pytest.mark.parametrize("text", ["", "low,-1"])
def test_invalid_parameters_are_reported_even_if_a_page_ends_early(text):
    app = opened("bpe_train", corpus="table", text=text, base="nonsense")
    assert ["base=nonsense" in toast.value for toast in app.toast] == [True]
    assert not checked(app.run()).toast


# ---- the visitor's own text ----


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("page", ["start", "bpe_train", "bpe_encode", "wordpiece_train"])
def test_hostile_text_stays_text(page, text):
    """It is shown only in escaped tiles and charts, not where markup is parsed."""
    text = f"{text} {text}"
    more = {"base": "characters", "split": "none"} if page != "start" else {"from": "own"}
    app = opened(page, corpus="own", text=text, step="1", say=text, **more)
    assert not app.error
    ours = r"<style>.*?</style>|<bdi[^>]*>(?:[^<]|<bdi>[^<]*</bdi>)*</bdi>|<b>A(?:t|fter) [^<]*</b>"
    inside = re.sub(ours, "", html_of(app), flags=re.DOTALL)
    assert not re.search(r"<(?:script|img|b)\b", inside)
    for part in ("alert", "evil", "smile", "x^2", "**b**", "frac{1}{2}", "\u202e", "\0"):
        assert part not in markdown_of(app)
        assert part not in inside
    if page == "start":
        assert html_of(app).count('role="list"') == 5


@pytest.mark.parametrize("text", ["", "   ", " \n\t\n", "\u3000"])
@pytest.mark.parametrize("page", ["bpe_train", "bpe_encode", "wordpiece_train"])
def test_a_text_without_words_gets_a_sentence(page, text):
    assert texts_of(opened(page, corpus="own", text=text).info) == [NO_WORDS]


@pytest.mark.parametrize("text", ["", "   ", " \n\t\n", "\u3000"])
def test_there_is_nothing_to_train_on_at_the_start(text):
    *_, last = texts_of(opened("start", text=text, **{"from": "own"}).info)
    assert last == "There is no text to split. Type or paste one into the box."


def test_only_spaces_are_a_text_where_spaces_count():
    app = opened("bpe_train", corpus="own", text="    ", split="gpt2", base="bytes")
    assert trace(app).words == ("    ",)


@pytest.mark.parametrize("page", ["start", "bpe_train", "bpe_encode", "wordpiece_train"])
@pytest.mark.parametrize("text", ["x", "é", "aaaaaaaaaaaa", "a" * 1500])
def test_one_letter_is_enough(page, text):
    app = opened(page, corpus="own", text=text)
    assert not app.info
    assert not app.error


def test_a_lone_letter_repeated_counts_its_overlaps():
    app = opened("bpe_train", corpus="own", text="aaaaa", base="characters")
    run = trace(app)
    assert (run.counts[0], run.num_applied[0]) == (4, 2)


def test_five_megabytes_are_cut_at_the_limit_with_a_message():
    app = opened("bpe_train", corpus="own", merges="3")
    app = paste(app, "tide and time " * 360_000)
    assert texts_of(app.info) == [
        "The text has 5,040,000 characters; the first 1,000,000 are used."
    ]
    assert trace(app).corpus.num_words == pytest.approx(3 * 1_000_000 / 14, abs=2)
    assert any(
        text.startswith("Your browser does not store this text") for text in texts_of(app.caption)
    )
    assert "text" not in app.query_params


def test_five_megabytes_on_the_start_page():
    app = paste(opened("start", **{"from": "own"}), "tide and time " * 360_000)
    assert texts_of(app.info) == [
        "The text has 5,040,000 characters. The figures below count the first 1,000,000.",
        "The text has 5,040,000 characters; the first 20,000 are split here. "
        "BPE learns from up to 1,000,000.",
        "The text has 5,040,000 characters; the first 1,000,000 are used.",
    ]
    assert "and 3,986 more tokens" in texts_of(app.caption)


def test_a_word_of_a_hundred_thousand_letters():
    app = paste(opened("bpe_train", corpus="own", merges="20"), "ab" * 50_000)
    assert "1 word longer than 10,000 characters is cut off there." in texts_of(app.info)[0]
    assert last(app) > 0
    assert last(rests(app, "train", 5)) > 0


def test_a_long_text_has_its_hash_in_the_url():
    app = paste(opened("bpe_train", corpus="own", merges="3"), "low lower lowest " * 200)
    assert "text" not in app.query_params
    assert re.fullmatch("[0-9a-f]{16}", app.query_params["kept"])


def test_settings_that_meet_each_other():
    """The requested vocabulary is smaller than the alphabet; merges and minimum leave nothing."""
    app = opened("bpe_train", pieces="5", merges="100")
    assert trace(app).stop_reason.startswith("the vocabulary already has 11 pieces, ")
    app = opened("bpe_train", merges="0", step="4")
    assert (last(app), at(app)) == (0, 0)
    app = opened("bpe_train", least="10")
    assert "below the minimum of 10" in trace(app).stop_reason
    app = opened("bpe_train", longest="1", merges="50")
    assert "longer than 1 symbol" in trace(app).stop_reason
    app = opened("bpe_train", base="bytes", split="metaspace", change="nfc,nfkc,lower,accents")
    assert not app.error


def test_a_run_that_exhausts_the_text_stops_with_a_reason():
    app = opened("bpe_train", merges="10000", pieces="1000000", step="10000")
    run = trace(app)
    assert last(app) == at(app) < 100
    assert run.stop_reason == "every word is a single piece, so no pair is left"


# ---- tables ----


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("low,", "The count of “low” is missing. Write a whole number from 1 up."),
        ("low,-1", "The count of “low” is -1. Write a whole number from 1 up."),
        ("low,0", "The count of “low” is 0. Write a whole number from 1 up."),
        ("low,1.5", "The count of “low” is 1.5, a fraction. Write a whole number from 1 up."),
        ("low,inf", "The count of “low” is infinite. Write a whole number from 1 up."),
        ("low,five", "The count of “low” is 'five', which is not a number. "
                     "Write a whole number from 1 up."),
        ("word,count\nlow,5\n,3", "Row 2: '' is not a word. Write a word or delete the row."),
        ("word,count\nlow,5\nlower", "Row 2 of the table has 1 of the columns word and count. "
                                     "Write each row as word,count."),
        ("low", "Row 1 of the table has 1 of the columns word and count. "
                "Write each row as word,count."),
        ("**low**![x](y),-1", "The count of “**low**![x](y)” is -1. "
                              "Write a whole number from 1 up."),
    ],
)  # fmt: skip
def test_a_table_with_a_fault_gets_a_sentence(table, sentence):
    app = opened("bpe_train", corpus="table", text=table)
    assert texts_of(app.error) == [sentence]
    assert not re.search(r"(?<!\\)[*!\[]", app.error[0].value)
    assert app.text_area(key="text_box").value == table


@pytest.mark.parametrize("table", ["", "word,count\n", "\n\n"])
def test_an_empty_table_has_no_words(table):
    assert texts_of(opened("bpe_train", corpus="table", text=table).info) == [NO_WORDS]


def test_a_table_counts():
    table = 'count,word,note\n5,low,x\n2,"a,b",y\n1,low,z\n'
    app = opened("bpe_train", corpus="table", text=table)
    assert trace(app).corpus.word_counts == {"low": 6, "a,b": 2}


# ---- files ----


def parquet(**columns) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(columns).to_parquet(out)
    return out.getvalue()


def test_text_files_are_read():
    assert uploads.text_of_file("naïve\n".encode(), "a.txt") == "naïve\n"
    assert uploads.text_of_file("naïve".encode("utf-8-sig"), "a.txt") == "naïve"
    assert uploads.text_of_file("naïve 👩🏽‍🚀".encode("utf-16"), "a.txt") == "naïve 👩🏽‍🚀"
    assert uploads.text_of_file(b"\xfe\xff\0a", "a.txt") == "a"
    assert uploads.text_of_file("naïve".encode("utf-32"), "a.txt") == "naïve"
    assert uploads.text_of_file(b"", "a.txt") == ""


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0", "“a.txt” is not a text file. Choose a file of plain text."),
        ("one\ntwo\nnaïve".encode("latin-1"), "Line 3 of “a.txt” is not UTF-8 text. Save the file "
                                              "as UTF-8 and choose it again."),
        (b"\xff\xfea", "Line 1 of “a.txt” is not UTF-16 text. Save the file as UTF-8 and choose it "
                       "again."),
        (b"a \xed\xa0\x80 b", "Line 1 of “a.txt” is not UTF-8 text. Save the file as UTF-8 and "
                              "choose it again."),
        (b"\xff\xfe\x00\xd8", "Line 1 of “a.txt” is not UTF-16 text. Save the file as UTF-8 and "
                              "choose it again."),
    ],
    ids=["binary", "latin-1", "odd UTF-16", "surrogate in UTF-8", "surrogate in UTF-16"],
)  # fmt: skip
def test_a_file_that_is_no_text_gets_a_sentence_and_nothing_is_lost(content, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        uploads.text_of_file(content, "a.txt")
    app = paste(opened("bpe_train", corpus="own", merges="5"), "what was there before")
    app.file_uploader(key="file_own").upload("a.txt", content).run()
    assert texts_of(checked(app).error) == [sentence]
    assert app.text_area(key="text_box").value == "what was there before"
    assert trace(app).words[0] == "what"


def test_a_text_file_is_accepted():
    app = opened("bpe_train", corpus="own")
    app.file_uploader(key="file_own").upload("a.txt", "täst täst".encode()).run()
    assert trace(checked(app)).words == ("täst",)
    assert app.query_params["text"] == "täst täst"


def test_a_parquet_table_is_accepted():
    content = parquet(Count=[5, 2, 1], word=["low", "a,b", 'q"'], other=[1, 2, 3])
    app = opened("bpe_train", corpus="table")
    app.file_uploader(key="file_table").upload("counts.parquet", content).run()
    assert trace(checked(app)).corpus.word_counts == {"low": 5, "a,b": 2, 'q"': 1}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PAR1 and nothing more", "“t.parquet” is not a readable Parquet file. "),
        (b"", "“t.parquet” is not a readable Parquet file. "),
        (parquet(word=["a"])[:-9], "“t.parquet” is not a readable Parquet file. "),
        (parquet(words=["a"], n=[1]), "“t.parquet” needs the columns word and count; it has: "),
        (parquet(word=["a"], count=[-1]), "The count of “a” is -1. "),
        (parquet(word=["a"], count=[1.5]), "The count of “a” is 1.5, a fraction. "),
        (parquet(word=["a", "b"], count=[1, None]), "The count of “b” is missing. "),
        (parquet(word=["a"], count=["x"]), "The count of “a” is 'x', which is not a number. "),
    ],
    ids=["broken", "empty", "cut", "columns", "negative", "fraction", "missing", "text"],
)  # fmt: skip
def test_a_table_that_is_none_gets_a_sentence_and_nothing_is_lost(content, sentence):
    app = paste(opened("bpe_train", corpus="table"), "kept,3")
    app.file_uploader(key="file_table").upload("t.parquet", content).run()
    assert texts_of(checked(app).error)[0].startswith(sentence)
    assert trace(app).corpus.word_counts == {"kept": 3}


def test_an_empty_parquet_table_has_no_words():
    app = opened("bpe_train", corpus="table")
    content = parquet(word=pd.Series([], dtype=str), count=pd.Series([], dtype=int))
    app.file_uploader(key="file_table").upload("t.parquet", content).run()
    assert texts_of(checked(app).info) == [NO_WORDS]


def test_a_missing_word_in_parquet_is_reported():
    content = parquet(word=["a", None], count=[1, 2])
    with pytest.raises(ValueError, match="Row"):
        uploads.table_of_file(content, "t.parquet")


def packed(**columns) -> bytes:
    """Return a minimal Parquet file."""
    out = io.BytesIO()
    parquet_files.write_table(pa.table(columns), out, compression="zstd")
    return out.getvalue()


def many_rows() -> bytes:
    zeros = pa.array(numpy.zeros(10_000_001, "int32"))
    word = pa.DictionaryArray.from_arrays(zeros, ["a"])
    return packed(word=word, count=pa.array([1]).take(zeros))


def wide() -> bytes:
    word = pa.DictionaryArray.from_arrays([0] * 6_000, ["x" * 100_000])
    return packed(word=word, count=[1] * 6_000)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (lambda: packed(word=[["a"]], count=[1]), "The column word of “t.parquet” holds list<"),
        (lambda: packed(word=[{"a": 1}], count=[1]),
         "The column word of “t.parquet” holds struct<"),
        (lambda: packed(word=[b"a"], count=[1]), "The column word of “t.parquet” holds binary."),
        (lambda: packed(word=["a"], count=[[1]]), "The column count of “t.parquet” holds list<"),
        (many_rows, "“t.parquet” has 10,000,001 rows; at most 10,000,000 are read."),
        (lambda: packed(word=["x" * 100_000_001], count=[1]),
         "The words and counts of “t.parquet” take"),
        (wide, "The words and counts of “t.parquet” take 600 MB"),
    ],
    ids=["lists", "structures", "bytes", "lists of counts", "rows", "one word", "one word, often"],
)  # fmt: skip
def test_a_table_that_is_too_large_is_rejected_before_it_is_unpacked(content, sentence):
    """The tables are made here, so that collecting the tests does not have to."""
    file = content()
    assert len(file) < 80_000
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        uploads.table_of_file(file, "t.parquet")


def test_the_most_frequent_words_of_a_large_table_are_used_with_a_message(monkeypatch):
    monkeypatch.setattr(source, "MAX_DISTINCT_WORDS", 3)
    content = packed(word=["a", "low", "b", "lower", "c"], count=[1, 5, 1, 2, 1])
    table = uploads.table_of_file(content, "t.parquet")
    assert table.text == "word,count\na,1\nlow,5\nlower,2\n"
    assert table.left_out == (
        "“t.parquet” has 5 words; the 3 most frequent are used. They make up 80% of all that it "
        "counts."
    )
    csv = b"word,count\na,1\nlow,5\nb,1\nlower,2\nc,1\n"
    assert uploads.table_of_file(csv, "t.csv").text == table.text
    app = opened("bpe_train", corpus="table")
    app.file_uploader(key="file_table").upload("t.csv", csv).run()
    assert trace(checked(app)).corpus.word_counts == {"low": 5, "a": 1, "lower": 2}
    assert any(one.startswith("“t.csv” has 5 words") for one in texts_of(app.info))
    app.text_area[0].set_value("low,5").run()
    assert not any(one.startswith("“t.csv”") for one in texts_of(app.info))


def test_two_columns_are_read_and_no_others():
    content = packed(word=["low"], count=[5], note=[["x" * 9]], other=["y" * 99])
    assert uploads.table_of_file(content, "t.parquet").text == "word,count\nlow,5\n"


@pytest.mark.parametrize("error", [pa.ArrowNotImplementedError, pa.ArrowInvalid, OSError])
def test_what_the_reader_of_parquet_cannot_do_gets_a_sentence(monkeypatch, error):
    def fails(*args, **more):
        raise error("of its own")

    monkeypatch.setattr(parquet_files, "ParquetFile", fails)
    with pytest.raises(ValueError, match="is not a readable Parquet file"):
        uploads.table_of_file(b"", "t.parquet")


def test_tables_are_read_by_a_worker(monkeypatch):
    asked = []
    run = POOL.run
    monkeypatch.setattr(
        POOL, "run", lambda key, f, *a, **k: asked.append(f) or run(key, f, *a, **k)
    )
    app = opened("bpe_train", corpus="table")
    app.file_uploader(key="file_table").upload("t.csv", b"word,count\nlow,5\n").run()
    assert asked.count(uploads.read_table) == 1
    assert trace(checked(app)).corpus.word_counts == {"low": 5}
    checked(app.run())
    assert asked.count(uploads.read_table) == 1


def test_a_removed_file_is_no_file():
    assert uploads.content_of(DeletedFile("1")) is None
    assert uploads.content_of(None) is None


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_system(end):
    rows = f"word,count{end}low,5{end}lower,2{end}"
    assert uploads.table_of_file(rows.encode(), "t.csv").text.count("low") == 2
    app = opened("bpe_train", corpus="table", text=rows)
    assert trace(app).corpus.word_counts == {"low": 5, "lower": 2}


def test_a_text_instead_of_a_table_gives_a_message():
    with pytest.raises(ValueError, match="table"):
        uploads.table_of_file(b"no comma here " * 20_000, "t.csv")


def test_a_count_too_large_gets_a_sentence():
    app = opened("bpe_train", corpus="table", text="low,99999999999999999999")
    assert texts_of(app.error)[0].startswith(
        "The counts add up to more than 100,000,000,000,000,000 "
    )


@pytest.mark.parametrize("panel", PANELS)
def test_no_style_of_a_panel_is_shown_as_text(panel):
    assert "&lt;style" not in html_of(opened("bpe_train", panel=panel, step="1"))


def test_the_glossary_is_searched_by_names_forms_and_sentences():
    app = opened("glossary", find="prune")
    assert "<dt>pruning</dt>" in html_of(app)
    assert "<dt>token</dt>" not in html_of(app)
    assert "No term has “qqq”" in markdown_of(opened("glossary", find="qqq"))
    assert "<dt>token</dt>" in html_of(opened("glossary"))
