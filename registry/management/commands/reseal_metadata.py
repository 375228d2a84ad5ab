"""Encrypt sensitive metadata anew: ``manage.py reseal_metadata``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError

from accord_server.kit import tenancy
from accord_server.kit.configuration import configured
from accord_server.kit.scope import TenantRef
from accord_server.kit.settings_table import METADATA_KEY
from registry.services.resealing import Resealed, reseal, tenants_with_sealed
from tenants.principals import operator_scope

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

BATCH: Final = 500
LARGEST: Final = 10_000


class Command(BaseCommand):
    """The platform may run meanwhile, as long as every process knows the old keys and the new one."""

    help = (
        "Encrypt the sensitive values of metadata, of all tenants, by the last key in ACCORD_METADATA_KEY."
        " What is so already is left alone: interrupted, the same command goes on. Exit code 1 says that"
        " some can be read by no key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments."""
        words = f"rows in a transaction, from 1 to {LARGEST}; {BATCH} unless given"
        parser.add_argument("--batch", type=int, default=BATCH, help=words)

    def handle(self, *_args: Any, **options: Any) -> None:
        """Go through the tenants."""
        if not configured(METADATA_KEY):
            raise CommandError(
                "ACCORD_METADATA_KEY is not set: give the old keys and, as the last, the new one."
            )
        if not 1 <= options["batch"] <= LARGEST:
            raise CommandError(f"--batch must be from 1 to {LARGEST}")
        total = Resealed()
        for tenant in tenants_with_sealed():
            with tenancy.tenant_context(tenant):
                for told in reseal(operator_scope(TenantRef(tenant, "")), size=options["batch"]):
                    total += told
                    self.stderr.write(_line(total))
        self.stdout.write(_line(total))
        if total.unreadable:
            raise CommandError(
                f"{total.unreadable} can be read by none of the keys: put the one that encrypted them into"
                " ACCORD_METADATA_KEY, before the last, and begin once more"
            )


def _line(total: Resealed) -> str:
    return f"{total.changed} encrypted anew, {total.kept} were so already"
