"""How a lesson is written: its file, its prose, and what is said of a mistake."""
