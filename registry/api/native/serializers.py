"""Bodies into commands and records into documents: translation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from rest_framework import serializers

from accord.model import Format, Reference, SchemaText
from accord.naming import parse_subject
from registry.records import CheckCandidate

if TYPE_CHECKING:
    from registry.records import CheckRunRecord

LONGEST_NAME = 1024


FORMATS: Final = [str(one) for one in Format]
T = TypeVar("T")


class Body(serializers.Serializer[T]):
    """An object of JSON; what is wrong is said in the words of JSON, not of Python."""

    default_error_messages = {"invalid": "Must be an object."}


class ReferenceSerializer(Body[Reference]):
    """One reference of a schema."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    subject = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)
    version = serializers.IntegerField(min_value=-1, max_value=2**31 - 1)


class CheckSerializer(Body[CheckCandidate]):
    """The body of a request for a check."""

    subject = serializers.CharField(max_length=LONGEST_NAME, trim_whitespace=False)
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
    level = serializers.CharField(max_length=32, required=False, allow_null=True)
    normalize = serializers.BooleanField(default=False)

    def command(self) -> CheckCandidate:
        """Return what the service is asked.

        Raises:
            InvalidSubject: The name can never exist.
        """
        given = self.validated_data
        references = tuple(Reference(**one) for one in given.get("references", ()))
        return CheckCandidate(
            subject=parse_subject(given["subject"]),
            schema=SchemaText(Format(given["format"]), given["schema"], references),
            normalize=given["normalize"],
            level=given.get("level"),
        )


def check_document(record: CheckRunRecord) -> dict[str, Any]:
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
