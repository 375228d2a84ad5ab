"""Reading by id and by version."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from accord.formats import PARSERS
from accord.model import Format
from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

TEXT = '{"type":"record","name":"Probe","fields":[{"name":"id","type":"long"}]}'


@pytest.fixture
def two(api: Registry) -> None:
    """Subject s with two versions, ids 1 and 2."""
    api.registered("s", record("a"))
    api.registered("s", record("a", optional("b")))


def test_case_030_a_schema_by_id(api: Registry) -> None:
    api.registered("s", PROBE)
    assert api.ok("GET", "/schemas/ids/1") == {"schema": TEXT}
    assert api.get("/schemas/ids/1/schema").raw.decode() == TEXT
    unknown = api.get("/schemas/ids/100")
    assert (unknown.error, unknown.body["message"]) == ((404, 40403), "Schema 100 not found")
    assert api.get("/schemas/ids/100/schema").error == (404, 40403)
    assert api.get("/schemas/ids/-1").error == (404, 40403)
    assert api.get("/schemas/ids/abc").error == (404, 404)


@pytest.mark.parametrize("text", ["abc", "1.5", "0x1", "2147483648", "9" * 30, "%00", "١"])
def test_an_id_that_is_no_number_is_no_path(api: Registry, text: str) -> None:
    assert api.get(f"/schemas/ids/{text}").error == (404, 404)


def test_newer_clients_learn_where_the_schema_was_found(api: Registry) -> None:
    api.registered(":.c1:s", PROBE)
    newer = api.with_new_members()
    named = newer.ok("GET", "/schemas/ids/1?subject=s")
    assert named == newer.ok("GET", "/schemas/ids/1?subject=:.c1:s")
    assert list(named) == ["subject", "version", "guid", "schemaType", "schema", "ts", "deleted"]
    assert (named["subject"], named["version"], named["deleted"]) == (":.c1:s", 1, False)
    assert set(newer.ok("GET", "/schemas/ids/1?subject=:.c1:")) == {*named} - {"subject", "version"}
    assert api.ok("GET", "/schemas/ids/1?subject=s") == {"schema": TEXT}


def test_a_subject_that_does_not_use_the_id_is_not_named(api: Registry) -> None:
    api.registered("s", PROBE)
    assert "subject" not in api.with_new_members().ok("GET", "/schemas/ids/1?subject=other")


def test_newer_clients_learn_that_every_use_is_deleted(api: Registry) -> None:
    newer = api.with_new_members()
    for name in ("a", "b"):
        api.registered(name, PROBE)

    def deleted(query: str = "") -> object:
        return newer.ok("GET", f"/schemas/ids/1{query}")["deleted"]

    assert deleted() is False
    api.delete("/subjects/a")
    assert (deleted(), deleted("?subject=a"), deleted("?subject=b")) == (False, True, False)
    api.delete("/subjects/b")
    assert (deleted(), deleted("?subject=x")) == (True, True)


def test_of_the_uses_in_a_subject_the_newest_live_one_is_named(api: Registry) -> None:
    """What a deleted schema refers to is kept beside the version that stands in for it."""
    api.registered("s", PROBE)
    api.registered("user", "Probe", references=[{"name": "Probe", "subject": "s", "version": 1}])
    for path in ("user", "s"):
        api.delete(f"/subjects/{path}")
    api.registered("s", PROBE)
    assert api.versions("s", "?deleted=true") == [1, 2]
    found = api.with_new_members().ok("GET", "/schemas/ids/1?subject=s")
    assert (found["version"], found["deleted"]) == (2, False)


def test_case_031_the_highest_id_of_the_context(api: Registry, two: None) -> None:
    assert api.ok("GET", "/schemas/ids/1?fetchMaxId=true")["maxId"] == 2
    assert "maxId" not in api.ok("GET", "/schemas/ids/1?fetchMaxId=False")


def test_case_032_the_types_are_those_that_are_not_refused(api: Registry) -> None:
    taken = {
        one for one in Format if "schema type" not in api.register(one, "int", schemaType=one).raw.decode()
    }
    assert set(api.ok("GET", "/schemas/types")) == taken == {"AVRO", "JSON", "PROTOBUF"}


def test_the_types_come_in_the_order_clients_know(api: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in Format:
        monkeypatch.setitem(PARSERS, one, PARSERS[Format.AVRO])
    assert api.ok("GET", "/schemas/types") == ["JSON", "PROTOBUF", "AVRO"]


def test_case_033_what_names_a_version(api: Registry, two: None) -> None:
    for text in ("0", "-2", "earliest", "abc"):
        assert api.get(f"/subjects/s/versions/{text}").error == (422, 42202)
    for number in (2, 1):
        for text in ("latest", "LATEST", "-1"):
            assert api.ok("GET", f"/subjects/s/versions/{text}")["version"] == number
        api.delete(f"/subjects/s/versions/{number}")


@pytest.mark.parametrize("text", ["0", "-2", "earliest", "abc", "2147483648", "1.0", "", "%00", "1e3"])
def test_impossible_versions(api: Registry, two: None, text: str) -> None:
    answer = api.get(f"/subjects/s/versions/{text}/schema")
    assert answer.error == (422, 42202)
    assert 'between [1, 2^31-1] and the string "latest"' in answer.body["message"]


@pytest.mark.parametrize("text", ["latest", "LATEST", "-1", "%20latest%20", "2"])
def test_names_of_the_latest_version(api: Registry, two: None, text: str) -> None:
    assert api.ok("GET", f"/subjects/s/versions/{text}")["version"] == 2


def test_case_034_missing_versions_and_subjects(api: Registry, two: None) -> None:
    missing = api.get("/subjects/s/versions/3")
    assert (missing.error, missing.body["message"]) == ((404, 40402), "Version 3 not found.")
    unknown = api.get("/subjects/x/versions/1")
    assert (unknown.error, unknown.body["message"]) == ((404, 40401), "Subject 'x' not found.")


def test_case_035_the_bare_text_of_a_version(api: Registry, two: None) -> None:
    assert api.get("/subjects/s/versions/1/schema").raw == api.get("/schemas/ids/1/schema").raw
    assert api.get("/subjects/s/versions/latest/schema").raw == api.get("/schemas/ids/2/schema").raw


def test_case_036_subjects_of_an_id(api: Registry) -> None:
    api.registered("b", PROBE)
    api.registered("a", PROBE)
    assert api.ok("GET", "/schemas/ids/1/subjects") == ["a", "b"]
    api.delete("/subjects/a")
    assert api.ok("GET", "/schemas/ids/1/subjects") == ["b"]
    assert api.ok("GET", "/schemas/ids/1/subjects?deleted=true") == ["a", "b"]
    assert api.ok("GET", "/schemas/ids/1/subjects?deleted=true&offset=1&limit=1") == ["b"]
    unknown = api.get("/schemas/ids/9/subjects")
    assert (unknown.error, unknown.body["message"]) == ((404, 40403), "Schema not found")


def test_an_id_whose_uses_are_all_deleted_has_none(api: Registry) -> None:
    api.registered("a", PROBE)
    api.delete("/subjects/a")
    assert api.ok("GET", "/schemas/ids/1/subjects") == []


def test_case_037_versions_of_an_id(api: Registry) -> None:
    api.registered("b", PROBE)
    api.registered("a", PROBE)
    pairs = [{"subject": "a", "version": 1}, {"subject": "b", "version": 1}]
    assert api.ok("GET", "/schemas/ids/1/versions") == pairs
    api.delete("/subjects/a")
    assert api.ok("GET", "/schemas/ids/1/versions") == pairs[1:]
    assert api.ok("GET", "/schemas/ids/1/versions?deleted=true&limit=1") == pairs[:1]
    assert api.get("/schemas/ids/9/versions").error == (404, 40403)


def test_case_038_looking_up(api: Registry, two: None) -> None:
    found = api.look_up("s", record("a")).body
    assert (found["subject"], found["version"], found["id"]) == ("s", 1, 1)
    assert found["schema"] == '{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}'
    assert api.look_up("x", record("a")).error == (404, 40401)
    other = api.look_up("s", record("z"))
    assert (other.error, other.body["message"]) == ((404, 40403), "Schema not found")


def test_case_039_parsing_comes_before_the_subject(api: Registry) -> None:
    assert api.look_up("unknown", {"type": "record"}).error == (422, 42201)
    assert api.call("POST", "/subjects/unknown", {}).error == (422, 42201)


def test_case_042_names_by_prefix(api: Registry) -> None:
    for name in ("te", "test", "other", "t%"):
        api.registered(name, PROBE)
    assert api.ok("GET", "/subjects?subjectPrefix=te") == ["te", "test"]
    assert api.ok("GET", "/subjects?subjectPrefix=t%25") == ["t%"]
    assert api.ok("GET", "/subjects?subjectPrefix=x") == []


def test_names_come_in_byte_order(api: Registry) -> None:
    for name in ("b", "B", "a", "ä", "_"):
        api.registered(name, PROBE)
    assert api.ok("GET", "/subjects") == ["B", "_", "a", "b", "ä"]


def test_versions_are_paged(api: Registry, two: None) -> None:
    assert api.versions("s", "?offset=1&limit=5") == [2]
    assert api.versions("s", "?limit=1") == [1]
