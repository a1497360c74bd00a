"""The list of what the files beside a tokenizer say, what was taken from them, and what was not."""

from collections.abc import Sequence

from markupsafe import Markup

from pages.shared.drawing.display_text import escape_invisible
from pages.shared.drawing.markup import each, html, joined
from tokenizers.runtime.tokenizer import FileSetting

MAX_CHARS = 100  # of a name or a value


def settings_list(settings: Sequence[FileSetting]) -> Markup:
    """Return the settings as HTML, file by file: those that were taken, then the others with why.

    >>> print(settings_list([FileSetting("config.json", "model_type", "gpt2")]))
    <dl class="pp-settings"><dt>config.json</dt><dd>Taken: model_type <code>gpt2</code></dd></dl>
    """
    by_file: dict[str, list[FileSetting]] = {}
    for one in settings:
        by_file.setdefault(one.file, []).append(one)
    return html('<dl class="pp-settings">{}</dl>', joined(map(_of_file, by_file.values())))


def _of_file(settings: Sequence[FileSetting]) -> Markup:
    taken = [_named(one) for one in settings if not one.ignored]
    rows = [html("Taken: {}", joined(taken, " · "))] if taken else []
    rows += [_ignored_setting(one) for one in settings if one.ignored]
    return html("<dt>{}</dt>{}", _short(settings[0].file), each("<dd>{}</dd>", rows))


def _ignored_setting(one: FileSetting) -> Markup:
    if one.setting == "the file":
        return html("Not used: {}", one.ignored)
    return html("Not taken: {}, because {}", _named(one), one.ignored)


def _named(one: FileSetting) -> Markup:
    value = html(" <code>{}</code>", _short(one.value)) if one.value else ""
    return html("{}{}", _short(one.setting), value)


def _short(text: str) -> str:
    return escape_invisible(text if len(text) <= MAX_CHARS else f"{text[: MAX_CHARS - 1]}…")
