"""What a page shows of a run, as a list of blocks: drawn in the app, and in one HTML file."""
