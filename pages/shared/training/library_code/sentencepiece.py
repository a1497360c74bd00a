"""Code that trains with SentencePiece what a run of Unigram trained."""

from typing import Any

from pages.shared.training.library_code import code
from pages.shared.training.library_code.code import LibraryCode
from tokenizers.record.unigram_trace import UnigramTrace

NAME = "SentencePiece"
RELEASES = {"sentencepiece": "0.2.3", "sentencepiece_classic": "0.2.1"}
"""For each convention, the release that trains in this way."""
LONGEST_LINE = 10_000_000  # bytes; the library skips longer lines, by default those above 4,192
_FIELDS = {
    "vocab_size": "vocab_size",
    "character_coverage": "character_coverage",
    "seed_size": "seed_sentencepiece_size",
    "max_piece_length": "max_sentencepiece_length",
    "sub_iterations": "num_sub_iterations",
    "shrinking_factor": "shrinking_factor",
}
"""The fields of `unigram.Settings` that the library has, with the names that it gives them."""
_RULES = {
    ("sentencepiece_spaces",): "identity",
    ("nmt_nfkc", "sentencepiece_spaces"): "nmt_nfkc",
}
"""The library's normalization for each choice of normalizers that it has."""
_NOTES = (
    "Its ids are higher by 2, since <s> and </s> come after <unk>.",
    "It rounds every sum to single precision, which can decide between two splits of a text that "
    "are equally probable.",
)
_MERGES = (
    "SentencePiece has a BPE trainer, but of pairs that tie it merges the shortest, then the first "
    "in the alphabet, and it joins no letters of two scripts. No setting here does both."
)


def merging_code() -> LibraryCode:
    """Return why there is no code for BPE."""
    return LibraryCode(NAME, "", reasons=(_MERGES,))


def unigram_code(trace: UnigramTrace) -> LibraryCode:
    """Return the code for a run of Unigram."""
    settings, corpus = trace.settings, trace.corpus
    convention = settings.convention if settings.convention in RELEASES else "sentencepiece"
    install = f"pip install sentencepiece=={RELEASES[convention]}"
    reasons, changes = code.corpus_reasons(corpus), dict[str, Any]()
    if names := code.other_fields(settings, convention, _FIELDS):
        reasons.append(code.other_convention(names, f"{NAME}’s trainer"))
        changes["convention"] = convention
    pipeline = corpus.pipeline
    if pipeline.pre_tokenizer != "metaspace":
        reasons.append(f"{NAME} always splits before each ▁.")
        changes["cut_at"] = "metaspace"
    rule = _RULES.get(pipeline.normalizers)
    if rule is None:
        reasons.append(
            f"{NAME} always trims and joins spaces here, and its other rules are those of nmt_nfkc."
        )
        changes["prepare"] = ["nmt_nfkc", "sentencepiece_spaces"]
    least = len(settings.reserved) + (trace.num_characters if trace.steps else 0)
    if not reasons and settings.vocab_size < least:
        reasons.append(
            f"{NAME} refuses a vocabulary without room for each character of the text. Ask for at "
            f"least {least:,} pieces."
        )
        changes["size"] = least
    if reasons:
        return LibraryCode(NAME, install, reasons=tuple(reasons), changes=changes)
    imports, read = code.read_corpus(corpus)
    lines, more = 'text.split("\\n")', []
    if corpus.text is None:
        lines = "lines"
        read = [*read, 'lines = [f"{word}\\t{count}" for word, count in counts.items()]']
        more = [("input_format", "tsv", "words with their counts")]
    arguments = [
        ("sentence_iterator", code.Expression(f"iter({lines})"), ""),
        ("model_prefix", "trained", "writes trained.model and trained.vocab"),
        ("model_type", "unigram", ""),
        *more,
        *[(theirs, getattr(settings, ours), "") for ours, theirs in _FIELDS.items()],
        ("normalization_rule_name", rule, ""),
        ("max_sentence_length", LONGEST_LINE, "bytes; the default skips longer lines"),
        ("hard_vocab_limit", False, "fewer pieces are no error"),
        ("num_threads", 16, "decides how sums are rounded"),
    ]
    train = [code.call("spm.SentencePieceTrainer.train", arguments)]
    show = [
        'tokenizer = spm.SentencePieceProcessor(model_file="trained.model")',
        f"print(tokenizer.encode({code.literal(code.example_text(corpus))}, out_type=str))",
    ]
    text = code.program([*imports, "import sentencepiece as spm"], read, train, show)
    return LibraryCode(NAME, install, text, _NOTES)
