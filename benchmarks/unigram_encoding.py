"""How fast does Unigram encode 100,000 characters of prose, beside SentencePiece?

    python benchmarks/unigram_encoding.py

Compares with SentencePiece 0.2.3, which is written in C++, on the same text with the same 8,000
pieces, which it has learned. Both give pieces, ids and their places in the raw text; how long
SentencePiece takes for ids alone is told as well. Ours runs word by word, which is how Hugging
Face's library does it, and along the whole text as SentencePiece does, to the same ids. All run in
turns, so that a busy machine slows all. ORACLE_PYTHON names the interpreter that has the library.
Leaves out training, and whether results are right: see tests/.
"""

from dataclasses import replace
from statistics import median

from measuring import in_turns, library, options, seconds_of

from tests.parity.corpora import english_prose
from tests.parity.test_unigram_encoding import trained
from tokenizers.unigram import WORDS, encode

NUM_CHARACTERS = 100_000
MOST_TIMES_AS_LONG = 3  # ours, by SentencePiece


def compare(text: str, repeats: int) -> None:
    """Print how long each way takes."""
    theirs, whole = trained("0.2.3", "prose 8,000")
    by_words = replace(whole, convention="hugging_face", pipeline=WORDS)
    with library("sentencepiece_library.py") as encode_there:
        asked = {"model": theirs, "text": text}
        assert encode_there(**asked, answer="ids")["ids"] == list(encode(text, whole).ids)
        runs = {
            "SentencePiece": lambda: encode_there(**asked, answer="offset_mapping")["seconds"],
            "SentencePiece, ids alone": lambda: encode_there(**asked, answer="ids")["seconds"],
            "ours, word by word": lambda: seconds_of(encode, text, by_words),
            "ours, the whole text": lambda: seconds_of(encode, text, whole),
        }
        times = in_turns(runs, repeats)
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
    print(f"asked for: {MOST_TIMES_AS_LONG} at most, word by word")


def main() -> None:
    """Run the benchmark."""
    parser = options(__doc__)
    parser.add_argument("--repeats", type=int, default=15, help="how often each way runs")
    compare(" ".join(english_prose().split())[:NUM_CHARACTERS], parser.parse_args().repeats)


if __name__ == "__main__":
    main()
