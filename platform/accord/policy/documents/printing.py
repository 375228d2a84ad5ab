"""A document to its one text, in YAML or JSON: members in the order of the table, rules by id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import yaml

from accord.policy.documents.kinds import plain
from accord.policy.documents.model import DEFAULT, FORMAT_KEYS, FORMATS, PARAMETERS, RULES, JudgedAs
from accord.policy.documents.reading import JUDGED_AS, SEVERITY_MEMBER
from accord.policy.documents.table import rows

if TYPE_CHECKING:
    from accord.policy.documents.kinds import Plain
    from accord.policy.documents.model import PolicyDocument, Section, Setting

    Tree = dict[str, Plain]

WIDTH = 100


def as_data(document: PolicyDocument) -> Tree:
    """Return the document as plain values, in the order in which it is printed."""
    data: Tree = {"name": document.name}
    if document.description:
        data["description"] = document.description
    if document.default:
        data[DEFAULT] = _section(document.default)
    formats: Tree = {
        key: _section(document.formats[format_])
        for key, format_ in FORMAT_KEYS.items()
        if document.formats.get(format_)
    }
    if formats:
        data[FORMATS] = formats
    return data


def to_json(document: PolicyDocument) -> str:
    """Return the document as JSON text."""
    return json.dumps(as_data(document), indent=2, ensure_ascii=False) + "\n"


def to_yaml(document: PolicyDocument) -> str:
    """Return the document as YAML text."""
    text: str = yaml.safe_dump(as_data(document), sort_keys=False, allow_unicode=True, width=WIDTH)
    return text


def _section(section: Section) -> Tree:
    tree: Tree = {}
    for name in rows():
        if name in section:
            _put(tree, name.split("."), plain(section[name]))
    rules: Tree = {}
    for name in sorted(section):
        if name.startswith(f"{RULES}."):
            _put_rule(rules, name.split(".")[1:], section[name])
    if rules:
        tree[RULES] = rules
    return tree


def _put(tree: Tree, steps: list[str], value: Plain) -> None:
    for step in steps[:-1]:
        tree = cast("Tree", tree.setdefault(step, {}))
    tree[steps[-1]] = value


def _put_rule(rules: Tree, steps: list[str], setting: Setting) -> None:
    """Put a rule's weight as one word where nothing else is said of it, else as an object."""
    rule_id, *rest = steps
    if rest:
        weight = rules.get(rule_id, {})
        rules[rule_id] = weight if isinstance(weight, dict) else {SEVERITY_MEMBER: weight}
        _put(cast("Tree", rules[rule_id]), [PARAMETERS, rest[-1]], plain(setting))
    elif isinstance(setting, JudgedAs):
        rules[rule_id] = {JUDGED_AS: setting.rule}
    else:
        rules[rule_id] = plain(setting)
