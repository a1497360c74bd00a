"""What all tokenizers have in common, and what all recorded runs have: one set of names for each.

Whoever holds one of them need not ask which algorithm it is. A new kind of tokenizer, say one that
is read from a file, is one class with these names.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, TypeVar

from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import Encoding


class Tokenizer(Protocol):
    """A vocabulary with its ids, and the way from a text to ids and back.

    `unk` is the piece that stands for what is not in the vocabulary, None if nothing can be.
    `encode` raises ValueError for a lone surrogate, `decode` for an id that no piece has.
    """

    @property
    def vocab(self) -> Mapping[str, int]: ...
    @property
    def unk(self) -> str | None: ...
    @property
    def pipeline(self) -> Pipeline: ...
    def encode(self, text: str) -> Encoding: ...
    def decode(self, ids: Sequence[int]) -> str: ...


SettingsT = TypeVar("SettingsT", contravariant=True)


class RecordedRun(Protocol[SettingsT]):
    """A recorded training run. Steps are numbered from 1; `len` is how many there are.

    `stop_reason` says in words why it ended. `step(k)` is what step k did, `state(k)` what was true
    after it, `model(k)` the tokenizer that the first k steps give, all of them if `k` is None.
    """

    @property
    def stop_reason(self) -> str: ...
    @classmethod
    def record(
        cls, corpus: Corpus, settings: SettingsT, progress: ProgressCallback = ignore_progress
    ) -> Self: ...
    def __len__(self) -> int: ...
    def step(self, k: int) -> object: ...
    def state(self, k: int) -> object: ...
    def model(self, k: int | None = None) -> Tokenizer: ...
