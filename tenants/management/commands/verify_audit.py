"""Verify the audit log of a tenant: ``manage.py verify_audit demo``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from tenants.management.tenant_command import TenantCommand
from tenants.queries.audit_verdicts import verify_audit
from tenants.services.audit_sealing import seal_waiting

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope
    from tenants.records import AuditFault


class Command(TenantCommand):
    """What waits is sealed first, so that the verdict is about all there is."""

    help = "Seal what waits, and tell whether a record was removed, altered, inserted or moved."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the checkpoint."""
        super().add_arguments(parser)
        parser.add_argument("--checkpoint", default="", help="where an earlier run ended, as it was printed")

    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """Seal, then look at the chain part by part."""
        self.stdout.write(f"sealed: {seal_waiting(scope)} records")
        checkpoint, records = options["checkpoint"], 0
        while True:
            verdict = verify_audit(scope, checkpoint=checkpoint)
            records += verdict.records
            if verdict.fault:
                raise CommandError(_words(verdict.fault))
            checkpoint = verdict.checkpoint
            if verdict.is_whole:
                break
        for month in verdict.expired:
            self.stdout.write(f"{month.month}: {month.records} records were kept long enough and are gone")
        self.stdout.write(f"good: {records} records\ncheckpoint: {checkpoint}")


def _words(fault: AuditFault) -> str:
    return f"broken: {fault.kind}, record {fault.record or '-'}, seal {fault.seal or '-'}"
