"""Checks too heavy for a request: left to a worker, answered 503 until it is done, and then at once."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from accord.formats import DEFAULT_LIMITS
from accord.model import Format, SubjectName
from accord_server.kit import nudge, tenancy
from accord_server.kit.settings_table import INLINE_CHECK_BYTES
from registry import services
from registry.errors import CheckUnderWay
from registry.models import CheckRun
from registry.records import CheckCandidate
from registry.services import burden, check_work
from registry.tasks import run_next_check, run_one_check
from tests.registry.client import optional, record
from tests.registry.forgetting import forget_everything
from tests.registry.native.asking import cancel
from tests.registry.policies.asking import NAMESPACE, Native
from tests.registry.texts import grown, register, source
from tests.registry.threads import attended, overtaken

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor
    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

CANDIDATE = grown(3)
CLASHING = record({"name": "a", "type": "string"})
NATIVE_CHECK = "/api/v1/tenants/north/namespaces/default/checks/{check}"


@pytest.fixture(autouse=True)
def heavy(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Call two versions a long history, and let nobody wait."""
    settings.ACCORD_INLINE_CHECK_VERSIONS = 1
    settings.ACCORD_CHECK_PATIENCE = 0
    monkeypatch.setattr(nudge, "_quiet_until", 0.0)
    return settings


@pytest.fixture(autouse=True)
def _history(api: Registry) -> None:
    api.level("s", "FULL_TRANSITIVE")
    for count in range(2):
        assert api.register("s", grown(count)).status == 200


def runs(scope: Scope) -> Any:
    tenancy.activate(scope.tenant.id)
    return CheckRun.objects.scoped(scope)


def work(scope: Scope) -> bool:
    """Do what a worker would, and forget what this process learned by it."""
    done = run_one_check(scope.tenant.id, runs(scope).latest("id").pk)
    forget_everything()
    return done


def answers(api: Registry, schema: Any) -> tuple[Answer, Answer, Answer]:
    path = "s/versions"
    return (api.check(path, schema), api.check(f"{path}?verbose=true", schema), api.register("s", schema))


def test_a_heavy_registration_stores_nothing_until_a_worker_has_judged_it(
    api: Registry, scope: Scope
) -> None:
    refused = api.register("s", CANDIDATE)
    assert (refused.error, refused.headers["Retry-After"]) == ((503, 503), "5")
    assert "(0 of 2 versions done), and it is not done yet" in refused.body["message"]
    assert api.versions("s") == [1, 2]
    assert work(scope)
    assert api.registered("s", CANDIDATE) == 3
    assert api.versions("s") == [1, 2, 3]


@pytest.mark.parametrize("schema", [CANDIDATE, CLASHING], ids=["compatible", "incompatible"])
def test_the_verdict_of_a_worker_is_told_in_the_same_words(
    api: Registry, scope: Scope, heavy: Settings, schema: Any
) -> None:
    assert answers(api, schema)[0].status == 503
    work(scope)
    told = answers(api, schema)
    runs(scope).all().delete()
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    forget_everything()
    judged_here = answers(api, schema)
    assert [(one.status, one.body) for one in told] == [(one.status, one.body) for one in judged_here]
    assert runs(scope).count() == 0


def test_a_version_alone_is_an_errand_of_its_own(api: Registry, scope: Scope, heavy: Settings) -> None:
    heavy.ACCORD_INLINE_CHECK_BYTES = 1
    assert api.check("s/versions/1", CLASHING).status == 503
    work(scope)
    assert api.check("s/versions/1", CLASHING).body == {"is_compatible": False}
    assert api.check("s/versions/2", CLASHING).status == 503


def test_who_asks_again_joins(api: Registry, scope: Scope) -> None:
    assert {api.register("s", CANDIDATE).status for _ in range(3)} == {503}
    assert api.check("s/versions", CANDIDATE).status == 503
    assert runs(scope).count() == 1


@pytest.mark.parametrize("setting", ["BYTES", "FILES", "VERSIONS"])
def test_each_threshold_counts(api: Registry, heavy: Settings, setting: str) -> None:
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    assert api.check("s/versions", CANDIDATE).status == 200
    forget_everything()
    setattr(heavy, f"ACCORD_INLINE_CHECK_{setting}", 0)
    assert api.check("s/versions", CANDIDATE).status == 503


@pytest.mark.parametrize(("setting", "too_little", "enough"), [("BYTES", 1_200, 9_000), ("FILES", 2, 3)])
@pytest.mark.parametrize("stored", [True, False], ids=["in the history", "in the candidate"])
def test_what_is_behind_references_counts(
    api: Registry, heavy: Settings, setting: str, too_little: int, enough: int, *, stored: bool
) -> None:
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    api.registered("large", record(*(f"field_{number}" for number in range(50)), name="Large"))
    large = [{"name": "Large", "subject": "large", "version": 1}]
    api.registered("middle", record({"name": "large", "type": "Large"}, name="Middle"), references=large)
    middle = {"references": [{"name": "Middle", "subject": "middle", "version": 1}]}
    holder = (record({"name": "middle", "type": "Middle"}), middle)
    plain: tuple[dict[str, Any], dict[str, Any]] = (record("b"), {})
    (old, named), (new, more) = (holder, plain) if stored else (plain, holder)
    api.registered("t", old, **named)
    forget_everything()
    setattr(heavy, f"ACCORD_INLINE_CHECK_{setting}", too_little)
    assert [api.check("t/versions", new, **more).status for _ in range(2)] == [503, 503]
    setattr(heavy, f"ACCORD_INLINE_CHECK_{setting}", enough)
    assert api.check("t/versions", new, **more).body == {"is_compatible": False}


def test_what_was_compared_before_is_not_heavy(api: Registry, scope: Scope, heavy: Settings) -> None:
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 2
    assert api.check("s/versions", CANDIDATE).status == 200
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 1
    assert api.registered("s", CANDIDATE) == 3
    assert runs(scope).count() == 0


def test_a_level_that_compares_with_one_version_is_not_heavy(api: Registry, scope: Scope) -> None:
    api.level("s", "BACKWARD")
    assert api.registered("s", CANDIDATE) == 3
    api.level("s", "NONE")
    assert api.registered("s", CLASHING) == 4
    assert runs(scope).count() == 0


def test_a_verdict_counts_for_the_history_that_it_looked_at(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    assert api.register("s", CANDIDATE).status == 503
    work(scope)
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    api.registered("s", record("a", optional("other")))
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 1
    forget_everything()
    assert api.register("s", CANDIDATE).status == 503
    assert sorted(runs(scope).values_list("state", flat=True)) == ["done", "queued"]


def test_a_verdict_counts_for_the_policy_in_force(api: Registry, scope: Scope) -> None:
    assert api.register("s", CANDIDATE).status == 503
    work(scope)
    Native(api.token).enforce({"name": "mild", "default": {"rules": {"FIELD_ADDED": "warn"}}})
    assert api.register("s", CANDIDATE).status == 503
    assert runs(scope).count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_version_that_arrives_during_the_registration_is_judged_too(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    assert api.register("s", CANDIDATE).status == 503
    work(scope)
    other = replace(api)

    def first() -> None:
        heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
        other.registered("s", record("a", optional("other")))
        heavy.ACCORD_INLINE_CHECK_VERSIONS = 0

    refused = overtaken(scope, first, lambda: api.register("s", CANDIDATE))
    assert refused.status == 503
    assert api.versions("s") == [1, 2, 3]


def test_nobody_waits_where_no_seat_is_left(api: Registry, scope: Scope, heavy: Settings) -> None:
    heavy.ACCORD_CHECK_PATIENCE = 60
    heavy.ACCORD_CHECK_WAITERS = 0
    refused = api.register("s", CANDIDATE)
    assert "as many requests as may wait for such comparisons already" in refused.body["message"]
    work(scope)
    assert api.registered("s", CANDIDATE) == 3


def test_without_redis_small_checks_go_on_and_heavy_ones_are_refused_at_once(
    api: Registry, heavy: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    heavy.ACCORD_CHECK_PATIENCE = 60
    monkeypatch.setattr(nudge, "_quiet_until", time.monotonic() + 60)
    refused = api.register("s", CANDIDATE)
    assert (refused.error, refused.headers["Retry-After"]) == ((503, 503), "10")
    assert "the workers cannot be reached" in refused.body["message"]
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    assert api.registered("s", CANDIDATE) == 3


def test_a_check_that_broke_says_why_and_begins_anew(api: Registry, scope: Scope) -> None:
    api.register("s", CANDIDATE)
    runs(scope).update(state="failed", result={"error": "given_up", "message": "2 workers were lost on it"})
    assert api.register("s", CANDIDATE).status == 503
    assert runs(scope).get().state == "queued"
    assert work(scope)
    assert api.registered("s", CANDIDATE) == 3


def test_a_verdict_in_which_something_is_missing_is_not_relied_upon(api: Registry, scope: Scope) -> None:
    assert api.register("s", CLASHING).status == 503
    runs(scope).update(state="done", found=[])
    assert api.register("s", CLASHING).status == 409


def test_a_candidate_that_cannot_be_read_any_more_breaks_a_check(api: Registry, scope: Scope) -> None:
    api.register("s", CANDIDATE)
    runs(scope).update(text="{")
    work(scope)
    assert (runs(scope).get().state, runs(scope).get().result["error"]) == ("failed", "invalid_schema")


def test_a_reference_that_was_replaced_breaks_a_check(api: Registry, scope: Scope) -> None:
    api.register("s", CANDIDATE)
    run = runs(scope).get()
    runs(scope).update(policy={**run.policy, "targets": [0]})
    work(scope)
    assert (runs(scope).get().state, runs(scope).get().result["error"]) == ("failed", "reference_replaced")


def test_the_run_of_a_registration_can_be_followed_and_cancelled(api: Registry, scope: Scope) -> None:
    api.register("s", CLASHING)
    where = NATIVE_CHECK.format(check=runs(scope).get().public_id)
    assert Native(api.token).ok("GET", where)["progress"] == {"done": 0, "total": 2}
    work(scope)
    told = Native(api.token).ok("GET", where)
    assert (told["state"], told["progress"]["done"]) == ("done", 2)
    assert (told["result"]["verdict"], told["result"]["levels"]) == ("blocked", {})
    assert {one["version"] for one in told["result"]["comparisons"]} == {2}
    assert cancel(api, where).json()["state"] == "done"


def test_only_who_asked_or_manages_jobs_cancels(
    api: Registry, api_with: Callable[..., Registry], scope: Scope
) -> None:
    api.register("s", CANDIDATE)
    where = NATIVE_CHECK.format(check=runs(scope).get().public_id)
    runs(scope).update(created_by="person:somebody")
    refused = cancel(api_with("compat.check", "subject.read"), where)
    assert (refused.status_code, "job.manage" in refused.json()["detail"]) == (403, True)
    cancelled = cancel(api, where).json()
    assert (cancelled["state"], cancelled["result"]) == ("cancelled", None)
    assert not work(scope)


def test_the_explained_verdict_of_a_heavy_check_is_followed(api: Registry, scope: Scope) -> None:
    native, body = Native(api.token), {"schema": '"int"'}
    asked = native.call("POST", f"{NAMESPACE}/subjects/s/verdict", body)
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")
    assert asked.headers["Location"].endswith(asked.json()["id"])
    work(scope)
    told = native.ok("POST", f"{NAMESPACE}/subjects/s/verdict", body)
    assert (told["verdict"], len(told["levels"])) == ("blocked", 7)


@pytest.mark.django_db(transaction=True)
def test_a_request_that_waits_gets_the_verdict(api: Registry, scope: Scope, heavy: Settings) -> None:
    heavy.ACCORD_CHECK_PATIENCE = 30

    def by_worker() -> bool:
        return runs(scope).exists() and work(scope)

    assert attended(scope, lambda: api.registered("s", CANDIDATE), by_worker) == 3


@pytest.mark.django_db(transaction=True)
def test_a_request_that_waits_goes_on_when_a_version_arrives_meanwhile(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    heavy.ACCORD_CHECK_PATIENCE = 30

    def by_worker() -> bool:
        if not runs(scope).exists():
            return False
        if runs(scope).count() == 1 and len(api.versions("s")) == 2:
            heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
            api.registered("s", record("a", optional("other")))
            heavy.ACCORD_INLINE_CHECK_VERSIONS = 0
        return runs(scope).filter(state="queued").exists() and work(scope) and runs(scope).count() == 2

    assert attended(scope, lambda: api.registered("s", CANDIDATE), by_worker) == 4
    assert [len(one.version_keys) for one in runs(scope).order_by("id")] == [2, 3]


@pytest.mark.django_db(transaction=True)
def test_a_request_that_waits_learns_that_the_check_was_cancelled(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    heavy.ACCORD_CHECK_PATIENCE = 30

    def by_somebody() -> bool:
        return bool(runs(scope).update(state="cancelled"))

    refused = attended(scope, lambda: api.register("s", CANDIDATE), by_somebody)
    assert "gave no verdict: it was cancelled" in refused.body["message"]


def test_a_run_that_is_cancelled_meanwhile_stays_so(
    api: Registry, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.register("s", CANDIDATE)
    monkeypatch.setattr(check_work, "BETWEEN_NOTES_S", -1.0)
    run = runs(scope).get()
    cancelled = interrupted_work(scope, run)
    assert (cancelled.state, cancelled.found, cancelled.done) == ("cancelled", [], 0)


def interrupted_work(scope: Scope, run: CheckRun) -> CheckRun:
    """Work on a run that is cancelled as soon as it is under way."""

    def step(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        result = execute(sql, *rest)
        if "registry_content" in sql:
            runs(scope).update(state="cancelled")
        return result

    forget_everything()
    with connection.execute_wrapper(step):
        assert run_one_check(scope.tenant.id, run.pk)
    run.refresh_from_db()
    return run


def test_the_tenants_have_their_turns(
    api: Registry, scope: Scope, mallory: Actor, scope_for: ScopeFor
) -> None:
    for count in range(3, 6):
        api.register("s", grown(count))
    south = scope_for(mallory)
    register(south, "s", grown(0))
    services.request_check(south, CheckCandidate(SubjectName("s"), source(grown(1))))
    tenancy.deactivate()
    for _ in range(2):
        assert run_next_check()
    assert {one.state for one in runs(south)} == {"done"}
    assert sorted(runs(scope).values_list("state", flat=True)) == ["done", "queued", "queued"]
    while run_next_check():
        pass
    assert {one.state for one in runs(scope)} == {"done"}


def test_stored_versions_too_heavy_for_a_page_are_compared_by_a_worker(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    subject = SubjectName("s")
    api.level("s", "NONE")
    api.registered("s", CLASHING)
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    tenancy.activate(scope.tenant.id)
    here = services.compare_versions(scope, subject, 1, 3)
    forget_everything()
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 1
    with pytest.raises(CheckUnderWay) as awaited:
        services.compare_versions(scope, subject, 1, 3)
    assert (awaited.value.done, awaited.value.total) == (0, 2)
    assert work(scope)
    assert services.compare_versions(scope, subject, 1, 3) == here


def test_a_stored_version_with_references_is_compared_by_a_worker(
    api: Registry, scope: Scope, heavy: Settings
) -> None:
    api.registered("inner", record("x", name="Inner"))
    named = {"references": [{"name": "Inner", "subject": "inner", "version": 1}]}
    api.registered("t", record({"name": "i", "type": "Inner"}), **named)
    api.registered("t", record({"name": "i", "type": "Inner"}, optional("b")), **named)
    heavy.ACCORD_INLINE_CHECK_BYTES = 1
    tenancy.activate(scope.tenant.id)
    with pytest.raises(CheckUnderWay):
        services.compare_versions(scope, SubjectName("t"), 1, 2)
    assert work(scope)
    assert services.compare_versions(scope, SubjectName("t"), 1, 2).levels["FULL"].is_allowed


def test_bytes_count_and_not_characters(api: Registry, heavy: Settings) -> None:
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    heavy.ACCORD_INLINE_CHECK_BYTES = 3_000
    assert api.check("s/versions/latest", record("a", doc="e" * 1_500)).status == 200
    assert api.check("s/versions/latest", record("a", doc="\u20ac" * 1_500)).status == 503


def test_a_byte_of_protobuf_counts_fourfold(settings: Settings) -> None:
    assert [burden.weighed(one, 10) for one in (Format.AVRO, Format.JSON, Format.PROTOBUF)] == [10, 10, 40]
    # Two texts as long as a text may be reach a worker.
    assert int(INLINE_CHECK_BYTES.default) < 2 * DEFAULT_LIMITS.text_bytes
