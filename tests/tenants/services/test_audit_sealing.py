"""Records are chained soon after they were written, each once; whatever is changed afterwards is named."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

import pytest
from django.db import DatabaseError, ProgrammingError, connection, connections, transaction

from accord_server.kit import tenancy
from tenants.errors import RightMissing
from tenants.models import AuditAnchor, AuditRecord, AuditSeal, AuditWaiting
from tenants.queries import audit_verdicts
from tenants.queries.rows import rows_of
from tenants.records import FaultKind
from tenants.services import audit_sealing
from tenants.services.audit_sealing import keep_months, seal_all, seal_part, seal_waiting
from tests.tenants import audit_log
from tests.tenants.audit_log import change_behind, ids, sealed, sealed_ids, verdict, write, write_behind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

    from accord_server.kit.scope import Scope
    from tests.cast import Actor, ScopeFor

pytestmark = pytest.mark.django_db(transaction=True)

SWAP = (
    "UPDATE tenants_auditrecord SET id = CASE id WHEN %s THEN %s ELSE %s END WHERE id IN (%s, %s)",
    "UPDATE tenants_auditrecord SET id = -id WHERE id IN (%s, %s)",
)


@pytest.fixture
def scope(alice: Actor, scope_for: ScopeFor) -> Scope:
    """Alice's, of the whole tenant."""
    return scope_for(alice, None)


@pytest.fixture
def old(scope: Scope) -> Iterator[int]:
    """A record of a month long ago, in a partition of its own, which is gone afterwards."""
    with audit_log.owner() as owner:
        found = write_behind(owner, scope, "thing.write", audit_log.LONG_AGO)
        owner.execute("SELECT accord_open_audit_month('2020-02-01')")
    yield found
    change_behind("DROP TABLE IF EXISTS tenants_auditrecord_2020_02")


def run(statement: str, *values: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_what_waits_is_chained_once_and_in_order(scope: Scope) -> None:
    known = sealed(scope, "a", "b")
    known = sealed(scope, "c")

    assert sealed_ids(scope) == known
    assert seal_waiting(scope) == 0
    numbers = AuditSeal.objects.scoped(scope).order_by("number").values_list("number", flat=True)
    assert list(numbers) == [1, 2]
    assert AuditWaiting.objects.scoped(scope).count() == 0
    found = verdict(scope)
    assert (found.fault, found.is_whole, found.seals, found.records) == (None, True, 2, len(known))


def test_what_is_too_young_waits_and_is_no_fault(scope: Scope) -> None:
    sealed(scope, "a")
    write(scope, "b", "c")

    assert (verdict(scope).is_whole, verdict(scope).waiting) == (True, 2)


def test_a_late_transaction_with_a_lower_id_is_sealed_once(scope: Scope) -> None:
    sealed(scope)
    with audit_log.owner() as late:
        low = write_behind(late, scope, "late.write")
        high = write(scope, "early")[-1]
        assert seal_waiting(scope) == 1
        assert sealed_ids(scope)[-1] == high > low
    assert seal_waiting(scope) == 1

    assert sealed_ids(scope)[-2:] == [high, low]
    assert sorted(sealed_ids(scope)) == ids(scope)
    assert verdict(scope).is_whole


def test_writers_and_sealers_at_once_leave_one_chain(scope: Scope) -> None:
    def work(act: object) -> None:
        try:
            for _ in range(10):
                act()  # type: ignore[operator]  # one of the two below
        finally:
            connections["default"].close()

    acts = [lambda: write(scope, "x", "y"), lambda: seal_part(scope, limit=7)]
    threads = [Thread(target=work, args=[act]) for act in acts * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seal_waiting(scope)

    assert len(ids(scope)) >= 40
    assert sorted(sealed_ids(scope)) == ids(scope)
    assert verdict(scope).is_whole


def test_all_tenants_have_their_turn(scope: Scope, mallory: Actor, scope_for: ScopeFor) -> None:
    theirs = scope_for(mallory, None)
    write(scope, "a"), write(theirs, "b")

    assert seal_all() == len(ids(scope)) + len(ids(theirs))
    assert verdict(scope).is_whole
    assert verdict(theirs).is_whole
    assert not set(sealed_ids(scope)) & set(sealed_ids(theirs))


CHANGES = {
    FaultKind.ALTERED: "UPDATE tenants_auditrecord SET actor = 'person:bob' WHERE id = %s",
    FaultKind.REMOVED: "DELETE FROM tenants_auditrecord WHERE id = %s",
    FaultKind.INSERTED: (
        "INSERT INTO tenants_auditrecord SELECT id, at + interval '1 hour', actor_kind, actor, token_key_id,"
        " token_slot, namespace_id, action, object_kind, object_name, outcome, address, request_id, before,"
        " after, tenant_id FROM tenants_auditrecord WHERE id = %s"
    ),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_behind_the_back_is_named(scope: Scope, kind: FaultKind) -> None:
    known = sealed(scope, "a", "b", "c")
    for victim in (known[-1], known[-2]):
        change_behind(CHANGES[kind], victim)
    found = verdict(scope)

    assert found.fault is not None
    assert (found.fault.kind, found.fault.record, found.is_whole) == (kind, known[-2], False)


def test_a_record_nobody_sealed_is_named(scope: Scope) -> None:
    sealed(scope, "a")
    with audit_log.owner() as owner:
        stray = write_behind(owner, scope, "thing.write")
        owner.execute("DELETE FROM tenants_auditwaiting")
    found = verdict(scope)

    assert found.fault is not None
    assert (found.fault.kind, found.fault.record) == (FaultKind.INSERTED, stray)


def test_records_that_changed_places_are_named(scope: Scope) -> None:
    *_, one, other = sealed(scope, "a", "b", "c")
    change_behind(SWAP[1], one, other)
    change_behind(SWAP[0], -one, other, one, -one, -other)
    found = verdict(scope)

    assert found.fault is not None
    assert (found.fault.kind, found.fault.record) == (FaultKind.REORDERED, one)


def test_a_record_that_was_gone_before_it_was_sealed_is_named(scope: Scope) -> None:
    sealed(scope)
    gone = write(scope, "a", "b")[-2]
    change_behind(CHANGES[FaultKind.REMOVED], gone)
    seal_waiting(scope)
    found = verdict(scope)

    assert found.fault is not None
    assert (found.fault.kind, found.fault.record) == (FaultKind.REMOVED, gone)


SEAL_CHANGES = {
    "UPDATE tenants_auditseal SET sealed_at = sealed_at + interval '1 day' WHERE number = 2": "SEAL_ALTERED",
    "UPDATE tenants_auditseal SET ids = '[]' WHERE number = 2": "SEAL_ALTERED",
    "UPDATE tenants_auditseal SET previous = digest WHERE number = 2": "SEAL_ALTERED",
    "DELETE FROM tenants_auditseal WHERE number = 2": "SEAL_REMOVED",
}


@pytest.mark.parametrize("statement", SEAL_CHANGES)
def test_a_changed_seal_is_named(scope: Scope, statement: str) -> None:
    for name in "abc":
        sealed(scope, name)
    change_behind(statement)
    fault = verdict(scope).fault

    assert fault is not None
    assert (fault.kind.name, fault.seal) == (SEAL_CHANGES[statement], 2)


def test_a_checkpoint_tells_of_a_cut_end_and_of_a_chain_made_anew(scope: Scope) -> None:
    sealed(scope, "a")
    sealed(scope, "b")
    checkpoint = verdict(scope).checkpoint
    assert verdict(scope, checkpoint).is_whole
    sealed(scope, "c")
    assert (verdict(scope, checkpoint).seals, verdict(scope, checkpoint).is_whole) == (1, True)
    number, _, digest = checkpoint.partition(":")
    other = verdict(scope, f"{number}:{'0' * len(digest)}").fault
    assert other is not None
    assert other.kind is FaultKind.SEAL_ALTERED
    change_behind("DELETE FROM tenants_auditseal WHERE number > 1")
    cut = verdict(scope, checkpoint).fault
    assert cut is not None
    assert (cut.kind, cut.seal) == (FaultKind.SEAL_REMOVED, 2)


def test_a_long_log_is_verified_part_by_part(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_verdicts, "MOST_SEALS", 2)
    for name in "abcde":
        sealed(scope, name)
    looks, checkpoint = 0, ""
    while not (found := verdict(scope, checkpoint)).is_whole:
        assert found.fault is None
        looks, checkpoint = looks + 1, found.checkpoint
    assert looks > 1


def test_only_who_reads_all_of_it_may_verify(bob: Actor, scope_for: ScopeFor) -> None:
    with pytest.raises(RightMissing):
        verdict(scope_for(bob, None))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tenants_auditseal SET number = 9",
        "DELETE FROM tenants_auditseal",
        "UPDATE tenants_auditanchor SET records = 0",
        "DELETE FROM tenants_auditanchor",
        "INSERT INTO tenants_auditwaiting (tenant_id, record_id) SELECT tenant_id, 0 FROM tenants_auditseal",
        "UPDATE tenants_auditwaiting SET record_id = 0",
        "SELECT * FROM tenants_auditrecord_rest",
        "DELETE FROM tenants_auditrecord_rest",
        "ALTER TABLE tenants_auditrecord DISABLE TRIGGER accord_audit_waits",
        "SELECT setval('tenants_auditrecord_numbers', 1)",
    ],
)
def test_the_application_cannot_change_the_chain(scope: Scope, statement: str) -> None:
    sealed(scope, "a")
    with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"):
        run(statement)
    assert verdict(scope).is_whole


def test_an_old_month_is_dropped_and_the_rest_stays_good(scope: Scope, old: int, settings: Settings) -> None:
    settings.ACCORD_AUDIT_MONTHS = 12
    sealed(scope, "a")
    assert verdict(scope).is_whole
    assert keep_months() == 1
    seal_waiting(scope)

    assert old not in ids(scope)
    found = verdict(scope)
    assert (found.fault, found.is_whole) == (None, True)
    assert [(str(one.month), one.records) for one in found.expired] == [("2020-02-01", 1)]
    assert AuditRecord.objects.scoped(scope).filter(action="audit.expire").count() == 1
    assert keep_months() == 0


@pytest.mark.usefixtures("old")
def test_without_a_limit_no_month_is_dropped(scope: Scope) -> None:
    assert keep_months() == 0
    assert not AuditAnchor.objects.scoped(scope).exists()


def test_a_month_whose_chain_is_broken_stays(scope: Scope, old: int, settings: Settings) -> None:
    settings.ACCORD_AUDIT_MONTHS = 12
    seal_waiting(scope)
    change_behind(CHANGES[FaultKind.ALTERED], old)

    assert keep_months() == 0
    assert old in ids(scope)
    fault = verdict(scope).fault
    assert fault is not None
    assert fault.record == old


@pytest.mark.parametrize("month", ["2020-02-01", "now"])
def test_the_database_drops_nothing_that_no_anchor_tells_of_nor_what_is_young(
    scope: Scope, old: int, month: str
) -> None:
    sealed(scope, "a")
    tenancy.deactivate()
    with pytest.raises(DatabaseError, match=r"no anchor tells|not been over"):
        run("SELECT accord_drop_audit_month(%s)", month)
    assert old in ids(scope)


def test_months_to_come_are_opened_and_take_what_lies_apart(scope: Scope) -> None:
    assert keep_months() == 0
    assert len(rows_of("SELECT * FROM accord_audit_months()")) > audit_sealing.MONTHS_AHEAD
    with pytest.raises(DatabaseError, match="a year ahead"):
        run("SELECT accord_open_audit_month('2999-01-01')")


def test_an_anchor_that_was_changed_is_named(scope: Scope, old: int, settings: Settings) -> None:
    settings.ACCORD_AUDIT_MONTHS = 12
    assert old
    keep_months()
    change_behind("UPDATE tenants_auditanchor SET digest = %s", bytes(32))
    fault = verdict(scope).fault

    assert fault is not None
    assert fault.kind is FaultKind.ANCHOR_ALTERED
