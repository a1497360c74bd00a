"""A component of the app, other than the player, and its data in one HTML file."""
