"""Controls of WordPiece · Encode for the text and the vocabulary, and the LinMaxMatch panel."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.trained import open_trained
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.short_text import line_input, short_text
from pages.shared.controls.url_state import choice
from pages.shared.drawing.display_text import html_table, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import pretrained_kind
from pages.shared.work import results
from pages.wordpiece import runs
from pages.wordpiece.automaton import COLUMNS, move_rows, walk_graph
from tokenizers import wordpiece
from tokenizers.text.corpus import Pipeline
from tokenizers.text.encoding import Encoding
from tokenizers.wordpiece import top_down

LONGEST_CHANGE = 500  # characters of typed pieces


def inputs(row: DeltaGenerator, default: str) -> tuple[str, Sequence[str], Sequence[str]]:
    """Ask in `row` for a text, for pieces to add and for pieces to remove; return all three."""
    text = short_text("Text to encode", default, key="say", row=row)
    with row:
        more, less = (
            line_input(
                label,
                LONGEST_CHANGE,
                key=key,
                placeholder=f"{label}, as {example}",
                label_visibility="collapsed",
            )
            for label, key, example in (
                ("Add pieces", "add", "fun ##ny"),
                ("Remove pieces", "less", "##ed"),
            )
        )
    return text, more.split(), less.split()


def offer_experiment(row: DeltaGenerator, encoding: Encoding, less: Sequence[str]) -> None:
    """Offer in `row` to do without the longest piece of the text, or to put pieces back."""
    unknown = encoding.unknown()
    known = [token for n, token in enumerate(encoding.tokens) if n not in unknown]
    if less:
        label = "Put them back" if len(less) > 1 else "Put it back"
        row.button(label, on_click=_remove, args=("",))
    elif known:
        longest = max(known, key=len)
        row.button(f"Try without {escape_markdown(longest)}", on_click=_remove, args=(longest,))


def _remove(piece: str) -> None:
    st.session_state["less"] = piece


def load_or_train(
    source: CorpusSource,
    pipeline: Pipeline,
    settings: wordpiece.Settings | top_down.TopDownSettings,
) -> tuple[str, wordpiece.Model]:
    """Return the key of the run that the settings describe, and its tokenizer."""
    if isinstance(settings, wordpiece.Settings):
        if kind := pretrained_kind(source, pipeline, settings):
            pretrained = open_trained(kind)
            assert isinstance(pretrained, wordpiece.Model)
            return results.key_of("ahead", kind), pretrained
        run = results.find_or_train(runs.train, source, pipeline, settings)
        return run.key, run.trace.model()
    key, learned = top_down_run(source, pipeline, settings)
    return key, model_of(learned.vocab, settings, pipeline)


def top_down_run(
    source: CorpusSource, pipeline: Pipeline, settings: top_down.TopDownSettings
) -> tuple[str, runs.TopDownRun]:
    """Return the key of a run of TensorFlow Text's learner, and the run, cached or new."""
    key = results.key_of(source, pipeline, settings)
    doing = "Training: counting the parts of all words …"
    result = results.result_of(key, runs.train_top_down, doing, source, pipeline, settings)
    results.show_notes(result.notes, bool(result.vocab))
    return key, result


def model_of(
    pieces: Sequence[str], settings: top_down.TopDownSettings, pipeline: Pipeline
) -> wordpiece.Model:
    """Return the tokenizer that consists of `pieces`, learned from the top down."""
    vocab = wordpiece.vocabulary(pieces)
    return wordpiece.Model(vocab, wordpiece.Settings(mark=settings.mark), pipeline)


def edit_vocabulary(
    model: wordpiece.Model, more: Sequence[str], less: Sequence[str]
) -> wordpiece.Model:
    """Return the model with the pieces `more` added and `less` removed, and ids renumbered."""
    if not more and not less:
        return model
    kept = [piece for piece in model.vocab if piece not in set(less)]
    vocab = wordpiece.vocabulary([*kept, *more])
    added, removed = len(vocab.keys() - model.vocab.keys()), len(model.vocab.keys() - vocab.keys())
    idle = len({*more, *less}) - added - removed
    text = f"{count_of(added, 'piece')} added, {removed:,} removed; ids are renumbered."
    if idle:
        text += f" {count_of(idle, 'piece')} made no difference."
    st.caption(text)
    return replace(model, vocab=vocab)


def render_automaton(words: Sequence[str], model: wordpiece.Model) -> None:
    """Draw LinMaxMatch's walk for a word that the user selects, and list the moves."""
    options = {word: show_spaces(word) for word in words}
    if not options:
        st.caption("Type a text above to see the walk for each of its words.")
        return
    word = choice("Word", options, next(iter(options)), key="walk")
    letters = model.letters(word)
    if letters is None:
        st.caption(f"Words longer than {model.max_word_length:,} characters are not tried.")
        return
    machine = model.automaton()
    graph, drawn = walk_graph(machine, letters)
    rows = move_rows(machine, letters)
    st.caption(_explanation(word, model, len(letters), len(rows)))
    # One container per word, because updating a chart in place takes more than a second.
    with st.container(key="walk-drawn"), st.container(key=f"walk of {options[word]}"):
        alt = f"The path of {options[word]} through the automaton."
        st.graphviz_chart(graph, width="content", alt=alt)
    if drawn < len(rows):
        st.caption(f"The first {drawn:,} of {len(rows):,} moves are drawn.")
    st.html(html_table("The moves; ↩ is a failure link", COLUMNS, rows))


def _explanation(word: str, model: wordpiece.Model, letters: int, moves: int) -> str:
    tried = sum(len(s.rejected) + (s.piece is not None) for s in wordpiece.word_steps(word, model))
    return (
        "LinMaxMatch finds the same split in one pass. A solid edge reads a letter as long as some "
        "piece continues that way. Where none does, a dashed failure link outputs the pieces that "
        f"are already certain, so no letter is read twice. Here: {count_of(letters, 'letter')} and "
        f"{count_of(moves, 'move')}, instead of {count_of(tried, 'candidate')} looked up."
    )
