"""Tokenizers read from files: one runtime for all of them, whatever the format.

Read `tokenizer` first: the components of a loaded tokenizer, and how a text passes through them.
Each kind of component has a module: `normalizers`, `pre_tokenizers`, the models (`bpe`,
`wordpiece`, `unigram`, `word_level`, `byte_bpe`), `post_processors`, `decoders`, `added_tokens`.
Component classes are named as in Hugging Face's library, so a name such as `ByteLevel` occurs once
per kind; the app shows these names. `tokenizers.formats` reads and writes the files.
"""
