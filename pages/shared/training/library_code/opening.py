"""Code that opens a tokenizer taken from here, in the library that its file is for."""

from collections.abc import Callable
from dataclasses import dataclass

from pages.shared.training.library_code import code, hugging_face, sentencepiece, tiktoken
from tokenizers import bpe, unigram, wordpiece
from tokenizers.errors import UserError, user_message
from tokenizers.formats.sentencepiece_writer import write_model
from tokenizers.formats.tiktoken import write_tiktoken
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json

TOKENIZER_JSON, MODEL, TIKTOKEN = "tokenizer.json", "trained.model", "trained.tiktoken"
"""The names of the files, as `pages/shared/export/tokenizer_files.py` gives them."""
TRANSFORMERS = "pip install transformers==5.24.0"


@dataclass(frozen=True, slots=True)
class OpeningCode:
    """Code that opens the file `file`; without code, `reason` says why there is no such file."""

    file: str
    library: str
    install: str
    code: str = ""
    reason: str = ""


def opening_code(
    model: bpe.Model | wordpiece.Model | unigram.Model, example: str
) -> tuple[OpeningCode, ...]:
    """Return the code for every file of a model; each encodes the text `example`."""
    shown = code.literal(example)
    json_reason = _reason(lambda: write_tokenizer_json(model))
    unk = model.settings.unk if not isinstance(model, unigram.Model) else model.unk
    given = f", unk_token={code.literal(unk)}" if unk else ""
    found = [
        _opening(
            TOKENIZER_JSON, hugging_face.NAME, hugging_face.INSTALL, json_reason,
            "from tokenizers import Tokenizer",
            f'tokenizer = Tokenizer.from_file("{TOKENIZER_JSON}")',
            f"print(tokenizer.encode({shown}).tokens)",
        ),
        _opening(
            TOKENIZER_JSON, "transformers", TRANSFORMERS, json_reason,
            "from transformers import PreTrainedTokenizerFast",
            f'tokenizer = PreTrainedTokenizerFast(tokenizer_file="{TOKENIZER_JSON}"{given})',
            f"print(tokenizer.tokenize({shown}))",
        ),
    ]  # fmt: skip
    if isinstance(model, unigram.Model):
        release = sentencepiece.RELEASES["sentencepiece"]
        found.append(
            _opening(
                MODEL, sentencepiece.NAME, f"pip install sentencepiece=={release}",
                _reason(lambda: write_model(model)),
                "import sentencepiece as spm",
                f'tokenizer = spm.SentencePieceProcessor(model_file="{MODEL}")',
                f"print(tokenizer.encode({shown}, out_type=str))",
            )
        )  # fmt: skip
    elif isinstance(model, bpe.Model):
        found.append(_tiktoken(model, shown))
    return tuple(found)


def _tiktoken(model: bpe.Model, shown: str) -> OpeningCode:
    reason = _reason(lambda: write_tiktoken(model))
    pattern = tiktoken.PATTERNS.get(model.pipeline.pre_tokenizer)
    if not reason and (pattern is None or model.pipeline.normalizers):
        reason = "tiktoken cleans no text, and splits by one pattern; this run does more."
    return _opening(
        TIKTOKEN, tiktoken.NAME, tiktoken.INSTALL, reason,
        "import tiktoken\nfrom base64 import b64decode",
        f'rows = (line.split() for line in open("{TIKTOKEN}", "rb"))\n'
        "ranks = {b64decode(token): int(rank) for token, rank in rows}\n"
        f"pattern = {code.raw(pattern or '')}\n"
        'tokenizer = tiktoken.Encoding("mine", pat_str=pattern, mergeable_ranks=ranks, '
        "special_tokens={})",
        f"print(tokenizer.encode_ordinary({shown}))",
    )  # fmt: skip


def _opening(
    file: str, library: str, install: str, reason: str, imports: str, opened: str, show: str
) -> OpeningCode:
    text = "" if reason else f"{imports}\n\n{opened}\n{show}"
    return OpeningCode(file, library, install, text, reason)


def _reason(write: Callable[[], object]) -> str:
    """Return why a file cannot be written; "" if it can."""
    try:
        write()
    except UserError as error:
        return user_message(error)
    return ""
