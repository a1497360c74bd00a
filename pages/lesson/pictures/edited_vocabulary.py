"""Build pictures of edited vocabularies for lessons; these pictures have no steps."""

from collections.abc import Iterator

from lessons.facts.vocabulary_edit import VocabularyEditFacts, VocabularyRow
from lessons.format.words import Tokens, count_of
from lessons.pictures.plan import Plan
from lessons.pictures.studies import VocabularyEdit
from lessons.trained import LEARNED_FROM, open_trained
from pages.lesson.pictures.lesson_picture import HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.training.run_and_record import train
from pages.shared.training.source import CorpusSource
from tokenizers import bpe
from tokenizers.bpe.vocabulary_edit import WithAddedTokens, with_first_merges, without_pieces
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.progress import ProgressCallback

MOST_GONE = 24  # pieces that are shown


def edited_vocabulary(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Split a text before and after a vocabulary edit. Raises UserError if the edit is invalid."""
    wanted: VocabularyEdit = plan.settings
    model = _model(report, plan)
    before = model.encode(plan.input_text)
    old = VocabularyRow("Before", model.vocab, before.tokens, before.ids)
    new = _changed(model, wanted, plan.input_text)
    by_id = {id_: piece for piece, id_ in new.vocab.items()}
    read = tuple([by_id[id_] for id_ in before.ids if id_ in by_id])
    made: dict[str, Pair] = {}
    for a, b in sorted(model.ranks, key=model.ranks.__getitem__):
        made.setdefault(a + b, (a, b))
    whole = read if len(read) == len(before.ids) else None
    facts = VocabularyEditFacts(
        plan.input_text, {"old": old, "new": new}, whole, wanted.without, made
    )
    before = (("The text", escape_invisible(plan.input_text)),)
    return LessonPicture(plan, facts, rows=tuple(_html_edit(facts)), preview=before)


def _model(report: ProgressCallback, plan: Plan) -> bpe.Model:
    if plan.corpus == LEARNED_FROM:
        model = open_trained("bytes")
        assert isinstance(model, bpe.Model)
        return model
    source = CorpusSource(text=plan.text or "", counts=plan.counts)
    trace, _ = train(report, source, plan.pipeline, plan.settings.base)
    return trace.model()


def _changed(model: bpe.Model, wanted: VocabularyEdit, text: str) -> VocabularyRow:
    if wanted.add:
        if not all(wanted.add):
            raise UserError("an added token is empty; give it a character")
        grown = WithAddedTokens(model, wanted.add)
        return VocabularyRow("With what was added", grown.vocab, *grown.encode(text))
    if wanted.keep is not None:
        title, left = (
            f"With {count_of(wanted.keep, 'merge')}",
            with_first_merges(model, wanted.keep),
        )
    else:
        title = "Without what was taken away"
        left = without_pieces(model, wanted.without, wanted.renumbered)
    found = left.encode(text)
    return VocabularyRow(title, left.vocab, found.tokens, found.ids)


def _html_edit(facts: VocabularyEditFacts) -> Iterator[HtmlRow]:
    """Yield the tokens with ids before and after, the removed pieces, and the old ids reread."""
    for side in facts.rows.values():
        tokens = count_of(len(side.tokens), "token")
        pieces = count_of(len(side.vocab), "piece")
        caption = f"{side.title} · {tokens}, and {pieces} in the vocabulary"
        yield caption, html_tiles(side.tokens, ids=side.ids)
    if facts.gone:
        few: Tokens = facts.gone[:MOST_GONE]
        ids = [facts.rows["old"].vocab[piece] for piece in few]
        more = f", the first {len(few)} of them" if len(few) < len(facts.gone) else ""
        yield f"{count_of(len(facts.gone), 'piece')} gone{more}", html_tiles(few, ids=ids)
    if facts.reread is not None and facts.reread != facts.rows["old"].tokens:
        tiles = html_tiles(facts.reread, ids=facts.rows["old"].ids)
        yield "The old ids, read by the new vocabulary", tiles
