"""HTML for `st.html`, escaped in one place.

Templates are trusted; values are escaped unless they are `Markup`, which only these functions make
from text. So no text from a user is ever taken as HTML.
"""

from collections.abc import Iterable

from markupsafe import Markup


def html(template: str, *values: object) -> Markup:
    """Fill the `{}` of a template with escaped values.

    >>> html("<p>{}: {:,}</p>", html("<b>{}</b>", "a < b"), 1200)
    Markup('<p><b>a &lt; b</b>: 1,200</p>')
    """
    return Markup(template).format(*values)


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Return the joined parts; `between` is trusted, like a template.

    >>> joined(["a & b", html("<b>{}</b>", "c")], "<br>")
    Markup('a &amp; b<br><b>c</b>')
    """
    return Markup(between).join(parts)


def each(template: str, values: Iterable[object]) -> Markup:
    """Return the template once for each value.

    >>> each("<li>{}</li>", ["a", "<b>"])
    Markup('<li>a</li><li>&lt;b&gt;</li>')
    """
    return joined(html(template, value) for value in values)


def head_cell(name: str, kind: Markup | str = "") -> Markup:
    """Return the head cell of a column; `kind` holds HTML attributes.

    Without a name it is a plain cell, because a screen reader would announce an empty heading.

    >>> head_cell("share"), head_cell("")
    (Markup('<th scope="col">share</th>'), Markup('<td></td>'))
    """
    return html('<th scope="col"{}>{}</th>' if name else "<td{}>{}</td>", kind, name)


def table(kind: str, caption: str, head: Markup, body: Markup, label: str = "") -> Markup:
    """Return a table of class `kind` in a box that scrolls, also by keyboard.

    `head` and `body` are rows. The box is named by `label` or else by the caption.
    """
    return html(
        '<div class="pp-across" style="overflow-x:auto" tabindex="0" role="region" aria-label="{}">'
        '<table class="{}"><caption><span>{}</span></caption><thead>{}</thead>'
        "<tbody>{}</tbody></table></div>",
        label or caption,
        *(kind, caption, head, body),
    )
