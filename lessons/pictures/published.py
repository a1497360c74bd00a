"""Plans for the pictures of published tokenizers, called from `planning.py`.

They show texts side by side, one word, or the content of vocabularies. No model is opened here.
"""

from lessons.format.errors import LessonError, one_of, some_of
from lessons.format.reading import PictureSpec
from lessons.models import MODELS
from lessons.pictures.plan import LONGEST, Plan, stepped_text
from lessons.texts import LANGUAGES
from tokenizers.runtime.inspection.encoders import ENCODERS
from tokenizers.runtime.inspection.segmentation_graph import OTHER_WAYS

MOST_ROWS = 24  # of texts side by side


def model_of(picture: PictureSpec, family: str) -> str:
    """Return the published model of a picture. Raises LessonError if it is of another family."""
    fit = [name for name, model in MODELS.items() if model.family.startswith(family)]
    what = f"the picture {picture.name} is of {family}, and there is no such published model"
    return one_of(picture.values.get("published"), fit, picture.line, what)


def models_of(picture: PictureSpec) -> tuple[str, ...]:
    """Return the published models of a picture. Raises LessonError if one is unknown."""
    given, what = picture.values.get("models", ()), "there is no published model"
    return some_of(given, tuple(MODELS), picture.line, what)


def side_by_side(picture: PictureSpec) -> Plan:
    """Return the plan of texts split by several models. Raises LessonError if it is invalid."""
    values, models = picture.values, models_of(picture)
    encoders = values.get("encoders", ("own",))
    known = (*ENCODERS, *OTHER_WAYS)
    encoders = some_of(encoders, known, picture.line, "there is no encoder")
    special = values.get("special", "control")
    one_of(special, ("control", "text"), picture.line, "special tokens cannot be read as")
    texts = _texts(picture)
    if len(models) * len(texts) * len(encoders) > MOST_ROWS:
        message = f"The picture {picture.name} has at most {MOST_ROWS} rows."
        raise LessonError(picture.line, f"{message} Name fewer models or texts.")
    return Plan("published", models=models, texts=texts, encoders=encoders, special=special)


def _texts(picture: PictureSpec) -> dict[str, str]:
    """Return the texts by name, which is "text" for a single one, else a language or given."""
    values = picture.values
    if len({"text", "texts", "languages"} & set(values)) != 1:
        message = f"The picture {picture.name} needs one of text, texts and languages."
        raise LessonError(picture.line, message)
    if "languages" in values:
        known = {passage.name.lower(): passage.text for passage in LANGUAGES}
        for name in values["languages"]:
            one_of(name, tuple(known), picture.line, "there is no language")
        return {name: known[name] for name in values["languages"]}
    texts = values.get("texts", {"text": values.get("text", "")})
    for name, text in texts.items():
        if not (isinstance(text, str) and 0 < len(text) <= LONGEST) or len(name.split()) != 1:
            message = f"Each text of {picture.name} has a name of one word, and 1 to {LONGEST:,} "
            raise LessonError(picture.line, f'{message}characters. Write: texts = {{ one = "…" }}')
    return dict(texts)


def word(picture: PictureSpec) -> Plan:
    """Return the plan of one word merged by a model. Raises LessonError if it is invalid."""
    name = model_of(picture, "BPE")
    return Plan("published_word", input_text=stepped_text(picture, "word"), models=(name,))


def vocabularies(picture: PictureSpec) -> Plan:
    """Return the plan of vocabularies' content. Raises LessonError if a model is unknown."""
    return Plan(
        "vocabularies", input_text=picture.values.get("text", ""), models=models_of(picture)
    )
