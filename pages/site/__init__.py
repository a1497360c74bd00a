"""The program as a static site: every lesson, a few runs, the sources, an index. For any web host.

    python -m pages.site OUT

It is a room beside the pages, because it shows parts of many of them, though it is none itself: no
file of it runs with Streamlit's server. All links are relative, and every page stands alone.
"""
