"""Templates in the sandbox: what is refused, what is limited, and whose the characters are.

What published templates write is in tests/parity/test_chat_templates.py.
"""

import contextlib
import resource
import signal

import pytest

from pages.real.chat.conversation import FIRST_CHAT, Message
from pages.real.chat.rendering import MAX_RENDERED_CHARS, MAX_TEMPLATE_CHARS, render
from pages.real.chat.speakers import Speech, render_chat, speaker_of
from pages.shared.training import isolation
from pages.shared.training.isolation import in_worker
from tests.fuzz.templates import HANDMADE
from tokenizers.errors import UserError

CHAT = [Message("system", "Be brief."), Message("user", "Hi"), Message("assistant", "Yes?")]


@pytest.fixture(autouse=True)
def not_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that is killed is replaced; this process, in which garbage takes longer, is not.

    In a process of its own, each of these templates is tried by tests/fuzz/templates.py.
    """
    monkeypatch.setattr(isolation, "KILL_AFTER", 60)


def text_of(template: str, chat=FIRST_CHAT, **tokens: str) -> str:
    return render(template, chat, tokens, add_generation_prompt=True).text


def problem_of(template: str) -> str:
    """The sentence that a worker gives."""
    with in_worker(), pytest.raises(UserError) as caught:
        text_of(template)
    return str(caught.value)


def test_a_template_has_what_transformers_gives_it():
    source = (
        "{{ bos_token }}|{{ tools }}|{{ documents }}|{{ add_generation_prompt }}|{{ unknown }}|"
        "{{ messages[1] | tojson }}|{{ {'ü': '<'} | tojson(indent=1) }}|"
        "{{ strftime_now('%d %b %Y') }}"
    )
    assert text_of(source, bos_token="<s>") == (
        '<s>|None|None|True||{"role": "user", "content": "Hello!"}|{\n "ü": "<"\n}|01 Jan 2026'
    )


def test_lines_of_tags_leave_nothing_and_loops_can_be_left():
    leave = "{% if loop.index == 2 %}{% break %}{% endif %}"
    source = "a\n  {% for m in messages %}\n" + leave + "\nb\n{% endfor %}\nc"
    assert text_of(source) == "a\nb\nc"


def test_the_generation_tag_changes_nothing():
    source = (
        "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %};{% endfor %}"
    )
    assert text_of(source) == "You are a helpful assistant.;Hello!;"


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ raise_exception('No!') }}", "refuses this conversation: “No!”."),
        ("{% if %}", "isn't valid Jinja: Expected an expression, got 'end of statement block'"),
        ("{{ x | nope }}", "isn't valid Jinja: No filter named 'nope', in line 1."),
        ("{% break %}", "isn't valid Jinja: 'break' outside loop. Choose"),
        ("{{ x.y }}", "fails on this conversation (UndefinedError: 'x' is undefined)."),
        ("{% include 'a' %}", "fails on this conversation (TypeError:"),
        ("{{ ''.__class__.__mro__ }}", "tried what the sandbox forbids: access to attribute"),
        ("{{ cycler.__init__.__globals__ }}", "tried what the sandbox forbids"),
        ("{{ messages.append(1) }}", "tried what the sandbox forbids"),
        ("{{ namespace(__class__=1) }}", "tried what the sandbox forbids: a namespace cannot"),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "nested or calls itself too deeply"),
        ("{% for i in range(10**9) %}x{% endfor %}", "Range too big"),
        ("{{ 'a' * 10**9 }}", "OverflowError: the product is too large"),
        ("{{ 9 ** 99999999 }}", "OverflowError: the power is too large"),
        ("{{ 'a'.ljust(10**9) }}", "needs more than 100 MB of memory"),
        ("{{ 'a' * 900000 }}", f"writes more than {MAX_RENDERED_CHARS:,} characters"),
        ("{{ lipsum(n=10**7) }}", "computes for more than 0.5 seconds"),
        ("a" * (MAX_TEMPLATE_CHARS + 1), "are read at most"),
        ("{{ strftime_now('%Y' * 9999) }}", "OverflowError: the format of the date is too long"),
        (
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
            "computes for more than 0.5 seconds",
        ),
    ],
)
def test_what_a_template_may_not_do_ends_with_a_sentence(template, expected):
    problem = problem_of(template)
    assert expected in problem
    assert problem.startswith("The ")
    assert problem.endswith((". Choose another template.", "choose another template."))
    assert len(problem) < 500


@pytest.mark.filterwarnings(  # the first OutOfTime may be lost in a finalizer; another follows it
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize("template", HANDMADE)
def test_nothing_leads_out_of_the_sandbox(template):
    with in_worker():
        try:
            text = text_of(template)
        except UserError:
            return
    assert not any(
        name in text for name in ("<class", "<function", "<module", "<built-in", "root:")
    )


def test_a_workers_limits_are_as_before_when_a_template_has_ended():
    def limits():
        timers = [
            signal.getitimer(timer)[0] for timer in (signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
        ]
        handler = signal.getsignal(signal.SIGVTALRM)
        return resource.getrlimit(resource.RLIMIT_DATA), handler, [time > 0 for time in timers]

    before = limits()
    for template in (
        "{{ messages }}",
        "{{ 'a'.ljust(10**9) }}",
        "{{ lipsum(n=10**7) }}",
        "{% if %}",
    ):
        with in_worker(), contextlib.suppress(UserError):
            text_of(template)
        assert limits() == before


def test_an_empty_conversation_is_refused():
    with pytest.raises(UserError, match="The conversation is empty"):
        text_of("{{ messages }}", [])


# --- Whose the characters are ---------------------------------------------------------------------


def parts_of(template: str, chat=CHAT) -> list[tuple[str, int]]:
    found = render_chat(template, chat, {}, add_generation_prompt=True)
    return [(found.text[start:end], number) for start, end, number in found.speeches]


ALL = [("Be brief.", 0), ("Hi", 1), ("Yes?", 2)]


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}Hi {{ m.content }} Yes?\n{% endfor %}",
        "{% for m in messages %}{{ m.content.strip() }}{% endfor %}",
        "{% for m in messages %}{{ '[' + m.content|trim + ']' }}{% endfor %}",
        "{% set ns = namespace(t='') %}{% for m in messages %}{% set ns.t = ns.t ~ m.content %}"
        "{% endfor %}{{ ns.t }}",
        "{% macro say(m) %}<{{ m.content }}>{% endmacro %}"
        "{% for m in messages %}{{ say(m) }}{% endfor %}",
    ],
)
def test_the_words_of_each_message_are_found(template):
    assert parts_of(template) == ALL


def test_the_same_words_belong_to_the_message_that_says_them():
    chat = [Message("user", "Hi"), Message("assistant", "Hi"), Message("user", "Hi")]
    template = "Hi {% for m in messages|reverse %}{{ m.role }} Hi: {{ m.content }};{% endfor %}"
    found = render_chat(template, chat, {}, add_generation_prompt=True)
    assert [number for *_, number in found.speeches] == [2, 1, 0]
    assert all(found.text[start - 4 : start] == "Hi: " for start, *_ in found.speeches)


def test_a_message_that_is_left_out_or_cut_is_found_as_far_as_it_is_there():
    chat = [Message("system", "gone"), Message("assistant", "<think>x</think>four")]
    assert parts_of("{{ messages[1].content.split('</think>')[-1] }}", chat) == [("four", 1)]
    assert parts_of("{{ messages[1].content.split('</think>')[0] }};", chat) == [("<think>x", 1)]


def test_where_a_template_looks_at_the_words_they_are_searched_for():
    template = "{% for m in messages %}{{ m.content|length }}:{{ m.content }};{% endfor %}"
    assert parts_of(template) == ALL


def test_a_template_that_changes_the_words_has_written_them():
    assert parts_of("{{ messages[1].content|length * 'ab' }}") == []
    assert parts_of("{{ messages[1].content|upper }}") == [("HI", 1)]


def test_words_for_private_use_are_found_too():
    chat = [Message("user", "\U000f0000 a \U000f0001")]
    assert parts_of("<{{ messages[0].content }}>", chat) == [(chat[0].content, 0)]


def test_a_token_belongs_to_the_message_with_at_least_half_of_it():
    speeches = [Speech(3, 5, 0), Speech(5, 9, 1)]
    spans = [(0, 3), (2, 4), (1, 4), (4, 7), (3, 9), (8, 12), (9, 9)]
    assert [speaker_of(speeches, *span) for span in spans] == [None, 0, None, 1, 1, None, None]
