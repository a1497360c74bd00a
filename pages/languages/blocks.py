"""The document of Compare · Languages."""

from pages.languages.findings import CHOOSERS, caveats, name_of, sentences_html
from pages.languages.mix_message import MIX, message, split_of
from pages.languages.study import MEASURES, PASSAGES, SHARES, Study
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import (
    ComponentBlock,
    Document,
    Folded,
    Html,
    Note,
    StatePart,
)
from pages.shared.training.tokenizer_kinds import KINDS

THREE_TEXTS, ALL_KINDS = "Three training texts", "All four tokenizers"
BYTES = "Byte premiums"
LEFT_OUT = (THREE_TEXTS, BYTES, "Published models", ALL_KINDS, "The code")
KEYS = "← → Home End move the mix; choose a language to see it split; , and . step the merges."
REPORTED = "chosen"  # the state that mix_component.js reports


def document(
    study: Study, measure: str, at: int, code: str, usual: Study | None = None, turn: int = 1
) -> Document:
    """Return the mix, with every language split at every share, and the sentences.

    `at` is the index of the initial share, `code` the language whose split is shown at first, and
    `turn` the merge, where languages choose; `usual` is the study of the usual rule.
    """
    shares = StatePart("at", "mix", at, range(len(SHARES)), list(map(str, SHARES)))
    brings = {one: split_of(study, one) for one in PASSAGES}
    codes = StatePart("code", "cut", code, list(PASSAGES), list(PASSAGES), brings)
    parts = shares, codes, StatePart("turn", "turn", turn)
    mix = ComponentBlock(MIX, message(study, measure, code, usual), KEYS, REPORTED, parts)
    request = study.request
    about = (
        f"{KINDS[request.kind].name}, {count_of(request.extra, 'learned piece')}, "
        f"{name_of(request.first)} mixed with {name_of(request.second)}: "
        f"{MEASURES[measure].lower()}. Who chooses the pair: {CHOOSERS[request.rule].lower()}."
    )
    sentences = Folded("The sentences", (Html(sentences_html(tuple(PASSAGES))),))
    return Document("", about, (mix, Note(caveats(request)), sentences), LEFT_OUT)
