"""Answer questions by a script with CALLS: `python -I answering.py SCRIPT [FOLDER...]`.

Reads {"call": name, ...arguments} as a line of JSON from stdin and writes the pickled answer to
stdout, until stdin ends. It runs in isolated mode, where the project cannot be imported.
"""

import gc
import json
import pickle
import runpy
import sys

if __name__ == "__main__":
    del sys.argv[0]
    calls = runpy.run_path(sys.argv[0])["CALLS"]
    gc.disable()  # there are no cycles in an answer, and many lists to search for some
    for line in sys.stdin.buffer:
        question = json.loads(line)
        answer = calls[question.pop("call")](**question)
        pickle.dump(answer, sys.stdout.buffer, protocol=4)  # any Python can read this one
        sys.stdout.buffer.flush()
