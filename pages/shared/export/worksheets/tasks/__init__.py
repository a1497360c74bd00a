"""Tasks to solve by hand, in equally hard variants: what worksheets print, as plain data."""
