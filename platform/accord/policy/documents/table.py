"""Every member of a policy document, one row each: name, kind, meaning.

The parser, the printer, the JSON Schema and the reference page all run on these rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from accord.formats.elements import DOCUMENTED, ElementKind
from accord.formats.limits import DEFAULT_LIMITS
from accord.lint.profile import FieldCase
from accord.model import Format, Severity
from accord.policy.documents.kinds import Choice, Count, Flag, Pattern, Preset, Text, Words
from accord.policy.documents.level_kind import LevelName
from accord.policy.documents.lint_kinds import PATH, SUFFIX, ByLintName, LintName
from accord.policy.policies import Transform

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.formats.limits import Limits
    from accord.policy.documents.kinds import Kind

NAME = Text(
    40,
    "2 to 40 letters a to z, digits and single hyphens, beginning with a letter",
    form=r"(?=.{2})[a-z][a-z0-9]*(?:-[a-z0-9]+)*",
)
DESCRIPTION = Text(2_000, "a text of at most 2000 characters")
SEVERITY = Choice(tuple(Severity), Severity)
IMPORT_PATH = Text(
    500, "the path of a file or folder, relative and without '.' and '..'", form=r"(?!\.{1,2}(?:/|$))[^/\s].*"
)
PACKAGE = Text(500, "the name of a package", form=r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
MOST_IGNORED = 200
# Metadata properties of Confluent's registry: keys as clients write them.
PROPERTY = Text(100, "the name of a metadata property, at most 100 characters", form=r"\S(?s:.*)")
RPC_OPTIONS: Mapping[str, str] = {
    "rpc_allow_same_request_response": "Whether one message may be request and response of a method.",
    "rpc_allow_google_protobuf_empty_requests": "Whether they may share `google.protobuf.Empty` as request.",
    "rpc_allow_google_protobuf_empty_responses": "Whether they may share it as a response.",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A member of a section. ``formats`` are those it may be set for; none means all and ``default``."""

    name: str
    kind: Kind
    words: str
    formats: frozenset[Format] = frozenset()

    def is_for(self, format_: Format | None) -> bool:
        """Tell whether the section of a format (None: ``default``) may hold the member."""
        return not self.formats or format_ in self.formats


# Members that hold others, with what they are about.
GROUPS: Mapping[str, str] = {
    "transform": "How the schemas of a pair are changed before they are compared.",
    "ignored": "Files and packages in which no difference counts.",
    "limits": "How large a new schema may be. A policy can only ask for less than the installation.",
    "naming": "Patterns that the names in a new schema must match.",
    "required": "What a new schema must carry.",
    "lint": "Which lint rules count for a new schema, and how much.",
}
# A group that may be written as one word: which of its members the word then is.
SHORT_FORMS: Mapping[str, str] = {"transform": "transform.name"}


@cache
def rows(limits: Limits = DEFAULT_LIMITS) -> Mapping[str, Row]:
    """Return the members of a section by name; the rules have rows of their own."""
    made = (
        Row(
            "preset",
            Preset(),
            "The column of the rule table that says how much each difference weighs. A name without"
            " version is replaced by its newest version when the policy is saved.",
        ),
        Row(
            "also_warns",
            Preset(is_optional=True),
            "A second preset, which judges as it would alone: what it reports and the first one does not is"
            " shown as a warning.",
        ),
        Row("level", LevelName(), "What a new schema is compared with."),
        Row(
            "locked",
            Flag(),
            "With true, a compatibility level sent by a Confluent client is refused, and stored ones have"
            " no effect.",
        ),
        *_transform(),
        *_ignored(),
        *_limits(limits),
        *_naming(),
        *_required(),
        *_lint(),
    )
    return {row.name: row for row in made}


def _transform() -> tuple[Row, ...]:
    return (
        Row(
            "transform.name",
            Choice(tuple(Transform)),
            "`optional-friendly`: the reader's objects are taken as open, so optional properties come and"
            " go. `transform: optional-friendly` is short for this member alone.",
            frozenset({Format.JSON}),
        ),
        Row(
            "transform.require_closed",
            Flag(),
            "Whether `optional-friendly` refuses schemas whose objects are not closed, instead of warning.",
            frozenset({Format.JSON}),
        ),
        Row(
            "transform.ignore_formats",
            Flag(),
            "Whether `format` beside a type that is no string is passed over. Unless it is, drafts 4 to 7"
            " make a combined schema of the two, as Confluent's registry does, and adding one is refused.",
            frozenset({Format.JSON}),
        ),
    )


def _ignored() -> tuple[Row, ...]:
    protobuf = frozenset({Format.PROTOBUF})
    return (
        Row(
            "ignored.paths",
            Words(IMPORT_PATH, MOST_IGNORED),
            "Files, and folders with all below them, by the path they are imported by. The text of a schema"
            " itself is `schema.proto`.",
            protobuf,
        ),
        Row(
            "ignored.packages",
            Words(PACKAGE, MOST_IGNORED),
            "Packages with all below them, as the new or the old schema has them.",
            protobuf,
        ),
        Row(
            "ignored.unstable_packages",
            Flag(),
            "Whether packages count that end in a version such as `v1alpha1`, `v1beta1` or `v1test`: with"
            " true nothing in them does.",
            protobuf,
        ),
    )


def _limits(limits: Limits) -> tuple[Row, ...]:
    return (
        Row("limits.bytes", Count(limits.text_bytes), "The size of the text in UTF-8."),
        Row("limits.depth", Count(limits.depth), "How many brackets of the text may be open at once."),
        Row("limits.fields", Count(limits.fields), "The fields of all its records together."),
    )


def _naming() -> tuple[Row, ...]:
    return (
        Row("naming.subjects", Pattern(), "The names of subjects, without their context."),
        Row("naming.types", Pattern(), "The simple names of records, enums, fixed types and the like."),
        Row("naming.namespaces", Pattern(), "The namespaces or packages of types; none is the empty text."),
        Row("naming.fields", Pattern(), "The names of fields and properties."),
        Row("naming.symbols", Pattern(), "The symbols of enums."),
        Row("naming.severity", SEVERITY, "How much a name that does not match weighs; `block` if not set."),
    )


def _required() -> tuple[Row, ...]:
    documented = tuple(kind for kind in ElementKind if kind in DOCUMENTED)
    return (
        Row("required.docs", Words(Choice(documented)), "The parts of a schema that must be documented."),
        Row(
            "required.owners",
            Words(PROPERTY),
            "Metadata properties that must be given and not be blank, such as an owner.",
        ),
        Row("required.severity", SEVERITY, "How much something missing weighs; `block` if not set."),
    )


def _lint() -> tuple[Row, ...]:
    return (
        Row("lint.use", Words(LintName(), 200), "The lint rules that count; none if not set."),
        Row("lint.except", Words(LintName(), 200), "Lint rules that do not count all the same."),
        Row("lint.severity", SEVERITY, "How much every lint finding weighs, in place of what its rule says."),
        Row("lint.severities", ByLintName(SEVERITY), "How much findings of single lint rules weigh."),
        Row(
            "lint.ignore",
            Words(PATH, 200),
            "Files and folders where no lint rule counts; in a registry, subjects of such names.",
        ),
        Row("lint.ignore_only", ByLintName(Words(PATH, 200)), "The same for single lint rules."),
        Row(
            "lint.disallow_comment_ignores",
            Flag(),
            "Whether comments that say `buf:lint:ignore` silence nothing.",
        ),
        Row("lint.enum_zero_value_suffix", SUFFIX, "How the value zero of an enum ends; `_UNSPECIFIED`."),
        Row("lint.service_suffix", SUFFIX, "How names of services end; `Service` if not set."),
        *(Row(f"lint.{name}", Flag(), words) for name, words in RPC_OPTIONS.items()),
        Row("lint.field_case", Choice(tuple(FieldCase), FieldCase), "How fields and properties are spelled."),
    )
