"""Open a repository's folder with transformers, and encode; run by make_repository_fixtures.py.

It must run as `python -I`, see oracle.py.
"""

# pyright: reportMissingImports=false
# (it is not checked in the environment in which it runs)

import os


def _transformers():
    """Return the package, imported so that it asks nobody on the network."""
    os.environ |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_VERBOSITY": "critical"}
    import transformers

    return transformers


def encode_with_repository(folder, texts):
    """Return, for every text, tokens, ids, and what the ids decode to with and without specials.

    The answer is the name of an error if the folder does not open.
    """
    transformers = _transformers()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    answers = []
    for text in texts:
        ids = tokenizer.encode(text)
        both = [tokenizer.decode(ids, skip_special_tokens=skip) for skip in (False, True)]
        answers.append([tokenizer.convert_ids_to_tokens(ids), ids, *both])
    return answers


def version():
    """Return the version of transformers."""
    return _transformers().__version__


CALLS = {call.__name__: call for call in (encode_with_repository, version)}
