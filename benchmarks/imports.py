"""Importing through the real server: how many versions a second, and whether that holds as it grows.

A run imports into empty contexts of its own as `accord import` does, each format by itself. The yardstick of
growth is a quarter of the versions: what one costs must stay what it was. The title says what 100,000
versions would take at that rate.
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
from accord.transfer import Copy, Effort, Pair, Run, apply, plan
from accord.transfer import compare as compare_copies
from accord.transfer.records import CopiedVersion, Key
from benchmarks.harness import MICROSECONDS, Bar, Result, Side, compare
from benchmarks.servers import platform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.servers import Registry

CONNECTIONS = 8
VERSIONS_A_SUBJECT = 5
FEW, MANY = 500, 2000
HUNDRED_THOUSAND = 100_000


def results() -> list[Result]:
    """Import few and many in turn."""
    contexts = itertools.count()
    with platform() as registry:
        return [_growth(registry, format_, contexts) for format_ in TEXTS]


def _growth(registry: Registry, format_: str, contexts: Iterator[int]) -> Result:
    def side(count: int) -> Side:
        return Side(
            f"{count} versions",
            lambda: imported(registry, export(count, format_, f".bench{next(contexts)}")),
        )

    unit = f"{MICROSECONDS} a version"
    found = compare("", unit, ours=side(MANY), yardstick=side(FEW), repetitions=3, bar=Bar(ratio=1.5))
    cost = statistics.median(found.our_costs)
    rate = f"{1e6 / cost:.0f} versions a second, 100,000 in {cost * HUNDRED_THOUSAND / 1e6 / 60:.1f} minutes"
    return replace(found, title=f"Import of {format_}: {rate}")


def export(count: int, format_: str, context: str = DEFAULT_CONTEXT) -> Copy:
    """A copy of that many versions."""
    copy = Copy("bench", frozenset({"modes"}))
    for number in range(count):
        subject, version = divmod(number, VERSIONS_A_SUBJECT)
        copy.add(
            CopiedVersion(
                key=Key(SubjectName(f"s{subject}", context), version + 1),
                id=number + 1,
                guid=None,
                format=format_,
                text=TEXTS[format_](subject, version),
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
        made = plan(pair)
        started = time.perf_counter()
        run = Run.begin(client, "bench", made)
        if run is None:
            raise RuntimeError(f"{client.address} takes no batches")
        outcome = apply(pair, made, Effort(client, CONNECTIONS, has_modes=False, tell=_say_nothing, run=run))
        spent = time.perf_counter() - started
        # Nothing is read back: only the end of the run is told, so that the next may begin.
        run.finish(compare_copies(Pair(source, source), has_modes=False))
    if outcome.refused or outcome.registered != len(source.entries):
        raise RuntimeError(f"not imported: {outcome.refused[:3]}")
    return spent * 1e6 / len(source.entries)


def _say_nothing(done: int, total: int) -> None:
    """No one watches."""


def _avro(subject: int, version: int) -> str:
    fields = [{"name": f"f{one}", "type": ["null", "string"], "default": None} for one in _fields(version)]
    record = {"type": "record", "name": f"R{subject}", "namespace": "bench", "fields": fields}
    return json.dumps(record, separators=(",", ":"))


def _json_schema(subject: int, version: int) -> str:
    properties = {f"f{one}": {"type": ["string", "null"]} for one in _fields(version)}
    return json.dumps({"title": f"R{subject}", "type": "object", "properties": properties})


def _protobuf(subject: int, version: int) -> str:
    fields = "".join(f"  optional string f{one} = {one + 1};\n" for one in _fields(version))
    return f'syntax = "proto3";\npackage bench;\n\nmessage R{subject} {{\n{fields}}}\n'


def _fields(version: int) -> range:
    return range(20 + version)


TEXTS = {"AVRO": _avro, "JSON": _json_schema, "PROTOBUF": _protobuf}
