"""The lessons page."""
