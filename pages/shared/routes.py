"""Where every page is: its file, its name in the address, and its place in the navigation."""

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
        "surgery": "Corpus surgery",
        "complexity": "Complexity",
    },
    "About": {"sources": "Check the sources", "about": "How it works"},
}
"""The sections of the navigation: each page's name in the address, and on the screen."""

_FILES = {
    "bpe_train": "bpe/train.py",
    "bpe_encode": "bpe/encode.py",
    "wordpiece_train": "wordpiece/train.py",
    "wordpiece_encode": "wordpiece/encode.py",
    "unigram_train": "unigram/page.py",
    "unigram_lattice": "lattice/page.py",
    "surgery": "corpus_edit/page.py",
}


def page_file(page: str) -> str:
    """Return the file of a page, by its name in the address, below `pages/`.

    >>> file_of("bpe_train"), file_of("race")
    ('bpe/train.py', 'race/page.py')
    """
    return _FILES.get(page, f"{page}/page.py")


def page_title(page: str) -> str:
    """Return the title of a page, with its section where it is in one.

    >>> title_of("bpe_train"), title_of("real")
    ('BPE · Train', 'Real tokenizers')
    """
    section = next(section for section, rows in NAVIGATION.items() if page in rows)
    name = NAVIGATION[section][page]
    return f"{section} · {name}" if section else name
