"""Numbers are rounded as serde_json rounds them; the values are those that the library reads.

Drawn numbers are held to the library in tests/parity/test_tokenizer_json_parts.py.
"""

import time
from math import inf

import pytest

from tokenizers.formats.json_numbers import integer_as_float, read_number


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("-10.04", "-10.04"),
        ("-13.558939790995723", "-13.558939790995725"),  # not the nearest double
        ("-0.0", "-0.0"),
        ("-0.25", "-0.25"),
        ("2.5e-308", "2.5000000000000003e-308"),
        ("4.9e-324", "5e-324"),
        ("1E+5", "100000.0"),
        ("-1e-400", "-0.0"),
        ("0e99999999999", "0.0"),
        ("1e-99999999999", "0.0"),
        ("1e-2147483648", "0.0"),
        ("1844674407370955161.5", "1.8446744073709553e+18"),
        ("18446744073709551616.5", "1.8446744073709552e+19"),
        ("123456789012345678901234567890.123e-5", "1.2345678901234568e+24"),
        ("0." + "0" * 400 + "1e400", "0.1"),
        ("1" + "0" * 400 + "e-400", "1.0"),
    ],
    ids=lambda text: text[:25],
)
def test_a_number_of_each_form(literal, value):
    assert repr(read_number(literal)) == value


@pytest.mark.parametrize("literal", ["1e400", "17976931348623157e293", "1e99999999999"])
def test_a_number_that_the_library_refuses(literal):
    assert read_number(literal) == inf
    assert read_number(f"-{literal}") == -inf


def test_whole_numbers():
    assert integer_as_float(-9) == -9.0
    assert integer_as_float(2**64 - 1) == 2.0**64
    assert (
        repr(integer_as_float(-123456789012345678912345)) == "-1.2345678901234567e+23"
    )  # not the nearest


def test_millions_of_digits_take_no_time():
    start = time.process_time()
    assert read_number("0." + "0" * 2_000_000 + "1") == 0.0
    assert read_number("0." + "7" * 2_000_000) == 7 / 9
    assert read_number("1e" + "9" * 2_000_000) == inf
    assert time.process_time() - start < 1
