"""From raw text to counted words, and from tokens back to text."""
