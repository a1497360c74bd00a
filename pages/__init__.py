"""The app: views, the controls and figures that they share, and one stub for each address."""
