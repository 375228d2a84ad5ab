"""Find what answers several words by the nearest of each first: an index says so, without a look at rows."""

from importlib import import_module

from django.db import migrations

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

before = import_module("registry.migrations.0025_more_discovery")
# As it was, but where there are conditions, the first words of a tier, which are in the most rows, are gone through
# twice: for rows with one of the first words of each condition, for which the index alone is asked, and last of all
# for those with others.
HITS = f"""
DECLARE
    tier jsonb;
    words bigint[];
    step int := 0;
    room int := most;
    gone int;
    way text;
    either jsonb;
    meant bigint[];
    turn int;
    -- An array of many is looked into by hash this way, and one by one in an overlap.
    one_of text := ' AND (SELECT bool_or(word = ANY(%L::bigint[])) FROM unnest(entry.words) AS word)';
    besides text := ' AND (entry.source_id = ANY($1)) IS TRUE AND ' || CASE WHEN past THEN 'entry.number > 0'
        ELSE 'entry.number = 0' END;
    near text := '';
    turns int[] := ARRAY[2];
    often int := 0;
BEGIN
    FOR either IN SELECT * FROM jsonb_array_elements(conditions) LOOP
        meant := ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(either));
        besides := besides || format(one_of, meant);
        near := near || format(' AND entry.words && %L::bigint[]', meant[1:16]);
    END LOOP;
    IF near <> '' THEN
        turns := ARRAY[1, 2, 3];
        often := 24;
    END IF;
    FOREACH way IN ARRAY ways LOOP
        besides := besides || format(' AND strpos(lower(entry.path), %L) > 0', way);
    END LOOP;
    IF cardinality(excluded) > 0 THEN
        besides := besides || ' AND NOT' || substr(format(one_of, excluded), 5);
    END IF;
    FOR tier IN SELECT * FROM jsonb_array_elements(tiers) LOOP
        meant := ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(tier));
        FOREACH turn IN ARRAY turns LOOP
            words := CASE turn WHEN 2 THEN meant[often + 1:] ELSE meant[:often] END;
            IF room > 0 AND cardinality(words) > 0 THEN
                RETURN QUERY EXECUTE
                    'SELECT found.id, $2 FROM unnest($3) AS word CROSS JOIN LATERAL (
                        SELECT entry.id FROM registry_fieldentry AS entry
                        WHERE entry.tenant_id = $4 AND entry.words @> (ARRAY[word] || $5)'
                    || CASE turn WHEN 1 THEN near WHEN 2 THEN '' ELSE ' AND NOT (true' || near || ')' END
                    || besides || ' LIMIT $6
                    ) AS found LIMIT $6'
                USING sources, step, words, {before.TENANT}, singles, room;
                GET DIAGNOSTICS gone = ROW_COUNT;
                room := room - gone;
            END IF;
        END LOOP;
        step := step + 1;
    END LOOP;
    IF step = 0 THEN
        RETURN QUERY EXECUTE
            'SELECT entry.id, 0 FROM registry_fieldentry AS entry
            WHERE entry.tenant_id = $2 AND entry.words @> $3' || besides || ' LIMIT $4'
        USING sources, {before.TENANT}, singles, room;
    END IF;
END
"""  # noqa: S608  # put together from constants


class Migration(migrations.Migration):
    dependencies = [("registry", "0025_more_discovery")]

    operations = [
        RemovedDefinerFunction(
            "registry_field_hits",
            arguments=f"{before.SIGNATURE}, past boolean",
            returns=before.FOUND,
            body=before.HITS,
            language="plpgsql",
        ),
        SecurityDefinerFunction(
            "registry_field_hits",
            arguments=f"{before.SIGNATURE}, past boolean",
            returns=before.FOUND,
            body=HITS,
            language="plpgsql",
        ),
    ]
