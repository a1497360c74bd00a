"""Render chat templates in Jinja's sandbox, with the environment of the library `transformers`.

A template is a program in a file from anybody. The sandbox keeps it from Python's internals; limits
on its size, its time, its memory and its output keep it from the server. Time and memory are
limited in a worker only (`isolation.tight_limits`): templates of the app's own tokenizers are
known.
"""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError, TemplateError, TemplateSyntaxError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from pages.real.chat.conversation import Message
from pages.shared.training.isolation import OutOfTime, tight_limits
from tokenizers.errors import UserError

TODAY = datetime(2026, 1, 1)
"""The date given to templates that ask for today's, so that a link shows the same tokens later."""
MAX_TEMPLATE_CHARS = 200_000
"""Characters of a template; published ones have up to 17,000."""
MAX_RENDERED_CHARS = 50_000
MAX_SECONDS, MAX_BYTES = 0.5, 100_000_000
_MAX_BITS, _MAX_ITEMS = 10_000, 1_000_000
"""Of what one multiplication makes: a whole number, and a text or a list."""
_MAX_FORMAT_CHARS = 100
_MAX_MESSAGE_CHARS = 200
_OTHER = "Choose another template."
_REPAIR = "Change the conversation, or choose another template."
_NOT_TODAY = ContextVar("asked_for_date", default=False)


class Rendering(NamedTuple):
    """The text that a template makes of a conversation; `has_date` if it asked for today's date."""

    text: str
    has_date: bool


def render(
    template: str,
    messages: Sequence[Message],
    tokens: Mapping[str, str],
    add_generation_prompt: bool,
) -> Rendering:
    """Return a conversation as the text that its model reads.

    `tokens` are the special tokens that the template may name, such as `bos_token`. Raises
    UserError if the template is broken, refuses the conversation, or exceeds a limit.
    """
    if not messages:
        raise UserError("The conversation is empty. Add a message.")
    if len(template) > MAX_TEMPLATE_CHARS:
        raise UserError(
            f"The file's chat template has {len(template):,} characters; {MAX_TEMPLATE_CHARS:,} "
            f"are read at most. {_OTHER}"
        )
    variables = {
        "messages": [message._asdict() for message in messages],
        "tools": None,
        "documents": None,
        "add_generation_prompt": add_generation_prompt,
        **tokens,
    }
    asked = _NOT_TODAY.set(False)
    try:
        with tight_limits(MAX_SECONDS, MAX_BYTES):
            text = _join_bounded(template, variables)
        return Rendering(text, _NOT_TODAY.get())
    except UserError:
        raise
    except (OutOfTime, MemoryError, Exception) as error:
        raise UserError(_describe_failure(error)) from None
    finally:
        _NOT_TODAY.reset(asked)


def _join_bounded(template: str, variables: Mapping[str, Any]) -> str:
    parts, size = list[str](), 0
    for part in _compile(template).generate(variables):
        size += len(part)
        if size > MAX_RENDERED_CHARS:
            raise UserError(
                f"The chat template writes more than {MAX_RENDERED_CHARS:,} characters. {_REPAIR}"
            )
        parts.append(part)
    return "".join(parts)


def _describe_failure(error: BaseException) -> str:
    """Return a sentence on why a template could not be rendered."""
    match error:
        case TemplateSyntaxError():
            place = f"{_shorten(error.message)}, in line {error.lineno}"
            return f"The chat template isn't valid Jinja: {place}. {_OTHER}"
        case SyntaxError():  # of the Python that Jinja makes: `break` outside a loop
            return f"The chat template isn't valid Jinja: {_shorten(error.msg)}. {_OTHER}"
        case SecurityError():
            return f"The chat template tried what the sandbox forbids: {_shorten(error)}. {_OTHER}"
        case _RaisedByTemplate():
            return f"The chat template refuses this conversation: “{_shorten(error)}”. {_REPAIR}"
        case OutOfTime():
            return f"The chat template computes for more than {MAX_SECONDS:g} seconds. {_OTHER}"
        case MemoryError():
            megabytes = MAX_BYTES // 1_000_000
            return f"The chat template needs more than {megabytes} MB of memory. {_OTHER}"
        case RecursionError():
            return f"The chat template is nested or calls itself too deeply. {_OTHER}"
        case _:
            reason = f"{type(error).__name__}: {_shorten(error)}"
            return f"The chat template fails on this conversation ({reason}). {_REPAIR}"


def _shorten(error: object) -> str:
    """Return an error's text on one line, without its full stop, at most a line or two long."""
    text = " ".join(str(error)[: 10 * _MAX_MESSAGE_CHARS].split()).rstrip(".")
    return text if len(text) <= _MAX_MESSAGE_CHARS else f"{text[:_MAX_MESSAGE_CHARS]}…"


# --- The environment, as in `transformers` ------------------------------------------------------


class _RaisedByTemplate(TemplateError):
    """The template called `raise_exception`."""


class _Generation(Extension):
    """The tag `generation` around the assistant's words; they are rendered as they are."""

    tags = {"generation"}  # noqa: RUF012, as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse the tag's body into a call of `_body`."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_body"), [], [], body).set_lineno(line)

    def _body(self, caller: Macro) -> str:
        return caller()


class _Environment(ImmutableSandboxedEnvironment):
    """The sandbox, which also refuses operations that no clock could interrupt."""

    intercepted_binops = frozenset({"*", "**"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Return the product or power. Raises OverflowError if it would be very large."""
        if operator == "**":
            _check_power(left, right)
        else:
            _check_product(left, right)
        return super().call_binop(context, operator, left, right)


def _check_product(left: object, right: object) -> None:
    match left, right:
        case int(), int():
            is_large = left.bit_length() + right.bit_length() > _MAX_BITS
        case (int(times), str() | bytes() | list() | tuple() as repeated) | (
            str() | bytes() | list() | tuple() as repeated,
            int(times),
        ):
            is_large = len(repeated) * times > _MAX_ITEMS
        case _:
            is_large = False
    if is_large:
        raise OverflowError("the product is too large")


def _check_power(base: object, exponent: object) -> None:
    match base, exponent:
        case int(), int() if base.bit_length() * max(exponent, 0) > _MAX_BITS:
            raise OverflowError("the power is too large")


class _Dict:
    """The global `dict` of templates, which can be called but does not lead to the class."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, keys: Any, value: Any = None) -> dict[Any, Any]:
        """Return a dictionary with the same value for all keys."""
        return dict.fromkeys(keys, value)


class _Namespace(Namespace):
    """Jinja's `namespace` without attributes that begin with an underscore."""

    def __init__(*args: Any, **kwargs: Any) -> None:  # `self` may be among the names
        values = dict(*args[1:], **kwargs)
        for name in values:
            _check_name(name)
        Namespace.__init__(args[0], values)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace cannot have the attribute {name[:50]!r}")


def _raise_exception(message: object) -> NoReturn:
    raise _RaisedByTemplate(str(message))


def _strftime_now(format: object) -> str:
    _NOT_TODAY.set(True)
    if len(text := str(format)) > _MAX_FORMAT_CHARS:
        raise OverflowError("the format of the date is too long")
    return TODAY.strftime(text)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Return `value` as JSON; Jinja's own filter would escape what HTML has a meaning for."""
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


@lru_cache(8)
def _compile(template: str) -> jinja2.Template:
    environment = _Environment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {
        "raise_exception": _raise_exception,
        "strftime_now": _strftime_now,
        "dict": _Dict(),
        "namespace": _Namespace,
    }
    return environment.from_string(template)
