"""What is copied is put back: nothing twice, nothing over what is there, and it goes on where it ended."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from accord.client import RegistryClient, RegistryUnavailable
from accord.naming import split_subject
from accord.transfer import Effort, Outcome, Pair, apply, compare, plan, read, write
from accord.transfer.records import CopiedPlace
from tests.accord.transfer.conftest import QUICK, copy_of, filled
from tests.accord.transfer.small_registry import Gaps, Refused

if TYPE_CHECKING:
    from accord.transfer import Comparison, Copy
    from tests.accord.client.stand_in import Asked
    from tests.accord.transfer.conftest import Make
    from tests.accord.transfer.small_registry import SmallRegistry

BACKWARD, FULL = '{"compatibilityLevel": "BACKWARD"}', '{"compatibilityLevel": "FULL"}'
RECORD = '{"type":"record","name":"R","fields":[]}'
SPACED = RECORD.replace(":", ": ")


def moved(source: Copy, target: SmallRegistry, *, has_modes: bool = True) -> Outcome:
    """Import a copy into a registry."""
    told: list[tuple[int, int]] = []
    with copy_of(target) as there, RegistryClient(target.url, settings=QUICK) as client:
        pair = Pair(source, there)
        made = plan(pair)
        assert made.clashes == []
        effort = Effort(client, 3, has_modes, lambda done, total: told.append((done, total)))
        outcome = apply(pair, made, effort)
    steps = len(made.register) + len(made.delete)
    assert sorted(told) == [(done + 1, steps) for done in range(steps)]
    return outcome


def compared(source: Copy, target: SmallRegistry, *, has_modes: bool = True) -> Comparison:
    with copy_of(target) as there:
        return compare(Pair(source, there), has_modes=has_modes)


def clashes(source: SmallRegistry, target: SmallRegistry) -> list[str]:
    with copy_of(source) as given, copy_of(target) as there:
        return plan(Pair(given, there)).clashes


def test_everything_arrives_and_a_second_run_changes_nothing(make: Make) -> None:
    target = make()
    target.hold("own", 1, id=99)
    with copy_of(filled(make())) as source:
        first = moved(source, target)
        assert (first.registered, first.deleted, first.configs, first.modes) == (7, 2, 2, 3)
        told = compared(source, target)
        assert (told.differences, told.respelled) == ((), 0)
        assert told.source_sha256 == told.target_sha256
        asked = len(target.asked)
        assert moved(source, target).changes == 0
        assert {one.method for one in target.asked[asked:]} == {"GET"}
    assert target.mode == {split_subject("half"): "READONLY", split_subject(""): "READWRITE"}


def test_both_sides_export_the_same_bytes(make: Make) -> None:
    target, streams = make(), (BytesIO(), BytesIO())
    with copy_of(filled(make(Gaps(members=frozenset({"guid"}))))) as source:
        moved(source, target)
        write(source, streams[0])
    with copy_of(target) as there:
        write(there, streams[1])
    assert streams[0].getvalue() == streams[1].getvalue()
    streams[0].seek(0)
    with read(streams[0]) as source:
        told = compared(source, target)
        assert (told.source_sha256, told.differences) == (told.target_sha256, ())


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
@pytest.mark.parametrize("after", [1, 2])
def test_an_import_that_breaks_off_goes_on(make: Make, method: str, after: int) -> None:
    target, count = make(), [0]

    def break_off(asked: Asked) -> None:
        count[0] += asked.method == method
        if count[0] > after:
            raise Refused(503, 503)

    target.before = break_off
    with copy_of(filled(make())) as source:
        with pytest.raises(RegistryUnavailable):
            moved(source, target)
        target.before = lambda asked: None
        rest = moved(source, target)
        assert rest.registered + rest.deleted <= 9
        told = compared(source, target)
        assert told.differences == ()


def test_what_is_referred_to_comes_first_and_goes_last(make: Make) -> None:
    source = make()
    for number in range(6):
        refers = [{"name": "n", "subject": f"s{number + 1}", "version": 1}] if number < 5 else []
        source.hold(f"s{number}", 1, id=number + 1, references=refers, deleted=True)
    target = make()
    with copy_of(source) as given:
        moved(given, target)
    for method, expected in (("POST", "543210"), ("DELETE", "012345")):
        paths = [one.target for one in target.asked if one.method == method]
        assert "".join(path.split("/")[2][1] for path in paths) == expected


def test_modes_may_be_left_out_and_what_took_imports_opens_again(make: Make) -> None:
    source, target = make(), make()
    source.hold("s", 1, id=1)
    source.hold(":.c:s", 1, id=1)
    source.mode[split_subject("")] = "READONLY"
    target.mode = {split_subject(""): "IMPORT", split_subject("s"): "READONLY", split_subject("x"): "IMPORT"}
    with copy_of(source) as given:
        moved(given, target, has_modes=False)
    assert target.mode == {
        split_subject(""): "READWRITE",
        split_subject("s"): "READONLY",
        split_subject("x"): "IMPORT",
    }


def test_configs_are_replaced_as_a_whole(make: Make) -> None:
    source, target = make(), make()
    place = split_subject("s")
    for registry in (source, target):
        registry.hold("s", 1, id=1)
    source.config[place] = {"compatibilityLevel": "FULL", "normalize": True}
    target.config[place] = {"compatibilityLevel": "NONE", "alias": "other"}
    with copy_of(source) as given:
        assert moved(given, target).configs == 1
    assert target.config[place] == {"compatibilityLevel": "FULL", "normalize": True}


def test_an_empty_config_is_not_none(make: Make) -> None:
    """It keeps what is above it from counting."""
    source, target = make(), make()
    place = split_subject("s")
    source.hold("s", 1, id=1)
    source.config[place] = {}
    with copy_of(source) as given:
        assert moved(given, target).configs == 1
        assert target.config[place] == {}
        with copy_of(target) as there:
            assert compare(Pair(given, there), has_modes=True).differences == ()
            there.add_place(CopiedPlace(place))
            told = compare(Pair(given, there), has_modes=True).differences
    assert told == ("s has the config null instead of {}",)


def test_what_is_refused_is_told_and_the_rest_goes_on(make: Make) -> None:
    target = make()

    def refuse(asked: Asked) -> None:
        if asked.method == "POST" and "/a/" in asked.target:
            raise Refused(422, 42201, "not a schema")

    target.before = refuse
    with copy_of(filled(make())) as source:
        outcome = moved(source, target)
        assert outcome.registered == 5
        assert sorted(outcome.refused) == [
            "a version 1: not a schema (HTTP 422, code 42201)",
            "a version 2: not a schema (HTTP 422, code 42201)",
        ]
        told = compared(source, target)
    assert [one for one in told.differences if "missing" in one] == [
        "a version 1 is missing",
        "a version 2 is missing",
    ]


def test_what_is_in_the_way_is_told(make: Make) -> None:
    source, target = make(), make()
    source.hold("s", 1, id=1, schema=RECORD)
    source.hold("s", 2, id=2, schema='"int"')
    source.hold("s", 3, id=3, schema='"long"')
    source.hold("t", 1, id=7, schema='"long"', references=[{"name": "n", "subject": "no", "version": 1}])
    source.hold("u", 1, id=8, references=[{"name": "n", "subject": "s", "version": 3}])
    source.hold("v", 1, id=9)
    target.hold("s", 1, id=5, schema=SPACED)
    target.hold("s", 2, id=2, schema='"bytes"')
    target.hold("s", 3, id=3, schema='"long"', deleted=True)
    target.hold("other", 1, id=7, schema='"int"')
    target.hold("v", 2, id=20)
    target.config[split_subject("v")] = {"alias": "w"}
    assert clashes(source, target) == [
        "s version 1 has the id 5 there, and would have 1",
        "s version 2 is another schema there",
        "s version 3 is deleted there, and would not be",
        "t version 1 has the id 7, which is another schema's there, that of other version 1",
        "t version 1 refers to no version 1, which is neither copied nor there",
        "u version 1 refers to s version 3, which is deleted there; restore it first",
        "v is an alias there; take the alias off first",
    ]


def test_one_schema_may_have_its_id_in_several_subjects(make: Make) -> None:
    source, target = make(), make()
    source.hold("s", 1, id=1, schema=RECORD)
    target.hold("t", 1, id=1, schema=SPACED)
    assert clashes(source, target) == []


REFERS = [{"name": "R", "subject": "r", "version": 1}]
USER = '{"type":"record","name":"U","fields":[{"name":"r","type":"R"}]}'
SPELLINGS: list[tuple[dict[str, object], dict[str, object], bool]] = [
    ({"schema": RECORD}, {"schema": SPACED}, True),
    ({"schema": RECORD}, {"schema": RECORD, "metadata": {"tags": {}}}, True),
    ({"schema": RECORD}, {"schema": RECORD, "metadata": {"properties": {"a": "b"}}}, False),
    ({"schema": RECORD, "metadata": {"tags": 1}}, {"schema": RECORD}, False),
    ({"schema": RECORD}, {"schema": RECORD, "schemaType": "JSON"}, False),
    ({"schema": "{}", "schemaType": "ODD"}, {"schema": "{ }", "schemaType": "ODD"}, False),
    ({"schema": "{"}, {"schema": "{ "}, False),
    ({"schema": USER, "references": REFERS}, {"schema": f" {USER}", "references": REFERS}, True),
    ({"schema": USER, "references": REFERS}, {"schema": USER, "references": []}, False),
    (
        {"schema": USER, "references": [{**REFERS[0], "subject": "none"}]},
        {"schema": f" {USER}", "references": [{**REFERS[0], "subject": "none"}]},
        False,
    ),
]


@pytest.mark.parametrize(("given", "held", "is_same"), SPELLINGS)
def test_another_spelling_is_no_difference(
    make: Make, given: dict[str, object], held: dict[str, object], is_same: bool
) -> None:
    source, target = make(), make()
    for registry, document in ((source, given), (target, held)):
        registry.hold("r", 1, id=1, schema=RECORD)
        registry.hold("s", 1, id=2, **document)
    with copy_of(source) as one:
        told = compared(one, target)
    assert (told.differences == (), told.respelled) == (is_same, int(is_same))


def test_differences_are_told_by_name(make: Make) -> None:
    source, target = make(), make()
    for registry, guid in ((source, "0"), (target, "1")):
        registry.hold("guid", 1, id=1, guid=guid)
        registry.hold("one", 1, id=2, **({"guid": guid} if guid == "1" else {}))
    source.hold("s", 1, id=3)
    source.hold("s", 2, id=4)
    source.hold("s", 3, id=5, deleted=True)
    target.hold("s", 2, id=6)
    target.hold("s", 3, id=5)
    source.hold("t", 1, id=7)
    target.hold("t", 1, id=7, deleted=True)
    source.mode[split_subject("t")] = "READONLY"
    source.config[split_subject("")] = {"compatibilityLevel": "FULL"}
    with copy_of(source) as given:
        told = compared(given, target)
        assert told.differences == (
            "guid version 1 has the GUID 1 instead of 0",
            "s version 1 is missing",
            "s version 2 has the id 6 instead of 4",
            "s version 3 is not deleted",
            "t version 1 is deleted",
            f"the top level has the config {BACKWARD} instead of {FULL}",
            "t has the mode None instead of READONLY",
        )
        assert told.source_sha256 != told.target_sha256
        assert len(compared(given, target, has_modes=False).differences) == 6
