"""The four models of a `tokenizer.json`: BPE, WordPiece, Unigram and WordLevel."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import MAX_ID, Json, JsonCursor
from tokenizers.formats.json_numbers import integer_as_float
from tokenizers.limits import MAX_MARK_LENGTH
from tokenizers.merging.state import Pair
from tokenizers.runtime.components import RuntimeModel
from tokenizers.runtime.models.bpe import BPE, Ranks
from tokenizers.runtime.models.unigram import Unigram
from tokenizers.runtime.models.word_level import WordLevel
from tokenizers.runtime.models.wordpiece import WordPiece


def read_model(cursor: JsonCursor) -> RuntimeModel:
    """Return the model at the cursor; raises UserError if its type is not supported."""
    kind = _kind(cursor)
    if kind not in MODELS:
        known = ", ".join(MODELS)
        raise UserError(f"{cursor.path}.type is “{kind}”, which is not supported: {known} are.")
    return MODELS[kind](cursor)


def _kind(cursor: JsonCursor) -> str:
    """Return a model's type, inferred from its keys because older files do not name the type."""
    if "type" in cursor:
        return cursor.get("type").text()
    if "merges" in cursor:
        return "BPE"
    if isinstance(cursor.get("vocab").value, list):
        return "Unigram"
    return "WordPiece" if "max_input_chars_per_word" in cursor else "WordLevel"


def _vocab(cursor: JsonCursor) -> dict[str, int]:
    """Return pieces with their ids; check all ids at once, since there may be 200,000."""
    vocab = cursor.value
    if not isinstance(vocab, dict):
        raise cursor.error("an object with an id for each piece")
    ids = vocab.values()
    if set(map(type, ids)) - {int} or min(ids, default=0) < 0 or max(ids, default=0) > MAX_ID:
        for _, id_ in cursor.items():
            id_.integer()
    if len(set(ids)) < len(vocab):
        _refuse_duplicate_ids(cursor, vocab)
    _refuse_half_characters(cursor, vocab)
    return vocab


def _refuse_duplicate_ids(cursor: JsonCursor, vocab: Mapping[str, int]) -> None:
    piece_of: dict[int, str] = {}
    for piece, id_ in vocab.items():
        if id_ in piece_of:
            raise UserError(
                f"{cursor.path} gives the id {id_} to “{piece_of[id_]}” and to “{piece}”."
            )
        piece_of[id_] = piece


def _refuse_half_characters(cursor: JsonCursor, pieces: Mapping[str, Any]) -> None:
    """Reject lone surrogates, which JSON can contain but UTF-8 text cannot."""
    try:
        "".join(pieces).encode()
    except UnicodeEncodeError as error:
        raise UserError(
            f"{cursor.path} has a piece with half a surrogate pair, which is no character."
        ) from error


def _bpe(cursor: JsonCursor) -> BPE:
    vocab = _vocab(cursor.get("vocab"))
    mark = cursor.get("continuing_subword_prefix", "").text(MAX_MARK_LENGTH)
    merges = cursor.get("merges")
    try:
        ranks = Ranks(vocab, _pairs(merges), mark)
    except ValueError as error:
        raise merges.located(error) from error
    return BPE(
        vocab,
        ranks,
        unk=cursor.get("unk_token").text() if "unk_token" in cursor else None,
        prefix=mark,
        suffix=cursor.get("end_of_word_suffix", "").text(MAX_MARK_LENGTH),
        fuse_unk=cursor.get("fuse_unk", False).flag(),
        byte_fallback=cursor.get("byte_fallback", False).flag(),
        ignore_merges=cursor.get("ignore_merges", False).flag(),
        dropout=_dropout(cursor.get("dropout")),
    )


def _dropout(cursor: JsonCursor) -> float | None:
    if cursor.value is None:
        return None
    if not 0 <= cursor.number() <= 1:
        raise cursor.error("a probability from 0 to 1")
    return cursor.number()


def _pairs(cursor: JsonCursor) -> Iterator[Pair]:
    """Yield the merges; each is a list of two pieces or, in older files, a string "a b"."""
    merges = cursor.value
    if not isinstance(merges, list):
        raise cursor.error("a list")
    for n, merge in enumerate(merges):
        pair: Json = merge.split(" ") if isinstance(merge, str) else merge
        if (
            not isinstance(pair, list)
            or len(pair) != 2
            or type(pair[0]) is not str
            or type(pair[1]) is not str
        ):
            raise JsonCursor(merge, f"{cursor.path}[{n}]").error("two pieces")
        yield pair[0], pair[1]


def _wordpiece(cursor: JsonCursor) -> WordPiece:
    return WordPiece(
        _vocab(cursor.get("vocab")),
        unk=cursor.get("unk_token", "[UNK]").text(),
        mark=cursor.get("continuing_subword_prefix", "##").text(MAX_MARK_LENGTH),
        max_word_length=cursor.get("max_input_chars_per_word", 100).integer(),
    )


def _word_level(cursor: JsonCursor) -> WordLevel:
    return WordLevel(_vocab(cursor.get("vocab")), unk=cursor.get("unk_token", "<unk>").text())


def _unigram(cursor: JsonCursor) -> Unigram:
    vocab, log_probs = _scores(cursor.get("vocab"))
    unk_id = cursor.get("unk_id")
    unk = None
    if unk_id.value is not None:
        if unk_id.integer() >= len(vocab):
            raise unk_id.error(f"the id of one of the {len(vocab):,} pieces")
        unk = list(vocab)[unk_id.integer()]
    return Unigram(vocab, log_probs, unk, cursor.get("byte_fallback", False).flag())


def _scores(cursor: JsonCursor) -> tuple[dict[str, int], dict[str, float]]:
    """Return the pieces with their ids (their indices in the list), and their scores.

    All rows are checked at once, and one by one only to name an invalid row.
    """
    rows = cursor.value
    if not isinstance(rows, list):
        raise cursor.error("a list")
    for item in cursor if not all(map(_is_scored, rows)) else ():
        pair = list(item)
        if len(pair) != 2:
            raise item.error("a piece and its log probability")
        pair[0].text()
        pair[1].number()
    log_probs = {
        piece: score if type(score) is float else integer_as_float(score) for piece, score in rows
    }
    vocab = {piece: n for n, (piece, _) in enumerate(rows)}
    if len(vocab) < len(rows):
        first = next(n for n, (piece, _) in enumerate(rows) if vocab[piece] != n)
        raise UserError(f"{cursor.path}[{first}] is “{rows[first][0]}”, which comes once more.")
    _refuse_half_characters(cursor, vocab)
    return vocab, log_probs


def _is_scored(row: Json) -> bool:
    """Return whether `row` is a list of a piece and a number within range."""
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
