"""What a loaded tokenizer could do otherwise, and what its vocabulary is like."""
