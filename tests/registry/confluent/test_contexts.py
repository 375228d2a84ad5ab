"""Contexts inside a namespace: lists, names, ids, fallback, and paths below one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db


def test_case_127_ids_start_again_in_every_context(api: Registry) -> None:
    api.registered("s", record("a"))
    assert api.registered(":.c1:s", PROBE) == 1
    assert api.ok("GET", "/contexts") == [".", ".c1"]
    assert api.ok("GET", "/subjects") == [":.c1:s", "s"]
    assert api.ok("GET", "/subjects?subjectPrefix=") == ["s"]
    assert api.ok("GET", "/subjects?subjectPrefix=:.c1:") == [":.c1:s"]
    assert api.ok("GET", "/subjects?subjectPrefix=:*:s") == [":.c1:s", "s"]


def test_both_spellings_of_the_default_context(api: Registry) -> None:
    api.registered(":.:s", PROBE)
    assert api.ok("GET", "/subjects/%3A.%3As/versions/1")["subject"] == "s"


def test_case_128_a_bare_name_is_found_in_another_context(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    assert api.look_up("s", PROBE).body["subject"] == ":.c1:s"
    assert api.ok("GET", "/subjects/s/versions/latest")["subject"] == ":.c1:s"
    assert api.ok("GET", "/schemas/ids/1?subject=s")["schema"].startswith('{"type":"record"')
    assert api.get("/schemas/ids/1").error == (404, 40403)
    assert api.look_up("s", record("z")).error == (404, 40403)


def test_the_default_context_comes_first(api: Registry) -> None:
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


def test_case_067_bare_references_stay_in_their_context(api: Registry) -> None:
    part = record("x", name="Part")
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    api.registered(":.c1:part", part)
    reference = {"name": "Part", "subject": "part", "version": 1}
    assert api.register("whole", whole, references=[reference]).error == (422, 42201)
    assert api.register(":.c1:whole", whole, references=[reference]).status == 200
    path = "/subjects/:.c1:whole/versions/1"
    assert api.ok("GET", path)["references"] == [reference]
    qualified = {**reference, "subject": ":.c1:part"}
    assert api.ok("GET", f"{path}?referenceFormat=qualified")["references"] == [qualified]


def test_case_068_a_qualified_reference_crosses_contexts(api: Registry) -> None:
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


@pytest.mark.parametrize("context", [".c1", "c1", ":.c1:", "%3A.c1%3A"])
def test_case_129_context_paths(api: Registry, context: str) -> None:
    inside = replace(api, prefix=f"{api.prefix}/contexts/{context}")
    assert inside.registered("s", PROBE) == inside.registered(":.c1:s", PROBE) == 1
    assert inside.ok("GET", "/subjects") == inside.ok("GET", "/subjects?subjectPrefix=s") == [":.c1:s"]
    assert inside.ok("GET", "/subjects/s/versions/latest")["subject"] == ":.c1:s"
    assert inside.ok("GET", "/schemas/ids/1") == inside.ok("GET", "/schemas/ids/1?subject=s")
    assert inside.get("/schemas/ids/1?subject=t").error == (404, 40403)
    assert inside.ok("GET", "/schemas/ids/1/subjects") == [":.c1:s"]
    assert inside.check("s/versions/", PROBE).body == {"is_compatible": True}
    assert api.ok("GET", "/subjects") == [":.c1:s"]
    assert api.get("/schemas/ids/1").error == (404, 40403)


def test_paths_below_a_context_have_settings(api: Registry) -> None:
    inside = replace(api, prefix=f"{api.prefix}/contexts/.c1")
    inside.ok("PUT", "/config", {"compatibility": "NONE"})
    inside.ok("PUT", "/mode/s", {"mode": "READONLY"})
    assert api.ok("GET", "/config/:.c1:") == inside.ok("GET", "/config") == {"compatibilityLevel": "NONE"}
    assert api.ok("GET", "/mode/:.c1:s") == {"mode": "READONLY"}
    assert api.ok("GET", "/config") == {"compatibilityLevel": "BACKWARD"}


def test_a_subject_named_config_below_a_context(api: Registry) -> None:
    inside = replace(api, prefix=f"{api.prefix}/contexts/.c1")
    inside.registered("config", PROBE)
    assert api.ok("GET", "/subjects") == [":.c1:config"]


def test_what_has_no_context_answers_below_one(api: Registry) -> None:
    inside = replace(api, prefix=f"{api.prefix}/contexts/.c1")
    assert inside.ok("GET", "/schemas/types") == api.ok("GET", "/schemas/types")
    assert inside.ok("GET", "/contexts") == ["."]
    assert inside.get("").error == inside.get("/").error == (405, 405)
    assert inside.get("/contexts/.c2").error == (404, 404)


def test_case_130_a_colon_in_the_name_of_a_context(api: Registry) -> None:
    answer = api.get("/contexts/foo:bar/subjects")
    assert answer.error == (400, 400)
    assert answer.body["message"] == "Context name 'foo:bar' cannot contain a colon"


def test_case_131_only_an_empty_context_is_dropped(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    api.delete("/subjects/:.c1:s")
    full = api.delete("/contexts/.c1")
    assert (full.error, full.body["message"]) == (
        (422, 42211),
        "The specified context '.c1' is not empty.",
    )
    api.delete("/subjects/:.c1:s?permanent=true")
    assert api.ok("GET", "/contexts") == [".", ".c1"]
    gone = api.delete("/contexts/.c1")
    assert (gone.status, gone.raw) == (204, b"")
    assert api.ok("GET", "/contexts") == ["."]


def test_what_is_registered_brings_a_context_back_and_no_id(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    for query in ("", "?permanent=true"):
        api.delete(f"/subjects/:.c1:s{query}")
    for spelling in (".c1", "c1", ":.c1:", ":.c1:/"):
        assert api.delete(f"/contexts/{spelling}").status == 204
    assert api.registered(":.c1:s", PROBE) == 2
    assert api.ok("GET", "/contexts") == [".", ".c1"]


def test_an_import_below_old_ids_brings_a_context_back(api: Registry) -> None:
    api.mode(":.c1:", "IMPORT")
    api.registered(":.c1:s", PROBE, id=7)
    for query in ("", "?permanent=true"):
        api.delete(f"/subjects/:.c1:s{query}")
    api.delete("/contexts/.c1")
    api.registered(":.c1:s", PROBE, id=3)
    assert api.ok("GET", "/contexts") == [".", ".c1"]


def test_an_unknown_context_needs_no_dropping(api: Registry) -> None:
    assert api.delete("/contexts/.nowhere").status == 204
    assert api.delete("/contexts/.").status == 204
    api.registered("s", PROBE)
    assert api.delete("/contexts/:.:").error == (422, 42211)


def test_case_132_contexts_by_prefix_and_in_pages(api: Registry) -> None:
    for context in (".c", ".c1", ".C2", ".d%"):
        api.registered(f":{context}:s", PROBE)
    assert api.ok("GET", "/contexts") == [".", ".C2", ".c", ".c1", ".d%"]
    assert api.ok("GET", "/contexts?contextPrefix=.c") == [".c", ".c1"]
    assert api.ok("GET", "/contexts?contextPrefix=.c&offset=1&limit=5") == [".c1"]
    assert api.ok("GET", "/contexts?contextPrefix=.d%25") == [".d%"]
    assert api.ok("GET", "/contexts?offset=1&limit=2") == [".C2", ".c"]
    assert api.ok("GET", "/contexts?limit=1") == ["."]
    assert api.ok("GET", "/contexts?limit=0&offset=-3") == [".", ".C2", ".c", ".c1", ".d%"]


def test_contexts_in_which_nothing_may_be_seen_are_left_out(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    for subject in (":.c1:orders", ":.c2:other", ":.c3:s"):
        api.registered(subject, PROBE)
    for query in ("", "?permanent=true"):
        api.delete(f"/subjects/:.c3:s{query}")
    narrow = api_with("subject.list", subjects=(":.c1:orders*", ":.c2:orders*", ":.c3:orders*"))
    assert narrow.ok("GET", "/contexts") == [".", ".c1"]
    assert api_with("subject.read", subjects=(":.c3:*",)).ok("GET", "/contexts") == [".", ".c3"]
    assert api_with("audit.read").ok("GET", "/contexts") == ["."]


def test_dropping_takes_the_right_on_the_whole_context(
    api: Registry, api_with: Callable[..., Registry]
) -> None:
    """Who lacks it learns nothing of what is there."""
    api.registered(":.c1:s", PROBE)
    for subjects in ((":.c1:s*",), (":.c2:*",), (":.:*",)):
        narrow = api_with("subject.purge", subjects=subjects)
        known, unknown = (narrow.delete(f"/contexts/{one}") for one in (".c1", ".c9"))
        assert (known.error, known.raw) == ((403, 403), unknown.raw)
    assert api_with("subject.purge", subjects=(":.c1:*",)).delete("/contexts/c1").error == (422, 42211)


def test_a_bare_name_is_found_wherever_its_version_is(api: Registry) -> None:
    """The default context has the subject, and not what is asked for; the first other one neither."""
    api.registered("s", record("a"))
    api.registered(":.c1:s", record("a"))
    for schema in (record("a"), record("a", optional("b"))):
        api.registered(":.c2:s", schema)
    assert api.ok("GET", "/subjects/s/versions/2")["subject"] == ":.c2:s"
    assert api.look_up("s", record("a", optional("b"))).body["subject"] == ":.c2:s"
    assert api.look_up("s", record("z")).error == (404, 40403)
    assert api.get("/subjects/s/versions/3").error == (404, 40402)
    assert api.get("/subjects/t/versions/3").error == (404, 40401)


def test_a_known_name_elsewhere_lacks_a_version_and_is_not_missing(api: Registry) -> None:
    api.registered(":.c1:s", record("a"))
    assert api.get("/subjects/s/versions/9").error == (404, 40402)
    api.delete("/subjects/:.c1:s")
    gone = api.get("/subjects/s/versions/1")
    assert (gone.error, gone.body["message"]) == ((404, 40401), "Subject 's' not found.")


def test_references_that_lead_nowhere_in_another_context_match_nothing_there(api: Registry) -> None:
    api.registered("part", record("x", name="Part"))
    api.registered(":.c1:whole", record("x"))
    whole = record({"name": "p", "type": "Part"}, name="Whole")
    reference = {"name": "Part", "subject": "part", "version": 1}
    assert api.look_up("whole", whole, references=[reference]).error == (404, 40403)


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        ("", ["a", "s"]),
        ("s", ["a", "s"]),
        ("t", [":.c1:t"]),
        ("unknown", ["a", "s"]),
        (":.c1:", [":.c1:t"]),
        (":.c1:t", [":.c1:t"]),
        (":.c1:s", None),
        (":.c2:", None),
    ],
)
def test_the_uses_of_an_id_are_those_in_the_context_of_the_subject(
    api: Registry, subject: str, names: list[str] | None
) -> None:
    for name in ("s", "a", ":.c1:t"):
        api.registered(name, PROBE)
    found = api.get(f"/schemas/ids/1/subjects?subject={subject}")
    pairs = api.get(f"/schemas/ids/1/versions?subject={subject}")
    if names is None:
        assert found.error == pairs.error == (404, 40403)
        assert found.body["message"] == "Schema not found"
    else:
        assert found.body == names
        assert pairs.body == [{"subject": name, "version": 1} for name in names]
