"""The language mix has a slider in the browser that moves the bars and the tiles at once.

mix_component.js shows the results at every share, and sends the chosen share, language and merge to
Python once they stop changing; presenter.js shows the mix full-screen. mix_message.py builds the
message.
"""

from pages.languages.mix_message import MIX, message
from pages.languages.study import MAX_EXTRA, PASSAGES, SHARES, Study
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
_FIRST_TURN = 1
_PARAMS = ("mix", "cut", "turn")
_mount = component_renderer(MIX)


Position = tuple[int, str, int]
"""The index of the chosen share, the language whose sentences are shown, and a merge, from 1."""


def language_mix(study: Study, measure: str, usual: Study | None) -> Position:
    """Show the mix, compared with the `usual` rule if there is one; return the position in it.

    The URL holds the share, in percent, as `mix`, the language as `cut`, and the merge as `turn`.
    """
    first_cut = study.request.languages[-1]
    first = _FIRST_SHARE, first_cut, _FIRST_TURN
    before = current_state("languages", "chosen")
    address = _position_in_url(before.current if before else first, first)
    state = sync_component(
        "languages",
        "chosen",
        "",
        first,
        parse=_parse_chosen,
        address=address,
        fit=lambda chosen: (
            min(max(chosen[0], 0), len(SHARES) - 1),
            chosen[1] if chosen[1] in PASSAGES else first_cut,
            min(max(chosen[2], _FIRST_TURN), MAX_EXTRA),
        ),
    )
    at, code, number = state.current
    url_state.set_unless_default("mix", str(SHARES[at]), str(SHARES[_FIRST_SHARE]))
    url_state.set_unless_default("cut", code, first_cut)
    url_state.set_unless_default("turn", str(number if usual else _FIRST_TURN), str(_FIRST_TURN))
    data = pack_message(message(study, measure, code, usual) | header_of(state))
    _mount(key="languages", data=data, on_chosen_change=no_op)
    return at, code, number


def _parse_chosen(value: object) -> Position | None:
    match value:
        case [int(share), str(language)]:
            return share, language, _FIRST_TURN
        case [int(share), str(language), int(turn)]:
            return share, language, turn
    return None


def _position_in_url(now: Position, first: Position) -> Position | None:
    """Return the position that a link or the Back button asks for; None if neither does.

    A parameter that Back has removed means the `first` position, and any other absent one `now`.
    """
    values = [url_state.incoming(name) for name in _PARAMS]
    removed = [url_state.was_removed(name) for name in _PARAMS]
    if not any(removed) and all(value is None for value in values):
        return None
    kept = [a if is_removed else b for a, b, is_removed in zip(first, now, removed, strict=True)]
    (mix, cut, turn), (at, code, number) = values, kept
    if mix is not None:
        percents = [str(share) for share in SHARES]
        at = percents.index(mix) if mix in percents else _FIRST_SHARE
    if turn is not None:
        number = url_state.parse_natural(turn) or _FIRST_TURN
    return int(at), str(code if cut is None else cut), int(number)
