"""What BPE and WordPiece share: pairs, merges, what one changes, the best of them, and the loop."""
