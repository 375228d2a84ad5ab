"""Keep the fields and types of schemas, and the words by which they are looked for."""

from typing import Any

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

from accord_server.kit.migration_operations import (
    EnableRowSecurity,
    SecurityDefinerFunction,
    TenantForeignKey,
)

# Row-level security lets no index on an array be used, since nobody but a superuser may say that looking into
# arrays gives nothing away. So two functions look there for the application, and for its own tenant alone.
TENANT = "nullif(current_setting('accord.tenant', true), '')::uuid"

TERMS = f"""
DECLARE
    size int := cardinality(pieces);
BEGIN
    IF how = 'is' THEN
        RETURN QUERY SELECT term.id, term.kind::text, term.text::text, 1::real FROM registry_fieldterm AS term
        WHERE term.tenant_id = {TENANT} AND term.kind = ANY(kinds) AND term.text = wanted LIMIT most;
    ELSIF how = 'starts' THEN
        RETURN QUERY SELECT term.id, term.kind::text, term.text::text, 1::real FROM registry_fieldterm AS term
        WHERE term.tenant_id = {TENANT} AND term.kind = ANY(kinds)
            AND term.text >= wanted AND term.text < wanted || U&'\\+10FFFF'
        ORDER BY length(term.text), term.text LIMIT most;
    ELSIF how = 'has' THEN
        RETURN QUERY SELECT term.id, term.kind::text, term.text::text, 1::real FROM registry_fieldterm AS term
        WHERE term.tenant_id = {TENANT} AND term.kind = ANY(kinds)
            AND term.grams @> pieces AND strpos(term.text, wanted) > 0
        ORDER BY strpos(term.text, wanted) > 1, length(term.text), term.text LIMIT most;
    ELSE
        RETURN QUERY
        SELECT found.id, found.kind, found.text, found.likeness FROM (
            SELECT term.id, term.kind::text AS kind, term.text::text AS text,
                (2.0 * (SELECT count(*) FROM unnest(term.grams) AS piece WHERE piece = ANY(pieces))
                    / (cardinality(term.grams) + size))::real AS likeness
            FROM registry_fieldterm AS term
            WHERE term.tenant_id = {TENANT} AND term.kind = ANY(kinds) AND term.grams && pieces
                AND cardinality(term.grams) BETWEEN size - 3 AND size + 3
        ) AS found
        WHERE found.likeness >= 0.45 ORDER BY found.likeness DESC, found.text LIMIT most;
    END IF;
END
"""  # noqa: S608  # put together from constants

# Each further tier of words is looked for only while there is room. Word by word: the planner takes a look for any
# of many words for one that finds nearly everything, and reads the whole table. For the same reason the subjects
# that may be read are held against what was found, and not looked up.
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
    besides text := ' AND (entry.source_id = ANY($1)) IS TRUE';
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

UNLISTED = """
SELECT DISTINCT subject.tenant_id FROM registry_subject AS subject
LEFT JOIN registry_fieldsource AS source ON source.subject_id = subject.id
WHERE source.edition IS DISTINCT FROM wanted
    AND EXISTS (SELECT FROM registry_version AS version WHERE version.subject_id = subject.id)
"""


def _key() -> tuple[str, Any]:
    return "id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _tied(name: str, to: str, *, related: str = "+", **options: Any) -> tuple[str, Any]:
    field: Any = models.ForeignKey(to, django.db.models.deletion.PROTECT, related_name=related, **options)
    return name, field


class Migration(migrations.Migration):
    dependencies = [("registry", "0021_webhooks")]

    operations = [
        migrations.CreateModel(
            name="FieldTerm",
            fields=[
                _key(),
                ("kind", models.CharField(max_length=8)),
                ("text", models.CharField(db_collation="C", max_length=1024)),
                (
                    "grams",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.IntegerField(), default=list, size=None
                    ),
                ),
                _tied("tenant", "tenants.tenant", db_index=False),
            ],
            options={
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(fields=["grams"], name="registry_term_grams")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("tenant", "kind", "text"), name="registry_term_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="FieldSource",
            fields=[
                _key(),
                ("number", models.PositiveIntegerField()),
                ("format", models.CharField(max_length=8)),
                ("updated_at", models.DateTimeField()),
                ("is_deleted", models.BooleanField()),
                ("is_cut", models.BooleanField()),
                ("owner", models.CharField(blank=True, max_length=200)),
                ("edition", models.PositiveSmallIntegerField()),
                _tied("namespace", "tenants.namespace", db_constraint=False, db_index=False),
                ("schema_key", models.BigIntegerField()),
                (
                    "subject",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.subject",
                    ),
                ),
                _tied("tenant", "tenants.tenant", db_index=False),
            ],
        ),
        migrations.CreateModel(
            name="FieldEntry",
            fields=[
                _key(),
                ("position", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=8)),
                ("path", models.CharField(db_collation="C", max_length=1024)),
                ("name", models.CharField(db_collation="C", max_length=1024)),
                ("type", models.CharField(max_length=1024)),
                ("logical", models.CharField(blank=True, max_length=1024)),
                ("doc", models.TextField(blank=True)),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.TextField(), default=list, size=None
                    ),
                ),
                ("is_required", models.BooleanField(default=False)),
                ("is_nullable", models.BooleanField(default=False)),
                ("has_default", models.BooleanField(default=False)),
                (
                    "words",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), default=list, size=None
                    ),
                ),
                _tied(
                    "source", "registry.fieldsource", related="entries", db_constraint=False, db_index=False
                ),
                _tied("tenant", "tenants.tenant", db_index=False),
            ],
            options={
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(fields=["words"], name="registry_field_words")
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("source", "position"), name="registry_field_position_once"
                    )
                ],
            },
        ),
        EnableRowSecurity("FieldTerm"),
        EnableRowSecurity("FieldSource"),
        EnableRowSecurity("FieldEntry"),
        TenantForeignKey("FieldSource", "namespace"),
        TenantForeignKey("FieldSource", "subject"),
        TenantForeignKey("FieldEntry", "source"),
        SecurityDefinerFunction(
            "registry_tenants_with_unlisted_subjects",
            arguments="wanted int",
            returns="SETOF uuid",
            body=UNLISTED,
        ),
        SecurityDefinerFunction(
            "registry_field_terms",
            arguments="kinds text[], how text, wanted text, pieces int[], most int",
            returns="TABLE (term_id bigint, term_kind text, term_text text, nearness real)",
            body=TERMS,
            language="plpgsql",
        ),
        SecurityDefinerFunction(
            "registry_field_hits",
            arguments="sources bigint[], tiers jsonb, conditions jsonb, singles bigint[], excluded bigint[],"
            " ways text[], most int",
            returns="TABLE (entry_id bigint, rank int)",
            body=HITS,
            language="plpgsql",
        ),
    ]
