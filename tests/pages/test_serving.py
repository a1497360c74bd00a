"""Is the server well? Streamlit's own health knows of pages only, not of runs."""

from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from pages import serving
from pages.shared.work import jobs
from pages.shared.work.pool import Pool


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    pool = Pool(workers=1)
    monkeypatch.setattr(jobs, "_POOL", pool)
    yield pool
    pool.close()


def test_the_server_is_well_before_the_first_run_and_after_it_until_the_pool_is_closed(pool: Pool):
    app = Starlette(routes=serving.ROUTES, middleware=serving.MIDDLEWARE)
    client = TestClient(app)
    assert client.get("/health").status_code == 200
    assert pool.run("once", abs, -1).wait(60)
    assert client.get("/health").text == "ok"
    pool.close()
    answer = client.get("/health")
    assert answer.status_code == 503
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_the_server_is_not_well_when_nobody_attends_to_a_worker(pool: Pool):
    assert pool.run("once", abs, -1).wait(60)
    assert pool.is_well()
    pool._threads[-1].is_alive = lambda: False  # type: ignore[method-assign]
    assert not pool.is_well()


def test_runs_end_when_the_server_does(pool: Pool):
    with TestClient(Starlette(lifespan=serving.life)):
        assert pool.is_well()
    assert not pool.is_well()
