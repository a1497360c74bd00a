"""Both interpretations of Unigram · Lattice: a bound on the sum, a hidden Markov model."""

import re
from html import unescape

import pytest

from pages.lattice.interpretations import SHARES
from tests.pages.opening import html_of, markdown_of, opened
from tests.pages.opening import texts_of as said_in

PAGE = "unigram_lattice"
BOUND, MARKOV = "A bound on the sum", "As a hidden Markov model"


@pytest.mark.parametrize("shares", SHARES)
def test_a_bound_for_every_choice_of_shares(shares):
    app = opened(PAGE, pieces_from="u1", panel=BOUND, shares=shares)
    assert not app.error
    texts = unescape(html_of(app))
    total = re.search(r"log Z = ([−\d.]+) nats, and bounds of it", texts)
    assert total
    assert f"log Z = {total[1]} nats" in markdown_of(app).replace("\\", "")
    by_model = re.search(r"The model's own shares.*?</tr>", texts)
    assert by_model
    assert total[1] in by_model[0]


def test_states_add_up_to_the_forward_values():
    app = opened(PAGE, pieces_from="u2", panel=MARKOV)
    assert "all finished" in html_of(app)
    assert "h|a|" in html_of(app).replace("<wbr>", "")


@pytest.mark.parametrize("panel", [BOUND, MARKOV])
@pytest.mark.parametrize("say", ["", "x" * 300, "zzz", "hello hello hello"])
def test_any_text(panel, say):
    app = opened(PAGE, pieces_from="u1", say=say, panel=panel)
    assert not app.error
    assert "Traceback" not in " ".join(said_in(app.caption))
