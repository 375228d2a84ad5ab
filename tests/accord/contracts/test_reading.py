"""Metadata and rule sets out of whatever is sent, and back."""

from __future__ import annotations

from typing import Any

import pytest

from accord.contracts.limits import ContractLimits
from accord.contracts.reading import read_metadata, read_rule_set, require_sound, stored_contract
from accord.contracts.writing import metadata_data, rule_set_data
from accord.errors import ContractTooLarge, InvalidContract, InvalidRuleSet
from accord.model import (
    NO_CONTRACT,
    Contract,
    ContractRule,
    Metadata,
    RuleKind,
    RuleMode,
    RulesEnabledAt,
    RuleSet,
)

METADATA = {
    "tags": {"**.ssn": ["PII", "A", "PII"], "*.b": ["X"]},
    "properties": {"owner": "me", "count": 3, "is": True, "at\n": ""},
    "sensitive": ["owner"],
    "unknown": [],
}
RULES = {
    "migrationRules": [{"name": "up", "mode": "UPGRADE", "type": "JSONATA", "expr": "$", "doc": None}],
    "domainRules": [
        {
            "name": "check",
            "doc": "why",
            "kind": "CONDITION",
            "type": "CEL",
            "tags": ["B", "A"],
            "params": {"b": "2", "a": 1},
            "onSuccess": "NONE,ERROR",
            "onFailure": "DLQ",
            "disabled": True,
        }
    ],
    "enableAt": "CLIENT",
}


def test_metadata_are_sorted_and_scalars_become_texts() -> None:
    read = read_metadata(METADATA)
    assert read == Metadata(
        tags=(("**.ssn", ("A", "PII")), ("*.b", ("X",))),
        properties=(("at\n", ""), ("count", "3"), ("is", "true"), ("owner", "me")),
        sensitive=("owner",),
    )
    assert read is not None
    assert (read.value("owner"), read.value("none")) == ("me", None)
    assert read_metadata(metadata_data(read)) == read


def test_rules_have_their_defaults() -> None:
    read = read_rule_set(RULES)
    assert read == RuleSet(
        migration=(ContractRule("up", "JSONATA", mode=RuleMode.UPGRADE, expr="$"),),
        domain=(
            ContractRule(
                "check",
                "CEL",
                RuleKind.CONDITION,
                doc="why",
                tags=("A", "B"),
                params=(("a", "1"), ("b", "2")),
                on_success="NONE,ERROR",
                on_failure="DLQ",
                disabled=True,
            ),
        ),
        enable_at=RulesEnabledAt.CLIENT,
    )
    assert read is not None
    assert [one.name for one in read.rules] == ["up", "check"]
    assert read_rule_set(rule_set_data(read)) == read


def test_what_is_empty_is_left_out_when_it_is_written() -> None:
    assert (metadata_data(Metadata()), rule_set_data(RuleSet())) == ({}, {})
    (rule,) = rule_set_data(RuleSet(domain=(ContractRule("r", "CEL"),)))["domainRules"]
    assert rule == {"name": "r", "kind": "TRANSFORM", "mode": "WRITEREAD", "type": "CEL", "disabled": False}


def test_null_is_nothing() -> None:
    assert (read_metadata(None), read_rule_set(None)) == (None, None)
    assert stored_contract(None, None) == NO_CONTRACT
    assert read_metadata(dict.fromkeys(METADATA)) == Metadata()
    assert read_rule_set(dict.fromkeys(RULES)) == RuleSet()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "metadata must be an object"),
        ({"tags": []}, "metadata.tags must be an object"),
        ({"tags": {"a": "PII"}}, "metadata.tags.a must be an array"),
        ({"tags": {"a": [1]}}, "metadata.tags.a must be a string"),
        ({"properties": {"a": None}}, "metadata.properties.a must be a string"),
        ({"properties": {"a": 1.5}}, "metadata.properties.a must be a string"),
        ({"sensitive": "a"}, "metadata.sensitive must be an array"),
        ({"properties": {"a": "\0"}}, "metadata.properties.a holds a control character or half a character"),
        ({"properties": {"\ud800": ""}}, "metadata.properties holds a control character or half a character"),
    ],
)
def test_metadata_of_another_shape_are_refused_with_the_place(value: Any, message: str) -> None:
    with pytest.raises(InvalidContract) as refused:
        read_metadata(value)
    assert refused.value.message == message


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("x", "ruleSet must be an object"),
        ({"domainRules": {}}, "ruleSet.domainRules must be an array"),
        ({"domainRules": [1]}, "ruleSet.domainRules[0] must be an object"),
        ({"enableAt": "NOW"}, "ruleSet.enableAt must be one of ALL, CLIENT, GATEWAY, SERVER, NONE"),
        (
            {"domainRules": [{"name": "a", "kind": 1}]},
            "ruleSet.domainRules[0].kind must be one of TRANSFORM, CONDITION",
        ),
        (
            {"domainRules": [{"name": "a", "disabled": 1}]},
            "ruleSet.domainRules[0].disabled must be true or false",
        ),
        ({"domainRules": [{"name": "a", "expr": {}}]}, "ruleSet.domainRules[0].expr must be a string"),
    ],
)
def test_rules_of_another_shape_are_refused_with_the_place(value: Any, message: str) -> None:
    with pytest.raises(InvalidContract) as refused:
        read_rule_set(value)
    assert refused.value.message == message


def test_a_rule_without_a_name_is_refused_in_the_words_of_the_dialect() -> None:
    with pytest.raises(InvalidRuleSet, match=r"^Missing rule name$"):
        read_rule_set({"domainRules": [{"type": "CEL"}]})


def test_what_is_too_large_is_refused() -> None:
    limits = ContractLimits(characters=10, entries=3)
    assert read_metadata({"properties": {"abc": "1234567"}}, limits=limits) is not None
    with pytest.raises(ContractTooLarge, match="metadata is too large: more than 10 characters"):
        read_metadata({"properties": {"abc": "12345678"}}, limits=limits)
    with pytest.raises(ContractTooLarge, match="x is too large: more than 3 entries"):
        read_metadata({"tags": {"a": ["b", "c"]}, "sensitive": ["d"]}, "x", limits)


def test_what_was_put_together_is_held_against_the_same_limits() -> None:
    require_sound(NO_CONTRACT)
    many = tuple((f"p{number:04}", "") for number in range(1_001))
    with pytest.raises(ContractTooLarge, match="more than 1000 entries"):
        require_sound(Contract(Metadata(properties=many)))
    twice = ContractRule("r", "CEL")
    with pytest.raises(InvalidRuleSet, match="Found rule with duplicate name 'r'"):
        require_sound(Contract(None, RuleSet(domain=(twice,), encoding=(twice,))))


def test_what_is_stored_is_read_whatever_the_limits_are_now() -> None:
    many = {"properties": {f"p{number:04}": "" for number in range(1_001)}}
    read = stored_contract(many, {"domainRules": [{"name": "9", "type": "CEL"}]})
    assert (len(read.properties), read.rule_set) == (1_001, RuleSet(domain=(ContractRule("9", "CEL"),)))
