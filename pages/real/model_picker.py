"""Choose a published tokenizer, uploaded files, or a tokenizer's name on the Hugging Face hub.

If a tokenizer cannot be opened, a message next to its control says why, and the previous tokenizer
stays. A worker with a memory limit reads the files, which go nowhere else.
"""

import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lessons.models import MODELS, hub, open_model
from lessons.models.uses import models_of
from pages.real.files.file_options import file_options
from pages.real.files.model_finder import find_by_model
from pages.real.files.parse_upload import FileOptions, read_tokenizer
from pages.real.files.settings_list import settings_list
from pages.shared.controls import url_state, user_tokenizer
from pages.shared.controls.markdown import escape_markdown
from pages.shared.controls.url_state import choice
from pages.shared.corpus.uploads import content_of
from pages.shared.drawing.display_text import shorten_filename
from pages.shared.training.published import PublishedTokenizer, TokenizerInfo
from pages.shared.work import jobs, results
from tokenizers.errors import UserError, user_message
from tokenizers.formats.opening import (
    LeftOpen,
    group_files,
    is_companion,
    main_names,
    setting_left_open,
)
from tokenizers.formats.schemes import CUSTOM
from tokenizers.limits import MAX_FILE_BYTES
from tokenizers.runtime.tokenizer import FileSetting

DEFAULT = "o200k"
MAX_MEGABYTES = MAX_FILE_BYTES >> 20
_GROUPS, _HUB_PROBLEM = "tokenizer_groups", "tokenizer_not_sent"
_QUIET_SECONDS = 0.4  # most files are read within this, without a progress message
_MAX_TITLE_CHARS = 60
_READING = "Reading the tokenizer …"
_DROP_IT = " Download the file from the hub and drop it above to choose."
_INTERRUPTED = "Reading the tokenizer was stopped before the end. Choose the file again."


@dataclass(frozen=True, slots=True)
class PickedTokenizer:
    """The tokenizer on the page, its name on the screen, and `about`, a text on its origin.

    `settings` lists what the files beside it say.
    """

    model: PublishedTokenizer
    title: str
    about: str
    settings: tuple[FileSetting, ...] = ()


def pick(actions: DeltaGenerator) -> PickedTokenizer:
    """Choose a tokenizer in the actions of the page's heading, and return it, opened."""
    box = actions.container(key="model_box")  # above the popover, which may add an option to it
    with actions, st.popover("Open another tokenizer"):
        find_by_model()
        _from_files()
        _from_the_hub()
    with box:
        name = choice("Tokenizer", _options(), DEFAULT, key="model", label_visibility="collapsed")
    picked = by_name(name)
    with actions, st.popover(":material/info:", help="Whose tokenizer it is"):
        st.markdown(escape_markdown(picked.about))
        if picked.settings:
            st.html(settings_list(picked.settings))
    return picked


def by_name(name: str) -> PickedTokenizer:
    """Return a published tokenizer, or one that the visitor brought."""
    user_tokenizers = next(
        (brought for brought in user_tokenizer.user_tokenizers() if brought.name == name), None
    )
    return (
        PickedTokenizer(
            PublishedTokenizer(user_tokenizers.name),
            user_tokenizers.title,
            user_tokenizers.origin,
            user_tokenizers.info.settings,
        )
        if user_tokenizers
        else _published(name)
    )


def pick_another(than: PickedTokenizer) -> PickedTokenizer:
    """Choose a second tokenizer to compare with."""
    titles = _user_titles() | {name: model.title for name, model in MODELS.items()}
    options = {name: title for name, title in titles.items() if name != than.model.name}
    default = next(name for name in ("cl100k", DEFAULT) if name in options)
    return by_name(choice("Compare with", options, default, key="other"))


def _options() -> dict[str, str]:
    """Return the titles, with the models that use each, so that typing a model's name finds it."""
    titles = {
        name: " · ".join(filter(None, (model.title, model.family, ", ".join(models_of(name)))))
        for name, model in MODELS.items()
    }
    return _user_titles() | titles


def _user_titles() -> dict[str, str]:
    return {
        brought.name: shorten_filename(brought.title, _MAX_TITLE_CHARS)
        for brought in user_tokenizer.user_tokenizers()
    }


def _published(name: str) -> PickedTokenizer:
    model = MODELS[name]
    about = f"{model.family}, by {model.owner}. Used by {model.used_by}."
    return PickedTokenizer(PublishedTokenizer(name), open_model(name).name, about)


def _keep_and_select(key: str, opened: TokenizerInfo, about: str, replaced: str = "") -> str:
    """Keep a tokenizer for the visit, in place of `replaced`; select it and return its name."""
    name = user_tokenizer.add(key, opened, about, replaced).name
    url_state.preset_widget("model", name)
    return name


# --- Files ----------------------------------------------------------------------------------------


def _from_files() -> None:
    held = {
        file.file_id: (file.name, data)
        for file in st.file_uploader(
            "Drop the files of a tokenizer here",
            accept_multiple_files=True,
            max_upload_size=MAX_MEGABYTES,
            key="tokenizer_files",
            help="tokenizer.json, SentencePiece's .model, .tiktoken, tekken.json, claude.json, "
            "CLIP’s merges, vocab.txt, or vocab.json with merges.txt, and what lies beside them, "
            "such as tokenizer_config.json: drop the whole folder. They are read here and not kept "
            "after your visit; the newest "
            f"{user_tokenizer.MOST_TOKENIZERS} tokenizers that you open can be chosen.",
        )
        if (data := content_of(file)) is not None
    }
    groups = {ids: group for ids, group in _grouped(held).items() if held.keys() >= set(ids)}
    for ids, group in groups.items():
        _show_group(group, [held[id_] for id_ in ids], "-".join(ids), len(groups) > 1)


@dataclass(slots=True)
class _FileGroup:
    """Uploaded files of one tokenizer: what they leave open, and how they were read last.

    `name` is the tokenizer's in the session, and `problem` what was wrong; both are "" if nothing.
    """

    left_open: LeftOpen | None
    options: FileOptions | None = None
    name: str = ""
    problem: str = ""


def _grouped(held: dict[str, tuple[str, bytes]]) -> dict[tuple[str, ...], _FileGroup]:
    """Return the groups of the uploaded files by their ids.

    Files that opened stay a group; the others are grouped anew when there are more or fewer, and
    settings without a tokenizer belong to the newest one.
    """
    before: dict[tuple[str, ...], _FileGroup] = st.session_state.get(_GROUPS, {})
    opened = {
        ids: group
        for ids, group in before.items()
        if group.name and not held.keys().isdisjoint(ids)
    }
    left = {id_: file for id_, file in held.items() if not any(id_ in ids for ids in opened)}
    if {id_ for ids in before.keys() - opened.keys() for id_ in ids} != left.keys():
        newest: tuple[str, ...] = next(reversed(opened), ())
        for numbers in group_files([*left.values()]):
            ids, name = tuple([[*left][n] for n in numbers]), ""
            if (
                held.keys() >= {*newest}
                and all(is_companion(left[id_][0]) for id_ in ids)
                and newest
            ):
                name, ids = opened.pop(newest).name, (*newest, *ids)
            files = dict(held[id_] for id_ in ids)
            opened[ids] = before.get(ids) or _FileGroup(setting_left_open(files), name=name)
            newest = ids
        before = opened
    st.session_state[_GROUPS] = before
    return before


def _show_group(
    group: _FileGroup, files: Sequence[tuple[str, bytes]], key: str, is_named: bool
) -> None:
    """Show what can be chosen for a tokenizer's files, open them if that is new, and any error."""
    names = ", ".join(main_names(name for name, _ in files))
    options = file_options(group.left_open, names if is_named else "", key)
    if options != group.options:
        name, problem = _open(files, options, group.name)
        group.name, group.problem, group.options = name or group.name, problem, options
    if group.problem:
        st.error(escape_markdown(group.problem))


def _open(
    files: Sequence[tuple[str, bytes]], options: FileOptions, replaced: str
) -> tuple[str, str]:
    """Open the files of one tokenizer; return its name, or "" and what is wrong with them.

    It takes the place of the tokenizer `replaced`. The page run ends here while a worker reads.
    """
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files}
    key = f"file.{results.key_of(hashes, options)}"
    job = jobs.run(key, read_tokenizer, dict(files), options)
    spot = st.empty()
    with spot.container():
        if not (
            jobs.done_within(job, _QUIET_SECONDS) or jobs.wait_for(job, _READING, 0) or job.wait()
        ):
            url_state.end_early()
    spot.empty()  # the caller shows the problem
    if job.result is None:
        return "", job.problem or _INTERRUPTED
    names = ", ".join(main_names(name for name, _ in files))
    about = f"Your file {names}, read as {job.result.format}{_chosen(options)}."
    opened = replace(job.result, name=names)
    return _keep_and_select(key, opened, about, replaced), ""


def _chosen(options: FileOptions) -> str:
    """Return what a visitor chose for a file, as the end of a sentence."""
    if options.scheme == CUSTOM:
        return ", cut into words by a pattern of yours"
    if options.scheme:
        return f", cut into words as {options.scheme}"
    cases = {"lower": ", in lower case", "keep": ", with its capital letters"}
    return cases.get(options.case, "")


# --- The hub --------------------------------------------------------------------------------------


def _from_the_hub() -> None:
    if importlib.util.find_spec("huggingface_hub") is None:
        st.caption(
            "To open a tokenizer by its name on the Hugging Face hub, install the package "
            "huggingface_hub: `pip install -r requirements-hub.txt`."
        )
        return
    with st.form("hub", border=False):
        name = st.text_input(
            "Or a name on the Hugging Face hub",
            placeholder="openai-community/gpt2",
            key="hub_name",
            max_chars=200,
        )
        is_submitted = st.form_submit_button("Download its tokenizer")
    if is_submitted and name.strip():
        st.session_state[_HUB_PROBLEM] = ""
        _download(name)
    if problem := st.session_state.get(_HUB_PROBLEM):
        st.error(escape_markdown(problem))


def _download(name: str) -> None:
    bar = st.progress(0.0, "Asking the hub …")
    st.button("Stop", key="hub_stop")  # any press reruns the page, which ends the download

    def watch(file: str, done: int, total: int | None) -> None:
        share = min(done / total, 1.0) if total else 0.0
        bar.progress(share, f"{escape_markdown(file)}: {done / 1e6:.1f} MB")

    try:
        with jobs.release_slot():
            found = hub.download(name, on_progress=watch)
        opened = replace(_read(found, bar), name=found.repo)
    except Exception as error:
        message = user_message(error)
        is_left_open = "hoose a scheme" in message
        st.session_state[_HUB_PROBLEM] = message + _DROP_IT * is_left_open
        st.rerun()
    kept = (
        " It is the copy kept on this computer: the hub cannot be reached."
        if found.from_cache
        else ""
    )
    about = f"{opened.format}, from {found.repo} on the hub.{kept}"
    _keep_and_select(f"hub.{found.repo}.{found.commit}", opened, about)
    st.rerun()


def _read(found: hub.TokenizerFiles, bar: DeltaGenerator) -> TokenizerInfo:
    """Return the tokenizer that a worker reads from the files. Raises UserError if there is none.

    Blocks the page run because a rerun would forget that the button was pressed.
    """
    job = jobs.run(f"hub.{found.repo}.{found.commit}", read_tokenizer, found.files)
    with jobs.release_slot():
        while not job.wait(_QUIET_SECONDS):
            bar.progress(1.0, _READING)
    if job.result is None:
        raise UserError(job.problem or _INTERRUPTED)
    return job.result
