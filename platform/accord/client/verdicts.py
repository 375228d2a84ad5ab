"""The verdict of Accord's own interface: policy, findings, places and words as a registration meets them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accord.client.checks import await_check
from accord.formats.positions import Position
from accord.model import Direction, Severity
from accord.naming import quote_subject
from accord.policy.explanation import ExplainedComparison, ExplainedFinding, Explanation
from accord.policy.verdict_words import LevelWord, VerdictWord

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from accord.client.answers import Answer
    from accord.client.checks import Patience
    from accord.client.registry import RegistryClient
    from accord.client.transport import Json
    from accord.model import SchemaText, SubjectName

# Reasons of reasons beyond this are left out; the registry nests far less.
DEEPEST: Final = 40


@dataclass(frozen=True, slots=True)
class RemoteVerdict:
    """A verdict with what decided it.

    ``origins`` says in words where level and preset come from, ``policies`` names those bound around the
    subject, nearest first; both are empty for who may not read policies.
    """

    word: VerdictWord
    explanation: Explanation
    level: str
    preset: str
    levels: Mapping[str, LevelWord]
    origins: Mapping[str, str]
    policies: tuple[str, ...]


def ask_verdict(
    client: RegistryClient, subject: SubjectName, schema: SchemaText, *, level: str = ""
) -> RemoteVerdict | UUID:
    """Ask what a registration would meet, or under another level; nothing is stored.

    What is too large for a request becomes a check: its id is returned, to be waited for by `await_verdict`.

    Raises `accord.client.NoNamespaceNamed` where the address does not end in ``/sr/TENANT/NAMESPACE``, and
    what `accord.client.RegistryClient` raises.
    """
    body = _body(schema)
    if level:
        body["level"] = level
    answer = client.ask_accord("POST", f"/subjects/{quote_subject(subject)}/verdict", body=body)
    is_check = answer.at("verdict") is None and answer.at("state") is not None
    return answer.uuid("id") if is_check else _verdict(answer)


@dataclass(frozen=True, slots=True)
class SimilarSubject:
    """A subject whose latest schema is much like another; ``percent`` of all ways to fields are in both."""

    namespace: str
    subject: str
    version: int
    percent: int


def ask_similar(
    client: RegistryClient, subject: SubjectName, schema: SchemaText
) -> tuple[SimilarSubject, ...]:
    """Ask which other subjects of the tenant have much the same fields, the most alike first.

    Raises as `ask_verdict`.
    """
    path = f"/subjects/{quote_subject(subject)}/similar"
    found = client.ask_accord("POST", path, body=_body(schema)).inside("items").each()
    return tuple(map(_similar, found))


def await_verdict(client: RegistryClient, check: UUID, patience: Patience) -> RemoteVerdict:
    """The verdict of a check, as soon as it is done; raises as `accord.client.checks.await_check`."""
    return _verdict(await_check(client, check, patience))


def _body(schema: SchemaText) -> dict[str, Json]:
    references: list[Json] = [
        {"name": one.name, "subject": one.subject, "version": one.version} for one in schema.references
    ]
    return {"schema": schema.text, "format": str(schema.format), "references": references}


def _similar(one: Answer) -> SimilarSubject:
    number, percent = one.inside("version").integer(), one.inside("percent").integer()
    return SimilarSubject(one.string("namespace"), one.string("subject"), number, percent)


def _verdict(one: Answer) -> RemoteVerdict:
    levels, policy = one.inside("levels"), one.at("policy")
    return RemoteVerdict(
        word=one.one_of("verdict", VerdictWord),
        explanation=Explanation(
            one.truth("is_compatible"),
            one.string("summary"),
            tuple(_finding(finding) for finding in one.inside("own").each()),
            tuple(_comparison(each) for each in one.inside("comparisons").each()),
        ),
        level=one.string("level"),
        preset=one.string("preset"),
        levels={name: _level(levels.inside(name)) for name in levels.document()},
        origins={} if policy is None else _origins(policy),
        policies=() if policy is None else tuple(_policies(policy)),
    )


def _level(one: Answer) -> LevelWord:
    return LevelWord(
        one.one_of("verdict", VerdictWord),
        _number(one, "version"),
        tuple(Direction(name) for name in one.inside("directions").strings() if name in set(Direction)),
        tuple(one.inside("rules").strings()),
    )


def _origins(policy: Answer) -> dict[str, str]:
    values = policy.inside("values")
    known = {name: values.at(name) for name in ("level", "preset")}
    return {name: one.inside("origin").string("words") for name, one in known.items() if one is not None}


def _policies(policy: Answer) -> list[str]:
    return list(dict.fromkeys(one.string("policy") for one in policy.inside("policies").each()))


def _comparison(one: Answer) -> ExplainedComparison:
    return ExplainedComparison(
        direction=one.one_of("direction", Direction),
        version=one.inside("version").integer(),
        is_blocked=one.truth("is_blocked"),
        reader=one.string("reader"),
        writer=one.string("writer"),
        sentence=one.string("sentence"),
        upgrade=one.string("upgrade"),
        findings=tuple(_finding(finding) for finding in one.inside("findings").each()),
        left_out=one.inside("left_out").integer(),
    )


def _finding(one: Answer, depth: int = 0) -> ExplainedFinding:
    inner = one.inside("reasons").each() if depth < DEEPEST else []
    judged_as, effect = one.at("judged_as"), one.at("effect")
    return ExplainedFinding(
        rule=one.string("rule"),
        severity=one.one_of("severity", Severity),
        summary=one.string("summary"),
        path=one.string("path"),
        new_at=_place(one.at("new")),
        old_at=_place(one.at("old")),
        sentence=one.string("sentence"),
        advice=one.string("advice"),
        judged_as="" if judged_as is None else judged_as.text(),
        # Servers of an earlier release do not tell.
        effect="" if effect is None else effect.text(),
        reasons=tuple(_finding(reason, depth + 1) for reason in inner),
        is_turned=one.at("is_turned") is not None and one.truth("is_turned"),
    )


def _place(one: Answer | None) -> Position | None:
    return None if one is None else Position(one.inside("line").integer(), one.inside("column").integer())


def _number(one: Answer, name: str) -> int | None:
    inner = one.at(name)
    return None if inner is None else inner.integer()
