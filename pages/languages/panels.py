"""The settings of Compare · Languages, and the panels under its stage."""

from dataclasses import replace

import streamlit as st

from pages.languages import findings, published
from pages.languages.charts import three_ways_chart
from pages.languages.study import (
    MEASURES,
    PASSAGES,
    REST,
    SHARES,
    SPACES,
    Asked,
    Study,
    measure_mixes,
)
from pages.shared.controls import panels, user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import choice, whole_number
from pages.shared.drawing.charts import Chart
from pages.shared.drawing.display_text import html_tiles
from pages.shared.drawing.markup import html
from pages.shared.drawing.phrasing import count_of
from pages.shared.training.published import READ_AS_TEXT, Published
from pages.shared.training.tokenizer_kinds import KINDS
from pages.shared.work import jobs, results

COMPARED = ("bytes", "bpe", "wordpiece", "unigram")
MOST_EXTRA = 300
MOST_TILES = 80  # of a language, by each published model
SPLITS = {"": "The usual way", SPACES: "At spaces only"}
_FINDING = '<p style="font-size:1.2rem;margin:0">{}</p>'


def asked() -> tuple[Asked, str]:
    """Show what can be chosen; return what is asked for, and what the bars measure."""
    names = {
        code: " · ".join(dict.fromkeys((one.name, one.native_name)))  # English is called English
        for code, one in PASSAGES.items()
    }
    columns = st.columns(4)
    with columns[0]:
        first = choice("First language", names, "en", key="first")
    others = {code: name for code, name in names.items() if code != first}
    others[REST] = "All the others, equally"
    with columns[1]:
        second = choice("Mixed with", others, "en" if first == "hi" else "hi", key="second")
    with columns[2]:
        kinds = {kind: KINDS[kind].name for kind in COMPARED}
        kind = choice("Tokenizer", kinds, "bytes", key="kind")
    with columns[3]:
        pays = choice("What the bars measure", MEASURES, "tokens", key="pays")
    with st.sidebar:
        extra = whole_number("Pieces to learn", 1, MOST_EXTRA, 60, key="extra")
        st.caption("In addition to single characters or bytes, as far as the text allows.")
        split = choice("Words are split", SPLITS, "", key="cutting")
        st.caption("No piece reaches across a cut.")
    return Asked(kind, extra, first, second, split), pays


def study_of(asked: Asked) -> Study:
    """Have all mixes trained and measured; the page ends here until that is done."""
    doing = f"Training {KINDS[asked.kind].name} on {len(SHARES)} mixes …"
    return results.result_of(results.key_of("languages", asked), measure_mixes, doing, asked)


def caveats(asked: Asked) -> None:
    """Say what the numbers are and are not."""
    costs = " “Words are split: at spaces only”, in the sidebar, shows what that costs."
    st.caption(findings.caveats(asked) + costs * findings.cuts_words(asked))


def below(study: Study, at: int, code: str, pays: str) -> None:
    """Show the one panel that is chosen."""
    choices = {
        "Three training texts": lambda: _three_ways(study, at, pays),
        "Published models": lambda: _published(code, pays),
        "All four tokenizers": lambda: _all_kinds(study, at, pays),
        "The sentences": lambda: _sentences(study, code),
        "The code": lambda: panels.show_code(measure_mixes),
    }
    panels.panel_choice(choices)


def _three_ways(study: Study, at: int, pays: str) -> None:
    st.html(html(_FINDING, f"{findings.three_ways_finding(study)}."))
    said = f"{MEASURES[pays]} of every language under three tokenizers. {findings.finding(study)}"
    drawn = three_ways_chart(study, at, pays)
    panels.show_chart(Chart("The chart of three training texts", drawn, said), "three ways")
    st.caption(
        "Hollow: more than a fifth of the text is unknown, so a low number means little. "
        f"{findings.finding(study)}"
    )


_SPLITTING = "Splitting the sentences …"
_paid = st.cache_resource(show_spinner=_SPLITTING)(published.paid)


def _published(code: str, pays: str) -> None:
    """Show what the models that people use charge for the same sentences."""
    found = _paid()
    for own in user_tokenizer.user_tokenizers():
        model = Published(own.name)
        paid = results.ask(model, published.measured)
        found = {**found, f"{model.title} (yours)": paid}
    said = published.finding(found)
    st.html(html(_FINDING, said))
    caption = f"{MEASURES[pays]} of every language under published tokenizers. {said}"
    drawn = published.chart(found, pays)
    panels.show_chart(Chart("The chart of published models", drawn, caption), "published")
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
        st.html(html_tiles(cut.tokens[:MOST_TILES], label=f"tokens by {title}"))
        if len(cut.tokens) > MOST_TILES:
            st.caption(f"The first {MOST_TILES} of {tokens} are shown.")


def _all_kinds(study: Study, at: int, pays: str) -> None:
    wanted = {kind: replace(study.asked, kind=kind) for kind in COMPARED}
    for one in wanted.values():
        # All of them at the same time.
        jobs.run(results.key_of("languages", one), measure_mixes, one)
    studies = {kind: study_of(one) for kind, one in wanted.items()}
    st.html(findings.all_kinds_table(studies, at, pays))
    mix = findings.mix_named(study.asked, SHARES[at])
    st.caption(
        f"All trained on {mix}, with {study.asked.extra:,} pieces "
        "beyond single characters or bytes. An unknown character is [UNK] in BPE; in WordPiece its "
        "whole word is; Unigram makes one <unk> of unknown characters side by side. Bytes know all."
    )


def _sentences(study: Study, code: str) -> None:
    both = [study.asked.first, *study.asked.others[:1], code]
    st.html(findings.sentences_html(tuple(dict.fromkeys(both))))
