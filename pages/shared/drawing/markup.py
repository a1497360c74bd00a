"""HTML for `st.html`, escaped in one place.

A template is ours, and taken as it is. What fills it is text, and is escaped, unless it was made
here too. So nothing that came from a text is ever taken as HTML, and nobody has to remember.
"""

from collections.abc import Iterable

from markupsafe import Markup


def html(template: str, *values: object) -> Markup:
    """Return the template with its `{}` filled in.

    >>> html("<p>{}: {:,}</p>", html("<b>{}</b>", "a < b"), 1200)
    Markup('<p><b>a &lt; b</b>: 1,200</p>')
    """
    return Markup(template).format(*values)


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Return parts one after the other; `between` is ours, as a template is.

    >>> joined(["a & b", html("<b>{}</b>", "c")], "<br>")
    Markup('a &amp; b<br><b>c</b>')
    """
    return Markup(between).join(parts)


def each(template: str, values: Iterable[object]) -> Markup:
    """Return the template once for each of the values.

    >>> each("<li>{}</li>", ["a", "<b>"])
    Markup('<li>a</li><li>&lt;b&gt;</li>')
    """
    return joined(html(template, value) for value in values)


def head_cell(name: str, kind: Markup | str = "") -> Markup:
    """Return the cell at the top of a column, with `kind` among its attributes.

    A column without a name has no heading: an empty one would be read out as one.

    >>> head_cell("share"), head_cell("")
    (Markup('<th scope="col">share</th>'), Markup('<td></td>'))
    """
    return html('<th scope="col"{}>{}</th>' if name else "<td{}>{}</td>", kind, name)


def table(kind: str, caption: str, head: Markup, body: Markup, label: str = "") -> Markup:
    """Return a table of class `kind` that scrolls by itself, by the keyboard, too; not on paper.

    `head` and `body` are rows. What scrolls has a name: the `label`, or else the caption.
    """
    return html(
        '<div class="pp-across" style="overflow-x:auto" tabindex="0" role="region" aria-label="{}">'
        '<table class="{}"><caption>{}</caption><thead>{}</thead>'
        "<tbody>{}</tbody></table></div>",
        label or caption,
        *(kind, caption, head, body),
    )
