"""The shared vectors: types, places and both verdicts as Confluent reports them; Optional-friendly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.accord.json_texts import differences, json_schema, verdict

HERE = Path(__file__).parent


def vectors(name: str) -> list[dict[str, Any]]:
    """The lines of a file beside this one."""
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


VECTORS = vectors("vectors.jsonl")
FRIENDLY = vectors("optional_friendly.jsonl")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_a_vector_gives_its_differences(vector: dict[str, Any]) -> None:
    assert differences(vector["new"], vector["old"]) == sorted(vector["diffs"])


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
@pytest.mark.parametrize("level", ["BACKWARD", "FORWARD"])
def test_a_vector_gives_its_verdicts(vector: dict[str, Any], level: str) -> None:
    new, old = json_schema(vector["new"]), json_schema(vector["old"])
    pair = (new, old) if level == "BACKWARD" else (old, new)
    assert verdict(*pair, level=level).is_allowed is vector["strict"]
    assert verdict(*pair, level=level, preset="confluent:8.1:lenient").is_allowed is vector["lenient"]


@pytest.mark.parametrize("vector", FRIENDLY, ids=lambda vector: vector["id"])
@pytest.mark.parametrize("level", ["backward", "forward", "full"])
def test_a_vector_gives_its_friendly_verdicts(vector: dict[str, Any], level: str) -> None:
    new, old = json_schema(vector["new"]), json_schema(vector["old"])
    friendly = verdict(new, old, level=level.upper(), preset="optional-friendly:1")
    assert friendly.is_allowed is vector[level]


def test_all_vectors_are_here() -> None:
    assert len(VECTORS) == 223
    assert len(FRIENDLY) == 30
