"""The notebook of programming tasks: the plain code passes, a mistake fails its own check."""

import contextlib
import io
import json
import math
from collections.abc import Callable
from itertools import islice, pairwise
from typing import Any

import nbformat
import pytest
import regex

from lessons.ladder import record, tasks
from pages.teach.ladder_notebook import ladder_notebook
from tests.pages.opening import opened
from tokenizers import plain
from tokenizers.text.pre_tokenizers import GPT2_PATTERN

NAMES = [task.name for task in tasks()]


# --- The solutions, by the plain code -------------------------------------------------------------


def count_pairs(splits, counts):
    return plain.count_pairs(splits, counts)


def merge(split, pair):
    return plain.merge(split, pair)


def train(words, num_merges):
    steps = plain.train_merges([tuple(word) for word in words], list(words.values()))
    return [step[0] for step in islice(steps, num_merges)]


def encode(symbols, merges):
    return plain.encode_bpe(tuple(symbols), {pair: rank for rank, pair in enumerate(merges)})


def byte_symbols(text):
    return [bytes([byte]) for byte in text.encode()]


def decode(tokens):
    return b"".join(tokens).decode(errors="replace")


def split_words(text):
    return regex.findall(GPT2_PATTERN, text)


def encode_gpt2(text, ranks):
    ids = []
    for word in split_words(text):
        parts = byte_symbols(word)
        while pairs := [
            (ranks[one + other], i)
            for i, (one, other) in enumerate(pairwise(parts))
            if one + other in ranks
        ]:
            _, i = min(pairs)
            parts[i : i + 2] = [parts[i] + parts[i + 1]]
        ids += [ranks[part] for part in parts]
    return ids


def encode_special(text, ranks, special):
    if not special:
        return encode_gpt2(text, ranks)
    pattern = "|".join(map(regex.escape, special))
    ids = []
    for part in regex.split(f"({pattern})", text):
        ids += [special[part]] if part in special else encode_gpt2(part, ranks)
    return ids


def longest_match(word, vocabulary):
    return plain.longest_match(word, vocabulary) or ["[UNK]"]


def best_split(word, log_probs):
    best: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}
    for end in range(1, len(word) + 1):
        ways = []
        for start in range(end):
            log_prob = log_probs.get(word[start:end])
            if start in best and log_prob is not None:
                ways.append((best[start][0] + log_prob, (*best[start][1], word[start:end])))
        if ways:
            best[end] = max(ways)
    return best[len(word)][1]


def em_step(words, probs):
    return plain.maximize(plain.expected_counts(words, probs))


SOLUTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        count_pairs, merge, train, encode, byte_symbols, decode, split_words, encode_gpt2,
        encode_special, longest_match, best_split, em_step,
    )
}  # fmt: skip


# --- Mistakes that students make ------------------------------------------------------------------


def counts_each_word_once(splits, counts):
    return plain.count_pairs(splits, [1] * len(counts))


def counts_no_overlap(splits, counts):
    found = {}
    for split, count in zip(splits, counts, strict=True):
        last = None
        for i, pair in enumerate(pairwise(split)):
            if last == (pair, i - 1):
                continue
            found[pair], last = found.get(pair, 0) + count, (pair, i)
    return found


def merges_the_first_only(split, pair):
    for i in range(len(split) - 1):
        if split[i : i + 2] == pair:
            return (*split[:i], "".join(pair), *split[i + 2 :])
    return split


def merges_from_the_right(split, pair):
    parts = list(split)
    for i in range(len(parts) - 2, -1, -1):
        if tuple(parts[i : i + 2]) == pair:
            parts[i : i + 2] = ["".join(pair)]
    return parts


def takes_the_last_of_a_tie(words, num_merges):
    splits = [tuple(word) for word in words]
    steps = plain.train_merges(splits, list(words.values()), ties="largest_string")
    return [step[0] for step in islice(steps, num_merges)]


def trains_one_too_many(words, num_merges):
    return train(words, num_merges + 1)


def merges_the_longest_match(symbols, merges):
    pieces = {"".join(pair) for pair in merges} | set(symbols)
    return plain.longest_match("".join(symbols), pieces, "")


def merges_the_leftmost(symbols, merges):
    split = tuple(symbols)
    while True:
        places = [i for i in range(len(split) - 1) if split[i : i + 2] in merges]
        if not places:
            return split
        i = places[0]
        split = (*split[:i], split[i] + split[i + 1], *split[i + 2 :])


def gives_numbers(text):
    return list(text.encode())


def splits_characters(text):
    return [letter.encode() for letter in text]


def decodes_each_token(tokens):
    return "".join(token.decode(errors="replace") for token in tokens)


def decodes_strictly(tokens):
    return b"".join(tokens).decode()


def splits_at_spaces(text):
    return text.split()


def matches_letters_only(text):
    return regex.findall(r"\p{L}+", text)


def uses_no_pattern(text, ranks):
    parts = byte_symbols(text)
    while pairs := [
        (ranks[a + b], i) for i, (a, b) in enumerate(pairwise(parts)) if a + b in ranks
    ]:
        _, i = min(pairs)
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return [ranks[part] for part in parts]


def takes_the_longest_token(text, ranks):
    ids = []
    for word in split_words(text):
        data = word.encode()
        while data:
            end = max(end for end in range(1, len(data) + 1) if data[:end] in ranks)
            ids.append(ranks[data[:end]])
            data = data[end:]
    return ids


def ignores_special_tokens(text, ranks, special):
    return encode_gpt2(text, ranks)


def always_knows_special_tokens(text, ranks, special):
    return encode_special(text, ranks, {"<|endoftext|>": 50256})


def keeps_known_pieces(word, vocabulary):
    pieces = []
    while word:
        mark = "##" if pieces else ""
        ends = [end for end in range(1, len(word) + 1) if mark + word[:end] in vocabulary]
        pieces.append(mark + word[: max(ends)] if ends else "[UNK]")
        word = word[max(ends, default=1) :]
    return pieces


def takes_the_shortest(word, vocabulary):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocabulary]
        if not ends:
            return ["[UNK]"]
        pieces.append(mark + word[start : min(ends)])
        start = min(ends)
    return pieces


def takes_the_longest_piece(word, log_probs):
    return plain.longest_match(word, log_probs, "")


def tries_every_split(word, log_probs):
    def ways(rest):
        if not rest:
            return [(0.0, ())]
        return [
            (log_probs[rest[:end]] + log_prob, (rest[:end], *more))
            for end in range(1, len(rest) + 1)
            if rest[:end] in log_probs
            for log_prob, more in ways(rest[end:])
        ]

    return max(ways(word))[1]


def counts_the_best_split(words, probs):
    counts = dict.fromkeys(probs, 0.0)
    for word, count in words.items():
        for piece in plain.encode_unigram(word, probs):
            counts[piece] += count
    return plain.shares(counts)


def forgets_to_divide(words, probs):
    return plain.expected_counts(words, probs)


def crashes(*arguments):
    return {}["a"]


MISTAKES = [
    ("count_pairs", counts_each_word_once, "not 1"),
    ("count_pairs", counts_no_overlap, "twice"),
    ("merge", merges_the_first_only, "Join from left to right"),
    ("merge", merges_from_the_right, "Join from left to right"),
    ("train", takes_the_last_of_a_tie, "If pairs tie"),
    ("train", trains_one_too_many, "the record has"),
    ("encode", merges_the_longest_match, "learned earlier"),
    ("encode", merges_the_leftmost, "earliest merge"),
    ("byte_symbols", gives_numbers, "data[i] is a number"),
    ("byte_symbols", splits_characters, "data[i] is a number"),
    ("decode", decodes_each_token, "Join all bytes"),
    ("decode", decodes_strictly, "stops with UnicodeDecodeError"),
    ("split_words", splits_at_spaces, "findall"),
    ("split_words", matches_letters_only, "findall"),
    ("encode_gpt2", uses_no_pattern, "pattern first"),
    ("encode_gpt2", takes_the_longest_token, "lowest id"),
    ("encode_special", ignores_special_tokens, "Cut at the special token"),
    ("encode_special", always_knows_special_tokens, "ordinary text"),
    ("longest_match", keeps_known_pieces, "the whole word is [UNK]"),
    ("longest_match", takes_the_shortest, "longest rest"),
    ("best_split", takes_the_longest_piece, "The sum decides"),
    ("best_split", tries_every_split, "looks up far too many pieces"),
    ("em_step", counts_the_best_split, "share of the split"),
    ("em_step", forgets_to_divide, "share of the split"),
    *[(name, crashes, "stops with KeyError: 'a'") for name in NAMES],
]


def run(written: dict[str, Callable[..., Any]]) -> list[str]:
    """Run all cells, with the functions filled in that are given; return what is printed."""
    names: dict[str, Any] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in json.loads(ladder_notebook())["cells"]:
            if cell["cell_type"] == "code":
                exec(cell["source"], names)
                for name, function in written.items():
                    if f"\ndef {name}(" in f"\n{cell['source']}":
                        names[name] = renamed(function, name)
    return printed.getvalue().splitlines()


def renamed(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    def other(*arguments):
        return function(*arguments)

    other.__name__ = name
    return other


def test_it_is_valid_and_has_no_outputs_and_no_solutions():
    notebook = ladder_notebook()
    nbformat.validate(nbformat.reads(notebook, as_version=4))
    cells = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)
    stubs = [cell["source"] for cell in cells if "write me" in cell["source"]]
    assert len(stubs) == len(NAMES)
    assert "plain" not in "".join(stubs)
    assert len(notebook) < 100_000


def test_it_imports_the_standard_library_and_regex():
    source = "\n".join(cell["source"] for cell in json.loads(ladder_notebook())["cells"])
    imported = set(regex.findall(r"^(?:import|from) (\w+)", source, regex.MULTILINE))
    assert imported == {"copy", "math", "regex"}


def test_every_check_passes_with_the_plain_code():
    printed = run(SOLUTIONS)
    assert [line[0] for line in printed[: len(NAMES)]] == ["✓"] * len(NAMES)
    assert printed[-1] == f"{len(NAMES)} of {len(NAMES)} tasks pass."


def test_an_untouched_notebook_says_that_each_task_is_empty():
    printed = run({})
    for number, (name, line) in enumerate(zip(NAMES, printed, strict=False), start=1):
        assert line.startswith(f"✗ Task {number}. {name} is still empty")
    assert printed[-1] == f"0 of {len(NAMES)} tasks pass."


@pytest.mark.parametrize(("name", "mistake", "said"), MISTAKES)
def test_a_mistake_fails_its_own_check_and_says_where_to_look(name, mistake, said):
    printed = run({**SOLUTIONS, name: mistake})
    signs = {name: line[0] for name, line in zip(NAMES, printed, strict=False)}
    assert signs == dict.fromkeys(NAMES, "✓") | {name: "✗"}
    assert said in printed[NAMES.index(name)]
    assert printed[-1] == f"{len(NAMES) - 1} of {len(NAMES)} tasks pass."


def test_the_examples_in_the_stubs_are_true():
    for task in tasks():
        names = dict(SOLUTIONS) | {"RANKS": record()["encode_gpt2"][0][0][1]}
        example = regex.search(r">>> (.+)\n    (.+)", task.stub)
        if example:
            found, said = (eval(example[n], names) for n in (1, 2))
            if isinstance(said, dict) and any(isinstance(v, float) for v in said.values()):
                assert all(math.isclose(found[key], said[key]) for key in said)
            else:
                assert list(found) == list(said)
    assert sum(">>>" in task.stub for task in tasks()) >= 11


def test_from_the_page_of_teaching():
    app = opened("teach", sheet="ladder")
    assert not app.exception
    (button,) = app.get("download_button")
    assert getattr(button, "label", "") == "Download the notebook"
