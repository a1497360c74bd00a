"""Recordings, display text, and the state shared with a player."""

import json
import sys
import unicodedata
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.shared.drawing.display_text import (
    DARK,
    INK,
    LIGHT,
    NOW,
    TIED,
    escape_invisible,
    html_tiles,
    show_spaces,
    tint,
)
from pages.shared.player import Guide, build_message
from pages.shared.recording import packing
from pages.shared.recording.frame_types import (
    ARC_STATES,
    Arc,
    Column,
    Frame,
    JumpTarget,
    LatticeFrame,
    NoteFrame,
    PicturePart,
    StepQuestion,
    StripsFrame,
    TableFrame,
    TableRow,
    TokenStrip,
    plain_text,
)
from pages.shared.recording.packing import WINDOW
from pages.shared.synced_state import Report, set_from_server, sync
from tests.recordings import opened, record_frames, unpacked

COLUMNS = (Column("pair", "tokens"), Column("count", "number"), Column("note", "text"))
PARTS = (
    PicturePart("table", "Pairs", COLUMNS),
    PicturePart("strips", "Words"),
    PicturePart("note", ""),
)

texts = st.text(st.characters(codec=None), max_size=6)
tokens = st.lists(texts, max_size=4).map(tuple)
rich_texts = st.lists(
    texts | st.tuples(st.sampled_from(["token", "new", "strong", "word", "tie"]), texts),
    max_size=4,
).map(tuple)
rows = st.builds(
    TableRow,
    st.tuples(tokens, st.integers(-9, 9) | st.floats(-1e6, 1e6), texts),
    st.sampled_from(["", "now", "tied", "rejected"]),
    rich_texts,
)
strips = st.builds(TokenStrip, texts, tokens, tokens, st.just(()), st.booleans())
frames = st.builds(
    Frame,
    rich_texts,
    st.tuples(
        st.builds(TableFrame, st.lists(rows, max_size=3).map(tuple), texts, texts),
        st.builds(StripsFrame, st.lists(strips, max_size=3).map(tuple), texts, texts),
        st.builds(NoteFrame, rich_texts),
    ),
    st.none()
    | st.builds(
        StepQuestion, rich_texts, st.lists(tokens, max_size=3).map(tuple), st.just(()), rich_texts
    ),
)


class Decoder:
    """Reads packed values back into what they show, with numbers turned into tokens again."""

    def __init__(self, head):
        self.tokens = {number: shown for number, (shown, _) in head["tokens"].items()}

    def row(self, numbers):
        return [self.tokens[n] for n in numbers]

    def text(self, packed):
        pairs = [("", part) if isinstance(part, str) else tuple(part) for part in packed]
        return [[k, self.tokens[v] if isinstance(v, int) else v] for k, v in pairs]

    def table(self, packed):
        rows = [[self.row(c[0]), *c[1:], mark, self.text(why)] for c, mark, why in packed["lines"]]
        return [rows, packed["more"], packed["caption"]]

    def strips(self, packed):
        lines = [
            [label, self.row(before), self.row(after or before if after != [] else []), changed]
            for label, before, after, _, changed in packed["lines"]
        ]
        return [lines, packed["more"], packed["caption"]]


def shown_row(texts):
    return [show_spaces(text) for text in texts]


def shown_text(text):
    pairs = [("", s) if isinstance(s, str) else s for s in text]
    return [[k, show_spaces(t) if k in ("token", "new") else escape_invisible(t)] for k, t in pairs]


def shown_table(table):
    rows = [
        [shown_row(row.cells[0]), row.cells[1], escape_invisible(row.cells[2]), row.mark,
         shown_text(row.reason)]
        for row in table.rows
    ]  # fmt: skip
    return [rows, escape_invisible(table.more), escape_invisible(table.caption)]


def shown_strips(value):
    lines = [
        [escape_invisible(s.label), shown_row(s.before), shown_row(s.after), int(s.changed)]
        for s in value.strips
    ]
    return [lines, escape_invisible(value.more), escape_invisible(value.caption)]


@given(st.lists(frames, min_size=1, max_size=3), st.data(), st.integers(1, 3))
def test_frames_survive_packing(given_frames, data, size):
    created = data.draw(
        st.lists(st.none() | texts, min_size=len(given_frames) - 1, max_size=len(given_frames) - 1)
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "WINDOW", size)
        recording = record_frames("t", PARTS, given_frames, (), (), created)
        head, packed = unpacked(recording)
        assert len(recording.windows) == -(-len(given_frames) // size)
    decoder = Decoder(head)
    assert len(packed) == recording.last + 1 == head["last"] + 1 == len(given_frames)
    made_by_step = [None, *created]
    for frame, read, token, made in zip(
        given_frames, packed, made_by_step, head["newTokens"], strict=True
    ):
        assert decoder.text(read["sentence"]) == shown_text(frame.sentence)
        assert decoder.table(read["parts"][0]) == shown_table(frame.parts[0])
        assert decoder.strips(read["parts"][1]) == shown_strips(frame.parts[1])
        assert decoder.text(read["parts"][2]["text"]) == shown_text(frame.parts[2].text)
        new = None if token is None else show_spaces(token)
        assert (decoder.tokens[made] if made >= 0 else None) == new
        assert ("question" in read) == (frame.question is not None)
        if frame.question:
            options = [decoder.row(option) for option in read["question"]["options"]]
            assert options == [shown_row(option) for option in frame.question.options]


def note(text):
    return Frame((text,), (NoteFrame((("token", text),)),))


NOTE = (PicturePart("note", ""),)


def test_a_token_is_stored_once():
    notes = [note("w"), note("est"), note("est"), note("w")]
    head, packed = unpacked(record_frames("t", NOTE, notes, (), (), [None, "est", None]))
    assert {n: shown for n, (shown, _) in head["tokens"].items()} == {0: "w", 1: "est"}
    assert [frame["parts"][0]["text"] for frame in packed] == [
        [["token", 0]], [["token", 1]], [["token", 1]], [["token", 0]]
    ]  # fmt: skip


def test_frames_are_packed_in_windows():
    recording = record_frames("t", NOTE, (note(str(k)) for k in range(2 * WINDOW + 1)), ())
    sizes = [len(opened(window)["frames"]) for window in recording.windows]
    assert sizes == [WINDOW, WINDOW, 1]
    assert unpacked(recording)[1][WINDOW]["sentence"] == [str(WINDOW)]


def test_the_key_is_a_hash_of_the_content():
    recording = record_frames("t", NOTE, [note("a")], ())
    assert recording.key == record_frames("t", NOTE, [note("a")], ()).key
    assert recording.key != record_frames("t", NOTE, [note("b")], ()).key
    assert recording.key != record_frames("u", NOTE, [note("a")], ()).key


def test_reserved_space_is_that_of_the_fullest_frame():
    word = TokenStrip("12 ×", (), ())
    both = [Frame((), (StripsFrame(strips),)) for strips in ((word, word), (word,))]
    head, _ = unpacked(record_frames("t", (PicturePart("strips", ""),), both, ()))
    assert (head["parts"][0]["lines"], head["parts"][0]["label"]) == (2, 4)
    head, _ = unpacked(record_frames("t", NOTE, [note("b"), note("four"), note("a")], ()))
    assert head["longest"] == 4


def test_infinite_numbers_are_packed_as_symbols():
    cells = (float("-inf"), float("inf"), 0.5)
    columns = tuple(Column(name, "number") for name in "abc")
    frame = Frame((), (TableFrame((TableRow(cells),)),))
    _, packed = unpacked(record_frames("t", (PicturePart("table", "", columns),), [frame], ()))
    assert packed[0]["parts"][0]["lines"][0][0] == ["−∞", "∞", 0.5]


@pytest.mark.parametrize(
    ("frames", "marks", "message"),
    [
        ([], (), "at least one frame"),
        ([Frame((), ())], (), "the parts of frame 0"),
        ([note("a")], (JumpTarget("a tie", (1,)),), "outside positions 0 to 0"),
    ],
)
def test_an_invalid_recording_is_rejected(frames, marks, message):
    with pytest.raises(ValueError, match=message):
        record_frames("t", NOTE, frames, marks)


LETTERS = ("a", " ", "\u0301")
ARCS = (Arc(0, 1, "a", "−1"), Arc(0, 2, "a ", "−1.5"), Arc(2, 3, "\u0301", "−2"))
LATTICE = (PicturePart("lattice", "All ways", letters=LETTERS, arcs=ARCS),)
NODES = ("0", "−1", "", "")


def lattice(arcs="c. ", weights="900", nodes=NODES, here=None, other=None, why=()):
    return Frame(("Position",), (LatticeFrame(arcs, weights, nodes, here, why),), other=other)


def test_a_lattice_survives_packing():
    frames = [lattice(), lattice("ko.", "019", ("0", "−1", "−\u202e", ""), 2)]
    head, packed = unpacked(record_frames("t", LATTICE, frames, ()))
    part = head["parts"][0]
    assert part["letters"] == ["a", "·", "◌\u0301"]
    assert [(*arc[:2], head["tokens"][arc[2]][0], arc[3]) for arc in part["arcs"]] == [
        (0, 1, "a", "−1"), (0, 2, "a·", "−1.5"), (2, 3, "◌\u0301", "−2")
    ]  # fmt: skip
    assert part["states"] == [" .cko", ""]
    assert [frame["parts"][0] for frame in packed] == [
        {"arcs": "c. ", "weights": "900", "nodes": [*NODES], "here": None, "reasons": []},
        {
            "arcs": "ko.",
            "weights": "019",
            "nodes": ["0", "−1", "−⟨U+202E⟩", ""],
            "here": 2,
            "reasons": [],
        },
    ]


reasons = st.lists(st.tuples(*[rich_texts] * 3) | st.just(()), min_size=1, max_size=6)


@given(reasons)
def test_every_arc_has_its_reason(all_reasons):
    frames = [Frame((), (LatticeFrame("c. ", "900", NODES, None, why),)) for why in all_reasons]
    head, packed = unpacked(record_frames("t", LATTICE, frames, ()))
    decoder = Decoder(head)
    for frame, why in zip(packed, all_reasons, strict=True):
        read = map(decoder.text, frame["parts"][0]["reasons"])
        assert list(read) == list(map(shown_text, why))


@given(st.text(ARC_STATES, min_size=3, max_size=3), st.text("0123456789", min_size=3, max_size=3))
def test_every_state_and_weight_of_an_arc_is_kept(arcs, weights):
    packed = unpacked(record_frames("t", LATTICE, [lattice(arcs, weights)], ()))[1][0]["parts"][0]
    assert (packed["arcs"], packed["weights"]) == (arcs, weights)


@pytest.mark.parametrize(
    "wrong",
    [
        {"arcs": "c."},
        {"why": ((),)},
        {"arcs": "c.x"},
        {"weights": "90"},
        {"weights": "9a0"},
        {"weights": "9²0"},
        {"nodes": NODES[1:]},
        {"here": 4},
        {"here": -1},
    ],
)
def test_a_lattice_that_does_not_fit_its_part_is_rejected(wrong):
    with pytest.raises(ValueError, match="the lattice of frame 1 does not fit"):
        record_frames("t", LATTICE, [lattice(), lattice(**wrong)], ())


@pytest.mark.parametrize("arc", [Arc(1, 1, ""), Arc(2, 1, "a"), Arc(-1, 1, "a"), Arc(0, 4, "a")])
def test_an_arc_outside_the_string_is_rejected(arc):
    part = PicturePart("lattice", "", letters=LETTERS, arcs=(arc,))
    with pytest.raises(ValueError, match="outside positions 0 to 3"):
        record_frames("t", (part,), [lattice("c", "9")], ())


RULES = ("Best path (max)", "All paths (sum)")


def test_a_step_can_be_described_by_two_rules():
    ask = StepQuestion(("Which?",), (("a",), ("b",)), (1,), ())
    by_sum = Frame(("By the sum of all the ways",), lattice("ccc").parts, question=ask)
    recording = record_frames("t", LATTICE, [lattice("nc.", other=by_sum)], (), RULES)
    head, (packed,) = unpacked(recording)
    assert head["rules"] == [*RULES]
    assert (packed["sentence"], packed["other"]["sentence"]) == (
        ["Position"],
        ["By the sum of all the ways"],
    )
    assert packed["parts"][0]["arcs"] == "nc."
    assert packed["other"]["parts"][0]["arcs"] == "ccc"
    assert ("question" in packed, packed["other"]["question"]["correct"]) == (False, [1])
    assert head["hasQuestions"]
    assert head["longest"] == len("By the sum of all the ways")
    assert head["parts"][0]["states"] == [".cn", "c"]


def test_a_recording_with_one_rule_has_no_switch():
    assert unpacked(record_frames("t", NOTE, [note("a")], ()))[0]["rules"] == []


def test_every_frame_has_as_many_rules_as_its_recording():
    two = lattice(other=lattice())
    for frames, rules in (([two, lattice()], RULES), ([lattice(), two], ())):
        with pytest.raises(ValueError, match="frame 1 does not have the rules"):
            record_frames("t", LATTICE, frames, (), rules)
    with pytest.raises(ValueError, match="the parts of frame 0"):
        record_frames("t", LATTICE, [lattice(other=note("a"))], (), RULES)


def test_a_part_names_its_column():
    parts = (PicturePart("table", "", (), side="right"), PicturePart("note", ""))
    frame = Frame((), (TableFrame(()), NoteFrame(())))
    head, _ = unpacked(record_frames("t", parts, [frame], ()))
    assert [part["side"] for part in head["parts"]] == ["right", ""]


def test_two_thousand_steps_pack_small():
    def frame(k):
        pairs = tuple((f"t{k + i}", f"t{k + i + 1}") for i in range(10))
        table = tuple(
            TableRow((pair, 999 - k % 9, ""), "", (f"Seen {k} times.",)) for pair in pairs
        )
        row = tuple(f"t{(k + i) % 700}" for i in range(12))
        words = tuple(TokenStrip(f"{i} ×", row, row[1:], (0,), True) for i in range(10))
        return Frame(("Step ", str(k)), (TableFrame(table), StripsFrame(words), NoteFrame(())))

    recording = record_frames("t", PARTS, map(frame, range(2001)), ())
    assert len(recording.head) + sum(map(len, recording.windows)) < 500_000


# ---- tiles ----


@cache
def unseen() -> frozenset[str]:
    every = map(chr, range(sys.maxunicode + 1))
    kinds = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"}
    return frozenset(char for char in every if unicodedata.category(char) in kinds)


def test_every_control_bidi_format_and_surrogate_character_is_seen():
    for char in unseen():
        stand_in = {" ": "·", "\n": "⏎", "\t": "⇥"}.get(char, f"⟨U+{ord(char):04X}⟩")
        assert show_spaces(char) == stand_in
        assert show_spaces(f"a{char}b") == f"a{stand_in}b"


def test_prose_is_written_as_tokens_are_but_for_spaces_and_joiners():
    every = map(chr, range(sys.maxunicode + 1))
    kept = {*" \u200c\u200d"}
    differing = [
        char for char in every if escape_invisible(f"a{char}b") != show_spaces(f"a{char}b")
    ]
    assert set(differing) == kept


@pytest.mark.parametrize(
    "token", ["Ġlow", "Ċ", "▁the", "##ing", "हिन्दी", "❤\ufe0f", "e\u0301", "字"]
)
def test_what_is_visible_already_stays(token):
    assert show_spaces(token) == token


def test_marks_that_stand_alone_have_something_to_sit_on():
    for mark in "\u0301\u05b8\u0e34\u094d":  # as well where a script has marks of its own
        assert show_spaces(mark) == f"◌{mark}"
    assert show_spaces("\ufe0f") == "⟨U+FE0F⟩"
    assert show_spaces("\u3164") == "⟨U+3164⟩"  # a letter, rich_texts Unicode, but it draws nothing


@given(texts)
def test_nothing_unseen_is_left_in_a_token(token):
    shown = show_spaces(token)
    assert shown.strip() == shown
    assert not set(shown) & unseen()
    assert shown.encode()


def test_a_sentence_keeps_spaces_and_joiners_only():
    assert escape_invisible("a b\u200cc\u202ed\n") == "a b\u200cc⟨U+202E⟩d⏎"
    assert plain_text((("token", "a b"), " c ", ("word", "d e"))) == "a·b c d e"


@given(texts)
def test_a_tint_is_one_of_eight_and_always_the_same(token):
    assert tint(token) == tint(token) in range(8)


def luminance(colour):
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
                        for c in channels)  # fmt: skip
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_on_tiles_and_accents_on_the_ground_are_easy_to_read():
    assert min(contrast(INK[0], ground) for ground in LIGHT) > 12
    assert min(contrast(INK[1], ground) for ground in DARK) > 7
    for accent in (NOW, TIED):
        assert contrast(accent[0], "#FFFFFF") > 4.5
        assert contrast(accent[1], "#16171A") > 4.5


def test_html_of_tiles_is_escaped_and_isolated():
    html = html_tiles(["<script>", '"', "a b"], ids=[1, 2, 3], new=[2], label="<x>")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert f'<bdi class="t{tint("a b")} new">a·b</bdi><small>3</small>' in html
    assert 'aria-label="&lt;x&gt;"' in html
    with pytest.raises(ValueError, match="1 ids for 2 tokens"):
        html_tiles(["a", "b"], ids=[1])


# ---- the state shared with a player, and messages to it ----

RECORDING = record_frames("t", NOTE, (note(str(k)) for k in range(11)), ())


def state_of(recording, value):
    return sync(None, recording.key, value)


INITIAL = {"rule": state_of(RECORDING, 0), "path": state_of(RECORDING, ())}


def message_of(step, **more):
    """Return a message; `more` are other states, or options of `pack_message`."""
    states = INITIAL | {"step": step} | {name: more.pop(name) for name in INITIAL if name in more}
    return build_message(RECORDING, states, "k", **more)


def test_a_report_sends_nothing():
    start = state_of(RECORDING, 0)
    moved = sync(start, RECORDING.key, 0, report=Report(5, 1))
    assert moved.current == 5
    assert message_of(moved) == message_of(start)


def test_a_long_recording_is_sent_in_windows():
    recording = record_frames("t", NOTE, (note(str(k)) for k in range(4001)), ())
    state = state_of(recording, 2600)

    def sent(requested=None):
        data = build_message(recording, INITIAL | {"step": state}, "k", requested)
        size = int.from_bytes(data[:4], "little")
        header = json.loads(data[4 : 4 + size])
        assert len(data) == 4 + size + sum(header["sizes"])
        return header["windows"]

    assert sent() == [2600 // WINDOW]
    assert sent([recording.key, 0]) == [0, 130]
    assert sent([recording.key, 200]) == [130, 200]
    assert sent(["another recording", 8]) == sent([recording.key, 201]) == sent("nonsense") == [130]


def header_of(data):
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def test_a_message_has_rule_and_path_with_their_revisions():
    start = state_of(RECORDING, 4)
    assert header_of(message_of(start))["rule"] == [1, 0]
    assert header_of(message_of(start))["path"] == [1, []]
    rule = set_from_server(state_of(RECORDING, 0), RECORDING.key, 1)
    path = state_of(RECORDING, (2, 5))
    url_params = {"step": "step", "rule": "sum"}
    data = message_of(start, rule=rule, path=path, url_params=url_params)
    header = header_of(data)
    assert (header["step"], header["rule"], header["path"]) == ([1, 4], [2, 1], [1, [2, 5]])
    assert header["urlParams"] == url_params


def test_a_message_has_the_guide_of_a_lesson():
    start = state_of(RECORDING, 4)
    header = header_of(message_of(start))
    assert (header["highlights"], header["until"], header["hasPredictions"]) == ([], None, True)
    guide = Guide(("t ", "\u202e"), 5, has_predictions=False)
    header = header_of(message_of(start, guide=guide))
    assert header["highlights"] == ["t·", "⟨U+202E⟩"]
    assert (header["until"], header["hasPredictions"]) == (5, False)
    assert message_of(start, guide=guide) == message_of(start, guide=guide)
