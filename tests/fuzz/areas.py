"""Hostile input: one function for each part of the program, which draws its own.

Results are discarded: other tests check them. Here each call must return or raise a UserError.
"""

import io
import random
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import fields
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pandas as pd
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

import lessons
from lessons import stops
from lessons.format.reading import FRONT_KEYS, STOP_KEYS, read_lesson, slug_of
from lessons.models import MODELS, read_files
from lessons.pictures import planning
from lessons.texts import PIPELINES, TEXTS, VOCABULARIES
from pages.bpe import runs as bpe_runs
from pages.compare import selection
from pages.lattice import inputs
from pages.lesson.browser.question_json import question_json
from pages.lesson.pictures import build_pictures
from pages.pipeline.stage_trace import trace_stages
from pages.real.chat.speakers import render_chat
from pages.shared.controls.unigram_settings import CONTROLS, parts_of_settings
from pages.shared.corpus import uploads
from pages.shared.training import source as training_source
from pages.shared.training.isolation import in_worker
from pages.shared.training.tokenizer_kinds import KINDS, train_kind
from pages.unigram import comparison
from pages.unigram import runs as unigram_runs
from pages.wordpiece import runs
from tests.fuzz import drawing, templates
from tests.fuzz.chapters import CHAPTERS
from tokenizers import bpe, unigram, wordpiece
from tokenizers import lattice as lattice_module
from tokenizers.errors import UserError
from tokenizers.experiments.research import corpus_edit
from tokenizers.formats.opening import open_tokenizer
from tokenizers.formats.schemes import CUSTOM, SCHEMES, Scheme, read_specials
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.lattice import n_best, sampling
from tokenizers.measures import agreement, coverage, metrics, rulers, stability
from tokenizers.progress import ProgressCallback
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text import encoding as encodings
from tokenizers.text import symbols
from tokenizers.text.counts import read_counts, write_counts
from tokenizers.text.normalizers import NORMALIZERS
from tokenizers.text.pre_tokenizers import PRE_TOKENIZERS
from tokenizers.unigram.sentencepiece_parity.n_best import sentencepiece_n_best
from tokenizers.unigram.settings import CONVENTIONS, Settings, convention_settings
from tokenizers.wordpiece import top_down

Area = Callable[[Random, ProgressCallback], Any]


def merging(rng: Random, report: ProgressCallback) -> None:
    """BPE and WordPiece: train, look at a state of the run, change a count, encode."""
    kind = rng.choice((bpe.Settings, wordpiece.Settings))
    settings = drawing.settings(kind, rng)
    trace = Trace.record(drawing.corpus(rng), settings, lambda done, _: report(done, 100))
    k = rng.randint(0, len(trace))
    state = trace.state(k)
    assert sum(state.token_counts.values()) == trace.num_tokens[k]
    assert len(state.splits) == len(trace.words)
    if k and isinstance(settings, bpe.Settings):
        state.pairs_with_count(trace.step(k).count)
    elif k:
        wordpiece.tied_pairs(trace.state(k - 1), trace.pairs[k - 1], settings)
    model = trace.model(k)
    _encode(rng, model)
    if trace.words and rng.random() < 0.3:
        word = rng.choice((rng.choice(trace.words), drawing.text(rng, 6)))
        corpus_edit.scan(trace, word, [drawing.whole(rng)])
        if len(trace.words) < 30:
            corpus_edit.bisect(trace, word, None, rng.choice((1, 10, 100)))


def dropout(rng: Random, report: ProgressCallback) -> None:
    """BPE-dropout."""
    trace = Trace.record(drawing.corpus(rng), bpe.Settings(base=rng.choice(symbols.BASES)))
    chance = drawing.settings(bpe.Dropout, rng)
    encoding = bpe.encode(drawing.text(rng), trace.model(), chance)
    encodings.decode(encoding.ids, trace.model())


def top_down_training(rng: Random, report: ProgressCallback) -> None:
    """TensorFlow Text's trainer, and its recording."""
    settings = drawing.settings(top_down.TopDownSettings, rng)
    runs.train_top_down(report, _source(rng), drawing.pipeline(rng), settings)


def recordings(rng: Random, report: ProgressCallback) -> None:
    """The work of a worker for the pages of BPE and WordPiece."""
    settings = drawing.settings(rng.choice((bpe.Settings, wordpiece.Settings)), rng)
    word = drawing.text(rng, 6)
    train: Any = bpe_runs.train if isinstance(settings, bpe.Settings) else runs.train
    run = train(report, _source(rng), drawing.pipeline(rng), settings, word)
    text = drawing.text(rng)
    if isinstance(settings, bpe.Settings):
        bpe_runs.encode_bpe(report, text, run.trace.model(), None)
    else:
        runs.encode_wordpiece(report, text, run.trace.model())


def unigram_settings(rng: Random) -> Settings:
    """Draw settings of Unigram: those of a convention with some or all choices changed."""
    values = drawing.some_values(Settings, rng, rng.choice((0.05, 0.2, 1.0)))
    values["vocab_size"] = drawing.whole(rng)
    name = values.pop("convention", None) or rng.choice(list(CONVENTIONS))
    return convention_settings(name if name in CONVENTIONS else "textbook", **values)


def unigram_core(rng: Random, report: ProgressCallback) -> None:
    """Unigram: train over all settings, then split a text with the result."""
    settings = unigram_settings(rng)
    trace = UnigramTrace.record(drawing.corpus(rng), settings, report)
    if not trace.steps:
        return
    pieces = trace.state(rng.randint(1, len(trace)))
    fallback = rng.random() < 0.3
    model = unigram.Model(
        unigram.vocabulary(pieces, fallback),
        pieces,
        pipeline=drawing.pipeline(rng),
        byte_fallback=fallback,
        convention=rng.choice(unigram.CONVENTIONS),
    )
    _encode(rng, model)
    _lattice(rng, model.lattice(drawing.text(rng, 12).replace("\ud800", "").replace("\udfff", "")))


def unigram_recordings(rng: Random, report: ProgressCallback) -> None:
    """The work of a worker for the pages of Unigram, and the losses side by side."""
    settings = unigram_settings(rng)
    source, pipeline = _source(rng), drawing.pipeline(rng)
    parts_of_settings(settings)
    run = unigram_runs.train_unigram(report, source, pipeline, settings, drawing.text(rng, 6))
    if not run.trace.steps:
        return
    before = comparison.find_pruning(run.trace, rng.randint(1, len(run.trace)))
    if before:
        comparison.prune_by_each_loss(report, before, run.trace.settings)
    comparison.compare_rounds(run.trace, run.trace)


def lattices(rng: Random, report: ProgressCallback) -> None:
    """Lattices of any pieces: best paths, sums, samples, the n best."""
    parts = [drawing.text(rng, rng.choice((1, 2, 4))) for _ in range(rng.randint(0, 10))]
    logs = (0.0, -0.5, -1.0, -30.0, -1e6, float("-inf"))
    pieces = {part: rng.choice(logs) for part in parts if part}
    text = "".join(rng.choice(parts or ["a"]) for _ in range(4))[:20]
    _lattice(rng, lattice_module.Lattice.build(text, pieces, rng.choice((None, -10.0, -1e6))))


def candidates(rng: Random, report: ProgressCallback) -> None:
    """The tokenizers that pages compare, and the stages of a text."""
    kind = rng.choice(list(KINDS))
    pipeline = rng.choice((None, drawing.pipeline(rng)))
    learned = train_kind(
        report, _source(rng), kind, drawing.whole(rng), pipeline, rng.choice((None, 3))
    )
    model = learned.model(drawing.whole(rng))
    _encode(rng, model)
    trace_stages(drawing.text(rng), model, tuple(rng.sample(("unk", "ids", "words"), 1)))


def counts(rng: Random, report: ProgressCallback) -> None:
    """Tables of words and counts, as CSV and as Parquet, whole and broken."""
    words = {drawing.text(rng, 8): drawing.whole(rng) for _ in range(rng.randint(0, 6))}
    good = {word: n for word, n in words.items() if word and n > 0 and "\ud800" not in word}
    good = {word: n for word, n in good.items() if "\udfff" not in word and n < 10**6}
    assert read_counts(write_counts(good)) == good
    read = rng.choice((_read_csv, _read_bytes, _read_parquet, _read_parquet))
    read(rng, words)


def _read_csv(rng: Random, words: Mapping[str, int]) -> None:
    read_counts(drawing.broken(write_counts(words), rng))


def _read_bytes(rng: Random, words: Mapping[str, int]) -> None:
    written = write_counts(words).encode(rng.choice(("utf-8", "utf-16", "utf-8-sig")), "replace")
    read = rng.choice((uploads.table_of_file, uploads.text_of_file))
    read(drawing.broken_bytes(written, rng), rng.choice(("words.csv", "a.txt", "")))


def _read_parquet(rng: Random, words: Mapping[str, int]) -> None:
    content = drawing.broken_bytes(rng.choice(_parquet_files()), rng)
    try:
        _apart().submit(uploads.table_of_file, content, "words.parquet").result()
    except BrokenProcessPool:
        _apart.cache_clear()
        raise UserError("Reading the table has ended the process.") from None


@cache
def _apart() -> ProcessPoolExecutor:
    """Return a process to read in, as the app has one: pyarrow ends it at some damaged files."""
    return ProcessPoolExecutor(1, get_context("spawn"))


@cache
def _parquet_files() -> list[bytes]:
    """Return small files, of which some columns are not what they should be."""
    lists, dates = [["a"], ["b", "c"]], pd.to_datetime(["2020-01-01", None])
    columns: list[dict[str, Any]] = [
        {"word": ["low", "lower"], "count": [5, 2]},
        {"word": ["low", None], "count": [5.0, float("nan")]},
        {"count": ["5", "x"], "Word ": ["a\tb", "\n"], "more": [1, 2]},
        {"word": lists, "count": [1, 2]},
        {"word": ["a", "b"], "count": dates},
        {"word": [b"\xff", b"a"], "count": [True, False]},
        {"letters": ["a"]},
    ]
    files = []
    for table in columns:
        file = io.BytesIO()
        pd.DataFrame(table).to_parquet(file)
        files.append(file.getvalue())
    return files


def files(rng: Random, report: ProgressCallback) -> None:
    """Tokenizers' files, whole or broken, on texts and ids that break things."""
    draw = rng.choice((_trained_files, _trained_files, _published_files, _cut_files))
    read, scheme = draw(rng), _scheme(rng) if rng.random() < 0.5 else None
    if rng.random() < 0.7 or draw is not _cut_files:
        broken = rng.choice(list(read))
        read = read | {broken: drawing.broken_bytes(read[broken], rng)}
    loaded = open_tokenizer(read, scheme, rng.choice((None, True, False)))
    text = drawing.text(rng)
    loaded.stages(text)
    encoding = loaded.encode(text)
    unknown = [drawing.whole(rng)] if rng.random() < 0.1 else []
    loaded.decode([*encoding.ids, *unknown], rng.random() < 0.5)


def _trained_files(rng: Random) -> dict[str, bytes]:
    """Return the tokenizer.json of a small model: what breaks in it is seldom its vocabulary."""
    kind = rng.choice((bpe.Settings, wordpiece.Settings))
    trace = Trace.record(drawing.corpus(rng), kind(num_merges=20))
    return {"tokenizer.json": write_tokenizer_json(trace.model()).encode()}


def _published_files(rng: Random) -> dict[str, bytes]:
    return _files_of(rng.choice(list(MODELS)))


@cache
def _files_of(name: str) -> dict[str, bytes]:
    return read_files(name)


def _cut_files(rng: Random) -> dict[str, bytes]:
    """Return the beginning of a published file of another program."""
    path = rng.choice(_CUT_FILES)
    return {path.name: path.read_bytes()}


_CUT_FILES = sorted(
    path
    for path in Path(__file__).parents[1].joinpath("parity/fixtures/files").iterdir()
    if path.suffix != ".LICENSE"
)


def _scheme(rng: Random) -> Scheme:
    """Return a published scheme, or one by hand."""
    if rng.random() < 0.5:
        return rng.choice(list(SCHEMES.values()))
    pattern = rng.choice((r"\p{L}+|\s{1,2}+$", "(", "(a|a)*b", drawing.text(rng, 9)))
    lines = [f"{drawing.text(rng, 5)} {rng.randrange(10**6)}" for _ in range(rng.randint(0, 3))]
    return Scheme(CUSTOM, pattern, read_specials("\n".join(lines)))


def urls(rng: Random, report: ProgressCallback) -> None:
    """URL values, well-formed or not."""
    written = drawing.broken(
        rng.choice(("bpe.prose.300,words.own", "hell 0.2 lo 3/16", "1 0.9")), rng
    )
    for read in (selection.parse, describe_convention):
        read(written)
    rng.choice((inputs.parse_changes, inputs.parse_prior))(written)


def settings_urls(rng: Random, report: ProgressCallback) -> None:
    """URL parameters with values, valid or not, for the controls of the sidebar."""
    algorithm = rng.choice(("for_bpe", "for_wordpiece", "for_unigram"))
    keys = _keys_of(algorithm)
    app = AppTest.from_function(_sidebar, args=(algorithm,), default_timeout=20)
    for key in rng.sample(keys, rng.choice((1, 2, 5))):
        value = _random_value(key, rng)
        app.query_params[key] = value.encode("utf-8", "replace").decode()  # as a URL holds it
    _ran(app)
    if app.exception:
        raise AssertionError([error.message for error in app.exception], app.query_params)


def _ran(app: AppTest) -> AppTest:
    """Run it, but look through all installed packages only once: it takes longer than the rest."""
    with patch.object(manifest_scanner, "scan_component_manifests", _components):
        return app.run()


_components = cache(manifest_scanner.scan_component_manifests)


def _sidebar(algorithm: str) -> None:
    from pages.shared.controls import settings, url_state
    from pages.shared.corpus.corpus_picker import corpus_defaults

    url_state.begin_page(algorithm)
    getattr(settings, algorithm)(corpus_defaults("own"))


@cache
def _keys_of(algorithm: str) -> list[str]:
    """Return the URL parameters of the controls of the sidebar."""
    app = _ran(AppTest.from_function(_sidebar, args=(algorithm,), default_timeout=20))
    kinds = ("selectbox", "number_input", "text_input", "toggle", "button_group")
    return sorted({one.key for kind in kinds for one in app.get(kind) if one.key})


def _random_value(key: str, rng: Random) -> str:
    names = [one.options for one in CONTROLS if one.key == key and one.options]
    known = [*(names[0] if names else ()), *PRE_TOKENIZERS, *NORMALIZERS, *CONVENTIONS]
    wild = ("inf", "nan", "-0", "1e9", "9" * 400, "true", ",,", "٣", "", drawing.text(rng, 8))
    if rng.random() < 0.3:
        return rng.choice(wild)
    return rng.choice(list(names[0]) if names else [str(drawing.whole(rng)), rng.choice(known)])


def describe_convention(written: str) -> str:
    """Describe the convention of that name, if there is one."""
    return (
        " · ".join(parts_of_settings(convention_settings(written, 40)))
        if written in CONVENTIONS
        else ""
    )


def guided_lessons(rng: Random, report: ProgressCallback) -> None:
    """The lessons that there are, broken."""
    _play(rng, drawing.broken(rng.choice(_lessons()), rng), report)


def made_lessons(rng: Random, report: ProgressCallback) -> None:
    """Lessons with drawn pictures and questions, in right TOML."""
    shows = rng.choice(list(planning.KEYS))
    sources = _SOURCES.get(shows, (("text",), ("corpus",), ("counts",)))
    more = [key for key in planning.KEYS[shows] if key not in ("text", "corpus", "counts")]
    keys = {*rng.choice(sources), *rng.sample(more, min(len(more), rng.choice((0, 0, 1, 3))))}
    keys |= {"encode"} & set(planning.KEYS[shows])
    rows = [f"{key} = {_toml(key, rng)}" for key in sorted(keys)]
    kind, values = rng.choice(_questions()[shows])
    asks = [f"{key} = {_toml(key, rng, value)}" for key, value in values.items()]
    stop = [f"ask = {{ {', '.join([f'kind = {kind!r}', *asks])} }}"] * (rng.random() < 0.8)
    stop += ['at = "end"'] * (rng.random() < 0.5)
    stop += [f"{key} = {_toml(key, rng)}" for key in STOP_KEYS if rng.random() < 0.01]
    front = [f"{key} = {_toml(key, rng)}" for key in FRONT_KEYS if rng.random() < 0.02]
    head = ['title = "A"', 'purpose = "B"', *front, "[picture.p]", f"shows = {shows!r}", *rows]
    said = rng.choice(("", "", "{words}", "{count:a+b}", "{split:low}", "{pair}", "{x}", "{:}"))
    text = ["+++", *head, "+++", "", "## One", "", "```stop", *stop, "```", "", f"So {said}", ""]
    _play(rng, "\n".join(text), report)


_CUTS = (("text", "pieces"), ("vocabulary",), ("text", "corpus"), ("text", "counts"))
_SOURCES = {
    "lattice": _CUTS,
    "listing": _CUTS,
    "pipeline": (("text",), ("example",), ("text", "material")),
    "segmentations": (("text",), ("text", "learned"), ("text", "material")),
}
_SUITED: dict[str, Callable[[Random], Any]] = {
    "text": lambda rng: drawing.text(rng, 40),
    "material": lambda rng: drawing.text(rng, 40),
    "encode": lambda rng: drawing.text(rng, 20),
    "corpus": lambda rng: rng.choice(("b1", "b2", *TEXTS)),
    "counts": drawing.counts,
    "vocabulary": lambda rng: rng.choice(list(VOCABULARIES)),
    "example": lambda rng: rng.choice(list(PIPELINES)),
    "model": lambda rng: rng.choice(list(KINDS)),
    "kinds": lambda rng: rng.sample(list(KINDS), 2),
    "learned": lambda rng: rng.choice(("own", *TEXTS)),
    "normalizers": lambda rng: list(drawing.pipeline(rng).normalizers),
    "pre_tokenizer": lambda rng: drawing.pipeline(rng).pre_tokenizer,
    "pieces": lambda rng: rng.choice((["l", "##ow"], {"l": 0.5, "ow": 0.1}, {"a": 20, "b": 1})),
    "prior": lambda rng: rng.choice(({"1": 0.5, "2": 0.5}, {"0": 1}, {"x": 2})),
    "size": drawing.whole,
    "of": lambda rng: rng.choice((100, 1, 0, 0.5)),
}
_WILD = (
    "true", "[]", "{}", "2020-01-01", "[[1, 2], [3]]", "[1, {}]", "nan", "inf", "9" * 5000,
    "[" * 50 + "]" * 50, "[" * 3000 + "]" * 3000, '""', '"\u2028"', "{ low = 0 }",
)  # fmt: skip


def _toml(key: str, rng: Random, usual: Any = None) -> str:
    """Draw a value as TOML writes it: mostly the usual one, or one that suits the key."""
    if rng.random() < 0.03:
        return rng.choice(_WILD)
    if usual is not None and rng.random() < 0.7:
        return _written(usual)
    if key in _SUITED:
        return _written(_SUITED[key](rng))
    for kind in (bpe.Settings, wordpiece.Settings, Settings):
        if key in [field.name for field in fields(kind) if field.init]:
            return _written(drawing.value(kind, key, rng))
    draw = rng.choice((drawing.whole, drawing.number, lambda rng: drawing.text(rng, 6)))
    return _written(draw(rng))


def _written(value: Any) -> str:
    """Return a value as TOML writes it, what cannot be printed as its number."""
    if isinstance(value, str):
        kept = [c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in value]
        return '"' + "".join(kept) + '"'
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_written(k)} = {_written(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return "0" if value is None else str(value).lower()


@cache
def _questions() -> dict[str, list[tuple[str, Mapping[str, Any]]]]:
    """Return by what a picture shows the questions that the lessons ask of such a picture.

    A kind that no lesson asks is there without values, for every picture.
    """
    kinds = {kind for known in stops.QUESTIONS.values() for kind in known}
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = {shows: [] for shows in planning.KEYS}
    for text in _lessons():
        lesson = read_lesson(text, "a")
        for stop in lesson.stops:
            if stop.ask and stop.picture:
                found[lesson.pictures[stop.picture].shows].append((stop.ask.kind, stop.ask.values))
    for asked in found.values():
        asked += [(kind, {}) for kind in sorted(kinds - {kind for kind, _ in asked})]
    return found


def _play(rng: Random, text: str, report: ProgressCallback) -> None:
    lesson = read_lesson(text, slug_of("lesson.md"))
    plans = {name: planning.plan(picture) for name, picture in lesson.pictures.items()}
    stop = rng.choice(lesson.stops)
    wanted = stops.pictures_of(lesson, stop)
    shown = {name: build_pictures.build_picture(report, plans[name]) for name in wanted}
    scene = stops.resolve_stop(stop, {name: one.facts for name, one in shown.items()})
    if scene.question:
        question_json(scene.question)


@cache
def _lessons() -> list[str]:
    folder = Path(lessons.__path__[0]) / "guided"
    return [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))]


# --- What several areas do ------------------------------------------------------------------------


def _source(rng: Random) -> training_source.CorpusSource:
    if rng.random() < 0.2:
        return training_source.CorpusSource(counts=drawing.counts(rng))
    if rng.random() < 0.2:
        return training_source.CorpusSource(write_counts(drawing.counts(rng)), is_table=True)
    return training_source.CorpusSource(drawing.text(rng))


def _encode(rng: Random, model: Any) -> None:
    """Encode a text, measure the result, and decode it."""
    text = drawing.text(rng)
    encoding = model.encode(text)
    if not isinstance(model, unigram.Model):
        encodings.pieces_of(encoding.ids, model.vocab)
    metrics.measure(text, encoding, len(model.vocab))
    rulers.rulers(text, encoding)
    coverage.coverage(text, encoding)
    words = metrics.word_spans(text)
    parts = agreement.tokens_by_word(words, encoding)
    agreement.compare(words, parts, parts)
    for place in stability.letter_positions(text, 1):
        after = model.encode(stability.with_next_letter(text, place))
        stability.edit_distance(encoding.tokens, after.tokens)
    decode = {wordpiece.Model: wordpiece.decode, unigram.Model: unigram.decode}
    if isinstance(model, bpe.Model | wordpiece.Model | unigram.Model):
        ids = [drawing.whole(rng)] if rng.random() < 0.1 else encoding.ids
        decode.get(type(model), encodings.decode)(ids, model)


def _lattice(rng: Random, lattice: lattice_module.Lattice) -> None:
    lattice_module.best_path(lattice)
    lattice_module.num_segmentations(lattice)
    lattice_module.posteriors(lattice)
    lattice_module.entropy(lattice)
    lattice_module.by_length(lattice)
    n = rng.choice((1, 2, 5, 20))
    list(n_best.segmentations(lattice, n))
    sentencepiece_n_best(lattice, max(n, 2), rng.random() < 0.5)
    alpha = drawing.number(rng)
    convention = rng.choice(sampling.CONVENTIONS)
    sampling.Sampler(lattice, alpha, convention).draw(random.Random(1))


def chapters(rng: Random, report: ProgressCallback) -> None:
    """A small module of the core, or the files that it writes."""
    rng.choice(CHAPTERS)(rng)


def chats(rng: Random, report: ProgressCallback) -> None:
    """Hostile chat templates, in the sandbox and within the limits of a worker."""
    source, messages = templates.template(rng), templates.conversation(rng)
    with in_worker():
        chat = render_chat(source, messages, {"bos_token": "<s>"}, rng.random() < 0.5)
    for start, end, number in chat.speeches:
        assert 0 <= start < end <= len(chat.text)
        assert number < len(messages)


AREAS: dict[str, tuple[Area, int]] = {
    "merging": (merging, 4),
    "dropout": (dropout, 1),
    "top_down": (top_down_training, 2),
    "recordings": (recordings, 2),
    "unigram": (unigram_core, 8),
    "unigram_recordings": (unigram_recordings, 2),
    "lattices": (lattices, 2),
    "candidates": (candidates, 2),
    "counts": (counts, 2),
    "files": (files, 1),
    "chats": (chats, 1),
    "urls": (urls, 2),
    "settings": (settings_urls, 1),
    "guided_lessons": (guided_lessons, 1),
    "made_lessons": (made_lessons, 2),
    "chapters": (chapters, 3),
}
"""What is tried, and how often of all."""
