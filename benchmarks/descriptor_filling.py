"""Storing versions of a large module as uploads do, in a process that speaks to a database: see the shell."""

from __future__ import annotations

import json
import random
import sys
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction

from accord.formats.protobuf.descriptors import FieldDescriptorProto, FileDescriptorProto
from accord.formats.protobuf.filing import filed
from accord_server.kit import tenancy
from registry.models import ModuleVersion
from registry.queries.modules import lock_or_add_module
from registry.services.filing import store_set
from tenants.principals import operator_scope
from tenants.queries import resolve_place

if TYPE_CHECKING:
    from accord.formats.protobuf.filing import FiledFile

VERSIONS: Final = 1_000
FILES: Final = 300
CHANGED: Final = 2
MESSAGES: Final = 6
FIELDS: Final = 12
KINDS: Final = (
    FieldDescriptorProto.TYPE_INT64,
    FieldDescriptorProto.TYPE_STRING,
    FieldDescriptorProto.TYPE_BYTES,
)
TABLES: Final = ("protofile", "protonote", "descriptorset", "descriptorsetentry", "module", "moduleversion")
SIZES: Final = (
    "SELECT sum(pg_total_relation_size(('registry_' || name)::regclass)) FROM unnest(%s::text[]) AS name"
)


def fill(tenant: str, namespace: str) -> None:
    """Store the versions as uploads do, and print what was stored in how many bytes."""
    place = resolve_place(tenant, namespace)
    if place is None or place.namespace is None:
        raise LookupError(tenant, namespace)
    scope = operator_scope(place.tenant, place.namespace)
    tenancy.activate(place.tenant.id)
    before, entries_before = _size(*TABLES), _size("descriptorsetentry")
    distinct: dict[bytes, int] = {}
    whole = entries = 0
    for number, files in enumerate(_versions(), start=1):
        with transaction.atomic():
            key, _ = lock_or_add_module(scope, "bench")
            set_key = store_set(scope, files)
            ModuleVersion.objects.insert(
                scope, module_id=key, number=number, set_id=set_key, level="NONE", created_by="bench"
            )
        distinct |= {one.digest: len(one.data) for one in files}
        whole += sum(len(one.data) for one in files)
        entries += len(files)
    found = {
        "title": f"{VERSIONS:,} versions of {FILES} files, {CHANGED} changed in each",
        "stored": _size(*TABLES) - before,
        "entry_bytes": _size("descriptorsetentry") - entries_before,
        "distinct": sum(distinct.values()),
        "whole": whole,
        "entries": entries,
    }
    sys.stdout.write(f"{json.dumps(found)}\n")


def _size(*tables: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(SIZES, [list(tables)])
        return int(cursor.fetchone()[0])


def _versions() -> list[list[FiledFile]]:
    """Every version of the module: each with two fields more than the one before."""
    chance = random.Random(1)
    protos = [_file(number, chance) for number in range(FILES)]
    files = [filed(one) for one in protos]
    made = []
    for number in range(VERSIONS):
        for at in ((CHANGED * number + one) % FILES for one in range(CHANGED if number else 0)):
            message = protos[at].message_type[0]
            name = f"added_{number}"
            message.field.add(name=name, number=len(message.field) + 1, label=1, type=9, json_name=name)
            files[at] = filed(protos[at])
        made.append(list(files))
    return made


def _file(number: int, chance: random.Random) -> FileDescriptorProto:
    file = FileDescriptorProto(name=f"bench/v1/file_{number}.proto", package="bench.v1", syntax="proto3")
    for one in range(MESSAGES):
        message = file.message_type.add(name=f"Message{number}Of{one}")
        for at in range(FIELDS):
            name = f"{chance.choice('abcdefgh')}{chance.getrandbits(40):x}_{at}"
            message.field.add(
                name=name, number=at + 1, label=1, type=chance.choice((3, 5, 9, 12)), json_name=name
            )
    return file
