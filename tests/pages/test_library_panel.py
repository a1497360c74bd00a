"""The panel “Train one yourself”: code, or a reason and a button that changes the settings."""

import pytest

from pages.shared.export.library_panel import TITLE
from pages.shared.training.library_code import hugging_face, training_code
from pages.shared.training.library_code.code import MOST_WORDS
from tests.pages.opening import markdown_of, opened
from tokenizers import bpe, wordpiece
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.unigram.settings import CONVENTIONS, convention_settings

TEXT = "low low lower newest newest widest"


def shown_code(app):
    return "\n".join(block.value for block in app.code)


@pytest.mark.parametrize("page", ["bpe_train", "wordpiece_train", "unigram_train"])
def test_a_button_leads_to_settings_with_code(page):
    app = opened(page, panel=TITLE, corpus="own", text=TEXT)
    assert "can’t train exactly this" in markdown_of(app)
    assert "train_from_iterator" not in shown_code(app)
    (button,) = [one for one in app.button if one.label == "Train as Hugging Face does"]
    button.click().run()
    assert not app.exception
    assert "tokenizer.train_from_iterator([text], trainer)" in shown_code(app)
    assert TEXT in shown_code(app)


def test_the_code_of_each_library_and_how_to_open_the_files():
    query = {"base": "bytes", "split": "gpt2", "ties": "first_seen", "merges": "4"}
    app = opened("bpe_train", panel=TITLE, corpus="own", text="aaab", **query)
    code = shown_code(app)
    assert 'open("trained.tiktoken", "rb")' in code
    assert 'Tokenizer.from_file("tokenizer.json")' in code
    assert 'PreTrainedTokenizerFast(tokenizer_file="tokenizer.json")' in code


def test_the_top_down_rule_has_a_reason():
    app = opened("wordpiece_train", panel=TITLE, rule="top_down")
    assert "wordpiece_tokenizer_learner_lib" in markdown_of(app)


def test_a_long_text_is_read_from_a_file_to_save():
    text = "many words make a text that no program should hold " * 9
    query = {"base": "characters", "ties": "smallest_ids"}
    app = opened("bpe_train", panel=TITLE, corpus="own", text=text, **query)
    assert 'Path("text.txt").read_bytes().decode()' in shown_code(app)
    buttons = [getattr(one, "label", "") for one in app.get("download_button")]
    assert "Save text.txt beside the code" in buttons


def test_a_note_is_shown_as_it_is_written():
    query = {"corpus": "own", "text": "ab ab ba", "convention": "sentencepiece", "size": "9"}
    app = opened("unigram_train", panel=TITLE, **query)
    shown = "".join(getattr(block.proto, "body", "") for block in app.get("html"))
    assert "single" in shown
    assert "which can decide between two splits of a text that are equally probable." in shown


def reasons(trace, library=hugging_face.NAME):
    (one,) = [one for one in training_code(trace) if one.library == library]
    return " ".join(one.reasons)


def test_reasons_name_the_step_at_which_a_tie_falls_otherwise():
    trace = Trace.record(Corpus.from_text(TEXT), bpe.Settings(num_merges=9))
    library = Trace.record(trace.corpus, bpe.Settings(num_merges=9, ties="smallest_ids"))
    pairs = zip(trace.pairs, library.pairs, strict=True)
    k, mine, theirs = next((k, *both) for k, both in enumerate(pairs, 1) if both[0] != both[1])
    said = f"At step {k} that is “{' + '.join(theirs)}”; this run merged “{' + '.join(mine)}”."
    assert said in reasons(trace)


def test_a_tie_rule_that_changes_nothing_needs_no_reason():
    trace = Trace.record(Corpus({"ab": 2, "cd": 2}), bpe.Settings(ties="first_seen"))
    assert trace.num_tied[0] == 2
    assert reasons(trace) == ""


@pytest.mark.parametrize(
    ("trace", "reason"),
    [
        (Trace.record(Corpus.from_text(TEXT), bpe.Settings("end_of_word")), "symbol of its own"),
        (Trace.record(Corpus.from_text(TEXT), wordpiece.Settings()), "no other library"),
        (Trace.record(Corpus({"ab": MOST_WORDS + 1}), bpe.Settings()), "divide the counts"),
        (
            Trace.record(Corpus.from_text(TEXT, Pipeline(("stems",))), bpe.Settings()),
            "does what stems does",
        ),
    ],
)
def test_each_reason(trace, reason):
    assert reason in reasons(trace)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_of_the_conventions_each_library_trains_its_own(convention):
    pipeline = Pipeline(("sentencepiece_spaces",), "metaspace")
    corpus = Corpus.from_text(f"{TEXT} " * 3, pipeline)
    trace = UnigramTrace.record(corpus, convention_settings(convention, 20))
    with_code = [one.library for one in training_code(trace) if one.code]
    own = {"hugging_face": [hugging_face.NAME], "sentencepiece": ["SentencePiece"]}
    assert with_code == own.get(convention.removesuffix("_classic"), [])
