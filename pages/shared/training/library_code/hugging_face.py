"""Code that trains with Hugging Face's library `tokenizers` what a run trained.

Normalizers, pre-tokenizers and decoders are those of `tokenizer_json_writer.py`, written as calls.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pages.shared.drawing.phrasing import count_of
from pages.shared.training.library_code import code
from pages.shared.training.library_code.code import Expression, LibraryCode
from pages.shared.training.library_code.ties import other_tie
from tokenizers import bpe, wordpiece
from tokenizers.errors import UserError, user_message
from tokenizers.formats.tokenizer_json_writer import PRE_TOKENIZERS, JsonObject, stages
from tokenizers.record.trace import Trace
from tokenizers.record.unigram_trace import UnigramTrace
from tokenizers.text.corpus import Corpus
from tokenizers.text.encoding import UNK
from tokenizers.text.symbols import METASPACE
from tokenizers.unigram.steps import Finalize
from tokenizers.unigram.training import NOTHING_TO_REMOVE

NAME, INSTALL = "Hugging Face tokenizers", "pip install tokenizers==0.23.3"
TIES, CONVENTION = "smallest_ids", "hugging_face"
_NAMES = (
    "Regex", "Tokenizer", "decoders", "models", "normalizers", "pre_tokenizers", "trainers",
)  # fmt: skip
_USUAL = [("invert", False)]  # arguments that need not be written
_SMALLEST = "the one with the smallest ids"
_END_MARK = (
    "Here the end-of-word mark is a symbol of its own. This library glues its mark to the last "
    "character of a word, which gives other pairs."
)
_SCORE = (
    "This run merges the pair with the highest score. The library’s WordPieceTrainer merges the "
    "most frequent pair, and no other library has a trainer that takes the score."
)
_ENDLESS = (
    "No piece is left that may be removed, and there are still more than you asked for. This page "
    "stops there; the library’s trainer never ends. Ask for more pieces."
)
_RANDOM_ORDER = (
    "The library numbers the characters inside words in an order that changes from run to run, and "
    "ties go by these numbers. So the code gives them their numbers first, as this page does. As "
    "special tokens they would be cut out of every text: the last lines keep only the vocabulary."
)
_UNIGRAM_FIELDS = {
    "vocab_size": "vocab_size",
    "max_piece_length": "max_piece_length",
    "seed_size": "seed_size",
    "sub_iterations": "n_sub_iterations",
    "shrinking_factor": "shrinking_factor",
}
"""The fields of `unigram.Settings` that the library has, with the names that it gives them."""


def merging_code(trace: Trace[Any]) -> LibraryCode:
    """Return the code for a run of BPE or WordPiece."""
    if isinstance(trace.settings, bpe.Settings):
        return _bpe(trace, trace.settings)
    return _wordpiece(trace, trace.settings)


def _bpe(trace: Trace[Any], settings: bpe.Settings) -> LibraryCode:
    reasons, changes = code.corpus_reasons(trace.corpus), dict[str, Any]()
    if settings.base == "end_of_word":
        reasons, changes = [*reasons, _END_MARK], {"base": "characters"}
    if tie := other_tie(trace, TIES, _SMALLEST):
        reasons, changes = [*reasons, tie], changes | {"ties": TIES}
    size = len(trace.model().vocab)
    limit = settings.max_token_length
    arguments: list[tuple[str, Any, str]] = [
        ("vocab_size", size, _size_comment(trace)),
        ("min_frequency", settings.min_count, ""),
    ]
    if limit is not None and len(trace):
        comment = f"the library's limit is one higher: pieces have up to {limit} symbols"
        arguments.append(("max_token_length", limit + 1, comment))
    unk = settings.unk
    if unk is None:
        alphabet = "pre_tokenizers.ByteLevel.alphabet()"
        arguments.append(("initial_alphabet", Expression(alphabet), "all 256 bytes"))
    else:
        arguments.append(("special_tokens", [unk], ""))
    model = f"models.BPE(unk_token={code.literal(unk)})" if unk else "models.BPE()"
    decoder = {"bytes": "ByteLevel()", "metaspace": "Metaspace()"}.get(settings.base, "Fuse()")
    return _code(
        trace.corpus, settings.base, model, decoder, "BpeTrainer", arguments, reasons, changes
    )


def _wordpiece(trace: Trace[Any], settings: wordpiece.Settings) -> LibraryCode:
    corpus, mark = trace.corpus, settings.mark
    reasons, changes = code.corpus_reasons(corpus), dict[str, Any]()
    if settings.by_score:
        reasons, changes = [*reasons, _SCORE], {"rule": "hugging_face", "ties": TIES}
    elif tie := other_tie(trace, TIES, _SMALLEST):
        reasons, changes = [*reasons, tie], {"ties": TIES}
    alphabet = "*first, *inside" if mark else "*first"
    arguments: list[tuple[str, Any, str]] = [
        ("vocab_size", len(trace.model().vocab), _size_comment(trace)),
        ("min_frequency", settings.min_count, ""),
        ("special_tokens", Expression(f"[{code.literal(UNK)}, {alphabet}]"), ""),
        ("continuing_subword_prefix", mark, ""),
    ]
    options = f"unk_token={code.literal(UNK)}, continuing_subword_prefix={code.literal(mark)}"
    copied = ["pre_tokenizer", *(["normalizer"] if corpus.pipeline.normalizers else []), "decoder"]
    after = [
        f"model = models.WordPiece(tokenizer.get_vocab(), {options})",
        "trained, tokenizer = tokenizer, Tokenizer(model)",
        *(f"tokenizer.{name} = trained.{name}" for name in copied),
    ]
    decoder = f"WordPiece(prefix={code.literal(mark)}, cleanup=False)" if mark else "Fuse()"
    return _code(
        corpus, "characters", f"models.WordPiece({options})", decoder, "WordPieceTrainer",
        arguments, reasons, changes, [*_number_characters(corpus, mark)], after, (_RANDOM_ORDER,),
    )  # fmt: skip


def _number_characters(corpus: Corpus, mark: str) -> Iterable[str]:
    """Yield the lines that list the characters, without and with the mark, in our order."""
    words = "counts"
    if corpus.text is not None:
        words, text = "words", "text"
        if corpus.pipeline.normalizers:
            yield "normal = tokenizer.normalizer.normalize_str(text)"
            text = "normal"
        split = f"tokenizer.pre_tokenizer.pre_tokenize_str({text})"
        if PRE_TOKENIZERS[corpus.pipeline.pre_tokenizer]:
            yield f"words = [word for word, _ in {split}]"
        else:
            yield f"words = [{text}]"
    yield f"first = sorted({{letter for word in {words} for letter in word}})"
    if mark:
        marked = f"{code.literal(mark)} + letter"
        yield f"inside = sorted({{{marked} for word in {words} for letter in word[1:]}})"


def unigram_code(trace: UnigramTrace) -> LibraryCode:
    """Return the code for a run of Unigram."""
    settings, corpus = trace.settings, trace.corpus
    reasons, changes = code.corpus_reasons(corpus), dict[str, Any]()
    if names := code.other_fields(settings, CONVENTION, _UNIGRAM_FIELDS):
        reasons.append(code.other_convention(names, "Hugging Face’s UnigramTrainer"))
        changes = {"convention": CONVENTION}
    elif trace.steps and settings.num_pieces <= (least := trace.num_characters):
        reasons.append(
            f"The text has {least:,} different characters, which the library always keeps. Its "
            f"trainer needs room for more: ask for at least {least + 2:,} pieces."
        )
        changes = {"size": least + 2}
    elif trace.stop_reason == NOTHING_TO_REMOVE:
        reasons.append(_ENDLESS)
    arguments = [(theirs, getattr(settings, ours), "") for ours, theirs in _UNIGRAM_FIELDS.items()]
    arguments += [("special_tokens", ["<unk>"], ""), ("unk_token", "<unk>", "")]
    notes = []
    last = trace.steps[-1] if trace.steps else None
    if isinstance(last, Finalize) and len(last.added) > 1:
        notes.append(
            f"The library puts {len(last.added)} characters back in an order that changes from run "
            "to run. Their scores, 0.0001 apart, and their ids change with it."
        )
    decoder = "Metaspace()" if corpus.pipeline.pre_tokenizer == "metaspace" else "Fuse()"
    return _code(
        corpus, "characters", "models.Unigram()", decoder, "UnigramTrainer", arguments,
        reasons, changes, notes=notes,
    )  # fmt: skip


# --- What the three have in common ----------------------------------------------------------------


def _code(
    corpus: Corpus,
    base: str,
    model: str,
    decoder: str,
    trainer: str,
    arguments: list[tuple[str, Any, str]],
    reasons: list[str],
    changes: Mapping[str, Any],
    before: Iterable[str] = (),
    after: Iterable[str] = (),
    notes: Iterable[str] = (),
) -> LibraryCode:
    """Return the code around a trainer; `before` and `after` are lines around the training."""
    try:
        parts = stages(corpus.pipeline.normalizers, corpus.pipeline.pre_tokenizer, base)
    except UserError as error:
        reasons = [*reasons, user_message(error)]
        return LibraryCode(NAME, INSTALL, reasons=tuple(reasons), changes=changes)
    if corpus.text is None and base == "metaspace" and any(" " in w for w in corpus.word_counts):
        reasons = [*reasons, f"The library would write a space inside a word as {METASPACE}."]
    if reasons:
        return LibraryCode(NAME, INSTALL, reasons=tuple(reasons), changes=changes)
    imports, read = code.read_corpus(corpus)
    setup = [f"tokenizer.{key} = {written}" for key, written in _stage_calls(parts, corpus, base)]
    setup_text, later = (setup, []) if corpus.text is not None else _for_counts(setup, base)
    sentences = "[text]"
    if corpus.text is None:
        sentences = "words"
        read = [*read, "words = [word for word, count in counts.items() for _ in range(count)]"]
    main = [
        f"tokenizer = Tokenizer({model})",
        *setup_text,
        *before,
        f"trainer = {code.call(f'trainers.{trainer}', arguments)}",
        f"tokenizer.train_from_iterator({sentences}, trainer)",
        *later,
        f"tokenizer.decoder = decoders.{decoder}",
        *after,
    ]
    show = [f"print(tokenizer.encode({code.literal(code.example_text(corpus))}).tokens)"]
    body = "\n".join([*main, *show])
    used = [name for name in _NAMES if f"{name}." in body or f"{name}(" in body]
    text = code.program([*imports, f"from tokenizers import {', '.join(used)}"], read, main, show)
    return LibraryCode(NAME, INSTALL, text, tuple(notes))


def _for_counts(setup: list[str], base: str) -> tuple[list[str], list[str]]:
    """Return the lines before and after training on words that are counted already.

    While training, nothing may split them again.
    """
    symbols = {
        "bytes": "pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)",
        "metaspace": f"pre_tokenizers.Metaspace({code.literal(METASPACE)}, split=False)",
    }.get(base)
    during = [f"tokenizer.pre_tokenizer = {symbols}"] if symbols else []
    return during, ["# The words were counted already; texts are split:", *setup] if setup else []


def _stage_calls(parts: JsonObject, corpus: Corpus, base: str) -> Iterable[tuple[str, str]]:
    if parts["normalizer"]:
        yield "normalizer", component_call("normalizers", parts["normalizer"])
    if base == "bytes" and corpus.pipeline.pre_tokenizer == "gpt2":
        # The library has that pattern built in.
        yield "pre_tokenizer", "pre_tokenizers.ByteLevel(add_prefix_space=False)"
    elif parts["pre_tokenizer"]:
        yield "pre_tokenizer", component_call("pre_tokenizers", parts["pre_tokenizer"])


def component_call(module: str, part: JsonObject) -> str:
    """Return the call that makes a component which a `tokenizer.json` describes.

    >>> component_call("normalizers", {"type": "Prepend", "prepend": "▁"})
    'normalizers.Prepend(prepend="▁")'
    """
    given = {key: value for key, value in part.items() if key not in ("type", "trim_offsets")}
    if part["type"] == "Sequence":
        (items,) = given.values()
        inner = ", ".join(component_call(module, item) for item in items)
        return f"{module}.Sequence([{inner}])"
    values = []
    if pattern := given.pop("pattern", None):
        ((kind, text),) = pattern.items()
        values.append(f"Regex({code.raw(text)})" if kind == "Regex" else code.literal(text))
    for key in ("content", "behavior"):
        if key in given:
            value = given.pop(key)
            values.append(code.literal(value.lower() if key == "behavior" else value))
    values += [
        f"{key}={code.literal(value)}" for key, value in given.items() if (key, value) not in _USUAL
    ]
    return f"{module}.{part['type']}({', '.join(values)})"


def _size_comment(trace: Trace[Any]) -> str:
    symbols = count_of(len(trace.alphabet), "base symbol")
    also = f" and {trace.settings.unk}" if trace.settings.unk else ""
    return f"{symbols}, {count_of(len(trace), 'merge')}{also}"
