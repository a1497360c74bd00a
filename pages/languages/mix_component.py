"""The language mix has a slider in the browser that moves the bars and the tiles at once.

mix_component.js shows the results at every share, and sends the chosen share and language to Python
once they stop changing; presenter.js shows the mix full-screen. mix_message.py builds the message.
"""

from pages.languages.mix_message import MIX, message
from pages.languages.study import PASSAGES, SHARES, Study
from pages.shared.component import pack_message
from pages.shared.component_state import (
    accept_client_value,
    client_report,
    component_renderer,
    current_state,
    no_op,
    set_from_server,
)
from pages.shared.controls import url_state

_FIRST_SHARE = 1  # index into SHARES, for nine parts to one
_mount = component_renderer(MIX)


def language_mix(study: Study, measure: str) -> tuple[int, str]:
    """Show the mix; return the chosen share's index, and the language whose sentences are shown.

    The URL holds the share, in percent, as `mix`, and the language as `cut`.
    """
    first_cut = study.request.languages[-1]
    here = current_state("languages") or set_from_server("languages", "", (_FIRST_SHARE, first_cut))
    mix, cut = url_state.incoming("mix"), url_state.incoming("cut")
    if mix is not None or cut is not None:
        here = set_from_server("languages", "", _position_from_url(mix, cut, *here.current))
    at, code = here.current
    match client_report("languages", "chosen", here.key):
        case [int(share), str(language)]:
            at, code = share, language
    at = min(max(at, 0), len(SHARES) - 1)
    code = code if code in PASSAGES else first_cut
    accept_client_value("languages", (at, code))
    url_state.set_param("mix", None if at == _FIRST_SHARE else str(SHARES[at]))
    url_state.set_param("cut", None if code == first_cut else code)
    data = pack_message(message(study, measure, at, code) | {"key": here.key})
    _mount(key="languages", data=data, on_chosen_change=no_op)
    return at, code


def _position_from_url(mix: str | None, cut: str | None, at: int, code: str) -> tuple[int, str]:
    """Return the share and language in the URL; `at` and `code` replace absent parameters."""
    if mix is not None:
        percents = [str(share) for share in SHARES]
        at = percents.index(mix) if mix in percents else _FIRST_SHARE
    return at, code if cut is None else cut
