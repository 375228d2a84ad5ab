"""How many asynchronous checks there can be: old ones go, and a tenant has so many open ones at most."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from accord.model import SubjectName
from accord_server.kit import tenancy
from registry import services
from registry.errors import TooManyChecks
from registry.models import CheckRun
from registry.records import CheckCandidate
from registry.tasks import prune_old_checks, run_one_check
from tests.registry.client import Registry, record
from tests.registry.native.asking import ask, follow
from tests.registry.texts import grown, register, source
from tests.registry.threads import all_at_once

if TYPE_CHECKING:
    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

LIMIT = 3


@pytest.fixture
def limit(settings: Settings) -> int:
    """Let a tenant have few open checks."""
    settings.ACCORD_OPEN_CHECKS = LIMIT
    return LIMIT


def runs(scope: Scope) -> Any:
    tenancy.activate(scope.tenant.id)
    return CheckRun.objects.scoped(scope)


def request(scope: Scope, number: int) -> str:
    command = CheckCandidate(subject=SubjectName("s"), schema=source(grown(number)))
    return str(services.request_check(scope, command).id)


def aged(scope: Scope, state: str, **age: int) -> int:
    """Ask for another check, and let it be in a state since a while ago."""
    register(scope, "s", record("a"))
    request(scope, runs(scope).count() + 1)
    newest = runs(scope).latest("id")
    runs(scope).filter(pk=newest.pk).update(state=state, leased_until=timezone.now() - timedelta(**age))
    return int(newest.pk)


def left(scope: Scope) -> set[int]:
    return set(runs(scope).values_list("pk", flat=True))


def test_finished_checks_go_after_a_week_and_open_ones_never(scope: Scope) -> None:
    gone = {aged(scope, "done", days=7, minutes=1), aged(scope, "failed", days=30)}
    kept = {aged(scope, "done", days=6), aged(scope, "failed", hours=1)}
    kept |= {aged(scope, "queued", days=30), aged(scope, "running", days=30)}
    tenancy.deactivate()
    assert prune_old_checks() == len(gone)
    assert left(scope) == kept


def test_how_long_they_are_kept_is_a_setting(scope: Scope, settings: Settings) -> None:
    settings.ACCORD_CHECK_RETENTION_DAYS = 60
    kept = aged(scope, "done", days=59)
    aged(scope, "done", days=61)
    tenancy.deactivate()
    assert prune_old_checks() == 1
    assert left(scope) == {kept}


def test_the_checks_of_every_tenant_go(scope: Scope, mallory: Actor, scope_for: ScopeFor) -> None:
    aged(scope, "done", days=8)
    aged(scope_for(mallory), "done", days=8)
    tenancy.deactivate()
    assert prune_old_checks() == 2
    assert tenancy.active_tenant() is None


def test_a_check_is_as_old_as_its_end(scope: Scope) -> None:
    register(scope, "s", record("a"))
    request(scope, 1)
    before = timezone.now()
    assert run_one_check(scope.tenant.id, runs(scope).get().pk)
    assert before <= runs(scope).get().leased_until <= timezone.now()


def test_whoever_follows_a_check_that_went_finds_none(api: Registry, scope: Scope) -> None:
    api.registered("s", record("a"))
    where = ask(api, record("a")).headers["Location"]
    runs(scope).update(state="done", leased_until=timezone.now() - timedelta(days=8))
    prune_old_checks()
    assert follow(api, where).json()["code"] == "check_not_found"


def test_one_too_many_is_429_and_says_so(api: Registry, limit: int) -> None:
    api.registered("s", record("a"))
    assert [ask(api, grown(number)).status_code for number in range(limit)] == [202] * limit
    answer = ask(api, grown(limit))
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_checks")
    assert f"has {limit} checks that are not finished" in answer.json()["detail"]
    assert int(answer.headers["Retry-After"]) > 0


def test_nothing_is_left_of_one_too_many(scope: Scope, limit: int) -> None:
    register(scope, "s", record("a"))
    for number in range(limit):
        request(scope, number)
    with pytest.raises(TooManyChecks):
        request(scope, limit)
    assert runs(scope).count() == limit


def test_joining_an_open_check_needs_no_room(api: Registry, limit: int) -> None:
    api.registered("s", record("a"))
    first = [ask(api, grown(number)).json()["id"] for number in range(limit)]
    assert [ask(api, grown(number)).json()["id"] for number in range(limit)] == first


def test_a_finished_check_makes_room(scope: Scope, limit: int) -> None:
    register(scope, "s", record("a"))
    for number in range(limit):
        request(scope, number)
    run_one_check(scope.tenant.id, runs(scope).earliest("id").pk)
    assert request(scope, limit)


def test_trying_a_failed_check_again_needs_room(scope: Scope, limit: int) -> None:
    aged(scope, "failed", hours=1)
    for number in range(limit):
        request(scope, number + 10)
    with pytest.raises(TooManyChecks):
        request(scope, 1)


def test_another_tenant_has_room_of_its_own(
    api: Registry, limit: int, mallory: Actor, token_for: TokenFor
) -> None:
    south = Registry(token_for(mallory), "/sr/south/default")
    for one in (api, south):
        one.registered("s", record("a"))
    for number in range(limit):
        ask(api, grown(number))
    assert ask(south, grown(0), tenant="south").status_code == 202


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_than_there_may_be(scope: Scope, limit: int) -> None:
    register(scope, "s", record("a"))
    made = all_at_once(scope, lambda number: request(scope, number))
    refused = [one for one in made if isinstance(one, TooManyChecks)]
    assert len(made) - len(refused) == runs(scope).count() == limit


@pytest.mark.django_db(transaction=True)
def test_many_who_ask_the_same_join_one_check(scope: Scope) -> None:
    register(scope, "s", record("a"))
    assert len(set(all_at_once(scope, lambda _: request(scope, 1)))) == 1
