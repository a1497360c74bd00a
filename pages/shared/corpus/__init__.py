"""The corpus line and what it takes: a text, a table, a file."""
