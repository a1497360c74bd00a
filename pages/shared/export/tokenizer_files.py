"""Export a trained tokenizer in other programs' formats, if the format can hold it."""

from pages.shared.export.catalog import ExportItem, MakeFile
from tokenizers import bpe, unigram, wordpiece
from tokenizers.bpe import superwords
from tokenizers.errors import UserError
from tokenizers.formats.sentencepiece_writer import write_model, write_vocab
from tokenizers.formats.tiktoken import write_tiktoken
from tokenizers.formats.tokenizer_json_writer import write_tokenizer_json
from tokenizers.formats.vocab_merges import write_vocab_merges
from tokenizers.formats.vocab_txt import write_vocab_txt

Model = bpe.Model | wordpiece.Model | unigram.Model


def items(model: Model) -> tuple[ExportItem, ...]:
    """Return a model's files, first tokenizer.json, then the formats native to the algorithm."""
    first = _item("tokenizer.json", lambda: write_tokenizer_json(model), "Hugging Face’s library")
    match model:
        case superwords.Model():
            return (_item("tokenizer.json", _refuse, "Hugging Face’s library"),)
        case bpe.Model():
            return (
                first,
                _item("vocab.json", lambda: write_vocab_merges(model)[0], "GPT-2 and its like"),
                _item("merges.txt", lambda: write_vocab_merges(model)[1], "GPT-2 and its like"),
                _item("trained.tiktoken", lambda: write_tiktoken(model), "tiktoken"),
            )
        case wordpiece.Model():
            return (first, _item("vocab.txt", lambda: write_vocab_txt(model), "BERT and its like"))
        case unigram.Model():
            return (
                first,
                _item("trained.model", lambda: write_model(model), "SentencePiece"),
                _item("trained.vocab", lambda: write_vocab(model), "people: pieces and scores"),
            )


def _refuse() -> bytes:
    raise UserError(
        "A tokenizer.json has no rule for merges that cross spaces as here, line by line. Set "
        "Merges may cross spaces to Never to get one."
    )


def _item(name: str, make: MakeFile, reader: str) -> ExportItem:
    label = f"The tokenizer as {name.replace('trained', '')}"
    return ExportItem(label, name, make, f"For {reader}.", may_fail=True)
