"""Compare · Complexity: operations counted as the input grows, compared with O(·)."""

from pages.complexity import exports, panels
from pages.shared.controls.heading import heading
from pages.shared.export.menu import fill_files_menu, open_menu

actions = heading("Compare · Complexity", "how much work a longer text makes: counted, not timed")
request = panels.choose_request(actions)
take = open_menu(actions)
growth = panels.count_operation(request)
panels.growth(growth)
panels.below(growth, request)
# Last, because counting all operations must not delay the rest.
fill_files_menu(take, lambda: exports.of_growth(growth, panels.count_all_operations(request)))
