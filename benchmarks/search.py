"""A search over a million fields: what the slow ones take, over HTTP.

The fields of ten thousand subjects are stored directly, as registrations would leave them, with many
different names. What counts is the 95th of a hundred times of searches of all kinds, in milliseconds. The
yardstick is a read of one schema by its id. ``ACCORD_BENCH_FIELDS`` makes the pile smaller.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import statistics
import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import psycopg

from accord.discovery.words import words_of
from accord.formats.listing import Listed, RowKind
from benchmarks.harness import Bar, Result, Side, compare
from benchmarks.servers import owner_url, platform
from registry.queries.field_words import grams
from registry.services.indexing import EDITION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from accord.discovery.words import Word
    from benchmarks.servers import Registry

FIELDS: Final = "ACCORD_BENCH_FIELDS"
MOST_FIELDS: Final = 1_000_000
WIDTH: Final = 100
SLOWEST: Final = Bar(cost=300)
SEARCHES: Final = 100
NOUNS: Final = (
    "customer",
    "order",
    "invoice",
    "tax",
    "address",
    "email",
    "phone",
    "price",
    "line",
    "item",
    "user",
    "payment",
)
PARTS: Final = (
    "id",
    "name",
    "code",
    "type",
    "status",
    "amount",
    "total",
    "zip",
    "city",
    "date",
    "note",
    "count",
    "key",
)
HALF: Final = 0.5
FEW: Final = 0.2
TYPES: Final = ("string", "long", "int", "boolean", "double", "array of string", "Address")
TAGS: Final = ("PII", "FINANCE", "legacy")
ASKED: Final = (
    "email",
    "customer_id",
    "cxstomer_id",
    "id",
    "field:email*",
    "type:string",
    "type:string tag:pii format:avro",
    "field:*name* -tag:legacy",
    'doc:"tax invoice"',
    "order total",
    "shop.customer",
    "payment7 type:long",
    "has:default ns:default",
    "nothingatall",
)


def name_of(random_: random.Random) -> str:
    """A name as people give them: few are everywhere, many are nearly alone."""
    name = f"{random_.choice(NOUNS)}_{random_.choice(PARTS)}"
    return name if random_.random() < HALF else f"{name}_{random_.randrange(300)}"


def rows_of(random_: random.Random) -> Iterator[Listed]:
    """The fields of one subject."""
    for _ in range(WIDTH):
        name = name_of(random_)
        doc = f"The {random_.choice(PARTS)} of the {random_.choice(NOUNS)} for {random_.choice(NOUNS)}"
        yield Listed(
            RowKind.FIELD,
            f"shop.{name}",
            name,
            random_.choice(TYPES),
            doc=doc if random_.random() < HALF else "",
            tags=(random_.choice(TAGS),) if random_.random() < FEW else (),
            is_required=random_.random() < HALF,
            has_default=random_.random() < HALF,
        )


class Pile:
    """Stores fields past the platform, in the tables that it reads."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        row = connection.execute(
            "SELECT version.tenant_id, schema.namespace_id, version.schema_id"
            " FROM registry_version AS version"
            " JOIN registry_schema AS schema ON schema.id = version.schema_id"
            " JOIN registry_subject AS subject ON subject.id = version.subject_id"
            " WHERE subject.name = 'bench'"
        ).fetchone()
        assert row is not None
        self.tenant: UUID = row[0]
        self.namespace, self.schema = row[1:]
        self.words: dict[Word, int] = {}

    def key(self, word: Word) -> int:
        """The key of a word; those of the platform are added before."""
        if word not in self.words:
            row = self.connection.execute(
                "INSERT INTO registry_fieldterm (tenant_id, kind, text, grams) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT (tenant_id, kind, text) DO UPDATE SET text = excluded.text RETURNING id",
                [self.tenant, word.kind, word.text, grams(self.tenant, word.text)],
            ).fetchone()
            assert row is not None
            self.words[word] = row[0]
        return self.words[word]

    def add(self, number: int, rows: list[Listed]) -> None:
        """Store a subject with its fields."""
        where = [self.tenant, self.namespace]
        subject = self._one(
            "INSERT INTO registry_subject (tenant_id, namespace_id, context, name, created_at)"
            " VALUES (%s, %s, '.', %s, now()) RETURNING id",
            [*where, f"{NOUNS[number % len(NOUNS)]}-{number}-value"],
        )
        self._one(
            "INSERT INTO registry_version (tenant_id, subject_id, number, schema_id, created_at, created_by,"
            " level, findings) VALUES (%s, %s, 1, %s, now(), 'person:x', 'NONE', '[]') RETURNING id",
            [self.tenant, subject, self.schema],
        )
        source = self._one(
            "INSERT INTO registry_fieldsource (tenant_id, namespace_id, subject_id, schema_key, number,"
            " format, updated_at, is_deleted, is_cut, owner, edition)"
            " VALUES (%s, %s, %s, %s, 1, 'AVRO', now(), false, false, '', %s) RETURNING id",
            [*where, subject, self.schema, EDITION],
        )
        made = [
            (self.tenant, source, position, *row, sorted(map(self.key, words_of(row))))
            for position, row in enumerate(rows)
        ]
        with self.connection.cursor().copy(
            "COPY registry_fieldentry (tenant_id, source_id, position, kind, path, name, type, logical, doc,"
            " tags, is_required, is_nullable, has_default, words) FROM STDIN"
        ) as copy:
            for one in made:
                copy.write_row((*one[:9], list(one[9]), *one[10:]))

    def _one(self, statement: str, values: list[Any]) -> int:
        row = self.connection.execute(statement, values).fetchone()
        assert row is not None
        return int(row[0])


def prepare(registry: Registry, count: int) -> None:
    """Fill the tables."""
    text = json.dumps({"type": "record", "name": "Bench", "fields": [{"name": "a", "type": "int"}]})
    registry.call("/subjects/bench/versions", {"schema": text})
    random_ = random.Random(7)  # the same pile every time
    with psycopg.connect(owner_url(registry), autocommit=True) as connection:
        pile = Pile(connection)
        for number in range(count // WIDTH):
            with connection.transaction():
                pile.add(number, list(rows_of(random_)))
        connection.execute("VACUUM ANALYZE registry_fieldentry, registry_fieldterm, registry_fieldsource")
        connection.execute("ANALYZE registry_subject, registry_version")


def searching(registry: Registry) -> Callable[[], float]:
    """Make a run that costs the milliseconds of the 95th of a hundred searches."""
    asked = itertools.cycle(ASKED)

    def run() -> float:
        times = []
        for _ in range(SEARCHES):
            query = urlencode({"q": next(asked)})
            started = time.perf_counter()
            registry.ask(f"/search?{query}")
            times.append((time.perf_counter() - started) * 1e3)
        return statistics.quantiles(times, n=20)[-1]

    return run


def reading(registry: Registry) -> Callable[[], float]:
    """Make a run that costs the milliseconds of a read by id."""

    def run() -> float:
        started = time.perf_counter()
        registry.call("/schemas/ids/1")
        return (time.perf_counter() - started) * 1e3

    return run


def each(registry: Registry) -> Iterator[str]:
    """Tell how long each search takes, for whoever wants to know which are slow."""
    for text in ASKED:
        times = []
        for _ in range(5):
            started = time.perf_counter()
            answer = json.loads(registry.ask(f"/search?{urlencode({'q': text})}"))
            times.append((time.perf_counter() - started) * 1e3)
        yield f"{statistics.median(times):8.1f} ms  {answer['total']:6} {text}"


def results() -> list[Result]:
    """Measure searches of all kinds."""
    count = int(os.environ.get(FIELDS, MOST_FIELDS))
    with platform() as registry:
        prepare(registry, count)
        for line in each(registry):
            print(line, flush=True)
        return [
            compare(
                f"Search among {count:,} fields, the 95th of {SEARCHES} times, over HTTP",
                "ms",
                ours=Side("search", searching(registry)),
                yardstick=Side("read by id", reading(registry)),
                bar=SLOWEST,
                repetitions=3,
            )
        ]
