"""Films and tiles: what goes into a film comes back out; nothing unseen is left in a token."""

import json
import sys
import unicodedata
import zlib
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
from pages.shared.player.synced_state import SyncedState, sync_path, sync_rule, sync_step
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
from pages.shared.recording.packing import WINDOW, pack_frames

COLUMNS = (Column("pair", "tokens"), Column("count", "number"), Column("note", "text"))
PARTS = (
    PicturePart("table", "Pairs", COLUMNS),
    PicturePart("strips", "Words"),
    PicturePart("note", ""),
)

texts = st.text(st.characters(codec=None), max_size=6)
tokens = st.lists(texts, max_size=4).map(tuple)
says = st.lists(
    texts | st.tuples(st.sampled_from(["token", "new", "strong", "word", "tie"]), texts),
    max_size=4,
).map(tuple)
rows = st.builds(
    TableRow,
    st.tuples(tokens, st.integers(-9, 9) | st.floats(-1e6, 1e6), texts),
    st.sampled_from(["", "now", "tied", "rejected"]),
    says,
)
strips = st.builds(TokenStrip, texts, tokens, tokens, st.just(()), st.booleans())
frames = st.builds(
    Frame,
    says,
    st.tuples(
        st.builds(TableFrame, st.lists(rows, max_size=3).map(tuple), texts, texts),
        st.builds(StripsFrame, st.lists(strips, max_size=3).map(tuple), texts, texts),
        st.builds(NoteFrame, says),
    ),
    st.none() | texts,
    st.none()
    | st.builds(StepQuestion, says, st.lists(tokens, max_size=3).map(tuple), st.just(()), says),
)


def opened(packed):
    return json.loads(zlib.decompress(packed))


def unpacked(film):
    """Return the head and all the frames of a film, as the browser reads them."""
    return opened(film.head), [frame for window in film.windows for frame in opened(window)]


class Decoder:
    """Reads packed values back into what they show, with numbers turned into tokens again."""

    def __init__(self, head):
        self.tokens = [shown for shown, _ in head["tokens"]]

    def row(self, numbers):
        return [self.tokens[n] for n in numbers]

    def say(self, packed):
        pairs = [("", part) if isinstance(part, str) else tuple(part) for part in packed]
        return [[k, self.tokens[v] if isinstance(v, int) else v] for k, v in pairs]

    def table(self, packed):
        rows = [[self.row(c[0]), *c[1:], mark, self.say(why)] for c, mark, why in packed["lines"]]
        return [rows, packed["more"], packed["caption"]]

    def strips(self, packed):
        lines = [
            [label, self.row(before), self.row(after or before if after != [] else []), changed]
            for label, before, after, _, changed in packed["lines"]
        ]
        return [lines, packed["more"], packed["caption"]]


def shown_row(texts):
    return [show_spaces(text) for text in texts]


def shown_say(say):
    pairs = [("", s) if isinstance(s, str) else s for s in say]
    return [[k, show_spaces(t) if k in ("token", "new") else escape_invisible(t)] for k, t in pairs]


def shown_table(table):
    rows = [
        [shown_row(row.cells[0]), row.cells[1], escape_invisible(row.cells[2]), row.mark,
         shown_say(row.why)]
        for row in table.rows
    ]  # fmt: skip
    return [rows, escape_invisible(table.more), escape_invisible(table.caption)]


def shown_strips(value):
    lines = [
        [escape_invisible(s.label), shown_row(s.before), shown_row(s.after), int(s.changed)]
        for s in value.strips
    ]
    return [lines, escape_invisible(value.more), escape_invisible(value.caption)]


@given(st.lists(frames, min_size=1, max_size=3))
def test_what_goes_into_a_film_comes_back_out(given_frames):
    film = pack_frames("t", PARTS, given_frames, ())
    head, packed = unpacked(film)
    decoder = Decoder(head)
    assert len(packed) == film.last + 1 == head["last"] + 1 == len(given_frames)
    for frame, read, made in zip(given_frames, packed, head["makes"], strict=True):
        assert decoder.say(read["say"]) == shown_say(frame.say)
        assert decoder.table(read["parts"][0]) == shown_table(frame.parts[0])
        assert decoder.strips(read["parts"][1]) == shown_strips(frame.parts[1])
        assert decoder.say(read["parts"][2]["say"]) == shown_say(frame.parts[2].say)
        makes = None if frame.makes is None else show_spaces(frame.makes)
        assert (decoder.tokens[made] if made >= 0 else None) == makes
        assert ("ask" in read) == (frame.ask is not None)
        if frame.ask:
            options = [decoder.row(option) for option in read["ask"]["options"]]
            assert options == [shown_row(option) for option in frame.ask.options]


def note(text, makes=None):
    return Frame((text,), (NoteFrame((("token", text),)),), makes)


NOTE = (PicturePart("note", ""),)


def test_a_token_is_kept_once_however_often_it_is_shown():
    head, packed = unpacked(
        pack_frames("t", NOTE, [note("est", "est"), note("est"), note("w")], ())
    )
    assert [shown for shown, _ in head["tokens"]] == ["est", "w"]
    assert [frame["parts"][0]["say"] for frame in packed] == [
        [["token", 0]], [["token", 0]], [["token", 1]]
    ]  # fmt: skip


def test_frames_are_packed_in_windows():
    film = pack_frames("t", NOTE, (note(str(k)) for k in range(2 * WINDOW + 1)), ())
    assert [len(opened(window)) for window in film.windows] == [WINDOW, WINDOW, 1]
    assert unpacked(film)[1][WINDOW]["say"] == [str(WINDOW)]


def test_the_key_is_that_of_the_content():
    film = pack_frames("t", NOTE, [note("a")], ())
    assert film.key == pack_frames("t", NOTE, [note("a")], ()).key
    assert film.key != pack_frames("t", NOTE, [note("b")], ()).key
    assert film.key != pack_frames("u", NOTE, [note("a")], ()).key


def test_rooms_are_those_of_the_fullest_frame():
    word = TokenStrip("12 ×", (), ())
    both = [Frame((), (StripsFrame(strips),)) for strips in ((word, word), (word,))]
    head, _ = unpacked(pack_frames("t", (PicturePart("strips", ""),), both, ()))
    assert (head["parts"][0]["lines"], head["parts"][0]["label"]) == (2, 4)
    head, _ = unpacked(pack_frames("t", NOTE, [note("b"), note("four"), note("a")], ()))
    assert head["longest"] == 4


def test_numbers_that_are_not_finite_are_said_in_signs():
    cells = (float("-inf"), float("inf"), 0.5)
    columns = tuple(Column(name, "number") for name in "abc")
    frame = Frame((), (TableFrame((TableRow(cells),)),))
    _, packed = unpacked(pack_frames("t", (PicturePart("table", "", columns),), [frame], ()))
    assert packed[0]["parts"][0]["lines"][0][0] == ["−∞", "∞", 0.5]


@pytest.mark.parametrize(
    ("frames", "marks", "message"),
    [
        ([], (), "at least one frame"),
        ([Frame((), ())], (), "the parts of frame 0"),
        ([note("a")], (JumpTarget("a tie", (1,)),), "outside positions 0 to 0"),
    ],
)
def test_a_wrong_film_is_refused(frames, marks, message):
    with pytest.raises(ValueError, match=message):
        pack_frames("t", NOTE, frames, marks)


LETTERS = ("a", " ", "\u0301")
ARCS = (Arc(0, 1, "a", "−1"), Arc(0, 2, "a ", "−1.5"), Arc(2, 3, "\u0301", "−2"))
LATTICE = (PicturePart("lattice", "All ways", letters=LETTERS, arcs=ARCS),)
NODES = ("0", "−1", "", "")


def lattice(arcs="c. ", weights="900", nodes=NODES, here=None, other=None, why=()):
    return Frame(("Position",), (LatticeFrame(arcs, weights, nodes, here, why),), other=other)


def test_a_lattice_comes_back_out():
    frames = [lattice(), lattice("ko.", "019", ("0", "−1", "−\u202e", ""), 2)]
    head, packed = unpacked(pack_frames("t", LATTICE, frames, ()))
    part = head["parts"][0]
    assert part["letters"] == ["a", "·", "◌\u0301"]
    assert [(*arc[:2], head["tokens"][arc[2]][0], arc[3]) for arc in part["arcs"]] == [
        (0, 1, "a", "−1"), (0, 2, "a·", "−1.5"), (2, 3, "◌\u0301", "−2")
    ]  # fmt: skip
    assert part["states"] == [" .cko", ""]
    assert [frame["parts"][0] for frame in packed] == [
        {"arcs": "c. ", "weights": "900", "nodes": [*NODES], "here": None},
        {"arcs": "ko.", "weights": "019", "nodes": ["0", "−1", "−⟨U+202E⟩", ""], "here": 2},
    ]


reasons = st.lists(st.tuples(*[says] * 3) | st.just(()), min_size=1, max_size=6)


@given(reasons)
def test_the_reason_of_an_arc_is_what_was_said_of_it_last(whys):
    frames = [Frame((), (LatticeFrame("c. ", "900", NODES, None, why),)) for why in whys]
    head, _ = unpacked(pack_frames("t", LATTICE, frames, ()))
    packed, of_arcs = head["parts"][0]["reasons"][0]
    decoder = Decoder(head)
    for k, why in enumerate(whys):
        for arc, changes in enumerate(of_arcs):
            known = [n for at, n in zip(changes[::2], changes[1::2], strict=True) if at <= k]
            said = decoder.say(packed[known[-1]]) if known else []
            assert said == (shown_say(why[arc]) if why else [])


@given(st.text(ARC_STATES, min_size=3, max_size=3), st.text("0123456789", min_size=3, max_size=3))
def test_every_state_and_weight_of_an_arc_is_kept(arcs, weights):
    packed = unpacked(pack_frames("t", LATTICE, [lattice(arcs, weights)], ()))[1][0]["parts"][0]
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
def test_a_lattice_that_does_not_fit_its_part_is_refused(wrong):
    with pytest.raises(ValueError, match="the lattice of frame 1 does not fit"):
        pack_frames("t", LATTICE, [lattice(), lattice(**wrong)], ())


@pytest.mark.parametrize("arc", [Arc(1, 1, ""), Arc(2, 1, "a"), Arc(-1, 1, "a"), Arc(0, 4, "a")])
def test_an_arc_outside_the_string_is_refused(arc):
    part = PicturePart("lattice", "", letters=LETTERS, arcs=(arc,))
    with pytest.raises(ValueError, match="outside positions 0 to 3"):
        pack_frames("t", (part,), [lattice("c", "9")], ())


RULES = ("Best path (max)", "All paths (sum)")


def test_a_step_can_be_told_by_two_rules():
    ask = StepQuestion(("Which?",), (("a",), ("b",)), (1,), ())
    by_sum = Frame(("By the sum of all the ways",), lattice("ccc").parts, question=ask)
    film = pack_frames("t", LATTICE, [lattice("nc.", other=by_sum)], (), RULES)
    head, (packed,) = unpacked(film)
    assert head["rules"] == [*RULES]
    assert (packed["say"], packed["other"]["say"]) == (["Position"], ["By the sum of all the ways"])
    assert packed["parts"][0]["arcs"] == "nc."
    assert packed["other"]["parts"][0]["arcs"] == "ccc"
    assert ("ask" in packed, packed["other"]["ask"]["right"]) == (False, [1])
    assert head["asks"]
    assert head["longest"] == len("By the sum of all the ways")
    assert head["parts"][0]["states"] == [".cn", "c"]


def test_a_film_of_one_rule_has_no_switch():
    assert unpacked(pack_frames("t", NOTE, [note("a")], ()))[0]["rules"] == []


def test_every_frame_has_as_many_rules_as_its_film():
    two = lattice(other=lattice())
    for frames, rules in (([two, lattice()], RULES), ([lattice(), two], ())):
        with pytest.raises(ValueError, match="frame 1 does not have the rules"):
            pack_frames("t", LATTICE, frames, (), rules)
    with pytest.raises(ValueError, match="the parts of frame 0"):
        pack_frames("t", LATTICE, [lattice(other=note("a"))], (), RULES)


def test_a_part_says_on_which_side_it_stands():
    parts = (PicturePart("table", "", (), side="right"), PicturePart("note", ""))
    frame = Frame((), (TableFrame(()), NoteFrame(())))
    head, _ = unpacked(pack_frames("t", parts, [frame], ()))
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

    film = pack_frames("t", PARTS, map(frame, range(2001)), ())
    assert len(film.head) + sum(map(len, film.windows)) < 500_000


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
    assert show_spaces("\u3164") == "⟨U+3164⟩"  # a letter, says Unicode, but it draws nothing


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


# ---- what the session remembers of a player, and what it sends ----

FILM = pack_frames("t", NOTE, (note(str(k)) for k in range(11)), ())


AT_FIRST = {"rule": sync_rule(None, FILM, 0, None), "own": sync_path(None, FILM, (), None)}


def message_of(step, **more):
    """What a player is sent; `more` are other visits, or what else is shown."""
    visits = AT_FIRST | {"step": step} | {name: more.pop(name) for name in AT_FIRST if name in more}
    return build_message(FILM, visits, "k", **more)


def test_the_first_visit_stands_where_the_page_says():
    visit = sync_step(None, FILM, 3, None)
    assert visit == SyncedState(FILM.key, 3, 3, 3)
    assert sync_step(None, FILM, 99, None).current == 10
    assert sync_step(None, FILM, -1, None).current == 0


def test_a_report_moves_the_page_and_sends_nothing():
    start = sync_step(None, FILM, 0, None)
    moved = sync_step(start, FILM, 0, [5, 1])
    assert moved.current == 5
    assert message_of(moved) == message_of(start)


def test_a_step_that_was_reported_comes_back_late_and_moves_nothing():
    visit = sync_step(None, FILM, 0, None)
    for step, reported in ((0, 5), (0, 9), (5, 9), (9, 9)):
        visit = sync_step(visit, FILM, step, [reported, 1])
    assert (visit.current, visit.revision) == (9, 1)


def test_another_step_from_the_page_is_sent_and_stays_until_the_browser_has_obeyed():
    visit = sync_step(sync_step(None, FILM, 0, None), FILM, 0, [5, 1])
    visit = sync_step(sync_step(visit, FILM, 5, [5, 1]), FILM, 2, [5, 1])
    assert (visit.current, visit.server_value, visit.revision) == (2, 2, 2)
    assert sync_step(visit, FILM, 2, [5, 1]).current == 2
    assert sync_step(visit, FILM, 2, [6, 1]).current == 2  # reported before the move had arrived
    assert sync_step(visit, FILM, 2, [5, 2]).current == 5


def test_another_film_starts_at_the_step_of_the_page():
    other = pack_frames("u", NOTE, (note(str(k)) for k in range(3)), ())
    visit = sync_step(sync_step(None, FILM, 0, [8, 1]), other, 8, [8, 1])
    assert (visit.recording_key, visit.current, visit.revision) == (other.key, 2, 2)


def test_a_long_film_is_sent_in_windows():
    film = pack_frames("t", NOTE, (note(str(k)) for k in range(4001)), ())
    visit = sync_step(None, film, 2600, None)

    def sent(want=None):
        data = build_message(film, AT_FIRST | {"step": visit}, "k", want)
        size = int.from_bytes(data[:4], "little")
        header = json.loads(data[4 : 4 + size])
        assert len(data) == 4 + size + sum(header["sizes"])
        return header["windows"]

    assert sent() == [4, 5, 6]
    assert sent([film.key, 0]) == [0, 1, 4, 5, 6]
    assert sent([film.key, 8]) == [4, 5, 6, 7, 8]
    assert sent(["another film", 8]) == sent("nonsense") == [4, 5, 6]


def header_of(data):
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def test_the_rule_is_the_learners_until_the_page_asks_for_another():
    visit = sync_rule(None, FILM, 0, None)
    visit = sync_rule(visit, FILM, 0, [1, 1])
    assert (visit.current, visit.server_value, visit.revision) == (1, 0, 1)
    visit = sync_rule(visit, FILM, 1, [1, 1])  # the address says it back
    assert (visit.current, visit.revision) == (1, 1)
    visit = sync_rule(visit, FILM, 0, [1, 1])
    assert (visit.current, visit.server_value, visit.revision) == (0, 0, 2)
    assert sync_rule(visit, FILM, 0, [1, 1]).current == 0  # from before the page asked
    other = pack_frames("u", NOTE, [note("a")], ())
    visit = sync_rule(visit, other, 1, [0, 1])
    assert (visit.recording_key, visit.current, visit.revision) == (other.key, 1, 3)


def test_a_path_of_ones_own_comes_from_the_page_or_from_this_very_film():
    visit = sync_path(None, FILM, (), None)
    visit = sync_path(visit, FILM, (), [FILM.key, 1, [0, 3]])
    assert (visit.current, visit.server_value, visit.revision) == ((0, 3), (), 1)
    for nonsense in (["another film", 1, [7]], [FILM.key, 9, [7]], [7], "path", 5):
        assert sync_path(visit, FILM, (), nonsense).current == (0, 3)
    assert sync_path(visit, FILM, (), [FILM.key, 1, ["x", 2, None]]).current == (2,)
    visit = sync_path(visit, FILM, (0, 3), [FILM.key, 1, [0, 3]])  # the page gives it back
    assert visit.revision == 1
    visit = sync_path(visit, FILM, (1,), [FILM.key, 1, [0, 3]])
    assert (visit.current, visit.server_value, visit.revision) == ((1,), (1,), 2)
    assert sync_path(visit, FILM, (1,), [FILM.key, 2, []]).current == ()


def test_the_browser_is_told_of_the_rule_and_the_path_under_their_numbers():
    start = sync_step(None, FILM, 4, None)
    assert header_of(message_of(start))["rule"] == [1, 0]
    assert header_of(message_of(start))["own"] == [1, []]
    rule = sync_rule(sync_rule(None, FILM, 0, None), FILM, 1, None)
    own = sync_path(None, FILM, (2, 5), None)
    parameters = {"step": "step", "rule": "sum"}
    data = message_of(start, rule=rule, own=own, parameters=parameters)
    header = header_of(data)
    assert (header["step"], header["rule"], header["own"]) == ([1, 4], [2, 1], [1, [2, 5]])
    assert header["parameters"] == parameters


def test_the_browser_is_told_what_a_lesson_marks_asks_and_where_it_waits():
    start = sync_step(None, FILM, 4, None)
    header = header_of(message_of(start))
    assert (header["spot"], header["until"], header["asks"]) == ([], None, True)
    guide = Guide(("t ", "\u202e"), 5, has_predictions=False)
    header = header_of(message_of(start, guide=guide))
    assert header["spot"] == ["t·", "⟨U+202E⟩"]
    assert (header["until"], header["asks"]) == (5, False)
    assert message_of(start, guide=guide) == message_of(start, guide=guide)
