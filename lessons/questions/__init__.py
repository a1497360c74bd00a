"""Build questions about a picture from its facts, and grade the answers."""
