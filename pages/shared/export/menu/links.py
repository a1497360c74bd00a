"""Share a page's URL as a link, a QR code, or an iframe; say who can open it."""

import io
import socket
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
from markupsafe import Markup
from segno.encoder import DataOverflowError

from pages.shared.drawing.markup import html

ONLY_THIS_COMPUTER = (
    "This link works on this computer only. To let others open it, start the app with "
    "server.address set to 0.0.0.0; their link is then shown here."
)
IN_CONTAINER = (
    "This link works on this computer only. Others need this computer’s own address in place of "
    "localhost."
)
FOR_YOUR_NETWORK = (
    "Everybody in the same network as this computer, such as the same Wi-Fi, can open this address."
)

CONTAINER_MARKS = ("/.dockerenv", "/run/.containerenv")


class Reach(NamedTuple):
    """Who can open a URL: the host that others need instead, if any, and what to say about it."""

    host: str = ""
    note: str = ""


def reach(url: str, server_address: str) -> Reach:
    """Return who can open `url`, from where the server listens; "" means every network.

    >>> reach("https://pieces.example/race", ""), reach("http://localhost:8501/", "127.0.0.1").host
    (Reach(host='', note=''), '')
    """
    here = urlsplit(url)
    if not _is_loopback(here.hostname or ""):
        return Reach()
    is_local = bool(server_address) and _is_loopback(server_address)
    if not is_local and any(Path(mark).exists() for mark in CONTAINER_MARKS):
        return Reach(note=IN_CONTAINER)  # nobody else can reach a container's own address
    address = None if is_local else own_address()
    if address is None:
        return Reach(note=ONLY_THIS_COMPUTER)
    return Reach(f"{address}:{here.port}" if here.port else address, FOR_YOUR_NETWORK)


def at_host(url: str, host: str) -> str:
    """Return a URL with another host, or as it is if `host` is empty.

    >>> at_host("http://localhost:8501/race?step=3", "192.168.1.5:8501")
    'http://192.168.1.5:8501/race?step=3'
    """
    return urlunsplit(urlsplit(url)._replace(netloc=host)) if host else url


def own_address() -> str | None:
    """Return this machine's address in its network, or None if it has none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if _is_loopback(address) else address


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
