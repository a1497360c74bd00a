"""The growth view shows how an operation's work grows: a sentence, a chart, and what is counted.

growth_view.js draws the message, and can present it.
"""

from pathlib import Path

from pages.complexity import findings
from pages.complexity.counts import OperationGrowth
from pages.shared.component import PRESENTER, build_component
from pages.shared.component_state import component_renderer
from pages.shared.drawing.display_text import plain_table
from pages.shared.drawing.svg.drawing import HALF, render_svg

_mount = component_renderer(
    build_component(
        "growth", Path(__file__).parent, "growth_view.css", *PRESENTER, "growth_view.js"
    )
)


def growth_view(found: OperationGrowth) -> None:
    """Show the growth view."""
    _mount(key="growth_view", data=message(found))


def message(found: OperationGrowth) -> dict[str, str]:
    """Return the message from which a browser draws the view; chart and table are HTML."""
    verdicts = "; ".join(f"{one.name}: {findings.verdict(found, one)}" for one in found.series)
    alt = f"{found.unit.capitalize()}s over {found.axis}, on logarithmic scales. {verdicts}."
    return {
        "finding": f"{findings.finding(found)}.",
        "chart": render_svg(findings.chart(found), alt, "growth-", wide=HALF),
        "table": plain_table(*findings.meanings(found)),
        "note": found.note,
    }
