"""Levels of policies on the Confluent interface: shown by the nearest name, kept, locked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import Registry, optional, record
from tests.registry.policies.asking import NAMESPACE, Native, subject_place

if TYPE_CHECKING:
    from tests.cast import Actor, TokenFor

pytestmark = pytest.mark.django_db

LEVEL = "compatibilityLevel"


def leveled(level: str, **default: Any) -> dict[str, Any]:
    """A policy of a level."""
    return {"name": "levels", "default": {"level": level, **default}}


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        ("FROZEN", "FULL_TRANSITIVE"),
        ("ALLOW_ANY", "NONE"),
        ("BACKWARD_TILL(3)", "BACKWARD"),
        ("FULL", "FULL"),
    ],
)
def test_the_nearest_name_is_shown(native: Native, api: Registry, level: str, shown: str) -> None:
    native.enforce(leveled(level))
    assert api.ok("GET", "/config") == {LEVEL: shown}
    assert api.ok("GET", "/config/s?defaultToGlobal=true") == {LEVEL: shown}
    assert api.get("/config/s").error == (404, 40408)


def test_a_frozen_subject_refuses_every_change_and_knows_what_it_has(native: Native, api: Registry) -> None:
    api.registered("s", record("a"))
    native.enforce(leveled("FROZEN"))
    refused = api.register("s", record("a", optional("b")))
    assert refused.error == (409, 40901)
    assert "FROZEN" in refused.body["message"]
    assert "compatibility: 'FULL_TRANSITIVE'" in refused.body["message"]
    assert api.registered("s", record("a")) == 1


def test_sending_back_what_is_shown_changes_nothing(native: Native, api: Registry) -> None:
    native.enforce(leveled("FROZEN"))
    assert api.ok("PUT", "/config/s", {"compatibility": "full_transitive"}) == {
        "compatibility": "FULL_TRANSITIVE"
    }
    assert api.ok("GET", "/config/s") == {LEVEL: "FULL_TRANSITIVE"}
    assert native.in_force("s")["level"] == "FROZEN"
    native.replace("levels", leveled("NONE"), 1)
    assert native.in_force("s")["level"] == "FULL_TRANSITIVE"


def test_another_level_takes_the_place_of_that_of_the_policy(native: Native, api: Registry) -> None:
    native.enforce(leveled("FROZEN"))
    api.level("s", "FULL_TRANSITIVE")
    api.level("s", "BACKWARD")
    assert native.in_force("s")["level"] == "BACKWARD"
    api.ok("PUT", "/config/s", {"compatibility": None, "normalize": True})
    assert native.in_force("s")["level"] == "FROZEN"


def test_a_name_that_loses_nothing_is_simply_stored(native: Native, api: Registry) -> None:
    native.enforce(leveled("FULL"))
    api.level("s", "FULL")
    native.replace("levels", leveled("NONE"), 1)
    assert native.in_force("s")["level"] == "FULL"


def test_a_locked_level_is_that_of_the_policy_alone(native: Native, api: Registry) -> None:
    api.level("s", "NONE")
    native.enforce(leveled("FULL", locked=True))
    refused = api.call("PUT", "/config/s", {"compatibility": "NONE"})
    assert refused.error == (403, 403)
    assert "'levels', version 1, bound to namespace default" in refused.body["message"]
    assert api.call("PUT", "/config", {"compatibility": "NONE"}).status == 403
    assert native.in_force("s")["level"] == "FULL"
    assert api.ok("GET", "/config/s?defaultToGlobal=true") == {LEVEL: "FULL"}


def test_a_lock_leaves_the_other_members_alone(native: Native, api: Registry) -> None:
    native.enforce(leveled("FULL", locked=True), subject_place("s"))
    assert api.ok("PUT", "/config/s", {"normalize": True}) == {"normalize": True}
    assert api.ok("PUT", "/config/t", {"compatibility": "NONE"}) == {"compatibility": "NONE"}
    assert api.ok("DELETE", "/config/s") == {"normalize": True}


def test_a_level_is_set_by_whoever_saw_the_one_before(native: Native, api: Registry) -> None:
    """Whichever interface changed it meanwhile."""
    place = f"{NAMESPACE}/level"
    first = native.call("GET", place)
    assert first.json()["level"] is None
    api.ok("PUT", "/config", {"compatibility": "FULL"})
    late = native.call("PUT", place, {"level": "NONE"}, If_Match=first.headers["ETag"])
    assert (late.status_code, late.json()["code"]) == (412, "changed_meanwhile")
    now = native.call("GET", place)
    assert now.json()["level"] == "FULL"
    done = native.call("PUT", place, {"level": None}, If_Match=now.headers["ETag"])
    assert (done.json()["level"], done.headers["ETag"]) == (None, first.headers["ETag"])


def test_who_may_not_read_a_level_cannot_try_out_which_it_is(alice: Actor, token_for: TokenFor) -> None:
    writer = Native(token_for(alice, "config.write"))
    tried = writer.call("PUT", f"{NAMESPACE}/level", {"level": "FULL"}, If_Match='"1"')
    assert (tried.status_code, tried.json()["code"]) == (403, "right_missing")
    assert writer.call("PUT", f"{NAMESPACE}/level", {"level": "FULL"}, If_Match="*").status_code == 200
