"""Contexts inside a namespace: names, ids, fallback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.registry.client import PROBE, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db


def test_127_ids_start_again_in_every_context(api: Registry) -> None:
    api.registered("s", record("a"))
    assert api.registered(":.c1:s", PROBE) == 1
    assert api.ok("GET", "/subjects") == [":.c1:s", "s"]
    assert api.ok("GET", "/subjects?subjectPrefix=") == ["s"]
    assert api.ok("GET", "/subjects?subjectPrefix=:.c1:") == [":.c1:s"]
    assert api.ok("GET", "/subjects?subjectPrefix=:*:s") == [":.c1:s", "s"]


def test_127_both_spellings_of_the_default_context(api: Registry) -> None:
    api.registered(":.:s", PROBE)
    assert api.ok("GET", "/subjects/%3A.%3As/versions/1")["subject"] == "s"


def test_128_a_bare_name_is_found_in_another_context(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    assert api.look_up("s", PROBE).body["subject"] == ":.c1:s"
    assert api.ok("GET", "/subjects/s/versions/latest")["subject"] == ":.c1:s"
    assert api.ok("GET", "/schemas/ids/1?subject=s")["schema"].startswith('{"type":"record"')
    assert api.get("/schemas/ids/1").error == (404, 40403)
    assert api.look_up("s", record("z")).error == (404, 40403)


def test_128_the_default_context_comes_first(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    api.registered("s", record("a"))
    assert api.ok("GET", "/subjects/s/versions/1")["subject"] == "s"
    assert "Probe" not in api.ok("GET", "/schemas/ids/1?subject=s")["schema"]


@pytest.mark.parametrize(
    ("subject", "status"),
    [(":.c1:", 200), (":.c1:s", 200), (":.c1:t", 404), (":.c2:", 404), ("s", 200), ("t", 404), ("%00", 404)],
)
def test_an_id_is_looked_for_where_the_subject_says(api: Registry, subject: str, status: int) -> None:
    api.registered(":.c1:s", PROBE)
    assert api.get(f"/schemas/ids/1?subject={subject}").status == status


def test_an_unknown_subject_falls_back_to_the_default_context(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.get("/schemas/ids/1?subject=unknown").status == 200


def test_the_highest_id_is_that_of_the_context(api: Registry) -> None:
    api.registered("s", record("a"))
    api.registered("t", record("b"))
    api.registered(":.c1:s", PROBE)
    assert api.ok("GET", "/schemas/ids/1?subject=:.c1:&fetchMaxId=true")["maxId"] == 1


def test_133_one_schema_has_one_guid_everywhere(api: Registry) -> None:
    newer = api.with_new_members()
    guids = {newer.register(name, PROBE).body["guid"] for name in ("s", ":.c1:s", ":.c2:t")}
    assert len(guids) == 1


def test_67_bare_references_stay_in_their_context(api: Registry) -> None:
    part = record("x", name="Part")
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    api.registered(":.c1:part", part)
    reference = {"name": "Part", "subject": "part", "version": 1}
    assert api.register("whole", whole, references=[reference]).error == (422, 42201)
    assert api.register(":.c1:whole", whole, references=[reference]).status == 200


def test_68_a_qualified_reference_crosses_contexts(api: Registry) -> None:
    api.registered(":.c1:part", record("x", name="Part"))
    middle = record({"name": "p", "type": "Part"}, name="Middle")
    api.registered(":.c1:middle", middle, references=[{"name": "Part", "subject": "part", "version": 1}])
    whole = record({"name": "m", "type": "Middle"}, name="Whole")
    reference = {"name": "Middle", "subject": ":.c1:middle", "version": 1}
    made = api.register("whole", whole, references=[reference])
    assert made.body["references"] == [reference]
    assert api.delete("/subjects/:.c1:part").error == (422, 42206)


def test_a_grant_without_context_means_the_default_one(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    """The fallback finds only what may be read there."""
    api.registered(":.c1:orders-a", PROBE)
    assert api_with("subject.read", subjects=("orders-*",)).get("/subjects/orders-a/versions/1").error == (
        404,
        40401,
    )
    qualified = api_with("subject.read", subjects=(":.c1:orders-*",))
    assert qualified.ok("GET", "/subjects/orders-a/versions/1")["subject"] == ":.c1:orders-a"
    assert qualified.look_up("orders-a", PROBE).body["subject"] == ":.c1:orders-a"
