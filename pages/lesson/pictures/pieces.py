"""Build pictures of morphemes and of merges across spaces for lessons; they have no steps."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, takewhile

from lessons.facts.morphemes import MorphemeRow, MorphemesFacts
from lessons.facts.superwords import USUAL, SuperwordRun, SuperwordsFacts
from lessons.format.words import Tokens, count_of, percent
from lessons.pictures.plan import Plan
from lessons.pictures.studies import SuperwordRows
from lessons.texts import LANGUAGES, MORPHEMES
from lessons.trained import open_trained
from pages.lesson.pictures.lesson_picture import STOPPED, HtmlRow, LessonPicture
from pages.shared.drawing.display_text import escape_invisible, html_tiles
from pages.shared.drawing.markup import html, joined
from pages.shared.training.tokenizer_kinds import KINDS
from tokenizers.bpe.superwords import LINES, SuperwordSettings, is_border, words_of
from tokenizers.errors import UserError
from tokenizers.experiments.research import length_max
from tokenizers.lattice.fewest import fewest_pieces
from tokenizers.measures.boundaries import EvaluatedWord, segment_word
from tokenizers.measures.efficiency import renyi_efficiency
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
    for name in wanted.also:
        if report(len(wanted.until) + 1, len(wanted.until) + 1):
            raise UserError(STOPPED)
        rows[name] = _other_run(plan, corpus, name, rows[USUAL])
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
    return _run_of(plan, trace, min(until, len(trace)), title)


def _run_of(plan: Plan, trace: Trace[SuperwordSettings], lifted: int, title: str) -> SuperwordRun:
    model = trace.model()
    counts = trace.state(len(trace)).token_counts
    return SuperwordRun(
        title,
        tuple(trace.step(k) for k in range(1, len(trace) + 1)),
        tuple(trace.num_tokens),
        lifted,
        trace.state(lifted).pair_counts,
        model.encode(plan.input_text).tokens,
        sum(len(model.encode(line).tokens) for line in _passage().splitlines()),
        renyi_efficiency(counts) if counts else 1.0,
    )


def _passage() -> str:
    """Return the passage that no picture learns from."""
    return next(one.text for one in LANGUAGES if one.code == "en")


def _other_run(plan: Plan, corpus: Corpus, name: str, usual: SuperwordRun) -> SuperwordRun:
    """Return the row of one of `OTHER_RULES`, with as many pieces as the usual one."""
    if name == "whole_words":
        trace = Trace.record(corpus, SuperwordSettings(num_merges=plan.settings.merges))
        inside = sum(1 for _ in takewhile(lambda pair: not is_border(*pair), trace.pairs))
        return _run_of(plan, trace, inside, "Between whole words")
    words: Counter[str] = Counter()
    for line, count in corpus.word_counts.items():
        for word in words_of(tuple(line)):
            words["".join(word)] += count
    learned, title = usual.merges, "Only inside words, in the fewest pieces"
    if name == "length_max":
        pieces, _ = length_max.train(words, len(usual.merges))
        learned, title = tuple(pieces), "Length-MAX, in the fewest pieces"
    known = {letter for word in words for letter in word} | {one.token for one in learned}

    def split(text: str) -> Tokens:
        lines = LINES(text).words
        whole = ("".join(word) for line in lines for word in words_of(tuple(line)))
        return tuple(chain.from_iterable(fewest_pieces(one, known) or one for one in whole))

    found = Counter[str]()
    for word, count in words.items():
        for piece in fewest_pieces(word, known) or ():
            found[piece] += count
    elsewhere = sum(len(split(line)) for line in _passage().splitlines())
    tokens, cut, most = sum(found.values()), split(plan.input_text), len(learned)
    even = renyi_efficiency(found) if found else 1.0
    return SuperwordRun(title, learned, (tokens,), most, {}, cut, elsewhere, even)


def _html_superwords(facts: SuperwordsFacts) -> Iterator[HtmlRow]:
    """Yield, for each run, how it splits the training text and another text, and its superwords."""
    for name, row in facts.rows.items():
        caption = f"{row.title} · {count_of(row.tokens, 'token')} of the page, "
        caption += f"{len(row.tokens_of_text):,} of this text"
        yield caption, html_tiles(row.tokens_of_text)
        if name == "length_max":
            steps = row.merges[:MOST_MADE]
            tiles = html_tiles(
                [step.token for step in steps],
                ids=[step.count * len(step.token) for step in steps],
            )
            yield "Its first pieces, with their count × length", tiles
        elif row.superwords:
            steps = row.merges[row.lifted :][:MOST_MADE]
            tiles = html_tiles([step.token for step in steps], ids=[step.count for step in steps])
            yield "Its first merges from there on, with their counts", tiles
