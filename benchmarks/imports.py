"""Importing through the real server: how many versions a second, and whether that holds as it grows.

A run imports into empty contexts of its own. The yardstick of growth is a quarter of the versions: what one
costs must stay what it was. The title says what 100,000 versions would take at that rate.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from accord.client import ClientSettings, RegistryClient
from accord.model import DEFAULT_CONTEXT, SubjectName
from accord.transfer import Copy, Effort, Pair, apply, plan
from accord.transfer.records import CopiedVersion, Key
from benchmarks.harness import MICROSECONDS, Bar, Result, Side, compare
from benchmarks.servers import platform

if TYPE_CHECKING:
    from benchmarks.servers import Registry

CONNECTIONS = 8
VERSIONS_A_SUBJECT = 5
FEW, MANY = 500, 2000
HUNDRED_THOUSAND = 100_000


def results() -> list[Result]:
    """Import few and many in turn."""
    contexts = itertools.count()
    with platform() as registry:

        def side(count: int) -> Side:
            return Side(
                f"{count} versions", lambda: imported(registry, export(count, f".bench{next(contexts)}"))
            )

        title = f"Import, {CONNECTIONS} connections"
        unit = f"{MICROSECONDS} a version"
        bar = Bar(ratio=1.5)
        found = compare(title, unit, ours=side(MANY), yardstick=side(FEW), repetitions=3, bar=bar)
    minutes = statistics.median(found.our_costs) * HUNDRED_THOUSAND / 1e6 / 60
    return [replace(found, title=f"{title}; 100,000 versions would take {minutes:.0f} minutes")]


def export(count: int, context: str = DEFAULT_CONTEXT) -> Copy:
    """A copy of that many versions."""
    copy = Copy("bench", frozenset({"modes"}))
    for number in range(count):
        subject, version = divmod(number, VERSIONS_A_SUBJECT)
        copy.add(
            CopiedVersion(
                key=Key(SubjectName(f"s{subject}", context), version + 1),
                id=number + 1,
                guid=None,
                format="AVRO",
                text=_text(subject, version),
                references=(),
                metadata=None,
                rule_set=None,
                is_deleted=False,
            )
        )
    return copy


def imported(registry: Registry, source: Copy) -> float:
    """Import a copy; returns the microseconds a version."""
    settings = ClientSettings(connections=CONNECTIONS)
    token = registry.headers["Authorization"].removeprefix("Bearer ")
    with source, Copy() as target, RegistryClient(registry.url, token, settings=settings) as client:
        pair = Pair(source, target)
        started = time.perf_counter()
        outcome = apply(pair, plan(pair), Effort(client, CONNECTIONS, has_modes=False, tell=_say_nothing))
        spent = time.perf_counter() - started
    if outcome.refused or outcome.registered != len(source.entries):
        raise RuntimeError(f"not imported: {outcome.refused[:3]}")
    return spent * 1e6 / len(source.entries)


def _say_nothing(done: int, total: int) -> None:
    """No one watches."""


def _text(subject: int, version: int) -> str:
    fields = [{"name": f"f{one}", "type": ["null", "string"], "default": None} for one in range(20 + version)]
    record = {"type": "record", "name": f"R{subject}", "namespace": "bench", "fields": fields}
    return json.dumps(record, separators=(",", ":"))
