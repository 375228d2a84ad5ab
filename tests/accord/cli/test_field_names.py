"""``accord fields``: the names of fields with their types."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.accord.cli.test_look_ups import TENANT, at

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program
    from tests.accord.client.stand_in import StandIn

ID: dict[str, Any] = {
    "name": "id",
    "is_conflicting": True,
    "types": [
        {"format": "AVRO", "type": "string", "subjects": 3},
        {"format": "AVRO", "type": "long", "subjects": 1},
    ],
}
AT = {"namespace": "default", "subject": "s", "version": 2, "path": "a.id"}
WHERE = {**ID, "types": [{**one, "places": [AT]} for one in ID["types"]]}


def test_names_are_listed_with_their_types(accord: Program, registry: StandIn) -> None:
    total = {"name": "total", "is_conflicting": False, "types": [{**ID["types"][1]}]}
    registry.answer(f"GET {TENANT}/fields?q=&limit=200", {"items": [ID, total], "next": None})
    done = accord("fields", *at(registry))
    assert done.stdout.splitlines() == [
        "id  string (AVRO, 3), long (AVRO, 1)  conflict",
        "total  long (AVRO, 1)",
    ]


def test_conflicts_alone_are_listed_for_programs(accord: Program, registry: StandIn) -> None:
    path = f"GET {TENANT}/fields?q=i&conflicts=true&limit=200"
    registry.answer(path, {"items": [], "next": None})
    done = accord("fields", "--starting", "i", "--conflicts", "--json", *at(registry))
    assert (done.exit_code, json.loads(done.stdout)) == (1, [])


def test_a_name_tells_where_it_is(accord: Program, registry: StandIn) -> None:
    registry.answer(f"GET {TENANT}/fields/id", WHERE)
    done = accord("fields", "id", *at(registry))
    assert (done.exit_code, done.stdout.splitlines()[1:]) == (
        1,
        [
            "string  default  s  version 2  a.id",
            "string  and 2 more subjects",
            "long  default  s  version 2  a.id",
        ],
    )
    registry.answer(f"GET {TENANT}/fields/total", {**WHERE, "is_conflicting": False})
    done = accord("fields", "total", "--json", *at(registry))
    assert (done.exit_code, json.loads(done.stdout)["types"]) == (0, WHERE["types"])
