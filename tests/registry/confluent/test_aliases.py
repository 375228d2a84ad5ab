"""Aliases: other names of a subject, which open nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import PROBE, optional, record, segment

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db


def lead(api: Registry, alias: str, target: str | None) -> None:
    """Make a name an alias, or no alias any more."""
    api.ok("PUT", f"/config/{segment(alias)}", {"alias": target})


def test_case_134_an_alias_is_served_for_its_subject(api: Registry) -> None:
    lead(api, "a", "b")
    assert api.registered("a", PROBE) == 1
    assert api.ok("GET", "/subjects") == ["b"]
    assert api.ok("GET", "/subjects/a/versions/latest")["subject"] == "b"
    assert api.look_up("a", PROBE).body["subject"] == "b"
    assert api.versions("a") == [1]
    assert api.ok("GET", "/config/a") == {"alias": "b"}
    assert api.get("/config/b").error == (404, 40408)
    assert api.ok("GET", "/schemas?aliases=true")[0]["aliases"] == ["a"]
    lead(api, "a", None)
    assert api.get("/subjects/a/versions").error == (404, 40401)


@pytest.mark.parametrize(
    ("alias", "target", "subject"),
    [
        ("a/b", "c/d", "c/d"),
        (":.c:a", "b", ":.c:b"),
        (":.c:a", ":.d:b", ":.d:b"),
        (":.c:a", ":.:b", "b"),
        ("a", ":.d:b", ":.d:b"),
    ],
)
def test_an_alias_means_a_subject_in_its_own_context(
    api: Registry, alias: str, target: str, subject: str
) -> None:
    lead(api, alias, target)
    api.registered(alias, PROBE)
    assert api.ok("GET", "/subjects") == [subject]
    assert api.ok("GET", f"/subjects/{segment(alias)}/versions/1")["subject"] == subject


def test_an_alias_below_the_path_of_a_context(api: Registry) -> None:
    inside = replace(api, prefix=f"{api.prefix}/contexts/.c")
    lead(inside, "a", "b")
    inside.registered("a", PROBE)
    assert api.ok("GET", "/subjects") == [":.c:b"]
    assert inside.with_new_members().ok("GET", "/schemas/ids/1?subject=a")["subject"] == ":.c:b"


def test_an_alias_leads_no_further_than_once(api: Registry) -> None:
    lead(api, "a", "b")
    lead(api, "b", "c")
    api.registered("a", PROBE)
    assert api.ok("GET", "/subjects") == ["b"]
    assert api.get("/subjects/b/versions").error == (404, 40401)


@pytest.mark.parametrize("target", ["a", "", ":.c:", ":.:a"])
def test_an_alias_that_leads_nowhere_is_none(api: Registry, target: str) -> None:
    lead(api, "a", target)
    api.registered("a", PROBE)
    assert api.ok("GET", "/subjects") == ["a"]


@pytest.mark.parametrize("place", ["/config", "/config/:.:", "/config/:.__GLOBAL:"])
def test_an_alias_of_more_than_a_subject_is_ignored(api: Registry, place: str) -> None:
    api.ok("PUT", place, {"alias": "b"})
    api.registered("a", PROBE)
    assert api.ok("GET", "/subjects") == ["a"]


def test_every_route_below_a_subject_takes_an_alias(api: Registry) -> None:
    lead(api, "a", "b")
    api.registered("b", record("x"))
    breaking = record({"name": "x", "type": "string"})
    assert api.check("a/versions/latest", breaking).body == {"is_compatible": False}
    assert api.check("a/versions", breaking).body == {"is_compatible": False}
    api.registered("a", record("x", optional("y")), metadata={"properties": {"k": "v"}})
    assert api.ok("GET", "/subjects/a/metadata?key=k&value=v")["version"] == 2
    assert api.get("/subjects/a/versions/1/schema").status == 200
    assert api.ok("GET", "/subjects/a/versions/1/referencedby") == []
    assert api.delete("/subjects/a/versions/1").body == 1
    assert api.delete("/subjects/a").body == [2]
    assert api.delete("/subjects/a?permanent=true").body == [1, 2]


def test_settings_are_those_of_the_name(api: Registry) -> None:
    lead(api, "a", "b")
    api.mode("a", "READONLY")
    assert api.registered("a", PROBE) == 1
    assert api.get("/mode/b").error == (404, 40409)


def test_an_id_is_looked_for_in_the_subject_behind_an_alias(api: Registry) -> None:
    api.registered("other", record("x"))
    lead(api, "a", "b")
    api.registered("b", PROBE)
    newer = api.with_new_members()
    assert newer.ok("GET", "/schemas/ids/2?subject=a")["subject"] == "b"
    assert api.ok("GET", "/schemas/ids/2/subjects?subject=a") == ["b"]
    assert api.ok("GET", "/schemas/ids/2/versions?subject=a") == [{"subject": "b", "version": 1}]


def test_the_list_of_all_schemas_shows_aliases(api: Registry) -> None:
    for alias, target in (("a2", "b"), ("a1", "b"), (":.c:z", ":.:b"), (":.c:y", "x")):
        lead(api, alias, target)
    for subject in ("b", "plain", ":.c:x"):
        api.registered(subject, PROBE)

    def shown(query: str) -> list[tuple[str, list[str] | None]]:
        found = api.ok("GET", f"/schemas?{query}")
        return [(one["subject"], one.get("aliases")) for one in found]

    assert shown("aliases=true") == [("b", ["a1", "a2", ":.c:z"]), ("plain", None)]
    assert shown("") == [("b", None), ("plain", None)]
    assert shown("aliases=true&subjectPrefix=a") == [("b", ["a1", "a2", ":.c:z"])]
    assert shown("aliases=true&subjectPrefix=:.c:y") == [(":.c:x", [":.c:y"])]
    assert shown("subjectPrefix=a") == shown("aliases=true&subjectPrefix=q") == []


READS = (
    "/subjects/{}/versions",
    "/subjects/{}/versions/1",
    "/subjects/{}/versions/latest/schema",
    "/subjects/{}/versions/1/referencedby",
    "/subjects/{}/metadata",
)


def test_rights_are_those_on_the_subject_behind(api: Registry, api_with: Callable[..., Registry]) -> None:
    lead(api, "a", "b")
    api.registered("b", PROBE)
    reader = api_with("subject.read", subjects=("b",))
    assert reader.ok("GET", "/subjects/a/versions/1")["subject"] == "b"
    assert reader.register("a", PROBE).error == (403, 403)
    assert api_with("subject.write", subjects=("b",)).registered("a", PROBE) == 1


def test_an_alias_never_tells_of_a_subject_that_may_not_be_seen(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    """Not even to who may do everything with the alias, nor where a namesake may be read."""
    lead(api, "a", "secret")
    for subject in ("secret", ":.c:secret"):
        api.registered(subject, PROBE)
    rights = {
        "subject.read",
        "subject.write",
        "subject.delete",
        "compat.check",
        "schema.read",
        "subject.list",
    }
    narrow = api_with(*rights, subjects=("a", "ghost", ":.c:*"))
    blind = api_with("audit.read")
    for path in READS:
        for caller in (narrow, blind):
            hidden, missing = (caller.get(path.format(name)) for name in ("a", "ghost"))
            assert (hidden.status, hidden.raw.replace(b"'a'", b"'ghost'")) == (404, missing.raw)
    for caller in (narrow, blind):
        assert caller.look_up("a", PROBE).error == (404, 40401)
        assert caller.register("a", PROBE).error == (403, 403)
        assert caller.delete("/subjects/a").error == (404, 40401)
        assert caller.check("a/versions", PROBE).error == (404, 40401)
        assert caller.get("/schemas/ids/1?subject=a").error == (404, 40403)


def test_what_an_alias_hides_is_not_handed_out(api: Registry, api_with: Callable[..., Registry]) -> None:
    """The name had versions of its own once; the alias stands before them."""
    api.registered("a", record("x"))
    api.registered("b", PROBE)
    lead(api, "a", "b")
    assert "Probe" in api.ok("GET", "/subjects/a/versions/1")["schema"]
    narrow = api_with("subject.read", "subject.list", subjects=("a",))
    assert narrow.get("/subjects/a/versions/1").error == (404, 40401)
    assert narrow.ok("GET", "/schemas?aliases=true")[0]["subject"] == "a"
    assert "aliases" not in api_with("subject.read", subjects=("b",)).ok("GET", "/schemas?aliases=true")[0]
