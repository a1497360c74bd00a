"""Phrases and notes for the frames of a Unigram run; `training_frames.py` has the sentences."""

from collections.abc import Sequence

from lessons.format.words import RichText
from pages.shared.drawing.phrasing import count_of, format_sum, list_pieces, times
from tokenizers.unigram.steps import Expectation, Finalize, Maximization, PieceTable, Prune, Seed

NAMED = 3  # pieces named in a sentence, or next to a line of code


def pieces_phrase(pieces: Sequence[str]) -> RichText:
    """Return the first few pieces, separated by spaces, and the number of remaining ones."""
    phrase: RichText = ()
    for n, piece in enumerate(pieces[:NAMED]):
        phrase = (*phrase, " " if n else "", ("token", piece))
    more = len(pieces) - NAMED
    return (*phrase, f" and {more:,} more") if more > 0 else phrase


def describe_change(before: str, after: str) -> RichText:
    """Describe the change of a probability."""
    if before == after:
        return ("stays at p = ", ("strong", after))
    return (f"goes from p = {before} to ", ("strong", after))


def describe_dropped(step: Maximization) -> RichText:
    """Describe which pieces an M step drops."""
    if not step.dropped:
        return ()
    are = "are" if len(step.dropped) > 1 else "is"
    dropped = list_pieces(step.dropped.ranked(NAMED), len(step.dropped))
    return (" ", *dropped, f" {are} dropped: the expected count is too small.")


def describe_spared(step: Maximization) -> RichText:
    """Describe how many characters stay although they are as rare as the dropped pieces."""
    if not step.spared:
        return ()
    number = count_of(len(step.spared), "character")
    stay = "stays" if len(step.spared) == 1 else "stay"
    return (f" {number} {stay}, though equally rare: no other piece could spell it.",)


def describe_unweighed(step: Prune) -> RichText:
    """Describe how many pieces are removed without being measured, and why."""
    reasons = list(step.removed_reasons.values())
    why = {
        "never used": "no best segmentation uses them",
        "better split": "their best split is more probable",
    }
    reasons_text = [
        f"{reasons.count(r):,} because {reason}" for r, reason in why.items() if r in reasons
    ]
    return (f", {' and '.join(reasons_text)}",) if reasons_text else ()


def likelihood_note(step: Expectation) -> RichText:
    """Return the log-likelihood's parts Q and H, and the text's number of tokens."""
    (q, entropy), whole = format_sum([step.q, step.entropy])
    return (
        f"L = Q + H: {whole} = {q} + {entropy} "
        f"nats · {count_of(len(step.log_probs), 'piece')} · "
        f"best segmentation of the text: {count_of(step.num_tokens, 'token')}",
    )


def sizes_note(before: PieceTable, after: PieceTable) -> RichText:
    """Return a note on how the vocabulary size changes."""
    return (f"Vocabulary {len(before):,} → {count_of(len(after), 'piece')}",)


def seed_note(step: Seed) -> RichText:
    """Return a note on how many rare characters will be unknown."""
    if not step.left_out:
        return ()
    count = sum(step.left_out.values())
    return (
        f"{count_of(len(step.left_out), 'rare character')} will be unknown "
        f"(together they occur {times(count)}).",
    )


def final_note(step: Finalize) -> RichText:
    """Return a note that lists the reserved pieces."""
    return (f"Reserved: {', '.join(step.reserved)}",) if step.reserved else ()
