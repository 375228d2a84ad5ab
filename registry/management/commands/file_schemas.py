"""Keep what older Protobuf schemas compile to: ``manage.py file_schemas``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import CompilerUnavailable
from accord_server.kit import tenancy
from accord_server.kit.scope import TenantRef
from registry.queries.field_sources import tenants_with_subjects
from registry.services.older_filing import file_older
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from registry.services.older_filing import Filed


class Command(BaseCommand):
    """The platform may run meanwhile; what is registered while this runs is kept as ever."""

    help = (
        "Compile the Protobuf schemas, of all tenants, that older releases stored without what they compile"
        " to, and keep that. What has it is left alone: interrupted, the same command goes on."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Go through the tenants."""
        filed = refused = 0
        try:
            for told in _every():
                filed, refused = filed + told.filed, refused + told.refused
                self.stderr.write(f"{filed} schemas filed")
        except CompilerUnavailable as reason:
            raise CommandError(f"{reason}; start the compiler and begin once more") from reason
        self.stdout.write(f"{filed} schemas filed, {refused} cannot be compiled (see the log)")


def _every() -> Iterator[Filed]:
    for tenant in tenants_with_subjects():
        with tenancy.tenant_context(tenant):
            yield from file_older(operator_scope(TenantRef(tenant, "")))
