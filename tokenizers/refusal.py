"""Which errors are sentences for people: a ValueError that our own code raised, and no other.

Bad input is refused by a ValueError whose text says what is wrong and what to do. Libraries raise
ValueErrors too (`zip(strict=True)`, NumPy, the decoders), and theirs help nobody who pasted a text.
What tells them apart is where they come from: ours are raised by a `raise` in our own files.
"""

import traceback
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_OURS = tuple(_ROOT / name for name in ("tokenizers", "lessons", "pages"))


def is_refusal(error: BaseException) -> bool:
    """Tell whether `error` was caught from a `raise ValueError(...)` of ours.

    >>> from tokenizers.text.corpus import Pipeline
    >>> for wrong in (lambda: Pipeline(("shout",)), lambda: int("shout")):
    ...     try:
    ...         _ = wrong()
    ...     except ValueError as error:
    ...         print(is_refusal(error))
    True
    False
    """
    places = traceback.extract_tb(error.__traceback__)
    if not isinstance(error, ValueError) or not places:
        return False
    origin = places[-1]  # where it was raised, however far it has come
    in_ours = any(Path(origin.filename).is_relative_to(folder) for folder in _OURS)
    return in_ours and (origin.line or "").startswith("raise ")


def sentence_of(error: BaseException) -> str:
    """Return what to tell people: our own sentence, or that the program is at fault."""
    if is_refusal(error):
        return str(error)
    return (
        f"This failed because of a mistake in the program ({type(error).__name__}), not in what "
        "you typed. Change the text or a setting and try again."
    )
