"""``accord similar``, and the hint of ``accord register``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.accord.cli.test_look_ups import TENANT, at

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn

SCHEMA = '{"type":"record","name":"A","fields":[]}'
ASK = f"POST {TENANT}/namespaces/default/subjects/new-value/similar"
ORDERS = {"namespace": "default", "subject": "orders-value", "version": 2, "format": "AVRO", "percent": 90}
LINE = "default  orders-value  version 2  90 % of all fields are in both"


def test_like_subjects_are_named(accord: Program, registry: StandIn, write: Write) -> None:
    registry.answer(ASK, {"items": [ORDERS]})
    done = accord("similar", "new-value", write("a.avsc", SCHEMA.encode()), *at(registry))
    assert (done.exit_code, done.stdout) == (1, f"{LINE}\n")


def test_programs_are_told_that_there_are_none(accord: Program, registry: StandIn, write: Write) -> None:
    registry.answer(ASK, {"items": []})
    done = accord("similar", "new-value", write("a.avsc", SCHEMA.encode()), "--json", *at(registry))
    assert (done.exit_code, json.loads(done.stdout)) == (0, [])


def test_who_registers_a_new_subject_is_told_what_it_is_like(
    accord: Program, registry: StandIn, write: Write
) -> None:
    registry.answer("POST /sr/north/default/subjects/new-value/versions", {"id": 7, "version": 1})
    registry.answer(ASK, {"items": [ORDERS, ORDERS]})
    done = accord("register", "new-value", write("a.avsc", SCHEMA.encode()), *at(registry))
    assert done.stdout == "new-value version 1, schema id 7\n"
    assert done.stderr == f"very similar to: {LINE}\n"
