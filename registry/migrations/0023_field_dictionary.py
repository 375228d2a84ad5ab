"""Look fields up by their names: what types each has, among the subjects that may be read."""

from django.db import migrations

from accord_server.kit.migration_operations import SecurityDefinerFunction

TENANT = "nullif(current_setting('accord.tenant', true), '')::uuid"
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
            WHERE entry.tenant_id = {TENANT} AND entry.source_id = ANY(sources) AND entry.kind = 'field'
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
                    WHERE entry.tenant_id = $1 AND entry.kind = ''field'' AND entry.words @> ARRAY(
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


class Migration(migrations.Migration):
    dependencies = [("registry", "0022_field_entries")]

    operations = [
        SecurityDefinerFunction(
            "registry_field_names",
            arguments="sources bigint[], beginning text, place text, looked_at int, most int",
            returns="TABLE (key text, spelled text, uses_in int, types jsonb)",
            body=NAMES,
            language="plpgsql",
        ),
    ]
