"""Several writers of policies at once, and registrations between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.model import SubjectName
from registry.errors import IncompatibleSchema
from registry.policy_errors import PolicyBound, PolicyChanged, PolicyExists
from registry.policy_records import BindPolicy, PolicyPlace, PolicyText, PolicyVersionRecord
from registry.services.bindings import bind_policy
from registry.services.policies import create_policy, delete_policy, replace_policy
from tests.registry.client import record
from tests.registry.texts import register
from tests.registry.threads import all_at_once, overtaken

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope

pytestmark = pytest.mark.django_db(transaction=True)

HOUSE = PolicyText("name: house\n")
FREE = PolicyText("name: house\ndefault: {level: NONE}\n")
S = SubjectName("s")


def test_of_many_creators_one_wins(scope: Scope) -> None:
    results = all_at_once(scope, lambda _: create_policy(scope, HOUSE))
    assert sum(isinstance(one, PolicyVersionRecord) for one in results) == 1
    assert {type(one) for one in results} == {PolicyVersionRecord, PolicyExists}


def test_of_many_writers_with_one_etag_one_wins(scope: Scope) -> None:
    create_policy(scope, HOUSE)
    results = all_at_once(scope, lambda _: replace_policy(scope, "house", FREE, expected=1))
    won = [one for one in results if isinstance(one, PolicyVersionRecord)]
    assert [one.number for one in won] == [2]
    assert {type(one) for one in results} == {PolicyVersionRecord, PolicyChanged}


def test_what_is_being_bound_is_not_deleted(scope: Scope) -> None:
    create_policy(scope, HOUSE)
    place = PolicyPlace(scope.namespace, S)

    def delete() -> str:
        try:
            delete_policy(scope, "house", expected=1)
        except PolicyBound:
            return "bound"
        return "deleted"

    assert overtaken(scope, lambda: bind_policy(scope, place, BindPolicy("house")), delete) == "bound"


def test_a_registration_under_way_is_judged_by_the_policy_that_holds_in_the_end(scope: Scope) -> None:
    """The subject is locked by another registration; meanwhile the policy changes."""
    create_policy(scope, FREE)
    bind_policy(scope, PolicyPlace(scope.namespace, S), BindPolicy("house"))
    register(scope, "s", record("a"))

    def tighten() -> None:
        register(scope, "s", record("a"))
        replace_policy(scope, "house", HOUSE, expected=1)
        register(scope, "s", record({"name": "a", "type": "int", "default": 1}))

    def breaking() -> str:
        try:
            register(scope, "s", record("a", "b"))
        except IncompatibleSchema:
            return "refused"
        return "registered"

    assert overtaken(scope, tighten, breaking) == "refused"
