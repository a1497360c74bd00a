"""The frames of a WordPiece encoding and the walk of LinMaxMatch, compared with the core."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.drawing.display_text import show_spaces
from pages.shared.drawing.trees import MAX_NODES
from pages.shared.recording.frame_types import Recording
from pages.wordpiece.automaton import move_rows, walk_graph
from pages.wordpiece.encoding_frames import record_wordpiece_encoding
from tests.pages.bpe.test_figures import HOSTILE, Frame, frames_of, marks_of, shown, slowly
from tests.recordings import packed_text, unpacked
from tokenizers import wordpiece
from tokenizers.text.encoding import UNK
from tokenizers.wordpiece import Model, Settings, vocabulary, word_steps
from tokenizers.wordpiece.automaton import Automaton

LETTERS = "ab<#"
words = st.lists(st.text(LETTERS, min_size=1, max_size=8), max_size=4)
vocabularies = st.lists(
    st.tuples(st.booleans(), st.text(LETTERS, min_size=1, max_size=4)), max_size=14
)
marks = st.sampled_from(["##", "##", "#", ""])
limits = st.sampled_from([100, 5])

W1E = vocabulary(["f", "s", *(f"##{letter}" for letter in "defgilnorsuw"), "su", "##er", "##ed"])
"""The vocabulary of a published introduction after its merges su, ##er and ##ed."""
W2 = vocabulary(["un", "afford", "##afford", "##able", "able", "car"])


def model_of(pieces, mark: str = "##", limit: int = 100) -> Model:
    vocab = vocabulary((mark if goes_on else "") + text for goes_on, text in pieces)
    return Model(vocab, Settings(mark=mark), max_word_length=limit)


def film_of(text: str, vocab: dict[str, int]) -> tuple[Recording, list[Frame]]:
    model = Model(vocab)
    recording = record_wordpiece_encoding(model.pipeline(text).words, model)
    return recording, frames_of(recording)


def questions(recording: Recording) -> list[str]:
    """The question of every frame, empty if there is none."""
    head, frames = unpacked(recording)

    return [packed_text(head, frame.get("question", {"prompt": []})["prompt"]) for frame in frames]


def candidate(frame: Frame) -> str:
    return frame.rows[-1][0][0]


@slowly
@given(words, vocabularies, marks, limits)
def test_every_candidate_of_the_core_is_a_step(words, pieces, mark, limit):
    model = model_of(pieces, mark, limit)
    recording = record_wordpiece_encoding(words, model)
    frames, asked = iter(frames_of(recording)[1:]), iter(questions(recording)[1:])
    for word in words:
        steps = word_steps(word, model)
        for step in steps:
            tried = [*step.rejected, *([step.piece] if step.piece else [])]
            for n, text in enumerate(tried):
                frame, prompt = next(frames), next(asked)
                assert [row[0] for row in frame.rows] == [shown((t,)) for t in tried[: n + 1]][-8:]
                is_piece = text == step.piece
                assert frame.rows[-1][2] == ("now" if is_piece else "rejected")
                assert {row[2] for row in frame.rows[:-1]} <= {"rejected"}
                assert ("is in the vocabulary" in frame.text) == is_piece
                assert frame.rows[-1][1] == len(text) - len(mark) * (step.start > 0)
                assert bool(frame.options) == (n == 0)
                if n == 0:
                    assert frame.right == {shown((step.piece or UNK,))}
                    assert UNK in {option for (option,) in frame.options}
                    assert step.piece is None or show_spaces(step.piece) in prompt
        outcome, _ = next(frames), next(asked)
        split = wordpiece.split_word(word, model)
        assert outcome.strips[0][2] == shown(split or (UNK,))
    assert next(frames, None) is None


@slowly
@given(words, vocabularies, marks, limits)
def test_the_frames_of_a_matching_end_in_the_tokens_of_the_core(words, pieces, mark, limit):
    model = model_of(pieces, mark, limit)
    text = " ".join(words)
    recording = record_wordpiece_encoding(model.pipeline(text).words, model)
    frames, encoding = frames_of(recording), wordpiece.encode(text, model)
    finished = [frames[k] for k in marks_of(recording)["a word is done"]]
    assert [t for frame in finished for t in frame.strips[0][2]] == list(shown(encoding.tokens))
    ids = ", ".join(frame.note.removeprefix("ids ") for frame in finished)
    assert ids == ", ".join(f"{i:,}" for i in encoding.ids)
    unknown = [frames[k] for k in marks_of(recording)["a word becomes [UNK]"]]
    assert all("the whole word becomes [UNK]" in frame.text for frame in unknown)
    assert len(unknown) == sum(wordpiece.split_word(w, model) is None for w in words)


@slowly
@given(words.filter(bool), vocabularies)
def test_every_step_goes_on_from_the_one_before(words, pieces):
    model = model_of(pieces)
    recording = record_wordpiece_encoding(words, model)
    finished = marks_of(recording)["a word is done"]
    word, before = iter(words), ()
    for k, frame in enumerate(frames_of(recording)[1:], start=1):
        strip = frame.strips[0]
        before = before or tuple(next(word))
        assert strip[1] == before
        before = () if k in finished else strip[2]


@slowly
@given(words.filter(bool), vocabularies)
def test_the_answer_is_seen_so_many_steps_after_its_question(words, pieces):
    recording = record_wordpiece_encoding(words, model_of(pieces))
    packed, frames = unpacked(recording)[1], frames_of(recording)
    for k, frame in enumerate(packed):
        if asked := frame.get("question"):
            shows = frames[k + asked["after"]]
            if frames[k].right == {shown((UNK,))}:
                assert "becomes [UNK]" in shows.text
            else:
                assert frames[k].right == {shown((candidate(shows),))}
                assert shows.rows[-1][2] == "now"


def test_the_window_shrinks_from_the_right():
    recording, frames = film_of("unaffordable", W2)
    tried = [candidate(frame) for frame in frames[1:-1]]
    assert tried[:3] == ["unaffordable", "unaffordabl", "unaffordab"]
    assert [candidate(frames[k]) for k in marks_of(recording)["a piece is found"]] == [
        "un", "##afford", "##able",
    ]  # fmt: skip
    assert frames[1].text == "unaffordable is not in the vocabulary: drop the last letter."
    assert frames[11].text == "un is in the vocabulary: the longest match here."
    assert frames[11].strips[0][2] == ("un", *"affordable")
    assert frames[11].more == "after 3 longer candidates"
    assert frames[-1].text == ("unaffordable is done: 3 tokens, un, ##afford and ##able.")


def test_the_same_letters_elsewhere_in_a_word_are_distinguished():
    _, frames = film_of("carun", W2)
    (sentences,) = [frame.text for frame in frames if frame.text.startswith("##un ")]
    assert sentences == (
        "##un is not in the vocabulary (un is, but it can only begin a word): drop the last letter."
    )


@pytest.mark.parametrize(
    ("word", "tokens"), [("fused", ("f", "##u", "##s", "##ed")), ("funny", (UNK,))]
)
def test_the_published_example(word, tokens):
    recording, frames = film_of(word, W1E)
    assert frames[-1].strips[0][2] == tokens
    assert bool(marks_of(recording)["a word becomes [UNK]"]) == (UNK in tokens)


def test_a_word_becomes_unknown_where_nothing_matches():
    _, frames = film_of("funny", W1E)
    assert (
        frames[-1].text == "Nothing matches at letter 5 of funny, so the whole word becomes [UNK]."
    )
    assert frames[-1].strips[0][1] == ("f", "##u", "##n", "##n", "##y")
    assert frames[-2].text == "##y is not in the vocabulary, and there is nothing shorter to try."


def test_a_word_that_is_too_long_is_not_tried():
    recording, frames = film_of("x" * 101, {**W2, "x": 9, "##x": 10})
    assert recording.last == 1
    assert "has 101 characters; words over 100 are not tried" in frames[1].text


def test_a_question_names_what_begins_alike():
    vocab = vocabulary(["un", *(f"u{letter}" for letter in "abcdefghijk")])
    prompt = questions(film_of("unable", vocab)[0])[1]
    assert prompt == (
        "Which piece matches here? "
        "These pieces in the vocabulary begin this way: "
        "ua, ub, uc, ud, ue, uf, ug and un, and 4 more."
    )
    prompt = questions(film_of("zoo", vocab)[0])[1]
    assert prompt.endswith("Nothing in the vocabulary begins with z.")


def test_a_text_of_many_candidates_is_stepped_to_its_end():
    recording, frames = film_of(" ".join(["a" * 60] * 4), vocabulary(["a", "##a"]))
    assert recording.last == 4 * (sum(range(61)) + 1) == len(frames) - 1
    assert marks_of(recording)["a word is done"] == [1831, 3662, 5493, 7324]
    assert "60 tokens" in frames[-1].text


def test_a_matching_of_nothing_is_one_frame():
    recording, (frame,) = film_of("", W2)
    assert recording.last == 0
    assert frame.text.startswith("0 words, and a vocabulary of 6 pieces.")


# ---- LinMaxMatch ----


@slowly
@given(words, vocabularies, marks)
def test_the_moves_give_out_the_split(words, pieces, mark):
    model = model_of(pieces, mark)
    automaton = model.automaton()
    for word in words:
        rows = move_rows(automaton, word)
        read = "".join(row[2] for row in rows if row[2] != "↩")
        split = wordpiece.split_word(word, model)
        if split is None:
            assert rows[-1][3] == UNK
            assert word.startswith(read)
        else:
            assert read == word
            assert "+".join(row[4] for row in rows if row[4] != "–") == "+".join(split)
        assert walk_graph(automaton, word)[1] == len(rows)


def test_a_long_walk_is_truncated_with_a_note():
    automaton = Automaton(["a" * 100])
    graph, drawn = walk_graph(automaton, "a" * 100)
    assert drawn == MAX_NODES - 2 < len(move_rows(automaton, "a" * 100))
    assert graph.source.count("height=") == MAX_NODES


def test_the_walk_has_numbers_and_outputs():
    source = walk_graph(Automaton(["un", "##a", "##able"]), "unabx")[0].source
    assert 'label="un\\n3"' in source  # output by the failure link, the third move
    assert '"[UNK]"' in source


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_pieces_stay_text_in_the_graph(text):
    source = walk_graph(Automaton([text, f"##{text}"]), text * 2)[0].source
    assert "\u202e" not in source
    assert "label=<" not in source
