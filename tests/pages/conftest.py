"""What tests of pages share: no worker processes, and no second look for what does not change."""

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test, local_script_runner

from pages.shared.work import jobs
from tests.pages.opening import POOL

COMPONENTS = manifest_scanner.scan_component_manifests()
SCRIPTS = ScriptCache()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """What the pages ask of a worker is done on the spot, and once for all tests.

    So is what Streamlit's AppTest does anew at every opening, which takes longer than the pages do:
    to look for components in all installed packages, and to compile the scripts. It waits for a
    page as one waits for a thread, not by asking a thousand times a second.
    """
    monkeypatch.setattr(jobs, "_POOL", POOL)
    monkeypatch.setattr(manifest_scanner, "scan_component_manifests", lambda: COMPONENTS)
    for module in (app_test, local_script_runner):
        monkeypatch.setattr(module, "ScriptCache", lambda: SCRIPTS)
    monkeypatch.setattr(local_script_runner, "require_widgets_deltas", lambda run, _: run.join())
