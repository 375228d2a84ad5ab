"""System checks of this room: what would quietly undo the walls between tenants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.core.checks import CheckMessage, Error, register
from django.db import Error as DatabaseError
from django.db import connections

from accord_server.kit.models import TenantOwned
from tenants.models import Tenant

if TYPE_CHECKING:
    from collections.abc import Sequence

QUESTION: Final = """
SELECT relname FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
  AND NOT relrowsecurity AND relname = ANY(%s)
ORDER BY relname
"""


def walled_tables() -> list[str]:
    """Return the tables that hold rows of tenants."""
    every = (model for model in apps.get_models() if model is Tenant or issubclass(model, TenantOwned))
    return sorted(model._meta.db_table for model in every)  # Django's documented door


@register("accord", "database")
def check_row_security(*, databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    """Want row-level security on every table with rows of tenants."""
    if not databases or "default" not in databases:
        return []
    try:
        bare = _tables_without_security()
    except DatabaseError:
        # The database may come later than the process; readiness says so until then.
        return []
    hint = "Run the migrations; a new table needs EnableRowSecurity in the migration that makes it."
    return [Error(f"Table {table} has no row-level security.", hint=hint, id="accord.E101") for table in bare]


def _tables_without_security() -> list[str]:
    with connections["default"].cursor() as cursor:
        cursor.execute(QUESTION, [walled_tables()])
        return [table for (table,) in cursor.fetchall()]
