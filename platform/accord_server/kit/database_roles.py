"""Whether the role that serves is one that row-level security holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

QUESTION = """
SELECT rolname, rolsuper, rolbypassrls,
       EXISTS (SELECT 1 FROM pg_class
               WHERE relowner = pg_roles.oid AND relkind IN ('r', 'p')
                 AND relnamespace = 'public'::regnamespace)
FROM pg_roles WHERE rolname = current_user
"""


@dataclass(frozen=True, slots=True)
class ServingRole:
    """The role behind the ``default`` database and what row-level security makes of it."""

    name: str
    is_superuser: bool
    bypasses_security: bool
    owns_tables: bool

    @property
    def fault(self) -> str:
        """Say what is wrong with the role, or nothing."""
        if self.is_superuser:
            return f"role {self.name} is a superuser"
        if self.bypasses_security:
            return f"role {self.name} bypasses row-level security"
        if self.owns_tables:
            return f"role {self.name} owns tables"
        return ""


def serving_role(connection: BaseDatabaseWrapper) -> ServingRole:
    """Ask the database who we are."""
    with connection.cursor() as cursor:
        cursor.execute(QUESTION)
        name, is_superuser, bypasses, owns = cursor.fetchone()
    return ServingRole(name, is_superuser, bypasses, owns)
