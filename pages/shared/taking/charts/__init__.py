"""The app's charts as SVG: as a file, and inside the HTML files that are taken along."""
