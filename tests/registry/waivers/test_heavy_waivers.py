"""Waivers of schemas that only a worker compares: given and used by what it found about every version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accord_server.kit import nudge, tenancy
from registry.models import CheckRun
from registry.services import check_progress
from registry.tasks import run_one_check
from tests.registry.client import record
from tests.registry.forgetting import forget_everything
from tests.registry.texts import grown
from tests.registry.waivers.test_waivers import WAIVERS, body, give

if TYPE_CHECKING:
    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry
    from tests.registry.policies.asking import Native

pytestmark = pytest.mark.django_db

CLASHING = record({"name": "a", "type": "string"})
# The older version misses a field that the newer one has.
WORSE = record({"name": "a", "type": "string"}, {"name": "f0", "type": "string"})


@pytest.fixture(autouse=True)
def heavy(settings: Settings, monkeypatch: pytest.MonkeyPatch, api: Registry) -> Settings:
    """Call two versions a long history, where a subject has three, and let nobody wait."""
    api.level("s", "FULL_TRANSITIVE")
    for count in range(3):
        api.registered("s", grown(count))
    settings.ACCORD_INLINE_CHECK_VERSIONS = 1
    settings.ACCORD_CHECK_PATIENCE = 0
    monkeypatch.setattr(nudge, "_quiet_until", 0.0)
    forget_everything()
    return settings


def work(scope: Scope) -> CheckRun:
    """Do the newest check as a worker would, and forget what this process learned by it."""
    tenancy.activate(scope.tenant.id)
    run: CheckRun = CheckRun.objects.scoped(scope).latest("id")
    assert run_one_check(scope.tenant.id, run.pk)
    forget_everything()
    run.refresh_from_db()
    return run


def given_by_worker(native: Native, scope: Scope, schema: object) -> tuple[CheckRun, Any]:
    """Ask for a waiver twice: for nothing, and after a worker compared."""
    refused = native.call("POST", WAIVERS, body(schema))
    assert (refused.status_code, refused.json()["code"]) == (503, "check_under_way")
    assert refused.headers["Retry-After"] == "5"
    return work(scope), give(native, schema)


def test_a_waiver_lists_what_a_worker_found_in_every_version(
    native: Native, scope: Scope, heavy: Settings
) -> None:
    run, waiver = given_by_worker(native, scope, WORSE)
    assert {one["version"] for one in run.found} == {1, 2, 3}
    native.ok("DELETE", f"{WAIVERS}/{waiver['id']}")
    forget_everything()
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    assert give(native, WORSE)["findings"] == waiver["findings"]
    assert len(waiver["findings"]) > len({one["rule"] for one in waiver["findings"]}) > 0


def test_a_registration_uses_it_by_what_a_worker_found(native: Native, api: Registry, scope: Scope) -> None:
    given_by_worker(native, scope, CLASHING)
    forget_everything()
    # A worker looks for what blocks first; what a waiver must cover is known from before.
    assert api.register("s", CLASHING).status == 503
    assert {one["version"] for one in work(scope).found} == {3}
    assert api.registered("s", CLASHING) == 4
    tenancy.activate(scope.tenant.id)
    assert CheckRun.objects.scoped(scope).count() == 2


def test_a_registration_has_a_worker_compare_for_its_waiver(
    native: Native, api: Registry, scope: Scope, heavy: Settings
) -> None:
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 500
    give(native, CLASHING)
    heavy.ACCORD_INLINE_CHECK_VERSIONS = 1
    forget_everything()
    for _ in range(2):
        assert api.register("s", CLASHING).status == 503
        work(scope)
    assert api.registered("s", CLASHING) == 4


def test_findings_that_were_not_written_down_are_found_again(
    native: Native, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_progress, "MOST_OF_ERRAND", 1)
    run, waiver = given_by_worker(native, scope, WORSE)
    assert sum(one["left_out"] for one in run.found) > 0
    monkeypatch.undo()
    assert len(waiver["findings"]) > sum(len(one["findings"]) for one in run.found) / 2
