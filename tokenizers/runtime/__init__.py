"""Tokenizers read from files: one runtime for all of them, whatever the format.

Read `tokenizer` first: what a loaded tokenizer is made of, and how a text passes through it. Each
kind of part has a module: `normalizers`, `pre_tokenizers`, the models (`bpe`, `wordpiece`,
`unigram`, `word_level`, `byte_bpe`), `post_processors`, `decoders` and `added_tokens`. What reads
and writes the files is in `tokenizers.formats`.
"""
