"""Asynchronous checks: asked for over the native API, worked on under a lease, followed by id."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from celery import current_app
from django.utils import timezone

from accord.formats.protobuf import service
from accord.model import Finding, Format, Level, SchemaText, Severity, SubjectName
from accord.policy import Policy
from accord.policy.ignoring import Ignored
from accord_server.kit import tenancy
from registry.models import CheckRun
from registry.services.check_progress import asked_to_store, policy_of
from registry.services.leases import MAX_ATTEMPTS
from registry.services.questions import Question
from registry.tasks import resume_checks, run_one_check
from tests.accord.protobuf_texts import COMPILER
from tests.registry.client import optional, record
from tests.registry.native.asking import CHECKS, ask, follow
from tests.registry.policies.asking import NAMESPACE, Native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from accord_server.kit.scope import Scope
    from tests.processes import RunningProcess
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db


@pytest.fixture
def history(api: Registry) -> None:
    """A subject of three versions under FULL_TRANSITIVE."""
    api.level("s", "FULL_TRANSITIVE")
    for count in range(3):
        api.registered("s", record("a", *[optional(f"f{number}") for number in range(count)]))


def result_of(scope: Scope) -> Any:
    return only_run(scope).result


def only_run(scope: Scope) -> CheckRun:
    tenancy.activate(scope.tenant.id)
    run: CheckRun = CheckRun.objects.scoped(scope).get()
    return run


def change(scope: Scope, **values: Any) -> None:
    tenancy.activate(scope.tenant.id)
    CheckRun.objects.scoped(scope).update(**values)


def work(scope: Scope) -> bool:
    return run_one_check(scope.tenant.id, only_run(scope).pk)


def test_a_check_is_accepted_and_followed_to_its_result(api: Registry, history: None, scope: Scope) -> None:
    accepted = ask(api, record("a"))
    assert accepted.status_code == 202
    assert accepted.json()["progress"] == {"done": 0, "total": 3}
    assert work(scope)
    done = follow(api, accepted.headers["Location"]).json()
    assert (done["state"], done["progress"]["done"]) == ("done", 3)
    assert done["result"]["is_compatible"] is True


def test_every_version_is_reported_not_only_the_first_that_blocks(
    api: Registry, history: None, scope: Scope
) -> None:
    ask(api, record({"name": "a", "type": "string"}))
    work(scope)
    result = result_of(scope)
    assert result["is_compatible"] is False
    assert {one["version"] for one in result["comparisons"] if one["is_blocked"]} == {1, 2, 3}


def test_a_run_judges_by_the_places_that_were_ignored_when_it_was_asked_for(
    api: Registry, history: None, scope: Scope
) -> None:
    native = Native(api.token)
    rules = {"TYPE_MISMATCH": {"parameters": {"ignore": ["/fields/0/**"]}}}
    native.enforce({"name": "lax", "default": {"level": "FULL_TRANSITIVE", "rules": rules}})
    ask(api, record({"name": "a", "type": "string"}))
    native.ok("DELETE", f"{NAMESPACE}/policy-binding", If_Match="*")
    work(scope)
    assert result_of(scope)["is_compatible"] is True


def test_a_run_keeps_the_packages_that_were_ignored_when_it_was_asked_for(
    api: Registry, scope: Scope
) -> None:
    service.use(COMPILER)  # not the one that the settings of the server name
    native = Native(api.token)
    ignoring = {"protobuf": {"ignored": {"packages": ["vendor"]}}}
    native.enforce({"name": "lax", "default": {"level": "FULL_TRANSITIVE"}, "formats": ignoring})
    text = 'syntax = "proto3"; package vendor.v1; message M { %s f = 1; }'
    body = {"schema": text % "string", "schemaType": "PROTOBUF"}
    assert api.call("POST", "/subjects/s/versions", body).status == 200
    ask(api, None, schema=text % "int64", format="PROTOBUF")
    native.ok("DELETE", f"{NAMESPACE}/policy-binding", If_Match="*")
    work(scope)
    assert result_of(scope)["is_compatible"] is True


def test_what_is_ignored_is_read_back_as_it_was_stored() -> None:
    ignored = Ignored(("vendor", "a/b.proto"), ("acme.v1",), unstable=True)
    asked = Question(SubjectName("s"), SchemaText(Format.PROTOBUF, ""), "", Level(), "confluent:8.1", {}, ())
    stored = asked_to_store(Policy(Level(), "confluent:8.1", ignored=ignored), asked)
    row = CheckRun(level="NONE", policy=json.loads(json.dumps(stored)))
    assert policy_of(row).ignored == ignored


def test_the_same_question_joins_its_run_and_then_gets_the_answer(
    api: Registry, history: None, scope: Scope
) -> None:
    first = ask(api, record("a"))
    assert ask(api, record("a")).json()["id"] == first.json()["id"]
    work(scope)
    again = ask(api, record("a"))
    assert (again.status_code, again.json()["state"]) == (200, "done")


def test_a_run_that_somebody_works_on_is_left_to_them(api: Registry, history: None, scope: Scope) -> None:
    ask(api, record("a"))
    change(scope, leased_until=timezone.now() + timedelta(minutes=1))
    assert not work(scope)
    assert only_run(scope).attempts == 0


def test_a_run_goes_on_where_its_lost_worker_stopped(api: Registry, history: None, scope: Scope) -> None:
    ask(api, record("a"))
    blocking = asdict(Finding("X", Severity.BLOCK, "/", "", "said before"))
    sides = ("forward", "backward")
    found = [{"version": 3, "side": one, "findings": [blocking], "left_out": 5} for one in sides]
    change(scope, state="running", done=1, attempts=1, found=found)
    work(scope)
    run = only_run(scope)
    assert (run.state, run.done, run.attempts) == ("done", 3, 2)
    result = result_of(scope)
    first = result["comparisons"][0]
    assert (first["findings"][0]["sentence"], first["left_out"]) == ("said before", 5)
    assert (result["is_compatible"], result["levels"]["FORWARD"]["version"]) == (False, 3)


def test_a_finished_run_is_not_done_again(api: Registry, history: None, scope: Scope) -> None:
    ask(api, record("a"))
    work(scope)
    before = only_run(scope).result
    assert not work(scope)
    assert only_run(scope).result == before


def test_a_run_that_loses_every_worker_fails_and_can_be_asked_for_again(
    api: Registry, history: None, scope: Scope
) -> None:
    asked = ask(api, record("a"))
    change(scope, state="running", attempts=MAX_ATTEMPTS)
    work(scope)
    assert follow(api, asked.headers["Location"]).json()["state"] == "failed"
    assert ask(api, record("a")).json()["state"] == "queued"


def test_asking_again_after_the_history_grew_is_a_new_question(api: Registry, history: None) -> None:
    first = ask(api, record("a")).json()["id"]
    api.registered("s", record("a", optional("f0"), optional("f1"), optional("f2")))
    assert ask(api, record("a")).json()["id"] != first


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"schema": "{"}, 422, "invalid_schema"),
        ({"level": "SIDEWAYS"}, 422, "unknown_level"),
        ({"subject": "__GLOBAL"}, 422, "invalid_subject"),
        ({"format": "COBOL"}, 400, "bad_request"),
        ({"schema": "\u0000"}, 400, "bad_request"),
    ],
)
def test_a_bad_request_is_a_problem_document(
    api: Registry, body: dict[str, Any], status: int, code: str
) -> None:
    answer = ask(api, record("a"), **body)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code


def test_an_unknown_check_and_a_hidden_one_look_alike(
    api: Registry, api_with: Callable[..., Registry], history: None
) -> None:
    where = ask(api, record("a")).headers["Location"]
    stranger = api_with("compat.check", "subject.read", subjects=("other-*",))
    hidden, missing = follow(stranger, where), follow(stranger, f"{CHECKS.format(tenant='north')}/{uuid4()}")
    assert (hidden.status_code, missing.status_code) == (404, 404)
    assert hidden.json()["code"] == missing.json()["code"] == "check_not_found"


def test_without_the_right_the_answer_names_it(api_with: Callable[..., Registry], history: None) -> None:
    answer = ask(api_with("subject.read"), record("a"))
    assert (answer.status_code, answer.json()["code"]) == (403, "right_missing")
    assert "compat.check" in answer.json()["detail"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_does_what_was_asked_for(
    celery_worker_process: Callable[..., RunningProcess], api: Registry, history: None, scope: Scope
) -> None:
    celery_worker_process(ACCORD_OUTBOX_INTERVAL="1")
    where = ask(api, record("a")).headers["Location"]
    assert eventually(lambda: follow(api, where).json()["state"] == "done")


@pytest.mark.django_db(transaction=True)
def test_a_check_whose_task_was_lost_is_taken_up(
    redis_url: str,
    celery_worker_process: Callable[..., RunningProcess],
    api: Registry,
    history: None,
    scope: Scope,
) -> None:
    where = ask(api, record("a")).headers["Location"]
    # As if Redis had lost the message that was sent.
    current_app.control.purge()
    lost = only_run(scope)
    change(scope, state="running", attempts=1, leased_until=timezone.now())
    assert resume_checks() == 1
    celery_worker_process()
    assert eventually(lambda: follow(api, where).json()["state"] == "done")
    assert lost.pk == only_run(scope).pk


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_of_a_check_loses_nothing(
    redis_url: str, celery_worker_process: Callable[..., RunningProcess], api: Registry, scope: Scope
) -> None:
    api.level("s", "NONE")
    for number in range(VERSIONS):
        api.registered("s", wide(number))
    first = celery_worker_process(ACCORD_CHECK_LEASE="3")
    where = ask(api, wide(VERSIONS), level="FULL_TRANSITIVE").headers["Location"]
    assert eventually(lambda: only_run(scope).done > 0)
    first.kill()
    stopped_at = only_run(scope)
    assert (stopped_at.state, stopped_at.done < VERSIONS) == ("running", True)
    celery_worker_process()
    assert eventually(lambda: follow(api, where).json()["state"] == "done")
    result = follow(api, where).json()["result"]
    assert [one["version"] for one in result["comparisons"]] == two_each(range(VERSIONS, 0, -1))
    assert (stopped_at.attempts, only_run(scope).attempts) == (1, 2)


VERSIONS = 12
# So many that the versions take seconds to read, also where a machine is fast: progress is noted each half.
FIELDS = 12_000


def wide(number: int) -> Any:
    """Make a schema that takes a while to compare."""
    return record(*[optional(f"f{field}") for field in range(FIELDS)], optional(f"g{number}"))


def two_each(numbers: Iterable[int]) -> list[int]:
    """List each number twice: FULL looks in both directions."""
    return [number for number in numbers for _ in range(2)]


def eventually(is_so: Callable[[], bool], within_s: float = 60) -> bool:
    deadline = time.monotonic() + within_s
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.1)
    return is_so()
