"""What a teacher needs besides the lessons: notes, plans for an hour, a map of aims."""
