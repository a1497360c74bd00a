"""The initial content of the start page: title, doors, text, sample texts."""

import tomllib
from pathlib import Path

TITLE = "Piece by Piece"
PURPOSE = "how the models you know cut a text into tokens, and why"
LEARN, TEACH, HAVE_TEXT = "I learn", "I teach", "I have a text"
LABEL = "Your text"
_TABLE = tomllib.loads(Path(__file__).with_name("presets.toml").read_text(encoding="utf-8"))
SAMPLE_TEXTS = {row["name"]: row["text"].strip() for row in _TABLE["text"]}
FIRST_TEXT = next(iter(SAMPLE_TEXTS.values()))
