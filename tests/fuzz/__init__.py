"""Hostile input, drawn: every setting of the code, texts that break things, broken files.

What is asked of each input: a result, or a ValueError of our own with a sentence, in time. What is
drawn is read from the code (the fields of its settings, the names it knows, the keys of lessons),
so that a new setting is drawn too. `drawing.py` draws values, `areas.py` does something with them,
`running.py` keeps the time. In CI a few seconds of it; for longer:

    python -m tests.fuzz --inputs 100000
    python -m tests.fuzz --seed 3 --input 4711     # one input again
    python -m pytest tests/fuzz --fuzz-seconds 600
"""
