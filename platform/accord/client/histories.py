"""The history of a subject as Accord's own interface tells it, turned into values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accord.client.records import (
    KeptFinding,
    KeptWaiver,
    RegistrationPolicy,
    RegistrationVerdict,
    RemoteRegistration,
)

if TYPE_CHECKING:
    from accord.client.answers import Answer


def registrations(answer: Answer) -> tuple[RemoteRegistration, ...]:
    """The entries of one part of the list; raises `accord.client.RegistryUnreadable` for another shape."""
    return tuple(_registration(one) for one in answer.inside("items").each())


def following(answer: Answer) -> str | None:
    """The cursor of the next part, None at the end of the list."""
    return _text(answer, "next")


def _registration(one: Answer) -> RemoteRegistration:
    in_force, verdict = one.at("in_force"), one.at("verdict")
    return RemoteRegistration(
        version=one.inside("version").integer(),
        id=one.inside("id").integer(),
        created_at=one.string("created_at"),
        created_by=one.string("created_by"),
        deleted_at=_text(one, "deleted_at"),
        level=one.string("level"),
        in_force=None if in_force is None else _in_force(in_force),
        verdict=None if verdict is None else _verdict(verdict),
        findings=tuple(_finding(finding) for finding in one.inside("findings").each()),
        document=one.document(),
    )


def _in_force(one: Answer) -> RegistrationPolicy:
    policies = [
        (policy.string("policy"), policy.inside("version").integer())
        for policy in one.inside("policies").each()
    ]
    return RegistrationPolicy(
        preset=one.string("preset"),
        preset_origin=one.inside("preset_origin").string("words"),
        level_origin=one.inside("level_origin").string("words"),
        policies=tuple(policies),
    )


def _verdict(one: Answer) -> RegistrationVerdict:
    counted = one.inside("findings")
    counts = {severity: counted.inside(severity).integer() for severity in counted.document()}
    waiver = one.at("waived_by")
    return RegistrationVerdict(
        outcome=one.string("outcome"),
        compared=one.inside("compared").integer(),
        counts=counts,
        waived_by=None if waiver is None else _waiver(waiver),
    )


def _waiver(one: Answer) -> KeptWaiver:
    return KeptWaiver(one.string("waiver"), one.string("given_by"), one.string("reason"))


def _finding(one: Answer) -> KeptFinding:
    version = one.at("version")
    return KeptFinding(
        rule=one.string("rule"),
        severity=one.string("severity"),
        path=one.string("path"),
        direction=_text(one, "direction"),
        version=None if version is None else version.integer(),
    )


def _text(one: Answer, name: str) -> str | None:
    inner = one.at(name)
    return None if inner is None else inner.text()
