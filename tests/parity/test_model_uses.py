"""The table of models and tokenizers says what tiktoken says of OpenAI's models."""

from lessons.models.uses import USE_OF

from . import ask_with_files, needs_tiktoken

NAMES = {
    "GPT-5": "gpt-5",
    "GPT-4.5": "gpt-4.5-preview",
    "GPT-4.1": "gpt-4.1",
    "GPT-4o": "gpt-4o",
    "o1": "o1",
    "o3": "o3",
    "o4-mini": "o4-mini",
    "gpt-oss-20b": "gpt-oss-20b",
    "gpt-oss-120b": "gpt-oss-120b",
    "GPT-4": "gpt-4",
    "GPT-3.5 Turbo": "gpt-3.5-turbo",
    "text-embedding-3": "text-embedding-3-small",
    "text-embedding-ada-002": "text-embedding-ada-002",
    "Codex (code-davinci-002)": "code-davinci-002",
    "text-davinci-003": "text-davinci-003",
    "GPT-2": "gpt2",
    "GPT-3 (davinci, curie, babbage, ada)": "davinci",
}
"""The models of the table as tiktoken names them."""


@needs_tiktoken
def test_openais_models_use_what_tiktoken_says():
    ours = [USE_OF[model].tokenizer.partition(",")[0] for model in NAMES]
    assert ours == ask_with_files("tiktoken_names", models=list(NAMES.values()))
    of_tiktoken = {model for model, use in USE_OF.items() if "/tiktoken/" in use.source}
    assert of_tiktoken == NAMES.keys()
