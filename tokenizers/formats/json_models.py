"""The four models of a `tokenizer.json`: BPE, WordPiece, Unigram and WordLevel."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import MAX_ID, Json, JsonCursor
from tokenizers.limits import MAX_MARK_LENGTH
from tokenizers.merging.state import Pair
from tokenizers.runtime.bpe import BPE, Ranks
from tokenizers.runtime.components import RuntimeModel
from tokenizers.runtime.unigram import Unigram
from tokenizers.runtime.word_level import WordLevel
from tokenizers.runtime.wordpiece import WordPiece


def read_model(place: JsonCursor) -> RuntimeModel:
    """Return the model that stands at a place; UserError if it is none."""
    kind = _kind(place)
    if kind not in MODELS:
        known = ", ".join(MODELS)
        raise UserError(f"{place.path}.type is “{kind}”, which is not supported: {known} are.")
    return MODELS[kind](place)


def _kind(place: JsonCursor) -> str:
    """Return the type of a model; older files do not name it."""
    if "type" in place:
        return place.get("type").text()
    if "merges" in place:
        return "BPE"
    if isinstance(place.get("vocab").value, list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in place else "WordLevel"


def _vocab(place: JsonCursor) -> dict[str, int]:
    """Return pieces with their ids. It looks at all of them at once: there may be 200,000."""
    vocab = place.value
    if not isinstance(vocab, dict):
        raise place.error("an object with an id for each piece")
    ids = vocab.values()
    if set(map(type, ids)) - {int} or min(ids, default=0) < 0 or max(ids, default=0) > MAX_ID:
        for _, id_ in place.items():
            id_.integer()
    if len(set(ids)) < len(vocab):
        _refuse_duplicate_ids(place, vocab)
    _refuse_half_characters(place, vocab)
    return vocab


def _refuse_duplicate_ids(place: JsonCursor, vocab: Mapping[str, int]) -> None:
    piece_of: dict[int, str] = {}
    for piece, id_ in vocab.items():
        if id_ in piece_of:
            raise UserError(
                f"{place.path} gives the id {id_} to “{piece_of[id_]}” and to “{piece}”."
            )
        piece_of[id_] = piece


def _refuse_half_characters(place: JsonCursor, pieces: Mapping[str, Any]) -> None:
    """Refuse half a surrogate pair, which JSON can write and no text can hold."""
    try:
        "".join(pieces).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"{place.path} has a piece with half a surrogate pair, which is no character."
        ) from error


def _bpe(place: JsonCursor) -> BPE:
    vocab = _vocab(place.get("vocab"))
    mark = place.get("continuing_subword_prefix", "").text(MAX_MARK_LENGTH)
    merges = place.get("merges")
    try:
        ranks = Ranks(vocab, _pairs(merges), mark)
    except ValueError as error:
        raise UserError(f"{merges.path}: {error}.") from error
    return BPE(
        vocab,
        ranks,
        unk=place.get("unk_token").text() if "unk_token" in place else None,
        prefix=mark,
        suffix=place.get("end_of_word_suffix", "").text(MAX_MARK_LENGTH),
        fuse_unk=place.get("fuse_unk", False).flag(),
        byte_fallback=place.get("byte_fallback", False).flag(),
        ignore_merges=place.get("ignore_merges", False).flag(),
        dropout=_dropout(place.get("dropout")),
    )


def _dropout(place: JsonCursor) -> float | None:
    if place.value is None:
        return None
    if not 0 <= place.number() <= 1:
        raise place.error("a probability from 0 to 1")
    return place.number()


def _pairs(place: JsonCursor) -> Iterator[Pair]:
    """Yield the merges: each is a list of two pieces or, in older files, "a b"."""
    merges = place.value
    if not isinstance(merges, list):
        raise place.error("a list")
    for n, merge in enumerate(merges):
        pair: Json = merge.split(" ") if isinstance(merge, str) else merge
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or type(pair[0]) is not str
            or type(pair[1]) is not str
        ):
            raise JsonCursor(merge, f"{place.path}[{n}]").error("two pieces")
        yield pair[0], pair[1]


def _wordpiece(place: JsonCursor) -> WordPiece:
    return WordPiece(
        _vocab(place.get("vocab")),
        unk=place.get("unk_token", "[UNK]").text(),
        mark=place.get("continuing_subword_prefix", "##").text(MAX_MARK_LENGTH),
        max_word_length=place.get("max_input_chars_per_word", 100).integer(),
    )


def _word_level(place: JsonCursor) -> WordLevel:
    return WordLevel(_vocab(place.get("vocab")), unk=place.get("unk_token", "<unk>").text())


def _unigram(place: JsonCursor) -> Unigram:
    vocab, log_probs = _scores(place.get("vocab"))
    unk_id = place.get("unk_id")
    unk = None
    if unk_id.value is not None:
        if unk_id.integer() >= len(vocab):
            raise unk_id.error(f"the id of one of the {len(vocab):,} pieces")
        unk = list(vocab)[unk_id.integer()]
    return Unigram(vocab, log_probs, unk, place.get("byte_fallback", False).flag())


def _scores(place: JsonCursor) -> tuple[dict[str, int], dict[str, float]]:
    """Return the pieces with their ids, which are their places in the list, and their scores.

    It looks at all of them at once; one by one only to name the one that is wrong.
    """
    rows = place.value
    if not isinstance(rows, list):
        raise place.error("a list")
    for item in place if not all(map(_is_scored, rows)) else ():
        pair = list(item)
        if len(pair) != 2:
            raise item.error("a piece and its log probability")
        pair[0].text()
        pair[1].number()
    log_probs = {piece: float(score) for piece, score in rows}
    vocab = {piece: n for n, (piece, _) in enumerate(rows)}
    if len(vocab) < len(rows):
        first = next(n for n, (piece, _) in enumerate(rows) if vocab[piece] != n)
        raise UserError(f"{place.path}[{first}] is “{rows[first][0]}”, which comes once more.")
    _refuse_half_characters(place, vocab)
    return vocab, log_probs


def _is_scored(row: Json) -> bool:
    """Whether this is a piece and a number that is not too large."""
    return (
        type(row) is list
        and len(row) == 2
        and type(row[0]) is str
        and type(row[1]) in (float, int)
        and -1e300 < row[1] < 1e300
    )


MODELS: dict[str, Callable[[JsonCursor], RuntimeModel]] = {
    "BPE": _bpe,
    "Unigram": _unigram,
    "WordLevel": _word_level,
    "WordPiece": _wordpiece,
}
