"""Partition the audit log by month, so that old months can be dropped whole.

Each month is a table of its own that the application cannot reach; a row for which there is none goes to the
default partition, so that no change fails for want of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import migrations

from accord_server.kit.migration_operations import (
    CURRENT_TENANT,
    POLICY,
    SecurityDefinerFunction,
    SqlOperation,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from accord_server.kit.migration_operations import Names

OWN = f"tenant_id = {CURRENT_TENANT}"

# What lies in the default partition moves along: a month that began before its table was made.
OPEN_MONTH = """
DECLARE
    first date := date_trunc('month', wanted);
    following date := date_trunc('month', wanted) + interval '1 month';
    fresh text := 'tenants_auditrecord_' || to_char(first, 'YYYY_MM');
BEGIN
    IF first > now() + interval '1 year' THEN
        RAISE EXCEPTION 'a month is opened a year ahead at most';
    END IF;
    IF to_regclass('public.' || fresh) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM set_config('lock_timeout', '5s', true);
    LOCK TABLE tenants_auditrecord_rest IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE public.%I (LIKE tenants_auditrecord INCLUDING ALL)', fresh);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', fresh);
    EXECUTE format('WITH moved AS (DELETE FROM tenants_auditrecord_rest WHERE at >= %L::date::timestamp AT TIME ZONE ''UTC'''
        ' AND at < %L::date::timestamp AT TIME ZONE ''UTC'' RETURNING *)'
        ' INSERT INTO public.%I SELECT * FROM moved', first, following, fresh);
    EXECUTE format('ALTER TABLE tenants_auditrecord ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
        fresh, first::text || ' 00:00+00', following::text || ' 00:00+00');
    RETURN true;
END
"""

# The application asks for it and cannot bend it: young months, and rows that no anchor tells of, stay.
DROP_MONTH = """
DECLARE
    first date := date_trunc('month', wanted);
    old text := 'tenants_auditrecord_' || to_char(first, 'YYYY_MM');
    untold bigint;
BEGIN
    IF first + interval '4 months' > date_trunc('month', now() AT TIME ZONE 'UTC') THEN
        RAISE EXCEPTION 'the month has not been over for three months yet';
    END IF;
    IF to_regclass('public.' || old) IS NULL THEN
        RETURN false;
    END IF;
    PERFORM set_config('lock_timeout', '5s', true);
    EXECUTE format('LOCK TABLE public.%I IN ACCESS EXCLUSIVE MODE', old);
    EXECUTE format('SELECT count(*) FROM (SELECT tenant_id, count(*) AS records FROM public.%I'
        ' GROUP BY tenant_id) held WHERE NOT EXISTS (SELECT FROM tenants_auditanchor anchor'
        ' WHERE anchor.tenant_id = held.tenant_id AND anchor.month = %L AND anchor.records = held.records)',
        old, first) INTO untold;
    IF untold > 0 THEN
        RAISE EXCEPTION 'no anchor tells of all its rows';
    END IF;
    EXECUTE format('DROP TABLE public.%I', old);
    RETURN true;
END
"""

TENANTS_IN_MONTH = """
SELECT DISTINCT tenant_id FROM tenants_auditrecord
WHERE at >= wanted::timestamp AT TIME ZONE 'UTC'
  AND at < (wanted + interval '1 month')::timestamp AT TIME ZONE 'UTC'
ORDER BY tenant_id
"""

MONTHS = """
SELECT to_date(right(child.relname, 7), 'YYYY_MM')
FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
WHERE inhparent = 'tenants_auditrecord'::regclass AND child.relname <> 'tenants_auditrecord_rest'
ORDER BY 1
"""


class PartitionByMonth(SqlOperation):
    """Makes the table anew in partitions, with its rows, their walls and a trigger that has them sealed."""

    reversible = False

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, [], {}

    def describe(self) -> str:
        """Say what the step does."""
        return "Partition the audit log by month"

    def forward_sql(self, names: Names) -> Iterator[str]:
        """Yield the new table, then the rows."""
        yield "ALTER TABLE tenants_auditrecord RENAME TO tenants_auditrecord_whole"
        yield "CREATE SEQUENCE tenants_auditrecord_numbers"
        yield "CREATE TABLE tenants_auditrecord (LIKE tenants_auditrecord_whole INCLUDING DEFAULTS) PARTITION BY RANGE (at)"
        yield "ALTER TABLE tenants_auditrecord ALTER id SET DEFAULT nextval('tenants_auditrecord_numbers')"
        yield "ALTER SEQUENCE tenants_auditrecord_numbers OWNED BY tenants_auditrecord.id"
        yield "SELECT setval('tenants_auditrecord_numbers', coalesce(max(id), 0) + 1, false) FROM tenants_auditrecord_whole"
        yield "CREATE TABLE tenants_auditrecord_rest PARTITION OF tenants_auditrecord DEFAULT"
        yield "ALTER TABLE tenants_auditrecord_rest ENABLE ROW LEVEL SECURITY"
        yield "INSERT INTO tenants_auditrecord SELECT * FROM tenants_auditrecord_whole"
        yield "DROP TABLE tenants_auditrecord_whole"
        yield "INSERT INTO tenants_auditwaiting (tenant_id, record_id) SELECT tenant_id, id FROM tenants_auditrecord"
        yield "ALTER TABLE tenants_auditrecord ADD CONSTRAINT tenants_auditrecord_pkey PRIMARY KEY (id, at)"
        yield "CREATE INDEX tenants_audit_by_time ON tenants_auditrecord (tenant_id, at, id)"
        yield (
            "ALTER TABLE tenants_auditrecord ADD CONSTRAINT tenants_auditrecord_tenant_fk FOREIGN KEY (tenant_id)"
            " REFERENCES tenants_tenant (id) DEFERRABLE INITIALLY DEFERRED"
        )
        yield "ALTER TABLE tenants_auditrecord ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY {POLICY} ON tenants_auditrecord USING ({OWN}) WITH CHECK ({OWN})"
        yield f"GRANT SELECT, INSERT ON tenants_auditrecord TO {names.role}"
        yield f"GRANT USAGE ON SEQUENCE tenants_auditrecord_numbers TO {names.role}"
        yield (
            "CREATE TRIGGER accord_audit_waits AFTER INSERT ON tenants_auditrecord REFERENCING NEW TABLE AS fresh"
            " FOR EACH STATEMENT EXECUTE FUNCTION accord_audit_waits()"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:  # noqa: ARG002  # the signature is the base's
        """Yield nothing: months that were dropped cannot come back."""
        yield from ()


class OpenMonths(SqlOperation):
    """Opens the months of the rows that are there, and those to come."""

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """Say how to write this step into a migration file."""
        return type(self).__name__, [], {}

    def describe(self) -> str:
        """Say what the step does."""
        return "Open the months of the audit log"

    def forward_sql(self, names: Names) -> Iterator[str]:  # noqa: ARG002  # the signature is the base's
        """Yield a call for each."""
        # Checks that wait for the end of the transaction would stand in the way of changing the tables.
        yield "SET CONSTRAINTS ALL IMMEDIATE"
        yield "SELECT accord_open_audit_month((at AT TIME ZONE 'UTC')::date) FROM tenants_auditrecord_rest GROUP BY 1, at"
        yield (
            "SELECT accord_open_audit_month((now() AT TIME ZONE 'UTC' + make_interval(months => ahead))::date)"
            " FROM generate_series(0, 3) ahead"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:  # noqa: ARG002  # the signature is the base's
        """Yield nothing: the months go with the table."""
        yield from ()


class Migration(migrations.Migration):
    dependencies = [("tenants", "0011_audit_seals")]

    operations = [
        PartitionByMonth(),
        SecurityDefinerFunction(
            "accord_open_audit_month",
            arguments="wanted date",
            returns="boolean",
            body=OPEN_MONTH,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        SecurityDefinerFunction(
            "accord_drop_audit_month",
            arguments="wanted date",
            returns="boolean",
            body=DROP_MONTH,
            language="plpgsql",
            volatility="VOLATILE",
        ),
        SecurityDefinerFunction(
            "accord_tenants_in_audit_month",
            arguments="wanted date",
            returns="SETOF uuid",
            body=TENANTS_IN_MONTH,
        ),
        SecurityDefinerFunction("accord_audit_months", arguments="", returns="SETOF date", body=MONTHS),
        OpenMonths(),
    ]
