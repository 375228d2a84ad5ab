"""A policy text to a document, or to everything that is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from accord.formats.limits import DEFAULT_LIMITS
from accord.policy.documents.kinds import Count, Flag, PlacePattern, Text, Words, word
from accord.policy.documents.model import (
    DEFAULT,
    FORMAT_KEYS,
    FORMATS,
    PARAMETERS,
    RULES,
    JudgedAs,
    PolicyDocument,
)
from accord.policy.documents.problems import Problem, Problems, nearest, shown
from accord.policy.documents.source import Mapped, Scalar, joined, read_source
from accord.policy.documents.table import DESCRIPTION, GROUPS, NAME, SEVERITY, SHORT_FORMS, rows
from accord.policy.policies import BLOCKING_RULES, FIXED_RULES
from accord.rules.common.content import SEVERITIES, ContentRule
from accord.rules.parameters import Parameter, ParameterType, parameters_of
from accord.rules.table import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from accord.formats.limits import Limits
    from accord.model import Format
    from accord.policy.documents.kinds import Kind
    from accord.policy.documents.model import Section, Setting
    from accord.policy.documents.source import Value

TOP_MEMBERS = ("name", "description", DEFAULT, FORMATS)
SEVERITY_MEMBER, JUDGED_AS = "severity", "judged_as"
RULE_MEMBERS = (SEVERITY_MEMBER, JUDGED_AS, PARAMETERS)
# A rule replaced takes no part in these: a choice that only one document may hold.
TWO_WEIGHTS = "a rule has a severity or is judged as another; keep one of them"


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """What became of a policy text: a document, or the problems in the order of the text."""

    document: PolicyDocument | None
    problems: tuple[Problem, ...] = ()


def read_document(text: str, *, is_json: bool = False, limits: Limits = DEFAULT_LIMITS) -> ReadDocument:
    """Return the document that a YAML or JSON text stands for, or every problem it has.

    ``limits`` are those of the installation: a document may only ask for less. Nothing is raised.
    """
    problems = Problems()
    value = read_source(text, is_json=is_json, problems=problems)
    document = None if value is None else _Reader(problems, limits).document(value)
    return ReadDocument(None if problems.found else document, problems.sorted())


class _Reader:
    """One document being read; ``problems`` collects what is wrong."""

    def __init__(self, problems: Problems, limits: Limits) -> None:
        self.problems = problems
        self.rows = rows(limits)
        self.rules = {row.id: row for row in rules()}

    def document(self, value: Value) -> PolicyDocument | None:
        top = self._object(value, TOP_MEMBERS)
        if top is None:
            return None
        if "name" not in top.members:
            self.problems.add(top.place, "the policy has no name; add 'name' with one")
        name = self._member(top, "name", NAME)
        return PolicyDocument(
            name=str(name),
            description=str(self._member(top, "description", DESCRIPTION) or ""),
            default=self._section(top.members.get(DEFAULT), None),
            formats=self._formats(top.members.get(FORMATS)),
        )

    def _member(self, holder: Mapped, name: str, kind: Kind) -> Setting | None:
        value = holder.members.get(name)
        return None if value is None else kind.read(value, self.problems)

    def _formats(self, value: Value | None) -> dict[Format, Section]:
        if value is None:
            return {}
        held = self._object(value, FORMAT_KEYS)
        members = {} if held is None else held.members
        sections = {format_: self._section(members.get(key), format_) for key, format_ in FORMAT_KEYS.items()}
        return {format_: section for format_, section in sections.items() if section}

    def _section(self, value: Value | None, format_: Format | None) -> dict[str, Setting]:
        found: dict[str, Setting] = {}
        if value is not None:
            self._group(value, "", format_, found)
        return dict(sorted(found.items()))

    def _group(self, value: Value, prefix: str, format_: Format | None, found: dict[str, Setting]) -> None:
        """Read the members below a dotted name into ``found``."""
        allowed = {name: row for name, row in self.rows.items() if row.is_for(format_)}
        start = f"{prefix}." if prefix else ""
        known = {name[len(start) :].partition(".")[0] for name in allowed if name.startswith(start)}
        held = self._object(value, known if prefix else known | {RULES})
        for key, inner in ({} if held is None else held.members).items():
            name = joined(prefix, key)
            if name in allowed:
                setting = allowed[name].kind.read(inner, self.problems)
                found.update({} if setting is None else {name: setting})
            elif name == RULES:
                self._rules(inner, format_, found)
            elif key in known and name in SHORT_FORMS and isinstance(inner, Scalar):
                short = SHORT_FORMS[name]
                setting = allowed[short].kind.read(inner, self.problems)
                found.update({} if setting is None else {short: setting})
            elif key in known and name in GROUPS:
                self._group(inner, name, format_, found)

    def _object(self, value: Value, known: Iterable[str]) -> Mapped | None:
        """Return an object whose members are all known; the others are noted."""
        if not isinstance(value, Mapped):
            self.problems.add(value.place, f"an object belongs here, with any of {', '.join(sorted(known))}")
            return None
        for key, place in value.keys.items():
            if key not in known:
                self.problems.add(place, f"there is no member {shown(key)} here; {nearest(key, known)}")
        return value

    def _rules(self, value: Value, format_: Format | None, found: dict[str, Setting]) -> None:
        known = [
            row.id
            for row in self.rules.values()
            if row.id not in FIXED_RULES and (format_ is None or row.format in (None, format_))
        ]
        if not isinstance(value, Mapped):
            self.problems.add(value.place, "an object belongs here, with the ids of rules")
            return
        for rule_id, inner in value.members.items():
            if rule_id in FIXED_RULES:
                self.problems.add(value.keys[rule_id], _fixed(rule_id))
            elif rule_id not in known:
                message = f"there is no rule {shown(rule_id)} here; {nearest(rule_id, known)}"
                self.problems.add(value.keys[rule_id], message)
            else:
                self._rule(inner, rule_id, known, found)

    def _rule(self, value: Value, rule_id: str, known: list[str], found: dict[str, Setting]) -> None:
        """Read what a policy says of one rule: a severity, or an object."""
        name = f"{RULES}.{rule_id}"
        if isinstance(value, Scalar):
            severity = SEVERITY.read(value, self.problems)
            found.update({} if severity is None else {name: severity})
            return
        held = self._object(value, RULE_MEMBERS)
        if held is None:
            return
        if SEVERITY_MEMBER in held.members and JUDGED_AS in held.members:
            self.problems.add(held.keys[JUDGED_AS], TWO_WEIGHTS)
        weight = self._member(held, SEVERITY_MEMBER, SEVERITY) or self._replacement(held, rule_id, known)
        found.update({} if weight is None else {name: weight})
        if PARAMETERS in held.members:
            self._parameters(held.members[PARAMETERS], rule_id, found)

    def _replacement(self, held: Mapped, rule_id: str, known: list[str]) -> JudgedAs | None:
        value = held.members.get(JUDGED_AS)
        if value is None:
            return None
        others = [other for other in known if other != rule_id]
        name = word(value, self.problems, expected="the id of a rule")
        if name is None or name in others:
            return None if name is None else JudgedAs(name)
        message = f"{shown(name)} is no other rule that can stand in; {nearest(name, others)}"
        self.problems.add(value.place, message)
        return None

    def _parameters(self, value: Value, rule_id: str, found: dict[str, Setting]) -> None:
        known = parameters_of(rule_id)
        held = self._object(value, known)
        for name, row in known.items():
            setting = None if held is None else self._member(held, name, parameter_kind(row))
            if setting is not None:
                found[f"{RULES}.{rule_id}.{PARAMETERS}.{name}"] = setting


def _fixed(rule_id: str) -> str:
    """Say why a rule has no place here."""
    if rule_id in BLOCKING_RULES:
        return f"the rule {rule_id} always blocks; leave it out"
    return f"the rule {rule_id} weighs what {SEVERITIES[ContentRule(rule_id)]} says; set that instead"


KINDS: Mapping[ParameterType, Callable[[Parameter], Kind]] = {
    ParameterType.FLAG: lambda _: Flag(),
    ParameterType.COUNT: lambda row: Count(row.largest, smallest=0),
    ParameterType.TEXT: lambda row: Text(row.largest, f"a text of at most {row.largest} characters"),
    ParameterType.PLACES: lambda row: Words(PlacePattern(), row.largest),
}


def parameter_kind(row: Parameter) -> Kind:
    """Return how a parameter's value is read."""
    return KINDS[row.type](row)
