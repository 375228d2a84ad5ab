"""Bodies into commands and records into documents: translation only."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from rest_framework import serializers

from accord.contracts.reading import read_metadata, read_rule_set
from accord.lint.table import known_names
from accord.model import Contract, Format, Reference, SchemaText
from accord.naming import parse_subject
from accord_server.kit.rest_bodies import LONGEST_LABEL, Body, DescribedField
from registry.policy_records import PolicyText, TriedPolicy
from registry.records import LATEST, CheckCandidate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from registry.api.native.verdict_shapes import CheckShape
    from registry.records import CheckRunRecord

Json = dict[str, Any]

LONGEST_NAME = 1024
MOST_RULES: Final = 200
MOST_PRESETS: Final = 100
POLICY_NAME: Final = re.compile(r"(?P<name>[^@\0]{1,100})(?:@(?P<version>[1-9][0-9]{0,8}))?")


FORMATS: Final = [str(one) for one in Format]
T = TypeVar("T")


class VersionField(DescribedField[int | str]):
    """A number of a version, or ``latest``."""

    number = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    described: ClassVar[Json] = {
        "anyOf": [{"const": LATEST}, {"type": "integer", "minimum": 1, "maximum": 2**31 - 1}]
    }

    def to_internal_value(self, data: object) -> int | str:
        """Return the number or the word."""
        if data == LATEST:
            return LATEST
        found: int = self.number.run_validation(data)
        return found


class ReferenceSerializer(Body[Reference]):
    """One reference of a schema."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    subject = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)
    version = serializers.IntegerField(min_value=-1, max_value=2**31 - 1)


class LevelField(DescribedField["str | Mapping[str, object]"]):
    """A level in any spelling: a text, or an object with the sides ``backward`` and ``forward``."""

    default_error_messages = {"invalid": "Must be the name of a level, or an object."}
    described: ClassVar[Json] = {"type": ["string", "object"]}

    def to_internal_value(self, data: object) -> str | Mapping[str, object]:
        """Return it as it is written; what it means is found where it is used."""
        if not isinstance(data, str | dict):
            self.fail("invalid")
        return data


class ReadField(DescribedField[T]):
    """A member that a reader of the library turns into a value; its refusals name the member."""

    described: ClassVar[Json] = {"type": "object"}

    def __init__(self, read: Callable[[object, str], T], **options: Any) -> None:
        super().__init__(**options)
        self._read = read

    def to_internal_value(self, data: object) -> T:
        """Return the value.

        Raises:
            InvalidContract, ContractTooLarge, InvalidRuleSet: As the reader does.
        """
        return self._read(data, str(self.field_name))


class PolicyField(DescribedField[TriedPolicy]):
    """A policy to try: the name of a stored one, ``name@version``, or a whole document."""

    default_error_messages = {
        "invalid": "Must be the name of a policy, name@version, or a policy document as an object.",
    }
    described: ClassVar[Json] = {"type": ["string", "object"]}

    def to_internal_value(self, data: object) -> TriedPolicy:
        """Return what is to be tried."""
        if isinstance(data, dict):
            return TriedPolicy(text=PolicyText(json.dumps(data), is_json=True, is_object=True))
        found = POLICY_NAME.fullmatch(data) if isinstance(data, str) else None
        if found is None:
            self.fail("invalid")
        version = found["version"]
        return TriedPolicy(found["name"], int(version) if version else None)


class SchemaBody(Body[Any]):
    """A body about a schema under a subject."""

    codes: ClassVar[tuple[str, ...]] = (
        "check_broken",
        "check_under_way",
        "compiler_unavailable",
        "contract_too_large",
        "empty_schema",
        "format_fixed",
        "invalid_contract",
        "invalid_reference",
        "invalid_rule_set",
        "invalid_schema",
        "invalid_subject",
        "reference_not_found",
        "schema_above_quota",
        "schema_too_large",
        "subject_not_found",
        "too_busy",
    )

    schema = serializers.CharField(trim_whitespace=False)
    format = serializers.ChoiceField(
        FORMATS,
        default=str(Format.AVRO),
        error_messages={"invalid_choice": f"Must be one of: {', '.join(FORMATS)}."},
    )
    references = serializers.ListField(
        child=ReferenceSerializer(),
        required=False,
        max_length=500,
        error_messages={"not_a_list": "Must be a list."},
    )
    normalize = serializers.BooleanField(default=False)
    metadata = ReadField(read_metadata, required=False, allow_null=True)
    rule_set = ReadField(read_rule_set, required=False, allow_null=True)

    @property
    def contract(self) -> Contract:
        """The metadata and the rules of the body."""
        given = self.validated_data
        return Contract(given.get("metadata"), given.get("rule_set"))


class CandidateSerializer(SchemaBody):
    """A schema to be judged, and what may differ from a registration."""

    name = serializers.CharField(max_length=LONGEST_LABEL, required=False, default="", allow_blank=True)

    def command(self, subject: str) -> CheckCandidate:
        """Return what the service is asked about a subject.

        Raises:
            InvalidSubject: The name can never exist.
        """
        given = self.validated_data
        references = tuple(Reference(**one) for one in given.get("references", ()))
        text = given.get("schema")
        return CheckCandidate(
            subject=parse_subject(subject),
            schema=None if text is None else SchemaText(Format(given["format"]), text, references),
            against=given.get("version"),
            normalize=given["normalize"],
            level=given.get("level"),
            tried=given.get("policy"),
            name=given["name"],
            contract=self.contract,
        )


class VerdictSerializer(CandidateSerializer):
    """The body of a request for a verdict."""

    codes = (
        *CandidateSerializer.codes,
        "policy_flawed",
        "policy_not_found",
        "policy_version_not_found",
        "too_many_checks",
        "unknown_level",
    )

    level = LevelField(required=False, allow_null=True)
    policy = PolicyField(required=False, allow_null=True)


class LintSerializer(CandidateSerializer):
    """The body of a request for lint: a schema, and a policy to try or the rules that count."""

    policy = PolicyField(required=False, allow_null=True)
    use = serializers.ListField(
        child=serializers.ChoiceField(
            known_names(), error_messages={"invalid_choice": "There is no such lint rule or category."}
        ),
        required=False,
        default=list,
        max_length=MOST_RULES,
        error_messages={"not_a_list": "Must be a list."},
    )


class MatrixSerializer(CandidateSerializer):
    """A schema to be judged by every preset, and which version it is held against."""

    level = LevelField(required=False, allow_null=True)
    version = VersionField(required=False)
    presets = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LABEL),
        default=list,
        max_length=MOST_PRESETS,
        error_messages={"not_a_list": "Must be a list."},
    )


class CheckSerializer(VerdictSerializer):
    """The body of a request for a check that runs by itself."""

    subject = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)


class ReaderSerializer(CandidateSerializer):
    """The body that says who reads: a schema, or that of a version."""

    schema = serializers.CharField(trim_whitespace=False, required=False)
    version = VersionField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take one of the two."""
        if ("schema" in attrs) == ("version" in attrs):
            raise serializers.ValidationError("Give either schema or version.")
        return attrs


def check_document(record: CheckRunRecord) -> CheckShape:
    """Return a check as its caller follows it."""
    return {
        "id": str(record.id),
        "subject": record.subject.qualified,
        "level": record.level,
        "state": record.state,
        "progress": {"done": record.done, "total": record.total},
        "created_at": record.created_at.isoformat(),
        "result": record.result,
    }
