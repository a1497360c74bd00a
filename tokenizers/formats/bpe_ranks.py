"""JSON files of tiktoken's JavaScript versions: a pattern, special tokens, and ranks in one text.

`bpe_ranks` has lines of a mark, the first rank, and pieces in base64 whose ranks count up from it.
`claude.json` of `@anthropic-ai/tokenizer` 0.0.4, the tokenizer of Claude up to version 2, is such a
file: that package normalizes a text to NFKC first. Source of the format: tiktoken 1.0 on npm.
"""

from collections.abc import Mapping

from tokenizers.errors import UserError
from tokenizers.formats.byte_pieces import read_base64_pieces, tokenizer_of_bytes
from tokenizers.formats.json_cursor import MAX_TEXT_LENGTH, JsonCursor, parse
from tokenizers.formats.schemes import MAX_PIECES, Scheme
from tokenizers.formats.tiktoken import MERGES_AND_COUNTS
from tokenizers.limits import MAX_ADDED_TOKENS, check_at_most
from tokenizers.runtime.tokenizer import LoadedTokenizer

FORMAT = "bpe_ranks in JSON"
_FILE = "file's bpe_ranks"
_NORMALIZED = "That a text is normalized to NFKC first: Claude's own program did that."
_OF_CLAUDE = {"<EOT>", "<META>", "<META_START>", "<META_END>", "<SOS>"}
_MAX_RANKS_LENGTH = 20_000_000


def read_bpe_ranks(data: bytes) -> LoadedTokenizer:
    """Return the tokenizer of such a file, with its pieces written as byte-level glyphs.

    Raises UserError, which says where, if the file is invalid.
    """
    file = parse(data)
    specials = _specials(file.get("special_tokens"))
    pattern = file.get("pat_str").text(MAX_TEXT_LENGTH)
    vocab = _vocab(file.get("bpe_ranks"))
    is_claude = set(specials) == _OF_CLAUDE
    scheme = Scheme(
        "Claude 2" if is_claude else FORMAT,
        pattern,
        specials,
        form="NFKC" if is_claude else None,
    )
    caveats = [_NORMALIZED] * is_claude + [*MERGES_AND_COUNTS]
    return tokenizer_of_bytes(vocab, scheme, FORMAT, caveats)


def _specials(cursor: JsonCursor) -> Mapping[str, int]:
    check_at_most(len(cursor.object()), MAX_ADDED_TOKENS, "special tokens")
    specials = {JsonCursor(name, id_.path).text(): id_.integer() for name, id_ in cursor.items()}
    if len(set(specials.values())) < len(specials):
        raise UserError(f"{cursor.path} gives one id to two tokens. Each must have its own.")
    return specials


def _vocab(cursor: JsonCursor) -> dict[str, int]:
    pieces: list[bytes] = []
    ids: list[int] = []
    for number, line in enumerate(cursor.text(_MAX_RANKS_LENGTH).split("\n"), start=1):
        fields = line.encode().split()
        if not fields:
            continue
        if len(fields) < 2 or not fields[1].isdigit() or len(fields[1]) > len(str(MAX_PIECES)):
            raise UserError(
                f"Line {number:,} of {cursor.path} begins with “{line[:40]}”. It must begin with a "
                "mark and the first rank, such as ! 0."
            )
        check_at_most(len(pieces) + len(fields), MAX_PIECES, "pieces")
        first = int(fields[1])
        pieces += fields[2:]
        ids += range(first, first + len(fields) - 2)
    return read_base64_pieces(pieces, ids, _FILE)
