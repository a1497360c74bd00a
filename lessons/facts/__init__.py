"""What may be asked of a picture: where its moments are, and what its fields say."""
