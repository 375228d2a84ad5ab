from __future__ import annotations

import pytest

from accord.errors import InvalidPolicy
from accord.model import Level, Severity
from accord.policy import Policy
from tests.accord.avro_texts import avro, record, verdict


def test_a_preset_gives_each_rule_its_weight() -> None:
    assert Policy(Level()).severity("LOGICAL_TYPE_CHANGED") is Severity.OFF
    assert Policy(Level(), preset="accord:1").severity("LOGICAL_TYPE_CHANGED") is Severity.WARN


def test_an_override_wins_over_the_preset() -> None:
    policy = Policy(Level(), overrides={"NAME_MISMATCH": Severity.OFF})
    assert policy.severity("NAME_MISMATCH") is Severity.OFF
    assert policy.severity("TYPE_MISMATCH") is Severity.BLOCK


def test_an_unknown_preset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        InvalidPolicy, match=r"there is no preset 'house'; use one of accord:1, accord:queue-safe:1"
    ):
        Policy(Level(), preset="house")


@pytest.mark.parametrize("rule", ["NO_SUCH_RULE", "CHECK_TOO_LARGE", "FROZEN"])
def test_some_rules_cannot_be_overridden(rule: str) -> None:
    with pytest.raises(InvalidPolicy, match=f"the rule '{rule}' cannot be overridden"):
        Policy(Level(), overrides={rule: Severity.WARN})


def test_the_house_preset_warns_where_confluent_is_silent() -> None:
    new = avro(record(("at", {"type": "long", "logicalType": "timestamp-micros"}), name="b.R"))
    old = avro(record(("at", "long"), name="a.R"))
    assert verdict(new, old).findings == ()
    warned = verdict(new, old, preset="accord:1")
    assert warned.is_allowed
    assert [finding.rule for finding in warned.findings] == ["NAMESPACE_CHANGED", "LOGICAL_TYPE_CHANGED"]
