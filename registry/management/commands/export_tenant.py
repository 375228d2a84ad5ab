"""Write all that a tenant has into a zip: ``manage.py export_tenant north north.zip``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError

from registry.services.archives import write_archive
from tenants.management.tenant_command import TenantCommand
from tenants.records import AuditEntry
from tenants.services import record_audit

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope


class Command(TenantCommand):
    """The file is there once all of it is written; a run that is cut off is run again."""

    help = "Write all that a tenant has, as of now, into a zip of JSON lines."

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the options."""
        super().add_arguments(parser)
        parser.add_argument("file", help="the zip to write")

    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """Write it."""
        target = Path(options["file"])
        draft = target.with_name(f"{target.name}.part")
        try:
            with draft.open("wb") as file:
                rows = write_archive(scope, file, self._note)
            draft.replace(target)
        except OSError as problem:
            raise CommandError(f"{target}: {problem.strerror}") from problem
        finally:
            draft.unlink(missing_ok=True)
        record_audit(scope, entry=AuditEntry("tenant.export", "tenant", scope.tenant.slug))
        self.stdout.write(f"{sum(rows.values())} rows of {len(rows)} tables are in {target}")

    def _note(self, done: int, total: int) -> None:
        self.stderr.write(f"{done} of {total} files", ending="\r")
