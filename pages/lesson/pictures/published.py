"""Build pictures of published tokenizers for lessons.

They show texts side by side, one word's merges, or the content of vocabularies. This file also
gets models for other pictures. Tokens are displayed as on the page Real tokenizers.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import regex

from lessons.facts.published import MergedWordFacts, PublishedFacts, PublishedRow, WordMerge
from lessons.facts.vocabularies import VocabulariesFacts, VocabularySummary
from lessons.models import MODELS, open_model
from lessons.pictures.plan import Plan
from lessons.texts import LANGUAGES
from pages.bpe.encoding_frames import WordMerging
from pages.lesson.pictures.lesson_picture import INSIDE, HtmlRow, LessonPicture
from pages.lesson.text import html_word
from pages.real.frames import Merging, rules_of, word_recording
from pages.real.stepping import readable
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.words import TokenizedWord, words_of
from tokenizers import wordpiece
from tokenizers.errors import UserError
from tokenizers.lattice import Lattice
from tokenizers.merging.state import merged_token
from tokenizers.progress import ProgressCallback
from tokenizers.runtime.inspection.encoders import ENCODERS, cut_by
from tokenizers.runtime.inspection.segmentation_graph import OTHER_WAYS, graph_of
from tokenizers.runtime.inspection.unreachable import UnreachableTokens, find_unreachable
from tokenizers.runtime.models.wordpiece import WordPiece
from tokenizers.runtime.sentencepiece.unigram import SentencePieceUnigram
from tokenizers.runtime.spelling import Speller
from tokenizers.runtime.tokenizer import LoadedTokenizer
from tokenizers.text.alignment import AlignedText
from tokenizers.text.corpus import Pipeline
from tokenizers.text.symbols import Split

MOST_TILES, LEAST_TILES = 150, 24  # tokens shown in all rows together, and at least in each row
LONGEST_QUOTED = 40  # characters of a text in a caption
SHOWN = 12  # unusual tokens shown for a vocabulary
_LETTER = regex.compile(r"\p{L}")
_NATIVE = {passage.name.lower(): passage.name for passage in LANGUAGES}


# --- Texts side by side ---------------------------------------------------------------------------


def side_by_side(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Encode each text with each model and encoder. Raises UserError if an encoder can't do it."""
    rows = [
        _row(plan, model, name, encoder)
        for name in plan.texts
        for model in plan.models
        for encoder in plan.encoders
    ]
    facts = PublishedFacts(tuple(rows))
    before = [
        (name.replace("_", " ").capitalize(), html_word(text))
        for name, text in facts.texts().items()
    ]
    return LessonPicture(plan, facts, rows=tuple(_html_rows(facts)), preview=tuple(before))


def _row(plan: Plan, model: str, name: str, encoder: str) -> PublishedRow:
    loaded, text = open_model(model), plan.texts[name]
    words = words_of(loaded, text, plan.special)
    graph = graph_of(loaded, text) if not OTHER_WAYS.keys().isdisjoint(plan.encoders) else None
    if graph and encoder in OTHER_WAYS:
        ids = list(graph.ids(graph.other(encoder)))
        tokens = list(map(loaded.token_of, ids))
    else:
        tokens = [token for word in words for token in _tokens(loaded, word, encoder)]
        ids = [loaded.vocab[token] for token in tokens]
    display = Speller(loaded).display_form
    return PublishedRow(
        model,
        name,
        encoder,
        _title(plan, model, name, encoder),
        text,
        tuple(map(display, tokens)),
        tuple(ids),
        tuple([readable(loaded, word.text) for word in words]),
        len(loaded.vocab),
        loaded.decode(ids, skip_special_tokens=False),
        graph.graph.number if graph else 0,
    )


def _tokens(loaded: LoadedTokenizer, word: TokenizedWord, encoder: str) -> Split:
    """Return a word's tokens, spelled as in the model's file; an added token is never split."""
    if encoder == "own" or word.is_added:
        return tuple([piece.text for piece in word.pieces])
    return cut_by(loaded, word.text, encoder)


def _title(plan: Plan, model: str, name: str, encoder: str) -> str:
    """Return a title that distinguishes a row from the others; for a single row, the model."""
    parts = [
        (MODELS[model].title, len(plan.models) > 1),
        (_NATIVE.get(name, name.replace("_", " ")), len(plan.texts) > 1),
        ({**ENCODERS, **OTHER_WAYS}[encoder], len(plan.encoders) > 1),
    ]
    title = " · ".join(part for part, differs in parts if differs) or MODELS[model].title
    return title[0].upper() + title[1:]


def _html_rows(facts: PublishedFacts) -> Iterator[HtmlRow]:
    """Yield for each row a caption, and its tokens with ids as HTML."""
    several, most = len(facts.texts()) > 1, max(MOST_TILES // len(facts.rows), LEAST_TILES)
    for row in facts.rows:
        caption = [f"{row.title}: {count_of(len(row.tokens), 'token')}"]
        caption += [f"for “{row.text}”"] if several and len(row.text) <= LONGEST_QUOTED else []
        caption += [f"the first {most}"] if len(row.tokens) > most else []
        tokens, ids = row.tokens[:most], row.ids[:most]
        yield " · ".join(caption), html_tiles(tokens, ids=ids, label=f"tokens by {row.title}")


# --- One word -------------------------------------------------------------------------------------


def merged_word(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Record the merges in a word. Raises UserError unless the model reads the text as one word."""
    loaded = open_model(plan.models[0])
    model = loaded.model
    assert isinstance(model, Merging)
    words = words_of(loaded, plan.input_text)
    if len(words) != 1 or words[0].is_added:
        parts = ", ".join(f"“{readable(loaded, word.text)}”" for word in words)
        raise UserError(f"this model does not read it as one word, but as {parts}")
    word, display = words[0].text, Speller(loaded).display_form
    rules = rules_of(model, word)
    splits = [tuple(rules.split(k).values()) for k in range(len(rules.steps) + 1)]
    display_splits = [tuple(map(display, split)) for split in splits]
    merges = [
        WordMerge((display(a), display(b)), display(merged_token((a, b))), step.rank, split)
        for step, split in zip(rules.steps, display_splits[1:], strict=True)
        for a, b in [step.pair]
    ]
    facts = MergedWordFacts(
        readable(loaded, word),
        display_splits[0],
        tuple(merges),
        tuple([_waiting(rules, split, display) for split in splits]),
        tuple([display(piece.text) for piece in words[0].pieces]),
        tuple([piece.id for piece in words[0].pieces]),
        tuple(map(display, cut_by(loaded, word, "longest"))),
    )
    return LessonPicture(plan, facts, word_recording(facts.word, word, model, display))


def _waiting(
    rules: WordMerging, split: Split, display: Callable[[str], str]
) -> tuple[tuple[Split, int], ...]:
    """Return the distinct pairs that could be merged, with their ranks, lowest rank first."""
    pairs = dict.fromkeys(pairwise(split))
    found = [(rank, pair) for pair in pairs if (rank := rules.rank_of(pair)) is not None]
    return tuple([(tuple(map(display, pair)), rank) for rank, pair in sorted(found)])


# --- Vocabularies ---------------------------------------------------------------------------------


def vocabularies(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Summarize the models' vocabularies. Raises UserError if the user stops it."""
    inside = {}
    for n, model in enumerate(plan.models):
        inside[model] = _summary(model, plan.input_text)
        if report(n + 1, len(plan.models)):
            raise UserError("it was stopped")
    facts = VocabulariesFacts(inside)
    before = tuple([(one.title, f"{one.size:,} pieces") for one in inside.values()])
    return LessonPicture(
        plan, facts, rows=tuple(_html_vocabularies(facts)), preview=before, hidden_note=INSIDE
    )


def _summary(model: str, text: str) -> VocabularySummary:
    loaded = open_model(model)
    found, display = _reach(model), Speller(loaded).display_form
    with_letters = [shown for token in loaded.vocab if _LETTER.search(shown := display(token))]
    longest = sorted(with_letters, key=lambda token: (-len(token), token))
    used = loaded.encode(text, special="text", add_special_tokens=False).ids
    return VocabularySummary(
        MODELS[model].title,
        len(loaded.vocab),
        len(found.special),
        len(found.partial),
        {
            display(token): tuple(map(display, becomes))
            for token, becomes in found.unreachable.items()
        },
        tuple(longest[:SHOWN]),
        len(set(used)),
    )


@cache
def _reach(model: str) -> UnreachableTokens:
    """Return which of a vocabulary's tokens no text yields; trying all of them takes seconds."""
    return find_unreachable(open_model(model))


def _html_vocabularies(facts: VocabulariesFacts) -> Iterator[HtmlRow]:
    """Yield, for each vocabulary, captions with its counts and some unusual tokens as HTML."""
    for one in facts.summaries.values():
        caption = f"{one.title}: {count_of(one.size, 'piece')}, {one.partial:,} parts of characters"
        yield f"{caption}; the longest with letters", html_tiles(one.longest)
        if one.unreached:
            caption = f"{one.title}: {count_of(len(one.unreached), 'piece')} that no text made"
            step = max(len(one.unreached) // SHOWN, 1)
            yield f"{caption}; some of them", html_tiles([*one.unreached][::step][:SHOWN])


# --- Other pictures with a published model --------------------------------------------------------


def wordpiece_of(plan: Plan) -> wordpiece.Model:
    """Return a published WordPiece model as one of our own models, for lower-case words."""
    model = open_model(plan.models[0]).model
    assert isinstance(model, WordPiece)
    settings = wordpiece.Settings(mark=model.mark)
    return wordpiece.Model(dict(model.vocab), settings, Pipeline((), "bert"))


def lattice_of(plan: Plan) -> Lattice:
    """Return a text's lattice under a published Unigram model, with spaces written as ▁."""
    loaded = open_model(plan.models[0])
    assert isinstance(loaded.model, SentencePieceUnigram)
    text = (
        loaded.normalizer(AlignedText.raw(plan.input_text)).text
        if loaded.normalizer
        else plan.input_text
    )
    return loaded.model.lattice(text)
