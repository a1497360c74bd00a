"""A visitor's tokenizer files: read, with what they leave open, and found by a model's name."""
