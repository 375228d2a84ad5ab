"""The policy in force: nearest first, value by value, each with where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import InvalidPolicy
from accord.formats import Limits
from accord.formats.elements import ElementKind
from accord.model import Bound, Format, Level, Severity, SubjectName
from accord.model.levels import CONFLUENT_LEVELS
from accord.policy.documents import JudgedAs, PolicyDocument
from accord.policy.effective import EffectivePolicy, Installation
from accord.policy.ignoring import NOTHING, Ignored
from accord.policy.inheritance import Binding, ConfigRecord, effective
from accord.policy.level_names import FROZEN
from accord.policy.origins import BindingPlace, Reach
from accord.policy.policies import Transform
from accord.rules.presets import PRESETS
from tests.accord.policy.documents.strategies import documents, sections
from tests.accord.strategies import SLOW_MACHINE

if TYPE_CHECKING:
    from accord.policy.documents.model import Section

SUBJECT = SubjectName("orders-eu-value")
TENANT = BindingPlace(Reach.TENANT, "north")
NAMESPACE = BindingPlace(Reach.NAMESPACE, "shop")
PREFIX = BindingPlace(Reach.PREFIX, "orders-")
LONGER = BindingPlace(Reach.PREFIX, "orders-eu-")
OWN = BindingPlace(Reach.SUBJECT, "orders-eu-value")
PLACES = (TENANT, NAMESPACE, PREFIX, LONGER, OWN)


def bound(place: BindingPlace, section: Section, **formats: Section) -> Binding:
    """A policy bound to a place; sections of formats by their names on the wire."""
    held = {Format(name): values for name, values in formats.items()}
    return Binding(place, 3, PolicyDocument(f"at-{place.reach.name.lower()}", "", section, held))


def in_force(
    *bindings: Binding, record: ConfigRecord | None = None, house: Installation | None = None
) -> EffectivePolicy:
    """The policy in force for the subject of these tests, in Avro."""
    return effective(bindings, Format.AVRO, subject=SUBJECT, record=record, installation=house)


def test_nothing_set_is_what_the_installation_says() -> None:
    found = in_force()
    assert found.policy.level == CONFLUENT_LEVELS["BACKWARD"]
    assert (found.preset.value, str(found.preset.origin)) == ("confluent:8.1", "installation default")
    assert (found.locked.value, found.transform.value, found.require_closed.value) == (False, "none", False)
    assert (found.normalize.value, found.group.value, found.strictness.value) == (False, None, None)
    assert found.requirements.limits == found.limits == Limits()


@pytest.mark.parametrize("nearest", range(5))
def test_the_nearest_place_wins(nearest: int) -> None:
    bindings = [bound(place, {"limits.depth": 10 + at}) for at, place in enumerate(PLACES[: nearest + 1])]
    found = in_force(*reversed(bindings)).values["limits.depth"]
    assert found.value == 10 + nearest
    assert found.origin.place is PLACES[nearest]


def test_an_origin_names_policy_version_section_and_place() -> None:
    found = in_force(bound(PREFIX, {"locked": True}, AVRO={"preset": "accord"}))
    assert found.preset.value == "accord:1"
    assert str(found.preset.origin) == (
        "policy at-prefix, version 3, formats.avro, bound to subject prefix orders-"
    )
    assert str(found.locked.origin).endswith("default, bound to subject prefix orders-")


def test_a_nearer_default_wins_over_a_farther_format() -> None:
    tenant = bound(TENANT, {"preset": "confluent:8.1"}, AVRO={"preset": "accord:1"}, JSON={"locked": True})
    assert in_force(tenant).preset.value == "accord:1"
    assert in_force(tenant, bound(NAMESPACE, {"preset": "confluent:8.1"})).preset.value == "confluent:8.1"
    assert not in_force(tenant).locked.value


def test_places_that_do_not_cover_the_subject_are_passed_over() -> None:
    elsewhere = (BindingPlace(Reach.PREFIX, "pay"), BindingPlace(Reach.SUBJECT, "orders-eu"))
    assert in_force(*(bound(place, {"locked": True}) for place in elsewhere)).locked.value is False
    other = SubjectName("orders-x", ".ctx")
    assert not PREFIX.covers(other)
    assert BindingPlace(Reach.PREFIX, ":.ctx:orders").covers(other)
    assert str(TENANT) == "tenant north"


def test_two_policies_at_one_place_are_refused() -> None:
    with pytest.raises(InvalidPolicy, match="two policies are bound to subject prefix orders-"):
        in_force(bound(PREFIX, {}), bound(PREFIX, {}))


def test_a_config_record_decides_the_level_unless_it_is_locked() -> None:
    tenant = {"level": CONFLUENT_LEVELS["FULL"]}
    record = ConfigRecord("subject orders-eu-value", CONFLUENT_LEVELS["NONE"], normalize=True, group="g")
    found = in_force(bound(TENANT, tenant), record=record)
    assert found.level.value == CONFLUENT_LEVELS["NONE"]
    assert str(found.level.origin) == "Confluent config, subject orders-eu-value"
    assert (found.normalize.value, found.group.value) == (True, "g")
    locked = in_force(bound(TENANT, {**tenant, "locked": True}), record=record)
    assert locked.level.value == CONFLUENT_LEVELS["FULL"]
    assert locked.level.origin.policy == locked.locked.origin.policy == "at-tenant"
    assert locked.normalize.value


def test_a_record_without_level_leaves_it_to_the_policies() -> None:
    record = ConfigRecord("global", strictness="LENIENT", validate_fields=True)
    found = in_force(bound(TENANT, {"level": FROZEN}), record=record)
    assert found.level.value == FROZEN
    assert (found.strictness.value, found.validate_fields.value) == ("LENIENT", True)
    assert str(found.strictness.origin) == "Confluent config, global"
    assert found.normalize.origin.scope == ""


def test_a_limit_never_exceeds_the_installations() -> None:
    tenant = bound(TENANT, {"limits.bytes": 500, "limits.depth": 20})
    found = in_force(tenant, house=Installation(limits=Limits(text_bytes=400, nodes=7)))
    assert found.limits == Limits(text_bytes=400, nodes=7, depth=20)
    assert str(found.values["limits.bytes"].origin) == "installation default"
    assert found.values["limits.depth"].origin.policy == "at-tenant"


def test_rules_are_set_replaced_and_shadowed() -> None:
    section: Section = {
        "also_warns": "accord:1",
        "rules.TYPE_MISMATCH": Severity.WARN,
        "rules.NAME_MISMATCH": JudgedAs("TYPE_MISMATCH"),
        "rules.NAMESPACE_CHANGED": Severity.INFO,
        "rules.CHECK_TOO_LARGE": Severity.OFF,
        "rules.NO_LONGER_THERE": Severity.OFF,
        "rules.FROZEN.parameters.ignore": ("/",),
        "rules.NO_LONGER_THERE.parameters.ignore": ("/",),
    }
    found = in_force(bound(TENANT, section), bound(NAMESPACE, {"preset": "confluent:8.1"}))
    weights = {rule: found.severity(rule) for rule in PRESETS["confluent:8.1"]}
    assert weights["TYPE_MISMATCH"].value is weights["NAME_MISMATCH"].value is Severity.WARN
    assert weights["NAMESPACE_CHANGED"].value is Severity.INFO
    assert weights["LOGICAL_TYPE_CHANGED"].value is Severity.WARN
    assert weights["CHECK_TOO_LARGE"].value is Severity.BLOCK
    origins = {rule: weights[rule].origin.policy for rule in weights}
    assert origins["LOGICAL_TYPE_CHANGED"] == origins["NAME_MISMATCH"] == "at-tenant"
    assert origins["CHECK_TOO_LARGE"] == origins["FROZEN"] == "at-namespace"
    assert found.parameters("FROZEN")["ignore"].value == ("/",)
    assert found.policy.ignored_places == {}


def test_ignored_places_are_inherited_by_rule_and_taken_back_by_the_empty_list() -> None:
    name = "rules.TYPE_MISMATCH.parameters.ignore"
    tenant: Section = {name: ("/a",), "rules.NAME_MISMATCH.parameters.ignore": ("/b",)}
    found = in_force(
        bound(TENANT, tenant), bound(NAMESPACE, {name: (), "rules.TYPE_MISMATCH": Severity.WARN})
    )
    assert found.policy.ignored_places == {"NAME_MISMATCH": ("/b",)}
    assert found.values[name].origin.policy == "at-namespace"
    assert in_force(bound(TENANT, tenant)).policy.ignored_places["TYPE_MISMATCH"] == ("/a",)


def test_files_and_packages_are_ignored_in_protobuf() -> None:
    section: Section = {"ignored.paths": ("vendor",), "ignored.unstable_packages": True}
    found = effective([bound(TENANT, {}, PROTOBUF=section)], Format.PROTOBUF, subject=SUBJECT)
    assert found.policy.ignored == Ignored(("vendor",), (), unstable=True)
    assert in_force().policy.ignored == NOTHING


def test_who_asks_for_something_is_named() -> None:
    asked: Section = {"naming.severity": Severity.WARN, "naming.types": "x", "limits.fields": 3}
    found = in_force(bound(TENANT, asked), bound(NAMESPACE, {"level": FROZEN, "naming.fields": "y"}))

    def who(rule: str) -> list[str]:
        return [one.policy for one in found.asked_by(rule)]

    assert who("FROZEN") == ["at-namespace"]
    assert set(who("NAME_PATTERN")) == {"at-tenant", "at-namespace"}
    assert who("LIMIT_EXCEEDED") == ["at-tenant"]
    assert who("DOC_MISSING") == [""]
    assert who("TYPE_MISMATCH") == [found.preset.origin.policy]
    assert found.severity("NAME_PATTERN").value is Severity.WARN
    assert found.severity("NAME_PATTERN").origin.policy == "at-tenant"


def test_requirements_are_gathered() -> None:
    section: Section = {
        "naming.fields": "[a-z]+",
        "naming.severity": Severity.WARN,
        "required.docs": ("field", "enum"),
        "required.owners": ("owner",),
        "required.severity": Severity.INFO,
    }
    found = in_force(bound(TENANT, section)).requirements
    assert found.patterns == {"fields": "[a-z]+"}
    assert (found.naming_severity, found.required_severity) == (Severity.WARN, Severity.INFO)
    assert (found.docs, found.owners) == (frozenset({ElementKind.FIELD, ElementKind.ENUM}), ("owner",))


levels = st.none() | st.builds(Level, st.builds(Bound))
records = st.none() | st.builds(ConfigRecord, st.just("global"), levels, st.none() | st.booleans())
chains = st.lists(st.tuples(st.sampled_from(PLACES), documents), unique_by=lambda one: one[0], max_size=5)


@SLOW_MACHINE
@given(chains, sections(Format.AVRO), records)
def test_a_nearer_policy_changes_only_what_it_sets(
    chain: list[tuple[BindingPlace, PolicyDocument]], section: Section, record: ConfigRecord | None
) -> None:
    farther = [Binding(place, 1, document) for place, document in chain if place is not OWN]
    before = in_force(*farther, record=record)
    after = in_force(*farther, bound(OWN, {}, AVRO=section), record=record)
    # A lock also takes the level back from the config record.
    touched = section.keys() | ({"level"} if "locked" in section else set())
    changed = {name for name, one in after.values.items() if before.values.get(name) != one}
    assert changed <= touched
    assert before.values.keys() <= after.values.keys()


@SLOW_MACHINE
@given(st.permutations(PLACES), st.lists(documents, min_size=5, max_size=5), records)
def test_the_order_of_bindings_does_not_matter(
    order: list[BindingPlace], drawn: list[PolicyDocument], record: ConfigRecord | None
) -> None:
    bindings = {place: Binding(place, 1, document) for place, document in zip(PLACES, drawn, strict=True)}
    one = in_force(*bindings.values(), record=record)
    assert one == in_force(*(bindings[place] for place in order), record=record)
    assert one.policy.preset in PRESETS
    assert all(one.severity(rule).value in Severity for rule in PRESETS[one.preset.value])


@pytest.mark.parametrize(
    ("preset", "section", "weight"),
    [
        ("optional-friendly:1", {}, Severity.WARN),
        ("optional-friendly:1", {"transform.require_closed": True}, Severity.BLOCK),
        ("accord:queue-safe:1", {}, Severity.BLOCK),
        ("accord:queue-safe:1", {"transform.require_closed": False}, Severity.WARN),
    ],
)
def test_a_preset_brings_its_transform_along(preset: str, section: Section, weight: Severity) -> None:
    written = bound(TENANT, {"preset": preset}, JSON=section)
    found = effective([written], Format.JSON, subject=SUBJECT)
    assert (found.transform.value, found.transform.origin) == ("optional-friendly", found.preset.origin)
    assert found.severity("OBJECT_NOT_CLOSED").value is weight
    assert effective([written], Format.AVRO, subject=SUBJECT).transform.value == "none"


@pytest.mark.parametrize("is_required", [True, False])
def test_a_transform_says_how_much_an_open_object_weighs(
    monkeypatch: pytest.MonkeyPatch, is_required: object
) -> None:
    column = {**PRESETS["confluent:8.1"], "OBJECT_NOT_CLOSED": Severity.OFF}
    monkeypatch.setitem(PRESETS, "confluent:8.1", column)
    json: Section = {"transform.name": "optional-friendly", "transform.require_closed": bool(is_required)}
    found = effective([bound(TENANT, {}, JSON=json)], Format.JSON, subject=SUBJECT)
    weight = found.severity("OBJECT_NOT_CLOSED")
    assert weight.value is (Severity.BLOCK if is_required else Severity.WARN)
    assert weight.origin.policy == "at-tenant"
    assert found.policy.transform is Transform.OPTIONAL_FRIENDLY
    own = bound(TENANT, {"rules.OBJECT_NOT_CLOSED": Severity.INFO}, JSON=json)
    found = effective([own], Format.JSON, subject=SUBJECT)
    assert found.severity("OBJECT_NOT_CLOSED").value is Severity.INFO
    assert in_force(own).policy.transform is Transform.NONE
