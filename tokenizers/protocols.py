"""The interface of every tokenizer, and the interface of every recorded training run.

Callers need not know the algorithm. A new kind of tokenizer is one class with these members.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, TypeVar

from tokenizers.progress import ProgressCallback, ignore_progress
from tokenizers.text.corpus import Corpus, Pipeline
from tokenizers.text.encoding import Encoding


class Tokenizer(Protocol):
    """A vocabulary with its ids, and encoding and decoding with it.

    `unk` is the piece for anything outside the vocabulary, or None if every text can be encoded.
    `encode` raises UserError for a lone surrogate; `decode` raises it for an id that no piece has.
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
    """A recorded training run. Steps are numbered from 1; `len` is the number of steps.

    `stop_reason` describes why it ended. `step(k)` returns step k, `state(k)` the state after step
    k, and `model(k)` the tokenizer after the first k steps, or after all steps if `k` is None.
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
