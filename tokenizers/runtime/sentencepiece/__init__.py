"""SentencePiece's models, from the bytes of a `.model` file to the tokens of a text."""
