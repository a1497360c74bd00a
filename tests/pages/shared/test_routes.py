"""The navigation: every page says what is there, and ends in a link to another."""

from pages.shared.routes import NAVIGATION, NEXT, START, page_says

PAGES = [page for rows in NAVIGATION.values() for page in rows]
LONGEST = 60  # characters that a menu shows in one line


def test_every_page_says_what_is_there_in_a_line_of_its_own():
    said = [page_says(page) for page in PAGES]
    assert len(set(said)) == len(said)
    assert [line for line in said if not 15 <= len(line) <= LONGEST or line.endswith(".")] == []


def test_every_page_leads_on_and_none_to_itself():
    assert list(NEXT) == PAGES
    assert set(NEXT.values()) <= set(PAGES) - {START}
    assert [page for page, after in NEXT.items() if page == after] == []


def test_training_leads_to_encoding_and_that_to_comparing():
    for first in ("bpe_train", "wordpiece_train", "unigram_train"):
        assert NEXT[NEXT[first]] == "compare"
