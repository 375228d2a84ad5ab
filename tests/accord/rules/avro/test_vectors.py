"""The shared vectors: kinds, messages, places and order as Confluent reports them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.accord.avro_texts import avro, verdict

LINES = Path(__file__).with_name("vectors.jsonl").read_text(encoding="utf-8").splitlines()
VECTORS: list[dict[str, Any]] = [json.loads(line) for line in LINES]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD"])
def test_a_vector_gives_its_incompatibilities(vector: dict[str, Any], level: str) -> None:
    reader, writer = (avro(json.dumps(vector[side]), strict=False) for side in ("reader", "writer"))
    candidate, old = (reader, writer) if level == "BACKWARD" else (writer, reader)
    findings = verdict(candidate, old, level=level).findings
    if vector["incompatibilities"] == "error":
        assert [finding.rule for finding in findings] == ["AMBIGUOUS_FIELD_ALIAS"]
    else:
        found = [[finding.rule, finding.detail, finding.location] for finding in findings]
        assert found == vector["incompatibilities"]


def test_all_vectors_are_here() -> None:
    assert len({vector["id"] for vector in VECTORS}) == 48
