"""Metadata, rule sets and tags as JSON values, in the order of the dialect; what is empty is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from accord.model import ContractRule, Metadata, RuleSet, SchemaTags

Json = dict[str, Any]


def metadata_data(metadata: Metadata) -> Json:
    """Return metadata as a JSON value, which `accord.contracts.reading.read_metadata` reads."""
    return _given(
        {
            "tags": {path: list(tags) for path, tags in metadata.tags},
            "properties": dict(metadata.properties),
            "sensitive": list(metadata.sensitive),
        }
    )


def rule_set_data(rule_set: RuleSet) -> Json:
    """Return a rule set as a JSON value, which `accord.contracts.reading.read_rule_set` reads."""
    return _given(
        {
            "migrationRules": [_rule(one) for one in rule_set.migration],
            "domainRules": [_rule(one) for one in rule_set.domain],
            "encodingRules": [_rule(one) for one in rule_set.encoding],
            "enableAt": None if rule_set.enable_at is None else str(rule_set.enable_at),
        }
    )


def schema_tags_data(found: Iterable[SchemaTags]) -> list[Json]:
    """Return tags as a JSON value, which `accord.contracts.reading.read_schema_tags` reads."""
    return [
        {
            "schemaEntity": {"entityPath": one.entity.path, "entityType": str(one.entity.type)},
            "tags": list(one.tags),
        }
        for one in found
    ]


def _rule(rule: ContractRule) -> Json:
    given = {
        "name": rule.name,
        "doc": rule.doc,
        "kind": str(rule.kind),
        "mode": str(rule.mode),
        "type": rule.type,
        "tags": list(rule.tags),
        "params": dict(rule.params),
        "expr": rule.expr,
        "onSuccess": rule.on_success,
        "onFailure": rule.on_failure,
    }
    # The one member that is written whatever it says.
    return {**_given(given), "disabled": rule.disabled}


def _given(members: Json) -> Json:
    return {name: value for name, value in members.items() if value}
