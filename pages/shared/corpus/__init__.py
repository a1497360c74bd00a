"""The corpus picker, and corpora of the user: a text, a table, a file."""
