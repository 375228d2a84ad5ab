"""The error classes of the library: fields, a stable code, a kind, and no HTTP.

Each API dialect owns a table from error class to status and wire code (``registry/api/*/errors.py``);
nothing in this package knows of it.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import ClassVar, TypeVar, cast, dataclass_transform


class Kind(StrEnum):
    """The families of errors; a dialect gives each a default HTTP status."""

    NOT_FOUND = "not_found"
    INVALID = "invalid"
    CONFLICT = "conflict"
    DENIED = "denied"
    UNAVAILABLE = "unavailable"


class AccordError(Exception):
    """Base of everything the library raises on purpose.

    A subclass is a dataclass made by `error`: its fields fill ``template``, ``code`` names it for
    machines. ``code`` is never reused or renamed.
    """

    code: ClassVar[str]
    kind: ClassVar[Kind]
    template: ClassVar[str]

    @property
    def message(self) -> str:
        """The sentence for people, with the fields filled in."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]  # every concrete subclass is a dataclass
        return self.template.format(**values)

    def __str__(self) -> str:
        return self.message


ErrorClass = TypeVar("ErrorClass", bound=type[AccordError])


@dataclass_transform(eq_default=False)
def error(cls: ErrorClass) -> ErrorClass:
    """Make an error class a dataclass of its fields.

    Exceptions carry state that Python itself assigns (``__traceback__`` in contextlib, ``__notes__``),
    so they cannot be frozen; ``eq=False`` keeps identity and hashing of exceptions.
    """
    return cast("ErrorClass", dataclass(eq=False)(cls))


class NotFound(AccordError):
    """What was asked for is not there, or may not be seen: the two look the same."""

    kind = Kind.NOT_FOUND


class Invalid(AccordError):
    """The input is wrong; the message names the place and what to change."""

    kind = Kind.INVALID


class Conflict(AccordError):
    """The input is well formed but contradicts what is stored."""

    kind = Kind.CONFLICT


class Denied(AccordError):
    """The caller is known, may see the thing, and lacks a right."""

    kind = Kind.DENIED


class Unavailable(AccordError):
    """A part the answer needs is missing just now; trying again later may work."""

    kind = Kind.UNAVAILABLE
    retry_after: ClassVar[int] = 1


@error
class InvalidSchema(Invalid):
    """A schema text that does not parse or breaks a rule of its format.

    ``location`` is a JSON pointer into the text where one is known, else the empty string.
    """

    code = "invalid_schema"
    template = "Invalid schema of type {format}, details: {details}"
    format: str
    details: str
    location: str = ""


@error
class UnknownFormat(Invalid):
    """A format name that this registry does not know."""

    code = "unknown_format"
    template = "Invalid schema type {format}"
    format: str


@error
class SchemaTooLarge(Invalid):
    """A schema text above a size, depth or count limit; ``details`` names the limit.

    ``location`` is a JSON pointer to where the limit is met, or the empty string.
    """

    code = "schema_too_large"
    template = "Schema is too large: {details}"
    details: str
    location: str = ""


@error
class InvalidReference(Invalid):
    """A reference entry that lacks its name, subject or version."""

    code = "invalid_reference"
    template = "Invalid reference: {details}"
    details: str


@error
class ReferenceNotFound(Invalid):
    """A reference to a subject version that is not there (or may not be seen)."""

    code = "reference_not_found"
    template = 'No schema reference found for subject "{subject}" and version {version}'
    subject: str
    version: int


@error
class InvalidContract(Invalid):
    """Metadata or a rule set that is not of the shape that both have; the message names the place."""

    code = "invalid_contract"
    template = "{place} {details}"
    place: str
    details: str


@error
class ContractTooLarge(Invalid):
    """Metadata or a rule set above a limit; ``details`` names the limit."""

    code = "contract_too_large"
    template = "{place} is too large: {details}"
    place: str
    details: str


@error
class InvalidRuleSet(Invalid):
    """A rule set that breaks one of the rules for rule sets, in the words of the Confluent dialect."""

    code = "invalid_rule_set"
    template = "{details}"
    details: str


@error
class InvalidSubject(Invalid):
    """A subject name that can never exist."""

    code = "invalid_subject"
    template = "The specified subject '{subject}' is not a valid."
    subject: str


@error
class UnknownLevel(Invalid):
    """A compatibility level that is none of the seven names."""

    code = "unknown_level"
    template = (
        "Invalid compatibility level. Valid values are none, backward, forward, full,"
        " backward_transitive, forward_transitive, and full_transitive"
    )
    name: str


@error
class InvalidPolicy(Invalid):
    """A policy that names a preset or a rule that does not exist."""

    code = "invalid_policy"
    template = "Invalid policy: {details}"
    details: str


@error
class CompilerUnavailable(Unavailable):
    """The process that compiles Protobuf is not there, or does not answer in time."""

    code = "compiler_unavailable"
    template = "The Protobuf compiler does not answer: {details}"
    details: str


@error
class FormatNotInstalled(Unavailable):
    """A format whose packages are an extra of this installation, and missing."""

    code = "format_not_installed"
    template = "{format} needs packages that are not installed; install accord[{extra}]"
    format: str
    extra: str
