"""The record of a run, which answers for any moment of it."""
