"""Training by merging pairs of symbols, which BPE and WordPiece share."""
