"""Read and write SentencePiece's `.model` files, with pieces, scores, and normalizer settings.

A `.model` is one protocol buffers message (see `protobuf.py`) with the field numbers of
`sentencepiece_model.proto` in version 0.2.3. Training parameters that do not affect encoding are
ignored. Raises UserError for other files, such as GGUF and SentencePiece Lite's FlatBuffers
(`.spm.fb`).
"""

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tokenizers.errors import UserError
from tokenizers.runtime.sentencepiece import protobuf
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.unigram import BYTES, UNKNOWN_TEXT

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)
"""The kinds of pieces."""
UNIGRAM, BPE, WORD, CHAR = 1, 2, 3, 4
"""The supported model types."""
_MAX_PIECES = 300_000
_MAX_PIECE_BYTES = 8_000
"""The number of UTF-8 bytes from which SentencePiece rejects a piece as too long."""


@dataclass(frozen=True, slots=True)
class NormalizerSpec:
    """The settings of the normalizer, or of the denormalizer, which is applied after decoding."""

    name: str = ""
    charsmap: CharsMap | None = None
    add_dummy_prefix: bool = True
    remove_extra_whitespaces: bool = True
    escape_whitespaces: bool = True


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The contents of a `.model`; `pieces`, `scores` and `kinds` are in the order of ids.

    A score is a log probability in nats (Unigram), or a merge's priority, highest first (BPE).
    With `treat_whitespace_as_suffix`, `▁` ends words instead of beginning them.
    """

    pieces: tuple[str, ...]
    scores: Sequence[float]
    kinds: bytes
    model_type: int = UNIGRAM
    byte_fallback: bool = False
    treat_whitespace_as_suffix: bool = False
    unk_surface: str = UNKNOWN_TEXT
    normalizer: NormalizerSpec = NormalizerSpec()
    denormalizer: NormalizerSpec | None = None

    def __post_init__(self) -> None:
        _check_pieces(self)

    def of_kind(self, *kinds: int) -> dict[str, int]:
        """Return the pieces of these kinds, with their ids."""
        return {
            piece: id_
            for id_, (piece, kind) in enumerate(zip(self.pieces, self.kinds, strict=True))
            if kind in kinds
        }


def _check_pieces(file: ModelFile) -> None:
    """Raise UserError if SentencePiece would reject the vocabulary too."""
    kinds = Counter(file.kinds)
    if len(set(file.pieces)) < len(file.pieces):
        piece, _ = Counter(file.pieces).most_common(1)[0]
        raise UserError(f"The piece “{piece}” is in the vocabulary twice.")
    for id_, (piece, kind) in enumerate(zip(file.pieces, file.kinds, strict=True)):
        if piece == "\0" and kind == UNUSED:
            continue
        if not piece or "\0" in piece or len(piece) * 4 >= _MAX_PIECE_BYTES <= len(piece.encode()):
            raise UserError(
                f"Piece {id_:,} is empty, has a NUL in it, or is longer than {_MAX_PIECE_BYTES:,} "
                "bytes: SentencePiece takes none of these."
            )
    if kinds[UNKNOWN] > 1 or not (kinds[UNKNOWN] or file.byte_fallback):
        raise UserError(f"The file has {kinds[UNKNOWN]} unknown pieces; it must have one.")
    if not all(map(math.isfinite, file.scores)):
        raise UserError("A score of the file is infinite or no number.")
    if file.model_type == UNIGRAM and not kinds[NORMAL]:
        raise UserError("The file has no normal pieces that a text could be cut into.")
    bytes_ = file.of_kind(BYTE)
    if file.byte_fallback and len(bytes_.keys() & BYTES.keys()) < len(BYTES):
        raise UserError("The file falls back to bytes, but does not have a piece for each byte.")
    if wrong := bytes_.keys() - BYTES.keys() or (not file.byte_fallback and bytes_.keys()):
        raise UserError(f"The file has a piece “{min(wrong)}” for a byte, which it cannot use.")


# --- Reading --------------------------------------------------------------------------------------


def read(data: bytes) -> ModelFile:
    """Parse a `.model`; raises UserError for anything else."""
    _refuse_others(data)
    pieces: list[str] = []
    scores, kinds = array("f"), bytearray()
    specs = {2: b"", 3: b"", 5: b""}
    for number, wire, value in protobuf.fields(data):
        if number == 1 and wire == protobuf.BYTES:
            piece, score, kind = _parse_piece(value, len(pieces))
            if len(pieces) == _MAX_PIECES:
                raise UserError(
                    f"The file has more than {_MAX_PIECES:,} pieces, far more than any published "
                    "one. Check that it is the right file."
                )
            pieces.append(piece)
            scores.append(score)
            kinds.append(kind)
        elif number in specs and wire == protobuf.BYTES:
            specs[number] += value  # the parts of a repeated message are concatenated
    if not pieces:
        raise UserError("There are no pieces in this file: it is no SentencePiece model.")
    file = _parse_trainer(specs[2], pieces, scores, kinds)
    denormalizer = _parse_normalizer(specs[5], "denormalizer")
    return replace(
        file,
        normalizer=_parse_normalizer(specs[3], "normalizer"),
        denormalizer=denormalizer if denormalizer.charsmap else None,
    )


def _refuse_others(data: bytes) -> None:
    """Raise UserError for files that are often mistaken for a `.model`."""
    found = next((name for start, name in _OTHERS.items() if data.startswith(start)), None)
    if found:
        raise UserError(f"This is {found}, not a SentencePiece model.")
    root = int.from_bytes(data[:4], "little")
    table = int.from_bytes(data[root : root + 4], "little", signed=True)
    # A FlatBuffer begins with the offset of its table, which begins with that of its vtable.
    if root % 4 == 0 and 8 <= root < len(data) and 0 < table <= root:
        raise UserError(
            "This seems to be a FlatBuffer, such as SentencePiece Lite reads (.spm.fb). "
            "Open the .model that it was made from."
        )


_OTHERS = {
    b"GGUF": "a GGUF file, which holds a whole network",
    b"version https://git-lfs": "a pointer to a file that Git LFS has not downloaded",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"{": "a JSON file, perhaps a tokenizer.json",
    b"<": "a page of the web, perhaps about an error",
}


_WIRES_OF_PIECE = {1: protobuf.BYTES, 2: protobuf.FIXED32, 3: protobuf.VARINT}


def _parse_piece(data: bytes, id_: int) -> tuple[str, float, int]:
    """Parse a piece's text, score and kind."""
    found = protobuf.values(data, _WIRES_OF_PIECE)
    kind = found.get(3, NORMAL)
    if not NORMAL <= kind <= BYTE:
        raise UserError(f"Piece {id_:,} is of the kind {kind}, which does not exist.")
    score = protobuf.float_of(found[2]) if 2 in found else 0.0
    return _text(found.get(1, b""), f"Piece {id_:,}"), score, kind


def _text(data: bytes, what: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UserError(f"{what} is not UTF-8.") from error


def _parse_trainer(
    data: bytes, pieces: list[str], scores: "array[float]", kinds: bytearray
) -> ModelFile:
    """Parse the trainer spec in `data`; return the model without its normalizers."""
    wires = {3: protobuf.VARINT, 24: protobuf.VARINT, 35: protobuf.VARINT, 44: protobuf.BYTES}
    found = protobuf.values(data, wires)
    model_type = found.get(3, UNIGRAM)
    if model_type not in (UNIGRAM, BPE, WORD, CHAR):
        raise UserError(
            f"The model type of this file is {model_type}, which SentencePiece doesn't have. It "
            "may be damaged: download it again."
        )
    byte_fallback = bool(found.get(35))
    if byte_fallback and "\0" in pieces:  # written by some converters, ignored by the library
        kinds[pieces.index("\0")] = UNUSED
    return ModelFile(
        tuple(pieces),
        scores,
        bytes(kinds),
        model_type,
        byte_fallback,
        treat_whitespace_as_suffix=bool(found.get(24)),
        unk_surface=_text(found.get(44, UNKNOWN_TEXT.encode()), "The text for unknown pieces"),
    )


def _parse_normalizer(data: bytes, what: str) -> NormalizerSpec:
    wires = {1: protobuf.BYTES, 2: protobuf.BYTES} | dict.fromkeys((3, 4, 5), protobuf.VARINT)
    found = protobuf.values(data, wires)
    return NormalizerSpec(
        _text(found.get(1, b""), f"The name of the {what}"),
        CharsMap.read(found[2]) if found.get(2) else None,
        *[bool(found.get(number, True)) for number in (3, 4, 5)],
    )


# --- Writing --------------------------------------------------------------------------------------


def write(file: ModelFile) -> bytes:
    """Serialize `file` as a `.model`, the inverse of `read`."""
    rows = zip(file.pieces, file.scores, file.kinds, strict=True)
    parts = [
        protobuf.write(1, _message({1: piece, 2: float(score), 3: kind}))
        for piece, score, kind in rows
    ]
    ids = file.of_kind(CONTROL)
    trainer = {
        3: file.model_type,
        4: len(file.pieces),
        24: file.treat_whitespace_as_suffix,
        35: file.byte_fallback,
        40: next(iter(file.of_kind(UNKNOWN).values()), -1),
        41: ids.get("<s>", -1),
        42: ids.get("</s>", -1),
        43: ids.get("<pad>", -1),
        44: file.unk_surface,
    }
    parts.append(protobuf.write(2, _message(trainer)))
    parts.append(protobuf.write(3, _message(_fields_of(file.normalizer))))
    if file.denormalizer:
        parts.append(protobuf.write(5, _message(_fields_of(file.denormalizer))))
    return b"".join(parts)


def _fields_of(spec: NormalizerSpec) -> dict[int, "int | bytes | str"]:
    return {
        1: spec.name,
        2: spec.charsmap.data if spec.charsmap else b"",
        3: spec.add_dummy_prefix,
        4: spec.remove_extra_whitespaces,
        5: spec.escape_whitespaces,
    }


def _message(values: Mapping[int, "int | float | bytes | str"]) -> bytes:
    return b"".join(protobuf.write(number, value) for number, value in values.items())
