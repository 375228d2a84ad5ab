"""The web process as a whole, under Granian, as production runs it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import requests

from tests.accord_server.kit.wire import chunk, exchange, head
from tests.processes import ROOT, environment_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.processes import RunningProcess

REGISTRY = "/sr/north/default"


@pytest.fixture
def server(web: Callable[..., RunningProcess]) -> RunningProcess:
    """Two web processes."""
    return web(count=2)


def test_the_process_is_ready_and_carries_ids(server: RunningProcess) -> None:
    answer = requests.get(f"{server.url}/readyz", headers={"X-Request-ID": "mine-1"}, timeout=10)
    assert (answer.status_code, answer.headers["X-Request-ID"]) == (200, "mine-1")
    assert answer.json()["status"] == "ok"


def test_the_work_is_shared_between_processes(server: RunningProcess) -> None:
    assert len(server.worker_pids()) >= 2


def test_an_unknown_route_of_the_registry_is_answered_in_its_dialect(server: RunningProcess) -> None:
    answer = requests.get(f"{server.url}/sr/nowhere", timeout=10)
    assert (answer.status_code, answer.json()) == (404, {"error_code": 404, "message": "HTTP 404 Not Found"})
    assert answer.headers["Content-Type"] == "application/vnd.schemaregistry.v1+json"


def test_a_long_body_is_refused_in_the_dialect(server: RunningProcess) -> None:
    answer = requests.post(f"{server.url}{REGISTRY}/subjects/a", data=b"x" * 10_000_000, timeout=20)
    assert (answer.status_code, answer.json()["error_code"]) == (413, 413)
    assert answer.headers["X-Request-ID"]


def test_a_long_chunked_body_is_refused_in_the_dialect(server: RunningProcess) -> None:
    pieces = [chunk(b"x" * 1_000_000) for _ in range(10)]
    start = head("POST", f"{REGISTRY}/subjects/a", "Transfer-Encoding: chunked")
    answer = exchange(server.url, start, *pieces, chunk(b""))
    assert (answer.status, answer.json()["error_code"]) == (413, 413)


@pytest.mark.parametrize("path", [f"{REGISTRY}/subjects/%ff", "/api/v1/%ff", "/t/%ff/"])
def test_a_path_that_is_not_text_is_refused_everywhere(server: RunningProcess, path: str) -> None:
    assert exchange(server.url, head("GET", path), method="GET").status == 400


@pytest.mark.parametrize(
    "path", ["/t/a%00b/", "/rules/%00", "/api/%00", "/sign-in?next=%00", "/sr/%00/x/subjects"]
)
def test_a_nul_never_crashes(server: RunningProcess, path: str) -> None:
    assert exchange(server.url, head("GET", path), method="GET").status < 500


def test_head_has_the_headers_of_get_and_no_body(server: RunningProcess) -> None:
    answer = requests.head(f"{server.url}/healthz", timeout=10)
    assert (answer.status_code, answer.content) == (200, b"")


def test_pages_carry_the_policy_for_browsers_and_machine_answers_do_not(server: RunningProcess) -> None:
    page = requests.get(f"{server.url}/sign-in", timeout=10)
    machine = requests.get(f"{server.url}/healthz", timeout=10)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "Content-Security-Policy" not in machine.headers
    assert machine.headers["X-Content-Type-Options"] == "nosniff"


def test_forms_are_checked(server: RunningProcess) -> None:
    answer = requests.post(f"{server.url}/sign-in", data={"username": "a", "password": "b"}, timeout=10)
    assert answer.status_code == 403


def test_a_registry_without_a_token_asks_for_one(server: RunningProcess) -> None:
    answer = requests.get(f"{server.url}{REGISTRY}/subjects", timeout=10)
    assert (answer.status_code, answer.json()) == (401, {"error_code": 401, "message": "Unauthorized"})
    assert "Basic" in answer.headers["WWW-Authenticate"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "BREW"])
@pytest.mark.parametrize(
    "path", [f"{REGISTRY}/subjects", "/sr/nowhere", "/api/v1/nowhere", "/api/v1/%ff", "/nowhere", "/t/a/"]
)
def test_an_answer_in_place_of_the_right_one_has_a_length(
    server: RunningProcess, path: str, method: str
) -> None:
    """Connections stay open only after answers whose end is known beforehand."""
    answer = exchange(server.url, head(method, path), method=method)
    assert answer.status >= 400 or "location" in answer.headers
    assert "transfer-encoding" not in answer.headers
    assert method == "HEAD" or int(answer.headers["content-length"]) == len(answer.body)


def test_nothing_below_the_registry_is_redirected(server: RunningProcess) -> None:
    for path in ("/sr", "/sr/north", REGISTRY, f"{REGISTRY}/", f"{REGISTRY}//subjects"):
        assert requests.get(f"{server.url}{path}", timeout=10, allow_redirects=False).status_code in {
            401,
            404,
        }


def test_the_root_namespace_answers_at_the_root(web: Callable[..., RunningProcess]) -> None:
    server = web(ACCORD_ROOT_NAMESPACE="north/default")
    for path in ("/subjects", "/schemas/ids/1", "/", "/config/a%2Fb"):
        answer = requests.get(f"{server.url}{path}", timeout=10)
        assert (answer.status_code, answer.json()["error_code"]) == (401, 401)
    page = requests.get(f"{server.url}/", headers={"Accept": "text/html"}, timeout=10)
    assert page.url.startswith(f"{server.url}/sign-in")


def test_without_a_root_namespace_there_is_none(server: RunningProcess) -> None:
    assert requests.get(f"{server.url}/subjects", timeout=10).status_code == 404


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("ACCORD_SECRET_KEY", "weak", "accord.E001"),
        ("ACCORD_DEBUG", "perhaps", "ACCORD_DEBUG: must be one of"),
    ],
)
def test_a_process_with_wrong_settings_does_not_start(variable: str, value: str, words: str) -> None:
    outcome = load_wsgi({variable: value})
    assert outcome.returncode != 0
    assert words in outcome.stderr


@pytest.mark.django_db
def test_a_process_that_would_own_the_tables_does_not_start() -> None:
    outcome = load_wsgi({"ACCORD_DATABASE_URL": environment_of({})["ACCORD_OWNER_DATABASE_URL"]})
    assert outcome.returncode != 0
    assert "accord.E008" in outcome.stderr
    assert "owns tables" in outcome.stderr


def test_a_public_deployment_passes_every_check_of_django() -> None:
    variables = {"ACCORD_PUBLIC_URL": "https://a.example", "ACCORD_ALLOWED_HOSTS": "a.example"}
    outcome = run(["-m", "django", "check", "--deploy", "--fail-level", "WARNING"], variables)
    assert outcome.returncode == 0, outcome.stderr


def load_wsgi(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Load what a server would load."""
    return run(["-c", "import accord_server.wsgi"], environment)


def run(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run Python in a process of its own."""
    variables = environment_of(environment)
    command = [sys.executable, *words]
    return subprocess.run(
        command, env=variables, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
