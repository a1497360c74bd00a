"""Experiments with the algorithms: beliefs put to the test, operation counts, research."""
