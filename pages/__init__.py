"""The app has a folder for each page, `shared/` for code they share, and a frame around them."""
