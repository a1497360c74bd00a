"""Compare · Complexity: operations counted as the input grows, beside what O(·) says of them."""

from pages.widgets import complexity_panels as panels
from pages.widgets.heading import heading

heading("Compare · Complexity", "how much work a longer text makes: counted, not timed")
asked = panels.asked()
growth = panels.counted(asked, panels.operation())
panels.growth(growth)
panels.below(growth, asked)
