"""The runtime for all tokenizers that are read from files, whatever the file format.

Read `tokenizer` first; it shows a loaded tokenizer's components and how a text passes through them.
Each kind of component has a module or a package: `normalizers`, `pre_tokenizers`, `models`,
`post_processors`, `decoders`, `added_tokens`. `inspection` asks what else a vocabulary could do.
Component classes are named as in Hugging Face's library, so a name such as `ByteLevel` occurs once
per kind; the app shows these names. `tokenizers.formats` reads and writes the files.
"""
