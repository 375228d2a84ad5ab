"""The published JSON Schema, the reference page and the templates: made of the parser's own table."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.documents import as_data, preset_named, read_document
from accord.policy.documents.editors import json_schema, json_schema_text
from accord.policy.documents.reference import page
from accord.policy.documents.table import rows
from accord.policy.documents.templates import TEMPLATES, template_text, templates
from accord.rules import parameters
from accord.rules.parameters import Parameter, ParameterType
from accord.rules.presets import DEFAULT_PRESET
from tests.accord.policy.documents.strategies import documents
from tests.accord.strategies import SLOW_MACHINE

if TYPE_CHECKING:
    from collections.abc import Callable

    from accord.policy.documents import PolicyDocument

TYPES = {"object": dict, "string": str, "integer": int, "boolean": bool, "array": list}


PUBLISHED: Any = json_schema()


def fits(value: Any, schema: Any) -> bool:
    """Tell whether a value fits, by the few keywords that the published schema uses."""
    checks: dict[str, Callable[[Any], bool]] = {
        "$ref": lambda wanted: fits(value, PUBLISHED["$defs"][wanted.removeprefix("#/$defs/")]),
        "type": lambda wanted: isinstance(value, TYPES[wanted]),
        "enum": lambda wanted: value in wanted,
        "oneOf": lambda wanted: sum(fits(value, one) for one in wanted) == 1,
        "not": lambda wanted: not fits(value, wanted),
        "pattern": lambda wanted: re.search(wanted, value) is not None,
        "maxLength": lambda wanted: len(value) <= wanted,
        "minimum": lambda wanted: value >= wanted,
        "maximum": lambda wanted: value <= wanted,
        "items": lambda wanted: all(fits(item, wanted) for item in value),
        "maxItems": lambda wanted: len(value) <= wanted,
        "uniqueItems": lambda _: len(set(value)) == len(value),
        "required": lambda wanted: isinstance(value, dict) and value.keys() >= set(wanted),
        "minProperties": lambda wanted: len(value) >= wanted,
        "properties": lambda wanted: all(fits(value[key], wanted[key]) for key in value.keys() & wanted),
        "propertyNames": lambda wanted: all(fits(key, wanted) for key in value),
        "additionalProperties": lambda wanted: all(
            wanted is not False and fits(value[key], wanted)
            for key in value.keys() - schema.get("properties", {}).keys()
        ),
    }
    told = {"$schema", "$defs", "title", "description", "examples"}
    return all(checks[key](wanted) for key, wanted in schema.items() if key not in told)


@SLOW_MACHINE
@given(documents)
def test_every_document_fits_the_published_schema(document: PolicyDocument) -> None:
    assert fits(as_data(document), json_schema())


@pytest.mark.parametrize(
    ("section", "is_right"),
    [
        ({"level": {"backward": {"till": 3}, "forward": "all"}}, True),
        ({"level": {}}, False),
        ({"level": {"backward": {"till": 0}}}, False),
        ({"levels": "FULL"}, False),
        ({"limits": {"depth": 1000}}, False),
        ({"limits": {"deep": 1}}, False),
        ({"transform": "optional-friendly"}, False),
        ({"rules": {"DIFFERENT_SCHEMA_TYPE": {"severity": "off", "judged_as": "TYPE_MISMATCH"}}}, False),
        ({"rules": {"CHECK_TOO_LARGE": "off"}}, False),
        ({"rules": {"TYPE_MISMATCH": {"parameters": {"ignore": ["/fields/2/**", "/", "/a~1b"]}}}}, True),
        ({"rules": {"TYPE_MISMATCH": {"parameters": {"ignore": ["fields/2"]}}}}, False),
        ({"rules": {"TYPE_MISMATCH": {"parameters": {"ignore": ["/a~2"]}}}}, False),
        ({"rules": {"TYPE_MISMATCH": {"parameters": {"ignore": [f"/{n}" for n in range(21)]}}}}, False),
        ({"rules": {"TYPE_MISMATCH": {"parameters": {"ignored": ["/"]}}}}, False),
        ({"required": {"docs": ["field", "field"]}}, False),
        ({"locked": "yes"}, False),
    ],
)
def test_the_schema_agrees_with_the_parser(section: dict[str, Any], is_right: object) -> None:
    data = {"name": "ab", "default": section}
    assert fits(data, json_schema()) is is_right
    assert (read_document(json.dumps(data), is_json=True).document is not None) is is_right


@pytest.mark.parametrize("written", ["optional-friendly", {"name": "none", "require_closed": True}])
def test_the_transform_has_a_short_form_in_both(written: object) -> None:
    data = {"name": "ab", "formats": {"json": {"transform": written}}}
    assert fits(data, json_schema())
    assert read_document(json.dumps(data), is_json=True).document is not None
    assert json.loads(json_schema_text()) == json_schema()


def test_parameters_are_described_wherever_rules_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "| every rule | `ignore` | a list; each: a pattern of the paths of findings | nothing |" in page()
    row = Parameter(ParameterType.COUNT, "How many.", default=3)
    monkeypatch.setattr(parameters, "PARAMETERS", {"DIFFERENT_SCHEMA_TYPE": {"most": row}})
    data = {"name": "ab", "default": {"rules": {"DIFFERENT_SCHEMA_TYPE": {"parameters": {"most": 4}}}}}
    assert fits(data, json_schema())
    assert "| `DIFFERENT_SCHEMA_TYPE` | `most` | a whole number from 0 to 1000 | 3 | How many. |" in page()


def test_every_member_is_on_the_page() -> None:
    assert all(f"| `{name}` |" in page() for name in rows())


def test_every_template_can_be_used() -> None:
    usable = templates()
    assert list(usable) == list(TEMPLATES)
    assert all(preset_named(str(one.default["preset"])) for one in usable.values())
    drop_in = usable["drop-in"].default
    assert (drop_in["preset"], drop_in["level"]) == (DEFAULT_PRESET, CONFLUENT_LEVELS["BACKWARD"])
    assert usable["queue-safe"].default["level"] == CONFLUENT_LEVELS["FULL_TRANSITIVE"]
    assert template_text("queue-safe").startswith("name: queue-safe\n")
