"""Protocol buffers on the wire: the numbered fields of a message, read and written by hand.

A message is a row of fields. Each begins with a *tag*, which holds the number of the field and how
its value is written: a *varint* (7 bits a byte, the lowest first), 4 or 8 bytes as they are, or a
length and so many bytes, which may be a message again. What the numbers mean is up to the reader.
Leaves out groups, which were given up before anything that is read here was written. Source: the
“Encoding” page of the protocol buffers documentation.
"""

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from tokenizers.errors import UserError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The ways to write a value, with the numbers that stand for them in a tag."""

_WIDTHS = {FIXED64: 8, FIXED32: 4}
_LONGEST_VARINT = 10
_FLOAT = struct.Struct("<f")


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yield the number, the way of writing and the value of each field, in their order.

    The value is an int for a varint, otherwise bytes.

    Raises UserError, which names the byte, where the data end too soon, a length is
    longer than what is left, or a value is written in a way that does not exist.

    >>> list(fields(bytes.fromhex("0801120361626308ac02")))
    [(1, 0, 1), (2, 2, b'abc'), (1, 0, 300)]
    """
    position, length = 0, len(data)
    while position < length:
        start = position
        tag, position = _varint(data, position)
        number, wire = tag >> 3, tag & 7
        if not number:
            raise UserError(f"The field at byte {start:,} has the number 0, which no field has.")
        if wire == VARINT:
            value, position = _varint(data, position)
            yield number, wire, value
            continue
        if wire == BYTES:
            size, position = _varint(data, position)
        elif wire in _WIDTHS:
            size = _WIDTHS[wire]
        else:
            raise UserError(
                f"The field at byte {start:,} is written in a way, {wire}, that is not supported."
            )
        if size > length - position:
            raise UserError(
                f"The field at byte {start:,} says that it is {size:,} bytes long, but only "
                f"{length - position:,} bytes follow."
            )
        yield number, wire, data[position : position + size]
        position += size


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """Return the number that begins at `position`, and where it ends."""
    if position < len(data) and data[position] < 0x80:  # most are one byte
        return data[position], position + 1
    value = shift = 0
    for byte in data[position : position + _LONGEST_VARINT]:
        value |= (byte & 0x7F) << shift
        position += 1
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, position
        shift += 7
    raise UserError(f"A number does not end before byte {position:,}.")


def values(data: bytes, wires: Mapping[int, int]) -> dict[int, Any]:
    """Return the values of the fields in `wires` that are written as it says.

    Of a field that comes twice, the last value counts, as the format has it. Others are passed by.
    """
    return {number: value for number, wire, value in fields(data) if wires.get(number) == wire}


def float_of(value: bytes) -> float:
    """Return the number that four bytes stand for."""
    return _FLOAT.unpack(value)[0]


def write(number: int, value: "int | float | bytes | str") -> bytes:
    """Return a field: a varint for an int or a bool, four bytes for a float, else a length first.

    >>> (write(1, 300) + write(2, "abc")).hex()
    '08ac021203616263'
    """
    if isinstance(value, int):
        return write_varint(number << 3 | VARINT) + write_varint(value)
    if isinstance(value, float):
        return write_varint(number << 3 | FIXED32) + _FLOAT.pack(value)
    data = value.encode() if isinstance(value, str) else value
    return write_varint(number << 3 | BYTES) + write_varint(len(data)) + data


def write_varint(value: int) -> bytes:
    """Return a number in 7 bits a byte; a negative one as what it is modulo 2^64.

    >>> write_varint(300).hex()
    'ac02'
    """
    value %= 1 << 64
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)
