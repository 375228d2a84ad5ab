"""Documents survive being printed, in both syntaxes, and have one text each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given

from accord.model import Format, Severity
from accord.policy.documents import (
    JudgedAs,
    PolicyDocument,
    as_data,
    pinned,
    preset_named,
    read_document,
    to_json,
    to_yaml,
)
from accord.rules import parameters
from accord.rules.parameters import Parameter, ParameterType
from accord.rules.presets import PRESETS
from tests.accord.policy.documents.strategies import documents
from tests.accord.strategies import SLOW_MACHINE

if TYPE_CHECKING:
    import pytest

    from accord.policy.documents.model import Section


@SLOW_MACHINE
@given(documents)
def test_a_document_survives_its_texts(document: PolicyDocument) -> None:
    read = read_document(to_yaml(document))
    assert read.problems == ()
    assert read.document == document
    assert read_document(to_json(document), is_json=True).document == document


@SLOW_MACHINE
@given(documents)
def test_a_text_is_printed_the_same_again(document: PolicyDocument) -> None:
    again = read_document(to_yaml(document)).document
    assert again is not None
    assert (to_yaml(again), to_json(again)) == (to_yaml(document), to_json(document))


@SLOW_MACHINE
@given(documents)
def test_pinned_documents_stay_as_they_are(document: PolicyDocument) -> None:
    once = pinned(document)
    assert pinned(once) == once
    sections = [once.default, *once.formats.values()]
    assert all(section.get("preset", "accord:1") in PRESETS for section in sections)


def test_members_have_the_order_of_the_table() -> None:
    section: Section = {
        "required.docs": (),
        "rules.DIFFERENT_SCHEMA_TYPE": Severity.OFF,
        "level": "x",
        "preset": "accord:1",
    }
    document = PolicyDocument("ab", default=section, formats={Format.JSON: {}})
    assert list(as_data(document)) == ["name", "default"]
    assert list(as_data(document)["default"]) == ["preset", "level", "required", "rules"]  # type: ignore[arg-type]  # an object


def test_a_rule_with_parameters_is_printed_as_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Parameter(ParameterType.COUNT, "w", default=3)
    monkeypatch.setattr(parameters, "PARAMETERS", {"DIFFERENT_SCHEMA_TYPE": {"a": row, "b": row}})
    parameter = "rules.DIFFERENT_SCHEMA_TYPE.parameters"
    alone = {f"{parameter}.a": 1, f"{parameter}.b": 2}
    sections: tuple[Section, ...] = ({"rules.DIFFERENT_SCHEMA_TYPE": Severity.OFF, **alone}, alone)
    for section in sections:
        document = PolicyDocument("ab", default=section)
        assert read_document(to_yaml(document)).document == document
    document = PolicyDocument(
        "ab", default={"rules.DIFFERENT_SCHEMA_TYPE": JudgedAs("TYPE_MISMATCH"), **alone}
    )
    assert read_document(to_yaml(document)).document == document


def test_an_alias_means_the_newest_numbered_version(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("confluent:8.10", "confluent:8.9", "accord:queue-safe", "words:only", "k:2026-06"):
        monkeypatch.setitem(PRESETS, name, {})
    assert preset_named("confluent") == "confluent:8.10"
    assert preset_named("accord") == "accord:1"
    assert preset_named("k") == "k:2026-06"
    assert (preset_named("words"), preset_named("words:only"), preset_named("x")) == (
        None,
        "words:only",
        None,
    )
    document = PolicyDocument("ab", formats={Format.AVRO: {"preset": "confluent", "also_warns": "none"}})
    saved = {Format.AVRO: {"preset": "confluent:8.10", "also_warns": "none"}}
    assert pinned(document) == replace(document, formats=saved)
