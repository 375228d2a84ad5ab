"""What metadata call sensitive is encrypted in the tables, and clear wherever it is shown or compared."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accord_server.kit import tenancy
from accord_server.kit.cache import memory_named
from registry.errors import SensitiveUnavailable
from registry.sealing import SEALED, sealed, unsealed
from registry.services import resealing as services
from tests.registry.client import PROBE, optional, record

if TYPE_CHECKING:
    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.registry.client import Registry

pytestmark = pytest.mark.django_db

NEWER = "another-key-for-tests-0123456789-abcdefgh"
SECRET = "swordfish-4711"
METADATA: dict[str, Any] = {"properties": {"owner": "me", "pw": SECRET}, "sensitive": ["none", "pw"]}


def bytes_of_all_tables(scope: Scope) -> str:
    """Everything that the tables of all rooms say, as far as the tenant sees them."""
    tenancy.activate(scope.tenant.id)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
            " AND relnamespace = 'public'::regnamespace"
        )
        said = ""
        for (table,) in cursor.fetchall():
            if table.startswith(("registry_", "tenants_audit", "kit_")):
                cursor.execute(f"SELECT coalesce(string_agg(one::text, chr(10)), '') FROM \"{table}\" AS one")  # noqa: S608  # a table of ours
                said += cursor.fetchone()[0]
    return said


def test_case_115_sensitive_values_are_clear_in_answers_and_encrypted_at_rest(
    api: Registry, scope: Scope
) -> None:
    api.registered("s", PROBE, metadata=METADATA)
    memory_named("contracts").clear()
    look_up = api.look_up("s", PROBE, metadata=METADATA)
    reads = [api.get(at) for at in ("/subjects/s/versions/1", "/schemas/ids/1", "/subjects/s/metadata")]
    for answer in (*reads, look_up, api.look_up("s", PROBE), api.register("s", PROBE)):
        assert (answer.status, answer.body["metadata"]) == (200, METADATA)
    said = bytes_of_all_tables(scope)
    assert SECRET not in said
    assert (SEALED in said, '""owner"": ""me""' in said) == (True, True)


def test_so_are_values_that_a_config_adds(api: Registry, scope: Scope) -> None:
    config = {"defaultMetadata": METADATA, "overrideMetadata": {"properties": {"pw": SECRET + "1"}}}
    assert api.ok("PUT", "/config/s", config) == config
    assert api.ok("PUT", "/config/s", {"normalize": False}).items() > config.items()
    assert api.ok("GET", "/config/s").items() > config.items()
    assert api.ok("GET", "/config/s?defaultToGlobal=true").items() > config.items()
    api.ok("PUT", "/config/s", {"overrideMetadata": None})
    assert api.register("s", PROBE).body["metadata"] == METADATA
    assert api.ok("PUT", "/config/s", {})["defaultMetadata"] == METADATA
    assert api.ok("DELETE", "/config/s")["defaultMetadata"] == METADATA
    said = bytes_of_all_tables(scope)
    assert said.count(SECRET) == said.count(SECRET + "1") > 0, "what nobody called sensitive is kept as it is"


def test_they_are_part_of_identity_and_guid_as_they_are(api: Registry) -> None:
    newer = api.with_new_members()
    made = newer.register("s", PROBE, metadata=METADATA).body
    other = {**METADATA, "properties": {"owner": "me", "pw": "else"}}
    assert newer.register("t", PROBE, metadata=METADATA).body["guid"] == made["guid"]
    assert newer.register("t", PROBE, metadata=other).body["id"] == made["id"] + 1


def test_they_are_found_by_their_values(api: Registry) -> None:
    for version, value in enumerate("aba"):
        schema = record("x", *map(optional, "abc"[:version]))
        api.registered("s", schema, metadata={"properties": {"pw": value, "k": "v"}, "sensitive": ["pw"]})
    path = "/subjects/s/metadata?key=pw&value="
    assert {value: api.ok("GET", path + value)["version"] for value in "ab"} == {"a": 3, "b": 2}
    assert api.ok("GET", f"{path}b&key=k&value=v")["version"] == 2
    for query in ("c", "a&key=k&value=w"):
        assert api.get(path + query).error == (404, 40403)


def test_without_a_key_they_are_refused_and_all_else_is_not(api: Registry, settings: Settings) -> None:
    api.registered("s", PROBE, metadata=METADATA)
    memory_named("contracts").clear()
    settings.ACCORD_METADATA_KEY = ""
    for answer in (
        api.register("t", PROBE, metadata=METADATA),
        api.get("/subjects/s/versions/1"),
        api.call("PUT", "/config/s", {"defaultMetadata": METADATA}),
    ):
        assert answer.error == (503, 503)
        assert "must set ACCORD_METADATA_KEY" in answer.body["message"]
        assert SECRET not in answer.raw.decode()
    assert api.register("t", PROBE, metadata={"sensitive": ["pw"]}).status == 200


def test_a_key_is_replaced_by_adding_another(settings: Settings) -> None:
    first = settings.ACCORD_METADATA_KEY
    old = sealed(METADATA)
    settings.ACCORD_METADATA_KEY = f"{first},{NEWER}"
    new = sealed(METADATA)
    assert unsealed(old) == unsealed(new) == unsealed(METADATA) == METADATA
    settings.ACCORD_METADATA_KEY = NEWER
    assert unsealed(new) == METADATA
    with pytest.raises(SensitiveUnavailable, match="cannot be read"):
        unsealed(old)


def test_each_value_is_encrypted_anew() -> None:
    one, other = sealed(METADATA), sealed(METADATA)
    assert one[SEALED] != other[SEALED]
    assert one["properties"] == {"owner": "me"}


@pytest.fixture
def stored(api: Registry, settings: Settings) -> None:
    """A schema and a config with sensitive values, and another key than theirs to encrypt from now on."""
    api.registered("s", PROBE, metadata=METADATA)
    api.registered("t", PROBE, metadata={"properties": {"pw": "x"}, "sensitive": ["pw"]})
    api.registered("u", PROBE, metadata={"properties": {"clear": "x"}})
    api.ok("PUT", "/config/s", {"defaultMetadata": METADATA, "overrideMetadata": {"properties": {"a": "b"}}})
    settings.ACCORD_METADATA_KEY = f"{settings.ACCORD_METADATA_KEY},{NEWER}"


def reseal(*more: str) -> str:
    said = StringIO()
    call_command("reseal_metadata", *more, stdout=said, stderr=StringIO())
    return said.getvalue().strip()


@pytest.mark.usefixtures("stored")
@pytest.mark.parametrize("size", ["1", "500"])
def test_all_is_encrypted_by_the_new_key_and_the_old_one_may_go(
    api: Registry, settings: Settings, size: str
) -> None:
    api.registered("v", PROBE, metadata={"properties": {"pw": "newer"}, "sensitive": ["pw"]})
    assert reseal("--batch", size) == "3 encrypted anew, 1 were so already"
    assert reseal() == "0 encrypted anew, 4 were so already"
    settings.ACCORD_METADATA_KEY = NEWER
    memory_named("contracts").clear()
    assert api.ok("GET", "/subjects/s/versions/1")["metadata"] == METADATA
    assert api.ok("GET", "/config/s")["defaultMetadata"] == METADATA
    assert api.look_up("s", PROBE, metadata=METADATA).status == 200


@pytest.mark.usefixtures("stored")
def test_an_interrupted_run_goes_on(scope: Scope) -> None:
    assert next(services.reseal(scope, size=1)) == services.Resealed(changed=1)
    assert reseal() == "2 encrypted anew, 1 were so already"


@pytest.mark.usefixtures("stored")
def test_what_no_key_can_read_is_told_and_kept(api: Registry, settings: Settings) -> None:
    old, settings.ACCORD_METADATA_KEY = settings.ACCORD_METADATA_KEY, NEWER
    with pytest.raises(CommandError, match=r"^3 can be read by none of the keys"):
        reseal()
    settings.ACCORD_METADATA_KEY = old
    assert api.ok("GET", "/config/s")["defaultMetadata"] == METADATA


def test_what_cannot_work_is_refused_at_once(settings: Settings) -> None:
    for size in ("0", "10001"):
        with pytest.raises(CommandError, match="must be from 1 to 10000"):
            reseal("--batch", size)
    settings.ACCORD_METADATA_KEY = ""
    with pytest.raises(CommandError, match="ACCORD_METADATA_KEY is not set"):
        reseal()


def test_the_audit_log_says_what_is_sensitive_and_keeps_none_of_it(api: Registry, scope: Scope) -> None:
    api.ok("PUT", "/config/s", {"defaultMetadata": METADATA})
    api.ok("DELETE", "/config/s")
    tenancy.activate(scope.tenant.id)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT before::text, after::text FROM tenants_auditrecord WHERE action = 'config.write'"
        )
        said = str(cursor.fetchall())
    assert '["pw"]' in said.replace("\\", "")
    assert "gAAAA" not in said, "how values begin that are encrypted"
