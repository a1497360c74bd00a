"""Recorded training runs, which can be read as of any step."""
