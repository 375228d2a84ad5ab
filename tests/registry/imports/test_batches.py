"""Batches of an import: the same rows as one by one, in as many statements whatever their length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accord_server.kit.models import Outbox
from registry.models import Content, Contract, Counter, Schema, SchemaReference, Subject, Version
from tenants.models import AuditRecord
from tests.registry.client import record
from tests.registry.forgetting import forget_everything
from tests.registry.imports.bringing import Bringer, Line, line, uses

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor

pytestmark = pytest.mark.django_db
CONTRACT: dict[str, Any] = {
    "metadata": {"properties": {"owner": "me", "key": "s"}, "tags": {"**.id": ["PII"]}, "sensitive": ["key"]},
    "ruleSet": {
        "domainRules": [{"name": "r", "kind": "CONDITION", "type": "CEL", "mode": "WRITE", "expr": "1"}]
    },
}
BASE = record("id", name="Base")
USER = {"type": "record", "name": "User", "fields": [{"name": "base", "type": "Base"}]}
OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}}
EVERYTHING: list[Line] = [
    line("base", 1, BASE, id=1),
    line("base", 3, {**BASE, "doc": "second"}, id=7, deleted=True),
    line("user", 1, USER, id=2, **uses("Base", "base")),
    line("user", 2, {**USER, "doc": "old"}, id=3, deleted=True, **uses("Base", "base", 3)),
    line("user", 3, {**USER, "doc": "new"}, id=4, **uses("Base", "base"), **CONTRACT),
    line("twin", 1, BASE, id=1),
    line("twin", 2, BASE, id=9),
    line(".other/deep", 1, USER, id=5, **uses("Base", ":.:base")),
    line(".other/deeper", 1, {**USER, "name": "Deeper"}, id=8, **uses("Base", ":.:base")),
    line("json", 1, OBJECT, id=6, schemaType="JSON", **CONTRACT),
    line("spaced ü/😀", 1, '  {"type" : "string"} ', id=10),
]
# What is looked at of each table's rows: all but keys, moments, and how sensitive values are encrypted.
SCHEMA = "context number guid identity equivalence references rabin md5 sha256 content__digest content__text"
VERSION = "subject__context subject__name number schema__context schema__number created_by level"
AUDIT = "action object_kind object_name outcome before after actor"
COLUMNS: dict[type[Any], str] = {
    Schema: f"{SCHEMA} contract__digest",
    Subject: "context name",
    Version: f"{VERSION} deleted_at in_force judged findings",
    SchemaReference: "schema__context schema__number position target__subject__name target__number",
    Counter: "context last is_dropped",
    Outbox: "topic payload",
    AuditRecord: AUDIT,
}
NAMESPACES = {Version: "subject__namespace", SchemaReference: "schema__namespace"}
WRITTEN = {Outbox: "topic__startswith", AuditRecord: "action__startswith"}


def rows(scope: Scope) -> dict[str, list[str]]:
    """All that a namespace holds and has written, without what differs between any two rows."""
    assert scope.namespace is not None
    found = {}
    for table, columns in COLUMNS.items():
        where: dict[str, Any] = {NAMESPACES.get(table, "namespace_id"): scope.namespace.id}
        if table in WRITTEN:
            where[WRITTEN[table]] = "version."
        held = table.objects.scoped(scope).filter(**where).values(*columns.split())
        found[table.__name__] = sorted(repr(_settled(one)) for one in held)
    return found


def _settled(row: dict[str, Any]) -> dict[str, Any]:
    is_deleted = row.pop("deleted_at", None) is not None
    return {"deleted": is_deleted, **{name: _plain(value) for name, value in row.items()}}


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, memoryview) else value


def test_a_batch_stores_what_one_by_one_does(
    bringer: Bringer, other: Bringer, alice: Actor, scope_for: ScopeFor
) -> None:
    for answer in bringer.one_by_one(EVERYTHING):
        assert answer.status == 200, answer.raw
    forget_everything()
    run = other.begun()
    first = other.brought(run, EVERYTHING)
    assert first == {"registered": len(EVERYTHING), "deleted": 0, "present": 0, "refused": []}
    gone = [one for one in reversed(EVERYTHING) if one["deleted"]]
    assert other.brought(run, gone, "deletions")["deleted"] == len(gone) == 2
    wanted, found = (rows(scope_for(alice, name)) for name in ("default", "copy"))
    for table, held in wanted.items():
        assert found[table] == held, table
        assert held
    tenant = scope_for(alice)
    assert Content.objects.scoped(tenant).count() == len({one["schema"] for one in EVERYTHING})
    assert Contract.objects.scoped(tenant).count() == 1


def test_a_batch_that_is_sent_again_changes_nothing(
    bringer: Bringer, alice: Actor, scope_for: ScopeFor
) -> None:
    run = bringer.begun()
    gone = [one for one in reversed(EVERYTHING) if one["deleted"]]
    bringer.brought(run, EVERYTHING)
    bringer.brought(run, gone, "deletions")
    before = rows(scope_for(alice))
    again = bringer.brought(run, EVERYTHING)
    assert again == {"registered": 0, "deleted": 0, "present": len(EVERYTHING), "refused": []}
    assert bringer.brought(run, gone, "deletions") == {
        "registered": 0,
        "deleted": 0,
        "present": 2,
        "refused": [],
    }
    assert rows(scope_for(alice)) == before
    told = bringer.ok("GET", run)
    assert (told["registered"], told["deleted"], told["present"], told["refused"]) == (11, 2, 13, 0)


def test_the_number_of_statements_does_not_grow_with_a_batch(bringer: Bringer) -> None:
    run = bringer.begun()
    counted = []
    for start, count in ((100, 3), (200, 60)):
        base = line(f"base{start}", 1, {**BASE, "doc": str(start)}, id=start)
        more = [
            line(
                f"s{start + at}",
                1,
                {**USER, "name": f"U{start + at}"},
                id=start + at,
                **uses("Base", base["subject"]),
            )
            for at in range(1, count)
        ]
        bringer.brought(run, [base])
        forget_everything()
        with CaptureQueriesContext(connection) as captured:
            assert bringer.brought(run, more)["registered"] == count - 1
        counted.append(len(captured))
    assert counted[0] == counted[1] <= 30, counted
