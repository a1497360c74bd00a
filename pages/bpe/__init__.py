"""BPE: training and encoding, stepped."""
