"""What research asks: the best merges, bytes in patches, a corpus with one count changed."""
