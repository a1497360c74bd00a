"""The app: a folder for each page, what pages share in `shared/`, and the frame around them all."""
