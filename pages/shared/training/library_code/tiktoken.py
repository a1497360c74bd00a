"""Code that trains with tiktoken's educational module what a run of BPE trained."""

from typing import Any

from pages.shared.training.library_code import code
from pages.shared.training.library_code.code import LibraryCode
from pages.shared.training.library_code.ties import other_tie
from tokenizers import bpe
from tokenizers.record.trace import Trace
from tokenizers.text.pre_tokenizers import BY_NUMBERS, GPT2_PATTERN

NAME, INSTALL = "tiktoken", "pip install tiktoken==0.14.0"
TIES = "first_seen"
PATTERNS = {"gpt2": GPT2_PATTERN, **BY_NUMBERS, "spaces": r"\S+", "none": r"(?s:.+)"}
"""What the library's patterns can do of the pre-tokenizers."""
_SLOW = 20_000  # characters; the library counts everything again at every merge


def merging_code(trace: Trace[bpe.Settings]) -> LibraryCode:
    """Return the code for a run of BPE."""
    settings, corpus = trace.settings, trace.corpus
    reasons, changes = code.corpus_reasons(corpus), dict[str, Any]()
    if settings.base != "bytes":
        reasons.append("It trains on bytes only.")
        changes |= {"base": "bytes", "split": "gpt2"}
    if corpus.text is None:
        reasons.append("It reads a text, and this is a table of counts. Choose a text.")
    if corpus.pipeline.normalizers:
        reasons.append("It cleans no text.")
        changes["change"] = []
    if corpus.pipeline.pre_tokenizer not in PATTERNS:
        reasons.append("It splits by one pattern; the way of splitting chosen here is no pattern.")
        changes["split"] = "gpt2"
    if settings.max_token_length is not None and len(trace):
        reasons.append("It has no limit on the length of a piece.")
        changes["longest"] = 0
    if tie := other_tie(trace, TIES, "the one that comes first in the text"):
        reasons.append(tie)
        changes["ties"] = TIES
    if reasons:
        return LibraryCode(NAME, INSTALL, reasons=tuple(reasons), changes=changes)
    imports, read = code.read_corpus(corpus)
    pattern = f"pattern = {code.raw(PATTERNS[corpus.pipeline.pre_tokenizer])}"
    size = f"{256 + len(trace)}, pattern, visualise=None)"
    main = [
        pattern,
        f"ranks = bpe_train(text, {size}  # 256 bytes, {len(trace):,} merges",
        "tokenizer = tiktoken.Encoding(",
        '    "mine", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}',
        ")",
    ]
    show = [
        f"ids = tokenizer.encode_ordinary({code.literal(code.example_text(corpus))})",
        "print([tokenizer.decode_single_token_bytes(id_) for id_ in ids])",
    ]
    used = ["import tiktoken", "from tiktoken._educational import bpe_train"]
    notes = [
        "The ids of single bytes differ: tiktoken numbers them by value, this page and Hugging "
        "Face by their glyphs. Merges have the same ids."
    ]
    if len(corpus.text or "") > _SLOW:
        notes.append("This trainer counts everything again at every merge: it may take minutes.")
    return LibraryCode(
        NAME, INSTALL, code.program([*imports, *used], read, main, show), tuple(notes)
    )
