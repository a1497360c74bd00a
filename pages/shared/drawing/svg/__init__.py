"""The app's charts as SVG: on a page of the app, inside an HTML file, and as a file of its own."""
