"""Measures of a segmentation, and of the agreement between two."""
