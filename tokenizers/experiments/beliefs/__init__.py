"""True-or-false beliefs, and the smallest corpora on which they fail."""
