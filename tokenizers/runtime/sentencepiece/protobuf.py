"""Read and write the numbered fields of a message in protocol buffers' wire format.

A message is a sequence of fields. Each begins with a *tag*, which holds the field number and the
value's encoding. The value is a *varint* (7 bits per byte, lowest first), 4 or 8 raw bytes, or a
length and as many bytes, which may be a nested message. The caller knows what the numbers mean.
Groups, which are long deprecated, are not supported. Source: the “Encoding” page of the protocol
buffers documentation.
"""

import struct
from collections.abc import Iterator, Mapping
from typing import Any

from tokenizers.errors import UserError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""The wire types, with their numbers in a tag."""

_WIDTHS = {FIXED64: 8, FIXED32: 4}
_LONGEST_VARINT = 10
_FLOAT = struct.Struct("<f")


def fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yield the number, the wire type and the value of each field, in order.

    The value is an int for a varint, otherwise bytes.

    Raises UserError, which names the byte, if the data are truncated, if a length exceeds the data,
    or if a wire type is not supported.

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
    """Return the value of the varint that begins at `position`, and the varint's end."""
    if position < len(data) and data[position] < 0x80:  # fast path: most are one byte
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
    """Return the values of fields by number; `wires` maps each field number to its wire type.

    If a field is repeated, its last value counts, as the format defines. Other fields are ignored.
    """
    return {number: value for number, wire, value in fields(data) if wires.get(number) == wire}


def float_of(value: bytes) -> float:
    """Decode a 32-bit float."""
    return _FLOAT.unpack(value)[0]


def write(number: int, value: "int | float | bytes | str") -> bytes:
    """Encode a field as a varint (int or bool), as four bytes (float), or with a length (others).

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
    """Encode a number as a varint, a negative number modulo 2^64.

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
