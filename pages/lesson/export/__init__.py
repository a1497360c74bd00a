"""Export a lesson as an HTML file that grades the answers itself, for SCORM, or as worksheets."""
