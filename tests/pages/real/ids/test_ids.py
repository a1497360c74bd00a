"""Ids to text on the page of real tokenizers: what they spell, a stream of them, and the files."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.models import MODELS, open_model
from pages.real.ids import parts
from pages.real.ids.decoding import MAX_STREAMED, decode_ids, decode_with
from pages.real.ids.lengths import fit_to_length
from pages.real.ids.parts import around_of, cut_into_parts
from pages.real.ids.stream_frames import _StreamFrames, record_stream
from pages.real.splitting import split_text
from pages.shared.recording.frame_types import StripsFrame, plain_text
from pages.shared.training.published import PublishedTokenizer
from tests.call_counts import examples
from tests.core.runtime.test_truncation import PADDING, TRUNCATION, file
from tokenizers.errors import UserError
from tokenizers.formats.tokenizer_json import read_tokenizer_json
from tokenizers.progress import ignore_progress

GPT2, BERT = PublishedTokenizer("gpt2"), PublishedTokenizer("bert-uncased")
ROUND_TRIP = "Round trip: the text gives these ids again."


def sentences(model: PublishedTokenizer, *ids: int) -> list[str]:
    frames = _StreamFrames(decode_ids(model, ids))
    return [plain_text(frame.sentence) for frame in frames]


def cut(model: PublishedTokenizer, text: str, most: int, overlap: int) -> list[parts.TextPart]:
    return cut_into_parts(ignore_progress, model, text, "control", most, overlap)


# --- What ids spell -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@given(text=st.text(st.sampled_from("ab E.,1é日\n"), min_size=1, max_size=20))
@examples(20)
def test_the_ids_of_a_text_come_back(name: str, text: str):
    loaded, model = open_model(name), PublishedTokenizer(name)
    ids = loaded.encode(text).ids
    decoded = decode_ids(model, ids)
    assert decoded.ids == ids
    assert decoded.text == loaded.decode(ids)
    assert (decoded.difference is None) == decoded.verdict.startswith("Round trip")
    if loaded.encode(decoded.text).ids == ids:
        assert decoded.verdict == ROUND_TRIP


def test_the_tokens_around_a_text_may_be_there_or_not():
    assert decode_ids(BERT, (101, 7592, 102)).verdict == ROUND_TRIP
    assert decode_ids(BERT, (101, 7592, 102)).left_out == ("[CLS]", "[SEP]")
    assert decode_ids(BERT, (7592,)).verdict == (
        "Round trip: the text gives these ids again, without the [CLS], [SEP] around it."
    )


def test_a_special_token_inside_a_text_comes_back():
    loaded = open_model("gpt2")
    ids = loaded.encode("a<|endoftext|>b").ids
    assert decode_ids(GPT2, ids).verdict.startswith("Round trip")


def test_other_ids_of_the_same_text_are_told_apart():
    decoded = decode_ids(GPT2, (39, 417, 78, 995))
    assert decoded.text == "Helo world"
    assert decoded.verdict.startswith("The text gives other ids: 3 tokens in place of 4.")
    assert decoded.difference
    given_, own = decoded.difference.given, decoded.difference.own
    assert (given_.tokens, given_.new) == (["H", "el", "o", " world"], [0, 1])
    assert (own.tokens, own.ids[:1], own.new) == (["Hel", "o", " world"], [12621], [0])


def test_half_a_character_is_no_text():
    assert "not a whole character" in decode_ids(GPT2, (12520, 248)).verdict


def test_a_long_difference_is_shown_in_part():
    decoded = decode_ids(GPT2, (64,) * 500)  # single letters
    assert decoded.difference
    assert len(decoded.difference.given.tokens) == 60
    assert decoded.difference.given.hidden == 440


def test_an_unknown_id_is_named_with_the_size_of_the_vocabulary():
    with pytest.raises(UserError, match="vocabulary of 50,257 tokens has no id 99999999"):
        decode_ids(GPT2, (1, 99999999))


# --- The stream -----------------------------------------------------------------------------------


def test_the_sentences_of_a_stream():
    loaded = open_model("gpt2")
    assert sentences(GPT2, *loaded.encode("a 🚀").ids) == [
        "4 ids to decode, one at a time. Only whole characters are shown.",
        "Id 64 is a. It shows a.",
        "Id 12520 is ·⟨F0 9F⟩. The text ends inside a character, so nothing more is shown yet.",
        "Id 248 is ⟨9A⟩. The text ends inside a character, so nothing more is shown yet.",
        "Id 222 is ⟨80⟩. With the 2 tokens held back, it shows ·🚀.",
    ]
    assert sentences(BERT, 101, 7592)[1:] == [
        "Id 101 is [CLS], a special token. It is left out of the text.",
        "Id 7592 is hello. It shows hello.",
    ]


def test_what_is_held_back_at_the_end_is_said():
    frames = _StreamFrames(decode_ids(GPT2, (64, 12520, 248)))
    note, strips = frames[3].parts[2], frames[3].parts[1]
    assert plain_text(note.text).startswith("The last 2 tokens held back are never shown")  # pyright: ignore
    assert isinstance(strips, StripsFrame)
    assert [strip.after for strip in strips.strips] == [("a",), (" ⟨F0 9F⟩", "⟨9A⟩")]


def test_a_stream_that_differs_from_the_whole_text_is_told():
    vocab = {"a": 0} | {f"<0x{byte:02X}>": byte + 1 for byte in range(256)}
    model = {"type": "BPE", "vocab": vocab, "merges": [], "byte_fallback": True}
    written = json.dumps({"model": model, "decoder": {"type": "ByteFallback"}})
    ids = tuple([byte + 1 for byte in [*"🚀".encode(), 0xF0]])
    decoded = decode_with(read_tokenizer_json(written), ids)
    assert decoded.text == "\ufffd" * 5
    (*_, last) = _StreamFrames(decoded)
    note = plain_text(last.parts[2].text)  # pyright: ignore
    assert "The last 1 token held back is never shown" in note
    assert "Decoded all at once, the ids give another text" in note


@given(st.lists(st.integers(0, 50_256), min_size=1, max_size=40))
@examples(50)
def test_any_ids_make_a_recording(ids: list[int]):
    recording = record_stream(decode_ids(GPT2, tuple(ids)))
    assert recording.last == len(ids)
    assert all(recording.windows)


def test_a_long_list_is_streamed_in_part():
    decoded = decode_ids(GPT2, (64,) * (MAX_STREAMED + 5))
    assert record_stream(decoded).last == MAX_STREAMED
    assert sentences(GPT2, *decoded.ids)[0].endswith("Here are the first 1,000.")


# --- Parts ----------------------------------------------------------------------------------------

TEXT = "Tokenizers split “unbelievably”: naïve, =1+1, 🧑‍🚀, def main(): return 0"


def test_the_tokens_of_a_model_that_its_file_does_not_name_count():
    assert around_of(PublishedTokenizer("mistral-v1")) == ((1,), ())
    assert around_of(BERT) == ((101,), (102,))
    found = cut(PublishedTokenizer("mistral-v1"), TEXT, 9, 2)
    assert {part.ids[0] for part in found} == {1}
    assert max(len(part.ids) for part in found) <= 9


def test_parts_say_what_their_texts_give_alone():
    found = cut(BERT, "unbelievably unbelievably", 4, 0)
    loaded = open_model("bert-uncased")
    assert [part.num_alone for part in found] == [len(loaded.encode(p.text).ids) for p in found]
    assert not all(part.comes_back for part in found)
    assert all(part.comes_back for part in cut(GPT2, TEXT, 8, 2))
    assert [part.shared for part in cut(GPT2, TEXT, 8, 2)][:2] == [0, 2]


def test_the_files_have_every_part():
    found = cut(GPT2, TEXT, 8, 2)
    rows = [json.loads(line) for line in parts.json_lines(found).decode().splitlines()]
    assert [TEXT[row["start"] : row["end"]] for row in rows] == [row["text"] for row in rows]
    assert [tuple(row["ids"]) for row in rows] == [part.ids for part in found]
    assert [row["tokens"] for row in rows] == [len(part.ids) for part in found]
    table = list(csv.DictReader(io.StringIO(parts.csv(found).decode("utf-8-sig"))))
    assert [int(row["start"]) for row in table] == [part.start for part in found]
    assert [row["ids"].split() for row in table] == [list(map(str, p.ids)) for p in found]
    plain = parts.plain(found).decode()
    assert all(f"tokens ---\n{part.text}\n" in plain for part in found)


# --- The lengths of a file ------------------------------------------------------------------------


def test_what_a_file_cuts_off_is_shown():
    loaded = read_tokenizer_json(file(truncation=TRUNCATION, padding=PADDING))
    fitted = fit_to_length(loaded, "a b c d e", "control")
    assert fitted
    assert [row.tokens for row in fitted.rows] == [
        ["[CLS]", "a", "b", "c", "[SEP]", "[PAD]"],
        ["[CLS]", "c", "d", "e", "[SEP]", "[PAD]"],
    ]
    assert [row.num_pads for row in fitted.rows] == [1, 1]
    assert split_text(loaded, "a b c d e", "control").cut == (4, 6)
    left = read_tokenizer_json(file(truncation=TRUNCATION | {"direction": "Left"}))
    assert split_text(left, "a b c d e", "control").cut == (1, 3)
    assert split_text(loaded, "a b c", "control").cut is None


def test_lengths_that_cannot_be_kept_are_explained():
    loaded = read_tokenizer_json(file(truncation=TRUNCATION | {"stride": 3}))
    fitted = fit_to_length(loaded, "a b c d e", "control")
    assert fitted
    assert "The overlap must be smaller" in fitted.problem
    assert split_text(loaded, "a b c d e", "control").cut is None
    assert fit_to_length(open_model("gpt2"), "a", "control") is None
