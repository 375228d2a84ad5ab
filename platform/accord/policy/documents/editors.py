"""The JSON Schema of policy documents, for editors, made from the table that the parser runs on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from accord.policy.documents.kinds import Plain
from accord.policy.documents.model import DEFAULT, FORMAT_KEYS, FORMATS, PARAMETERS, RULES
from accord.policy.documents.reading import JUDGED_AS, SEVERITY_MEMBER, parameter_kind
from accord.policy.documents.table import DESCRIPTION, GROUPS, NAME, SEVERITY, SHORT_FORMS, rows
from accord.policy.policies import FIXED_RULES
from accord.rules.parameters import COMMON, parameters_of
from accord.rules.table import rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.model import Format
    from accord.policy.documents.table import Row
    from accord.rules.parameters import Parameter
    from accord.rules.table import Rule

Tree = dict[str, Plain]
# The sections by their names; the first is for every format.
SECTIONS: Mapping[str, Format | None] = {DEFAULT: None, **FORMAT_KEYS}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Tree:
    """Return the JSON Schema (2020-12) of a policy document.

    It says what the parser says, except for what a schema cannot or would say at great length: RE2's
    syntax, the names of levels, and that no rule is judged as itself.
    """
    formats: Tree = {key: _section(key) for key in FORMAT_KEYS}
    members: Tree = {
        "name": NAME.schema(),
        "description": DESCRIPTION.schema(),
        DEFAULT: _section(DEFAULT),
        FORMATS: _object(formats),
    }
    definitions: Tree = {
        f"{part}-{key}": made
        for key, format_ in SECTIONS.items()
        for part, made in (("ids", _ids(format_)), ("rule", _rule(key, COMMON)))
    }
    top: Tree = {"$schema": DIALECT, "title": "Accord policy", **_object(members), "required": ["name"]}
    return {**top, "$defs": definitions}


def json_schema_text() -> str:
    """Return the schema as it is published."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(properties: Tree) -> Tree:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _section(key: str) -> Tree:
    members: Tree = {}
    for row in rows().values():
        if row.is_for(SECTIONS[key]):
            _put(members, row)
    members[RULES] = _object({row.id: _described(row, key) for row in _free(SECTIONS[key])})
    return _object(members)


def _put(members: Tree, row: Row) -> None:
    """Put a member into its group, which is made when its first member comes."""
    described: Tree = {**row.kind.schema(), "description": row.words}
    group, _, inner = row.name.rpartition(".")
    if not group:
        members[inner] = described
        return
    whole = members.setdefault(group, {**_object({}), "description": GROUPS[group]})
    options = cast("Tree", whole)
    if group in SHORT_FORMS and "oneOf" not in options:
        options = members[group] = {"oneOf": [_object({}), row.kind.schema()], "description": GROUPS[group]}
    held = cast("list[Tree]", options["oneOf"])[0] if "oneOf" in options else options
    cast("Tree", held["properties"])[inner] = described


def _free(format_: Format | None) -> list[Rule]:
    """Return the rules that the section of a format may speak of."""
    known = [row for row in rules() if row.id not in FIXED_RULES]
    return [row for row in known if format_ is None or row.format in (None, format_)]


def _ids(format_: Format | None) -> Tree:
    return {"enum": [row.id for row in _free(format_)]}


def _described(row: Rule, key: str) -> Tree:
    """Return what may be said of a rule: the same for all that have no parameters of their own."""
    known = parameters_of(row.id)
    if known == COMMON:
        return {"$ref": f"#/$defs/rule-{key}", "description": row.summary}
    return {**_rule(key, known), "description": row.summary}


def _rule(key: str, known: Mapping[str, Parameter]) -> Tree:
    own: Tree = {
        name: {**parameter_kind(one).schema(), "description": one.words} for name, one in known.items()
    }
    members: Tree = {
        SEVERITY_MEMBER: SEVERITY.schema(),
        JUDGED_AS: {"$ref": f"#/$defs/ids-{key}"},
        PARAMETERS: _object(own),
    }
    exclusive: Tree = {"not": {"required": [SEVERITY_MEMBER, JUDGED_AS]}}
    return {"oneOf": [SEVERITY.schema(), {**_object(members), **exclusive}]}
