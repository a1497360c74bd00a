"""The page of the lessons. Not called `lessons`: Streamlit puts `pages/` on the import path."""
