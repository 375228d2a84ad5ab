"""`accord diff`: what differs, place by place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.accord.cli.schemas import BARE, NEEDS_NOTE, NOTE, closed, column

if TYPE_CHECKING:
    from tests.accord.cli.conftest import Program, Write
    from tests.accord.client.stand_in import StandIn


def test_differences_stand_under_their_places(accord: Program, write: Write) -> None:
    old, new = (
        write("old.avsc", {**BARE, "namespace": "a"}),
        write("new.avsc", {**NEEDS_NOTE, "namespace": "b"}),
    )
    result = accord("diff", old, new)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    places = [line for line in lines if line.startswith("/")]
    assert places == sorted(set(places))
    assert "  READER_FIELD_MISSING_DEFAULT_VALUE (block where new reads old)" in lines
    assert f"    old {old}:1:1, new {new}:1:{column({**NEEDS_NOTE}, NOTE)}" in lines


def test_equal_schemas_do_not_differ(accord: Program, write: Write) -> None:
    assert accord("diff", write("a.json", closed()), write("b.json", closed())).stdout == "nothing differs\n"


def test_json_lists_the_differences(accord: Program, write: Write) -> None:
    old, new = write("old.json", closed(a="string")), write("new.json", closed(a="integer"))
    answer = json.loads(accord("diff", old, new, "--json").stdout)
    assert (answer["old"], answer["new"]) == (old, new)
    assert [(one["rule"], one["direction"], one["path"]) for one in answer["differences"]] == [
        ("TYPE_CHANGED", "forward", "/properties/a"),
        ("TYPE_CHANGED", "backward", "/properties/a"),
    ]


def test_versions_of_a_registry_are_compared(accord: Program, write: Write, registry: StandIn) -> None:
    facts = {"subject": "s", "version": 1, "id": 1, "schema": json.dumps(BARE)}
    registry.answer("GET /subjects/s/versions/1?deleted=false", facts)
    result = accord("diff", "registry:s@1", write("new.avsc", NEEDS_NOTE), "--url", registry.url)
    assert result.exit_code == 0
    assert "    old s version 1:1:1, new " in result.stdout


def test_the_latest_version_is_meant_where_none_is_named(
    accord: Program, write: Write, registry: StandIn
) -> None:
    registry.answer("GET /subjects/s/versions", [1, 2])
    for number, schema in ((1, NEEDS_NOTE), (2, BARE)):
        facts = {"subject": "s", "version": number, "id": number, "schema": json.dumps(schema)}
        registry.answer(f"GET /subjects/s/versions/{number}?deleted=false", facts)
    assert (
        accord("diff", "registry:s", write("a.avsc", BARE), "--url", registry.url).stdout
        == "nothing differs\n"
    )


def test_what_cannot_be_read_ends_with_two(accord: Program, write: Write, registry: StandIn) -> None:
    good = write("a.avsc", BARE)
    assert accord("diff", good, "none.avsc").exit_code == 2
    assert accord("diff", good, "registry:s").exit_code == 2
    assert accord("diff", good, "registry:s@1", "--url", registry.url).exit_code == 1
