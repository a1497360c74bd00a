"""Token ids as people copy them: read from a list, an array or a tensor, and written again.

`read_ids` takes a Python or JSON list, numbers with spaces, commas or line breaks between them, the
printed form of a NumPy array or a tensor, and the `input_ids` of what a tokenizer returns. It never
evaluates anything.
"""

import json
from collections.abc import Sequence

import regex

from tokenizers.errors import UserError

MAX_IDS = 100_000
"""Ids read at a time; the longest published models read as many tokens."""
MAX_CHARS = 2_000_000
"""Characters of a text in which ids are read."""
MAX_DIGITS = 19
"""Digits of a number; no vocabulary needs more than ten, and 64 bits hold no more."""
IGNORED = -100
"""What training code writes in place of a token on which no loss is counted."""
FORMS = {"python": "Python", "json": "JSON", "plain": "Plain"}
"""The forms of `write_ids`, with their names."""

_GLANCE = 200  # characters of a long text that are looked at first
_KEY = regex.compile(r"""["']?\b(?:input_ids|prompt_token_ids|token_ids|ids|tokens)["']?\s*[:=]""")
_BRACKETS = regex.compile(r"[\[\](){}]")
_OPENING, _CLOSING = "[({", "])}"
_SCALARS = regex.compile(r"\b(?:np|numpy)\.u?int[0-9]{1,2}\(([0-9]++)\)")
_WRAPPERS = regex.compile(
    r"<?(?:\b(?:np|numpy|torch|tf|jnp)\.)?\b(?:[Tt]ensor|[Aa]rray)(?=[(:])(?:\('[a-zA-Z]',)?"
)
_OPTIONS = regex.compile(
    r"\b(?:dtype|device|requires_grad|grad_fn|shape|weak_type)\s*=\s*"
    r"(?:'[^']{0,40}'|<[^>]{0,60}>|\([0-9, ]{0,40}\)|[\w.]{1,40})|\bnumpy\s*=|\)>\s*$"
)
_OTHER = regex.compile(r"[^0-9\s,;:\[\](){}]")
_WORD_START = regex.compile(r"[^\s,;:\[\](){}]*+$")
_WORD = regex.compile(r"[^\s,;\[\](){}]++")
_NUMBER = regex.compile("[0-9]++")
_INNER = regex.compile(r"[\[({][^\[\](){}]*+[\])}]")


def read_ids(text: str) -> list[int]:
    """Return the ids in a text.

    Raises UserError if there is none, if there are several lists or more than `MAX_IDS` ids, and
    for anything that is not a whole number from 0 on.

    >>> read_ids("tensor([[9906, 1917]], device='cuda:0')"), read_ids("9906 1917"), read_ids("[7]")
    ([9906, 1917], [9906, 1917], [7])
    >>> read_ids("{'input_ids': [101, 102], 'attention_mask': [1, 1]}")
    [101, 102]
    """
    if len(text) > MAX_CHARS:
        raise UserError(
            f"This text has {len(text):,} characters; ids are read in texts of up to "
            f"{MAX_CHARS:,}. Paste fewer."
        )
    listed = _without_wrappers(_under_key(text))
    if other := _OTHER.search(listed):
        raise UserError(_not_an_id(listed, other.start()))
    numbers = _NUMBER.findall(listed)
    if not numbers:
        raise UserError("There are no ids here. Paste some, such as [9906, 1917].")
    if len(numbers) > MAX_IDS:
        raise UserError(
            f"These are {len(numbers):,} ids; at most {MAX_IDS:,} are read at a time. Paste fewer."
        )
    longest = max(numbers, key=len)
    if len(longest) > MAX_DIGITS:
        raise UserError(
            f"“{longest[:20]}…” has {len(longest):,} digits, which is too many for an id. Put "
            "spaces or commas between the ids."
        )
    if lists := _num_lists(listed):
        raise UserError(
            f"These are {lists:,} lists of ids, one for each text. Paste one of them at a time."
        )
    return list(map(int, numbers))


def looks_like_ids(text: str) -> bool:
    """Return whether a text probably consists of ids: a list of them, or several numbers.

    >>> [looks_like_ids(text) for text in ("[9906]", "9906 1917", "9906", "in 1917", "tensor([1])")]
    [True, True, False, False, True]
    """
    start = text[:_GLANCE]
    if not _NUMBER.search(start):
        return False
    if len(text) > _GLANCE and not _KEY.search(start):  # most long texts are told by their start
        words = start.rpartition(" ")[0]
        if _OTHER.search(_without_wrappers(words)):
            return False
    try:
        ids = read_ids(text)
    except UserError:
        return False
    return len(ids) > 1 or bool(_BRACKETS.search(start))


def write_ids(ids: Sequence[int], form: str) -> str:
    """Return the ids in one of the `FORMS`.

    >>> [write_ids([1, 2], form) for form in FORMS]
    ['ids = [1, 2]', '[1,2]', '1 2']
    """
    if form == "json":
        return json.dumps(list(ids), separators=(",", ":"))
    return f"ids = {list(ids)}" if form == "python" else " ".join(map(str, ids))


def _under_key(text: str) -> str:
    """Return the list under a key such as `input_ids`, or the whole text."""
    found = _KEY.search(text)
    if not found:
        return text
    depth = 0
    for bracket in _BRACKETS.finditer(text, found.end()):
        depth += 1 if bracket[0] in _OPENING else -1
        if depth <= 0:
            return text[found.end() : bracket.end() if not depth else bracket.start()]
    return text[found.end() :]


def _without_wrappers(text: str) -> str:
    """Return a text without what a printed array or tensor has besides its numbers."""
    return _OPTIONS.sub(" ", _WRAPPERS.sub(" ", _SCALARS.sub(r"\1", text)))


def _num_lists(listed: str) -> int:
    """Return the number of lists with ids, if there are several; 0 for one list, or none."""
    inner = [match for match in _INNER.finditer(listed) if _NUMBER.search(match[0])]
    outside = bool(_NUMBER.search(_INNER.sub(" ", listed)))
    return len(inner) + outside if len(inner) > 1 or (inner and outside) else 0


def _not_an_id(listed: str, at: int) -> str:
    """Return a sentence on the first word that is not an id."""
    before = _WORD_START.search(listed[max(at - 40, 0) : at])
    start = at - len(before[0]) if before else at
    found = _WORD.match(listed, start)
    word = found[0] if found else listed[at]
    quoted = f"“{word[:40]}…”" if len(word) > 40 else f"“{word}”"
    if word.startswith(("...", "…")):
        return (
            "The list is shortened: “...” stands for ids that were not printed. Print all of them, "
            "for example with ids.tolist(), and paste them again."
        )
    if word == str(IGNORED):
        return (
            f"{IGNORED} is not an id: training code writes it where no loss is counted. Delete it "
            "and read the others."
        )
    if regex.fullmatch(r"[-−][0-9]+", word):
        return f"{quoted} is negative; ids start at 0. Correct it or delete it."
    if word.isdigit() and not word.isascii():
        return f"{quoted} is not written in the digits 0 to 9. Write it in these."
    return (
        f"{quoted} is not an id: ids are whole numbers from 0 on. Paste them with spaces or commas "
        "between them, such as [9906, 1917]."
    )
