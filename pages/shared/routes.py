"""Define the pages' names in the URL, titles, files, order in the navigation, and successors."""

from collections.abc import Mapping
from dataclasses import dataclass

START = "start"
CONTINUE = "continue"
"""The lesson, in the URL, at which a visitor left off; the first for a new visitor."""


@dataclass(frozen=True, slots=True)
class Route:
    """A page: its title, and what the menu says is there."""

    title: str
    says: str


NAVIGATION: Mapping[str, Mapping[str, Route]] = {
    "": {
        START: Route("Start", "your text, cut by the models you know"),
        "essay": Route("The whole story", "all three methods on one page"),
        "lessons": Route("Lessons", "one idea at a time, and a question before the answer"),
        "teach": Route("Teaching", "plans, slides, worksheets, and a class’s answers"),
        "pipeline": Route("Pipeline", "from raw text to ids, one stage after the other"),
        "real": Route("Real tokenizers", "step through the files of GPT, BERT and others"),
    },
    "BPE": {
        "bpe_train": Route("Train", "the most frequent pair is merged, again and again"),
        "bpe_encode": Route("Encode", "the learned merges split any word"),
    },
    "WordPiece": {
        "wordpiece_train": Route("Train", "the pair with the best score is merged"),
        "wordpiece_encode": Route("Encode", "the longest piece that fits comes first"),
    },
    "Unigram": {
        "unigram_train": Route("Train", "count, weigh, and prune what is least missed"),
        "unigram_lattice": Route("Lattice", "every way to split a word, and the best"),
    },
    "Compare": {
        "compare": Route("Side by side", "one text, cut by many tokenizers"),
        "sizes": Route("Vocabulary size", "from characters to whole words: what each size costs"),
        "race": Route("Race", "two vocabularies grow, one shrinks, towards one size"),
        "languages": Route("Languages", "what the same sentences cost in each language"),
        "surgery": Route("What if", "change one thing, and see what is learned instead"),
        "complexity": Route("Complexity", "how the work grows with the text"),
    },
    "About": {
        "sources": Route("Check the sources", "published examples, worked out again"),
        "beliefs": Route("Beliefs put to the test", "what people say, and where it may fail"),
        "glossary": Route("Glossary", "every term and mark, in one sentence each"),
        "about": Route("How it works", "conventions, checks, limits and literature"),
    },
}  # fmt: skip
"""Sections of the navigation: each page's name in the URL, and its route."""

NEXT: Mapping[str, str] = {
    START: "essay",
    "essay": "lessons",
    "lessons": "pipeline",
    "teach": "lessons",
    "pipeline": "bpe_train",
    "real": "compare",
    "bpe_train": "bpe_encode",
    "bpe_encode": "compare",
    "wordpiece_train": "wordpiece_encode",
    "wordpiece_encode": "compare",
    "unigram_train": "unigram_lattice",
    "unigram_lattice": "compare",
    "compare": "sizes",
    "sizes": "race",
    "race": "languages",
    "languages": "surgery",
    "surgery": "complexity",
    "complexity": "sources",
    "sources": "beliefs",
    "beliefs": "lessons",
    "glossary": "lessons",
    "about": "sources",
}
"""The page that follows each page: every page ends in a link to it."""

_FILES = {
    "bpe_train": "bpe/train.py",
    "bpe_encode": "encode/bpe_page.py",
    "wordpiece_train": "wordpiece/train.py",
    "wordpiece_encode": "encode/wordpiece_page.py",
    "unigram_train": "unigram/page.py",
    "unigram_lattice": "encode/lattice_page.py",
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
    name = NAVIGATION[section][page].title
    return f"{section} · {name}" if section else name


def page_says(page: str) -> str:
    """Return what the menu says is on a page.

    >>> page_says("bpe_encode")
    'the learned merges split any word'
    """
    return next(rows[page].says for rows in NAVIGATION.values() if page in rows)
