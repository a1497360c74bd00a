"""A class that answers the questions of a lesson: its key, its codes and what they chose."""
