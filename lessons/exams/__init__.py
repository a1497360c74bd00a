"""Exams from the lessons' questions: one for each student, of equal difficulty.

`standalone.py` decides which questions can be asked without their lesson, and states what they
start from; `drawing.py` draws the sheets. Their pages are in pages/lesson/exam/.
"""
