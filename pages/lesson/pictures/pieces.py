"""Build pictures of morphemes and of merges across spaces for lessons; they have no steps."""

from collections.abc import Iterator

from lessons.facts.morphemes import MorphemeRow, MorphemesFacts
from lessons.facts.superwords import USUAL, SuperwordRun, SuperwordsFacts
from lessons.format.words import count_of, percent
from lessons.pictures.plan import Plan
from lessons.pictures.studies import SuperwordRows
from lessons.texts import LANGUAGES, MORPHEMES
from lessons.trained import open_trained
from pages.lesson.pictures.lesson_picture import STOPPED, HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html, joined
from pages.shared.training.tokenizer_kinds import KINDS
from tokenizers.bpe.superwords import LINES, SuperwordSettings
from tokenizers.errors import UserError
from tokenizers.measures.boundaries import EvaluatedWord, segment_word
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.text.corpus import Corpus

MOST_MADE = 10  # pieces that are shown for a run
MOST_WORDS = 10  # words that are shown, with their cuts, in a row


# --- Morphemes ------------------------------------------------------------------------------------


def morpheme_cuts(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Split words by the plan's pretrained tokenizers, and compare the cuts with the morphemes."""
    known = {"".join(parts): parts for parts in MORPHEMES}
    morphemes = {word: known[word] for word in plan.counts or {}}
    rows: dict[str, MorphemeRow] = {}
    for kind in plan.kinds:
        cuts = {word: segment_word(open_trained(kind), parts) for word, parts in morphemes.items()}
        rows[kind] = MorphemeRow(KINDS[kind].name, cuts)
    facts = MorphemesFacts(morphemes, rows)
    words = ", ".join(morphemes) if len(morphemes) <= MOST_WORDS else ""
    before = (("The words", escape_invisible(words or f"{len(morphemes)} words of our list")),)
    return LessonPicture(plan, facts, rows=tuple(_html_morphemes(facts)), preview=before)


def _html_morphemes(facts: MorphemesFacts) -> Iterator[HtmlRow]:
    """Yield some words' morphemes, then each tokenizer's splits of these words and its scores."""
    every = -(-len(facts.morphemes) // MOST_WORDS)
    words = list(facts.morphemes)[::every]
    of = f"{len(words)} of {len(facts.morphemes)} words: " if every > 1 else ""
    parts = (html_tiles(facts.morphemes[word]) for word in words)
    title = f"{of}the morphemes. A ✓ is under a piece that begins one, ✗ under one that doesn’t"
    yield title, html('<div class="pp-words">{}</div>', joined(parts))
    for row in facts.rows.values():
        found = row.scores
        caption = f"{row.title} · {found.correct:,} of {count_of(found.predicted, 'cut')} right, "
        caption += f"{found.correct:,} of {found.gold:,} boundaries found · "
        caption += f"precision {percent(found.precision)}, recall {percent(found.recall)}, "
        caption += f"F1 {percent(found.f1)}"
        cuts = joined(_html_cut(row.words[word]) for word in words)
        yield caption, html('<div class="pp-words">{}</div>', cuts)


def _html_cut(found: EvaluatedWord) -> str:
    """Return a word's tokens as HTML, with each cut marked as right or wrong."""
    right, drawn = found.boundaries.correct, found.boundaries.predicted
    signs = ["✓" if at in right else "✗" if at in drawn else "\u00a0" for at in found.starts]
    return html_tiles(found.tokens, ids=signs)


# --- Beyond words ---------------------------------------------------------------------------------


def superword_runs(report: ProgressCallback, plan: Plan) -> LessonPicture:
    """Train on a text inside words and across spaces. Raises UserError if the user stops it."""
    wanted: SuperwordRows = plan.settings
    corpus, rows = Corpus.from_text(plan.text or "", LINES), {}
    for n, until in enumerate((wanted.merges, *wanted.until)):
        if report(n, len(wanted.until) + 1):
            raise UserError(STOPPED)
        rows[f"{until}" if n else USUAL] = _run(plan, corpus, until, _run_title(until, not n))
    facts = SuperwordsFacts(plan.input_text, len(plan.text or ""), rows)
    before = (("The text", escape_invisible(plan.input_text)),)
    return LessonPicture(plan, facts, rows=tuple(_html_superwords(facts)), preview=before)


def _run_title(until: int, is_usual: bool) -> str:
    if is_usual:
        return "Only inside words"
    return f"Across spaces after {count_of(until, 'merge')}" if until else "Across spaces at once"


def _run(plan: Plan, corpus: Corpus, until: int, title: str) -> SuperwordRun:
    merges = plan.settings.merges
    settings = SuperwordSettings(num_merges=merges, crossing="after", inside=until)
    trace = Trace.record(corpus, settings)
    merges = tuple(trace.step(k) for k in range(1, len(trace) + 1))
    lifted = min(until, len(trace))
    waiting = trace.state(lifted).pair_counts
    model = trace.model()
    passage = next(one.text for one in LANGUAGES if one.code == "en")
    elsewhere = sum(len(model.encode(line).tokens) for line in passage.splitlines())
    cut = model.encode(plan.input_text).tokens
    left = tuple(trace.num_tokens)
    return SuperwordRun(title, merges, left, lifted, waiting, cut, elsewhere)


def _html_superwords(facts: SuperwordsFacts) -> Iterator[HtmlRow]:
    """Yield, for each run, how it splits the training text and another text, and its superwords."""
    for row in facts.rows.values():
        caption = f"{row.title} · {count_of(row.tokens, 'token')} of the page, "
        caption += f"{len(row.tokens_of_text):,} of this text"
        yield caption, html_tiles(row.tokens_of_text)
        if row.superwords:
            steps = row.merges[row.lifted :][:MOST_MADE]
            tiles = html_tiles([step.token for step in steps], ids=[step.count for step in steps])
            yield "Its first merges from there on, with their counts", tiles
