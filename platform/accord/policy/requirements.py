"""What a policy asks of a schema's own content: names, docs, owners, size, and the rules of lint.

These are checked on the candidate alone, before or beside the comparison with older versions, and
never on what is stored already. They read a schema through the port of `accord.formats.elements`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, islice
from typing import TYPE_CHECKING

from accord.formats.avro.elements import elements as avro_elements
from accord.formats.elements import TYPES, ElementKind
from accord.formats.jsonschema.elements import elements as json_elements
from accord.formats.jsontext import BRACKETS, NO_BRACKETS
from accord.formats.limits import DEFAULT_LIMITS, Limits
from accord.formats.places import pointer_token, shown
from accord.formats.protobuf.elements import elements as protobuf_elements
from accord.formats.protobuf.elements import file_elements
from accord.lint.profile import NO_LINT, LintProfile
from accord.lint.protobuf.comments import without_comments
from accord.lint.schemas import lint_schema
from accord.model import Finding, Format, Severity
from accord.policy.patterns import is_match, match_price
from accord.rules.common.content import ContentRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from accord.formats import ParsedSchema
    from accord.formats.elements import Element, Elements
    from accord.formats.protobuf.model import File

ELEMENTS: Mapping[Format, Elements] = {
    Format.AVRO: avro_elements,
    Format.JSON: json_elements,
    Format.PROTOBUF: protobuf_elements,
}
JSON_TEXTS = frozenset((Format.AVRO, Format.JSON))
# Nobody reads further, and a refusal must not weigh more than the schema it is about.
MOST_FINDINGS = 1_000
# What matching all names of one schema may take, by `match_price`: some five seconds at the worst. Twenty
# thousand names of fourteen letters, held to a pattern of any letters and digits, stay below.
MOST_MATCHING = 800_000_000

NAME_PATTERN = ContentRule.NAME_PATTERN.value
DOC_MISSING = ContentRule.DOC_MISSING.value
OWNER_MISSING = ContentRule.OWNER_MISSING.value
LIMIT_EXCEEDED = ContentRule.LIMIT_EXCEEDED.value


@dataclass(frozen=True, slots=True)
class Requirements:
    """What is asked; ``patterns`` are RE2, by what they are for (``subjects``, ``types`` and so on)."""

    patterns: Mapping[str, str] = field(default_factory=dict)
    naming_severity: Severity = Severity.BLOCK
    docs: frozenset[ElementKind] = frozenset()
    owners: tuple[str, ...] = ()
    required_severity: Severity = Severity.BLOCK
    limits: Limits = DEFAULT_LIMITS
    lint: LintProfile = NO_LINT


def of_stored(requirements: Requirements, format_: Format) -> Requirements:
    """Return what can be asked of a text of a format that a registry stored: Protobuf's lost its comments."""
    if format_ is not Format.PROTOBUF:
        return requirements
    return replace(requirements, docs=frozenset(), lint=without_comments(requirements.lint))


def check_content(
    schema: ParsedSchema,
    requirements: Requirements,
    *,
    subject: str,
    metadata: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """Return what a candidate lacks, with paths into its own text; nothing means that all is well.

    ``subject`` is the bare name without context, ``metadata`` the properties sent with the schema.
    """
    check = _Check(requirements, _Matching(MOST_MATCHING))
    return _kept(check.schema(schema, subject, metadata or {}))


def check_files(
    files: Iterable[File], requirements: Requirements, *, subject: str, metadata: Mapping[str, str]
) -> tuple[Finding, ...]:
    """Return what the Protobuf files of a module lack; the limit of fields counts for each file.

    ``subject`` is the name of the module, ``metadata`` the properties it carries. Lint, which looks at whole
    modules, is left to `accord.lint.schemas.lint_files`.
    """
    check = _Check(requirements, _Matching(MOST_MATCHING))
    about_files = (check.elements(file_elements(one)) for one in files)
    return _kept(chain(check.carried(subject, metadata), chain.from_iterable(about_files)))


def _kept(found: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(islice((one for one in found if one.severity is not Severity.OFF), MOST_FINDINGS))


@dataclass(slots=True)
class _Matching:
    """How much matching is left to one check; below zero nothing is matched any more."""

    left: int

    def take(self, price: int) -> bool:
        """Take some; tell whether that was more than was left, which happens once."""
        was = self.left
        self.left -= price
        return was >= 0 > self.left


@dataclass(frozen=True, slots=True)
class _Check:
    """One candidate held against its requirements."""

    asked: Requirements
    matching: _Matching

    def schema(self, schema: ParsedSchema, subject: str, metadata: Mapping[str, str]) -> Iterator[Finding]:
        yield from self.carried(subject, metadata)
        yield from self._size(schema)
        yield from self.elements(ELEMENTS[schema.format](schema))
        if self.asked.lint.use:
            yield from lint_schema(schema, self.asked.lint, name=subject)

    def carried(self, subject: str, metadata: Mapping[str, str]) -> Iterator[Finding]:
        yield from self._name("subjects", "subject", subject, ())
        for owner in self.asked.owners:
            if not metadata.get(owner, "").strip():
                message = f"the metadata property {shown(owner)} is missing or blank"
                yield self._lacks(OWNER_MISSING, (), owner, message)

    def elements(self, found: Iterable[Element]) -> Iterator[Finding]:
        fields = 0
        for element in found:
            fields += element.kind is ElementKind.FIELD
            yield from self._element(element)
        yield from self._limit("fields", fields, self.asked.limits.fields)

    def _element(self, element: Element) -> Iterator[Finding]:
        kind, name, path = element.kind, element.name, element.path
        if kind in TYPES:
            if name:
                yield from self._name("types", kind, name, path)
            if element.namespace is not None:
                yield from self._name("namespaces", "namespace", element.namespace, path)
        else:
            yield from self._name(f"{kind}s", kind, name, path)
        if kind in self.asked.docs and not element.is_documented:
            message = f"the {kind} {shown(name)} has no doc"
            yield self._lacks(DOC_MISSING, path, name, message)

    def _name(self, which: str, what: str, name: str, path: tuple[str, ...]) -> Iterator[Finding]:
        pattern = self.asked.patterns.get(which)
        if pattern is None:
            return
        if self.matching.take(match_price(pattern, name)):
            message = f"matching all names with {shown(pattern)} takes too long; shorten it or the names"
            yield Finding(LIMIT_EXCEEDED, Severity.BLOCK, _pointer(path), detail=name, message=message)
        if self.matching.left >= 0 and not is_match(pattern, name):
            message = f"the {what} {shown(name)} does not match {shown(pattern)}"
            severity = self.asked.naming_severity
            yield Finding(NAME_PATTERN, severity, _pointer(path), detail=name, message=message)

    def _lacks(self, rule: str, path: tuple[str, ...], detail: str, message: str) -> Finding:
        return Finding(rule, self.asked.required_severity, _pointer(path), detail=detail, message=message)

    def _size(self, schema: ParsedSchema) -> Iterator[Finding]:
        text = schema.canonical
        yield from self._limit("bytes", len(text.encode()), self.asked.limits.text_bytes)
        if schema.format in JSON_TEXTS:
            depth = max(accumulate(map(BRACKETS.__getitem__, NO_BRACKETS.sub("", text))), default=0)
            yield from self._limit("open brackets", depth, self.asked.limits.depth)

    def _limit(self, what: str, count: int, allowed: int) -> Iterator[Finding]:
        if count > allowed:
            message = f"the schema has {count} {what}, the policy allows {allowed}"
            yield Finding(LIMIT_EXCEEDED, Severity.BLOCK, "/", detail=f"{count} {what}", message=message)


def _pointer(path: tuple[str, ...]) -> str:
    return "/" + "/".join(map(pointer_token, path))
