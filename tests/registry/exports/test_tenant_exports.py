"""Exports of whole tenants: all that one tenant has, nothing of another, no secret, as of one moment."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accord.transfer.reading import read
from accord_server.celery import SCHEDULE
from accord_server.kit import tenancy
from accord_server.kit.own_connections import own_connection
from registry import tasks
from registry.models import ExportPart, TenantExport
from registry.services import archives, tenant_exports
from registry.services.archives import WITHHELD_COLUMNS, WITHHELD_TABLES, columns_of, exported_models
from tenants.models import AuditRecord, Tenant
from tenants.owned import owned_models
from tenants.principals import operator_scope
from tenants.services import suspend_tenant
from tenants.services.operators import issue_operator_token
from tests.cast import bearer, issued_for
from tests.contract.refusals import Caller, document
from tests.registry.client import record
from tests.registry.texts import register
from tests.tenants import filled

if TYPE_CHECKING:
    from pathlib import Path
    from uuid import UUID

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor

pytestmark = pytest.mark.django_db(transaction=True)

EXPORTS = "/api/v1/tenants/north/exports"
# Columns that sound like secrets and are none.
HARMLESS = {
    "tenants_token.key_id", "tenants_token.last_used_at", "tenants_token.last_batch",
    "tenants_token.last_address", "tenants_token.last_client", "tenants_auditrecord.token_key_id",
    "tenants_auditrecord.token_slot", "registry_webhook.secret_number", "registry_checkrun.version_keys",
    "registry_checkrun.key", "registry_counter.last", "registry_fieldsource.schema_key",
}  # fmt: skip
SECRETIVE = ("secret", "password", "pepper", "token", "key", "last")


@pytest.fixture
def operator() -> Caller:
    return Caller(bearer(issue_operator_token(name="ada").value))


@pytest.fixture
def scope(alice: Actor) -> Scope:
    return operator_scope(alice.tenant.ref)


def told(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return the lines of each file of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {
            name: [json.loads(line) for line in archive.read(name).splitlines()]
            for name in archive.namelist()
        }


def fetched(operator: Caller, path: str, start: int = 0) -> tuple[int, bytes]:
    headers = {"Authorization": str(operator.authorization)} | ({"Range": f"bytes={start}-"} if start else {})
    answer: Any = Client().get(path, headers=headers)
    return answer.status_code, b"".join(answer) if answer.streaming else answer.content


def test_a_whole_tenant_is_written_and_nothing_of_another(
    alice: Actor, mallory: Actor, scope_for: ScopeFor, scope: Scope
) -> None:
    secret = issued_for(alice).value
    for actor in (alice, mallory):
        filled.fill(actor, scope_for(actor))
    stream = io.BytesIO()
    suspend_tenant(scope)
    rows = archives.write_archive(scope, stream, lambda _done, _total: None)
    files = told(stream.getvalue())
    assert min(rows.values()) > 0
    assert rows == {name[7:-6]: len(found) for name, found in files.items() if name.startswith("tables/")}
    (manifest,) = files["manifest.json"]
    assert (manifest["tenant"], manifest["tables"], manifest["namespaces"]) == ("north", rows, ["default"])
    whole = json.dumps(files)
    assert str(alice.tenant.id) in whole
    assert not [one for one in (str(mallory.tenant.id), "mallory", secret[17:]) if one in whole]
    assert {one["key_id"] for one in files["tables/tenants_token.jsonl"]} >= {secret[5:17]}


def test_every_table_and_column_is_written_unless_it_is_withheld_by_name() -> None:
    assert set(exported_models()) | WITHHELD_TABLES == set(owned_models())
    columns = {
        f"{model._meta.db_table}.{column}" for model in exported_models() for column in columns_of(model)
    }
    secretive = {one for one in columns if any(word in one.partition(".")[2] for word in SECRETIVE)}
    assert secretive <= HARMLESS, "is it a secret? then withhold it in registry.services.archives"
    assert "digest" not in columns_of(next(iter(WITHHELD_COLUMNS)))


def test_a_namespace_is_read_by_whoever_reads_exports(
    alice: Actor, scope_for: ScopeFor, tmp_path: Path
) -> None:
    scope = scope_for(alice)
    register(scope, "part", record("x", name="Part"))
    register(scope, "s", record({"name": "p", "type": "Part"}), ("Part", "part", 1))
    target = tmp_path / "north.zip"
    said = io.StringIO()
    call_command("export_tenant", "north", str(target), stdout=said, stderr=io.StringIO())
    assert "tables are in" in said.getvalue()
    file = tmp_path / "default.jsonl"
    file.write_bytes(zipfile.ZipFile(target).read("namespaces/default.jsonl"))
    with file.open("rb") as stream, read(stream) as copy:
        assert [str(key) for key in copy.ordered_keys()] == ["part version 1", "s version 1"]
        assert copy.entries[copy.ordered_keys()[1]].targets == (copy.ordered_keys()[0],)
    with pytest.raises(CommandError, match="No such file"):
        call_command("export_tenant", "north", str(tmp_path / "no" / "x.zip"), stdout=said)


def test_what_is_written_meanwhile_is_not_in_it(alice: Actor, scope_for: ScopeFor) -> None:
    scope, stream = scope_for(alice), io.BytesIO()
    late: list[int] = []
    register(scope, "early", record("x"))

    def write_beside(_done: int, _total: int) -> None:
        if not late:
            with own_connection(alice.tenant.id) as beside:
                late.append(beside.execute("UPDATE registry_subject SET name = 'late'").rowcount)

    archives.write_archive(scope, stream, write_beside)
    assert late == [1]
    assert [one["name"] for one in told(stream.getvalue())["tables/registry_subject.jsonl"]] == ["early"]


def test_a_worker_writes_what_an_operator_fetches_in_as_many_goes_as_it_takes(
    operator: Caller, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenant_exports, "PART", 1000)
    monkeypatch.setattr(tenant_exports, "BETWEEN_NOTES_S", 0.0)
    asked = operator.send("POST", EXPORTS)
    there = asked.headers["Location"]
    again = operator.send("POST", EXPORTS)
    assert (again.status_code, document(again)["code"]) == (409, "export_under_way")
    assert document(operator.send("GET", f"{there}/archive"))["code"] == "export_not_done"
    assert tasks.write_exports() == 1
    assert tasks.write_exports() == 0
    done = document(operator.send("GET", there))
    assert (done["state"], done["done"], done["error"]) == ("done", done["total"], None)
    status, whole = fetched(operator, f"{there}/archive")
    assert (status, len(whole)) == (200, done["size"])
    assert done["sha256"] == hashlib.sha256(whole).hexdigest()
    assert told(whole)["tenant.json"][0]["slug"] == "north"
    for start in (1, 999, 1000, 2500):
        assert fetched(operator, f"{there}/archive", start) == (206, whole[start:])
    assert fetched(operator, f"{there}/archive", done["size"])[0] == 416
    assert [one["id"] for one in document(operator.send("GET", EXPORTS))["items"]] == [done["id"]]
    assert operator.send("DELETE", there).status_code == 204
    assert document(operator.send("GET", there))["code"] == "export_not_found"


def test_an_export_whose_worker_was_lost_begins_anew(scope: Scope) -> None:
    export = tenant_exports.start_export(scope)
    with tenancy.tenant_context(scope.tenant.id):
        ExportPart.objects.insert(scope, export_id=export.key, number=0, data=b"of a worker that was lost")
        rows = TenantExport.objects.scoped(scope)
        rows.update(state="running", attempts=1, leased_until=timezone.now() - timedelta(seconds=1))
    assert tenant_exports.write_export(scope)
    with tenancy.tenant_context(scope.tenant.id):
        _, parts = tenant_exports.open_archive(scope, export.id)
        assert told(b"".join(parts))["manifest.json"]
        rows.update(state="running", attempts=5, leased_until=timezone.now() - timedelta(seconds=1))
    assert not tenant_exports.write_export(scope)
    with tenancy.tenant_context(scope.tenant.id):
        failed = tenant_exports.get_export(scope, export.id)
        assert (failed.state, failed.error) == ("failed", "5 workers were lost on it")


def test_a_worker_that_is_replaced_writes_no_more(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tenant_exports, "BETWEEN_NOTES_S", 0.0)
    export = tenant_exports.start_export(scope)

    def write(given: Scope, _stream: Any, note: Any) -> None:
        with own_connection(given.tenant.id) as beside:
            beside.execute("UPDATE registry_tenantexport SET attempts = attempts + 1")
        note(1, 2)

    monkeypatch.setattr(tenant_exports, "write_archive", write)
    assert not tenant_exports.write_export(scope)
    with tenancy.tenant_context(scope.tenant.id):
        assert tenant_exports.get_export(scope, export.id).state == "running"


def test_what_breaks_an_export_is_told(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(*_given: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(tenant_exports, "write_archive", write)
    export = tenant_exports.start_export(scope)
    assert not tenant_exports.write_export(scope)
    with tenancy.tenant_context(scope.tenant.id):
        failed = tenant_exports.get_export(scope, export.id)
    assert (failed.state, failed.error) == ("failed", "OSError: no room")


def test_archives_are_removed_after_some_days_and_few_are_kept(scope: Scope) -> None:
    for _ in range(tenant_exports.MOST_KEPT + 1):
        last = tenant_exports.start_export(scope)
        with tenancy.tenant_context(scope.tenant.id):
            TenantExport.objects.scoped(scope).filter(pk=last.key).update(
                state="done", ended_at=timezone.now()
            )
    with tenancy.tenant_context(scope.tenant.id):
        assert len(tenant_exports.list_exports(scope)) == tenant_exports.MOST_KEPT
        ExportPart.objects.insert(scope, export_id=last.key, number=0, data=b"x")
        _, parts = tenant_exports.open_archive(scope, last.id)
        TenantExport.objects.scoped(scope).update(ended_at=timezone.now() - timedelta(days=8), size=2**21)
        assert tasks.prune_exports() == tenant_exports.MOST_KEPT
        # A download that is under way ends early.
        assert list(parts) == []
        actions = AuditRecord.objects.scoped(scope).values_list("action", flat=True)
        assert "tenant.export" in set(actions)
        assert Tenant.objects.count() == 1
    assert {"registry.write_exports", "registry.prune_exports"} <= {row.task for row in SCHEDULE}


def test_one_export_that_cannot_be_written_holds_up_no_other(
    alice: Actor, mallory: Actor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for actor in (alice, mallory):
        tenant_exports.start_export(operator_scope(actor.tenant.ref))
    whole = tenant_exports.write_export
    broken: list[UUID] = []

    def write(scope: Scope) -> bool:
        if not broken:
            broken.append(scope.tenant.id)
            raise OSError("the disk is full")
        return whole(scope)

    monkeypatch.setattr(tenant_exports, "write_export", write)
    assert tenant_exports.write_exports() == 1
    assert str(broken[0]) in caplog.text
    assert tenant_exports.write_exports() == 1
