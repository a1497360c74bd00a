"""Collecting the answers of a class to the questions of a lesson."""
