"""The audit log over HTTP: filters, parts, reach, export, and the verdict on its chain."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accord_server.kit import tenancy
from accord_server.kit.scope import NamespaceRef
from tenants import audit_export
from tenants.api.audit_views import verdict_document
from tenants.models import AuditRecord
from tenants.principals import operator_scope
from tenants.queries import audit as queries
from tenants.queries.audit import shown_record
from tenants.records import AuditEntry, AuditFault, AuditVerdict, FaultKind
from tenants.services import bind_role, record_audit
from tenants.services.audit_sealing import seal_waiting
from tests.cast import bearer, issued_for
from tests.contract.refusals import Caller, document

if TYPE_CHECKING:
    from tenants.records import NamespaceRecord
    from tests.cast import Actor, ScopeFor, TokenFor

pytestmark = pytest.mark.django_db

AUDIT = "/api/v1/tenants/north/audit"


@pytest.fixture
def admin(alice: Actor, token_for: TokenFor) -> Caller:
    return Caller(bearer(token_for(alice)))


def note(actor: Actor, namespace: NamespaceRef | None = None, **more: Any) -> None:
    scope = operator_scope(actor.tenant.ref, namespace)
    with tenancy.tenant_context(actor.tenant.id):
        record_audit(scope, entry=AuditEntry(**{"action": "thing.write", "object_kind": "thing", **more}))


def listed(caller: Caller, **query: str) -> list[dict[str, Any]]:
    answer = caller.send("GET", f"{AUDIT}?{'&'.join(f'{name}={value}' for name, value in query.items())}")
    assert answer.status_code == 200, answer.content
    found: list[dict[str, Any]] = document(answer)["items"]
    return found


def names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["object_name"] for row in rows]


def test_the_newest_comes_first_part_by_part(alice: Actor, admin: Caller) -> None:
    for name in "abcde":
        note(alice, object_name=name)
    found, cursor = [], ""
    for _ in range(3):
        part = document(admin.send("GET", f"{AUDIT}?limit=2&action=thing.write{cursor}"))
        found += names(part["items"])
        cursor = f"&cursor={part['next']}"
    assert (found, part["next"]) == (list("edcba"), None)


FILTERS: list[dict[str, str]] = [
    {"actor": "operator"},
    {"action": "thing.end"},
    {"object_kind": "other"},
    {"object": "x"},
    {"outcome": "denied"},
    {"namespace": "default"},
    {"token": "k" * 12},
    {"request_id": "r-1"},
]


def test_each_filter_finds_its_own(alice: Actor, admin: Caller, scope_for: ScopeFor) -> None:
    scope = replace(scope_for(alice), token_key="k" * 12, request_id="r-1")
    entry = AuditEntry("thing.end", "other", "x", outcome="denied")
    tenancy.activate(alice.tenant.id)
    record_audit(scope, entry=entry)
    for wanted in FILTERS[1:]:
        assert names(listed(admin, **wanted))[:1] == ["x"], wanted
    assert listed(admin, actor="person:alice")[0]["object_name"] == "x"
    assert listed(admin, actor="nobody") == []


def test_a_time_is_from_and_to(alice: Actor, admin: Caller) -> None:
    note(alice, object_name="x")
    now = timezone.now()
    early, late = ((now + timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ") for hours in (-1, 1))
    assert "x" in names(listed(admin, since=early, until=late))
    assert listed(admin, since=late) == listed(admin, until=early) == []


@pytest.mark.parametrize(
    "query",
    [
        "outcome=maybe",
        "since=yesterday",
        "until=2026-01-01T00:00:00",
        "actr=bob",
        "object=%00",
        "action=" + "x" * 5000,
    ],
)
def test_a_filter_that_cannot_be_meant_is_named(admin: Caller, query: str) -> None:
    answer = admin.send("GET", f"{AUDIT}?{query}")
    assert (answer.status_code, document(answer)["code"]) == (422, "invalid_detail")
    assert query.partition("=")[0] in document(answer)["detail"]


@pytest.mark.parametrize("query", ["limit=0", "cursor=%21", "cursor=bm93aGVyZQ=="])
def test_a_place_that_no_answer_had_is_refused(admin: Caller, query: str) -> None:
    assert admin.send("GET", f"{AUDIT}?{query}").status_code == 400


def test_a_namespace_that_is_not_there_is_said(admin: Caller) -> None:
    assert admin.send("GET", f"{AUDIT}?namespace=nowhere").status_code == 404


def test_one_record_tells_before_and_after(alice: Actor, admin: Caller) -> None:
    note(alice, object_name="x", before={"level": "NONE"}, after={"level": "FULL"})
    (row,) = listed(admin, object="x")
    one = document(admin.send("GET", f"{AUDIT}/{row['id']}"))
    assert (one["before"], one["after"], one) == ({"level": "NONE"}, {"level": "FULL"}, row)
    assert admin.send("GET", f"{AUDIT}/{10**15}").status_code == 404


def test_ids_tell_nothing_of_what_others_do(alice: Actor, admin: Caller) -> None:
    for name in "abc":
        note(alice, object_name=name)
    seen = [row["id"] for row in listed(admin, action="thing.write")]
    with tenancy.tenant_context(alice.tenant.id):
        rows = AuditRecord.objects.scoped(operator_scope(alice.tenant.ref)).filter(action="thing.write")
        keys = list(rows.order_by("-pk").values_list("pk", flat=True))
    assert keys not in (seen, sorted(seen, reverse=True))
    assert [document(admin.send("GET", f"{AUDIT}/{one}"))["object_name"] for one in seen] == ["c", "b", "a"]
    assert admin.send("GET", f"{AUDIT}/{keys[0]}").status_code == 404
    fault = AuditFault(FaultKind.ALTERED, record=keys[0], seal=1)
    told = verdict_document(AuditVerdict("0:", fault=fault), alice.tenant.id)["fault"]
    assert told == {"kind": FaultKind.ALTERED, "record": seen[0], "seal": 1}


def auditor_of(carol: Actor, payments: NamespaceRecord) -> Caller:
    scope = operator_scope(carol.tenant.ref)
    bind_role(scope, principal=carol.key, role="auditor", namespace_slug=payments.slug)
    return Caller(bearer(issued_for(carol).value))


def test_the_right_in_a_namespace_opens_its_records_alone(
    alice: Actor, carol: Actor, payments: NamespaceRecord
) -> None:
    auditor = auditor_of(carol, payments)
    note(alice, payments.ref, object_name="theirs")
    note(alice, object_name="the tenant's")
    default = NamespaceRef(alice.tenant.id, "default")
    note(alice, default, object_name="another's")
    assert names(listed(auditor, action="thing.write")) == ["theirs"]
    assert auditor.send("GET", f"{AUDIT}?namespace=default").status_code == 404
    assert auditor.send("GET", f"{AUDIT}/verification").status_code == 403
    with tenancy.tenant_context(alice.tenant.id):
        hidden = AuditRecord.objects.scoped(operator_scope(alice.tenant.ref)).get(object_name="another's")
    assert auditor.send("GET", f"{AUDIT}/{shown_record(hidden.tenant_id, hidden.pk)}").status_code == 404
    exported = auditor.send("GET", f"{AUDIT}/export").content
    assert b"theirs" in exported
    assert b"another's" not in exported


def test_another_tenants_log_is_not_there(alice: Actor, mallory: Actor) -> None:
    note(alice, object_name="secret plan")
    stranger = Caller(bearer(issued_for(mallory).value))
    assert stranger.send("GET", AUDIT).status_code == 404
    theirs = stranger.send("GET", "/api/v1/tenants/south/audit")
    assert b"secret plan" not in theirs.content


def test_a_list_costs_the_same_however_long_it_is(alice: Actor, admin: Caller) -> None:
    counts = []
    for _ in range(2):
        for _ in range(5):
            note(alice, object_name="x")
        listed(admin)
        with CaptureQueriesContext(connection) as asked:
            listed(admin)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def exported(caller: Caller, query: str) -> str:
    answer: Any = caller.send("GET", f"{AUDIT}/export?{query}")
    assert answer.status_code == 200, answer.content
    # Whoever gets less than that knows that it broke off.
    assert answer["Content-Length"] == str(len(answer.content))
    return str(answer.content.decode())


def test_an_export_is_whole_or_refused(alice: Actor, admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        note(alice, object_name=name)
    monkeypatch.setattr(queries, "EXPORTED_AT_ONCE", 2)
    whole = queries.list_audit

    def breaking(*asked: Any, after: str = "", **more: Any) -> Any:
        if after:
            raise OperationalError("gone")
        return whole(*asked, after=after, **more)

    monkeypatch.setattr(queries, "list_audit", breaking)
    assert admin.send("GET", f"{AUDIT}/export?action=thing.write").status_code == 503


def test_an_export_is_bounded(alice: Actor, admin: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_export, "MOST_BYTES", 600)
    for name in "abcd":
        note(alice, object_name=name * 300)
    found = [json.loads(line) for line in exported(admin, "action=thing.write").splitlines()]
    assert [one["object_name"][0] for one in found] == ["d"]


def test_an_export_goes_on_after_any_of_its_records(
    alice: Actor, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST_EXPORTED", 4)
    monkeypatch.setattr(queries, "EXPORTED_AT_ONCE", 3)
    for name in "abcdef":
        note(alice, object_name=name)
    first = [json.loads(line) for line in exported(admin, "action=thing.write").splitlines()]
    assert names(first) == list("fedc")
    rest = exported(admin, f"action=thing.write&cursor={first[2]['cursor']}")
    assert names([json.loads(line) for line in rest.splitlines()]) == list("cba")


def test_a_spreadsheet_finds_no_formula(alice: Actor, admin: Caller) -> None:
    note(alice, object_name='=cmd|"/c calc"!A0', after={"a": 1, "b": "\n, ü"})
    header, row = csv.reader(StringIO(exported(admin, "format=csv&action=thing.write")))
    found = dict(zip(header, row, strict=True))
    assert found["object_name"] == '\'=cmd|"/c calc"!A0'
    assert json.loads(found["after"]) == {"a": 1, "b": "\n, ü"}
    assert admin.send("GET", f"{AUDIT}/export?format=xls").status_code == 422


def test_the_verdict_is_told_with_a_checkpoint(alice: Actor, admin: Caller) -> None:
    note(alice, object_name="x")
    with tenancy.tenant_context(alice.tenant.id):
        seal_waiting(operator_scope(alice.tenant.ref))
    found = document(admin.send("GET", f"{AUDIT}/verification"))
    assert (found["is_good"], found["is_whole"], found["fault"], found["waiting"]) == (True, True, None, 0)
    again = document(admin.send("GET", f"{AUDIT}/verification?checkpoint={found['checkpoint']}"))
    assert (again["is_whole"], again["records"]) == (True, 0)
    assert admin.send("GET", f"{AUDIT}/verification?checkpoint=x:y").status_code == 400
