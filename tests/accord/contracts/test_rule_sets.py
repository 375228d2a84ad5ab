"""What a rule set must keep to."""

from __future__ import annotations

from typing import Any

import pytest

from accord.contracts.reading import read_rule_set
from accord.errors import InvalidRuleSet

GOOD = {"name": "r_1-x", "type": "CEL"}


def rules(**members: Any) -> dict[str, Any]:
    """A rule set of one domain rule."""
    return {"domainRules": [{**GOOD, **members}]}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"domainRules": [GOOD, GOOD]}, "Found rule with duplicate name 'r_1-x'"),
        (
            {"migrationRules": [{**GOOD, "mode": "UPGRADE"}], "encodingRules": [GOOD]},
            "Found rule with duplicate name 'r_1-x'",
        ),
        ({"migrationRules": [GOOD]}, "Migration rules can only be UPGRADE, DOWNGRADE, UPDOWN"),
        (rules(mode="UPGRADE"), "Domain rules can only be WRITE, READ, WRITEREAD"),
        (
            {"encodingRules": [{**GOOD, "mode": "UPDOWN"}]},
            "Encoding rules can only be WRITE, READ, WRITEREAD",
        ),
        (rules(name=None), "Missing rule name"),
        (rules(name=""), "Empty rule name"),
        (rules(name="r" * 257), "Rule name too long"),
        (rules(name="1r"), "Illegal initial character in rule name: 1r"),
        (rules(name="r r"), "Illegal character in rule name: r r"),
        (rules(type=None), "Missing rule type"),
        (rules(type=""), "Missing rule type"),
        (rules(mode="READ", onSuccess="NONE,DLQ"), "Multiple actions only valid with WRITEREAD and UPDOWN"),
        (rules(mode="WRITE", onFailure="NONE,DLQ"), "Multiple actions only valid with WRITEREAD and UPDOWN"),
    ],
)
def test_a_rule_set_that_clients_could_not_run_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InvalidRuleSet) as refused:
        read_rule_set(value)
    assert refused.value.message == message


@pytest.mark.parametrize(
    "value",
    [
        rules(name="_" + "r" * 255),
        rules(name="\N{LATIN SMALL LETTER E WITH ACUTE}"),
        rules(onSuccess="NONE,DLQ"),
        {"migrationRules": [{**GOOD, "mode": "UPDOWN", "onFailure": "NONE,DLQ"}]},
        {"encodingRules": [{**GOOD, "mode": "READ", "onFailure": "DLQ"}]},
    ],
)
def test_a_rule_set_that_clients_can_run_is_taken(value: Any) -> None:
    assert read_rule_set(value) is not None
