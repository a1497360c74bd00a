"""Counts of the operations of the algorithms, and how they grow."""
