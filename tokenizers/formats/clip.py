"""CLIP's list of merges, `bpe_simple_vocab_16e6.txt`, also of open_clip.

The vocabulary is not in the file: it is the 256 bytes, the same with `</w>` for the end of a word,
what each merge makes, and two special tokens. Of the merges only as many are used as the vocabulary
has room for. Source: `SimpleTokenizer` of OpenAI's CLIP.
"""

from tokenizers.errors import UserError
from tokenizers.formats.json_cursor import JsonCursor
from tokenizers.formats.json_models import read_model
from tokenizers.formats.vocab_merges import read_merges
from tokenizers.runtime.added_tokens import AddedToken, AddedTokens
from tokenizers.runtime.clip import ClipNormalizer
from tokenizers.runtime.components import ComponentSequence
from tokenizers.runtime.decoders import ByteLevel as FromBytes
from tokenizers.runtime.decoders import Replace
from tokenizers.runtime.patterns import Pattern
from tokenizers.runtime.post_processors import BertProcessing
from tokenizers.runtime.pre_tokenizers import ByteLevel, Split
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.symbols import GLYPH_OF_BYTE

FORMAT = "CLIP's merges"
_SIZE = 49_408
_END = "</w>"
_SPECIALS = ("<|startoftext|>", "<|endoftext|>")
_WORD = Pattern(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}\x{345}]+")
"""Python's `regex`, with which CLIP searches, finds U+0345 nowhere: without case it is a letter."""
_CAVEATS = (
    "How a text is cleaned and cut into words, the special tokens, and which of the merges are "
    "used: it is done as OpenAI's CLIP does it.",
    "CLIP first repairs garbled text with the package ftfy, which also makes curly quotes straight "
    "and wide letters narrow. That isn't done here.",
    "How often anything occurred in the training text.",
)


def read_clip(data: bytes) -> LoadedTokenizer:
    """Return the tokenizer of such a list; raises UserError, which says where, if it is invalid."""
    alphabet = [*GLYPH_OF_BYTE.values()]
    pieces = [*alphabet, *(glyph + _END for glyph in alphabet)]
    room = _SIZE - len(pieces) - len(_SPECIALS)
    merges = read_merges(data.partition(b"\n")[2])[:room]
    pieces += map("".join, merges)
    pieces += _SPECIALS
    vocab = {piece: id_ for id_, piece in enumerate(pieces)}
    if len(vocab) < len(pieces):
        raise UserError(
            f"Two of the merges make the same piece, {len(pieces) - len(vocab):,} times. In CLIP's "
            "own list none do: download it again."
        )
    model = {"type": "BPE", "vocab": vocab, "merges": merges, "end_of_word_suffix": _END}
    specials = {name: vocab[name] for name in _SPECIALS}
    first, last = specials.items()
    normalizer = ClipNormalizer()
    to_bytes = ByteLevel(add_prefix_space=False, use_regex=False)
    split = Split(_WORD, "Removed", invert=True)
    return LoadedTokenizer(
        name=FORMAT,
        format=FORMAT,
        model=read_model(JsonCursor(model, "")),
        added=AddedTokens(
            tuple(AddedToken(name, id_, special=True) for name, id_ in specials.items()), normalizer
        ),
        normalizer=normalizer,
        pre_tokenizer=ComponentSequence("pre-tokenizers", (split, to_bytes)),
        post_processor=BertProcessing(sep=last, cls=first),
        decoder=ComponentSequence(
            "decoders", (FromBytes(), Replace(Pattern(_END, literal=True), " "))
        ),
        caveats=_CAVEATS,
    )
