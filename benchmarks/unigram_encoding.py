"""Time of Unigram encoding of 100,000 characters of prose, compared to SentencePiece.

    python benchmarks/unigram_encoding.py

Compares with SentencePiece 0.2.3, which is written in C++, on the same text with the same 8,000
pieces, which it has trained. Both return pieces, ids and offsets in the raw text; SentencePiece's
time for only ids is printed too. Ours runs word by word, like Hugging Face's library, and along the
whole text, like SentencePiece, which must give the same ids. Nothing is kept from one run to the
next. Times are processor time, of which a busy machine takes less away, since all of these run in
one thread; runs are interleaved. ORACLE_PYTHON is the interpreter with the library.
"""

from dataclasses import replace
from statistics import median

from common import interleave, library, options, processor_seconds_of

from tests.parity.corpora import english_prose
from tests.parity.test_unigram_encoding import trained
from tokenizers.unigram import WORDS, encode

NUM_CHARACTERS = 100_000
MAX_RATIOS = 1.8, 2.2  # ours, by SentencePiece: word by word, the whole text


def compare(text: str, repeats: int) -> None:
    """Print the times of all variants."""
    theirs, whole = trained("0.2.3", "prose 8,000")
    by_words = replace(whole, convention="hugging_face", pipeline=WORDS)
    with library("sentencepiece_library.py") as encode_there:
        request = {"model": theirs, "text": text}
        assert encode_there(**request, answer="ids")["ids"] == list(encode(text, whole).ids)
        runs = {
            "SentencePiece": lambda: encode_there(**request, answer="offset_mapping")["seconds"],
            "SentencePiece, ids alone": lambda: encode_there(**request, answer="ids")["seconds"],
            "ours, word by word": lambda: processor_seconds_of(encode, text, by_words),
            "ours, the whole text": lambda: processor_seconds_of(encode, text, whole),
        }
        times = interleave(runs, repeats)
    of_library = times["SentencePiece"]
    print(f"{len(text):,} characters, {len(whole.log_probs):,} pieces")
    for run, its in times.items():
        print(
            f"{run:26}"
            f"best {min(its) * 1000:5.1f} ms, this / SentencePiece "
            f"{min(its) / min(of_library):5.2f}    "
            f"median {median(its) * 1000:5.1f} ms, this / SentencePiece "
            f"{median(its) / median(of_library):5.2f}"
        )
    words, whole_text = MAX_RATIOS
    print(f"asked for: {words} at most word by word, {whole_text} for the whole text")


def main() -> None:
    """Run the benchmark."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=15, help="how often each way runs")
    compare(" ".join(english_prose().split())[:NUM_CHARACTERS], parser.parse_args().repeats)


if __name__ == "__main__":
    main()
