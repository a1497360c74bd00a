"""Hostile chat templates: known ways out of a sandbox, ways to grow, and anything put together.

    python -m tests.fuzz.templates 2000 1

renders so many drawn ones, of a seed, each in a process of its own as in a worker, after those made
by hand. It prints how many were refused, those that had no sentence, those that touched the system,
the longest processor time in seconds, and the highest memory of a process in MB.
"""

import json
import os
import sys
from collections.abc import Iterator
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any, NoReturn

from pages.real.chat.conversation import FIRST_CHAT, ROLES, Message
from pages.real.chat.speakers import render_chat
from pages.shared.training.isolation import in_worker
from tests.fuzz import drawing
from tokenizers.errors import UserError

ESCAPES = (
    "''.__class__.__mro__[1].__subclasses__()",
    "''|attr('__class__')",
    "''|attr('\\x5f\\x5fclass\\x5f\\x5f')",
    "''['__class__']",
    "()|map(attribute='__class__')|list",
    "[messages]|map(attribute='__class__')|list",
    "messages|groupby('__class__')|list",
    "messages|sort(attribute='__class__')",
    "messages|selectattr('__class__')|list",
    "messages|sum(attribute='__class__')",
    "lipsum.__globals__",
    "lipsum.__globals__['os'].popen('id').read()",
    "cycler.__init__.__globals__",
    "joiner.__init__.__globals__",
    "namespace.__init__.__globals__",
    "namespace(__class__=1)",
    "namespace(**{'__class__': 1})",
    "dict.__class__",
    "dict(__class__=1).__class__",
    "dict.fromkeys.__self__.__class__",
    "raise_exception.__globals__",
    "raise_exception.__code__",
    "strftime_now.__globals__",
    "self.__init__.__globals__",
    "self._TemplateReference__context",
    "self._TemplateReference__context.environment",
    "loop.__class__",
    "caller.__globals__",
    "messages.__class__.__base__",
    "messages[0].__class__",
    "messages[0].items.__self__",
    "messages.append(1)",
    "messages.clear()",
    "messages[0].update(a=1)",
    "messages[0].pop('role')",
    "'{0.__class__.__mro__}'.format(1)",
    "'{a.__class__}'.format_map({'a': 1})",
    "'%(a)s'|format(a=''.__class__)",
    "('{0.__cl' ~ 'ass__}').format(messages)",
    "''.format.__self__",
    "(1).__class__.__bases__",
    "(1).real.__class__",
    "(x for x in messages).gi_frame",
    "messages|map('attr', '__class__')|list",
    "messages|xmlattr",
    "messages[0].content.encode().__class__",
    "environment",
    "context.environment.globals",
    "get_flashed_messages.__globals__",
    "url_for.__globals__['current_app']",
    "request.application.__globals__",
    "config.items()",
    "''.__init_subclass__",
    "''.__doc__",
    "varargs",
    "kwargs",
)
"""Expressions, most of them published as ways out of Jinja's sandbox."""
GROWTH = (
    "'a' * 10**9",
    "10**9 * 'a'",
    "[0] * 10**9",
    "10**10**10",
    "9**9**9**9",
    "range(10**9)|list",
    "range(99999)|list|string",
    "'a'.ljust(10**9)",
    "'a'.rjust(10**9)",
    "'a'.center(10**9)",
    "'1'.zfill(10**9)",
    "'\\t'.expandtabs(10**9)",
    "'a'|center(10**9)",
    "'a\\nb'|indent(10**9)",
    "'%1000000000d' % 1",
    "'%.1000000000f' % 1.0",
    "'{:>1000000000}'.format(1)",
    "'{:{}}'.format(1, 10**9)",
    "messages|batch(10**9, 1)|list",
    "messages|slice(10**9)|list",
    "lipsum(n=10**8)",
    "lipsum(min=10**8, max=10**9)",
    "('a' * 99999).replace('a', 'b' * 99999)",
    "('a' * 99999).join(range(99999)|map('string')|list)",
    "('ab' * 49999).split('a')|join('b' * 9999)",
    "messages|tojson(indent=10**9)",
    "('a' * 999999)|wordwrap(1)",
    "('a' * 999999)|urlize",
    "('<' * 999999)|striptags",
    "('&' * 999999)|escape|escape|escape|escape",
    "range(99999)|map('string')|list|sort|join",
    "strftime_now('%c' * 50)",
    "('1' * 4000)|int ** 4000",
    "(('1' * 4000)|int) * (('1' * 4000)|int)",
    "raise_exception('a' * 999999)",
)
"""Expressions that ask for much time or memory."""
PROGRAMS = (
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(x) m(1) %}{{ m(x) }}{% endcall %}",
    "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
    "{% for i in range(99999) %}{{ messages }}{% endfor %}",
    "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}"
    "{% endfor %}{{ ns.s }}",
    "{% set ns = namespace(s='ab') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}"
    "{% endfor %}{{ ns.s }}",
    "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}"
    "{% endfor %}{{ ns.s | tojson }}",
    "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}"
    "{% endfor %}{{ ns.s }}",
    "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = ns.s + ns.s %}"
    "{% endfor %}{{ ns.s }}",
    "{% set ns = namespace(x=3) %}{% for i in range(60) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
    "{% set ns = namespace(x=1) %}{% for i in range(99999) %}{% set ns.x = ns.x + ns.x %}"
    "{% endfor %}",
    "{% for a in messages recursive %}{{ loop([messages]) }}{% endfor %}",
    "{% set c = cycler('a') %}{% for i in range(99999) %}{{ c.next() }}{% endfor %}",
    "{% set ns = namespace() %}{% set ns.a = ns %}{{ ns }}{{ ns | tojson }}",
    "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
    "{% block a %}{{ self.a() }}{% endblock %}",
    "{% include 'a' %}",
    "{% extends 'a' %}",
    "{% import '/etc/passwd' as x %}{{ x }}",
    "{% filter upper %}{{ 'a' * 99999 }}{% endfilter %}",
    "{% generation %}{% generation %}{{ messages }}{% endgeneration %}{% endgeneration %}",
    "{% generation %}",
    "{% break %}",
    "{{ " + "(" * 3_000 + "1" + ")" * 3_000 + " }}",
    "{{ 1" + " + 1" * 9_000 + " }}",
    "{{ 1" + " ~ 1" * 9_000 + " }}",
    "{{ " + "not " * 9_000 + "1 }}",
    "{{ a" + ".a" * 9_000 + " }}",
    "{{ a" + "[0]" * 9_000 + " }}",
    "{{ 1" + " | string" * 9_000 + " }}",
    "{% if 1 %}" * 900,
    "{% if 1 %}" * 300 + "{% endif %}" * 300,
    "{% for i in messages %}" * 12 + "x" + "{% endfor %}" * 12,
    "{{ '" + "a" * 150_000,
    "{#" * 50_000,
    "{{" * 50_000,
    "{%" + " " * 150_000,
    "{% raw %}" * 9_000,
)
HANDMADE = (*(f"{{{{ {expression} }}}}" for expression in (*ESCAPES, *GROWTH)), *PROGRAMS)
FRAMES = (
    "{{{{ {} }}}}",
    "{{{{ ({})|string|length }}}}",
    "{{{{ [{0}, {0}]|tojson }}}}",
    "{{% for m in ({}) %}}{{{{ m }}}}{{% endfor %}}",
    "{{% for m in messages %}}{{{{ m.role ~ ({}) }}}}{{% endfor %}}",
    "{{% set ns = namespace(x=({})) %}}{{{{ ns.x }}}}",
    "{{% macro m(x) %}}{{{{ x }}}}{{% endmacro %}}{{{{ m({}) }}}}",
    "{{% if ({}) %}}a{{% else %}}b{{% endif %}}",
    "{{% set x %}}{{{{ {} }}}}{{% endset %}}{{{{ x + x }}}}",
    "{{{{ dict(a=({}))['a'] }}}}",
)
"""What is done with an expression."""


def template(rng: Random) -> str:
    """Draw a template: an expression in a frame, two frames, or a program, perhaps broken."""
    kind = rng.random()
    if kind < 0.15:
        made = rng.choice(PROGRAMS)
    elif kind < 0.85:
        expression = rng.choice(rng.choice((ESCAPES, GROWTH)))
        made = "".join(rng.choice(FRAMES).format(expression) for _ in range(rng.choice((1, 1, 2))))
    else:
        words = rng.choices(_WORDS, k=rng.randint(1, 40))
        made = rng.choice((" ", "")).join(words)
    return drawing.broken(made, rng) if rng.random() < 0.25 else made


_WORDS = (
    *("{{", "}}", "{%", "%}", "{#", "#}", "-", "+", "~", "|", "(", ")", "[", "]", "{", "}", "."),
    *("for", "in", "if", "endfor", "endif", "set", "macro", "endmacro", "call", "block", "not"),
    *("messages", "loop", "namespace", "range", "dict", "lipsum", "cycler", "raise_exception"),
    *("'a'", "1", "10**9", "99999", "__class__", "tojson", "list", "join", "map", "trim", "=", ","),
    *("generation", "endgeneration", "break", "continue", "strftime_now", "x", "\n", "\0", "🧑‍🚀"),
)


def conversation(rng: Random) -> list[Message]:
    """Draw up to five messages of any text that a box can hold."""
    number = rng.randint(0, 5)
    texts = [drawing.text(rng, 20).encode("utf-8", "replace").decode() for _ in range(number)]
    texts += ["{{ 7 * 7 }}", "</think>", "<|im_end|>"]
    return [Message(rng.choice(ROLES), rng.choice(texts)) for _ in range(number)]


# --- Each in a process of its own -------------------------------------------------------------


SYSTEM = ("os", "subprocess", "socket", "shutil", "ctypes", "pty", "urllib", "tempfile", "mmap")
"""The first parts of the names of audit events by which a template would touch the system."""
_touched: list[str] = []
_is_watching = False


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what a template touches; modules that Jinja imports when it needs them do not count."""
    named = str(arguments[0]) if arguments else ""
    is_file = event == "open" and not named.endswith(
        (".py", ".pyc", "/proc/self/statm", "<template>")
    )
    is_system = event.split(".")[0] in SYSTEM and event != "os.listdir"
    if _is_watching and (is_file or is_system):
        _touched.append(f"{event} {named}"[:100])


def outcomes(number: int, seed: int) -> Iterator[dict[str, Any]]:
    """Yield what came of each template."""
    rng = Random(f"templates:{seed}")
    cases = [(one, list(FIRST_CHAT)) for one in HANDMADE]
    cases += [(template(rng), conversation(rng)) for _ in range(number)]
    for source, messages in cases:
        reader, writer = os.pipe()
        if not (child := os.fork()):
            _render_here(source, messages, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            answer = pipe.read()
        status = os.waitpid(child, 0)[1]
        died = {"message": f"The process died of signal {status}.", "seconds": 1.0, "megabytes": 0}
        yield {"source": source[:200], "touched": [], **(json.loads(answer or "null") or died)}


def _render_here(source: str, messages: list[Message], writer: int) -> NoReturn:
    global _is_watching
    sys.addaudithook(_watch)
    began, message = process_time(), ""
    try:
        with in_worker():
            _is_watching = True
            render_chat(source, messages, {"bos_token": "<s>"}, add_generation_prompt=True)
    except UserError as error:
        message = str(error)
    except BaseException as error:  # a bug: the message has no full stop
        message = f"{type(error).__name__}: {error}"
    _is_watching = False
    megabytes = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    found = {"message": message, "seconds": process_time() - began, "megabytes": megabytes}
    os.write(writer, json.dumps({**found, "touched": _touched[:3]}).encode())
    os._exit(0)


def summary(number: int, seed: int) -> dict[str, Any]:
    """Return what came of all templates."""
    found = list(outcomes(number, seed))
    return {
        "templates": len(found),
        "refused": sum(bool(one["message"]) for one in found),
        "killed": sum("process died" in one["message"] for one in found),
        "faults": [one for one in found if not _is_sentence(one["message"])],
        "touched": [one for one in found if one["touched"]],
        "slowest": max(one["seconds"] for one in found),
        "megabytes": max(one["megabytes"] for one in found),
    }


def _is_sentence(message: str) -> bool:
    return not message or (message.endswith(".") and len(message) < 500)


if __name__ == "__main__":
    with in_worker():  # lazy imports must not count
        render_chat("{{ lipsum() }}", FIRST_CHAT, {}, add_generation_prompt=True)
    print(json.dumps(summary(int(sys.argv[1]), int(sys.argv[2])), indent=1))
