"""The language mix has a slider in the browser that moves the bars and the tiles at once.

mix_component.js shows the results at every share, and sends the chosen share and language to Python
once they stop changing; presenter.js shows the mix full-screen. mix_message.py builds the message.
"""

from pages.languages.mix_message import MIX, message
from pages.languages.study import PASSAGES, SHARES, Study
from pages.shared.component import pack_message
from pages.shared.component_state import (
    component_renderer,
    current_state,
    no_op,
    sync_component,
)
from pages.shared.controls import url_state
from pages.shared.synced_state import header_of

_FIRST_SHARE = 1  # index into SHARES, for nine parts to one
_mount = component_renderer(MIX)


def language_mix(study: Study, measure: str) -> tuple[int, str]:
    """Show the mix; return the chosen share's index, and the language whose sentences are shown.

    The URL holds the share, in percent, as `mix`, and the language as `cut`.
    """
    first_cut = study.request.languages[-1]
    first = _FIRST_SHARE, first_cut
    mix, cut = url_state.incoming("mix"), url_state.incoming("cut")
    before = current_state("languages", "chosen")
    at, code = before.current if before else first
    address = _position_from_url(mix, cut, at, code)
    state = sync_component(
        "languages",
        "chosen",
        "",
        first,
        parse=_parse_chosen,
        address=None if mix is None and cut is None else address,
        fit=lambda chosen: (
            min(max(chosen[0], 0), len(SHARES) - 1),
            chosen[1] if chosen[1] in PASSAGES else first_cut,
        ),
    )
    at, code = state.current
    url_state.set_param("mix", None if at == _FIRST_SHARE else str(SHARES[at]))
    url_state.set_param("cut", None if code == first_cut else code)
    data = pack_message(message(study, measure, code) | header_of(state))
    _mount(key="languages", data=data, on_chosen_change=no_op)
    return at, code


def _parse_chosen(value: object) -> tuple[int, str] | None:
    match value:
        case [int(share), str(language)]:
            return share, language
    return None


def _position_from_url(mix: str | None, cut: str | None, at: int, code: str) -> tuple[int, str]:
    """Return the share and language in the URL; `at` and `code` replace absent parameters."""
    if mix is not None:
        percents = [str(share) for share in SHARES]
        at = percents.index(mix) if mix in percents else _FIRST_SHARE
    return at, code if cut is None else cut
