"""Find hits group by group: words that are looked for alike, and what else a row must have beside one of them."""

from importlib import import_module

from django.db import migrations

from accord_server.kit.migration_operations import RemovedDefinerFunction, SecurityDefinerFunction

fields = import_module("registry.migrations.0022_field_entries")
discovery = import_module("registry.migrations.0025_more_discovery")
before = import_module("registry.migrations.0026_nearest_words_first")
TENANT = discovery.TENANT

# Word by word, as it was. The subjects that may be read are hashed and never shown to the planner: it would weigh
# each of them, for longer than the search takes. Few words are looked for in the index, many in the rows.
HITS = f"""
DECLARE
    part jsonb;
    other jsonb;
    words bigint[];
    keys bigint[];
    needed bigint[];
    room int := most;
    gone int;
    way text;
    narrowed text;
    one_of text := ' AND (SELECT bool_or(word = ANY(%L::bigint[])) FROM unnest(entry.words) AS word)';
    besides text := ' AND (entry.source_id IN (SELECT unnest($1))) IS TRUE AND ' || CASE WHEN past
        THEN 'entry.number > 0' ELSE 'entry.number = 0' END;
BEGIN
    FOREACH way IN ARRAY ways LOOP
        besides := besides || format(' AND strpos(lower(entry.path), %L) > 0', way);
    END LOOP;
    IF cardinality(excluded) BETWEEN 1 AND 16 THEN
        besides := besides || format(' AND NOT entry.words && %L::bigint[]', excluded);
    ELSIF cardinality(excluded) > 16 THEN
        besides := besides || ' AND NOT' || substr(format(one_of, excluded), 5);
    END IF;
    FOR part IN SELECT * FROM jsonb_array_elements(parts) LOOP
        EXIT WHEN room <= 0;
        words := ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(part -> 'words'));
        needed := singles;
        narrowed := '';
        FOR other IN SELECT * FROM jsonb_array_elements(part -> 'others') LOOP
            keys := ARRAY(SELECT value::bigint FROM jsonb_array_elements_text(other));
            IF cardinality(keys) = 1 THEN
                needed := needed || keys;
            ELSIF cardinality(keys) <= 16 THEN
                narrowed := narrowed || format(' AND entry.words && %L::bigint[]', keys);
            ELSE
                narrowed := narrowed || format(one_of, keys);
            END IF;
        END LOOP;
        RETURN QUERY EXECUTE
            'SELECT found.id, $2 FROM unnest($3) AS word CROSS JOIN LATERAL (
                SELECT entry.id FROM registry_fieldentry AS entry
                WHERE entry.tenant_id = $4 AND entry.words @> (ARRAY[word] || $5)' || narrowed || besides || '
                LIMIT $6
            ) AS found LIMIT $6'
        USING sources, (part ->> 'rank')::int, words, {TENANT}, needed, room;
        GET DIAGNOSTICS gone = ROW_COUNT;
        room := room - gone;
    END LOOP;
    IF jsonb_array_length(parts) > 0 OR room <= 0 THEN
        RETURN;
    ELSIF cardinality(singles) > 0 THEN
        RETURN QUERY EXECUTE
            'SELECT entry.id, 0 FROM registry_fieldentry AS entry
            WHERE entry.tenant_id = $2 AND entry.words @> $3' || besides || ' LIMIT $4'
        USING sources, {TENANT}, singles, room;
    ELSE
        RETURN QUERY EXECUTE
            'SELECT found.id, 0 FROM unnest($1) AS source CROSS JOIN LATERAL (
                SELECT entry.id FROM registry_fieldentry AS entry
                WHERE entry.tenant_id = $2 AND entry.source_id = source' || besides || ' LIMIT $3
            ) AS found LIMIT $3'
        USING sources, {TENANT}, room;
    END IF;
END
"""  # noqa: S608  # put together from constants

# As it was, but names are held against a word as texts, which is quicker than as lists of numbers, and those that
# hold the word itself are left out. Who may read everything is spared that where as many names as are wanted begin
# with the word: then it is not misspelt. To anybody else it would tell of names that they may not read.
ALIKE = f"""
    ELSIF how <> 'like unless begun' OR (
        SELECT count(*) < most FROM (
            SELECT FROM registry_fieldterm AS term
            WHERE term.tenant_id = {TENANT} AND term.kind = ANY(kinds)
                AND term.text >= wanted AND term.text < wanted || U&'\\+10FFFF' LIMIT most
        ) AS begun
    ) THEN
        SELECT coalesce(string_agg(
            format('(strpos(spelled, %L) > 0)::int', substr(E'\\x02' || wanted || E'\\x03', place, 3)), ' + '
        ), '0') INTO shared FROM generate_series(1, length(wanted)) AS place;
        RETURN QUERY EXECUTE
            'SELECT found.id, found.kind, found.text, (2.0 * found.shared / (found.size + $1))::real FROM (
                SELECT given.*, ' || shared || ' AS shared FROM (
                    SELECT term.id, term.kind::text AS kind, term.text::text AS text,
                        E''\\x02'' || term.text || E''\\x03'' AS spelled, cardinality(term.grams) AS size
                    FROM registry_fieldterm AS term
                    WHERE term.tenant_id = $2 AND term.kind = ANY($3) AND term.grams && $4
                        AND cardinality(term.grams) BETWEEN $1 - 3 AND $1 + 3
                        AND strpos(term.text, $6) = 0
                    OFFSET 0
                ) AS given OFFSET 0
            ) AS found
            WHERE 40 * found.shared >= 9 * (found.size + $1)
            ORDER BY found.shared::float / (found.size + $1) DESC, found.text LIMIT $5'
        USING size, {TENANT}, kinds, pieces, most, wanted;
    END IF;
END
"""  # noqa: S608  # as above
TERMS = (
    fields.TERMS.partition("    ELSE\n")[0].replace(
        "cardinality(pieces);", "cardinality(pieces);\n    shared text;"
    )
    + ALIKE
)

GIVEN = (
    "sources bigint[], parts jsonb, singles bigint[], excluded bigint[], ways text[], most int, past boolean"
)
LOOK = "kinds text[], how text, wanted text, pieces int[], most int"
MEANT = "TABLE (term_id bigint, term_kind text, term_text text, nearness real)"


class Migration(migrations.Migration):
    dependencies = [("registry", "0028_export_digests")]

    operations = [
        RemovedDefinerFunction(
            "registry_field_hits",
            arguments=f"{discovery.SIGNATURE}, past boolean",
            returns=discovery.FOUND,
            body=before.HITS,
            language="plpgsql",
        ),
        SecurityDefinerFunction(
            "registry_field_hits", arguments=GIVEN, returns=discovery.FOUND, body=HITS, language="plpgsql"
        ),
        RemovedDefinerFunction(
            "registry_field_terms", arguments=LOOK, returns=MEANT, body=fields.TERMS, language="plpgsql"
        ),
        SecurityDefinerFunction(
            "registry_field_terms", arguments=LOOK, returns=MEANT, body=TERMS, language="plpgsql"
        ),
    ]
