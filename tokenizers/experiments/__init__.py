"""Experiments with the algorithms: changed counts, operation counts, counterexamples, exercises."""
