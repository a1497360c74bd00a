"""What the page of real tokenizers works out: words, films, searches, lives, comparisons.

Held to what the loaded models say, and to a look at every token one by one.
"""

import time
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import regex

from lessons.models import MODELS, open_model
from pages.real import token_history
from pages.real.comparing import compare_vocabularies
from pages.real.frames import rules_of
from pages.real.inputs import FIRST_TEXT
from pages.real.splitting import split_text
from pages.real.stepping import step_word
from pages.real.token_row import default_word
from pages.real.token_row_message import word_numbers
from pages.real.vocabulary import ORDERS, SCRIPTS, TOKEN_FILTERS, Query, VocabularyTable
from pages.shared.training.words import words_of
from tokenizers.bpe import split_after
from tokenizers.formats.opening import open_tokenizer
from tokenizers.runtime.inspection.unreachable import find_unreachable
from tokenizers.runtime.models.bpe import BPE
from tokenizers.runtime.models.byte_bpe import ByteBPE
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.bpe import SentencePieceBPE
from tokenizers.runtime.spelling import Speller, text_of
from tokenizers.runtime.tokenizer import LoadedTokenizer

TEXT = (
    "The unbelievable pneumonoultramicroscopicsilicovolcanoconiosis, 12345 naïve 🧑‍🚀!\n\n"
    "  日本語 नमस्ते <|endoftext|> <s> [SEP] x = {'a': 1}"
)
SMALL = ("unigram-english",)


@pytest.fixture(scope="module")
def browsed() -> dict[str, VocabularyTable]:
    return {name: VocabularyTable(open_model(name)) for name in (*SMALL, "o200k", "cl100k")}


@pytest.mark.parametrize("special", ["control", "text"])
@pytest.mark.parametrize("name", MODELS)
def test_the_words_have_the_ids_of_the_text(name: str, special):
    loaded = open_model(name)
    words = words_of(loaded, TEXT, special)
    encoding = loaded.encode(TEXT, special=special, add_special_tokens=False)
    assert tuple(piece.id for word in words for piece in word.pieces) == encoding.ids
    spans = [span for word in words for span in [word.span]]
    assert spans == sorted(spans)
    assert all(0 <= p.start <= p.end <= len(w.text) for w in words for p in w.pieces)
    assert len(words) > 5


@pytest.mark.parametrize("special", ["control", "text"])
@pytest.mark.parametrize("name", MODELS)
def test_every_token_belongs_to_the_word_it_is_cut_from(name: str, special):
    split = split_text(open_model(name), TEXT, special)
    encoding, words = split.encoding, split.words
    numbers = word_numbers(encoding, words)
    added = [n for n, source in enumerate(encoding.sources) if source < 0]
    assert [n for n, number in enumerate(numbers) if not number] == added
    for n, word in enumerate(words, start=1):
        ids = [id_ for id_, number in zip(encoding.ids, numbers, strict=True) if number == n]
        assert ids == [piece.id for piece in word.pieces]


@pytest.mark.parametrize("name", MODELS)
def test_the_first_word_is_one_that_is_cut_in_an_interesting_way(name: str):
    words = words_of(open_model(name), FIRST_TEXT)
    start, end = words[default_word(words, FIRST_TEXT) - 1].span
    assert "unbelievably" in FIRST_TEXT[start:end]


@pytest.mark.parametrize("name", MODELS)
def test_every_word_can_be_stepped_through(name: str):
    loaded = open_model(name)
    for word in words_of(loaded, TEXT):
        steps = step_word(loaded, word)
        assert steps.recording or steps.notes
        assert bool(steps.notes) == (word.is_added or len(word.text) > 60)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "mistral-v1"])
def test_the_merges_end_in_the_pieces_and_each_has_the_lowest_rank(name: str):
    loaded = open_model(name)
    model = loaded.model
    assert isinstance(model, BPE | ByteBPE | SentencePieceBPE)
    for word in words_of(loaded, TEXT):
        rules = rules_of(model, word.text)
        split = list(rules.symbols)
        for done, step in enumerate(rules.steps):
            ranks = [rules.rank_of(pair) for pair in pairwise(split)]
            assert step.rank == min(rank for rank in ranks if rank is not None)
            split = list(split_after(rules.symbols, rules.steps[: done + 1]))
        known = [piece.text for piece in word.pieces]
        if all(part in model.vocab for part in split) and not rules.is_whole and not word.is_added:
            assert split == known


QUERIES = [
    Query(),
    Query("low"),
    Query("⏎"),
    Query("⏎", is_pattern=True),
    Query("e", is_pattern=True),
    Query(r"^\w+ing$", is_pattern=True),
    Query(r"[^a]s", is_pattern=True),
    Query(r"\s", is_pattern=True),
    Query("a|b", is_pattern=True, least=4, order="longest"),
    *(Query(kind=kind, used={5, 7, 11}) for kind in TOKEN_FILTERS),
    *(Query(script=script) for script in ("Latin", "Han", "no letter")),
    *(Query("t", order=order, least=3) for order in ORDERS),
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
@pytest.mark.parametrize("name", SMALL)
def test_a_search_finds_what_a_scan_of_every_token_finds(browsed, name: str, query: Query):
    pieces, loaded = browsed[name], open_model(name)
    wanted = [n for n in range(len(pieces)) if fits(pieces, loaded, n, query)]
    if query.order != "id":
        sign = -1 if query.order == "longest" else 1
        wanted.sort(key=lambda n: sign * pieces.lengths[n])
    assert pieces.search(query).tolist() == wanted


def test_unreachable_tokens_are_listed_by_themselves():
    pieces = VocabularyTable(open_model("bert-uncased"))
    found = [pieces.tokens[n] for n in pieces.search(Query("unused", kind="unreachable"))]
    assert "[unused0]" in found
    assert "unused" not in found


def test_a_line_break_is_found_as_it_is_written():
    pieces = VocabularyTable(open_model("gpt2"))
    found = pieces.search(Query("⏎"))
    assert [pieces.texts[n] for n in found] == [text for text in pieces.texts if "\n" in text] != []


def fits(pieces: VocabularyTable, loaded: LoadedTokenizer, n: int, query: Query) -> bool:
    text, id_ = pieces.texts[n], int(pieces.ids[n])
    line = text.replace("\n", "⏎")
    is_found = bool(regex.search(query.text, line)) if query.is_pattern else query.text in line
    script = next(
        (
            s
            for s in SCRIPTS
            if (letter := regex.search(r"\p{L}", text))
            and regex.match(rf"\p{{Script={s}}}", letter[0])
        ),
        "",
    )
    if not script:
        script = "another script" if regex.search(r"\p{L}", text) else "no letter"
    key = text.strip().casefold()
    kinds = {
        "any": True,
        "special": id_ in loaded.specials.values(),
        "added": id_ in loaded.added.ids.values(),
        "part": text_of(pieces.spelled[n]) is None,
        "unreachable": query.kind == "unreachable" and is_unreachable(loaded, id_),
        "alike": query.kind == "alike" and key in twins(pieces),
        "used": id_ in query.used,
        "unused": id_ not in query.used,
    }
    return (
        is_found
        and kinds[query.kind]
        and pieces.lengths[n] >= query.least
        and query.script in ("", script)
    )


def is_unreachable(loaded: LoadedTokenizer, id_: int) -> bool:
    found = find_unreachable(loaded).unreachable
    return id_ in {loaded.vocab[token] for token in found}


@cache
def twins(pieces: VocabularyTable) -> set[str]:
    keys = sorted(text.strip().casefold() for text in pieces.texts)
    return {a for a, b in pairwise(keys) if a == b and a}


@pytest.mark.parametrize("pattern", ["(", "a)(b", "[", "(?P<x", "a{9999999999}", "x+" * 250])
def test_an_invalid_pattern_raises_an_error_with_a_message(browsed, pattern: str):
    with pytest.raises(ValueError, match="pattern"):
        browsed["unigram-english"].search(Query(pattern, is_pattern=True))


def test_a_search_of_200_000_follows_the_keys(browsed):
    pieces = browsed["o200k"]
    assert len(pieces) == 200_000
    seconds = []
    for text in ("t", "ti", "tio", "tion", "tiona") * 3:
        began = time.process_time()
        pieces.search(Query(text))
        seconds.append(time.process_time() - began)
    assert np.median(seconds) < 0.1


def test_tokens_spell_their_bytes():
    spell = Speller(open_model("o200k"))
    assert spell("Ġlow") == b" low"
    assert (spell("ðŁ"), spell.display_form("ðŁ")) == (b"\xf0\x9f", "⟨F0 9F⟩")
    assert spell("<|endoftext|>") == b"<|endoftext|>"
    mistral = Speller(open_model("mistral-v1"))
    assert (mistral("▁low"), mistral("<0xC3>")) == (b" low", b"\xc3")
    assert (mistral.display_form("▁low"), mistral("<s>")) == ("▁low", b"<s>")
    assert Speller(open_model("bert-uncased"))("##er") == b"##er"


@pytest.mark.parametrize("name", ["gpt2", "o200k", "mistral-v1"])
def test_the_tree_of_a_token_goes_down_to_its_symbols(name: str):
    loaded = open_model(name)
    token = max(loaded.encode("an unbelievable word").tokens, key=len)
    history = token_history.history_of(loaded, token)
    assert history.id == loaded.vocab[token]
    leaves, queue = [], [token]
    while queue:
        part = queue.pop()
        if part in history.made_by:
            rank, pair = history.made_by[part]
            assert "".join(pair) == part
            assert all(history.made_by[p][0] < rank for p in pair if p in history.made_by)
            queue += pair
        else:
            leaves.append(part)
    assert all(len(leaf) == 1 for leaf in leaves)
    assert "".join(reversed(leaves)) == token


def test_the_history_of_a_token():
    unigram, bert = open_model("unigram-english"), open_model("bert-uncased")
    history = token_history.history_of(unigram, "▁the")
    model: Any = unigram.model
    assert history.score == pytest.approx(model.vocabulary.scores["▁the"])
    assert history.comes_back
    assert not history.made_by
    assert token_history.history_of(bert, "##ing").comes_back is False
    assert token_history.history_of(bert, "[CLS]").comes_back is None
    encoding = bert.encode("the hat, the cat")
    places = token_history.occurrences("the hat, the cat", encoding, bert.vocab["the"])
    assert places == [("", "the", " hat, the cat"), ("the hat, ", "the", " cat")]
    assert token_history.occurrences("the", bert.encode("the"), bert.vocab["[CLS]"]) == []


def test_a_token_is_found_as_written_as_shown_and_by_its_id(browsed):
    pieces = browsed["o200k"]
    for wanted in ("Ġlow", " low", "·low", str(open_model("o200k").vocab["Ġlow"])):
        assert token_history.find(pieces, wanted) == "Ġlow"
    assert token_history.find(pieces, "no such token at all") is None


def test_two_vocabularies_are_compared_by_what_they_spell(browsed):
    first, second = browsed["o200k"], browsed["cl100k"]
    found = compare_vocabularies(first, second)
    one, two = (dict(zip(b.spelled, b.ids.tolist(), strict=True)) for b in (first, second))
    assert found.both == sum(text in two for text in one)
    assert found.moved == sum(two.get(text, id_) != id_ for text, id_ in one.items())
    assert found.only_first == sum(text not in two for text in one)
    assert found.only_second == sum(text not in one for text in two)
    assert all(one[t] == a and two[t] == b and a != b for t, a, b in found.samples_moved)
    assert all(one[text] == id_ and text not in two for text, id_ in found.samples_first)
    same = compare_vocabularies(first, first)
    assert (same.both, same.moved, same.only_first) == (len(first), 0, 0)


def test_a_file_whose_unknown_token_has_another_name_is_stepped_through():
    loaded = open_tokenizer({"vocab.txt": b"[UNK]\nlow\n##er\n##est\n"})
    (word,) = words_of(loaded, "lower")
    assert step_word(loaded, word).recording


def test_wordpiece_says_how_many_pieces_can_match():
    model = open_model("bert-uncased").model
    assert isinstance(model, WordPiece)
    assert model.unk in model.vocab
    assert f"the longest of {len(model.vocab) - 1:,} pieces" in model.describe()
