"""Start: what it shows of a text is what the tokenizers give, for any text, and nothing breaks.

The pages run in Streamlit's AppTest, as in test_pages.py.
"""

import json
import re
import time
from typing import Any

import pytest

from lessons.models import open_model
from lessons.texts import TEXTS as TRAINED_ON
from lessons.trained import SIZE, open_trained
from pages.shared.export.tables import as_csv
from pages.shared.training.published import SHORT_NAMES
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.training.tokens import describe_token, raw_bytes
from pages.start.presets import FIRST_TEXT, SAMPLE_TEXTS
from pages.start.published import MORE, ROWS, table_of, tokenize
from tests.pages.opening import (
    HOSTILE,
    checked,
    columns_under,
    html_of,
    markdown_of,
    opened,
    paste,
    sent_to,
    texts_of,
)

NAMED = {kind: one.name for kind, one in KINDS.items()}
TEXTS = [
    *SAMPLE_TEXTS.values(), *HOSTILE, " \n\t", "a  b   c", "\r\n",
    "ﬁ ½ Ⅻ İ ß", "e\u0301 é", "a" * 300,
    *(
        "\u200b\u200d",
        "\x01\x02",
        "漢字かな交じり文",
        "a\u0301\u0302\u0303",
        "🇯🇵" * 5,
        "x" * 120 + "\n\n",
    ),
    "<0xF0>", "▁a ▁", "Ġ", "[CLS] [UNK]", "<s><unk>",
]  # fmt: skip


def sent(app) -> dict:
    """The message of the aligned view."""
    return sent_to(app, "chunks")


def tiles(app, row: int) -> list[list]:
    return [tile for one in sent(app)["chunks"] for cell in one[1][row] for tile in cell[2]]


def test_the_start_page_opens_with_a_row_for_every_tokenizer():
    app = opened("start")
    assert not app.error
    assert [name for name, _ in sent(app)["names"]] == [SHORT_NAMES[name] for name in ROWS]
    for n, name in enumerate(ROWS):
        found = open_model(name).encode(FIRST_TEXT, add_special_tokens=False)
        assert sent(app)["names"][n][1].startswith(f"{len(found.ids)} tokens · ")
    assert len({tuple(tile[0] for tile in tiles(app, n)) for n in range(6)}) == 6, "no two alike"
    assert "lost on decoding" in html_of(app)


@pytest.mark.parametrize("text", TEXTS)
def test_the_ids_on_the_screen_are_those_of_the_tokenizers(text):
    app = opened("start", text=text)
    assert not app.error
    for n, name in enumerate(ROWS):
        ids = list(open_model(name).encode(text, add_special_tokens=False).ids)
        shown = [tile[2] for tile in tiles(app, n) if not tile[0].startswith("…")]
        assert shown == ids
        assert {str(tile[2]) for tile in tiles(app, n)} == set(sent(app)["tooltips"][n])


def test_other_tokenizers_get_a_row_below_when_chosen_and_the_address_keeps_them():
    app = opened("start", text="Grüße, 世界")
    assert "more" not in app.query_params
    groups: Any = app.get("button_group")
    (others,) = [one for one in groups if one.key == "more"]
    others.set_value(["unigram-japanese", "qwen3"]).run()
    assert app.query_params["more"] == "unigram-japanese,qwen3"
    for shown in (app, opened("start", text="Grüße, 世界", more="qwen3,unigram-japanese,magic")):
        names = [*ROWS, "qwen3", "unigram-japanese"]
        assert [name for name, _ in sent(shown)["names"]] == [SHORT_NAMES[name] for name in names]
        for n, name in enumerate(names):
            ids = list(open_model(name).encode("Grüße, 世界", add_special_tokens=False).ids)
            assert [tile[2] for tile in tiles(shown, n)] == ids


def test_every_tokenizer_of_the_pack_can_have_a_row():
    assert [*ROWS, *MORE] == [*dict.fromkeys([*ROWS, *SHORT_NAMES])]
    app = opened("start", more=",".join(MORE), added="true", text="<｜User｜> <|im_start|> <|end|>")
    assert not app.error
    assert len(sent(app)["names"]) == len(SHORT_NAMES)


@pytest.mark.parametrize("text", ["Hello world", "สวัสดีชาวโลก", " \n\t"])
def test_a_switch_adds_what_models_put_around_a_text_and_tokens_per_word_stay(text):
    plain, app = opened("start", text=text), opened("start", text=text, added="true")
    around = {"mistral-v1": (["<s>"], []), "bert-uncased": (["[CLS]"], ["[SEP]"])}
    for n, name in enumerate(ROWS):
        first, last = around.get(name, ([], []))
        texts = [tile[0] for tile in tiles(plain, n)]
        assert [tile[0] for tile in tiles(app, n)] == [*first, *texts, *last]
    rows = [figures_of(one) for one in (plain, app)]
    for name, before, after in zip(ROWS, *rows, strict=True):
        added = sum(map(len, around.get(name, ())))
        assert int(after[1]) == int(before[1]) + added
        assert after[3:] == before[3:], "tokens per word, and what is lost"
    (switch,) = [one for one in app.toggle if one.key == "added"]
    assert ": `<s>`; BERT" in switch.label
    assert ": `[CLS]` `[SEP]`)" in switch.label


def figures_of(app) -> list[list[str]]:
    """The cells of the table of figures."""
    (table,) = re.findall(r"<tbody>(.*?)</tbody>", html_of(app), re.DOTALL)[:1]
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")[1:]]
    return [[re.sub("<.*?>", "", cell) for cell in row] for row in cells]


@pytest.mark.parametrize("name", ROWS)
def test_ids_and_tokens_can_be_copied(name):
    text = "naïve [SEP] 🦊"
    app = opened("start", text=text, copy=name)
    ids, tokens = (json.loads(element.value) for element in app.code)
    found = open_model(name).encode(text, add_special_tokens=False)
    assert (ids, tokens) == (list(found.ids), list(found.tokens))


def test_the_file_has_every_token_of_every_row():
    rows = tokenize("é <|endoftext|>", "control")
    table = table_of(rows)
    assert table.columns[3] == "id"
    assert [row[3] for row in table.rows] == [id_ for row in rows for id_ in row.encoding.ids]
    first = next(row for row in table.rows if row[0] == "GPT-2")
    assert first[2:] == ("Ã©", 2634, "C3 A9", 0, 1)
    assert as_csv(table).decode("utf-8-sig").count("\r\n") == len(table.rows) + 1
    assert ",'=," in as_csv(table_of(tokenize("=1+1", "control"))).decode(), (
        "a text, and no formula"
    )


def test_the_reading_of_special_tokens_is_a_choice_only_where_there_are_any():
    assert not [
        c for c in opened("start", text="a [SEPT] b").get("button_group") if c.key == "special"
    ]
    app = opened("start", text="a [SEP] b", special="text")
    row = ROWS.index("bert-uncased")
    assert [tile[0] for tile in tiles(app, row)] == ["a", "[", "sep", "]", "b"]
    app = opened("start", text="a [SEP] b")
    assert [tile[0] for tile in tiles(app, row)] == ["a", "[SEP]", "b"]


@pytest.mark.parametrize(
    ("name", "text", "losses"),
    [
        ("gpt2", "Ça  va 🦊", ()),
        ("bert-uncased", "Ab", ("capitals",)),
        ("bert-uncased", "é", ("accents",)),
        ("bert-uncased", "a  b", ("spaces",)),
        ("bert-uncased", "🦊", ("1 unknown ([UNK])",)),
        ("unigram-english", "Z3", ("1 unknown (<unk>)",)),
        ("mistral-v1", "Ça 🦊", ()),
        ("gpt2", "a<|endoftext|>", ("special tokens",)),
        ("bert-uncased", "[SEP]", ("special tokens",)),
        ("bert-uncased", "नमस्ते दुनिया", ("vowel signs and other marks",)),
        ("bert-uncased", "مُحَمَّد", ("vowel signs and other marks",)),
        ("bert-uncased", "สวัสดี ชาวโลก", ("2 unknowns ([UNK])",)),
        ("unigram-english", "สวัสดี ชาวโลก", ("2 unknowns (<unk>)",)),
        ("bert-uncased", "👨‍👩‍👧‍👦 ❤️ 👩🏽‍🚀", ("3 unknowns ([UNK])",)),
        ("bert-uncased", "a\0b c\x1b", ("control characters",)),
        ("bert-uncased", "a\u200bb \ufeffc so\u00adft", ("invisible characters",)),
        ("bert-uncased", "می‌خواهم", ("invisible characters",)),
        ("bert-uncased", "user\u200fname", ("invisible characters",)),
        ("bert-uncased", "a\u00a0b", ("spaces",)),
        ("bert-uncased", "a 🦊 b", ("1 unknown ([UNK])",)),
        ("bert-uncased", "É  🦊", ("1 unknown ([UNK])", "capitals", "accents", "spaces")),
        ("bert-uncased", "한국", ("from character 1 on, other text comes back",)),
        ("gpt2", "नमस्ते สวัสดี a\0\u200b", ()),
    ],
)
def test_losses_are_described(name, text, losses):
    row = next(row for row in tokenize(text, "control") if row.name == name)
    assert row.losses == losses


@pytest.mark.parametrize("name", SHORT_NAMES)
def test_every_token_has_a_tooltip(name):
    """The two halves of a merge are the token, and its bytes are those of the text."""
    model = open_model(name)
    for text in SAMPLE_TEXTS.values():
        for token in dict.fromkeys(model.encode(text).tokens):
            said_of_it = describe_token(model, token)
            assert said_of_it
            if " makes it: “" in said_of_it and token.isascii():
                first, second = (
                    said_of_it.split(" makes it: “")[1].removesuffix("”.").split("” + “")
                )
                joined = (first + second).replace("·", " ").encode()
                assert joined == raw_bytes(model, token)


def test_tooltips_in_words():
    assert (
        describe_token(open_model("o200k"), "Ġ")
        == "Byte 20. It is there from the start: no merge makes it."
    )
    assert describe_token(open_model("mistral-v1"), "<0xF0>") == (
        "Byte F0. One byte of a character that is not in the vocabulary."
    )
    assert "goes on inside a word" in describe_token(open_model("bert-uncased"), "##s")
    assert describe_token(open_model("bert-uncased"), "[CLS]").startswith("A special token")
    said = describe_token(open_model("unigram-english"), "▁un")
    assert re.search(r"−[\d.]+ nats: its share in the model is (about [\d.]+|under 0\.1)%\.$", said)


def test_a_sample_text_replaces_the_users_text():
    app = opened("start", text="mine")
    groups: Any = app.get("button_group")
    pills = next(group for group in groups if "Hindi" in group.options)
    pills.set_value("Hindi")
    assert checked(app.run()).text_area(key="text_box").value == SAMPLE_TEXTS["Hindi"]
    assert app.query_params["text"] == SAMPLE_TEXTS["Hindi"]
    app = checked(app.text_area(key="text_box").input("mine again").run())
    assert app.session_state["ready_text"] is None


def test_a_text_typed_before_the_sample_is_unmarked_in_the_browser_is_not_lost():
    app = opened("start")
    groups: Any = app.get("button_group")
    pills = next(group for group in groups if "Hindi" in group.options)
    mixed = pills.value
    assert mixed
    received = app.text_area(key="received_run").value
    app = checked(app.text_area(key="text_box").input("one tide").run())
    groups = app.get("button_group")
    pills = next(group for group in groups if "Hindi" in group.options)
    assert not pills.value

    pills.set_value(mixed)
    app.text_area(key="received_run").set_value(received)
    app = checked(app.text_area(key="text_box").input("two tides").run())
    assert app.text_area(key="text_box").value == app.query_params["text"] == "two tides"


def test_a_long_text_is_windowed_and_cut_with_a_word():
    app = paste(opened("start"), "tide and time " * 360_000)
    (note,) = texts_of(app.info)
    assert "5,040,000 characters" in note
    assert "first 1,000,000" in note
    assert "in the first 20,000 characters" in markdown_of(app)
    app.number_input(key="from_word").set_value(4000).run()
    assert "words 4,000 to 4,099 of" in markdown_of(checked(app))


def test_no_words_are_counted_where_no_spaces_part_them():
    html = html_of(paste(opened("start"), "今日は良い天気です"))
    assert "This text has 9 characters and 27 bytes." in html
    assert '<td class="n"><bdi>–</bdi></td>' in html
    assert "This text has 5 words" in html_of(paste(opened("start"), "a b c d e"))


def test_figures_costs_and_ids_are_of_the_whole_text_though_part_of_it_is_drawn():
    text = "tide and time " * 2_200  # 30,800 characters
    app = paste(opened("start", copy="gpt2"), text)
    found = open_model("gpt2").encode(text)
    row = figures_of(app)[ROWS.index("gpt2")]
    assert row[1] == f"{len(found.ids):,}"
    assert f"{len(text):,} characters" in html_of(app)
    assert html_of(app).count(f">{len(found.ids):,}<") >= 2, "in the costs, too"
    ids, tokens = (json.loads(element.value) for element in app.code)
    assert (ids, tokens) == (list(found.ids), list(found.tokens))
    assert not app.info
    assert "of 4,286 in the first 20,000 characters" in markdown_of(app)


def test_what_tokens_per_word_leave_out_is_said_where_it_matters():
    assert "of white space alone" not in markdown_of(opened("start", text="tide"))
    assert "of white space alone" in markdown_of(opened("start", text="tide", added="true"))


def test_a_loss_leads_to_where_it_happens():
    def links(app) -> list[str]:
        return [link.proto.label for link in app.get("page_link")]

    assert "See what is lost →" in links(opened("start", text="Ab"))
    assert "See what is lost →" not in links(opened("start", text="tide"))


def test_a_price_makes_a_cost():
    app = opened("start", text="tide " * 100, window="1000")
    app.number_input(key="price").set_value(2.0).run()
    tokens = len(open_model("gpt2").encode("tide " * 100).ids)
    assert f"${tokens * 2 / 1e6:.6f}<" in html_of(checked(app))
    assert f"{tokens / 1000:.2%}" in html_of(app)
    app.number_input(key="output_price").set_value(8.0)
    app.number_input(key="answer").set_value(1_000).run()
    assert f"${(tokens * 2 + 1_000 * 8) / 1e6:.6f}<" in html_of(checked(app))


def test_a_model_that_can_read_no_more_has_its_own_window_and_one_that_writes_nothing_no_answer():
    app = opened("start", text="tide " * 100)
    app.number_input(key="price").set_value(2.0)
    app.number_input(key="output_price").set_value(8.0).run()
    table = html_of(checked(app)).split("This text as a prompt")[-1]
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")[-len(ROWS) :]]
    rows: dict[str, list[str]] = dict(zip(ROWS, cells, strict=True))
    for name, window in (("o200k", 128_000), ("gpt2", 1_024), ("bert-uncased", 512)):
        tokens = int(rows[name][0])
        assert rows[name][1] == f"{window:,}"
        assert f"{tokens / window:.2%}" in rows[name][2]
    assert [name for name, row in rows.items() if "–" in row[4]] == ["bert-uncased"]


def test_a_switch_shows_the_ids_and_parts_of_the_page_have_headings():
    app = opened("start")
    assert not sent(app)["ids"]
    app.toggle(key="ids").set_value(True)
    app = checked(app.run())
    assert sent(app)["ids"]
    heads = re.findall(r"<h2[^>]*>(.*?)</h2>", html_of(app))
    assert heads == ["In numbers", "More with this text"]


def test_half_a_character_gets_a_sentence():
    """Browsers never send one (see strip_lone_surrogates.js); other clients get a message."""
    with pytest.raises(ValueError, match="surrogate"):
        tokenize("a\ud800b", "control")


def test_nothing_is_trained_before_the_expander_opens():
    assert 'role="list"' not in html_of(opened("start"))
    app = opened("start", **{"from": "own"})
    assert html_of(app).count('role="list"') == 5


def test_train_your_own_on_this_text_opens_on_this_text():
    app = opened("start", text="low tide")
    app.session_state["train_own"] = True
    app = checked(app.run())
    (box,) = [one for one in app.selectbox if one.key == "from"]
    assert (box.value, app.query_params["from"]) == ("own", "own")
    app.session_state["train_own"] = True
    app = checked(box.set_value("python").run())
    (box,) = [one for one in app.selectbox if one.key == "from"]
    assert box.value == "python"


def test_pretrained_tokenizers_split_words_and_link_to_their_steps():
    text = "unbelievably naïve"
    app = opened("start", text=text, **{"from": "python"})
    assert not app.error
    assert html_of(app).count('role="list"') == len(KINDS)
    size = len(TRAINED_ON["python"].text or "")
    (why,) = [c.value for c in app.caption if "All learned from" in c.value]
    assert f"Python's help pages: {size:,} characters" in why
    assert f"{SIZE:,} each" in why
    links = {link.proto.label: link.proto.query_string for link in app.get("page_link")}
    for kind, label in {
        "bpe": "Step through BPE →",
        "bytes": "Step through BPE on bytes →",
        "wordpiece": "Step through WordPiece →",
        "unigram": "Step through the lattice →",
    }.items():
        found = open_trained(kind).encode(text)
        (said_of,) = [m.value for m in app.markdown if m.value.startswith(f"**{NAMED[kind]}** ·")]
        assert f"· {len(found.tokens)} tokens ·" in said_of
        assert f"{SIZE:,} pieces in the vocabulary" in said_of
        assert "python" in links[label]
    assert len(open_trained("bytes").encode(text).tokens) < len(text) / 1.5, "parts, not letters"


@pytest.mark.parametrize("text", HOSTILE)
def test_pretrained_tokenizers_split_any_text(text):
    app = opened("start", text=text, **{"from": "python"})
    assert not app.error
    assert html_of(app).count('role="list"') in (0, len(KINDS))


def test_a_row_links_to_its_training_text():
    app = opened("start", text="low tide", **{"from": "prose"})
    grow = [link.proto for link in app.get("page_link") if link.proto.label.startswith("See BPE")]
    assert len(grow) == 2
    assert all("corpus=prose" in link.query_string for link in grow)
    app = opened("start", text="low tide", **{"from": "own"})
    grow = [link.proto for link in app.get("page_link") if link.proto.label.startswith("See BPE")]
    assert all("corpus=own&text=low+tide" in link.query_string for link in grow)


def test_thousands_of_marks_on_one_letter_hold_nobody_up():
    marks = "\u0301\u0323"
    n = 20_000
    in_order, mixed = "e" + marks[1] * n + marks[0] * n, "e" + marks * n
    tokenize(in_order, "control")  # what is made once is made
    took = []
    for text in (in_order, mixed):
        begun = time.process_time()
        (row,) = (row for row in tokenize(text, "control") if row.name == "bert-uncased")
        took.append(time.process_time() - begun)
        assert "accents" in row.losses
    assert took[1] < 2 * took[0] + 0.5


def test_the_figures_are_under_their_headings():
    text = "The tide is low, and the shore is wider."
    figures = columns_under(opened("start", text=text), "This text has")
    tokens = [int(number) for number in figures["tokens"]]
    assert figures["characters per token"] == [f"{len(text) / n:.2f}" for n in tokens]
    assert figures["tokens per word"] != figures["characters per token"]
    assert set(figures["lost on decoding"]) <= {"nothing", "capitals"}
