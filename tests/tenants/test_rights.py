"""The table of rights, the ladder of roles, the presets."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tenants import rights
from tenants.errors import UnknownRight
from tenants.rights import NEVER_PRESET, PRESETS, RIGHTS, ROLES, SEEN_FROM_BELOW, Preset, Reach

LADDER = ["viewer", "developer", "steward", "editor", "admin"]
# The actions of a token as the specification lists them.
ACTIONS = {
    "subject.list", "subject.read", "subject.write", "subject.delete", "subject.purge", "schema.read",
    "compat.check", "config.read", "config.write", "mode.read", "mode.write", "policy.write", "check.skip",
    "reference.use", "desc.read", "desc.write", "version.promote", "namespace.read", "namespace.manage",
    "token.manage", "audit.read", "export", "import",
}  # fmt: skip
ADDED = ["waiver", "member", "role", "policy", "webhook", "job", "quota", "proposal", "tenant"]
SCHEMA_TEXT = {"subject.read", "schema.read", "desc.read", "export"}


def test_every_specified_action_is_a_right() -> None:
    assert RIGHTS.keys() >= ACTIONS


@pytest.mark.parametrize("thing", ADDED)
def test_every_added_thing_has_a_right_to_read_and_one_to_change(thing: str) -> None:
    names = {name.partition(".")[2] for name in RIGHTS if name.startswith(f"{thing}.")}

    assert "read" in names
    assert names & {"write", "manage"}


def test_names_and_meanings_are_unique() -> None:
    assert len({right.meaning for right in RIGHTS.values()}) == len(RIGHTS) == len(rights.ROWS)


@pytest.mark.parametrize(("lower", "higher"), list(pairwise(LADDER)))
def test_each_role_of_the_ladder_is_really_above_the_one_before(lower: str, higher: str) -> None:
    assert rights.rights_in(lower) < rights.rights_in(higher)


def test_there_are_six_roles_and_admin_holds_every_right() -> None:
    assert set(ROLES) == {"auditor", *LADDER}
    assert rights.rights_in("admin") == RIGHTS.keys()


def test_an_auditor_sees_no_schema_text_and_the_audit_log() -> None:
    assert not rights.rights_in("auditor") & SCHEMA_TEXT
    assert "audit.read" in rights.rights_in("auditor")


@pytest.mark.parametrize(
    "right", ["namespace.manage", "token.manage", "member.manage", "import", "check.skip"]
)
def test_what_can_undo_the_house_needs_an_admin(right: str) -> None:
    assert rights.roles_with(right) == ("admin",)


@pytest.mark.parametrize(
    ("right", "lowest"),
    [
        ("subject.read", "viewer"),
        ("subject.write", "developer"),
        ("compat.check", "developer"),
        ("policy.write", "steward"),
        ("subject.delete", "editor"),
    ],
)
def test_each_right_starts_at_its_rung(right: str, lowest: str) -> None:
    assert rights.roles_with(right) == tuple(LADDER[LADDER.index(lowest) :])


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_presets_hold_known_rights_and_nothing_dangerous(preset: Preset) -> None:
    assert rights.known(preset.rights) == preset.rights
    assert not preset.rights & NEVER_PRESET
    assert all(RIGHTS[name].reach < Reach.TENANT for name in preset.rights)


def test_the_small_presets_are_exactly_as_specified() -> None:
    assert PRESETS["consumer"].rights == {"schema.read", "subject.read"}
    assert PRESETS["producer"].rights == {"schema.read", "subject.read", "subject.write", "compat.check"}
    assert PRESETS["ci-check"].rights == {"subject.read", "compat.check", "config.read"}


def test_what_is_seen_from_below_only_reads() -> None:
    assert all(name.endswith(".read") for name in SEEN_FROM_BELOW)


def test_a_custom_role_holds_the_rights_this_release_knows() -> None:
    assert rights.rights_in("owner", frozenset({"subject.read", "subject.dream"})) == {"subject.read"}
    assert rights.rights_in("viewer", frozenset(RIGHTS)) == ROLES["viewer"].rights


def test_unknown_names_are_refused_by_name() -> None:
    assert not rights.rights_in("owner")
    with pytest.raises(UnknownRight, match=r"'a\.b'"):
        rights.known(frozenset({"subject.read", "z.z", "a.b"}))
