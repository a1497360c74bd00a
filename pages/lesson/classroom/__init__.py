"""Collect a class's answers to a lesson's questions."""
