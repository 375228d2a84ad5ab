"""Look fields up by their names, find what older versions had and like schemas, and search by the level in force."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    RemovedDefinerFunction,
    SecurityDefinerFunction,
    TenantForeignKey,
)

TENANT = "nullif(current_setting('accord.tenant', true), '')::uuid"
# The function as it was until now, to be taken away and to be brought back.
BEFORE = import_module("registry.migrations.0022_field_entries").HITS
# As it was, among the fields of the latest versions alone, or among what only older ones have.
HITS = f"""
DECLARE
    tier jsonb;
    words bigint[];
    step int := 0;
    room int := most;
    gone int;
    way text;
    either jsonb;
    -- An array of many is looked into by hash this way, and one by one in an overlap.
    one_of text := ' AND (SELECT bool_or(word = ANY(%L::bigint[])) FROM unnest(entry.words) AS word)';
    besides text := ' AND (entry.source_id = ANY($1)) IS TRUE AND ' || CASE WHEN past THEN 'entry.number > 0'
        ELSE 'entry.number = 0' END;
BEGIN
    FOR either IN SELECT * FROM jsonb_array_elements(conditions) LOOP
        besides := besides || format(one_of, ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(either)));
    END LOOP;
    FOREACH way IN ARRAY ways LOOP
        besides := besides || format(' AND strpos(lower(entry.path), %L) > 0', way);
    END LOOP;
    IF cardinality(excluded) > 0 THEN
        besides := besides || ' AND NOT' || substr(format(one_of, excluded), 5);
    END IF;
    FOR tier IN SELECT * FROM jsonb_array_elements(tiers) LOOP
        words := ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(tier));
        IF room > 0 AND cardinality(words) > 0 THEN
            RETURN QUERY EXECUTE
                'SELECT found.id, $2 FROM unnest($3) AS word CROSS JOIN LATERAL (
                    SELECT entry.id FROM registry_fieldentry AS entry
                    WHERE entry.tenant_id = $4 AND entry.words @> (ARRAY[word] || $5)' || besides || '
                    LIMIT $6
                ) AS found LIMIT $6'
            USING sources, step, words, {TENANT}, singles, room;
            GET DIAGNOSTICS gone = ROW_COUNT;
            room := room - gone;
        END IF;
        step := step + 1;
    END LOOP;
    IF step = 0 THEN
        RETURN QUERY EXECUTE
            'SELECT entry.id, 0 FROM registry_fieldentry AS entry
            WHERE entry.tenant_id = $2 AND entry.words @> $3' || besides || ' LIMIT $4'
        USING sources, {TENANT}, singles, room;
    END IF;
END
"""  # noqa: S608  # as above
# Names of few subjects are taken from their fields, those of many from the dictionary: so whoever may read little
# does not go through what others have. A name that is in nothing readable is passed over.
NAMES = f"""
DECLARE
    name text;
    places int;
    uses jsonb;
    sign text;
    given int := 0;
    names refcursor;
BEGIN
    IF cardinality(sources) <= 500 THEN
        OPEN names FOR
            SELECT DISTINCT lower(entry.name) COLLATE "C" AS text FROM registry_fieldentry AS entry
            WHERE entry.tenant_id = {TENANT} AND entry.source_id = ANY(sources) AND entry.kind = 'field' AND entry.number = 0
                AND lower(entry.name) COLLATE "C" > place AND starts_with(lower(entry.name), beginning)
            ORDER BY 1;
    ELSE
        OPEN names FOR
            SELECT term.text FROM registry_fieldterm AS term
            WHERE term.tenant_id = {TENANT} AND term.kind = 'name' AND term.text > place
                AND term.text >= beginning AND term.text < beginning || U&'\\+10FFFF'
            ORDER BY term.text;
    END IF;
    LOOP
        FETCH names INTO name;
        EXIT WHEN NOT FOUND OR given >= most;
        EXECUTE
            'SELECT sum(used.places), jsonb_agg(jsonb_build_array(used.format, used.type, used.places)
                    ORDER BY used.places DESC, used.format, used.type), min(used.name)
            FROM (
                SELECT source.format, found.type, count(DISTINCT source.id) AS places, min(found.name) AS name
                FROM (
                    SELECT entry.source_id, entry.type, entry.name FROM registry_fieldentry AS entry
                    WHERE entry.tenant_id = $1 AND entry.kind = ''field'' AND entry.number = 0
                        AND entry.words @> ARRAY(
                            SELECT term.id FROM registry_fieldterm AS term
                            WHERE term.tenant_id = $1 AND term.kind = ''name'' AND term.text = $2
                        ) AND (entry.source_id = ANY($3)) IS TRUE
                    LIMIT $4
                ) AS found JOIN registry_fieldsource AS source ON source.id = found.source_id
                GROUP BY source.format, found.type
            ) AS used'
        INTO places, uses, sign USING {TENANT}, name, sources, looked_at;
        IF places > 0 THEN
            given := given + 1;
            RETURN QUERY SELECT name, sign, places, uses;
        END IF;
    END LOOP;
    CLOSE names;
END
"""  # noqa: S608  # put together from constants

SIGNATURE = "sources bigint[], tiers jsonb, conditions jsonb, singles bigint[], excluded bigint[], ways text[], most int"
FOUND = "TABLE (entry_id bigint, rank int)"


def _tied(
    name: str, to: str, on_delete: Callable[..., None], *, related: str = "+", **options: Any
) -> tuple[str, Any]:
    field: Any = models.ForeignKey(to, on_delete, related_name=related, db_index=False, **options)
    return name, field


class Migration(migrations.Migration):
    dependencies = [("registry", "0024_tenant_exports")]

    operations = [
        migrations.AddField(
            "FieldSource", "level", models.CharField(blank=True, db_default="", max_length=64)
        ),
        migrations.AddField(
            "FieldSource",
            "older",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), db_default=[], size=None
            ),
        ),
        migrations.AddField("FieldEntry", "number", models.PositiveIntegerField(db_default=0)),
        migrations.CreateModel(
            name="FieldBand",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("value", models.BigIntegerField()),
                _tied(
                    "source",
                    "registry.fieldsource",
                    django.db.models.deletion.CASCADE,
                    related="bands",
                    db_constraint=False,
                ),
                _tied("tenant", "tenants.tenant", django.db.models.deletion.PROTECT),
            ],
            options={
                "indexes": [models.Index(fields=["tenant", "value"], name="registry_band_alike")],
                "constraints": [
                    models.UniqueConstraint(fields=("source", "value"), name="registry_band_once")
                ],
            },
        ),
        EnableRowSecurity("FieldBand"),
        TenantForeignKey("FieldBand", "source", cascades=True),
        RemovedDefinerFunction(
            "registry_field_hits", arguments=SIGNATURE, returns=FOUND, body=BEFORE, language="plpgsql"
        ),
        SecurityDefinerFunction(
            "registry_field_hits",
            arguments=f"{SIGNATURE}, past boolean",
            returns=FOUND,
            body=HITS,
            language="plpgsql",
        ),
        SecurityDefinerFunction(
            "registry_field_names",
            arguments="sources bigint[], beginning text, place text, looked_at int, most int",
            returns="TABLE (key text, spelled text, uses_in int, types jsonb)",
            body=NAMES,
            language="plpgsql",
        ),
    ]
