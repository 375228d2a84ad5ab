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

TABLE = "tenants_auditrecord"
REST = f"{TABLE}_rest"
NUMBERS = f"{TABLE}_numbers"
OWN = f"tenant_id = {CURRENT_TENANT}"

# What lies in the default partition moves along: a month that began before its table was made.
OPEN_MONTH = f"""
DECLARE
    first date := date_trunc('month', wanted);
    following date := date_trunc('month', wanted) + interval '1 month';
    fresh text := '{TABLE}_' || to_char(first, 'YYYY_MM');
BEGIN
    IF first > now() + interval '1 year' THEN
        RAISE EXCEPTION 'a month is opened a year ahead at most';
    END IF;
    IF to_regclass('public.' || fresh) IS NOT NULL THEN
        RETURN false;
    END IF;
    PERFORM set_config('lock_timeout', '5s', true);
    LOCK TABLE {REST} IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('CREATE TABLE public.%I (LIKE {TABLE} INCLUDING ALL)', fresh);
    EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', fresh);
    EXECUTE format('WITH moved AS (DELETE FROM {REST} WHERE at >= %L::date::timestamp AT TIME ZONE ''UTC'''
        ' AND at < %L::date::timestamp AT TIME ZONE ''UTC'' RETURNING *)'
        ' INSERT INTO public.%I SELECT * FROM moved', first, following, fresh);
    EXECUTE format('ALTER TABLE {TABLE} ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
        fresh, first::text || ' 00:00+00', following::text || ' 00:00+00');
    RETURN true;
END
"""

# The application asks for it and cannot bend it: young months, and rows that no anchor tells of, stay.
DROP_MONTH = f"""
DECLARE
    first date := date_trunc('month', wanted);
    old text := '{TABLE}_' || to_char(first, 'YYYY_MM');
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

TENANTS_IN_MONTH = f"""
SELECT DISTINCT tenant_id FROM {TABLE}
WHERE at >= wanted::timestamp AT TIME ZONE 'UTC'
  AND at < (wanted + interval '1 month')::timestamp AT TIME ZONE 'UTC'
ORDER BY tenant_id
"""

MONTHS = f"""
SELECT to_date(right(child.relname, 7), 'YYYY_MM')
FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
WHERE inhparent = '{TABLE}'::regclass AND child.relname <> '{REST}'
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
        yield f"ALTER TABLE {TABLE} RENAME TO {TABLE}_whole"
        yield f"CREATE SEQUENCE {NUMBERS}"
        yield f"CREATE TABLE {TABLE} (LIKE {TABLE}_whole INCLUDING DEFAULTS) PARTITION BY RANGE (at)"
        yield f"ALTER TABLE {TABLE} ALTER id SET DEFAULT nextval('{NUMBERS}')"
        yield f"ALTER SEQUENCE {NUMBERS} OWNED BY {TABLE}.id"
        yield f"SELECT setval('{NUMBERS}', coalesce(max(id), 0) + 1, false) FROM {TABLE}_whole"
        yield f"CREATE TABLE {REST} PARTITION OF {TABLE} DEFAULT"
        yield f"ALTER TABLE {REST} ENABLE ROW LEVEL SECURITY"
        yield f"INSERT INTO {TABLE} SELECT * FROM {TABLE}_whole"
        yield f"DROP TABLE {TABLE}_whole"
        yield f"INSERT INTO tenants_auditwaiting (tenant_id, record_id) SELECT tenant_id, id FROM {TABLE}"
        yield f"ALTER TABLE {TABLE} ADD CONSTRAINT {TABLE}_pkey PRIMARY KEY (id, at)"
        yield f"CREATE INDEX tenants_audit_by_time ON {TABLE} (tenant_id, at, id)"
        yield (
            f"ALTER TABLE {TABLE} ADD CONSTRAINT {TABLE}_tenant_fk FOREIGN KEY (tenant_id)"
            " REFERENCES tenants_tenant (id) DEFERRABLE INITIALLY DEFERRED"
        )
        yield f"ALTER TABLE {TABLE} ENABLE ROW LEVEL SECURITY"
        yield f"CREATE POLICY {POLICY} ON {TABLE} USING ({OWN}) WITH CHECK ({OWN})"
        yield f"GRANT SELECT, INSERT ON {TABLE} TO {names.role}"
        yield f"GRANT USAGE ON SEQUENCE {NUMBERS} TO {names.role}"
        yield (
            f"CREATE TRIGGER accord_audit_waits AFTER INSERT ON {TABLE} REFERENCING NEW TABLE AS fresh"
            " FOR EACH STATEMENT EXECUTE FUNCTION accord_audit_waits()"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:
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
        yield f"SELECT accord_open_audit_month((at AT TIME ZONE 'UTC')::date) FROM {REST} GROUP BY 1, at"
        yield (
            "SELECT accord_open_audit_month((now() AT TIME ZONE 'UTC' + make_interval(months => ahead))::date)"
            " FROM generate_series(0, 3) ahead"
        )

    def backward_sql(self, names: Names) -> Iterator[str]:  # noqa: ARG002  # the signature is the base's
        """Yield nothing: the months go with the table."""
        yield from ()


class Migration(migrations.Migration):
    dependencies = [("tenants", "0010_audit_seals")]

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
        SecurityDefinerFunction(
            "accord_audit_months", arguments="", returns="SETOF date", body=MONTHS
        ),
        OpenMonths(),
    ]
