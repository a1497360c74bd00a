"""The app's charts as SVG: on a page, inside an HTML file, or as a file."""
