"""Show the reference code beside a recording: which lines each step executes, with which results.

The lines come from `tokenizers/plain.py`, without docstrings; their results come from the fast
code's trace. `pages/shared/player/code.js` steps through them, and
`pages/shared/training/script.py` offers them as a script.
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from textwrap import dedent

from lessons.format.words import RichText
from pages.shared.drawing.formulas import worth_text
from pages.shared.drawing.phrasing import count_of
from pages.shared.recording.frame_types import CodeFrame, Frame, PicturePart
from tokenizers import plain
from tokenizers.errors import UserError
from tokenizers.merging.state import Pair
from tokenizers.record.trace import Trace

LineResult = tuple[str, RichText]
"""The beginning of a line, and its result."""
MAX_NAMED = 3  # tied pairs listed beside their line


@dataclass(frozen=True, slots=True)
class Listing:
    """A function's lines of code, without its docstring and argument annotations."""

    name: str
    lines: tuple[str, ...]

    @classmethod
    def from_function(cls, function: Callable) -> "Listing":
        """Read the source of a function."""
        source = dedent(inspect.getsource(function))
        tree = ast.parse(source).body[0]
        assert isinstance(tree, ast.FunctionDef)
        head = f"def {tree.name}({', '.join(one.arg for one in tree.args.args)}):"
        first = tree.body[ast.get_docstring(tree) is not None]
        return cls(tree.name, (head, *source.splitlines()[first.lineno - 1 :]))

    @property
    def part(self) -> PicturePart:
        """The part of the picture that shows the function."""
        return PicturePart("code", f"{self.name}, in tokenizers/plain.py", code=self.lines)

    def frame(self, made: Iterable[LineResult]) -> CodeFrame:
        """Return the frame of a step that executed the lines in `made`, in this order."""
        return CodeFrame(tuple([(self._number(begin), result) for begin, result in made]))

    @cache  # noqa: B019 - listings are few, and live as long as the program
    def _number(self, begin: str) -> int:
        """Return the index of the line that starts with `begin`. Raises UserError if none does."""
        for number, line in enumerate(self.lines):
            if line.lstrip().startswith(begin):
                return number
        raise UserError(f"no line of {self.name} begins with {begin!r}")


MERGE_LOOP = Listing.from_function(plain.train_merges)


def with_code(frame: Frame, code: CodeFrame) -> Frame:
    """Return the frame with the code as another part."""
    return replace(frame, parts=(*frame.parts, code))


def merging_code_frame(trace: Trace, k: int, num_pairs: int, tied: Iterable[Pair]) -> CodeFrame:
    """Return the lines and results of the merge loop at step `k` of the trace.

    `num_pairs` is the number of pairs counted before the step; `tied` are some of the tied pairs,
    the chosen one first.
    """
    counted: LineResult = ("while worths", (count_of(num_pairs, "pair"),))
    if not k:
        return MERGE_LOOP.frame([("vocab =", (count_of(len(trace.alphabet), "symbol"),)), counted])
    token, sizes, tokens = trace.tokens[k - 1], trace.vocab_sizes, trace.num_tokens
    is_known = sizes[k] == sizes[k - 1]  # two pairs can spell the same token
    number = "there already" if is_known else f"piece {sizes[k]:,}"
    return MERGE_LOOP.frame(
        [
            counted,
            ("best =", (worth_text(trace, k),)),
            ("tied =", _tied(tuple(tied)[:MAX_NAMED], trace.num_tied[k - 1])),
            ("pair =", tuple([("token", symbol) for symbol in trace.pairs[k - 1]])),
            ("vocab.append", (("new", token), f" {number}")),
            ("splits =", (f"{tokens[k - 1]:,} → {count_of(tokens[k], 'token')}",)),
            ("yield", (f"step {k:,}",)),
        ]
    )


def _tied(some: tuple[Pair, ...], number: int) -> RichText:
    text: RichText = ()
    for n, (first, second) in enumerate(some):
        text = (*text, ", " if n else "", ("token", first), " ", ("token", second))
    more = number - len(some)
    return (*text, f" and {more:,} more") if more > 0 else text
