"""What a new schema carries, and what it stands for."""

from __future__ import annotations

import pytest

from accord.contracts.comparing import is_same_group, stands_for
from accord.contracts.merging import (
    NO_SETTINGS,
    VERSION,
    ContractSettings,
    completed,
    inherited,
    merge_metadata,
    merge_rule_sets,
    with_version,
)
from accord.model import (
    NO_CONTRACT,
    Contract,
    ContractRule,
    Metadata,
    RuleMode,
    RulesEnabledAt,
    RuleSet,
)


def props(**properties: str) -> Contract:
    """A contract of properties alone."""
    return Contract(Metadata(properties=tuple(sorted(properties.items()))))


def ruled(*names: str, doc: str = "") -> Contract:
    """A contract of domain rules alone."""
    return Contract(None, RuleSet(domain=tuple(ContractRule(name, "CEL", doc=doc) for name in names)))


def at(number: str) -> Contract:
    """A contract that names a version."""
    return Contract(Metadata(properties=((VERSION, number),)))


def test_defaults_are_below_and_overrides_above_what_was_sent() -> None:
    settings = ContractSettings(props(a="default", b="default"), props(c="override"))
    assert not settings.is_empty
    found = completed(props(b="sent", c="sent"), props(d="latest"), settings)
    assert found == props(a="default", b="sent", c="override")


def test_the_latest_version_hands_on_what_was_not_sent() -> None:
    latest = Contract(props(d="latest").metadata, ruled("r").rule_set)
    assert inherited(NO_CONTRACT, latest) == latest
    assert inherited(props(a="sent"), latest) == Contract(props(a="sent").metadata, latest.rule_set)
    assert inherited(Contract(Metadata(), RuleSet()), latest) == Contract(Metadata(), RuleSet())
    settings = ContractSettings(props(a="default"))
    assert completed(NO_CONTRACT, props(d="latest"), settings) == props(a="default", d="latest")
    assert completed(NO_CONTRACT, NO_CONTRACT) == NO_CONTRACT
    assert NO_SETTINGS.is_empty


def test_members_are_merged_by_key() -> None:
    older = Metadata((("a", ("1",)), ("b", ("1",))), (("k", "1"),), ("x",))
    newer = Metadata((("b", ("2",)),), (("j", "2"), ("k", "2")), ("w", "x"))
    merged = Metadata((("a", ("1",)), ("b", ("2",))), (("j", "2"), ("k", "2")), ("w", "x"))
    assert merge_metadata(older, newer) == merged


def test_rules_are_merged_by_name_and_newer_ones_follow() -> None:
    found = completed(ruled("b", doc="sent"), NO_CONTRACT, ContractSettings(ruled("a", "b"), ruled("c")))
    assert found.rule_set is not None
    assert [(rule.name, rule.doc) for rule in found.rule_set.domain] == [("a", ""), ("b", "sent"), ("c", "")]


@pytest.mark.parametrize(
    ("older", "newer", "merged"),
    [(None, None, None), ("ALL", None, "ALL"), ("ALL", "NONE", "NONE"), (None, "CLIENT", "CLIENT")],
)
def test_the_newer_one_says_where_rules_run(older: str | None, newer: str | None, merged: str | None) -> None:
    up = ContractRule("up", "JSONATA", mode=RuleMode.UPGRADE)
    code = ContractRule("code", "ENCRYPT_PAYLOAD")
    sides = (
        RuleSet(enable_at=None if one is None else RulesEnabledAt(one), migration=m, encoding=e)
        for one, m, e in ((older, (up,), ()), (newer, (), (code,)))
    )
    found = merge_rule_sets(*sides)
    assert (found.enable_at, found.migration, found.encoding) == (merged, (up,), (code,))


def test_a_contract_can_name_its_version() -> None:
    assert with_version(NO_CONTRACT, 2) == at("2")
    assert with_version(at("-1"), 3) == at("3")
    kept = with_version(props(z="1"), 3)
    assert (kept.properties, list(kept.properties)) == ({"z": "1", VERSION: "3"}, [VERSION, "z"])


@pytest.mark.parametrize(
    ("new", "known", "number", "is_found"),
    [
        (NO_CONTRACT, NO_CONTRACT, 1, True),
        (Contract(Metadata(), RuleSet()), NO_CONTRACT, 1, True),
        (NO_CONTRACT, at("2"), 2, True),
        (at("2"), at("2"), 7, True),
        (at("1"), NO_CONTRACT, 1, True),
        (at("-1"), at("2"), 2, False),
        (at("2"), at("1"), 1, False),
        (props(a="1"), NO_CONTRACT, 1, False),
        (NO_CONTRACT, props(a="1"), 1, False),
        (ruled("a"), ruled("a"), 1, True),
        (ruled("a"), NO_CONTRACT, 1, False),
    ],
)
def test_when_a_version_may_stand_for_what_is_looked_up(
    new: Contract,
    known: Contract,
    number: int,
    is_found: bool,
) -> None:
    assert stands_for(new, known, number) is is_found


def test_a_group_is_made_of_those_who_agree_or_lack_it() -> None:
    assert is_same_group(props(major="1"), props(major="1", x="y"), "major")
    assert not is_same_group(props(major="1"), props(major="2"), "major")
    assert is_same_group(NO_CONTRACT, props(x="y"), "major")
    assert not is_same_group(NO_CONTRACT, props(major=""), "major")
