"""More merges from another text: the vocabulary grows at its end, and no old id changes."""

import streamlit as st

from pages.shared.controls import terms
from pages.shared.controls.markdown import escape_markdown
from pages.shared.drawing.display_text import html_tiles, show_spaces
from pages.shared.drawing.phrasing import count_of
from pages.what_if.two_runs import MoreMerges
from tokenizers import bpe
from tokenizers.bpe.vocabulary_edit import with_more_merges
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

MOST_TILES = 60  # of a text


def extension_panel(trace: Trace, change: MoreMerges) -> None:
    """Show the other text before and after more merges, the new pieces, and the text trained on."""
    model = trace.model()
    corpus = Corpus.from_text(change.text, model.pipeline)
    longer = with_more_merges(model, corpus, change.merges)
    before, after = model.encode(change.text), longer.encode(change.text)
    added = [piece for piece in longer.vocab if piece not in model.vocab]
    made = len(longer.ranks) - len(model.ranks)
    terms.caption(
        f"Training goes on from the {count_of(len(model.ranks), 'merge')} of the run, now with "
        "the pair counts of the other text alone. New merges come after all old ones, so every "
        "piece keeps its id, and a model keeps its vectors."
    )
    if made < change.merges:
        st.caption(f"Only {count_of(made, 'merge')} could be made: then no pair was left.")
    left, right = st.columns(2)
    with left:
        st.markdown("**The other text**")
        for found, name in ((before, "as it is"), (after, f"with {count_of(made, 'merge')} more")):
            st.caption(f"{name.capitalize()}: {count_of(len(found.tokens), 'token')}")
            more = len(found.tokens) - MOST_TILES
            shown = slice(MOST_TILES)
            st.html(html_tiles(found.pieces[shown], ids=found.ids[shown], label=f"tokens {name}"))
            if more > 0:
                st.caption(f"and {count_of(more, 'more token')}")
    with right:
        st.markdown("**The new pieces**")
        st.caption(
            f"{len(model.vocab):,} pieces before, {len(longer.vocab):,} now: "
            f"{count_of(len(added), 'new vector')} to fill."
        )
        ids = [longer.vocab[piece] for piece in added[:MOST_TILES]]
        st.html(html_tiles(added[:MOST_TILES], ids=ids, label="new pieces"))
        st.markdown("**The text of the run**")
        st.caption(escape_markdown(_old_text(trace, model, longer)))


def _old_text(trace: Trace, model: bpe.Model, longer: bpe.Model) -> str:
    """Say how the new merges change the text that the run was trained on."""
    counts = trace.corpus.word_counts
    old, new = ({word: bpe.split_word(word, one) for word in counts} for one in (model, longer))
    before, after = (sum(len(one[w]) * n for w, n in counts.items()) for one in (old, new))
    changed = [word for word in counts if old[word] != new[word]]
    if not changed:
        return f"None of its {count_of(len(counts), 'distinct word')} is split otherwise."
    verb = "is" if len(changed) == 1 else "are"
    return (
        f"{count_of(len(changed), 'word')} of {len(counts):,} {verb} split otherwise, such as "
        f"“{show_spaces(changed[0])}”: {before:,} tokens before, {after:,} after."
    )
