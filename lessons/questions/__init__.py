"""Questions about a picture, made from its record, and the judging of answers."""
