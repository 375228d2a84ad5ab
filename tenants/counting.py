"""A migration step that has the database count the rows of a table towards the quotas of their tenants.

Triggers count, once a statement and in its transaction, so that no way in can be forgotten: neither a command
nor a job nor the collecting of what nobody uses. What they write are deltas, rows of their own: no counter is
updated that others would wait for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from accord_server.kit.migration_operations import SqlOperation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.migration_operations import Names

# As the owner: the application may not say that something was added. What is removed with its whole tenant
# leaves nothing behind, not even that it is gone.
FUNCTION = """
CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql VOLATILE
SECURITY DEFINER SET search_path = public, pg_temp AS $accord$
BEGIN
    IF TG_OP = 'INSERT' THEN
        {note} FROM (SELECT tenant_id, {measure} AS n FROM added GROUP BY tenant_id) AS changed WHERE n <> 0;
    ELSIF TG_OP = 'DELETE' THEN
        {note} FROM (SELECT tenant_id, -({measure}) AS n FROM removed GROUP BY tenant_id) AS changed
        WHERE n <> 0 AND NOT EXISTS (
            SELECT FROM tenants_tenant ended
            WHERE ended.id = changed.tenant_id AND ended.purge_begun_at IS NOT NULL
        );
    ELSE
        {note} FROM (
            SELECT tenant_id, sum(part)::bigint AS n FROM (
                SELECT tenant_id, {measure} AS part FROM added GROUP BY tenant_id
                UNION ALL SELECT tenant_id, -({measure}) FROM removed GROUP BY tenant_id
            ) AS parts GROUP BY tenant_id
        ) AS changed WHERE n <> 0;
    END IF;
    RETURN NULL;
END
$accord$
"""
NOTE = """INSERT INTO tenants_quotadelta (tenant_id, resource, amount, xact)
        SELECT tenant_id, '{resource}', n, pg_current_xact_id()::text::bigint"""
TABLES = {
    "INSERT": "NEW TABLE AS added",
    "DELETE": "OLD TABLE AS removed",
    "UPDATE": "OLD TABLE AS removed NEW TABLE AS added",
}
TRIGGER = """
CREATE TRIGGER {trigger} AFTER {verb} ON {table} REFERENCING {tables}
FOR EACH STATEMENT EXECUTE FUNCTION {function}()
"""


class CountRows(SqlOperation):
    """Counts the rows of a table as a resource, from those on that are there.

    ``measure`` is an SQL aggregate over rows. ``changes`` is True where changing a row may change it.
    """

    def __init__(self, model_name: str, *, resource: str, measure: str, changes: bool = False) -> None:
        self.model_name = model_name
        self.resource = resource
        self.measure = measure
        self.changes = changes

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        options = {"resource": self.resource, "measure": self.measure, "changes": self.changes}
        return type(self).__name__, [self.model_name], options

    def describe(self) -> str:
        """Say what the step does."""
        return f"Count {self.model_name} as {self.resource}"

    @property
    def migration_name_fragment(self) -> str:
        """Name the migration."""
        return f"count_{self.model_name.lower()}"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the function, its triggers, and a first delta of what is there."""
        note, table = NOTE.format(resource=self.resource), names.table(self.model_name)
        function = self._function(names)
        yield FUNCTION.format(function=function, note=note, measure=self.measure)
        yield f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC"
        for verb in self._verbs():
            yield TRIGGER.format(
                trigger=_trigger(verb), verb=verb, table=table, tables=TABLES[verb], function=function
            )
        yield (
            f"{note} FROM (SELECT tenant_id, {self.measure} AS n FROM {table} GROUP BY tenant_id) AS found"  # noqa: S608  # constants of migrations
            " WHERE n <> 0"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:
        """Yield the end of it; what was counted stays, and is nobody's business any more."""
        for verb in self._verbs():
            yield f"DROP TRIGGER {_trigger(verb)} ON {names.table(self.model_name)}"
        yield f"DROP FUNCTION {self._function(names)}"

    def _verbs(self) -> tuple[str, ...]:
        return ("INSERT", "DELETE", *(("UPDATE",) if self.changes else ()))

    def _function(self, names: Names) -> str:
        return names.quote(f"accord_count_{names.plain_table(self.model_name)}")


def _trigger(verb: str) -> str:
    return f"accord_count_{verb.lower()}"
