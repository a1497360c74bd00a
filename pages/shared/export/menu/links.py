"""Share a page's URL as a link, a QR code, or an iframe."""

import io
from urllib.parse import urlencode

import segno
from markupsafe import Markup
from segno.encoder import DataOverflowError

from pages.shared.drawing.markup import html


def link(url: str, parameters: dict[str, str]) -> str:
    """Return the URL of a page with its parameters.

    >>> link("http://127.0.0.1:8501/bpe_train", {"text": "a b&c", "step": "3"})
    'http://127.0.0.1:8501/bpe_train?text=a+b%26c&step=3'
    """
    return f"{url}?{urlencode(parameters, errors='replace')}" if parameters else url


def qr_code(link: str) -> bytes | None:
    """Return the QR code of a URL as a PNG; None if the URL is too long.

    In every theme it is black on white with a quiet zone, because QR readers require this.
    """
    try:
        code = segno.make_qr(link, error="l")
    except DataOverflowError:
        return None
    out = io.BytesIO()
    code.save(out, kind="png", scale=max(2, 400 // code.symbol_size()[0]))
    return out.getvalue()


def frame(url: str, parameters: dict[str, str], title: str) -> Markup:
    """Return the HTML that embeds a page in another one, without its navigation.

    >>> print(frame("http://x/race", {}, "Compare · Race")[:44])
    <iframe src="http://x/race?embed=true" title
    """
    return html(
        '<iframe src="{}" title="{}" width="100%" height="900" style="border: 0" loading="lazy" '
        'allow="fullscreen"></iframe>',
        link(url, parameters | {"embed": "true"}),
        title,
    )
