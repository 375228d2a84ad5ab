"""A copy holds all that a registry has, whatever the registry lacks."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from accord.client import RegistryDenied, RegistryUnavailable, RegistryUnreadable
from accord.naming import split_subject
from accord.transfer import Copy, write
from accord.transfer.records import Key
from accord.transfer.writing import content_lines
from tests.accord.transfer.conftest import copy_of, filled
from tests.accord.transfer.small_registry import Gaps, Refused

if TYPE_CHECKING:
    from tests.accord.client.stand_in import Asked
    from tests.accord.transfer.conftest import Make
    from tests.accord.transfer.small_registry import SmallRegistry

NO_LIST = Gaps(calls=("/schemas",))
OLD = Gaps(members=frozenset({"deleted", "guid"}), has_pages=False)
EVERY_GAP = [Gaps(), NO_LIST, OLD, Gaps(("/schemas",), frozenset({"deleted"}))]


def exported(registry: SmallRegistry) -> list[dict[str, object]]:
    with copy_of(registry) as copy:
        return [json.loads(line) for line in content_lines(copy)]


def without_guids(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    return [{name: value for name, value in line.items() if name != "guid"} for line in lines]


@pytest.mark.parametrize("gaps", EVERY_GAP)
def test_a_registry_is_copied_whole_whatever_it_lacks(make: Make, gaps: Gaps) -> None:
    whole = exported(filled(make()))
    assert without_guids(exported(filled(make(gaps)))) == without_guids(whole)
    versions = [(one["context"], one["subject"], one["version"]) for one in whole if one["kind"] == "version"]
    assert versions == [
        *((".", "z-base", 1), (".", "a", 1), (".", "a", 2), (".", "gone", 1)),
        *((".", "half", 1), (".", "half", 2), (".other", "a", 1)),
    ]
    assert [one["subject"] for one in whole if one.get("deleted")] == ["gone", "half"]


def test_settings_of_every_place_are_copied(make: Make) -> None:
    with copy_of(filled(make())) as copy:
        told = {str(one.place): (one.config, one.mode) for one in copy.ordered_places()}
    level = "compatibilityLevel"
    assert list(told) == [":.__GLOBAL:", "", "a", "gone", "half", "z-base", ":.other:", ":.other:a"]
    assert told["a"] == ({level: "FULL"}, None)
    assert told[":.other:"] == ({level: "NONE"}, None)
    assert told["half"] == (None, "READONLY")
    assert told[""] == ({level: "BACKWARD"}, "READWRITE")


@pytest.mark.parametrize("is_silent", [False, True])
def test_a_registry_without_contexts_and_modes_says_so(make: Make, is_silent: bool) -> None:
    registry = make(Gaps(("/contexts", "/mode", "/schemas"), has_contexts=False, is_silent=is_silent))
    registry.hold("s", 1, id=1)
    stream = BytesIO()
    with copy_of(registry) as copy:
        told = write(copy, stream)
    first, version, *places, last = map(json.loads, stream.getvalue().splitlines())
    assert first == {
        "kind": "accord-export",
        "formatVersion": 1,
        "source": "test",
        "lacks": ["contexts", "modes"],
    }
    assert version["subject"] == "s"
    assert [one["kind"] for one in places] == ["context", "subject"]
    assert (last["lines"], last["versions"], last["sha256"]) == (3, 1, told.sha256)


def test_more_than_a_page_is_read_page_by_page(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.transfer.asking.NAMES_A_PAGE", 2)
    monkeypatch.setattr("accord.transfer.asking.SCHEMAS_A_PAGE", 2)
    for gaps in (Gaps(), NO_LIST, OLD, Gaps(most_told=1), replace(NO_LIST, most_told=1)):
        registry = make(gaps)
        for number in range(1, 6):
            registry.hold(f"s{number}", 1, id=number)
        with copy_of(registry) as copy:
            assert len(copy.entries) == 5


def test_a_list_without_an_end_is_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accord.transfer.asking.MOST_PAGES", 1)
    with pytest.raises(RegistryUnreadable, match="/subjects does not come to an end"):
        copy_of(filled(make())).close()


def test_what_vanishes_meanwhile_is_not_copied(make: Make) -> None:
    for gaps in (Gaps(), NO_LIST):
        registry = filled(make(gaps))

        def vanish(asked: Asked, registry: SmallRegistry = registry) -> None:
            if asked.target.startswith("/subjects/a/versions"):
                registry.versions.pop((split_subject("a"), 2), None)
            if asked.target.startswith("/subjects/gone/versions/1"):
                registry.versions.pop((split_subject("gone"), 1), None)
            if asked.target.startswith("/config/half"):
                for number in (1, 2):
                    registry.versions.pop((split_subject("half"), number), None)

        registry.before = vanish
        with copy_of(registry) as copy:
            assert [str(key) for key in copy.ordered_keys() if key.subject.name in {"a", "half"}] == [
                "a version 1",
                ":.other:a version 1",
            ]


def test_what_is_behind_an_alias_is_read_from_the_list(make: Make) -> None:
    for gaps, expected in ((Gaps(), 1), (NO_LIST, 0)):
        registry = make(gaps)
        registry.hold("s", 1, id=1)
        registry.config[split_subject("s")] = {"alias": "other"}
        with copy_of(registry) as copy:
            assert len(copy.entries) == expected
            assert copy.places[split_subject("s")].config == {"alias": "other"}
        assert not any(asked.target.startswith("/subjects/s/") for asked in registry.asked)


def test_a_circle_of_references_comes_to_an_end(make: Make) -> None:
    registry = make()
    for one, other in (("a", "b"), ("b", "a"), ("c", "nowhere"), ("d", "a")):
        registry.hold(one, 1, id=1, references=[{"name": "n", "subject": other, "version": 1}])
    registry.hold("a", 2, id=2, references=[{"name": "n", "subject": one, "version": 1} for one in "dcb"])
    with copy_of(registry) as copy:
        assert [str(key)[0] for key in copy.ordered_keys()] == ["b", "a", "d", "c", "a"]


REFUSALS = [(401, RegistryDenied), (429, RegistryUnavailable), (503, RegistryUnavailable)]


@pytest.mark.parametrize("call", ["/contexts", "/subjects", "/mode", "/config", "/schemas"])
@pytest.mark.parametrize(("status", "error"), REFUSALS)
def test_what_cannot_be_asked_now_is_not_taken_for_a_gap(
    make: Make, call: str, status: int, error: type[Exception]
) -> None:
    registry = filled(make())

    def refuse(asked: Asked) -> None:
        if asked.target.startswith(call):
            raise Refused(status, status)

    registry.before = refuse
    if call == "/schemas" and error is RegistryUnavailable:
        copy_of(registry).close()  # there is a way around it
        return
    with pytest.raises(error):
        copy_of(registry).close()


DOCUMENTS: list[dict[str, object]] = [
    {"id": -1},
    {"id": True},
    {"id": 2**31},
    {"version": "1"},
    {"schema": 1},
    {"schemaType": 1},
    {"guid": 1},
    {"references": {}},
    {"references": [1]},
    {"references": [{"name": "n", "subject": "s", "version": -1}]},
    {"metadata": []},
    {"ruleSet": "x"},
    {"subject": None},
    {"subject": "another"},
    {"version": 2},
]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_an_answer_of_another_shape_is_refused(make: Make, document: dict[str, object]) -> None:
    registry = make(NO_LIST)
    registry.hold("s", 1, **{"id": 1, **document})
    with pytest.raises(RegistryUnreadable):
        copy_of(registry).close()


def test_what_no_file_can_hold_is_refused(make: Make) -> None:
    registry = make()
    registry.hold("s", 1, id=1, metadata={"properties": float("nan")})
    with pytest.raises(RegistryUnreadable, match="JSON compliant"):
        copy_of(registry).close()
    deep: object = 1
    for _ in range(150):
        deep = [deep]
    registry.hold("s", 1, id=1, metadata={"properties": deep})
    with pytest.raises(RegistryUnreadable, match="nested deeper"):
        copy_of(registry).close()


def test_a_copy_forgets_what_was_in_a_place() -> None:
    with Copy() as copy:
        copy.drop(Key(split_subject("s"), 1))
        assert copy.ordered_keys() == []


def test_a_subject_without_a_name_is_told_and_stays_behind(make: Make) -> None:
    for gaps in (Gaps(), NO_LIST):
        registry = make(gaps)
        registry.hold("", 1, id=1)
        registry.hold("s", 1, id=2)
        with copy_of(registry) as copy:
            assert [str(key) for key in copy.ordered_keys()] == ["s version 1"]
            assert copy.left_out == ["the subject without a name in the context . stays behind"]


def test_settings_that_no_file_can_hold_are_refused(make: Make) -> None:
    registry = filled(make())
    registry.config[split_subject("a")] = {"x": float("nan")}
    with pytest.raises(RegistryUnreadable, match="not JSON compliant"):
        copy_of(registry).close()


def test_a_name_with_half_a_character_is_refused(make: Make) -> None:
    for gaps in (Gaps(), NO_LIST):
        registry = make(gaps)
        registry.hold("a\ud800", 1, id=1)
        with pytest.raises(RegistryUnreadable, match="half a character"):
            copy_of(registry).close()
