"""The settings of Compare · Languages, and the panels below the mix."""

from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.languages import findings, published
from pages.languages.blocks import ALL_KINDS, BYTES, THREE_TEXTS
from pages.languages.charts import three_texts_chart
from pages.languages.study import (
    MAX_EXTRA,
    MEASURES,
    OTHERS,
    PARITY_KINDS,
    PASSAGES,
    SHARES,
    SPACES,
    MixRequest,
    MixResult,
    Study,
    halves,
    measure_mixes,
)
from pages.shared.controls import panels, user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import IN_URL, choice, whole_number
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import count_of
from pages.shared.export.document.blocks import Html, Note
from pages.shared.export.document.show_blocks import show_blocks, show_panel
from pages.shared.training.published import READ_AS_TEXT, SHORT_NAMES, PublishedTokenizer
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.work import jobs, results
from tokenizers.experiments.research.parity import train_plainly
from tokenizers.plain import train_merges

COMPARED_KINDS = ("bytes", "bpe", "wordpiece", "unigram")
MAX_TILES = 80  # for each published model
MAX_OWN = 3_000  # characters of the user's sentences
UNLABELLED: dict[str, Any] = {"label_visibility": "collapsed"}
SPLITS = {"": "The usual way", SPACES: "At spaces only"}
_FINDING = '<p style="font-size:1.2rem;margin:0">{}</p>'


def own_language(actions: DeltaGenerator) -> str:
    """Ask, in a popover, for the measured sentences in the user's language; return them."""
    with actions, st.popover("Your own language"):
        st.caption(f"Write these sentences in it: {halves(PASSAGES['en']).unseen}")
        text = st.text_area("In your language", key="theirs", height=150, **IN_URL).strip()
        if len(text) > MAX_OWN:
            st.caption(f"That has {len(text):,} characters; the first {MAX_OWN:,} are measured.")
        text = text[:MAX_OWN].strip()
        if text:
            st.html(published.own_table(_published_models(text)))
            st.caption("*Published models*, below, shows it beside the others.")
    return text


def choose_request() -> tuple[MixRequest, str]:
    """Show the settings; return the request, and what the bars measure."""
    names = {
        code: " · ".join(dict.fromkeys((one.name, one.native_name)))  # the same in English
        for code, one in PASSAGES.items()
    }
    with st.container(horizontal=True, vertical_alignment="center", key="mix_row"):
        request, pays = _mix_row(names)
    with st.sidebar:
        extra = whole_number("Pieces to learn", 1, MAX_EXTRA, 60, key="extra")
        st.caption("In addition to single characters or bytes, as far as the text allows.")
        split = choice("Words are split", SPLITS, "", key="cutting")
        st.caption("No piece reaches across a cut.")
        together = request.rule and whole_number(
            "Merges by frequency first", 0, MAX_EXTRA, 0, key="together"
        )
        if request.rule:
            st.caption("So many merges are chosen by all languages together before one chooses.")
    return replace(request, extra=extra, split=split, together=together or 0), pays


def _mix_row(names: dict[str, str]) -> tuple[MixRequest, str]:
    """Show the languages, the tokenizer and the measure in one row."""
    first = choice("First language", names, "en", key="first", **UNLABELLED)
    st.markdown("mixed with", width="content")
    others = {code: name for code, name in names.items() if code != first}
    others[OTHERS] = "All the others, equally"
    usual = "en" if first == "hi" else "hi"
    second = choice("Mixed with", others, usual, key="second", **UNLABELLED)
    kinds = {kind: KINDS[kind].name for kind in COMPARED_KINDS}
    kind = choice("Tokenizer", kinds, "bytes", key="kind", width=165, **UNLABELLED)
    rule = ""
    if kind in PARITY_KINDS:
        who = "Who chooses the pair"
        rule = choice(who, findings.CHOOSERS, "", key="rule", width=205, **UNLABELLED)
    pays = choice("What the bars measure", MEASURES, "tokens", key="pays", width=255, **UNLABELLED)
    return MixRequest(kind, 0, first, second, rule=rule), pays


def study_of(request: MixRequest) -> Study:
    """Train and measure all mixes; the page run ends here until that is done."""
    doing = f"Training {KINDS[request.kind].name} on {len(SHARES)} mixes …"
    return results.result_of(results.key_of("languages", request), measure_mixes, doing, request)


def usual_study(request: MixRequest) -> Study | None:
    """Return the study of the usual rule to compare with; None if that is the chosen one."""
    return study_of(request.by_frequency) if request.rule else None


def caveats(request: MixRequest) -> None:
    """Show how the numbers come about, and their limits."""
    costs = " “Words are split: at spaces only”, among the settings, shows what that costs."
    text = findings.caveats(request) + costs * findings.splits_at_vowel_signs(request)
    show_blocks([Note(text)])


def below(study: Study, at: int, code: str, pays: str, own: str) -> None:
    """Show the chosen panel."""
    choices = {
        THREE_TEXTS: lambda: _three_texts(study, at, pays),
        BYTES: lambda: _byte_premiums(study, at),
        "Published models": lambda: _published(code, pays, own),
        ALL_KINDS: lambda: _all_kinds(study, at, pays),
        "The sentences": lambda: _sentences(study, code),
        "The code": lambda: _code(study.request),
    }
    panels.panel_choice(choices)


def _code(request: MixRequest) -> None:
    if request.rule:
        st.markdown(
            "The loop of `plain.py`, in which a pair is worth its count. By parity only `worth` "
            "differs: it counts in the text of the language worst off."
        )
        panels.show_code(train_plainly, train_merges)
    panels.show_code(measure_mixes)


def _three_texts(study: Study, at: int, pays: str) -> None:
    caption = (
        f"{MEASURES[pays]} of every language under three tokenizers. {findings.finding(study)}"
    )
    figure = three_texts_chart(study, at, pays)
    hollow = "Hollow: more than a fifth of the text is unknown, so a low number means little. "
    show_panel(
        THREE_TEXTS,
        Html(html(_FINDING, f"{findings.three_texts_finding(study)}.")),
        Chart("The chart of three training texts", figure, caption),
        Note(f"{hollow}{findings.finding(study)}"),
    )


def _byte_premiums(study: Study, at: int) -> None:
    mix = findings.mix_name(study.request, SHARES[at])
    note = (
        "A *byte premium* is how many bytes a language needs for each byte of English, for text of "
        "the same meaning. No training changes it; where BPE starts from bytes, it is what every "
        "language pays before the first merge. Published: Arnett and others, 2024, measured on far "
        f"more text than our passage. The tokens are those of the mix {mix}."
    )
    show_panel(
        BYTES,
        Html(html(_FINDING, f"{findings.byte_premium_finding()}.")),
        Html(findings.byte_premium_table(study.mixes[at])),
        Note(note),
    )


_OWN = "languages.own"
_SPLITTING = "Splitting the sentences …"
_measured_all = st.cache_resource(show_spinner=_SPLITTING)(published.measure_all)


def _published_models(own: str) -> dict[str, MixResult]:
    """Return what the sentences cost under published models and the user's tokenizers.

    `own` has the sentences in the user's language, or is empty. How they are split is kept: the
    popover shows it at every page run, and the panel shows it again.
    """
    found = dict(_measured_all())
    models = {title: PublishedTokenizer(name) for name, title in SHORT_NAMES.items()}
    for brought in user_tokenizer.user_tokenizers():
        model = PublishedTokenizer(brought.name)
        models[f"{model.title} (yours)"] = model
        found[f"{model.title} (yours)"] = results.call_or_end_page(
            model, published.measure_published
        )
    if not own:
        return found
    key = own, tuple(found)
    if st.session_state.get(_OWN, ("",))[0] != key:
        with_own = {
            title: results.call_or_end_page(models[title], published.with_own, one, own)
            for title, one in found.items()
        }
        st.session_state[_OWN] = key, with_own
    return st.session_state[_OWN][1]


def _published(code: str, pays: str, own: str) -> None:
    """Show the cost of the same sentences under published models."""
    found = _published_models(own)
    finding = published.finding(found)
    st.html(html(_FINDING, finding))
    caption = f"{MEASURES[pays]} of every language under published tokenizers. {finding}"
    figure = published.chart(found, pays)
    panels.show_chart(Chart("The chart of published models", figure, caption), "published")
    st.html(published.table(found, pays))
    st.caption(
        "The same sentences in every language, cut by the tokenizers of published models: what a "
        "prompt costs. Tokens that a model puts around a text are not counted. The slider does not "
        "change them: what they were trained on, and how much of each language was in it, their "
        f"files do not say. The chart shows those that know every character. {READ_AS_TEXT}"
    )
    for title, model in found.items():
        cut = model.cuts[code]
        tokens = count_of(len(cut.tokens), "token")
        st.markdown(f"**{PASSAGES[code].name}, by {escape_markdown(title)}**: {tokens}")
        st.html(html_tiles(cut.tokens[:MAX_TILES], label=f"tokens by {title}"))
        if len(cut.tokens) > MAX_TILES:
            st.caption(f"The first {MAX_TILES} of {tokens} are shown.")


def _all_kinds(study: Study, at: int, pays: str) -> None:
    wanted = {kind: replace(study.request, kind=kind) for kind in COMPARED_KINDS}
    for one in wanted.values():
        # Start all at once.
        jobs.run(results.key_of("languages", one), measure_mixes, one)
    studies = {kind: study_of(one) for kind, one in wanted.items()}
    mix = findings.mix_name(study.request, SHARES[at])
    note = (
        f"All trained on {mix}, with {study.request.extra:,} pieces "
        "beyond single characters or bytes. An unknown character is [UNK] in BPE; in WordPiece its "
        "whole word is; Unigram makes one <unk> of unknown characters side by side. Bytes know all."
    )
    show_panel(ALL_KINDS, Html(findings.all_kinds_table(studies, at, pays)), Note(note))


def _sentences(study: Study, code: str) -> None:
    both = [study.request.first, *study.request.others[:1], code]
    st.html(findings.sentences_html(tuple(dict.fromkeys(both))))
