"""What BPE and WordPiece share: pairs, merges, what a merge changes, and the queue of the best."""
