"""Define the pages' names in the URL, titles, files and order in the navigation."""

START = "start"

NAVIGATION = {
    "": {
        START: "Start",
        "essay": "The whole story",
        "pipeline": "Pipeline",
        "real": "Real tokenizers",
        "lessons": "Lessons",
    },
    "BPE": {"bpe_train": "Train", "bpe_encode": "Encode"},
    "WordPiece": {"wordpiece_train": "Train", "wordpiece_encode": "Encode"},
    "Unigram": {"unigram_train": "Train", "unigram_lattice": "Lattice"},
    "Compare": {
        "compare": "Side by side",
        "sizes": "Vocabulary size",
        "race": "Race",
        "languages": "Languages",
        "surgery": "What if",
        "complexity": "Complexity",
    },
    "About": {"sources": "Check the sources", "about": "How it works"},
}
"""Sections of the navigation: each page's name in the URL, and its title."""

_FILES = {
    "bpe_train": "bpe/train.py",
    "bpe_encode": "bpe/encode.py",
    "wordpiece_train": "wordpiece/train.py",
    "wordpiece_encode": "wordpiece/encode.py",
    "unigram_train": "unigram/page.py",
    "unigram_lattice": "lattice/page.py",
    "lessons": "lesson/page.py",  # `lessons` is a package, and Streamlit puts pages/ on the path
    "surgery": "what_if/page.py",
}


def page_file(page: str) -> str:
    """Return the file of a page, relative to `pages/`, by its name in the URL.

    >>> page_file("bpe_train"), page_file("race")
    ('bpe/train.py', 'race/page.py')
    """
    return _FILES.get(page, f"{page}/page.py")


def page_title(page: str) -> str:
    """Return the title of a page, preceded by its section, if any.

    >>> page_title("bpe_train"), page_title("real")
    ('BPE · Train', 'Real tokenizers')
    """
    section = next(section for section, rows in NAVIGATION.items() if page in rows)
    name = NAVIGATION[section][page]
    return f"{section} · {name}" if section else name
