"""Facts about the pictures of lessons: what `at` refers to, and the values of fields."""
