"""What tests of pages share: no worker processes, and no second look for what does not change."""

from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.logger import get_logger
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import app_test, local_script_runner

from pages.shared.work import jobs
from tests.pages.opening import POOL

# It warns whenever a test looks at the session, with all that it takes to write a line.
get_logger(script_run_context.__name__).setLevel("ERROR")
COMPONENTS = manifest_scanner.scan_component_manifests()
SCRIPTS = ScriptCache()
RUNTIME = MagicMock(spec=Runtime)


def runtime(spec: type[Runtime]) -> MagicMock:
    """What stands for the server of a run: the same as before, and as if nobody had asked it."""
    assert spec is Runtime
    RUNTIME.reset_mock()
    return RUNTIME


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """What the pages ask of a worker is done on the spot, and once for all tests.

    So is what Streamlit's AppTest does anew at every opening, which takes longer than the pages do:
    to look for components in all installed packages, to compile the scripts, and to make up a
    server. It waits for a page as one waits for a thread, not by asking a thousand times a second.
    And where a widget looks for its own value, it is not given the values of all others as well.
    """
    monkeypatch.setattr(jobs, "_POOL", POOL)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: COMPONENTS)
    for module in (app_test, local_script_runner):
        monkeypatch.setattr(module, "ScriptCache", lambda: SCRIPTS)
    monkeypatch.setattr(app_test, "MagicMock", runtime)
    monkeypatch.setattr(SafeSessionState, "filtered_state", property(lambda safe: safe._state))
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", lambda run, _: run.join())
