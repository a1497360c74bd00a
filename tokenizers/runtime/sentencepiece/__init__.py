"""SentencePiece's models, from the bytes of the file to the tokens of a text."""
