"""Make a standalone script that prints a run's steps with the plain code; it needs only Python.

The script has unchanged functions of `tokenizers/plain.py`, the run's words, and a loop that
prints. It covers merging by BPE and WordPiece with any limits, and textbook Unigram. A run too
large for the plain code gets no script (`NoScriptError`).
"""

import ast
import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from pprint import pformat

from pages.shared.drawing.phrasing import word_segment
from tokenizers import bpe, plain, wordpiece
from tokenizers.bpe.superwords import SuperwordSettings
from tokenizers.record.trace import Trace

MOST_SYMBOLS = 20_000  # of all different words
MOST_LISTED = 3_000_000  # segmentations, in the losses of all pieces of a run
SHOWN = 8  # pieces that are printed at a step


class NoScriptError(Exception):
    """A run is too large for a script; the message says why."""


@cache
def excerpt(*names: str, source: str = "") -> str:
    """Return the definitions of `names`, and of all they use, from `source` or the plain code.

    >>> excerpt("merge").splitlines()[0]
    'Split = tuple[str, ...]'
    """
    source = source or inspect.getsource(plain)
    found = [one for one in ast.parse(source).body if not isinstance(one, ast.Expr)]
    defined = {name: one for one in found for name in _defined(one)}
    wanted, queue, used = set[ast.stmt](), [defined[name] for name in names], set(names)
    while queue:
        one = queue.pop()
        if one not in wanted:
            wanted.add(one)
            here = {node.id for node in ast.walk(one) if isinstance(node, ast.Name)}
            queue += [defined[name] for name in here & defined.keys()]
            used |= here
    for one in wanted:
        if isinstance(one, ast.ImportFrom):
            one.names = [alias for alias in one.names if (alias.asname or alias.name) in used]
    return "\n".join(_spaced(source, [one for one in found if one in wanted]))


def _defined(one: ast.stmt) -> list[str]:
    """Return the names that a statement of a module defines."""
    match one:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def _spaced(source: str, statements: Iterable[ast.stmt]) -> Iterable[str]:
    """Yield the statements with two blank lines around each function."""
    before: ast.stmt | None = None
    for one in statements:
        kinds = {type(one), type(before)}
        if before is not None and (ast.FunctionDef in kinds or len(kinds) > 1):
            yield "\n" if ast.FunctionDef in kinds else ""
        is_import = isinstance(one, ast.ImportFrom)
        yield ast.unparse(one) if is_import else ast.get_source_segment(source, one) or ""
        before = one


_HEAD = '''"""{what}, by counting everything again at every step.

It needs Python 3.10 or newer, and nothing else. The functions are those of
tokenizers/plain.py in Piece by Piece.
"""
'''
_MERGING = """
WORDS = {words}  # each word in its base symbols, and how often it occurs
ALPHABET = {alphabet}
MARK = {mark!r}

merges, pieces = [], set(ALPHABET)
splits, counts = zip(*WORDS)
run = train_merges(list(splits), counts, {worth}, {ties!r}, MARK, ALPHABET)
for step, (pair, worth, tied, splits) in enumerate(run, start=1):
    if {enough}:
        break
    token = pair[0] + pair[1].removeprefix(MARK)
    merges.append(pair)
    pieces.add(token)
    tokens = sum(len(split) * count for split, count in zip(splits, counts))
    made = f"{{pair[0]!r}} + {{pair[1]!r}} -> {{token!r}}"
    print(f"{{step}}. {{made}}: worth {{worth}}, {{len(tied)}} tied, {{tokens}} tokens")
"""
_SOME = '''

def worth_of_some(splits, word_counts):
    """The worth of the pairs that the settings of the run let merge."""
    counts = count_pairs(splits, word_counts)
    return {{
        pair: worth
        for pair, worth in {worth}(splits, word_counts).items()
        if {allowed}
    }}
'''
_UNIGRAM = """
WORD_COUNTS = {words}

before = {{}}
run = train_unigram(WORD_COUNTS, {size}, {prunings}, {rounds})
for number, (step, numbers) in enumerate(run, start=1):
    ranked = sorted(numbers, key=lambda piece: -round(numbers[piece], 9))
    listed = ", ".join(f"{{piece!r}} {{numbers[piece]:.6g}}" for piece in ranked[:{shown}])
    if step == "prune":
        listed = "without " + ", ".join(repr(piece) for piece in before if piece not in numbers)
    print(f"{{number}}. {{step}}: {{len(numbers)}} pieces, {{listed}}")
    before = numbers
"""


def merging_script(trace: Trace) -> str:
    """Return the script for a BPE or WordPiece run. Raises NoScriptError if the corpus is large."""
    settings = trace.settings
    if isinstance(settings, SuperwordSettings):
        raise NoScriptError(
            "The plain program here stays inside words. To get it, set Merges may cross spaces to "
            "Never. Plain BoundlessBPE is train_plainly in tokenizers/bpe/superwords.py."
        )
    words = [(settings.symbols(word), count) for word, count in trace.corpus.word_counts.items()]
    size = sum(len(split) for split, _ in words)
    if size > MOST_SYMBOLS:
        raise NoScriptError(
            f"The distinct words have {size:,} symbols together. The plain way would take too long "
            f"with more than {MOST_SYMBOLS:,}: choose a smaller corpus to get a script."
        )
    worth = "scores" if settings.by_score else "count_pairs"
    allowed = " and ".join(_allowed(settings))
    some = _SOME.format(worth=worth, allowed=allowed) if allowed else ""
    code = excerpt("train_merges", "count_pairs", worth)
    kind = "BPE" if isinstance(settings, bpe.Settings) else "WordPiece"
    return f"{_HEAD.format(what=f'{kind} training')}\n{code}\n{some}\n" + _MERGING.format(
        words=pformat(words, width=96, sort_dicts=False),
        alphabet=pformat(list(trace.alphabet), width=96, compact=True),
        mark=settings.mark,
        worth="worth_of_some" if some else worth,
        ties=settings.ties,
        enough=" or ".join(_limits(settings)) or "False",
    )


def _allowed(settings: bpe.Settings | wordpiece.Settings) -> Iterable[str]:
    """Yield the conditions on a pair that the plain code does not check."""
    if settings.min_count > 1:
        yield f"counts[pair] >= {settings.min_count}"
    if isinstance(settings, bpe.Settings) and settings.max_token_length is not None:
        end = f".removesuffix({settings.end_mark!r})" if settings.base == "end_of_word" else ""
        yield f'len("".join(pair){end}) <= {settings.max_token_length}'


def _limits(settings: bpe.Settings | wordpiece.Settings) -> Iterable[str]:
    """Yield the script's conditions that end the run."""
    if settings.num_merges is not None:
        yield f"step > {settings.num_merges}"
    if settings.vocab_size is not None:
        yield f"len(pieces) >= {settings.vocab_size}"


def unigram_script(
    word_counts: Mapping[str, int], size: int, prunings: int, rounds_of_em: int
) -> str:
    """Return the script for a textbook Unigram run. Raises NoScriptError if it would be slow."""
    pieces = len({part for word in word_counts for part in _parts(word)})
    ways = sum(2 ** min(len(word) - 1, 60) for word in word_counts)
    if pieces * ways * (prunings + 1) > MOST_LISTED:
        longest = max(word_counts, key=len)
        raise NoScriptError(
            f"The plain way lists every segmentation of every word, {_ways(longest)}, once for "
            "each piece. That would take too long here: choose a few short words to get a script."
        )
    body = _UNIGRAM.format(
        words=pformat(dict(word_counts), width=96, sort_dicts=False),
        size=size,
        prunings=prunings,
        rounds=rounds_of_em,
        shown=SHOWN,
    )
    return f"{_HEAD.format(what='Unigram training')}\n{excerpt('train_unigram')}\n\n{body}"


def _ways(word: str) -> str:
    number = 2 ** (len(word) - 1) if len(word) <= 50 else 0
    many = f"{number:,}" if number else "more than 10^15"
    return f"{many} of “{word_segment(word)[1]}” alone"


def _parts(word: str) -> Iterable[str]:
    return (word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1))
