"""What a segmentation costs, and where two of them agree."""
