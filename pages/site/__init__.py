"""Write a static site for any web host, with every lesson, some runs, the sources and an index.

    python -m pages.site OUT

This is not a page of the app: it renders parts of many pages, without Streamlit's server. All
links are relative, and every page is self-contained.
"""
