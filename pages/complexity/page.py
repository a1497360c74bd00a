"""Compare · Complexity: operations counted as the input grows, beside what O(·) says of them."""

from pages.complexity import panels
from pages.shared.controls.heading import heading

heading("Compare · Complexity", "how much work a longer text makes: counted, not timed")
asked = panels.asked()
growth = panels.counted(asked, panels.operation())
panels.growth(growth)
panels.below(growth, asked)
