"""The tokenizers to compare are chosen in rows that can be added, changed and removed.

A row names a kind of tokenizer, a training text and a size, or else a published tokenizer. The URL
holds the rows as `with=bpe.prose.600,words.own,real.gpt2`; invalid rows are dropped. Tokenizers
that a visitor brought count as published ones.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.texts import TEXTS
from lessons.trained import LEARNED_FROM, SIZE
from pages.shared.controls import url_state, user_tokenizer
from pages.shared.corpus.corpus_picker import USER_TEXT
from pages.shared.training.published import PACK, REAL, is_published, published_tokenizer
from pages.shared.training.source import CorpusSource
from pages.shared.training.tokenizer_kinds import KINDS
from tokenizers.baselines import UNITS

MAX_TOKENIZERS = 8
MIN_SIZE, MAX_SIZE, DEFAULT_SIZE = 20, 5_000, 600
CORPORA = {USER_TEXT: "this very text"} | {id_: sample.title for id_, sample in TEXTS.items()}
SHORT_KIND_NAMES = {
    "words": "Words",
    "characters": "Characters",
    "bpe": "BPE",
    "bytes": "BPE on bytes",
    "wordpiece": "WordPiece",
    "unigram": "Unigram",
}
SPLITS = {
    "spaces": "at spaces",
    "none": "not at all",
    "punctuation": "at spaces and punctuation",
    "gpt2": "by GPT-2’s pattern",
    "bert": "at spaces and every punctuation mark",
    "metaspace": "before every space, written ▁",
}
_ROWS, _NEXT = "compare.rows", "compare.next"


@dataclass(frozen=True, slots=True)
class TokenizerSpec:
    """A chosen tokenizer; words, characters and published tokenizers have no size to choose.

    `kind` is one of `KINDS`, or `real.` followed by a published tokenizer's name.
    """

    kind: str
    corpus: str = "prose"
    size: int = DEFAULT_SIZE

    @property
    def published(self) -> str:
        """The name of a published tokenizer; empty for one that is trained here."""
        return self.kind.removeprefix(REAL) if is_published(self.kind) else ""

    @property
    def has_size(self) -> bool:
        """Whether a size can be chosen."""
        return self.kind not in UNITS and not self.published

    def to_url(self) -> str:
        """Return the tokenizer as the URL writes it."""
        if self.published:
            return self.kind
        return f"{self.kind}.{self.corpus}" + (f".{self.size}" if self.has_size else "")

    def source(self, text: str) -> CorpusSource | None:
        """Return the training text (None if published); `text` is the visitor's text."""
        if self.published:
            return None
        if self.corpus == USER_TEXT:
            return CorpusSource(text=text)
        sample = TEXTS[self.corpus]
        return CorpusSource(text=sample.text or "", counts=sample.counts)


PUBLISHED = tuple(
    TokenizerSpec(REAL + name) for name in ("o200k", "cl100k", "gpt2", "mistral-v1", "bert-uncased")
)
"""The published tokenizers that one button offers."""
DEFAULT = tuple(TokenizerSpec(kind, LEARNED_FROM, SIZE) for kind in KINDS)


def parse(written: str, known: Collection[str] = PACK) -> tuple[TokenizerSpec, ...]:
    """Return the valid rows in a URL parameter; `known` has the kinds of published tokenizers.

    >>> [spec.to_url() for spec in parse("bpe.prose.300,words.own,magic.prose,bpe.prose.-1")]
    ['bpe.prose.300', 'words.own']
    """
    found = (_parse_spec(known, *part.split(".")) for part in written.split(","))
    return tuple(entry for entry in found if entry)[:MAX_TOKENIZERS]


def _parse_spec(
    known: Collection[str], kind: str = "", corpus: str = "", size: str = "", *more: str
) -> TokenizerSpec | None:
    if (published := f"{kind}.{corpus}") in known and not size and not more:
        return TokenizerSpec(published)
    if kind not in KINDS or corpus not in CORPORA or more:
        return None
    if not size:
        return TokenizerSpec(kind, corpus)
    wanted = url_state.parse_natural(size)
    if wanted is None or not MIN_SIZE <= wanted <= MAX_SIZE or kind in UNITS:
        return None
    return TokenizerSpec(kind, corpus, wanted)


def serialize(specs: Sequence[TokenizerSpec]) -> str:
    """Return the rows as the URL holds them."""
    return ",".join(entry.to_url() for entry in specs)


def row_names(specs: Sequence[TokenizerSpec], sizes: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield for each row its name, and its training text unless all rows have the same.

    `sizes` has the sizes reached in training. Beside others, a published tokenizer has its owner in
    second place.
    """
    are_all_published = all(entry.published for entry in specs)
    differ = any(entry.published for entry in specs) or len({entry.corpus for entry in specs}) > 1
    for entry, size in zip(specs, sizes, strict=True):
        if entry.published:
            model = published_tokenizer(entry.kind)
            yield model.title, "" if are_all_published else model.owner
        else:
            name = SHORT_KIND_NAMES[entry.kind]
            origin = CORPORA[entry.corpus] if differ else ""
            yield f"{name} {size:,}" if entry.has_size else name, origin


def choose_tokenizers(popover: DeltaGenerator) -> tuple[TokenizerSpec, ...]:
    """Choose the tokenizers to compare, in the popover.

    A URL without any parameter means published models. One with others means those trained here,
    which links without the parameter have always meant.
    """
    incoming, is_bare = url_state.incoming("with"), url_state.is_bare_url()
    known = user_tokenizer.published_kinds()
    if incoming is not None:
        _set_rows(parse(incoming, known) or DEFAULT)
    elif _ROWS not in st.session_state:
        _set_rows(PUBLISHED if is_bare else DEFAULT)
    else:  # a newer file may have replaced a tokenizer that is in a row
        rows = [(id_, row) for id_, row in _rows() if not row.published or row.kind in known]
        st.session_state[_ROWS] = rows
        if not rows:
            _set_rows(DEFAULT)
    with popover:
        _table()
    chosen = tuple(entry for _, entry in _rows())
    if is_bare and chosen == PUBLISHED:
        url_state.set_implicit("with", serialize(chosen))
    else:
        url_state.set_param(
            "with", None if chosen == DEFAULT and not is_bare else serialize(chosen)
        )
    return chosen


def _table() -> None:
    """Show a line of controls for each row."""
    for number, (id_, entry) in enumerate(_rows(), start=1):
        kind, corpus, size, away = st.columns([6, 6, 4, 3], vertical_alignment="bottom")
        with kind:
            _select(id_, "kind", f"Tokenizer {number}", entry.kind, _kinds())
        with corpus:
            _corpus(id_, entry)
        with size:
            _size(id_, entry)
        with away:
            st.button(
                "Remove",
                key=f"compare.{id_}.remove",
                help=f"Remove tokenizer {number}",
                on_click=_remove,
                args=(id_,),
                disabled=len(_rows()) == 1,
            )
    is_full = len(_rows()) >= MAX_TOKENIZERS
    with st.container(horizontal=True):  # each as wide as its label
        st.button("Add a tokenizer", on_click=_add, disabled=is_full)
        st.button("Published models", on_click=_set_rows, args=(PUBLISHED,))
        st.button("The six trained here", on_click=_set_rows, args=(DEFAULT,))
    st.caption(
        "Each kind appears here in its usual form. It first splits a text into words: "
        + "; ".join(
            f"{SHORT_KIND_NAMES[name]}: {SPLITS[kind.split]}" for name, kind in KINDS.items()
        )
        + ". A published tokenizer comes as it is: its size is fixed, and its file does not say "
        "what it was trained on. One that you open on *Real tokenizers* can be chosen here, too."
    )
    if is_full:
        st.caption(f"{MAX_TOKENIZERS} is the most that fit under one text.")


def _kinds() -> dict[str, str]:
    published = {
        kind: f"{title} · {published_tokenizer(kind).owner}"
        for kind, title in user_tokenizer.published_kinds().items()
    }
    return {name: one.name for name, one in KINDS.items()} | published


def _select(id_: int, field: str, label: str, value: str, options: dict[str, str]) -> None:
    key = f"compare.{id_}.{field}"
    st.session_state[key] = value
    st.selectbox(
        label,
        list(options),
        key=key,
        format_func=options.__getitem__,
        on_change=_change,
        args=(id_, field),
    )


def _corpus(id_: int, spec: TokenizerSpec) -> None:
    if spec.published:
        options = ["its file does not say"]
        st.selectbox("trained on", options, key=f"compare.{id_}.corpus.none", disabled=True)
        return
    _select(id_, "corpus", "trained on", spec.corpus, CORPORA)


def _size(id_: int, spec: TokenizerSpec) -> None:
    key = f"compare.{id_}.size"
    if not spec.has_size:
        fixed = "all"
        if spec.published:
            fixed = f"{published_tokenizer(spec.kind).size:,}"
        name = f"{key}.none.{fixed}"
        st.number_input("pieces", value=None, key=name, disabled=True, placeholder=fixed)
        return
    st.session_state[key] = spec.size
    st.number_input(
        "pieces", MIN_SIZE, MAX_SIZE, step=50, key=key, on_change=_change, args=(id_, "size")
    )


def _rows() -> list[tuple[int, TokenizerSpec]]:
    return st.session_state[_ROWS]


def _set_rows(chosen: Sequence[TokenizerSpec]) -> None:
    first = st.session_state.get(_NEXT, 0)
    st.session_state[_NEXT] = first + len(chosen)
    st.session_state[_ROWS] = list(enumerate(chosen, start=first))


def _change(id_: int, field: str) -> None:
    value: Any = st.session_state[f"compare.{id_}.{field}"]
    changed = [(n, replace(entry, **{field: value}) if n == id_ else entry) for n, entry in _rows()]
    st.session_state[_ROWS] = changed


def _remove(id_: int) -> None:
    st.session_state[_ROWS] = [row for row in _rows() if row[0] != id_]


def _add() -> None:
    """Add a kind of tokenizer that no row has yet, or else a small BPE."""
    here = {entry.kind for _, entry in _rows()}
    missing = next((kind for kind in KINDS if kind not in here), None)
    new = TokenizerSpec(missing or "bpe", LEARNED_FROM, SIZE if missing else DEFAULT_SIZE)
    st.session_state[_ROWS] = [*_rows(), (st.session_state[_NEXT], new)]
    st.session_state[_NEXT] += 1
