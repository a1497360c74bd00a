"""Other ways to split a text, on the page of real tokenizers."""
