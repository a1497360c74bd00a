"""SentencePiece's character map and its normalizer, with a small map made here."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.call_counts import examples
from tokenizers.runtime.sentencepiece.charsmap import CharsMap
from tokenizers.runtime.sentencepiece.normalizer import SentencePieceNormalizer
from tokenizers.text.alignment import AlignedText


def charsmap_of(rules):
    """Return a character map as a file has it; rules are from ASCII to anything.

    Each node has a block of 256 units for itself, so that nothing has to be fitted.
    """
    nodes = sorted({rule[:n] for rule in rules for n in range(len(rule) + 1)})
    places = {"": 0}
    for node in nodes[1:]:
        places[node] = (nodes.index(node[:-1]) + 1) * 256 ^ ord(node[-1])
    units = [1 << 31] * (256 * (len(nodes) + 1))
    replacements = b""
    for number, node in enumerate(nodes, start=1):
        offset = places[node] ^ (number * 256)
        units[places[node]] = offset << 10 | (node in rules) << 8 | ord(node[-1] if node else "\0")
        if node in rules:
            units[number * 256] = 1 << 31 | len(replacements)
            replacements += rules[node].encode() + b"\0"
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + replacements


RULES = {"ffi": "ﬃ", "ff": "ﬀ", "\t": " ", "~": "", "Q": "q", "#": "x  y", "^": " "}
MAP = CharsMap.read(charsmap_of(RULES))


# --- The character map ----------------------------------------------------------------------------


def test_the_longest_and_the_first_rule_of_a_map():
    assert MAP.longest("ffi!") == (3, "ﬃ")
    assert MAP.first("ffi!") == (2, "ﬀ")
    assert MAP.longest("affi", 1) == (4, "ﬃ")
    assert MAP.longest("fi") is MAP.first("f") is MAP.longest("\0") is MAP.longest("") is None
    assert MAP.longest("~") == (1, "")


def test_bulk_lookup_equals_single_lookups():
    assert MAP.singles == {key: value for key, value in RULES.items() if len(key) == 1}
    assert MAP.seconds == {"f"}


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (lambda data: data[:3], "1,024"),
        (lambda data: struct.pack("<I", 1 << 30) + data[4:], "1,024"),
        (lambda data: data + b"x", "NUL"),
        (lambda data: data[:4] + struct.pack("<I", 1 << 30) + data[8:], "outside"),
        (lambda data: data[:4] + struct.pack("<I", 0) + data[8:], "outside"),
        (lambda data: data[:-2] + b"\xff\0", "UTF-8"),
    ],
)
def test_a_map_out_of_bounds_is_rejected(broken, message):
    with pytest.raises(ValueError, match=message):
        CharsMap.read(broken(charsmap_of(RULES)))


def test_a_rule_without_replacement_is_rejected():
    data = charsmap_of({"a": "b"})
    place = 4 + 4 * 512  # of the value, at the base of the second node
    for value in (1 << 31 | 99, 7):
        with pytest.raises(ValueError, match="nowhere"):
            CharsMap.read(data[:place] + struct.pack("<I", value) + data[place + 4 :])


# --- The normalizer -------------------------------------------------------------------------------

flags = st.fixed_dictionaries(
    {
        name: st.booleans()
        for name in (
            "add_dummy_prefix", "remove_extra_whitespaces",
            "escape_whitespaces", "as_suffix",
        )
    }
)  # fmt: skip
DEFINED = frozenset(["  ", " a", "ff~", "b ", "▁"])
texts = st.text("  ab▁ff~\t#^iQ\n\u0301", max_size=14)


def one_by_one(text, charsmap, defined, flags):
    """Normalize like SentencePiece's source code: one chunk at a time."""
    space = "▁" if flags["escape_whitespaces"] else " "
    removes = flags["remove_extra_whitespaces"]
    found, origins = [], []

    def chunk(at):
        whole = max((d for d in defined if text.startswith(d, at)), key=len, default=None)
        if whole:
            return whole, at + len(whole)
        end, new = charsmap.longest(text, at) or (at + 1, text[at])
        return new, end

    def put(letter):
        found.append(space if letter == " " else letter)
        origins.append(done)

    done = 0
    while removes and done < len(text) and chunk(done)[0] == " ":
        done = chunk(done)[1]
    if done == len(text):
        return "", [done]
    if flags["add_dummy_prefix"] and not flags["as_suffix"]:
        put(" ")
    after_space = removes
    while done < len(text):
        new, end = chunk(done)
        new = new.lstrip(" ") if after_space else new
        for letter in new:
            put(letter)
        after_space = removes and (new.endswith(" ") if new else after_space)
        done = end
    while removes and found and found[-1] == space:
        found.pop()
        done = origins.pop()
    if flags["add_dummy_prefix"] and flags["as_suffix"]:
        put(" ")
    return "".join(found), [*origins, done]


@examples(500)
@given(texts, flags, st.sampled_from([frozenset(), DEFINED]))
def test_the_normalizer_equals_chunk_by_chunk_processing(text, flags, defined):
    normalizer = SentencePieceNormalizer(MAP, **flags, user_defined=defined)
    aligned = normalizer(AlignedText.raw(text))
    expected, origins = one_by_one(text, MAP, defined, flags)
    assert aligned.text == expected
    assert list(aligned.starts) == origins[:-1]
    assert list(aligned.ends) == origins[1:]


def test_offsets_after_the_beginning_of_a_text():
    whole = AlignedText.raw("xx ffi").part(2, 6)
    aligned = SentencePieceNormalizer(MAP)(whole)
    assert aligned.text == "▁ﬃ"
    assert aligned.span(1, 2) == (3, 6)


def test_a_normalizer_describes_itself():
    message = SentencePieceNormalizer(MAP, as_suffix=True).describe()
    assert message.startswith("Rewrites characters by the rules of the file, removes extra spaces,")
    assert SentencePieceNormalizer(None, False, False, False).describe().startswith("Leaves")
