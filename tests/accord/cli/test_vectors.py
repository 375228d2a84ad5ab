"""The verb gives for every shared vector the verdict that the vector names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from accord.policy.verdict_words import VerdictWord

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.accord.cli.conftest import Program, Repository

RULES = Path(__file__).parents[1] / "rules"


def vectors(name: str) -> list[dict[str, Any]]:
    """The lines of a file of vectors."""
    return [json.loads(line) for line in (RULES / name).read_text(encoding="utf-8").splitlines()]


AVRO = vectors("avro/vectors.jsonl")
JSON = vectors("jsonschema/vectors.jsonl")
FRIENDLY = vectors("jsonschema/optional_friendly.jsonl")


def allowed(accord: Program, *options: str) -> set[str]:
    """The vectors whose new schema may follow the old one, all judged by one call."""
    result = accord("check", "--against", "git:HEAD", ".", "--output", "json", *options)
    schemas = json.loads(result.stdout)["schemas"]
    assert {one["verdict"] for one in schemas} <= set(VerdictWord), result.stdout
    return {Path(one["file"]).stem for one in schemas if one["verdict"] != VerdictWord.BLOCKED}


def commit(repository: Repository, pairs: Iterable[tuple[str, Any, Any]], suffix: str) -> None:
    """Commit the old schemas and write the new ones over them."""
    listed = [(f"{name}{suffix}", json.dumps(old), json.dumps(new)) for name, old, new in pairs]
    for name, old, _ in listed:
        repository.write(name, old)
    repository.commit()
    for name, _, new in listed:
        repository.write(name, new)


def test_every_vector_of_avro(accord: Program, repository: Repository) -> None:
    commit(repository, ((one["id"], one["writer"], one["reader"]) for one in AVRO), ".avsc")
    expected = {one["id"] for one in AVRO if one["incompatibilities"] == []}
    assert allowed(accord, "--level", "BACKWARD") == expected
    assert len(AVRO) == 48


@pytest.mark.parametrize(
    ("preset", "column"), [("confluent:8.1", "strict"), ("confluent:8.1:lenient", "lenient")]
)
def test_every_vector_of_json_schema(
    accord: Program, repository: Repository, preset: str, column: str
) -> None:
    commit(repository, ((one["id"], one["old"], one["new"]) for one in JSON), ".json")
    expected = {one["id"] for one in JSON if one[column]}
    assert allowed(accord, "--format", "json", "--preset", preset) == expected
    assert len(JSON) == 223


@pytest.mark.parametrize("level", ["backward", "forward", "full"])
def test_every_vector_of_optional_friendly(accord: Program, repository: Repository, level: str) -> None:
    commit(repository, ((one["id"], one["old"], one["new"]) for one in FRIENDLY), ".json")
    expected = {one["id"] for one in FRIENDLY if one[level]}
    assert allowed(accord, "--level", level, "--preset", "optional-friendly:1") == expected
    assert len(FRIENDLY) == 30
