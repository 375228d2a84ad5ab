"""The life of a dry run: taken up again after a lost worker, cancelled, bounded, forgotten, hidden."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from django.utils import timezone

from accord.errors import InvalidPolicy
from accord.model import SubjectName
from accord_server.kit import tenancy
from registry.dry_run_records import StartDryRun
from registry.models import DryRun, DryRunChange
from registry.policy_records import PolicyPlace
from registry.services import dry_runs as services
from registry.services import replaying
from registry.services.leases import MAX_ATTEMPTS
from registry.services.verdict_changes import change_between
from registry.tasks import prune_old_dry_runs, resume_dry_runs
from tests.registry.client import Registry, optional, record
from tests.registry.dry_runs.asking import DRY_RUNS, change, only_run, tried, work
from tests.registry.policies.asking import Native

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.processes import RunningProcess

pytestmark = pytest.mark.django_db

SUBJECTS = 6


@pytest.fixture
def history(api: Registry) -> None:
    """Subjects that each lose a required field in their second version."""
    for number in range(SUBJECTS):
        api.registered(f"s{number}", record("x", "y"))
        api.registered(f"s{number}", record("x"))


def found(scope: Scope) -> list[tuple[int, str, int]]:
    tenancy.activate(scope.tenant.id)
    rows = DryRunChange.objects.scoped(scope).order_by("position")
    return list(rows.values_list("position", "name", "number"))


def everything(count: int = SUBJECTS) -> list[tuple[int, str, int]]:
    return [(number + 1, f"s{number}", 2) for number in range(count)]


def ask(native: Native) -> str:
    return str(native.ok("POST", DRY_RUNS, {"level": "FULL"})["id"])


def state_of(native: Native, run: str) -> str:
    return str(native.ok("GET", f"{DRY_RUNS}/{run}")["state"])


class Killed(BaseException):
    """A worker that is gone: nothing of its own runs any more."""


def killing(monkeypatch: pytest.MonkeyPatch, *, after: int) -> None:
    """Let the worker die when it has replayed so many versions, having noted each."""
    monkeypatch.setattr(services, "BETWEEN_NOTES_S", 0.0)
    left = [after]

    def mortal(*sides: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        return change_between(*sides)

    monkeypatch.setattr(replaying, "change_between", mortal)


@pytest.mark.parametrize("after", [0, 1, 3, 4, 11])
def test_a_killed_worker_leaves_nothing_out_and_nothing_twice(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    ask(native)
    with monkeypatch.context() as patched:
        killing(patched, after=after)
        with pytest.raises(Killed):
            work(scope)
    assert not work(scope), "the lease is still held"
    change(scope, leased_until=timezone.now())
    assert work(scope)
    run = only_run(scope)
    assert (run.state, run.done, run.total, run.attempts) == ("done", SUBJECTS, SUBJECTS, 2)
    assert found(scope) == everything()


def test_who_lost_the_lease_writes_nothing_more(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(native)
    monkeypatch.setattr(services, "BETWEEN_NOTES_S", 0.0)

    def overtaken(*sides: Any) -> Any:
        if found(scope):
            change(scope, attempts=7)
        return change_between(*sides)

    monkeypatch.setattr(replaying, "change_between", overtaken)
    assert work(scope)
    assert (only_run(scope).state, len(found(scope))) == ("running", 1)


def test_a_cancelled_run_ends_with_what_it_has_found(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = ask(native)
    with monkeypatch.context() as patched:
        killing(patched, after=4)
        with pytest.raises(Killed):
            work(scope)
    assert native.ok("DELETE", f"{DRY_RUNS}/{run}")["state"] == "cancelled"
    assert not work(scope)
    assert found(scope) == everything(2)
    assert native.ok("DELETE", f"{DRY_RUNS}/{run}")["state"] == "cancelled"


def test_a_finished_run_is_not_cancelled_any_more(native: Native, history: None, scope: Scope) -> None:
    run, _ = tried(native, scope, level="FULL")
    assert native.ok("DELETE", f"{DRY_RUNS}/{run['id']}")["state"] == "done"


@pytest.mark.parametrize(
    ("bound", "least", "cut"), [("MOST_CHANGES", 2, "changes"), ("MOST_COMPARISONS", 6, "work")]
)
def test_a_run_says_which_bound_it_met(
    history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch, bound: str, least: int, cut: str
) -> None:
    monkeypatch.setattr(services, bound, least)
    monkeypatch.setattr(services, "CHANGES_AT_ONCE", 1)
    services.start_dry_run(scope, StartDryRun(level="FULL"))
    work(scope)
    run = only_run(scope)
    assert (run.state, run.cut, run.done, run.total) == ("done", cut, 2, SUBJECTS)
    assert found(scope) == everything(2)


def test_time_counts_over_all_workers(
    native: Native, history: None, scope: Scope, settings: Settings
) -> None:
    ask(native)
    settings.ACCORD_DRY_RUN_SECONDS = 10
    change(scope, tally={**only_run(scope).tally, "spent": 11_000})
    work(scope)
    assert (only_run(scope).cut, found(scope)) == ("time", [])


def test_a_run_that_loses_every_worker_fails(native: Native, history: None, scope: Scope) -> None:
    run = ask(native)
    change(scope, state="running", attempts=MAX_ATTEMPTS)
    assert not work(scope)
    shown = native.ok("GET", f"{DRY_RUNS}/{run}")
    assert (shown["state"], shown["failure"]) == ("failed", "5 workers were lost on it")


@pytest.mark.parametrize(
    ("document", "said"),
    [({"name": "pp", "default": {"level": "GONE"}}, "GONE"), ({"name": "pp"}, "made up")],
)
def test_what_breaks_a_run_is_its_result(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch, document: Any, said: str
) -> None:
    run = ask(native)
    change(scope, proposal={"level": None, "policy": "p", "version": None, "document": document})

    def broken(*_given: object, **_named: object) -> None:
        raise InvalidPolicy(details="made up")

    monkeypatch.setattr(services, "replay", broken)
    work(scope)
    shown = native.ok("GET", f"{DRY_RUNS}/{run}")
    assert (shown["state"], said in shown["failure"]) == ("failed", True)


def test_long_histories_are_read_in_parts(
    native: Native, api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count in range(5):
        api.registered("s", record("x", *[optional(f"f{number}") for number in range(count)]))
    api.level("s", "BACKWARD_TRANSITIVE")
    whole = tried(native, scope, level="FULL_TRANSITIVE")
    monkeypatch.setattr(replaying, "BYTES_AT_ONCE", 1)
    cut = tried(native, scope, level="FULL_TRANSITIVE")
    assert whole[1] == cut[1] == []
    assert whole[0]["comparisons"] == cut[0]["comparisons"] == 30


def test_soft_deleted_versions_take_no_part(native: Native, api: Registry, scope: Scope) -> None:
    api.registered("s", record("x", "y"))
    api.registered("s", record("x"))
    api.delete("/subjects/s/versions/1")
    run, rows = tried(native, scope, level="FULL")
    assert (run["progress"]["total"], rows) == (1, [])


def test_a_tenant_has_so_many_open_runs_and_keeps_so_many_results(
    native: Native, history: None, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_OPEN", 1)
    monkeypatch.setattr(services, "MOST_KEPT", 2)
    kept = [tried(native, scope, level="FULL")[0]["id"] for _ in range(3)]
    ask(native)
    refused = native.call("POST", DRY_RUNS, {"level": "FULL"})
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_dry_runs")
    assert refused.headers["Retry-After"] == "10"
    known = [native.call("GET", f"{DRY_RUNS}/{run}").status_code for run in kept]
    assert known == [404, 404, 200]


def test_old_runs_are_forgotten_with_what_they_found(
    native: Native, history: None, scope: Scope, settings: Settings
) -> None:
    settings.ACCORD_CHECK_RETENTION_DAYS = 7
    run, _ = tried(native, scope, level="FULL")
    assert prune_old_dry_runs() == 0
    change(scope, leased_until=timezone.now() - timedelta(days=8))
    assert prune_old_dry_runs() == 1
    assert (found(scope), native.call("GET", f"{DRY_RUNS}/{run['id']}").status_code) == ([], 404)


def test_a_run_that_is_gone_is_not_worked_on(native: Native, history: None, scope: Scope) -> None:
    ask(native)
    run = only_run(scope)
    change(scope, state="done", leased_until=timezone.now() - timedelta(days=8))
    prune_old_dry_runs()
    assert services.run_dry_run(scope, run.pk) is False


def test_a_run_on_hidden_places_looks_missing(
    native: Native, api_with: Callable[..., Registry], history: None
) -> None:
    run = ask(native)
    narrow = Native(api_with("policy.read", "subject.read", subjects=("s1",)).token)
    hidden, missing = (narrow.call("GET", f"{DRY_RUNS}/{one}") for one in (run, uuid4()))
    assert hidden.status_code == missing.status_code == 404
    assert hidden.json()["code"] == missing.json()["code"] == "dry_run_not_found"
    own = narrow.ok("POST", DRY_RUNS, {"level": "FULL", "place": {"reach": "subject", "name": "s1"}})
    assert narrow.ok("GET", f"{DRY_RUNS}/{own['id']}")["progress"]["total"] == 1


@pytest.mark.parametrize("right", ["policy.read", "subject.read"])
def test_both_rights_are_needed_everywhere_it_looks(
    native: Native, api_with: Callable[..., Registry], history: None, right: str
) -> None:
    run = ask(native)
    caller = Native(api_with(*{"policy.read", "subject.read"} - {right}).token)
    for answer in (
        caller.call("POST", DRY_RUNS, {"level": "FULL"}),
        caller.call("GET", f"{DRY_RUNS}/{run}/changes"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "right_missing")
        assert right in answer.json()["detail"]


def test_a_run_of_somebody_else_is_cancelled_by_who_manages_jobs(
    history: None, scope: Scope, api_with: Callable[..., Registry]
) -> None:
    started = services.start_dry_run(scope, StartDryRun(level="FULL", place=PolicyPlace(scope.namespace)))
    change(scope, created_by="person:somebody")
    rights = ("policy.read", "subject.read")
    reader, manager = (Native(api_with(*rights, *more).token) for more in ((), ("job.manage",)))
    refused = reader.call("DELETE", f"{DRY_RUNS}/{started.id}")
    assert (refused.status_code, "job.manage" in refused.json()["detail"]) == (403, True)
    assert manager.ok("DELETE", f"{DRY_RUNS}/{started.id}")["state"] == "cancelled"


def test_a_new_subject_that_comes_meanwhile_is_done_too(native: Native, history: None, scope: Scope) -> None:
    ask(native)
    change(scope, total=1)
    work(scope)
    assert (only_run(scope).done, only_run(scope).total) == (SUBJECTS, SUBJECTS)
    assert replaying.covers(PolicyPlace(scope.namespace, SubjectName("s", ".c")), SubjectName("s")) is False


def eventually(is_so: Callable[[], bool], within_s: float = 60) -> bool:
    deadline = time.monotonic() + within_s
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.1)
    return is_so()


@pytest.mark.django_db(transaction=True)
def test_a_real_worker_killed_in_the_middle_is_replaced(
    celery_worker_process: Callable[..., RunningProcess], native: Native, api: Registry, scope: Scope
) -> None:
    api.level("s", "NONE")
    for number in range(VERSIONS):
        api.registered("s", wide(number))
    first = celery_worker_process(ACCORD_CHECK_LEASE="1")
    run = str(native.ok("POST", DRY_RUNS, {"level": "FULL_TRANSITIVE"})["id"])
    assert eventually(lambda: only_run(scope).at_number > 1)
    first.kill()
    stopped = only_run(scope)
    assert (stopped.state, stopped.at_number < VERSIONS) == ("running", True)
    assert eventually(lambda: only_run(scope).leased_until < timezone.now())
    assert resume_dry_runs() == 1
    celery_worker_process(ACCORD_CHECK_LEASE="10")
    assert eventually(lambda: state_of(native, run) == "done")
    assert found(scope) == [(place, "s", place + 1) for place in range(1, VERSIONS)]
    tenancy.activate(scope.tenant.id)
    assert DryRun.objects.scoped(scope).get().attempts == 2


VERSIONS = 16
FIELDS = 8_000


def wide(number: int) -> Any:
    """Make a schema that takes a while to compare, and whose last field the others cannot do without."""
    return record(*[optional(f"f{field}") for field in range(FIELDS)], f"g{number}")


def test_a_namespace_lists_its_dry_runs(native: Native, scope: Scope) -> None:
    first, second = (native.ok("POST", DRY_RUNS, {"level": level})["id"] for level in ("FULL", "NONE"))
    native.ok("DELETE", f"{DRY_RUNS}/{first}")
    listed = native.ok("GET", f"{DRY_RUNS}?limit=1")
    assert [one["id"] for one in listed["items"]] == [second]
    rest = native.ok("GET", f"{DRY_RUNS}?limit=1&cursor={listed['next']}")
    assert ([one["id"] for one in rest["items"]], rest["next"]) == ([first], None)
    assert [one["id"] for one in native.ok("GET", f"{DRY_RUNS}?state=open")["items"]] == [second]
