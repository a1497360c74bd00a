"""Readers and writers of tokenizer files, one module per format."""
