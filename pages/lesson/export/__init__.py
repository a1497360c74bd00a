"""A lesson as one HTML file: its text, its pictures, and its questions, judged in the browser."""
