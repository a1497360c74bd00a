"""Hostile input, drawn: every setting of the code, texts that break things, broken files.

Every input must give a result or a UserError in time. The values to draw are read from the code
(the fields of its settings, the names it knows, the keys of lessons),
so that a new setting is drawn too. `drawing.py` draws values, `areas.py` does something with them,
`running.py` keeps the time. In CI a few seconds of it; for longer:

    python -m tests.fuzz --inputs 100000
    python -m tests.fuzz --seed 3 --input 4711     # one input again
    python -m pytest tests/fuzz --fuzz-seconds 600
"""
