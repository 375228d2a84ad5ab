"""The next version of a schema with other tags, metadata or rules, and the same text otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.contracts.merging import merge_rule_sets, without_rules
from accord.contracts.reading import require_sound
from accord.errors import InvalidRuleSet
from accord.model import Contract, RuleSet, SchemaText
from accord.naming import validate_new_subject
from registry.queries.versions import get_version
from registry.records import RegisterVersion
from registry.services.registration import register_version

if TYPE_CHECKING:
    from accord_server.kit.scope import Scope
    from registry.records import RegisteredVersion, TagVersion

ONE_WAY = "ruleSet should be omitted if specifying rulesToMerge or rulesToRemove"


def tag_version(scope: Scope, command: TagVersion) -> RegisteredVersion:
    """Register a version's schema again with what the command changes.

    Raises:
        InvalidRuleSet: The rules do not go together, or are told in two ways.
        InvalidSubject: Nothing can be registered under the name.
        SubjectNotFound, VersionNotFound: There is no such version, or none that may be seen.
        InvalidSchema: Tags are asked for where the schema has nothing to tag.
        What else `register_version` raises.
    """
    if command.contract.rule_set is not None and (command.merged is not None or command.dropped):
        raise InvalidRuleSet(ONE_WAY)
    validate_new_subject(command.subject)
    # One of this name in another context is for reading.
    schema = get_version(scope, command.subject, command.version, anywhere=False).schema
    registration = RegisterVersion(
        command.subject,
        SchemaText(schema.format, schema.text, schema.references),
        number=command.number,
        contract=_contract(schema.contract, command),
        tags=command.tags,
    )
    return register_version(scope, registration)


def _contract(known: Contract, command: TagVersion) -> Contract:
    given = command.contract
    metadata = known.metadata if given.metadata is None else given.metadata
    rule_set = _rule_set(known.rule_set, command) if given.rule_set is None else given.rule_set
    contract = Contract(metadata, rule_set)
    require_sound(contract)
    return contract


def _rule_set(known: RuleSet | None, command: TagVersion) -> RuleSet | None:
    if command.merged is None and not command.dropped:
        return known
    merged = merge_rule_sets(known or RuleSet(), command.merged or RuleSet())
    return without_rules(merged, command.dropped)
