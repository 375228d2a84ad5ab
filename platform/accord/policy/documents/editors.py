"""The JSON Schema of policy documents, for editors, made from the table that the parser runs on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from accord.policy.documents.kinds import Plain
from accord.policy.documents.model import DEFAULT, FORMAT_KEYS, FORMATS, PARAMETERS, RULES
from accord.policy.documents.reading import JUDGED_AS, SEVERITY_MEMBER, parameter_kind
from accord.policy.documents.table import DESCRIPTION, GROUPS, NAME, SEVERITY, SHORT_FORMS, rows
from accord.policy.policies import FIXED_RULES
from accord.rules import parameters
from accord.rules.table import rules

if TYPE_CHECKING:
    from accord.model import Format
    from accord.policy.documents.table import Row
    from accord.rules.table import Rule

Tree = dict[str, Plain]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> Tree:
    """Return the JSON Schema (2020-12) of a policy document.

    It says what the parser says, except for what a schema cannot: RE2's syntax and names of levels.
    """
    formats: Tree = {key: _section(format_) for key, format_ in FORMAT_KEYS.items()}
    members: Tree = {
        "name": NAME.schema(),
        "description": DESCRIPTION.schema(),
        DEFAULT: _section(None),
        FORMATS: _object(formats),
    }
    return {"$schema": DIALECT, "title": "Accord policy", **_object(members), "required": ["name"]}


def json_schema_text() -> str:
    """Return the schema as it is published."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _object(properties: Tree) -> Tree:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _section(format_: Format | None) -> Tree:
    members: Tree = {}
    for row in rows().values():
        if row.is_for(format_):
            _put(members, row)
    members[RULES] = _object({row.id: _rule(row, format_) for row in rules() if _is_free(row, format_)})
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


def _is_free(row: Rule, format_: Format | None) -> bool:
    return row.id not in FIXED_RULES and (format_ is None or row.format in (None, format_))


def _rule(row: Rule, format_: Format | None) -> Tree:
    others: list[Plain] = [other.id for other in rules() if other.id != row.id and _is_free(other, format_)]
    members: Tree = {SEVERITY_MEMBER: SEVERITY.schema(), JUDGED_AS: {"enum": others}}
    known = parameters.PARAMETERS.get(row.id, {})
    if known:
        members[PARAMETERS] = _object(
            {name: {**parameter_kind(one).schema(), "description": one.words} for name, one in known.items()}
        )
    exclusive: Tree = {"not": {"required": [SEVERITY_MEMBER, JUDGED_AS]}}
    return {"oneOf": [SEVERITY.schema(), {**_object(members), **exclusive}], "description": row.summary}
