"""The codes of a class: written and read again, damage noticed, and the browser agrees."""

import json
import string
import subprocess
from contextlib import suppress
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random

import pytest
import segno
import segno.encoder
from hypothesis import given
from hypothesis import strategies as st

from lessons.class_codes import (
    ALPHABET,
    CHOICES,
    GATES,
    Code,
    CodedAnswer,
    Unreadable,
    decode,
    encode,
    run_of,
    table,
)
from tests.node import find_node
from tokenizers.errors import UserError

ROOT = Path(__file__).parents[2]
TWENTY = st.integers(0, (1 << 20) - 1)
ANSWERS = st.builds(
    CodedAnswer, st.integers(0, GATES - 1), st.integers(0, CHOICES - 1), st.integers(0, 2)
)
ROWS = st.lists(ANSWERS, max_size=12, unique_by=lambda one: one.gate).map(
    lambda answers: tuple(sorted(answers, key=lambda one: one.gate))
)
CODES = st.builds(Code, TWENTY, TWENTY, ROWS)


@given(CODES)
def test_what_is_written_is_read_again(code: Code):
    assert decode(encode(code)) == code


@given(CODES)
def test_a_code_is_read_as_people_type_it(code: Code):
    text = encode(code)
    typed = text.lower().replace("-", "").replace("0", "o").replace("1", "l")
    assert decode(typed) == decode(text.replace("1", "i").upper()) == code


@given(CODES, st.data())
def test_one_wrong_character_is_noticed(code: Code, data: st.DataObject):
    text = encode(code).replace("-", "")
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.sampled_from([one for one in ALPHABET if one != text[at]]))
    with pytest.raises(Unreadable, match="damaged"):
        decode(text[:at] + other + text[at + 1 :])


@given(CODES, st.data())
def test_two_neighbours_swapped_are_noticed(code: Code, data: st.DataObject):
    text = encode(code).replace("-", "")
    places = [at for at in range(len(text) - 1) if text[at] != text[at + 1]]
    at = data.draw(st.sampled_from(places))
    with pytest.raises(Unreadable, match="damaged"):
        decode(text[:at] + text[at + 1] + text[at] + text[at + 2 :])


@given(st.text(max_size=30) | st.text(ALPHABET + "-", max_size=30))
def test_whatever_is_read_is_a_code_or_named(text: str):
    with suppress(Unreadable):
        code = decode(text)
        assert decode(encode(code)) == code


def sealed(body: str) -> str:
    """A text with the right check, whatever it holds."""
    number = int("1" + "".join(f"{ALPHABET.index(one):05b}" for one in body), 2) % 32749
    return body + "".join(ALPHABET[number >> place & 31] for place in (10, 5, 0))


def test_a_code_of_another_version_says_so():
    with pytest.raises(Unreadable, match="another version") as found:
        decode(sealed("2ABCD"))
    assert found.value.problem == "version"


@pytest.mark.parametrize(
    "answers",
    ["2", "G", "2G", "2G0", "02", "GGGG2", "2" + "Z" * 9 + "1", "Z" * 9 + "12"],
    ids=["half", "broken off", "broken", "idle zero", "no gap", "two", "choice", "gate"],
)
def test_what_no_student_can_have_answered_is_damaged(answers: str):
    with pytest.raises(Unreadable, match="damaged"):
        decode(sealed("1" + "0" * 8 + answers))


@pytest.mark.parametrize(
    "code",
    [
        Code(1 << 20, 0, ()),
        Code(0, -1, ()),
        Code(0, 0, (CodedAnswer(3, 0), CodedAnswer(3, 1))),
        Code(0, 0, (CodedAnswer(GATES, 0),)),
        Code(0, 0, (CodedAnswer(0, CHOICES),)),
        Code(0, 0, (CodedAnswer(0, 0, 3),)),
    ],
)
def test_numbers_that_no_code_holds_are_refused(code: Code):
    with pytest.raises(UserError):
        encode(code)


def test_the_table_has_a_row_for_each_answer_and_each_problem():
    code = encode(Code(run_of("c0ffee"), 5, (CodedAnswer(1, 0, 2), CodedAnswer(4, 3))))
    out = StringIO()
    table([code, "", code[:-1]], out)
    assert out.getvalue().splitlines() == [
        "line,run,student,question,choice,sureness,problem",
        f"1,{0xC0FFE},5,1,1,sure,",
        f"1,{0xC0FFE},5,4,4,,",
        '3,,,,,,"The code is damaged: a character is missing, added or wrong. Ask for it again."',
    ]


# ---- the same in the browser ----


def calls(requests: list[list], script: str = "coded") -> list:
    """What the player's own scripts return."""
    done = subprocess.run(
        [find_node(), f"tests/js/{script}.mjs"],
        cwd=ROOT,
        input="\n".join(map(json.dumps, requests)),
        capture_output=True,
        text=True,
        check=True,
    )
    return list(map(json.loads, done.stdout.splitlines()))


def as_list(code: Code) -> dict:
    answers = [[one.gate, one.choice, one.sureness] for one in code.answers]
    return {"run": code.run, "student": code.student, "answers": answers}


def drawn(rng: Random) -> Code:
    """A code as classes write them, and now and then one at the edges."""
    most = rng.choice((3, 40, GATES - 1))
    gates = sorted(rng.sample(range(most), rng.randrange(min(most, 8))))
    choices = rng.choice((2, 7, CHOICES))
    answers = [CodedAnswer(gate, rng.randrange(choices), rng.randrange(3)) for gate in gates]
    return Code(rng.randrange(1 << 20), rng.randrange(1 << 20), tuple(answers))


def broken(rng: Random, text: str) -> str:
    """A code as it arrives: as it was, or with something wrong with it; at times with its seal."""
    at = rng.randrange(len(text))
    one = rng.choice(ALPHABET + "u!é-oil")
    changed = rng.choice(
        (text, text[:at], text[:at] + one + text[at + 1 :], text[:at] + text[at + 1 :])
    )
    body = changed.replace("-", "")[:-3]
    if rng.random() < 0.5 and set(body) <= set(ALPHABET):
        return sealed(rng.choice(("", body, body + one.upper() * (one.upper() in ALPHABET))))
    return changed


def python_reads(text: str) -> dict:
    try:
        return as_list(decode(text))
    except Unreadable as problem:
        return {"problem": problem.problem}


def test_the_browser_writes_and_reads_the_same_codes():
    rng = Random(7)
    codes = [drawn(rng) for _ in range(400)]
    texts = [encode(code) for code in codes]
    assert calls([["encodeCode", as_list(code)] for code in codes]) == texts
    arrived = [broken(rng, text) for text in texts for _ in range(5)]
    expected = [python_reads(text) for text in arrived]
    assert calls([["decodeCode", text] for text in arrived]) == expected
    problems = {one.get("problem") for one in expected}
    assert problems == {None, "damaged", "version"}


# ---- as a QR code ----

MOST = 483  # characters that the largest of our QR codes has room for


def is_even(text: str, version: int) -> bool:
    """Whether the bits of a text end with a byte: there the other program adds one too many."""
    count = 9 if version < 10 else 11
    return (4 + count + len(text) // 2 * 11 + len(text) % 2 * 6 + 4) % 8 == 0


def test_a_qr_code_is_cell_by_cell_that_of_another_program():
    rng = Random(5)
    rooms = [20, 38, 61, 90, 122, 154, 178, 221, 262, 311, 366, 419, MOST]
    sizes = [1, *(room - less for room in rooms for less in (0, 1, 4))]
    texts = ["".join(rng.choices(ALPHABET + "-", k=size)) for size in sizes]
    requests = [
        [text, segno.make_qr(text, error="m", boost_error=False).version, n % 8]
        for n, text in enumerate(texts)
    ]
    versions = set()
    for (text, version, mask), (chosen, cells) in zip(requests, calls(requests, "qr"), strict=True):
        assert len(chosen) == len(cells) == 17 + 4 * version
        if not is_even(text, version):
            versions.add(version)
            wanted = segno.make_qr(
                text, error="m", version=version, mask=mask, boost_error=False
            ).matrix
            assert cells == [list(row) for row in wanted]
    assert versions == set(range(1, 14))


ROOMS = (14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331)
"""Bytes that each version has room for."""


def test_an_address_is_cell_by_cell_that_of_another_program(monkeypatch):
    def padding(buff, version, length):
        buff.extend([0] * (-length % 8))  # segno's own adds eight where none are needed

    monkeypatch.setattr(segno.encoder, "write_padding_bits", padding)
    rng = Random(6)
    characters = string.ascii_letters + string.digits + "/?=&%:.-_"
    requests = []
    for n, (room, less) in enumerate(product(ROOMS, (0, 1, 2, 5))):
        text = "h" + "".join(rng.choices(characters, k=room - less - 1))
        requests.append([text, ROOMS.index(room) + 1, n % 8])
    for (text, version, mask), (chosen, cells) in zip(requests, calls(requests, "qr"), strict=True):
        made = segno.make_qr(text, error="m", version=version, mask=mask, boost_error=False)
        assert cells == [list(row) for row in made.matrix]
        assert len(chosen) == 17 + 4 * version
    assert calls([["h" * (ROOMS[-1] + 1), 0, 0]], "qr") == [[None, None]]


def test_its_mask_is_one_of_the_eight():
    text = encode(Code(1, 2, (CodedAnswer(3, 4, 1), CodedAnswer(9, 0, 2))))
    requests = [[text, 1, mask] for mask in range(8)]
    found = calls(requests, "qr")
    assert found[0][0] in [cells for _, cells in found]


def test_what_is_too_long_has_no_qr_code():
    assert calls([["A" * (MOST + 1), 0, 0]], "qr") == [[None, None]]
