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
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import psycopg

from accord.discovery.words import Word, WordKind, words_of
from accord.formats.listing import Listed, RowKind
from benchmarks.harness import Bar, Result, Side, compare
from benchmarks.servers import NotServing, owner_url, platform
from registry.queries.field_words import grams
from registry.services.indexing import EDITION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from benchmarks.servers import Registry

FIELDS: Final = "ACCORD_BENCH_FIELDS"
MOST_FIELDS: Final = 1_000_000
WIDTH: Final = 100
PATIENCE_S: Final = 120
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
    "payment type:long",
    "invoice amount type:double",
    "field:tax_code compat:backward",
    "in:history email",
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
    """Stores fields past the platform, in the tables that it reads, each table in one go."""

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
        rows = connection.execute(
            "SELECT kind, text, id FROM registry_fieldterm WHERE tenant_id = %s", [self.tenant]
        )
        self.words = {Word(WordKind(kind), text): key for kind, text, key in rows}
        self.new: dict[Word, int] = {}
        self.next_word = self.last("registry_fieldterm") + 1

    def last(self, table: str) -> int:
        """The largest key of a table; those of the pile come behind it."""
        row = self.connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()  # noqa: S608  # ours
        assert row is not None
        return int(row[0])

    def key(self, word: Word) -> int:
        """The key of a word."""
        known = self.words.get(word)
        if known is None:
            known = self.words[word] = self.new[word] = self.next_word
            self.next_word += 1
        return known

    def keys(self, row: Listed) -> list[int]:
        """The keys of the words of a row."""
        return sorted(map(self.key, words_of(row)))

    def copy(self, table: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> None:
        """Store rows, and have the platform's own come behind them."""
        with self.connection.cursor().copy(f"COPY {table} (tenant_id, {columns}) FROM STDIN") as copy:
            for one in rows:
                copy.write_row((self.tenant, *one))
        self.connection.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608  # ours
        )

    def add(self, count: int, random_: random.Random) -> None:
        """Store subjects with a version and fields each."""
        subject, source = (self.last(f"registry_{name}") for name in ("subject", "fieldsource"))
        now, fixed = datetime.now(UTC), (False, False, "", EDITION)
        numbers = range(1, count + 1)
        self.copy(
            "registry_subject",
            "id, namespace_id, context, name, created_at",
            (
                (subject + at, self.namespace, ".", f"{NOUNS[at % len(NOUNS)]}-{at}-value", now)
                for at in numbers
            ),
        )
        self.copy(
            "registry_version",
            "subject_id, number, schema_id, created_at, created_by, level, findings",
            ((subject + at, 1, self.schema, now, "person:x", "NONE", "[]") for at in numbers),
        )
        self.copy(
            "registry_fieldsource",
            "id, namespace_id, subject_id, schema_key, number, format, updated_at, is_deleted, is_cut, owner,"
            " edition",
            (
                (source + at, self.namespace, subject + at, self.schema, 1, "AVRO", now, *fixed)
                for at in numbers
            ),
        )
        self.copy(
            "registry_fieldentry",
            "source_id, position, kind, path, name, type, logical, doc, tags, is_required, is_nullable,"
            " has_default, words",
            (
                (source + at, position, *row[:6], list(row.tags), *row[7:], self.keys(row))
                for at in numbers
                for position, row in enumerate(rows_of(random_))
            ),
        )
        self.copy(
            "registry_fieldterm",
            "id, kind, text, grams",
            ((key, *word, grams(self.tenant, word.text)) for word, key in self.new.items()),
        )


def wait_until_listed(connection: psycopg.Connection[Any]) -> None:
    """Wait for the platform to list the fields of what it has, so that nobody else adds rows."""
    for _ in range(PATIENCE_S):
        row = connection.execute(
            "SELECT count(*) FROM registry_subject AS subject WHERE NOT EXISTS ("
            " SELECT FROM registry_fieldsource AS source WHERE source.subject_id = subject.id)"
        ).fetchone()
        connection.rollback()
        if row == (0,):
            return
        time.sleep(1)
    raise NotServing("the fields of the first schemas were not listed in time")


def prepare(registry: Registry, count: int) -> None:
    """Fill the tables."""
    text = json.dumps({"type": "record", "name": "Bench", "fields": [{"name": "a", "type": "int"}]})
    registry.call("/subjects/bench/versions", {"schema": text})
    random_ = random.Random(7)  # the same pile every time
    with psycopg.connect(owner_url(registry)) as connection:
        wait_until_listed(connection)
        Pile(connection).add(count // WIDTH, random_)
        connection.commit()
        connection.autocommit = True
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
        slowest = statistics.quantiles(times, n=20)[-1]
        print(f"p50 {statistics.median(times):.0f} ms, p95 {slowest:.0f} ms", flush=True)
        return slowest

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
