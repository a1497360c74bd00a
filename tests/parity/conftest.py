"""oracle.py is run by another interpreter; pytest must not import it in search of doctests."""

collect_ignore = ["oracle.py"]
