"""What tells the questions of a lesson from those of others, in the codes of a class.

The app and the lesson's file give the same key, so that both kinds of codes count together.
"""

from hashlib import sha256

from lessons.format.reading import Lesson
from pages.shared.export.standalone_html import version


def class_key(lesson: Lesson) -> str:
    """Return the key of a lesson as it is written: its questions follow from that.

    Another version of the program may ask the same with other options, so it has another key.
    """
    return sha256(f"{version()} {lesson!r}".encode()).hexdigest()[:16]
