"""The pictures of lessons: what a worker makes of them, and where each has a page of its own."""
