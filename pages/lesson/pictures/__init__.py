"""The pictures in lessons, which workers build, and links to the pages that show the same."""
