"""Whether the audit log still says what was sealed; where it does not, the first place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from accord_server.kit.error_tables import HttpError
from tenants.access import require_everywhere
from tenants.audit_chain import COLUMNS, NOTHING, Seal, parted, record_digest
from tenants.models import AuditAnchor, AuditRecord, AuditSeal, AuditWaiting
from tenants.queries.rows import rows_of
from tenants.records import AuditFault, AuditVerdict, ExpiredMonth, FaultKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from accord_server.kit.scope import Scope

RIGHT: Final = "audit.read"
# So much is looked at in one go; a longer log is verified part by part.
MOST_SEALS: Final = 200
MOST_RECORDS: Final = 5_000
SEAL_DIGITS: Final = 18
NEITHER_SEALED_NOR_WAITING: Final = """
SELECT record.id FROM tenants_auditrecord record
LEFT JOIN (
    SELECT jsonb_array_elements_text(ids)::bigint AS id FROM tenants_auditseal WHERE tenant_id = %s
) seal ON seal.id = record.id
LEFT JOIN tenants_auditwaiting waiting ON waiting.record_id = record.id
WHERE record.tenant_id = %s AND seal.id IS NULL AND waiting.record_id IS NULL
ORDER BY record.id LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A seal that somebody remembers: its number and digest, written ``17:ab…``; the start is number 0."""

    number: int = 0
    digest: bytes = NOTHING

    def __str__(self) -> str:
        return f"{self.number}:{self.digest.hex()}"

    @classmethod
    def read(cls, text: str) -> Checkpoint:
        """Read one; empty is the start.

        Raises:
            HttpError: 400 for what no verdict gave.
        """
        if not text:
            return cls()
        number, _, digest = text.partition(":")
        try:
            found = bytes.fromhex(digest)
        except ValueError:
            found = b""
        is_number = number.isascii() and number.isdigit() and len(number) <= SEAL_DIGITS
        if not is_number or len(found) != len(NOTHING):
            raise HttpError(400, "checkpoint is not one that a verdict gave: a number, ':' and 64 hex digits")
        return cls(int(number), found)


def verify_audit(scope: Scope, *, checkpoint: str = "") -> AuditVerdict:
    """Return whether the log is as it was sealed, from a checkpoint on, as far as one look goes.

    As many statements however much is looked at.

    Raises:
        RightMissing: Without ``audit.read`` in the whole tenant.
        HttpError: 400 for a checkpoint that no verdict gave.
    """
    require_everywhere(scope, RIGHT)
    start = Checkpoint.read(checkpoint)
    rows, is_last = _next_seals(scope, start)
    anchors = {one.month: one for one in AuditAnchor.objects.scoped(scope).order_by("seal")}
    verdict = _walked(scope, rows, start, anchors)
    if verdict.fault or not is_last:
        return replace(verdict, is_whole=False)
    stray = rows_of(NEITHER_SEALED_NOR_WAITING, str(scope.tenant.id), str(scope.tenant.id))
    if stray:
        return replace(verdict, fault=AuditFault(FaultKind.INSERTED, record=stray[0]["id"]), is_whole=False)
    expired = tuple(ExpiredMonth(one.month, one.records) for one in anchors.values())
    waiting = AuditWaiting.objects.scoped(scope).count()
    return replace(verdict, is_whole=True, waiting=waiting, expired=expired)


def is_intact(scope: Scope, month: date) -> bool:
    """Tell whether the records of a month, and the seals that hold them, are as they were."""
    anchors = {one.month: one for one in AuditAnchor.objects.scoped(scope).filter(month=month)}
    for row in AuditSeal.objects.scoped(scope).filter(month=month).order_by("number").iterator(chunk_size=10):
        seal = _seal(row)
        if _flaw_of(seal, row, seal.previous) or next(_flaws(seal, _digests(scope, [seal]), anchors), None):
            return False
    return True


def _next_seals(scope: Scope, start: Checkpoint) -> tuple[list[AuditSeal], bool]:
    """Return the seals from a checkpoint on, itself included, and whether there are no more."""
    wanted = AuditSeal.objects.scoped(scope).filter(number__gte=start.number).order_by("number")
    found: list[AuditSeal] = []
    records = 0
    for row in wanted[: MOST_SEALS + 1].iterator(chunk_size=10):
        records += len(row.ids)
        # The first but one is taken whatever its size, so that each look gets on.
        if len(found) > 1 and (records > MOST_RECORDS or len(found) > MOST_SEALS):
            return found, False
        found.append(row)
    return found, len(found) <= MOST_SEALS


def _walked(
    scope: Scope, rows: Sequence[AuditSeal], start: Checkpoint, anchors: dict[date, AuditAnchor]
) -> AuditVerdict:
    verdict = AuditVerdict(checkpoint=str(start))
    if start.number:
        if not rows or rows[0].number != start.number:
            return replace(verdict, fault=AuditFault(FaultKind.SEAL_REMOVED, seal=start.number))
        if bytes(rows[0].digest) != start.digest:
            return replace(verdict, fault=AuditFault(FaultKind.SEAL_ALTERED, seal=start.number))
        rows = rows[1:]
    seals = [_seal(row) for row in rows]
    found = _digests(scope, seals)
    at = start
    for row, seal in zip(rows, seals, strict=True):
        fault = _broken_link(seal, row, at) or next(_flaws(seal, found, anchors), None)
        if fault:
            return replace(verdict, fault=fault)
        at = Checkpoint(seal.number, seal.digest)
        verdict = replace(
            verdict, checkpoint=str(at), seals=verdict.seals + 1, records=verdict.records + len(seal.rows)
        )
    return verdict


def _broken_link(seal: Seal, row: AuditSeal, before: Checkpoint) -> AuditFault | None:
    if seal.number != before.number + 1:
        return AuditFault(FaultKind.SEAL_REMOVED, seal=before.number + 1)
    return _flaw_of(seal, row, before.digest)


def _flaw_of(seal: Seal, row: AuditSeal, previous: bytes) -> AuditFault | None:
    is_whole = len(row.ids) == len(parted(bytes(row.digests))) and seal.previous == previous
    if is_whole and seal.digest == bytes(row.digest):
        return None
    return AuditFault(FaultKind.SEAL_ALTERED, record=next(iter(row.ids), None), seal=seal.number)


def _flaws(
    seal: Seal, found: dict[int, list[bytes]], anchors: dict[date, AuditAnchor]
) -> Iterator[AuditFault]:
    """Yield what is wrong with the records of a seal, in their order."""
    anchor = anchors.get(seal.month)
    if anchor and seal.number == anchor.seal and seal.digest != bytes(anchor.digest):
        yield AuditFault(FaultKind.ANCHOR_ALTERED, seal=seal.number)
    is_expired = anchor is not None and seal.number <= anchor.seal
    sealed = {digest for _, digest in seal.rows}
    for number, digest in seal.rows:
        there = found.get(number, [])
        if there == [digest] or (is_expired and not there):
            continue
        yield AuditFault(_kind(there, digest, sealed), record=number, seal=seal.number)


def _kind(there: list[bytes], digest: bytes, sealed: Iterable[bytes]) -> FaultKind:
    if not there:
        return FaultKind.REMOVED
    if digest in there:
        return FaultKind.INSERTED
    return FaultKind.REORDERED if there[0] in sealed else FaultKind.ALTERED


def _digests(scope: Scope, seals: Iterable[Seal]) -> dict[int, list[bytes]]:
    """Return the digests of the records as they are now, by id; of one id there should be one."""
    ids = [number for seal in seals for number, _ in seal.rows]
    rows = AuditRecord.objects.scoped(scope).filter(id__in=ids).values_list("id", *COLUMNS)
    found: dict[int, list[bytes]] = {}
    for row in rows.iterator(chunk_size=500):
        found.setdefault(row[0], []).append(record_digest(row[1:]))
    return found


def _seal(row: AuditSeal) -> Seal:
    digests = parted(bytes(row.digests))
    rows = tuple(zip(row.ids, digests, strict=False))
    return Seal(row.tenant_id, row.number, row.month, row.sealed_at, bytes(row.previous), rows)
