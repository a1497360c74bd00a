"""The key that identifies a lesson in class codes, in the app as in the exported file."""

from hashlib import sha256

from lessons.format.reading import Lesson
from pages.shared.export.standalone_html import version


def class_key(lesson: Lesson) -> str:
    """Return a lesson's key, which is a hash of the lesson's content and the program's version.

    The version is included because another version may offer other options in a question.
    """
    return sha256(f"{version()} {lesson!r}".encode()).hexdigest()[:16]
