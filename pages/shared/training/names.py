"""The labels of the normalizers."""

NORMALIZERS = {
    "html": "Remove HTML tags",
    "nfc": "Unicode NFC",
    "nfkc": "Unicode NFKC",
    "quotes": "Plain quotes and dashes",
    "nmt_nfkc": "SentencePiece's NFKC",
    "accents": "Remove accents",
    "lower": "Lowercase",
    "spelling": "Correct the spelling",
    "stems": "Stem the words",
    "spaces": "Merge repeated spaces",
    "sentencepiece_spaces": "SentencePiece's spaces",
    "bert": "BERT's cleaning, lower case",
    "bert_cased": "BERT's cleaning, cased",
}
