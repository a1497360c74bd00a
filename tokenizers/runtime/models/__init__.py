"""The models of Hugging Face's `tokenizer.json` and of tiktoken: how a word becomes pieces.

SentencePiece's own models are in `tokenizers.runtime.sentencepiece`.
"""
