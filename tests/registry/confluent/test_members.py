"""Which members answers have, for clients of the 7.9 line and for those that take newer ones."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.registry.client import PROBE

if TYPE_CHECKING:
    from tests.registry.client import Answer, Registry

pytestmark = pytest.mark.django_db

CARRIED: dict[str, Any] = {
    "metadata": {"properties": {"k": "v"}},
    "ruleSet": {"domainRules": [{"name": "r", "mode": "READ", "type": "CEL"}]},
}
NEW = {"guid", "schemaType", "ts", "deleted"}
VERSION = {"subject", "version", "id", "schema", "metadata", "ruleSet"}
BY_ID = {"schema", "metadata", "ruleSet"}
# Each way to read the schema, what it shows, and what newer clients see besides.
WAYS: dict[str, tuple[set[str], set[str]]] = {
    "/subjects/s/versions/1": (VERSION, NEW),
    "/subjects/s/metadata": (VERSION, NEW),
    "/schemas": (VERSION, NEW),
    "/schemas/ids/1": (BY_ID, NEW),
    "/schemas/ids/1?subject=s&fetchMaxId=true": (BY_ID | {"maxId"}, NEW | {"subject", "version"}),
    "/schemas/guids/{guid}": (BY_ID, NEW),
}


def both(api: Registry, path: str, body: object = None) -> list[set[str]]:
    """The members that older and newer clients see."""
    method = "GET" if body is None else "POST"
    answers = [caller.ok(method, path, body) for caller in (api, api.with_new_members())]
    return [set(one[0] if isinstance(one, list) else one) for one in answers]


@pytest.fixture
def made(api: Registry) -> Answer:
    """Schema 1, with metadata and rules."""
    return api.with_new_members().register("s", PROBE, **CARRIED)


@pytest.mark.parametrize("path", WAYS)
def test_what_a_read_shows(api: Registry, made: Answer, path: str) -> None:
    old, added = WAYS[path]
    assert both(api, path.format(guid=made.body["guid"])) == [old, old | added]


def test_what_a_look_up_shows(api: Registry, made: Answer) -> None:
    body = {"schema": json.dumps(PROBE), **CARRIED}
    assert both(api, "/subjects/s", body) == [VERSION, VERSION | NEW]


def test_what_a_registration_shows(api: Registry, made: Answer) -> None:
    shown = VERSION - {"subject"}
    body = {"schema": json.dumps(PROBE), **CARRIED}
    assert set(made.body) == shown | {"guid", "schemaType"}
    assert both(api, "/subjects/s/versions", body) == [shown, set(made.body)]


def test_what_is_empty_is_left_out(api: Registry) -> None:
    api.registered("s", PROBE, metadata={}, ruleSet={}, references=[])
    assert both(api, "/schemas") == [
        {"subject", "version", "id", "schema"},
        {"subject", "version", "id", "schema"} | NEW,
    ]
