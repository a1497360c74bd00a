"""What a person is given to start from: texts."""
