"""Export of a component other than the player as one HTML file."""
