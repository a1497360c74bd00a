"""The key of a lesson in class codes, the same in the app and in the exported file."""

from hashlib import sha256

from lessons.format.reading import Lesson
from pages.shared.export.standalone_html import version


def class_key(lesson: Lesson) -> str:
    """Return the key of a lesson: a hash of its content, which determines its questions.

    It includes the version of the program, as another one may offer other options.
    """
    return sha256(f"{version()} {lesson!r}".encode()).hexdigest()[:16]
