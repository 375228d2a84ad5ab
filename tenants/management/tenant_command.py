"""What commands about one tenant share: the tenant by name, refusals as sentences."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from accord.errors import AccordError
from accord_server.kit import tenancy
from tenants.errors import NamespaceNotFound
from tenants.principals import operator_scope
from tenants.queries import resolve_place

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

    from accord_server.kit.scope import Scope


class TenantCommand(BaseCommand, ABC):
    """A command that acts as the operator, in the tenant that its first argument names."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Name the arguments; a command adds its own."""
        parser.add_argument("tenant", help="the tenant's name in addresses")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Find the tenant and act there."""
        try:
            place = resolve_place(options["tenant"], None)
            if place is None:
                raise NamespaceNotFound
            with tenancy.tenant_context(place.tenant.id):
                self.act(operator_scope(place.tenant), options)
        except AccordError as refusal:
            raise CommandError(refusal.message) from refusal

    @abstractmethod
    def act(self, scope: Scope, options: dict[str, Any]) -> None:
        """Do what the command is for."""
