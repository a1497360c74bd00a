"""Exams and exit tickets: made in a worker, printed as worksheets, or answered on the screen."""
