"""Facts about lessons' pictures, i.e. the steps that `at` refers to and the values of fields."""
