"""The program as a static site: every lesson, some runs, the sources, an index. For any web host.

    python -m pages.site OUT

Not a page of the app: it renders parts of many pages, and nothing here needs Streamlit's server.
All links are relative, and every page is self-contained.
"""
